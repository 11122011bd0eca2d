package kernel

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg"
)

// SORF is the structured orthogonal feature map of a Gaussian kernel: cosines and
// sines as in Fourier, of frequencies that are the rows of blocks
//
//	√(2·Gamma·P)·H·S_1·H·S_2·H·S_3,
//
// P the dimension of the points padded with zeros to a power of two, H the
// Walsh–Hadamard matrix over √P, S_i diagonals of independent random signs. The
// last block is cut where m is no multiple of P.
//
// A frequency is normal only in the limit of large P, and its length is fixed
// where a normal one's varies, so the features are biased: with z the distance
// times √(2·Gamma), E⟨Φ(x),Φ(y)⟩ = k(x,y)·(1 − z⁴/4P + O(P⁻²)), lower than k by
// 0.54/P at most, and by 0.6/P as measured for P ≥ 32. From m ≈ 1.4·P² on that is
// more than the standard error. Below P = 64 a model has a caveat: see Caveats.
//
// Reference: Yu, Suresh, Choromanski, Holtmann-Rice and Kumar (2016), Orthogonal
// random features, §4.
type SORF struct {
	blocks        []signs
	features, dim int
}

// signs are the diagonals of a block, in the order in which they meet a point;
// all factors of the product are in the last.
type signs [3][]float64

// newSORF draws ⌈m/P⌉ blocks for points in R^dim, three bits a coordinate of the
// padded points: the first m' of m frequencies are those of a draw of m'.
func newSORF(g Gaussian, m, dim int, rng *rand.Rand) *SORF {
	p := linalg.NextPowerOfTwo(dim)
	s := &SORF{blocks: make([]signs, (m+p-1)/p), features: m, dim: dim}
	for i := range s.blocks {
		for step, scale := range [3]float64{1, 1, math.Sqrt(2*g.Gamma) / float64(p)} {
			s.blocks[i][step] = randomSigns(p, scale, rng)
		}
	}
	return s
}

func randomSigns(n int, scale float64, rng *rand.Rand) []float64 {
	signs := make([]float64, n)
	word := uint64(0)
	for i := range signs {
		if i%64 == 0 {
			word = rng.Uint64()
		}
		signs[i] = math.Copysign(scale, 0.5-float64(word>>(i%64)&1))
	}
	return signs
}

// Features is the number of frequencies.
func (s *SORF) Features() int { return s.features }

// Dim is two coordinates a frequency.
func (s *SORF) Dim() int { return 2 * s.features }

// sorfBias is the largest |E k_m − k| measured over distances z up to 6 along an
// axis, a diagonal, the sum of two axes and a random direction, for P = 1, 2, 4, …
var sorfBias = [...]float64{1, 1, 1, 0.5, 0.07, 0.02}

// Caveats warns where P is below 64: the bias passes 0.01 there, half of the
// standard error that 1000 frequencies have, and is of the size of the kernel up
// to P = 8.
func (s *SORF) Caveats() []string {
	p := linalg.NextPowerOfTwo(s.dim)
	if i := bits.TrailingZeros(uint(p)); i < len(sorfBias) {
		return []string{fmt.Sprintf("sorf features in %d dimensions (%d with padding) are biased: their kernel is off by up to %v, however many there are", s.dim, p, sorfBias[i])}
	}
	return nil
}

// Transform fills dst (n×2m): 3·n·m·log₂P additions, and nm sines and cosines.
func (s *SORF) Transform(dst, x *mat.Dense) {
	n := checkTransform(dst, x, s.Dim(), s.dim)
	byBlocks(n, s.Dim(), func(from, to int) {
		buffer := make([]float64, linalg.NextPowerOfTwo(s.dim))
		for i := from; i < to; i++ {
			row := dst.RawRowView(i)
			s.angles(row[:s.features], x.RawRowView(i), buffer)
			pairs(row)
		}
	})
}

// angles fills dst with ⟨ω_i, x⟩; buffer has the padded length.
func (s *SORF) angles(dst, x, buffer []float64) {
	for _, block := range s.blocks {
		clear(buffer[copy(buffer, x):])
		for _, diagonal := range block {
			floats.Mul(buffer, diagonal)
			linalg.Hadamard(buffer)
		}
		dst = dst[copy(dst, buffer):]
	}
}
