package landmark

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"gonum.org/v1/gonum/floats"

	"mercer/internal/counts"
)

// smallest are the indices of the count smallest marks, by size, of equals the
// lowest first. Of the marks so far it keeps a few times as many as are asked for
// and sorts these from time to time: n + count·log n steps for marks in random
// order.
func smallest(marks []float64, count int) []int {
	if count == 0 {
		return nil
	}
	kept, most := make([]int, 0, 4*count), math.Inf(1)
	for i, mark := range marks {
		if mark > most {
			continue
		}
		if kept = append(kept, i); len(kept) == cap(kept) {
			kept = sortByMark(kept, marks)[:count]
			most = marks[kept[count-1]]
		}
	}
	return sortByMark(kept, marks)[:count]
}

// sortByMark sorts indices, those of equal marks as they come.
func sortByMark(indices []int, marks []float64) []int {
	slices.SortStableFunc(indices, func(i, j int) int {
		switch {
		case marks[i] < marks[j]:
			return -1
		case marks[i] > marks[j]:
			return 1
		}
		return 0
	})
	return indices
}

// byWeight draws m points by weights: one after another without replacement,
// each with probability proportional to its weight among those left, or m times
// with replacement. Points of weight 0 are never drawn.
func (p *problem) byWeight(weights []float64) (Set, error) {
	total := 0.0
	for i, w := range weights {
		if !(w >= 0) || math.IsInf(w, 1) {
			return Set{}, fmt.Errorf("the leverage score of point %d is %v", i, w)
		}
		total += w
	}
	if total == 0 {
		return Set{}, fmt.Errorf("all %d leverage scores are 0", len(weights))
	}
	if p.Replacement {
		return p.distinct(p.byWeightOf(cumulative(weights), weights)), nil
	}
	return p.short(p.apart(weights), "no others have a leverage score above 0"), nil
}

// apart draws m points without replacement by the weights of their rows.
func (p *problem) apart(weights []float64) Set {
	if p.times == nil {
		return Set{Indices: withoutReplacement(weights, p.m, p.rng)}
	}
	each := make([]float64, len(weights))
	for i, w := range weights {
		each[i] = w / p.times[i]
	}
	if p.total > counts.Singly {
		return p.gatheredRows(counts.Sequence(p.times, each, p.m, p.rng))
	}
	var points []float64
	for i, c := range p.times {
		points = append(points, slices.Repeat([]float64{each[i]}, int(c))...)
	}
	return p.gathered(withoutReplacement(points, p.m, p.rng))
}

// byWeightOf draws points by the weights of their rows, as numbers of points.
func (p *problem) byWeightOf(sums, weights []float64) func() int {
	return func() int {
		if p.times == nil {
			return drawFrom(sums, p.rng)
		}
		u := p.rng.Float64() * sums[len(sums)-1]
		i := sort.Search(len(sums)-1, func(i int) bool { return sums[i] > u })
		within := max(0, min(1, 1-(sums[i]-u)/weights[i])) // the share of the row's weight before u
		return int(p.sums[i] - p.times[i] + min(math.Floor(within*p.times[i]), p.times[i]-1))
	}
}

// withoutReplacement draws up to count indices one after another by weight. The
// first to ring of clocks with rates w_i is i with probability w_i/Σw, and
// clocks have no memory: the order of exponential variables over w_i is that of
// such draws.
func withoutReplacement(weights []float64, count int, rng *rand.Rand) []int {
	marks := make([]float64, len(weights))
	possible := 0
	for i, w := range weights {
		marks[i] = math.Log(rng.ExpFloat64()) - math.Log(w) // +Inf for weight 0
		if w > 0 {
			possible++
		}
	}
	return smallest(marks, min(count, possible))
}

// mostDistinct is how many draws with replacement are made at most: of each point drawn
// is remembered that it was.
const mostDistinct = 1 << 24

// distinct makes m draws of points, and keeps the first of each.
func (p *problem) distinct(draw func() int) Set {
	seen := make(map[int]bool)
	var points []int
	for range p.m {
		if i := draw(); !seen[i] {
			seen[i] = true
			points = append(points, i)
		}
	}
	return p.short(p.gathered(points), fmt.Sprintf("%d draws with replacement", p.m))
}

// short adds a warning where there are fewer landmarks than asked for.
func (p *problem) short(set Set, why string) Set {
	count := len(set.Indices)
	if set.Times != nil {
		count = int(floats.Sum(set.Times))
	}
	if count < p.m {
		set.Warnings = append(set.Warnings, fmt.Sprintf("%d landmarks for m = %d: %s", count, p.m, why))
	}
	return set
}

// cumulative are the partial sums of weights.
func cumulative(weights []float64) []float64 {
	sums := make([]float64, len(weights))
	total := 0.0
	for i, w := range weights {
		total += w
		sums[i] = total
	}
	return sums
}

// drawFrom draws an index by the weights behind partial sums, of which the last
// is positive.
func drawFrom(sums []float64, rng *rand.Rand) int {
	total := sums[len(sums)-1]
	u := rng.Float64() * total
	if u >= total { // by rounding
		u = math.Nextafter(total, 0)
	}
	return sort.Search(len(sums), func(i int) bool { return sums[i] > u })
}
