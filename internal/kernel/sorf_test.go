package kernel

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg"
)

// walsh is H_ij = (−1)^popcount(i∧j).
func walsh(n int) *mat.Dense {
	h := mat.NewDense(n, n, nil)
	h.Apply(func(i, j int, _ float64) float64 { return 1 - 2*float64(bits.OnesCount(uint(i&j))%2) }, h)
	return h
}

// explicit is the m×D matrix of a map's frequencies: H_ij = H_ji, so a row of
// H·S_1·H·S_2·H·S_3 is a row of H taken through S_1, H, S_2, H and S_3.
func explicit(s *SORF) *mat.Dense {
	p := linalg.NextPowerOfTwo(s.dim)
	h, w := walsh(p), mat.NewDense(s.features, s.dim, nil)
	for i := range s.features {
		row := mat.NewVecDense(p, mat.Row(nil, i%p, h))
		for step := 2; step >= 0; step-- {
			diagonal := s.blocks[i/p][step]
			row.MulElemVec(row, mat.NewVecDense(p, diagonal))
			if step > 0 {
				row.MulVec(h, row)
			}
		}
		copy(w.RawRowView(i), row.RawVector().Data)
	}
	return w
}

// In the padded space the frequencies of a block are orthogonal, of length
// √(2·Gamma·P).
func TestStructuredBlocksAreOrthogonal(t *testing.T) {
	const p, gamma = 16, 0.7
	w := explicit(newSORF(NewGaussian(gamma), 2*p, p, newRand(161)))
	for _, from := range []int{0, p} {
		block := w.Slice(from, from+p, 0, p)
		var gram mat.Dense
		gram.Mul(block, block.T())
		gram.Apply(func(i, j int, v float64) float64 {
			if i == j {
				return v - 2*gamma*p
			}
			return v
		}, &gram)
		if off := mat.Norm(&gram, math.Inf(1)); off > 1e-12 {
			t.Errorf("block from %d: WWᵀ differs from 2·Gamma·P·I by %.1e", from, off)
		}
	}
	if mat.Equal(w.Slice(0, p, 0, p), w.Slice(p, 2*p, 0, p)) {
		t.Error("two blocks have the same signs")
	}
}

// structuredBias is the largest |mean cos⟨ω,δ⟩ − k(δ)| over δ on an axis, on a
// diagonal and on the sum of two axes, lengths up to 6 with Gamma = ½, by m
// frequencies.
func structuredBias(p, m int, rng *rand.Rand) float64 {
	axis, diagonal, two := make([]float64, p), make([]float64, p), make([]float64, p)
	for j := range p {
		diagonal[j] = 1 / math.Sqrt(float64(p))
	}
	axis[0] = 1
	two[0] += 1
	two[p-1] += 1
	floats.Scale(1/floats.Norm(two, 2), two)
	s := newSORF(NewGaussian(0.5), m, p, rng)
	angles, worst := make([]float64, m), 0.0
	for _, direction := range [][]float64{axis, diagonal, two} {
		s.angles(angles, direction, make([]float64, p))
		for z := 0.5; z <= 6; z += 0.5 {
			mean := 0.0
			for _, v := range angles {
				mean += math.Cos(z*v) / float64(m)
			}
			worst = max(worst, math.Abs(mean-math.Exp(-z*z/2)))
		}
	}
	return worst
}

// The table of caveats agrees with a measurement within a fifth: at P = 32 that is
// 0.004, and the standard error of m independent frequencies 0.0014. From P = 64
// on the bias is below 0.01, and 0.002 is left for chance.
func TestStructuredBiasIsAsDocumented(t *testing.T) {
	const m = 1 << 18
	for i, want := range sorfBias {
		p := 1 << i
		if got := structuredBias(p, m, newRand(171)); math.Abs(got-want) > want/5 {
			t.Errorf("P = %d: bias %.3f, documented %v", p, got, want)
		}
		if caveats := newSORF(NewGaussian(1), 4, p, newRand(1)).Caveats(); len(caveats) != 1 || !strings.Contains(caveats[0], "biased") {
			t.Errorf("P = %d: caveats %q", p, caveats)
		}
	}
	for _, p := range []int{64, 256} {
		if got := structuredBias(p, m, newRand(171)); got > 0.012 {
			t.Errorf("P = %d: bias %.4f", p, got)
		}
	}
	if caveats := newSORF(NewGaussian(1), 4, 33, newRand(1)).Caveats(); caveats != nil {
		t.Errorf("64 padded dimensions: caveats %q", caveats)
	}
}

// The leading term of the bias, k·z⁴/4P, at its largest, z = 2: the rest is of
// order P⁻², and 0.01 is 5 standard errors.
func TestStructuredBiasIsThatOfFixedLengths(t *testing.T) {
	const p, m, z = 32, 1 << 19, 2.0
	direction := mat.Row(nil, 0, normalPoints(newRand(181), 1, p))
	floats.Scale(z/floats.Norm(direction, 2), direction)
	angles, mean := make([]float64, m), 0.0
	newSORF(NewGaussian(0.5), m, p, newRand(182)).angles(angles, direction, make([]float64, p))
	for _, v := range angles {
		mean += math.Cos(v) / m
	}
	k := math.Exp(-z * z / 2)
	if got, want := mean-k, -k*z*z*z*z/(4*p); math.Abs(got-want) > 0.01*k*z*z {
		t.Errorf("bias %.4f, want %.4f", got, want)
	}
}
