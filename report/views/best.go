package views

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"mercer/internal/inference"
	"mercer/internal/lists"
	"mercer/results"
)

// best is the method whose values at row i are better than those of every other beyond doubt;
// "" for none, or where no value of the metric is better. The chance that a method is marked
// that is not better than all others is at most 0.05 a row.
func (g *grid) best(i int) string {
	first, rest := g.compared(i)
	if len(rest) == 0 || slices.ContainsFunc(rest, func(r rival) bool { return !r.worse }) {
		return ""
	}
	return first
}

// rival is a method beside the one with the best mean.
type rival struct {
	method string
	worse  bool // beyond doubt
}

// compared tests each method at row i against the one with the best mean, see [pairedP]:
// it is worse where p is below 0.05 after Holm's correction. There are no rivals where no
// value of the metric is better, or fewer than two methods compete. One of which repeats
// failed does not: those that did not may be the easy ones.
func (g *grid) compared(i int) (first string, rest []rival) {
	candidates := lists.Where(g.methods, func(method string) bool {
		at := place{i, method}
		return len(g.cells[at]) > 0 && !g.lost[at] && g.varies[method] && !slices.Contains(g.exact, method)
	})
	if g.info.Better == "" || g.info.Part || len(candidates) == 0 {
		return "", nil
	}
	sign := 1.0
	if g.info.Better == "more" {
		sign = -1
	}
	mean := func(method string) float64 { return sign * stat.Mean(g.cells[place{i, method}].values(), nil) }
	first = slices.MinFunc(candidates, func(a, b string) int { return cmp.Compare(mean(a), mean(b)) })
	values := g.cells[place{i, first}]
	var p []float64
	fewer := false // repeats that are still missing might be the hard ones
	for _, method := range candidates {
		if others := g.cells[place{i, method}]; method != first {
			fewer = fewer || len(values) < len(others)
			p, rest = append(p, pairedP(values, others, sign)), append(rest, rival{method: method})
		}
	}
	for k, adjusted := range inference.Holm(p) {
		rest[k].worse = !fewer && adjusted < 1-results.DefaultLevel
	}
	return first, rest
}

// pairedP is the two-sided p of the hypothesis that a and b have the same mean, of the
// logarithm where all values are positive, by a t test over the repeats that both have;
// 1 where sign times the mean difference a-b is not negative, and where there are too
// few repeats.
func pairedP(a, b sample, sign float64) float64 {
	ofA, ofB := inBoth(a, b)
	if len(ofA) == 0 {
		return 1
	}
	scale, unit := math.Log, math.SmallestNonzeroFloat64
	for i, v := range ofA {
		unit = max(unit, math.Abs(v), math.Abs(ofB[i]))
		if v <= 0 || ofB[i] <= 0 {
			scale = func(x float64) float64 { return x / unit }
		}
	}
	differences := make([]float64, len(ofA))
	for i, v := range ofA {
		differences[i] = scale(v) - scale(ofB[i])
	}
	mean, _, _, p := inference.ZeroMean(differences, results.DefaultLevel)
	if sign*mean >= 0 {
		return 1
	}
	return p
}

// inBoth are the values of two samples at the repeats that both have.
func inBoth(a, b sample) (ofA, ofB []float64) {
	other := map[int]float64{}
	for _, v := range b {
		other[v.repeat] = v.value
	}
	for _, v := range a {
		if w, ok := other[v.repeat]; ok {
			ofA, ofB = append(ofA, v.value), append(ofB, w)
		}
	}
	return ofA, ofB
}
