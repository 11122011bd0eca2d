package landmark

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

const defaultBlock = 100

// blockCholesky draws the pivots of a randomly pivoted Cholesky factorisation of K in
// blocks with robust filtering, whose law is another than that of one pivot after another.
//
// Reference: Dong, Chen, Martinsson & Pearce 2023 (Robust blockwise random pivoting), Algorithm
// 3.1, for a positive semidefinite matrix in place of a rectangular one.
func (p *problem) blockCholesky() (Set, error) {
	block := cmp.Or(p.Block, defaultBlock)
	return p.pivoted(pivoting{blocks: true, block: block, share: 1 / float64(block)})
}

// keepGreedy keeps proposals in the order of greedy pivots of the remainder h on them,
// which it overwrites, until the share of its trace is left, or nothing: one at least.
func (c pivoting) keepGreedy(proposed []int, h *mat.Dense) ([]int, *mat.TriDense) {
	enough := c.share * mat.Trace(h)
	left := make([]float64, len(proposed))
	var kept, at []int
	for len(kept) < len(proposed) {
		for i := range left {
			if left[i] >= 0 {
				left[i] = max(0, h.At(i, i))
			}
		}
		i := floats.MaxIdx(left)
		if len(kept) > 0 && (left[i] <= c.tolerance || remaining(left) <= enough) {
			break
		}
		left[i] = -1 // done
		kept, at = append(kept, proposed[i]), append(at, i)
		eliminateRow(h, i, left)
	}
	return kept, factorOf(h, at)
}

// remaining is the sum of the elements that are not done.
func remaining(left []float64) float64 {
	sum := 0.0
	for _, v := range left {
		sum += max(0, v)
	}
	return sum
}

// eliminateRow takes pivot i off the rows that are not done, and leaves its scaled row.
func eliminateRow(h *mat.Dense, i int, left []float64) {
	row := h.RawRowView(i)
	floats.Scale(1/math.Sqrt(row[i]), row)
	for j, v := range left {
		if v >= 0 {
			floats.AddScaled(h.RawRowView(j), -row[j], row)
		}
	}
}
