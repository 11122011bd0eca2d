package openblas

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/blas"
)

// roundoff bounds the difference of two sums of k products of normal numbers
// and a few more: 2⁻⁵²·k·(6·6·2), six being beyond what is drawn here.
func roundoff(k int) float64 { return 0x1p-52 * float64(k+4) * 72 }

func TestDgemm(t *testing.T) {
	impl := library(t).BLAS()
	rng := newRand(1)
	for _, s := range shapes {
		m, n, k := s[0], s[1], s[2]
		for _, tA := range transposes {
			for _, tB := range transposes {
				for _, alpha := range scalars {
					for _, beta := range scalars {
						ar, ac := dims(tA, m, k)
						br, bc := dims(tB, k, n)
						a, b, c := newBlock(rng, ar, ac), newBlock(rng, br, bc), newBlock(rng, m, n)
						if beta == 0 && m > 0 && n > 0 {
							c.set(m-1, n-1, math.NaN())
						}
						want := c.clone()
						impl.Dgemm(tA, tB, m, n, k, alpha, a.data(), a.stride, b.data(), b.stride, beta, c.data(), c.stride)
						reference.Dgemm(tA, tB, m, n, k, alpha, a.data(), a.stride, b.data(), b.stride, beta, want.data(), want.stride)
						same(t, fmt.Sprintf("%c%c %d×%d×%d alpha %g beta %g", tA, tB, m, n, k, alpha, beta), c.all, want.all, roundoff(k))
					}
				}
			}
		}
	}
}

func TestDsyrk(t *testing.T) {
	impl := library(t).BLAS()
	rng := newRand(2)
	for _, s := range shapes {
		n, k := s[0], s[1]
		for _, uplo := range uplos {
			for _, tA := range transposes {
				for _, alpha := range scalars {
					for _, beta := range scalars {
						ar, ac := dims(tA, n, k)
						a, c := newBlock(rng, ar, ac), newBlock(rng, n, n).poison(uplo)
						want := c.clone()
						impl.Dsyrk(uplo, tA, n, k, alpha, a.data(), a.stride, beta, c.data(), c.stride)
						reference.Dsyrk(uplo, tA, n, k, alpha, a.data(), a.stride, beta, want.data(), want.stride)
						same(t, fmt.Sprintf("%c%c %d×%d alpha %g beta %g", uplo, tA, n, k, alpha, beta), c.all, want.all, roundoff(k))
					}
				}
			}
		}
	}
}

func TestDsymm(t *testing.T) {
	impl := library(t).BLAS()
	rng := newRand(3)
	for _, s := range shapes {
		m, n := s[0], s[1]
		for _, side := range sides {
			for _, uplo := range uplos {
				for _, alpha := range scalars {
					for _, beta := range scalars {
						order := n
						if side == blas.Left {
							order = m
						}
						a, b, c := newBlock(rng, order, order).poison(uplo), newBlock(rng, m, n), newBlock(rng, m, n)
						want := c.clone()
						impl.Dsymm(side, uplo, m, n, alpha, a.data(), a.stride, b.data(), b.stride, beta, c.data(), c.stride)
						reference.Dsymm(side, uplo, m, n, alpha, a.data(), a.stride, b.data(), b.stride, beta, want.data(), want.stride)
						same(t, fmt.Sprintf("%c%c %d×%d alpha %g beta %g", side, uplo, m, n, alpha, beta), c.all, want.all, roundoff(order))
					}
				}
			}
		}
	}
}

// TestTriangular solves with and multiplies by matrices whose diagonal
// outweighs their rows, so that solutions are no larger than right-hand sides
// and errors no larger than a product's. With a unit diagonal the entries are
// scaled down to the same end.
func TestTriangular(t *testing.T) {
	impl := library(t).BLAS()
	type routine func(blas.Side, blas.Uplo, blas.Transpose, blas.Diag, int, int, float64, []float64, int, []float64, int)
	routines := []struct {
		name      string
		got, want routine
	}{{"Dtrsm", impl.Dtrsm, reference.Dtrsm}, {"Dtrmm", impl.Dtrmm, reference.Dtrmm}}
	rng := newRand(4)
	for _, r := range routines {
		for _, s := range shapes {
			m, n := s[0], s[1]
			for _, side := range sides {
				for _, uplo := range uplos {
					for _, tA := range transposes {
						for _, d := range diags {
							for _, alpha := range scalars {
								order := n
								if side == blas.Left {
									order = m
								}
								a, b := newBlock(rng, order, order).dominant().poison(uplo), newBlock(rng, m, n)
								if d == blas.Unit {
									for i := range order {
										for j := range order {
											a.set(i, j, a.at(i, j)/float64(2*order))
										}
										a.set(i, i, math.NaN())
									}
								}
								want := b.clone()
								r.got(side, uplo, tA, d, m, n, alpha, a.data(), a.stride, b.data(), b.stride)
								r.want(side, uplo, tA, d, m, n, alpha, a.data(), a.stride, want.data(), want.stride)
								what := fmt.Sprintf("%s %c%c%c%c %d×%d alpha %g", r.name, side, uplo, tA, d, m, n, alpha)
								same(t, what, b.all, want.all, roundoff(order)*float64(2*order))
							}
						}
					}
				}
			}
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
