package compare

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"

	"mercer/results"
)

// values are those of one metric in one cell, by repeat.
type values struct {
	cell      results.Key
	base, new map[int]float64
}

// valuesOf are the values of a metric in a cell; false where a side has none.
func valuesOf(m match, metric string) (values, bool) {
	v := values{cell: m.cell, base: map[int]float64{}, new: map[int]float64{}}
	read := func(rows map[int]*results.Row, into map[int]float64) {
		for repeat, r := range rows {
			if x, ok := r.Metrics.Get(metric); ok && r.Status == results.OK {
				into[repeat] = x
			}
		}
	}
	read(m.base, v.base)
	read(m.new, v.new)
	return v, len(v.base) > 0 && len(v.new) > 0
}

// samples are what a test compares: one number a repeat.
type samples struct {
	base, new []float64
	logs      bool    // of logarithms, so that a difference is a ratio
	plain     float64 // change of values that have no logarithms
}

// pooled takes cells together: the mean over the cells, one number for each repeat
// that all cells have; with paired, of the repeats that both sides have. Numbers are
// logarithms where all values are positive; else values over a size of the cell's
// that is the same for both sides, whichever of them is called the base.
func pooled(cells []values, paired bool) samples {
	s := samples{logs: true}
	for _, c := range cells {
		for _, side := range []map[int]float64{c.base, c.new} {
			for _, x := range side {
				s.logs = s.logs && x > 0
			}
		}
	}
	scale := make([]float64, len(cells))
	if !s.logs {
		for i, c := range cells {
			scale[i] = meanSize(c)
		}
	}
	sum := func(side func(values) map[int]float64) map[int]float64 {
		total, count := map[int]float64{}, map[int]int{}
		for i, c := range cells {
			for repeat, x := range side(c) {
				if s.logs {
					x = math.Log(x)
				} else {
					x /= scale[i]
				}
				total[repeat] += x / float64(len(cells))
				count[repeat]++
			}
		}
		for repeat, n := range count {
			if n < len(cells) {
				delete(total, repeat)
			}
		}
		return total
	}
	base, new := sum(func(v values) map[int]float64 { return v.base }), sum(func(v values) map[int]float64 { return v.new })
	for _, repeat := range repeatsOf(base) {
		if _, both := new[repeat]; both || !paired {
			s.base = append(s.base, base[repeat])
		}
	}
	for _, repeat := range repeatsOf(new) {
		if _, both := base[repeat]; both || !paired {
			s.new = append(s.new, new[repeat])
		}
	}
	if !s.logs && len(s.base) > 0 && len(s.new) > 0 {
		for i, c := range cells {
			s.plain += plainChange(meanOver(c.base, base, new, paired), meanOver(c.new, new, base, paired), scale[i]) / float64(len(cells))
		}
	}
	return s
}

// meanOver is the mean over the repeats of own, with paired of those that are in
// other as well.
func meanOver(x, own, other map[int]float64, paired bool) float64 {
	var taken []float64
	for _, repeat := range repeatsOf(own) {
		if _, both := other[repeat]; both || !paired {
			taken = append(taken, x[repeat])
		}
	}
	return stat.Mean(taken, nil)
}

// plainChange is the difference over the size of the base, over that of both
// sides where the base is 0 up to rounding: new/base - 1 of positive numbers, and
// positive where the new one is the greater.
func plainChange(base, new, size float64) float64 {
	if math.Abs(base) > 1e-12*size {
		size = math.Abs(base)
	}
	return (new - base) / size
}

// meanSize is the mean of the absolute values of the side where it is the larger, 1
// where all are 0.
func meanSize(v values) float64 {
	size := 0.0
	for _, side := range []map[int]float64{v.base, v.new} {
		sum := 0.0
		for _, repeat := range repeatsOf(side) {
			sum += math.Abs(side[repeat])
		}
		if len(side) > 0 {
			size = math.Max(size, sum/float64(len(side)))
		}
	}
	if size == 0 {
		return 1
	}
	return size
}

// change is by how much the new side is greater, relative to the base.
func (s samples) change() float64 {
	if s.logs {
		return math.Expm1(stat.Mean(s.new, nil) - stat.Mean(s.base, nil))
	}
	return s.plain
}

// greater is how often a value of the new side is greater than one of the base,
// ties counted half; over pairs where paired.
func (s samples) greater(paired bool) float64 {
	wins, count := 0.0, 0.0
	score := func(b, n float64) {
		switch {
		case n > b:
			wins++
		case n == b:
			wins += 0.5
		}
		count++
	}
	for i, n := range s.new {
		if paired {
			score(s.base[i], n)
			continue
		}
		for _, b := range s.base {
			score(b, n)
		}
	}
	return wins / count
}

// ratioInterval is a percentile bootstrap interval of the ratio of the new side
// to the base, of values whose logarithms these are: each side's repeats are drawn
// anew. With few repeats it is too narrow, about as a normal interval is against t.
func (s samples) ratioInterval(confidence float64, resamples int, rng *rand.Rand) (low, high float64) {
	means := make([]float64, resamples)
	draw := func(x []float64) (sum float64) {
		for range x {
			sum += x[rng.IntN(len(x))]
		}
		return sum / float64(len(x))
	}
	for i := range means {
		means[i] = draw(s.new) - draw(s.base)
	}
	slices.Sort(means)
	tail := (1 - confidence) / 2
	return math.Exp(stat.Quantile(tail, stat.LinInterp, means, nil)), math.Exp(stat.Quantile(1-tail, stat.LinInterp, means, nil))
}
