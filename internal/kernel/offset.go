package kernel

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg"
	"mercer/internal/linalg/vector"
)

// Offset is the random Fourier feature map of single cosines with random phases
//
//	Φ(x) = (2/m)^(1/2)·(cos(⟨ω_1,x⟩ + b_1) … cos(⟨ω_m,x⟩ + b_m)):
//
// m frequencies, m coordinates. With δ = x−y, the variance of ⟨Φ(x),Φ(y)⟩ is
// (1 + k(2δ)/2 − k(δ)²)/m, ½/m more than that of pairs; ⟨Φ(x),Φ(x)⟩ is 1 on
// average only.
//
// Reference: Rahimi and Recht (2007), Random features for large-scale kernel
// machines, algorithm 1.
type Offset struct {
	Frequencies *mat.Dense // m×D; not to be changed after the first Transform
	Phases      []float64  // m, in [0,2π)
	frequencies factor
}

// newOffset draws m frequencies in R^dim, each followed by its phase: the first
// m' of m are those of a draw of m'.
func newOffset(k ShiftInvariant, m, dim int, rng *rand.Rand) *Offset {
	o := &Offset{Frequencies: mat.NewDense(m, dim, nil), Phases: make([]float64, m)}
	for i := range m {
		k.Frequency(o.Frequencies.RawRowView(i), rng)
		o.Phases[i] = 2 * math.Pi * rng.Float64()
	}
	return o
}

// Features is the number of frequencies.
func (o *Offset) Features() int { return len(o.Phases) }

// Dim is one coordinate a frequency.
func (o *Offset) Dim() int { return len(o.Phases) }

// Transform fills dst (n×m): 2nmD flops in one product a block of rows, and nm
// cosines.
func (o *Offset) Transform(dst, x *mat.Dense) {
	m, d := o.Frequencies.Dims()
	n := checkTransform(dst, x, m, d)
	scale := math.Sqrt(2 / float64(m))
	byBlocks(n, m, func(from, to int) {
		block, sines := linalg.Rows(dst, from, to), make([]float64, m)
		eachRow(block, func(row []float64) { copy(row, o.Phases) })
		o.frequencies.prepared(o.Frequencies).Mul(1, linalg.Rows(x, from, to).RawMatrix(), 1, block.RawMatrix())
		eachRow(block, func(row []float64) {
			vector.Sincos(sines, row, row)
			floats.Scale(scale, row)
		})
	})
}
