package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/linalg/vector"
)

// ShiftInvariant is a kernel k(x,y) = κ(x−y) with κ(0) = 1 whose spectral
// measure is a probability that can be drawn from.
type ShiftInvariant interface {
	Kernel
	// Frequency fills dst (D) with one draw of the spectral measure: k(x,y) =
	// E cos⟨ω, x−y⟩.
	Frequency(dst []float64, rng *rand.Rand)
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
	Frequencies *mat.Dense // m×D
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

// Transform fills dst (n×2m).
func (f *Fourier) Transform(dst, x *mat.Dense) {
	m, d := f.Frequencies.Dims()
	n := checkTransform(dst, x, 2*m, d)
	scale := 1 / math.Sqrt(float64(m))
	byBlocks(n, 2*m, func(from, to int) {
		block := rows(dst, from, to)
		angles := block.Slice(0, to-from, 0, m).(*mat.Dense)
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, rows(x, from, to).RawMatrix(), f.Frequencies.RawMatrix(), 0, angles.RawMatrix())
		eachRow(block, func(row []float64) {
			vector.Sincos(row[m:], row[:m], row[:m])
			floats.Scale(scale, row)
		})
	})
}

// Mercer is the random Mercer feature map of a series kernel: indices i_a drawn
// with probability λ_i/Σλ,
//
//	Φ_a(x) = (Σλ/m)^(1/2)·e_{i_a}(x).
//
// Each index drawn counts, repeated ones too.
type Mercer struct {
	Series  *Series
	Indices []int
}

// NewMercer draws m indices one after another: the first m' of m are those of a
// draw of m'.
func NewMercer(s *Series, m int, rng *rand.Rand) *Mercer {
	draw := s.indexSampler(rng)
	f := &Mercer{Series: s, Indices: make([]int, m)}
	for a := range f.Indices {
		f.Indices[a] = draw()
	}
	return f
}

// Features is m.
func (f *Mercer) Features() int { return len(f.Indices) }

// Dim is m.
func (f *Mercer) Dim() int { return len(f.Indices) }

// Scale is the factor (Σλ/m)^(1/2) of every feature.
func (f *Mercer) Scale() float64 {
	return math.Sqrt(f.Series.PowerSum(1, 0) / float64(len(f.Indices)))
}

// Transform fills dst (n×m).
func (f *Mercer) Transform(dst, x *mat.Dense) {
	n := checkTransform(dst, x, f.Dim(), 1)
	scale := f.Scale()
	for i := range n {
		row, at := dst.RawRowView(i), x.At(i, 0)
		for a, index := range f.Indices {
			row[a] = scale * f.Series.Eigenfunction(index, at)
		}
	}
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
