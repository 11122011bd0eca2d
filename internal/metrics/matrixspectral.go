package metrics

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"mercer/internal/linalg"
)

// spectralSampled estimates matrix_spectral from some rows of K − K̂ and of K, as
// frobeniusSampled does. Each of the four ends that its interval is made of fails with
// probability (1 − sampledLevel)/4.
func (e *evaluation) spectralSampled(ell int, into map[string]float64) error {
	a, err := e.approximated(ell)
	if err != nil || a == nil {
		return err
	}
	v, err := e.sampledSpectral(a, sampledRows)
	if err == nil {
		into["matrix_spectral_sampled"], into["matrix_spectral_sampled_low"], into["matrix_spectral_sampled_high"] = v[0], v[1], v[2]
	}
	return err
}

// sampledSpectral is the estimate from so many rows, with its interval; exact if these
// are all.
func (e *evaluation) sampledSpectral(a *approximation, count int) (v [3]float64, err error) {
	n, _ := e.X.Dims()
	if n <= count {
		exact, err := e.relative(a, norms[2])
		return [3]float64{exact, exact, exact}, err
	}
	left, whole, err := e.rowProducts(a, spreadOver(n, count))
	if err != nil {
		return v, err
	}
	l, err := bracketOf(left, n)
	if err != nil {
		return v, err
	}
	w, err := bracketOf(whole, n)
	return [3]float64{l[0] / w[0], l[1] / w[2], l[2] / w[1]}, err
}

// rowProducts are the inner products of rows of B = K − K̂, and of B = K, elements (i,j)
// times the roots of the points that i and j stand for: elements of B². They cost the
// tiles and 2n flops each.
func (e *evaluation) rowProducts(a *approximation, rows []int) (left, whole *mat.SymDense, err error) {
	left, whole = mat.NewSymDense(len(rows), nil), mat.NewSymDense(len(rows), nil)
	roots := linalg.Roots(e.times())
	err = e.rowTiles(a, rows, func(to int, tile *mat.Dense, isLeft bool) {
		into, weighed := whole, mat.DenseCopyOf(tile)
		if isLeft {
			into = left
		}
		for i, row := range rows {
			values := weighed.RawRowView(i)
			floats.Mul(values, roots[to:to+len(values)])
			floats.Scale(roots[row], values)
		}
		linalg.SyrkUpper(blas.NoTrans, 1, weighed, into)
	})
	return left, whole, err
}

// bracketOf is an estimate of ‖B‖ for a symmetric n×n matrix from some elements g of B²,
// those of s of its rows, and the ends of its interval.
//
// Below it is ‖Bu‖ for the leading right singular vector u of every other of the s rows,
// whose values there are known and elsewhere are sampled by the other rows: this is the
// estimate, too. Above it is (tr B⁴)^(1/4), by the mean of the squared elements of B², whose
// variance is that of a U-statistic's leading term.
//
// Reference: Cochran, Sampling Techniques (1977), §2.6; Hoeffding (1948), §5.
func bracketOf(g *mat.SymDense, n int) (v [3]float64, err error) {
	s := g.SymmetricDim()
	known := mat.NewSymDense((s+1)/2, nil)
	for i := range known.SymmetricDim() {
		for j := i; j < known.SymmetricDim(); j++ {
			known.SetSym(i, j, g.At(2*i, 2*j))
		}
	}
	top, err := linalg.Top(linalg.Symmetric(known), 1, linalg.DefaultTopOptions(1))
	if err != nil {
		return v, err
	}
	square := max(top.Values[0], 0)
	images := make([]float64, s/2) // squared elements of Bu, of the other rows
	for i := range images {
		for j := range known.SymmetricDim() {
			images[i] += g.At(2*i+1, 2*j) * top.Vectors.At(j, 0)
		}
		if images[i] *= images[i]; square > 0 {
			images[i] /= square
		}
	}
	rest := n - known.SymmetricDim()
	mean, below := stat.Mean(images, nil), endOf(images, rest)
	fourth, parts := 0.0, make([]float64, s)
	for i := range s {
		for j := range s {
			if w := g.At(i, j) * g.At(i, j); j != i {
				parts[i] += 2 * w * float64(n-1) / float64(s-1)
				fourth += w * float64(n-1) / float64(s-1)
			} else {
				parts[i] += w
				fourth += w
			}
		}
	}
	fourth *= float64(n) / float64(s)
	above := fourth + float64(n)*endOf(parts, n)
	low := square + float64(rest)*max(0, mean-below)
	return [3]float64{math.Sqrt(square + float64(rest)*mean), math.Sqrt(low), math.Pow(above, 0.25)}, nil
}

// endOf is how far an end of the interval of a mean over n numbers is from that of a
// sample without replacement.
func endOf(sample []float64, n int) float64 {
	s := float64(len(sample))
	t := distuv.StudentsT{Sigma: 1, Nu: s - 1}.Quantile(1 - (1-sampledLevel)/4)
	return t * stat.StdDev(sample, nil) * math.Sqrt((1-s/float64(n))/s)
}
