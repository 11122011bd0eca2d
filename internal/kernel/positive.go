package kernel

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Positive is the map of positive random features of the Gaussian kernel exp(−γ‖x−y‖²)
//
//	Φ(x) = m^(−1/2)·(exp(⟨ω_1,x⟩ − 2γ‖x‖²) … exp(⟨ω_m,x⟩ − 2γ‖x‖²)),  ω_i ~ N(0, 2γI):
//
// m frequencies, m coordinates, all positive. The variance of ⟨Φ(x),Φ(y)⟩ is
// (exp(8γ⟨x,y⟩) − k(x,y)²)/m: small where k is small and points are near the origin, and
// far above that of Fourier features where ‖x+y‖ is large.
//
// Reference: Choromanski et al. 2021 (Rethinking attention with Performers), Lemma 1 and 2,
// whose exp(⟨x,y⟩) is times exp(−‖x‖²/2 − ‖y‖²/2) here.
type Positive struct {
	Frequencies *mat.Dense // m×D; not to be changed after the first Transform
	gamma       float64
	frequencies factor
}

func newPositive(k Gaussian, m, dim int, rng *rand.Rand) *Positive {
	return &Positive{Frequencies: NewFourier(k, m, dim, rng).Frequencies, gamma: k.Gamma}
}

// Features is the number of frequencies.
func (p *Positive) Features() int { m, _ := p.Frequencies.Dims(); return m }

// Dim is one coordinate a frequency.
func (p *Positive) Dim() int { return p.Features() }

// Transform fills dst (n×m): 2nmD flops in one product a block of rows, and nm
// exponentials.
func (p *Positive) Transform(dst, x *mat.Dense) {
	m, d := p.Frequencies.Dims()
	n := checkTransform(dst, x, m, d)
	half := math.Log(float64(m)) / 2
	byBlocks(n, m, func(from, to int) {
		block := rows(dst, from, to)
		p.frequencies.prepared(p.Frequencies).Mul(1, rows(x, from, to).RawMatrix(), 0, block.RawMatrix())
		for i := range to - from {
			point, row := x.RawRowView(from+i), block.RawRowView(i)
			shift := 2*p.gamma*floats.Dot(point, point) + half
			for j, v := range row {
				row[j] = math.Exp(v - shift)
			}
		}
	})
}
