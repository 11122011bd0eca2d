package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg"
	"mercer/internal/linalg/vector"
)

// directBelow is the dimension under which squared distances are summed
// directly: as fast there as a matrix product, and free of cancellation.
const directBelow = 8

// Gaussian is the kernel
//
//	k(x,y) = exp(−Gamma·‖x−y‖²).
//
// Spectral measure: N(0, 2·Gamma·I).
type Gaussian struct {
	Gamma float64 // 1/2σ² or 1/σ², by the spec's form
}

// NewGaussian returns exp(−gamma·‖x−y‖²). It panics unless gamma is positive
// and finite.
func NewGaussian(gamma float64) Gaussian {
	if !(gamma > 0) || math.IsInf(gamma, 1) {
		panic(fmt.Sprintf("kernel: Gaussian with gamma %v", gamma))
	}
	return Gaussian{Gamma: gamma}
}

func (g Gaussian) String() string { return fmt.Sprintf("gaussian exp(-%.17g*d^2)", g.Gamma) }

// Bound is 1.
func (g Gaussian) Bound() float64 { return 1 }

// At is exp(−Gamma·‖x−y‖²).
func (g Gaussian) At(x, y []float64) float64 { return math.Exp(-g.Gamma * squared(x, y)) }

func (g Gaussian) against(y *mat.Dense) filler {
	return distances(y, func(row []float64) { vector.ExpScaled(row, row, -g.Gamma) })
}

// Frequency draws ω ~ N(0, 2·Gamma·I).
func (g Gaussian) Frequency(dst []float64, rng *rand.Rand) {
	scale := math.Sqrt(2 * g.Gamma)
	for j := range dst {
		dst[j] = scale * rng.NormFloat64()
	}
}

// Isotropic is true.
func (g Gaussian) Isotropic() bool { return true }

// Matern is the Matérn kernel of smoothness ν = Half/2 with Half 1, 3 or 5: with
// r = √(2ν)·‖x−y‖/Sigma,
//
//	ν = 1/2: exp(−r)    ν = 3/2: (1+r)·exp(−r)    ν = 5/2: (1+r+r²/3)·exp(−r).
//
// Spectral measure: the multivariate t distribution with 2ν degrees of freedom
// and scale 1/Sigma.
type Matern struct {
	Half  int
	Sigma float64
}

func (m Matern) String() string { return fmt.Sprintf("matern nu=%d/2 sigma=%.17g", m.Half, m.Sigma) }

// Bound is 1.
func (m Matern) Bound() float64 { return 1 }

// At is the formula above.
func (m Matern) At(x, y []float64) float64 { return m.ofSquared(squared(x, y)) }

func (m Matern) ofSquared(d2 float64) float64 {
	r := math.Sqrt(float64(m.Half)*d2) / m.Sigma
	e := math.Exp(-r)
	if e == 0 {
		return 0 // where r² may overflow
	}
	switch m.Half {
	case 1:
		return e
	case 3:
		return (1 + r) * e
	case 5:
		return (1 + r + r*r/3) * e
	}
	panic(fmt.Sprintf("kernel: Matérn with ν = %d/2", m.Half))
}

func (m Matern) against(y *mat.Dense) filler {
	return distances(y, eachValue(m.ofSquared))
}

// Frequency draws ω = z/(Sigma·√(χ²/2ν)), z standard normal and χ² with 2ν
// degrees of freedom.
func (m Matern) Frequency(dst []float64, rng *rand.Rand) {
	chi2 := 0.0
	for range m.Half {
		z := rng.NormFloat64()
		chi2 += z * z
	}
	scale := 1 / (m.Sigma * math.Sqrt(chi2/float64(m.Half)))
	for j := range dst {
		dst[j] = scale * rng.NormFloat64()
	}
}

// Isotropic is true.
func (m Matern) Isotropic() bool { return true }

// squared is ‖x−y‖².
func squared(x, y []float64) float64 {
	sum := 0.0
	for j, v := range x {
		d := v - y[j]
		sum += d * d
	}
	return sum
}

// cancelled is the share of ‖x‖² + ‖y‖² below which a squared distance has lost
// too many digits to the difference and is summed directly.
const cancelled = 1e-3

// centrePoints is how many points the shift of distances is the mean of.
const centrePoints = 256

// zerosKept is the share of zeros in a coordinate from which it is not shifted. A
// coordinate that is 0 with probability p has a second moment of at most 1/p times
// its variance, so norms stay small without the shift, and matrix products can
// skip the zeros.
const zerosKept = 0.25

// meanKept is the share of the second moment of a coordinate below which the square of its
// mean stays: norms are at most as much larger, and points of which no coordinate is shifted need
// no copy.
const meanKept = 0.05

// distances fills rows with ‖x_i − y_j‖² and hands each to finish while it is in
// cache. From dimension directBelow on it uses ‖x‖² + ‖y‖² − 2⟨x,y⟩ on points
// shifted by the mean of the first points y, but for coordinates that are often
// 0, which keeps the norms small; pairs that are close by comparison are summed
// directly. The relative error is at most D·2^−52/cancelled, and duplicates are at
// distance 0: Matérn kernels feel the root of an absolute error, narrow kernels
// its multiple.
func distances(y *mat.Dense, finish func(row []float64)) filler {
	m, d := y.Dims()
	if d < directBelow {
		direct := pairwise(y, squared)
		return func(dst, x *mat.Dense, from int) {
			direct(dst, x, from)
			eachRow(dst, finish)
		}
	}
	centre := centreOf(linalg.Rows(y, 0, min(m, centrePoints)))
	ys, yNorms := shifted(y, centre, nil)
	factor := linalg.NewRightFactor(blas.Trans, ys.RawMatrix())
	var buffers sync.Pool // for points less the centre: fresh memory would cost more than the subtraction
	return func(dst, x *mat.Dense, from int) {
		buffer, _ := buffers.Get().(*[]float64)
		if buffer == nil {
			buffer = new([]float64)
		}
		defer buffers.Put(buffer)
		xs, xNorms := shifted(x, centre, buffer)
		if from == 0 {
			factor.Mul(-2, xs.RawMatrix(), 0, dst.RawMatrix())
		} else {
			linalg.Gemm(blas.NoTrans, blas.Trans, -2, xs.RawMatrix(), linalg.Rows(ys, from, m).RawMatrix(), 0, dst.RawMatrix())
		}
		for i, xn := range xNorms {
			xi, row := x.RawRowView(i), dst.RawRowView(i)
			for j, yn := range yNorms[from:] {
				sum := xn + yn
				if row[j] += sum; row[j] < cancelled*sum {
					row[j] = squared(xi, y.RawRowView(from+j))
				}
			}
			finish(row)
		}
	}
}

// centreOf is the mean of the rows of x, and 0 in columns with many zeros or a small mean.
func centreOf(x *mat.Dense) []float64 {
	n, d := x.Dims()
	centre, squares, zeros := make([]float64, d), make([]float64, d), make([]int, d)
	for i := range n {
		for j, v := range x.RawRowView(i) {
			centre[j] += v
			squares[j] += v * v
			if v == 0 {
				zeros[j]++
			}
		}
	}
	for j := range centre {
		centre[j] /= float64(n)
		if float64(zeros[j]) >= zerosKept*float64(n) || centre[j]*centre[j] <= meanKept*squares[j]/float64(n) {
			centre[j] = 0
		}
	}
	return centre
}

// shifted returns x minus centre in every row, in the buffer if there is one, and
// the squared norms of its rows: x itself, if the centre is 0.
func shifted(x *mat.Dense, centre []float64, buffer *[]float64) (*mat.Dense, []float64) {
	n, d := x.Dims()
	norms := make([]float64, n)
	if floats.Norm(centre, math.Inf(1)) == 0 {
		for i := range norms {
			norms[i] = floats.Dot(x.RawRowView(i), x.RawRowView(i))
		}
		return x, norms
	}
	if buffer == nil {
		buffer = new([]float64)
	}
	if len(*buffer) < n*d {
		*buffer = make([]float64, n*d)
	}
	s := mat.NewDense(n, d, (*buffer)[:n*d])
	for i := range n {
		row := s.RawRowView(i)
		floats.SubTo(row, x.RawRowView(i), centre)
		norms[i] = floats.Dot(row, row)
	}
	return s, norms
}

// eachValue replaces each value of a row by a function of it.
func eachValue(of func(v float64) float64) func(row []float64) {
	return func(row []float64) {
		for j, v := range row {
			row[j] = of(v)
		}
	}
}

func eachRow(a *mat.Dense, f func(row []float64)) {
	n, _ := a.Dims()
	for i := range n {
		f(a.RawRowView(i))
	}
}
