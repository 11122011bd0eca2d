package kernel

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/mat"
)

// TensorSketch is a map of the polynomial kernel (γ⟨x,y⟩ + c)^q into R^m: the count
// sketch of the q-fold tensor product of u = (√γ·x, √c), whose inner products are the
// kernel, as the circular convolution of q count sketches of u, by Fourier transforms. It
// is unbiased. With p = ⟨u,v⟩, s = Σ u_i²v_i², b = ‖u‖²‖v‖² − s and c = p² − s, the variance
// of ⟨Φ(x),Φ(y)⟩ is
//
//	((p²+b)^q + (p²+c)^q − 2p^{2q})/m + π·((p²+b+c)^q − (p²+b)^q − (p²+c)^q + p^{2q}),
//
// π = 1/m² for odd m and 2/m² for even m.
//
// Reference: Pham & Pagh 2013 (Fast and scalable polynomial kernels via explicit feature
// maps), Alg 1. Deviation: hashes and signs are independent, not 2- and 4-wise alone.
type TensorSketch struct {
	kernel  Polynomial
	m       int
	buckets [][]int     // q of D+1, of the last coordinate √c
	signs   [][]float64 // q of D+1
}

func newTensorSketch(k Polynomial, m, dim int, rng *rand.Rand) *TensorSketch {
	t := &TensorSketch{kernel: k, m: m}
	for range k.Degree {
		buckets, signs := make([]int, dim+1), make([]float64, dim+1)
		for i := range buckets {
			buckets[i], signs[i] = rng.IntN(m), float64(2*rng.IntN(2)-1)
		}
		t.buckets, t.signs = append(t.buckets, buckets), append(t.signs, signs)
	}
	return t
}

// Features is m.
func (t *TensorSketch) Features() int { return t.m }

// Dim is m.
func (t *TensorSketch) Dim() int { return t.m }

// Transform fills dst (n×m): nq(D + 5m·log₂m) flops.
func (t *TensorSketch) Transform(dst, x *mat.Dense) {
	n := checkTransform(dst, x, t.m, len(t.signs[0])-1)
	byBlocks(n, t.m, func(from, to int) {
		transform, sketch := fourier.NewFFT(t.m), make([]float64, t.m)
		product, factor := make([]complex128, t.m/2+1), make([]complex128, t.m/2+1)
		for i := from; i < to; i++ {
			for q := range t.signs {
				t.sketch(sketch, x.RawRowView(i), q)
				transform.Coefficients(factor, sketch)
				for f, v := range factor {
					if q == 0 {
						product[f] = v / complex(float64(t.m), 0)
					} else {
						product[f] *= v
					}
				}
			}
			transform.Sequence(dst.RawRowView(i), product)
		}
	})
}

// sketch is the count sketch number q of u.
func (t *TensorSketch) sketch(dst, x []float64, q int) {
	clear(dst)
	buckets, signs, root := t.buckets[q], t.signs[q], math.Sqrt(t.kernel.Gamma)
	for i, v := range x {
		dst[buckets[i]] += signs[i] * root * v
	}
	last := len(x)
	dst[buckets[last]] += signs[last] * math.Sqrt(t.kernel.Offset)
}
