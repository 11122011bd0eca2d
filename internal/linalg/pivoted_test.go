package linalg

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// lapackPivoted is gonum's Dpstrf on a copy, with an absolute tolerance.
func lapackPivoted(a *mat.SymDense, tol float64) (blas64.Triangular, []int, int) {
	n := a.SymmetricDim()
	c := mat.NewSymDense(n, nil)
	c.CopySym(a)
	piv := make([]int, n)
	f, rank, _ := lapack64.Pstrf(c.RawSymmetric(), piv, tol, make([]float64, 2*n))
	return f, piv, rank
}

func duplicatedGram(n int) *mat.SymDense {
	x := gaussianGram(newRand(9), n/2, 2, 0.2)
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, x.At(i%(n/2), j%(n/2)))
		}
	}
	return a
}

// reconstruct is P·F·Fᵀ·Pᵀ.
func reconstruct(c PivotedCholesky) *mat.SymDense {
	n := len(c.Piv)
	a := mat.NewSymDense(n, nil)
	if c.Rank == 0 {
		return a
	}
	g := Gram(blas.NoTrans, c.Factor)
	for i, p := range c.Piv {
		for j := i; j < n; j++ {
			a.SetSym(p, c.Piv[j], g.At(i, j))
		}
	}
	return a
}

func TestFactorPivoted(t *testing.T) {
	rank70 := Gram(blas.NoTrans, normalDense(newRand(3), 200, 70))
	cases := []struct {
		name string
		a    *mat.SymDense
		tol  float64
		rank int // −1: as LAPACK
	}{
		{"one", mat.NewSymDense(1, []float64{4}), -1, 1},
		{"zero one", mat.NewSymDense(1, []float64{0}), -1, 0},
		{"zero", mat.NewSymDense(100, nil), -1, 0},
		{"full rank", withSpectrum(newRand(1), 300, func(i int) float64 { return 1 / float64(i+1) }), -1, 300},
		{"rank 70", rank70, 1e-12, 70},
		{"gaussian gram", gaussianGram(newRand(2), 250, 1, 0.3), 1e-10, -1},
		{"gaussian gram, default", gaussianGram(newRand(2), 250, 1, 0.3), -1, -1},
		{"duplicates", duplicatedGram(260), 1e-9, -1},
		{"ones", mat.NewSymDense(3, []float64{1, 1, 1, 1, 1, 1, 1, 1, 1}), -1, 1},
		{"tolerance 1", mat.NewSymDense(2, []float64{1, 0, 0, 1}), 1, 0},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			n := tc.a.SymmetricDim()
			top := maxAbs(tc.a)
			c, err := FactorPivoted(tc.a, tc.tol)
			if err != nil {
				t.Fatal(err)
			}
			tol := tc.tol
			if tol < 0 {
				tol = DefaultPivotTolerance(n)
			}
			if tc.rank >= 0 && c.Rank != tc.rank {
				t.Fatalf("rank %d, want %d", c.Rank, tc.rank)
			}
			if top == 0 {
				return
			}
			if tc.rank < 0 {
				_, piv, rank := lapackPivoted(tc.a, tol*top)
				// At the default tolerance the last pivots are rounding errors.
				if d := rank - c.Rank; tc.tol > 0 && d != 0 || d < -3 || d > 3 {
					t.Errorf("rank %d, LAPACK's %d", c.Rank, rank)
				}
				// Pivots far above rounding are chosen alike.
				if diff := cmp.Diff(piv[:8], c.Piv[:8]); diff != "" {
					t.Errorf("pivots (-LAPACK +got):\n%s", diff)
				}
			}
			sorted := slices.Sorted(slices.Values(c.Piv))
			for i, p := range sorted {
				if i != p {
					t.Fatalf("Piv is no permutation: %v", c.Piv)
				}
			}
			if c.Residual > tol*top {
				t.Errorf("Residual %g above the tolerance %g", c.Residual, tol*top)
			}
			// |A − PFFᵀPᵀ| ≤ Residual by elements for a positive semidefinite
			// remainder, plus r·eps of the elimination.
			within(t, "PFFᵀPᵀ", reconstruct(c), tc.a, c.Residual+float64(4*n)*eps*top)
			for i := range c.Rank {
				if d := c.L.At(i, i); !(d > 0) || i > 0 && d > c.L.At(i-1, i-1)*(1+1e-6) {
					t.Errorf("L[%d,%d] = %g is not positive and non-increasing", i, i, d)
				}
				for j := range c.Rank {
					if c.L.At(i, j) != c.Factor.At(i, j) {
						t.Fatalf("L and Factor differ at (%d, %d)", i, j)
					}
				}
			}
		})
	}
}

// TestFactorPivotedAgainstLAPACK compares whole factors where the pivots are
// distinct, so that both must choose the same ones. The condition number 1e4
// times n·eps bounds the difference.
func TestFactorPivotedAgainstLAPACK(t *testing.T) {
	for _, n := range []int{2, 63, 64, 65, 128, 200} {
		a := withSpectrum(newRand(uint64(n)), n, func(i int) float64 { return math.Pow(1e-4, float64(i)/float64(n)) })
		c, err := FactorPivoted(a, -1)
		if err != nil {
			t.Fatal(err)
		}
		u, piv, _ := lapackPivoted(a, -1)
		if diff := cmp.Diff(piv, c.Piv); diff != "" {
			t.Fatalf("n = %d: pivots (-LAPACK +got):\n%s", n, diff)
		}
		ref := mat.NewTriDense(n, mat.Upper, nil)
		for i := range n {
			for j := i; j < n; j++ {
				ref.SetTri(i, j, u.Data[i*u.Stride+j])
			}
		}
		within(t, fmt.Sprintf("n = %d: L", n), c.L, ref.T(), 1e4*float64(n)*eps)
	}
}

func TestFactorPivotedErrors(t *testing.T) {
	nan := mat.NewSymDense(3, []float64{1, 0, math.NaN(), 0, 1, 0, 0, 0, 1})
	inf := mat.NewSymDense(2, []float64{math.Inf(1), 0, 0, 1})
	big := mat.NewSymDense(80, nil)
	for i := range 80 {
		big.SetSym(i, i, 1)
	}
	big.SetSym(3, 70, 1)
	big.SetSym(3, 71, 1)
	cases := []struct {
		name string
		a    *mat.SymDense
		want error
	}{
		{"NaN", nan, ErrNotFinite},
		{"Inf", inf, ErrNotFinite},
		{"negative", mat.NewSymDense(2, []float64{-1, 0, 0, -2}), ErrIndefinite},
		{"hollow", mat.NewSymDense(2, []float64{0, 1, 1, 0}), ErrIndefinite},
		{"one negative", mat.NewSymDense(2, []float64{1, 0, 0, -1}), ErrIndefinite},
		{"indefinite inside", big, ErrIndefinite},
	}
	for _, tc := range cases {
		if _, err := FactorPivoted(tc.a, -1); !errors.Is(err, tc.want) {
			t.Errorf("%s: error %v, want %v", tc.name, err, tc.want)
		}
	}
}
