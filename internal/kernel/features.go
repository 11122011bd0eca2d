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

// ShiftInvariant is a kernel k(x,y) = κ(x−y) with κ(0) = 1 whose spectral
// measure is a probability that can be drawn from: k(x,y) = E cos⟨ω, x−y⟩.
type ShiftInvariant interface {
	Kernel
	// Frequency fills dst (D) with one draw of the spectral measure.
	Frequency(dst []float64, rng *rand.Rand)
	// Isotropic says whether the spectral measure is the same in every rotated
	// coordinate system, in every dimension.
	Isotropic() bool
}

// FeatureMap is x ↦ Φ(x), with E⟨Φ(x),Φ(y)⟩ = k(x,y) over its random draw.
type FeatureMap interface {
	// Features is m, as the papers count it.
	Features() int
	// Dim is the number of coordinates of Φ(x).
	Dim() int
	// Transform fills dst (n×Dim) with Φ of the rows of x (n×D). It panics on
	// other shapes.
	Transform(dst, x *mat.Dense)
}

// Fourier is the random Fourier feature map
//
//	Φ(x) = m^(−1/2)·(cos⟨ω_1,x⟩ … cos⟨ω_m,x⟩, sin⟨ω_1,x⟩ … sin⟨ω_m,x⟩):
//
// m frequencies, 2m coordinates.
//
// Reference: [RFK, eq 2], [SKP, §3].
type Fourier struct {
	Frequencies *mat.Dense // m×D; not to be changed after the first Transform
	frequencies factor
}

// factor is Wᵀ of the products X·Wᵀ of a feature map, made ready at the first.
type factor struct {
	once  sync.Once
	ready *linalg.RightFactor
}

func (f *factor) prepared(w *mat.Dense) *linalg.RightFactor {
	f.once.Do(func() { f.ready = linalg.NewRightFactor(blas.Trans, w.RawMatrix()) })
	return f.ready
}

// NewFourier draws m frequencies in R^dim, one after another: the first m' of m
// are those of a draw of m'.
func NewFourier(k ShiftInvariant, m, dim int, rng *rand.Rand) *Fourier {
	f := &Fourier{Frequencies: mat.NewDense(m, dim, nil)}
	for i := range m {
		k.Frequency(f.Frequencies.RawRowView(i), rng)
	}
	return f
}

// Features is the number of frequencies.
func (f *Fourier) Features() int { m, _ := f.Frequencies.Dims(); return m }

// Dim is two coordinates a frequency.
func (f *Fourier) Dim() int { return 2 * f.Features() }

// Transform fills dst (n×2m): 2nmD flops in one product a block of rows, and nm
// sines and cosines.
func (f *Fourier) Transform(dst, x *mat.Dense) {
	m, d := f.Frequencies.Dims()
	n := checkTransform(dst, x, 2*m, d)
	byBlocks(n, 2*m, func(from, to int) {
		block := linalg.Rows(dst, from, to)
		angles := block.Slice(0, to-from, 0, m).(*mat.Dense)
		f.frequencies.prepared(f.Frequencies).Mul(1, linalg.Rows(x, from, to).RawMatrix(), 0, angles.RawMatrix())
		eachRow(block, pairs)
	})
}

// Scale is the factor of the cosines and sines, m^(−1/2).
func (f *Fourier) Scale() float64 { return 1 / math.Sqrt(float64(f.Features())) }

// pairs turns a row whose first half holds angles into the cosines and sines of
// them, each divided by √m.
func pairs(row []float64) {
	m := len(row) / 2
	vector.Sincos(row[m:], row[:m], row[:m])
	floats.Scale(1/math.Sqrt(float64(m)), row)
}

// checkTransform returns the number n of points after checking that x is n×d and
// dst n×dim.
func checkTransform(dst, x *mat.Dense, dim, d int) int {
	n, dx := x.Dims()
	if r, c := dst.Dims(); r != n || c != dim || dx != d {
		panic(fmt.Sprintf("kernel: %d features in dimension %d of %d×%d points into %d×%d", dim, d, n, dx, r, c))
	}
	return n
}
