package metrics

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/methods/landmark"
)

const (
	sampledRows  = 1000
	sampledLevel = 0.95
)

// drawnRows are rows of K and K − K̂ that are drawn independently, or all of them.
type drawnRows struct {
	rows  []int     // each once, rising
	draws []int     // the place in rows of each draw
	odds  []float64 // the probability of each of rows
	all   bool
}

// drawRows draws so many rows i, half of them in proportion to K̂_ii, which bounds what a
// row may have of K̂, ‖K̂_i‖² ≤ K̂_ii·tr K̂, and half to the same bound for E = K − K̂: E_ii
// for a positive E, and for random features z_i, by ‖E_i‖² ≤ 2(K_ii·tr K + ‖z_i‖²·tr K̂),
// what is in brackets. The sum over all rows is estimated by the mean of ‖E_i‖² over the
// row's probability, which then has a bound, for E, K̂ and K alike: rare rows that carry one
// of them are drawn often.
//
// Reference: Hansen & Hurwitz 1943; Cochran, Sampling Techniques (1977), §9A.3.
func (e *evaluation) drawRows(a *approximation, count int) drawnRows {
	n, _ := e.X.Dims()
	if n <= count {
		all := e.someRows(n)
		return drawnRows{rows: all, draws: all, odds: slices.Repeat([]float64{1 / float64(n)}, n), all: true}
	}
	own, image := make([]float64, n), make([]float64, n) // K_ii and K̂_ii
	for i, c := range e.times() {
		x, z := e.X.RawRowView(i), a.row(i)
		own[i], image[i] = c*e.Kernel.At(x, x), c*floats.Dot(z, z)
	}
	left, trace, traceImage := make([]float64, n), floats.Sum(own), floats.Sum(image)
	for i := range left {
		if a.below {
			left[i] = max(0, own[i]-image[i])
		} else {
			left[i] = own[i]*trace + image[i]*traceImage
		}
	}
	odds := make([]float64, n)
	for _, share := range [][]float64{image, left} {
		if total := floats.Sum(share); total > 0 {
			floats.AddScaled(odds, 1/total, share)
		}
	}
	floats.Scale(1/floats.Sum(odds), odds)

	drawn := landmark.Draws(odds, count, e.Rows())
	d := drawnRows{rows: slices.Compact(slices.Sorted(slices.Values(drawn))), draws: make([]int, count)}
	for _, row := range d.rows {
		d.odds = append(d.odds, odds[row])
	}
	for i, row := range drawn {
		d.draws[i], _ = slices.BinarySearch(d.rows, row)
	}
	return d
}

// estimates are what each draw says of a sum over all rows, by the numbers of those drawn.
func (d drawnRows) estimates(ofRows []float64) []float64 {
	all := make([]float64, len(d.draws))
	for i, at := range d.draws {
		all[i] = ofRows[at] / d.odds[at]
	}
	return all
}

// frobeniusSampled estimates matrix_frobenius from some rows of K − K̂ and of K.
//
// Hutch++ would take products with (K − K̂)², each of which computes all n² kernel values
// once more: the exact norm needs them once.
func (e *evaluation) frobeniusSampled(ell int, into map[string]float64) error {
	return e.sampled("matrix_frobenius_sampled", ell, into, e.sampledFrobenius)
}

// sampled adds an estimate and the ends of its interval.
func (e *evaluation) sampled(name string, ell int, into map[string]float64, estimate func(a *approximation, rows int) ([3]float64, error)) error {
	a, err := e.approximated(ell)
	if err != nil {
		return err
	}
	v, err := estimate(a, sampledRows)
	if err == nil {
		into[name+a.end], into[name+"_low"+a.end], into[name+"_high"+a.end] = v[0], v[1], v[2]
	}
	return err
}

// sampledFrobenius is the estimate from so many rows, with its interval.
func (e *evaluation) sampledFrobenius(a *approximation, count int) (v [3]float64, err error) {
	d := e.drawRows(a, count)
	left, whole, err := e.rowSquares(a, d.rows)
	if err != nil {
		return v, err
	}
	return ratioOf(d.estimates(left), d.estimates(whole), d.all), nil
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

// ratioOf is the root of the ratio of two sums over rows, by independent estimates of both,
// with the ends of its interval: that of Student's t with the linearised variance of a
// ratio. It is exact if all rows were taken.
//
// Reference: Cochran, Sampling Techniques (1977), §6.3.
func ratioOf(left, whole []float64, exact bool) [3]float64 {
	s := float64(len(left))
	ratio := floats.Sum(left) / floats.Sum(whole)
	squares := 0.0
	for i := range left {
		d := left[i] - ratio*whole[i]
		squares += d * d
	}
	half := 0.0
	if !exact {
		half = distuv.StudentsT{Sigma: 1, Nu: s - 1}.Quantile((1+sampledLevel)/2) * math.Sqrt(s/(s-1)*squares) / floats.Sum(whole)
	}
	return [3]float64{math.Sqrt(ratio), math.Sqrt(max(0, ratio-half)), math.Sqrt(ratio + half)}
}
