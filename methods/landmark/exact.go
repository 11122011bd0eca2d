package landmark

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// leverage draws by exact ridge leverage scores.
//
// Reference: [NYK, §5], which leaves their theory to others: without
// replacement Alaoui & Mahoney 2015, with replacement the approximate leverage
// score sampling of Rudi, Camoriano & Rosasco 2015.
func (p *problem) leverage() (Set, error) {
	values, vectors, err := p.spectrum(p.ctx)
	if err != nil {
		return Set{}, err
	}
	least := float64(p.n) * epsilon * values[0]
	ridge, reached := max(least, float64(p.total)*p.Level), true
	if p.Level == 0 {
		ridge, reached = matchingRidge(values, float64(p.m), least)
	}
	set, err := p.byWeight(leverageScores(values, vectors, ridge))
	return p.atLevel(set, ridge, effectiveDimension(values, ridge), reached), err
}

// atLevel notes the level of scores, and warns where it is not the one asked for:
// a level below that where rounding begins, or the one that matches m. Where all points are taken, scores do not matter.
func (p *problem) atLevel(set Set, ridge, deff float64, reached bool) Set {
	set.Level = ridge / float64(p.total)
	switch {
	case p.m == p.total && !p.Replacement:
	case p.Level > 0 && set.Level > p.Level*(1+1e-9):
		set.Warnings = append(set.Warnings, fmt.Sprintf("landmarks: leverage scores at level %.3g, where rounding begins, not %.3g", set.Level, p.Level))
	case !reached:
		set.Warnings = append(set.Warnings, fmt.Sprintf("landmarks: at level %.3g, where rounding begins, the effective dimension is %.4g, low for m = %d", set.Level, deff, p.m))
	}
	return set
}

// leverageScores are Σ_j u_ij² σ_j/(σ_j + ridge) for eigenpairs (σ, u) of an n×n
// kernel matrix, all or those above rounding; of points that stand for several, those of
// all of them together. Cost: 3n² flops.
func leverageScores(values []float64, vectors *mat.Dense, ridge float64) []float64 {
	rows, _ := vectors.Dims()
	scores := make([]float64, rows)
	shares := make([]float64, len(values))
	for j, v := range values {
		shares[j] = v / (v + ridge)
	}
	for i := range scores {
		for j, u := range vectors.RawRowView(i) {
			scores[i] += u * u * shares[j]
		}
	}
	return scores
}

// effectiveDimension is Σ_j σ_j/(σ_j + ridge).
func effectiveDimension(values []float64, ridge float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v / (v + ridge)
	}
	return sum
}

// matchingRidge is the ridge at which the effective dimension is d ≥ 1, by
// bisection of its logarithm between least and the trace, where it is below 1.
// It reports false, and returns least, where it is less than d there.
func matchingRidge(values []float64, d, least float64) (float64, bool) {
	trace := 0.0
	for _, v := range values {
		trace += v
	}
	if effectiveDimension(values, least) < d {
		return least, false
	}
	low, high := math.Log(least), math.Log(trace)
	for range 80 { // far below rounding
		middle := (low + high) / 2
		if effectiveDimension(values, math.Exp(middle)) > d {
			low = middle
		} else {
			high = middle
		}
	}
	return math.Exp((low + high) / 2), true
}
