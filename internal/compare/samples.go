package compare

import (
	"maps"
	"math"

	"gonum.org/v1/gonum/stat"

	"mercer/internal/inference"
	"mercer/internal/lists"
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
			if x, ok := r.Metrics[metric]; ok && r.Status == results.OK {
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
	base, new inference.Sample
	logs      bool    // of geometric means, so that a change is a ratio
	plain     float64 // change of values that have no logarithms
}

// pooled takes cells together: the mean over the cells, one number for each repeat
// that all cells have; with paired, of the repeats that both sides have. It is the geometric
// mean if all values are positive; otherwise the mean of values over a size of the cell's
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
	mean := func(side func(values) map[int]float64) inference.Sample {
		total, count := inference.Sample{}, map[int]int{}
		for _, c := range cells {
			size := meanSize(c)
			for repeat, x := range side(c) {
				if s.logs {
					x = math.Log(x)
				} else {
					x /= size
				}
				total[repeat] += x / float64(len(cells))
				count[repeat]++
			}
		}
		maps.DeleteFunc(total, func(repeat int, _ float64) bool { return count[repeat] < len(cells) })
		for repeat, x := range total {
			if s.logs {
				total[repeat] = math.Exp(x)
			}
		}
		return total
	}
	s.base, s.new = mean(func(v values) map[int]float64 { return v.base }), mean(func(v values) map[int]float64 { return v.new })
	if paired {
		both := func(repeat int) bool { _, base := s.base[repeat]; _, new := s.new[repeat]; return base && new }
		for _, side := range []inference.Sample{s.base, s.new} {
			maps.DeleteFunc(side, func(repeat int, _ float64) bool { return !both(repeat) })
		}
	}
	if !s.logs && len(s.base) > 0 && len(s.new) > 0 {
		for _, c := range cells {
			s.plain += plainChange(meanOver(c.base, s.base), meanOver(c.new, s.new), meanSize(c)) / float64(len(cells))
		}
	}
	return s
}

// meanOver is the mean over the repeats of a sample.
func meanOver(x map[int]float64, of inference.Sample) float64 {
	return stat.Mean(lists.Map(repeatsOf(of), func(repeat int) float64 { return x[repeat] }), nil)
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
	if !s.logs {
		return s.plain
	}
	logs := func(side inference.Sample) float64 {
		return stat.Mean(lists.Map(repeatsOf(side), func(repeat int) float64 { return math.Log(side[repeat]) }), nil)
	}
	return math.Expm1(logs(s.new) - logs(s.base))
}
