package kernel

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

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
