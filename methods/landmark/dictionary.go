package landmark

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

// dictionary is a weighted sample of points: point J_j stands for 1/a_j points.
// With none, the sum over points that it stands for is 0.
type dictionary struct {
	indices []int
	weights []float64 // a_j
}

// approximateScores gives, for the points at, approximate ridge leverage scores
// at a ridge nt,
//
//	ℓ̃_i = (K_ii − K_iJ (K_JJ + ridge·diag(a))⁻¹ K_Ji) / ridge
//	     = φ_i* (Σ_j φ_j φ_j*/a_j + ridge)⁻¹ φ_i,
//
// which are exact for all points with weights 1. The sum over the dictionary is
// to be near that over the sample. Scores are kept within the bounds that exact
// ones obey, K_ii/(tr K + ridge) and 1.
//
// Cost: |at|·|J| kernel values and |at|·|J|² + |J|³/3 flops, by row blocks.
//
// Reference: [RLS, Lemma 6 and eq 8], [BLESS, eq 3].
func (p *problem) approximateScores(at []int, d dictionary, ridge float64) ([]float64, error) {
	scores := make([]float64, len(at))
	for i, index := range at {
		scores[i] = p.diag[index]
	}
	if len(d.indices) > 0 {
		if err := p.subtractExplained(scores, at, d, ridge); err != nil {
			return nil, err
		}
	}
	trace := floats.Sum(p.diag)
	for i, index := range at {
		scores[i] = max(p.diag[index]/(trace+ridge), min(1, scores[i]/ridge))
	}
	return scores, nil
}

// subtractExplained takes K_iJ (K_JJ + ridge·diag(a))⁻¹ K_Ji off scores.
func (p *problem) subtractExplained(scores []float64, at []int, d dictionary, ridge float64) error {
	if err := p.ctx.Err(); err != nil {
		return err
	}
	kjj := kernel.Gram(p.kernel, linalg.SelectRows(p.x, d.indices))
	for j, a := range d.weights {
		kjj.SetSym(j, j, kjj.At(j, j)+ridge*a)
	}
	factor, err := linalg.FactorPivoted(kjj, -1)
	if err != nil {
		return err
	}
	pivots := make([]int, factor.Rank)
	for j := range pivots {
		pivots[j] = d.indices[factor.Piv[j]]
	}
	points := linalg.SelectRows(p.x, pivots)
	buffer := mat.NewDense(min(rowsPerBlock, len(at)), factor.Rank, nil)
	return p.eachBlock(len(at), func(from, to int) {
		block := linalg.Rows(buffer, 0, to-from)
		kernel.CrossTo(block, p.kernel, linalg.SelectRows(p.x, at[from:to]), points)
		linalg.SolveRight(block, factor.L)
		for i := from; i < to; i++ {
			row := block.RawRowView(i - from)
			scores[i] -= floats.Dot(row, row)
		}
	})
}

// leastRidge is the smallest ridge at which approximate scores are more than
// rounding: a residual of K_ii is off by some units of ε·K_ii, and the scores of
// n points by as much over the ridge, each.
func (p *problem) leastRidge(largest float64) float64 { return 64 * float64(p.n) * epsilon * largest }
