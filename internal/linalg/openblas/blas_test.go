package openblas

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/testblas"

	"mercer/internal/linalg/blastest"
)

// TestGonumsBLAS: gonum's own tests pass on the library. Their matrices are small: most
// calls stay in Go.
func TestGonumsBLAS(t *testing.T) {
	impl := library(t).BLAS()
	testblas.TestDgemm(t, impl)
	testblas.DsyrkTest(t, impl)
	testblas.DgemvTest(t, impl)
	testblas.DsymvTest(t, impl)
	testblas.DgerTest(t, impl)
}

// TestProducts compares products with gonum's, for shapes around the threshold and beyond
// a block of the library's.
func TestProducts(t *testing.T) {
	impl, rng := library(t).BLAS(), newRand(37)
	shapes := [][3]int{
		{0, 5, 4}, {5, 0, 4}, {5, 4, 0}, {3, 7, 2}, {10, 10, 10}, {11, 13, 12},
		{1, 40, 60}, {60, 1, 40}, {40, 60, 1}, {33, 65, 29}, {150, 70, 90},
	}
	for _, s := range shapes {
		for range 40 {
			blastest.CompareProducts(t, rng, impl, s[0], s[1], s[2])
		}
	}
}

// newVector is room for n numbers at any of the increments, full of numbers,
// so that a wrong increment finds others than it should.
func newVector(rng *rand.Rand, n int) []float64 {
	x := make([]float64, 3*n+1)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// spread is as much of x as n numbers at an increment of either sign need.
func spread(x []float64, n, inc int) []float64 {
	if n == 0 {
		return nil
	}
	return x[:(n-1)*max(inc, -inc)+1]
}

// TestVectors compares products of matrices and vectors with gonum's. Dger has no
// negative increments: they go to gonum, whose assembly of v0.17 reads beyond x for them.
func TestVectors(t *testing.T) {
	impl, rng := library(t).BLAS(), newRand(5)
	increments := [][2]int{{1, 1}, {3, 2}, {-1, 2}, {2, -3}}
	for _, s := range [][2]int{{0, 3}, {3, 0}, {1, 1}, {20, 31}, {33, 33}, {80, 81}, {1, 7000}, {7000, 1}, {200, 150}} {
		for range 40 {
			m, n, inc := s[0], s[1], blastest.One(rng, increments)
			tA, uplo, alpha, beta := blastest.One(rng, blastest.Transposes), blastest.One(rng, blastest.Uplos), blastest.One(rng, blastest.Scalars), blastest.One(rng, blastest.Scalars)
			ly, lx := dims(tA, m, n)
			a, x, y := blastest.New(rng, m, n), newVector(rng, lx), newVector(rng, ly)
			if beta == 0 && ly > 0 {
				y[0] = math.NaN()
			}
			want := slices.Clone(y)
			impl.Dgemv(tA, m, n, alpha, a.Data(), a.Stride, spread(x, lx, inc[0]), inc[0], beta, spread(y, ly, inc[1]), inc[1])
			blastest.Reference.Dgemv(tA, m, n, alpha, a.Data(), a.Stride, spread(x, lx, inc[0]), inc[0], beta, spread(want, ly, inc[1]), inc[1])
			blastest.Same(t, fmt.Sprintf("Dgemv %c %d×%d inc %v alpha %g beta %g", tA, m, n, inc, alpha, beta), y, want, blastest.Roundoff(lx))

			n = min(n, 150)
			a, x, y = blastest.New(rng, n, n).Poison(uplo), newVector(rng, n), newVector(rng, n)
			want = slices.Clone(y)
			impl.Dsymv(uplo, n, alpha, a.Data(), a.Stride, spread(x, n, inc[0]), inc[0], beta, spread(y, n, inc[1]), inc[1])
			blastest.Reference.Dsymv(uplo, n, alpha, a.Data(), a.Stride, spread(x, n, inc[0]), inc[0], beta, spread(want, n, inc[1]), inc[1])
			blastest.Same(t, fmt.Sprintf("Dsymv %c %d inc %v alpha %g beta %g", uplo, n, inc, alpha, beta), y, want, blastest.Roundoff(n))

			inc = blastest.One(rng, increments[:2])
			sum, x, y := blastest.New(rng, m, n), newVector(rng, m), newVector(rng, n)
			added := sum.Clone()
			impl.Dger(m, n, alpha, spread(x, m, inc[0]), inc[0], spread(y, n, inc[1]), inc[1], sum.Data(), sum.Stride)
			blastest.Reference.Dger(m, n, alpha, spread(x, m, inc[0]), inc[0], spread(y, n, inc[1]), inc[1], added.Data(), added.Stride)
			blastest.Same(t, fmt.Sprintf("Dger %d×%d inc %v alpha %g", m, n, inc, alpha), sum.All, added.All, blastest.Roundoff(1))
		}
	}
}

// TestNotFinite: NaN and Inf in an operand reach the result.
func TestNotFinite(t *testing.T) {
	impl := library(t).BLAS()
	const n = 16
	a, b, c := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
	for i := range a {
		a[i], b[i] = 1, 1
	}
	a[3*n+5], b[7*n+2] = math.NaN(), math.Inf(1)
	impl.Dgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, a, n, b, n, 0, c, n)
	for j := range n {
		if !math.IsNaN(c[3*n+j]) {
			t.Errorf("row 3 of a NaN: element %d is %g", j, c[3*n+j])
		}
	}
	if !math.IsInf(c[2], 1) || c[0] != n {
		t.Errorf("column 2 of an Inf: %g; other elements: %g, want %d", c[2], c[0], n)
	}
}
