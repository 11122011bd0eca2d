package sections

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"mercer/internal/claims"
	"mercer/internal/metrics"
	"mercer/results"
)

// best is the method whose values at row i are better than those of every other
// beyond doubt; "" when there is none, or no value of the metric is better.
//
// Each other method is tested against the one with the best mean, see
// [pairedP]; all p must be below 0.05 after Holm's correction. So the chance that
// a method is marked that is none the better, than all others, is at most 0.05 a
// row.
func (g *grid) best(i int) string {
	better := metrics.BetterOf(g.metric)
	var candidates []string
	for _, method := range g.methods {
		if len(g.cells[place{i, method}]) > 0 && g.varies(method) {
			candidates = append(candidates, method)
		}
	}
	if better == metrics.Neither || len(candidates) < 2 {
		return ""
	}
	sign := 1.0
	if better == metrics.More {
		sign = -1
	}
	mean := func(method string) float64 { return sign * stat.Mean(g.cells[place{i, method}].values(), nil) }
	leader := slices.MinFunc(candidates, func(a, b string) int { return cmp.Compare(mean(a), mean(b)) })
	values := g.cells[place{i, leader}]
	var p []float64
	for _, rival := range candidates {
		others := g.cells[place{i, rival}]
		if len(values) < len(others) { // those that did not finish might be the hard ones
			return ""
		}
		if rival != leader {
			p = append(p, pairedP(values, others, sign))
		}
	}
	if slices.Max(claims.Holm(p)) < 1-results.DefaultLevel {
		return leader
	}
	return ""
}

// varies says whether a method's values differ between repeats anywhere. Those
// of a population's own answer do not: it is what estimators are held against,
// and does not compete with them.
func (g *grid) varies(method string) bool {
	for i := range g.points {
		for _, v := range g.cells[place{i, method}] {
			if v.value != g.cells[place{i, method}][0].value {
				return true
			}
		}
	}
	return false
}

// pairedP is the two-sided p of the hypothesis that a and b have the same mean, of the
// logarithm where all values are positive, by a t test over the repeats that both have;
// 1 where sign times the mean difference a-b is not negative, and where there are too
// few repeats.
func pairedP(a, b sample, sign float64) float64 {
	other := map[int]float64{}
	for _, v := range b {
		other[v.repeat] = v.value
	}
	scale, unit := math.Log, math.SmallestNonzeroFloat64
	var shared []repeatValue
	for _, v := range a {
		w, ok := other[v.repeat]
		if !ok {
			continue
		}
		shared = append(shared, v)
		unit = max(unit, math.Abs(v.value), math.Abs(w))
		if v.value <= 0 || w <= 0 {
			scale = func(x float64) float64 { return x / unit }
		}
	}
	if len(shared) == 0 {
		return 1
	}
	differences := make([]float64, len(shared))
	for i, v := range shared {
		differences[i] = scale(v.value) - scale(other[v.repeat])
	}
	mean, _, _, p := claims.ZeroMean(differences, 0, results.DefaultLevel)
	if sign*mean >= 0 {
		return 1
	}
	return p
}
