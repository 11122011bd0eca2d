package metrics

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"mercer/methods/landmark"
)

// sampledMeasures are the measures of it by sampled rows.
var sampledMeasures = map[string]Measure{
	"matrix_frobenius_sampled": {
		Family:    ofMatrices,
		Doc:       "estimate of matrix_frobenius with its 95 % interval (_low, _high), from 1000 rows of K and K - K̂, for n beyond some 20,000 where n² kernel values take minutes; exact for up to 1000 points; " + drawnBy + "; the interval is that of a ratio of means over draws, by its linearised variance and Student's t",
		Reference: "Hansen & Hurwitz 1943; Cochran 1977, §6.3 and §9A.3",
		Cost:      "1000n kernel values and 2000nr flops for rank r, beside those of K̂",
		Outputs: []Output{
			{"matrix_frobenius_sampled", "estimated error, Frobenius norm", Less, overFrobenius},
			{"matrix_frobenius_sampled_low", "its interval, lower end", Neither, overFrobenius},
			{"matrix_frobenius_sampled_high", "its interval, upper end", Neither, overFrobenius},
			{"matrix_frobenius_sampled_cut", "estimate, cut K̂, Frobenius norm", Less, overFrobenius},
			{"matrix_frobenius_sampled_low_cut", "its interval, lower end", Neither, overFrobenius},
			{"matrix_frobenius_sampled_high_cut", "its interval, upper end", Neither, overFrobenius},
		},
		Cancels: true,
		forms:   ofResidual,
		compute: frobeniusSampled,
	},
}

const (
	sampledRows  = 1000
	sampledLevel = 0.95
)

// frobeniusSampled estimates matrix_frobenius from some rows of K − K̂ and of K, with the
// ends of its interval.
//
// Hutch++ would take products with (K − K̂)², each of which computes all n² kernel values
// once more: the exact norm needs them once.
func frobeniusSampled(e *evaluation, ell int, into Values) error {
	a, err := e.approximated(ell)
	if err != nil {
		return err
	}
	v, err := shared(e, "sampled rows", a, func() ([3]float64, error) { return e.sampledFrobenius(a, sampledRows) })
	for i, part := range []string{"", "_low", "_high"} {
		into["matrix_frobenius_sampled"+part+a.end] = v[i]
	}
	return err
}

// sampledFrobenius is the estimate from so many rows that are drawn independently, with its
// interval; exact if these are all.
//
// The sum of squares over all rows is estimated by the mean of ‖E_i‖² over the row's
// probability.
//
// Reference: Hansen & Hurwitz 1943; Cochran, Sampling Techniques (1977), §9A.3.
func (e *evaluation) sampledFrobenius(a *approximation, count int) (v [3]float64, err error) {
	if n, _ := e.X.Dims(); n <= count {
		exact, err := e.relative(a, inFrobenius)
		return [3]float64{exact, exact, exact}, err
	}
	odds, times := e.oddsOfRows(a), e.times()
	rows := landmark.Draws(odds, count, e.Rows())

	left, whole := make([]float64, count), make([]float64, count)
	err = e.rowTiles(a, rows, func(to int, tile *mat.Dense, isLeft bool) {
		sums := whole
		if isLeft {
			sums = left
		}
		for i, row := range rows {
			for j, x := range tile.RawRowView(i) {
				sums[i] += times[row] * times[to+j] * x * x / odds[row]
			}
		}
	})
	return ratioOf(left, whole), err
}

// oddsOfRows are the probabilities by which rows i are drawn: half of them in proportion to
// K̂_ii, which bounds what a row may have of K̂, ‖K̂_i‖² ≤ K̂_ii·tr K̂, and half to the same
// bound for E = K − K̂: E_ii for a positive E, and for random features z_i, by ‖E_i‖² ≤
// 2(K_ii·tr K + ‖z_i‖²·tr K̂), what is in brackets. What a draw says of a sum over all rows
// then has a bound, for E, K̂ and K alike: rare rows that carry one of them are drawn often.
func (e *evaluation) oddsOfRows(a *approximation) []float64 {
	n, _ := e.X.Dims()
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
	return odds
}

// ratioOf is the root of the ratio of two sums over rows, by independent estimates of both,
// with the ends of its interval: that of Student's t with the linearised variance of a
// ratio.
//
// Reference: Cochran, Sampling Techniques (1977), §6.3.
func ratioOf(left, whole []float64) [3]float64 {
	s := float64(len(left))
	ratio := floats.Sum(left) / floats.Sum(whole)
	squares := 0.0
	for i := range left {
		d := left[i] - ratio*whole[i]
		squares += d * d
	}
	half := distuv.StudentsT{Sigma: 1, Nu: s - 1}.Quantile((1+sampledLevel)/2) * math.Sqrt(s/(s-1)*squares) / floats.Sum(whole)
	return [3]float64{math.Sqrt(ratio), math.Sqrt(max(0, ratio-half)), math.Sqrt(ratio + half)}
}
