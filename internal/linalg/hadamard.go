package linalg

import "math/bits"

// Hadamard multiplies x, whose length is a power of two, by the Walsh–Hadamard
// matrix H_ij = (−1)^popcount(i∧j), in place: n·log₂n additions. H² = n·I: H is
// √n times an orthonormal matrix.
func Hadamard(x []float64) {
	n := len(x)
	h := 1
	for ; 4*h <= n; h *= 4 {
		if h == 1 {
			for i := 0; i+4 <= n; i += 4 {
				q := (*[4]float64)(x[i:])
				q[0], q[1], q[2], q[3] = butterfly(q[0], q[1], q[2], q[3])
			}
			continue
		}
		for i := 0; i < n; i += 4 * h {
			a, b, c, d := x[i:i+h:i+h], x[i+h:][:h:h], x[i+2*h:][:h:h], x[i+3*h:][:h:h]
			for j := range a {
				a[j], b[j], c[j], d[j] = butterfly(a[j], b[j], c[j], d[j])
			}
		}
	}
	if h < n {
		a, b := x[:h], x[h:][:h]
		for j, v := range a {
			a[j], b[j] = v+b[j], v-b[j]
		}
	}
}

// butterfly is the transform of four numbers.
func butterfly(a, b, c, d float64) (w, x, y, z float64) {
	s, t, u, v := a+b, a-b, c+d, c-d
	return s + u, t + v, s - u, t - v
}

// NextPowerOfTwo is the least power of two that is at least n, for n ≥ 1.
func NextPowerOfTwo(n int) int { return 1 << bits.Len(uint(n-1)) }
