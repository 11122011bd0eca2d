package runner

import (
	"math"
	"slices"
)

// Shard is a part of a plan that one process computes: the records From to To,
// To excluded, in the order of Plan.Keys.
type Shard struct {
	From    int     `json:"from"`
	To      int     `json:"to"`
	Seconds float64 `json:"seconds"` // estimated, on one processor of nominal speed
	Longest float64 `json:"longest"` // of them, of the longest fit
	Bytes   int64   `json:"bytes"`   // estimated memory of its largest group
	Digest  string  `json:"digest"`  // of its records, as Plan.Digest; Freeze sets it
}

// Same says that two shards of a plan are of the same records.
func (s Shard) Same(other Shard) bool { return s.From == other.From && s.To == other.To }

// nominalSpeed is the GFLOP/s in a large matrix product of the processor that the
// times of shards are estimated for. It is fixed, so that the cut of a plan does
// not depend on the machine that cuts it.
const nominalSpeed = 20

// Keys are the keys of the plan's records, those that one pass over a sample
// computes side by side.
func (p *Plan) Keys() []string {
	return slices.AppendSeq(make([]string, 0, p.Records()), p.eachKey)
}

// eachKey yields the keys of Keys in their order.
func (p *Plan) eachKey(yield func(key string) bool) {
	for _, g := range p.Groups {
		for _, u := range p.unitsOf(g) {
			for _, f := range u.fits {
				for _, c := range f.Cells {
					if !yield(g.Key(c)) {
						return
					}
				}
			}
		}
	}
}

// unit is what is not cut: one pass over a sample, or one fit.
type unit struct {
	group *Group
	fits  []*Fit
}

func (p *Plan) units() []unit {
	var units []unit
	for _, g := range p.Groups {
		units = append(units, p.unitsOf(g)...)
	}
	return units
}

func (p *Plan) unitsOf(g *Group) []unit {
	if g.records() == 0 {
		return nil
	}
	var units []unit
	for _, pass := range p.passes(g) {
		pass = slices.DeleteFunc(pass, func(f *Fit) bool { return len(f.Cells) == 0 })
		if len(pass) > 0 {
			units = append(units, unit{g, pass})
		}
	}
	return units
}

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

// nearestCut is the unit before which to cut, so that what is before it takes as
// near to the given time as can be; bounds of groups are preferred within slack.
func nearestCut(units []unit, ends []float64, time, slack float64) int {
	i, _ := slices.BinarySearch(ends, time) // the first that ends at time or later
	distance := func(cut int) float64 { return math.Abs(ends[cut-1] - time) }
	best := min(i+1, len(ends))
	if i > 0 && distance(i) < distance(best) {
		best = i
	}
	betterThan := slack
	bound := 0
	consider := func(cut int) {
		if units[cut].group != units[cut-1].group && distance(cut) <= betterThan {
			bound, betterThan = cut, distance(cut)
		}
	}
	for cut := best; cut > 0 && cut < len(units) && distance(cut) <= slack; cut-- {
		consider(cut)
	}
	for cut := best + 1; cut < len(units) && distance(cut) <= slack; cut++ {
		consider(cut)
	}
	if bound > 0 {
		return bound
	}
	return best
}
