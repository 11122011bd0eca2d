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
	return e.sampled("matrix_spectral_sampled", ell, into, e.sampledSpectral)
}

// sampledSpectral is the estimate from so many rows, with its interval; exact if these
// are all.
func (e *evaluation) sampledSpectral(a *approximation, count int) (v [3]float64, err error) {
	n, _ := e.X.Dims()
	if n <= count {
		exact, err := e.relative(a, norms[2])
		return [3]float64{exact, exact, exact}, err
	}
	d := e.drawRows(a, count)
	left, whole, err := e.rowProducts(a, d.rows)
	if err != nil {
		return v, err
	}
	l, err := bracketOf(d.scaled(left))
	if err != nil {
		return v, err
	}
	w, err := bracketOf(d.scaled(whole))
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

// scaled are the inner products of draws, each row of B over the root of its probability p:
// for different draws a and b, E[g_ab²] = tr B⁴.
func (d drawnRows) scaled(products *mat.SymDense) *mat.SymDense {
	g := mat.NewSymDense(len(d.draws), nil)
	for a, i := range d.draws {
		for b := a; b < len(d.draws); b++ {
			j := d.draws[b]
			g.SetSym(a, b, products.At(i, j)/math.Sqrt(d.odds[i]*d.odds[j]))
		}
	}
	return g
}

// bracketOf is an estimate of ‖B‖ for a symmetric matrix from the inner products g of s
// of its rows, drawn independently and scaled, and the ends of its interval.
//
// Below it is ‖Bu‖ for the leading right singular vector u of every other of the s rows,
// estimated by the other rows, which are independent of it: this is the estimate, too. Above
// it is (tr B⁴)^(1/4), by the mean of the g_ab², a ≠ b, whose variance is that of a
// U-statistic's leading term.
//
// Reference: Cochran, Sampling Techniques (1977), §9A.3; Hoeffding (1948), §5.
func bracketOf(g *mat.SymDense) (v [3]float64, err error) {
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
	images := make([]float64, s/2) // squared elements of Bu, of the other rows
	for i := range images {
		for j := range known.SymmetricDim() {
			images[i] += g.At(2*i+1, 2*j) * top.Vectors.At(j, 0)
		}
		if images[i] *= images[i]; top.Values[0] > 0 {
			images[i] /= top.Values[0]
		}
	}
	fourths := make([]float64, s) // means of g_ab² over b
	for a := range s {
		for b := range s {
			if b != a {
				fourths[a] += g.At(a, b) * g.At(a, b) / float64(s-1)
			}
		}
	}
	square := stat.Mean(images, nil)
	low, above := square-endOf(images), stat.Mean(fourths, nil)+2*endOf(fourths)
	return [3]float64{math.Sqrt(square), math.Sqrt(max(0, low)), math.Pow(above, 0.25)}, nil
}

// endOf is how far an end of the interval of a mean is from it.
func endOf(sample []float64) float64 {
	s := float64(len(sample))
	t := distuv.StudentsT{Sigma: 1, Nu: s - 1}.Quantile(1 - (1-sampledLevel)/4)
	return t * stat.StdDev(sample, nil) / math.Sqrt(s)
}
