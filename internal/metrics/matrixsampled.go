package metrics

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

const (
	sampledRows  = 1000
	sampledLevel = 0.95
)

// frobeniusSampled estimates matrix_frobenius from some rows of K − K̂ and of K. Rows are
// spread evenly over the sample, whose points are drawn in random order.
//
// Hutch++ would take products with (K − K̂)², each of which computes all n² kernel values
// once more: the exact norm needs them once.
func (e *evaluation) frobeniusSampled(ell int, into map[string]float64) error {
	a, err := e.approximated(ell)
	if err != nil || a == nil {
		return err
	}
	n, _ := e.X.Dims()
	left, whole, err := e.rowSquares(a, spreadOver(n, sampledRows))
	if err != nil {
		return err
	}
	v := ratioOf(left, whole, n)
	into["matrix_frobenius_sampled"], into["matrix_frobenius_sampled_low"], into["matrix_frobenius_sampled_high"] = v[0], v[1], v[2]
	return nil
}

// rowSquares are the sums of squares of rows of K − K̂ and of K, each times the points that
// the row stands for.
func (e *evaluation) rowSquares(a *approximation, rows []int) (left, whole []float64, err error) {
	times := e.times()
	left, whole = make([]float64, len(rows)), make([]float64, len(rows))
	err = e.rowTiles(a, rows, func(to int, tile *mat.Dense, isLeft bool) {
		sums := whole
		if isLeft {
			sums = left
		}
		for i := range sums {
			for j, v := range tile.RawRowView(i) {
				sums[i] += times[rows[i]] * times[to+j] * v * v
			}
		}
	})
	return left, whole, err
}

// rowTiles calls f with tiles of rows of K and then of K − K̂, from column to on: n kernel
// values and 2nr flops a row.
func (e *evaluation) rowTiles(a *approximation, rows []int, f func(to int, tile *mat.Dense, left bool)) error {
	x := linalg.SelectRows(e.X, rows)
	var factor *mat.Dense
	if a.factor != nil {
		factor = linalg.SelectRows(a.factor, rows)
	}
	return tiles(e.ctx, e.X, func(to int, y *mat.Dense) error {
		tile := kernel.Cross(e.Kernel, x, y)
		f(to, tile, false)
		if factor != nil {
			_, columns := tile.Dims()
			_, r := factor.Dims()
			right := a.factor.Slice(to, to+columns, 0, r).(*mat.Dense)
			linalg.Gemm(blas.NoTrans, blas.Trans, -1, factor.RawMatrix(), right.RawMatrix(), 1, tile.RawMatrix())
		}
		f(to, tile, true)
		return nil
	})
}

// ratioOf is the root of the ratio of the sums of two numbers over n rows, estimated from
// those of some, with the ends of its interval: that of Student's t with the linearised
// variance of a ratio, without replacement.
//
// Reference: Cochran, Sampling Techniques (1977), §2.11, §6.3.
func ratioOf(left, whole []float64, n int) [3]float64 {
	s := float64(len(left))
	ratio := floats.Sum(left) / floats.Sum(whole)
	squares := 0.0
	for i := range left {
		d := left[i] - ratio*whole[i]
		squares += d * d
	}
	half := 0.0
	if len(left) < n {
		half = distuv.StudentsT{Sigma: 1, Nu: s - 1}.Quantile((1+sampledLevel)/2) * math.Sqrt((1-s/float64(n))*s/(s-1)*squares) / floats.Sum(whole)
	}
	return [3]float64{math.Sqrt(ratio), math.Sqrt(max(0, ratio-half)), math.Sqrt(ratio + half)}
}
