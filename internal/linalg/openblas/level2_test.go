package openblas

import (
	"fmt"
	"math"
	"math/rand/v2"
	"mercer/internal/linalg/blastest"
	"slices"
	"testing"
)

var plane = [][2]int{{0, 3}, {3, 0}, {1, 1}, {20, 31}, {33, 33}, {80, 81}, {1, 7000}, {7000, 1}, {200, 150}}

var increments = [][2]int{{1, 1}, {3, 2}, {-1, 2}, {2, -3}}

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

func TestDgemv(t *testing.T) {
	impl := library(t).BLAS()
	rng := newRand(5)
	for _, s := range plane {
		m, n := s[0], s[1]
		for _, tA := range transposes {
			for _, inc := range increments {
				for _, alpha := range scalars {
					for _, beta := range scalars {
						ly, lx := dims(tA, m, n)
						a, x, y := blastest.New(rng, m, n), newVector(rng, lx), newVector(rng, ly)
						if beta == 0 && ly > 0 {
							y[0] = math.NaN()
						}
						want := slices.Clone(y)
						impl.Dgemv(tA, m, n, alpha, a.Data(), a.Stride, spread(x, lx, inc[0]), inc[0], beta, spread(y, ly, inc[1]), inc[1])
						reference.Dgemv(tA, m, n, alpha, a.Data(), a.Stride, spread(x, lx, inc[0]), inc[0], beta, spread(want, ly, inc[1]), inc[1])
						blastest.Same(t, fmt.Sprintf("%c %d×%d inc %v alpha %g beta %g", tA, m, n, inc, alpha, beta), y, want, blastest.Roundoff(lx))
					}
				}
			}
		}
	}
}

func TestDsymv(t *testing.T) {
	impl := library(t).BLAS()
	rng := newRand(6)
	for _, n := range []int{0, 1, 31, 32, 33, 150} {
		for _, uplo := range uplos {
			for _, inc := range increments {
				for _, alpha := range scalars {
					for _, beta := range scalars {
						a, x, y := blastest.New(rng, n, n).Poison(uplo), newVector(rng, n), newVector(rng, n)
						want := slices.Clone(y)
						impl.Dsymv(uplo, n, alpha, a.Data(), a.Stride, spread(x, n, inc[0]), inc[0], beta, spread(y, n, inc[1]), inc[1])
						reference.Dsymv(uplo, n, alpha, a.Data(), a.Stride, spread(x, n, inc[0]), inc[0], beta, spread(want, n, inc[1]), inc[1])
						blastest.Same(t, fmt.Sprintf("%c %d inc %v alpha %g beta %g", uplo, n, inc, alpha, beta), y, want, blastest.Roundoff(n))
					}
				}
			}
		}
	}
}

// TestDger leaves negative increments out: they go to gonum, whose assembly of
// v0.17 reads beyond x for them.
func TestDger(t *testing.T) {
	impl := library(t).BLAS()
	rng := newRand(7)
	for _, s := range plane {
		m, n := s[0], s[1]
		for _, inc := range increments[:2] {
			for _, alpha := range scalars {
				a, x, y := blastest.New(rng, m, n), newVector(rng, m), newVector(rng, n)
				want := a.Clone()
				impl.Dger(m, n, alpha, spread(x, m, inc[0]), inc[0], spread(y, n, inc[1]), inc[1], a.Data(), a.Stride)
				reference.Dger(m, n, alpha, spread(x, m, inc[0]), inc[0], spread(y, n, inc[1]), inc[1], want.Data(), want.Stride)
				blastest.Same(t, fmt.Sprintf("%d×%d inc %v alpha %g", m, n, inc, alpha), a.All, want.All, blastest.Roundoff(1))
			}
		}
	}
}
