package plan

import (
	"math"
	"slices"
)

// nominalSpeed is the GFLOP/s in a large matrix product of the processor that the
// times of shards are estimated for. It is fixed, so that the cut of a plan does
// not depend on the machine that cuts it.
const nominalSpeed = 20

func (u unit) size() (records int, seconds float64) {
	for _, f := range u.fits {
		records += len(f.Cells)
		if f.Skip == nil {
			seconds += f.Seconds(nominalSpeed)
		}
	}
	return records, seconds
}

// Seconds estimates the time of the whole plan on one processor of nominal speed.
func (p *Plan) Seconds() float64 {
	sum := 0.0
	for _, u := range p.units() {
		_, seconds := u.size()
		sum += seconds
	}
	return sum
}

// Shards cuts a plan into count parts that follow one another, of about equal
// estimated time: the bounds lie at equal times, each moved to the next bound
// between two groups where that is no farther than a quarter of a shard's time, so
// that a shard mostly holds whole groups and samples, populations and Gram matrices
// are seldom made twice. A fit, and a pass over several n, is never cut; a plan of
// few fits, or with one that outweighs a shard, has fewer parts. The same plan is
// always cut alike. A part takes its equal share, half a shard and the longest fit
// at most.
func (p *Plan) Shards(count int) []Shard {
	units := p.units()
	ends := make([]float64, len(units)) // time up to the end of each unit
	total := 0.0
	for i, u := range units {
		_, seconds := u.size()
		total += seconds
		ends[i] = total
	}
	share := total / float64(max(1, count))
	var cuts []int // units before which a shard begins
	for i := 1; i < count; i++ {
		at := nearestCut(units, ends, float64(i)*share, share/4)
		if at > 0 && at < len(units) && (len(cuts) == 0 || at > cuts[len(cuts)-1]) {
			cuts = append(cuts, at)
		}
	}
	var shards []Shard
	first, record := 0, 0
	for _, end := range append(cuts, len(units)) {
		s := Shard{From: record, To: record}
		for _, u := range units[first:end] {
			records, seconds := u.size()
			s.To, s.Seconds, s.Longest = s.To+records, s.Seconds+seconds, math.Max(s.Longest, seconds)
			s.Bytes = max(s.Bytes, u.group.Memory.Total())
		}
		if s.To > s.From {
			shards = append(shards, s)
		}
		first, record = end, s.To
	}
	return shards
}

// nearestCut is the unit before which to cut, so that what is before it takes as near
// to the given time as possible; between two groups it may be farther off by slack.
func nearestCut(units []unit, ends []float64, time, slack float64) int {
	first, _ := slices.BinarySearch(ends, time-slack)
	last, _ := slices.BinarySearch(ends, time+slack)
	best, least := 0, math.Inf(1)
	for cut := max(1, first); cut <= min(last+1, len(ends)); cut++ {
		distance := math.Abs(ends[cut-1] - time)
		if distance <= slack && cut < len(units) && units[cut].group != units[cut-1].group {
			distance -= slack
		}
		if distance < least {
			best, least = cut, distance
		}
	}
	return best
}
