package openblas

import (
	"fmt"
	"math"
	"mercer/internal/linalg/blastest"
	"testing"

	"gonum.org/v1/gonum/lapack"
)

var jobs = []lapack.SVDJob{lapack.SVDAll, lapack.SVDStore, lapack.SVDNone}

// TestDgesvd compares singular values with gonum's, and checks that the
// vectors are orthonormal and, where both sides are asked for, that U·S·Vᵀ is
// the matrix, which fixes the signs too.
func TestDgesvd(t *testing.T) {
	impl := library(t).LAPACK()
	rng := newRand(31)
	for _, shape := range [][2]int{{0, 3}, {10, 7}, {48, 48}, {90, 50}, {50, 90}, {300, 60}} {
		for _, jobU := range jobs {
			for _, jobVT := range jobs {
				m, n := shape[0], shape[1]
				k := min(m, n)
				a := blastest.New(rng, m, n)
				work := make([]float64, 40*(m+n)+1)
				ur, uc := singularShape(jobU, m, k)
				vc, vr := singularShape(jobVT, n, k)
				u, vt := blastest.New(rng, ur, uc), blastest.New(rng, vr, vc)
				s, want := make([]float64, k), make([]float64, k)
				x, y := a.Clone(), a.Clone()
				what := fmt.Sprintf("%c%c %d×%d", jobU, jobVT, m, n)
				if !impl.Dgesvd(jobU, jobVT, m, n, x.Data(), x.Stride, s, u.Data(), u.Stride, vt.Data(), vt.Stride, work, len(work)) {
					t.Errorf("%s: not converged", what)
				}
				lapackReference.Dgesvd(lapack.SVDNone, lapack.SVDNone, m, n, y.Data(), y.Stride, want, nil, 1, nil, 1, work, len(work))
				blastest.Same(t, what, s, want, 1e-12*math.Sqrt(float64(m+n+1))) // of ‖A‖ < 2√(m+n)
				if k == 0 {
					continue
				}
				if ur > 0 {
					columns := blastest.Matrix{All: make([]float64, ur*uc), R: uc, C: ur, Stride: ur}
					for i := range ur {
						for j := range uc {
							columns.Set(j, i, u.At(i, j))
						}
					}
					orthonormalRows(t, what+" U", columns)
				}
				orthonormalRows(t, what+" V", vt)
				if ur > 0 && vr > 0 {
					product(t, what, a, u, s, vt)
				}
			}
		}
	}
}

func product(t *testing.T, what string, a, u blastest.Matrix, s []float64, vt blastest.Matrix) {
	t.Helper()
	for i := range a.R {
		for j := range a.C {
			sum := 0.0
			for p := range s {
				sum += u.At(i, p) * s[p] * vt.At(p, j)
			}
			if !(math.Abs(sum-a.At(i, j)) <= 1e-11) {
				t.Errorf("%s: element %d,%d of the product is %g, want %g", what, i, j, sum, a.At(i, j))
				return
			}
		}
	}
}
