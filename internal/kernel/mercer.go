package kernel

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg/vector"
)

// Mercer is the random Mercer feature map of a series kernel: m indices drawn
// with probability λ_i/Σλ, a coordinate each,
//
//	Φ_a(x) = (Σλ/m)^(1/2)·e_{i_a}(x),
//
// or one for each different index, see Collected.
type Mercer struct {
	Series  *Series
	Indices []int
	Counts  []int // how often each was drawn; nil for once each
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

// Collected has one coordinate for the c features of an index, √c times each.
// That is an isometry: the features' kernel, the eigenvalues of their covariance
// and the functions of its eigenvectors stay what they are.
func (f *Mercer) Collected() *Mercer {
	if rank := f.Series.Rank(); rank > 0 && f.Counts == nil {
		return f.tallied(rank)
	}
	counts := map[int]int{}
	for a, index := range f.Indices {
		counts[index] += f.count(a)
	}
	c := &Mercer{Series: f.Series}
	for index := range counts {
		c.Indices = append(c.Indices, index)
	}
	slices.Sort(c.Indices)
	for _, index := range c.Indices {
		c.Counts = append(c.Counts, counts[index])
	}
	return c
}

// tallied is Collected for indices up to rank, without a map.
func (f *Mercer) tallied(rank int) *Mercer {
	counts := make([]int, rank+1)
	for _, index := range f.Indices {
		counts[index]++
	}
	c := &Mercer{Series: f.Series}
	for index, count := range counts {
		if count > 0 {
			c.Indices, c.Counts = append(c.Indices, index), append(c.Counts, count)
		}
	}
	return c
}

func (f *Mercer) count(a int) int {
	if f.Counts == nil {
		return 1
	}
	return f.Counts[a]
}

// Features is m.
func (f *Mercer) Features() int {
	m := 0
	for a := range f.Indices {
		m += f.count(a)
	}
	return m
}

// Dim is the number of coordinates, m or that of different indices.
func (f *Mercer) Dim() int { return len(f.Indices) }

// Scales are the factors of the coordinates' eigenfunctions, (c·Σλ/m)^(1/2).
func (f *Mercer) Scales() []float64 {
	each := f.Series.PowerSum(1, 0) / float64(f.Features())
	scales := make([]float64, f.Dim())
	for a := range scales {
		scales[a] = math.Sqrt(float64(f.count(a)) * each)
	}
	return scales
}

// Transform fills dst, n rows of Dim columns.
func (f *Mercer) Transform(dst, x *mat.Dense) {
	n := checkTransform(dst, x, f.Dim(), 1)
	scales := f.Scales()
	floats.Scale(math.Sqrt2, scales)
	sines := make([]float64, f.Dim())
	for i := range n {
		row, at := dst.RawRowView(i), x.At(i, 0)
		for a, index := range f.Indices {
			row[a] = phase(index, at)
		}
		vector.Sincos(sines, row, row)
		floats.Mul(row, scales)
	}
}
