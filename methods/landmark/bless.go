package landmark

import (
	"math"
	"slices"
)

// bless draws by approximate ridge leverage scores along a path of levels t that
// fall from κ² = max K_ii: at each, scores of a uniform sample are taken with the
// dictionary of the level before, and a new dictionary is drawn by them. At the
// last level all points get scores.
//
// Without a level the path ends where the dictionary has m draws or more, which
// is where d_eff(t) is between m/4 and m/2.
//
// Reference: [BLESS, Algorithm 1]. Deviation: constants without logarithms, see
// defaultPath; a uniform sample as large as n is all points, once; scores of all
// points at last, so that m landmarks can be drawn without replacement.
func (p *problem) bless() (Set, error) {
	scores, last, err := p.pathScores(defaultPath)
	if err != nil {
		return Set{}, err
	}
	set, err := p.byWeight(scores)
	return p.atLevel(set, last.level*float64(p.n), last.deff, !last.unreached), err
}

// path has the constants of BLESS: levels fall by q = step, the uniform sample
// has q1 = sample times κ²/t points, the dictionary q2 = oversample times d_eff(t)
// draws.
type path struct {
	step, sample, oversample float64
}

// defaultPath keeps scores above a quarter of the exact ones; points far from all
// of the dictionary have more than their due. A dictionary that matches m has at
// most 2m points.
var defaultPath = path{step: 2, sample: 4, oversample: 4}

// pathEnd is where a path ended.
type pathEnd struct {
	level     float64
	deff      float64 // estimated
	unreached bool    // the level is the least one, and still too high for m
}

// pathScores are the approximate scores of all points at the last level.
func (p *problem) pathScores(c path) ([]float64, pathEnd, error) {
	largest, err := p.setDiagonal()
	if err != nil {
		return nil, pathEnd{}, err
	}
	n := float64(p.n)
	least := p.leastRidge(largest) / n
	end := pathEnd{level: largest}
	if p.Level > 0 && p.Level < largest { // steps that end at the level itself
		c.step = math.Pow(largest/p.Level, 1/math.Ceil(math.Log(largest/p.Level)/math.Log(c.step)))
	}
	d := dictionary{}
	for last := false; !last; {
		end.level = max(end.level/c.step, p.Level, least)
		sample := p.uniformSample(c.sample * largest / end.level)
		scores, err := p.approximateScores(sample, d, n*end.level)
		if err != nil {
			return nil, end, err
		}
		total := 0.0
		for _, s := range scores {
			total += s
		}
		end.deff = n / float64(len(sample)) * total
		draws := int(math.Ceil(c.oversample * end.deff))
		d = p.redrawn(sample, scores, draws)
		switch {
		case p.Level > 0:
			last = end.level <= p.Level*(1+1e-9) || end.level == least
		default:
			end.unreached = end.level == least && draws < p.m
			last = draws >= p.m || end.unreached
		}
	}
	scores, err := p.approximateScores(firstOf(p.n), d, n*end.level)
	return scores, end, err
}

// uniformSample is a uniform sample with replacement, or all points where they
// are no more.
func (p *problem) uniformSample(size float64) []int {
	if size >= float64(p.n) {
		return firstOf(p.n)
	}
	sample := make([]int, int(math.Ceil(size)))
	for i := range sample {
		sample[i] = p.rng.IntN(p.n)
	}
	return sample
}

// redrawn is a dictionary of count draws from a uniform sample, by scores, with
// replacement: a draw of probability P_j has the weight a_j = R·count·P_j/n for a
// sample of R. Draws of the same point are one, of the weight a_j over their
// number.
func (p *problem) redrawn(sample []int, scores []float64, count int) dictionary {
	sums := cumulative(scores)
	times, weight := map[int]int{}, map[int]float64{}
	for range count {
		j := drawFrom(sums, p.rng)
		times[sample[j]]++
		weight[sample[j]] = float64(len(sample)) * float64(count) * scores[j] / (sums[len(sums)-1] * float64(p.n))
	}
	d := dictionary{}
	for index := range times {
		d.indices = append(d.indices, index)
	}
	slices.Sort(d.indices)
	for _, index := range d.indices {
		d.weights = append(d.weights, weight[index]/float64(times[index]))
	}
	return d
}
