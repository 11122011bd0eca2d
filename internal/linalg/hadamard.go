package linalg

import "math/bits"

// Hadamard multiplies x, whose length is a power of two, by the Walsh–Hadamard
// matrix H_ij = (−1)^popcount(i∧j), in place: n·log₂n additions. H² = n·I: H is
// √n times an orthonormal matrix.
func Hadamard(x []float64) {
	for h := 1; h < len(x); h *= 2 {
		for i := 0; i < len(x); i += 2 * h {
			a, b := x[i:][:h], x[i+h:][:h]
			for j, v := range a {
				a[j], b[j] = v+b[j], v-b[j]
			}
		}
	}
}

// NextPowerOfTwo is the least power of two that is at least n, for n ≥ 1.
func NextPowerOfTwo(n int) int { return 1 << bits.Len(uint(n-1)) }
