package linalg

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/mat"
)

func TestBackend(t *testing.T) {
	if got := Backend(); got != "gonum, pure Go" {
		t.Errorf("Backend() = %q", got)
	}
}

// namedBLAS is an adapter as a run-time BLAS would be: gonum's implementation
// with some routines replaced.
type namedBLAS struct {
	gonum.Implementation
	calls *int
}

func (namedBLAS) String() string { return "named 1.0" }

func (b namedBLAS) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, x []float64, ldx int, beta float64, c []float64, ldc int) {
	*b.calls++
	b.Implementation.Dgemm(tA, tB, m, n, k, alpha, a, lda, x, ldx, beta, c, ldc)
}

func (b namedBLAS) Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int) {
	*b.calls++
	b.Implementation.Dsyrk(ul, t, n, k, alpha, a, lda, beta, c, ldc)
}

// TestRegisteredBLAS: an adapter registered by blas64.Use names itself and
// receives the level-3 work.
func TestRegisteredBLAS(t *testing.T) {
	calls := 0
	blas64.Use(namedBLAS{calls: &calls})
	defer blas64.Use(gonum.Implementation{})
	if got := Backend(); got != "named 1.0" {
		t.Errorf("Backend() = %q, want \"named 1.0\"", got)
	}
	a := normalDense(newRand(1), 20, 10)
	Gemm(blas.Trans, blas.NoTrans, 1, a.RawMatrix(), a.RawMatrix(), 0, newGeneral(10, 10))
	Gram(blas.Trans, a)
	if calls != 2 {
		t.Errorf("%d calls to the registered Dgemm and Dsyrk, want 2", calls)
	}
}

// TestSyrkUpper compares with gonum's full product. Elements are sums of k+1
// terms of size about 1: k·eps times the largest term (under 30) bounds the
// difference of two orders of summation.
func TestSyrkUpper(t *testing.T) {
	rng := newRand(1)
	for _, shape := range [][2]int{{1, 1}, {1, 7}, {7, 1}, {63, 64}, {129, 30}, {300, 600}, {257, 1100}} {
		n, k := shape[0], shape[1]
		for _, trans := range []blas.Transpose{blas.NoTrans, blas.Trans} {
			t.Run(fmt.Sprintf("n=%d/k=%d/%c", n, k, trans), func(t *testing.T) {
				a := normalDense(rng, n, k)
				in := a
				if trans == blas.Trans {
					in = mat.DenseCopyOf(a.T())
				}
				// Junk below the diagonal must stay as it is.
				data := make([]float64, n*n)
				want := mat.NewDense(n, n, nil)
				want.Mul(a, a.T())
				want.Scale(-1.5, want)
				for i := range n {
					for j := range n {
						data[i*n+j] = float64(i + 2*j)
						want.Set(i, j, want.At(i, j)+float64(min(i, j)+2*max(i, j)))
					}
				}
				c := mat.NewSymDense(n, data)
				SyrkUpper(trans, -1.5, in, c)
				within(t, "C", c, want, 60*float64(k)*eps+float64(3*n)*8*eps)
				for i := range n {
					for j := range i {
						if data[i*n+j] != float64(i+2*j) {
							t.Fatalf("storage below the diagonal changed at (%d, %d)", i, j)
						}
					}
				}
			})
		}
	}
	mustPanic(t, "shape", func() { SyrkUpper(blas.NoTrans, 1, mat.NewDense(3, 2, nil), mat.NewSymDense(2, nil)) })
}

func wellConditionedLower(n int, seed uint64) *mat.TriDense {
	rng := newRand(seed)
	l := mat.NewTriDense(n, mat.Lower, nil)
	for i := range n {
		for j := range i {
			l.SetTri(i, j, rng.NormFloat64()/math.Sqrt(float64(n)))
		}
		l.SetTri(i, i, 1+rng.Float64())
	}
	return l
}

// TestTriangularSolves bounds the residual of each solve and its distance from
// gonum's Dtrsm. Substitution is backward stable: |L·X − B| ≤ n·eps·|L|·|X|
// by elements; the largest row sum of |L| here is about √n.
func TestTriangularSolves(t *testing.T) {
	for _, n := range []int{1, 5, 32, 33, 64, 100, 257} {
		for _, k := range []int{1, 40, 300} {
			t.Run(fmt.Sprintf("n=%d/k=%d", n, k), func(t *testing.T) {
				l := wellConditionedLower(n, uint64(n))
				b := normalDense(newRand(uint64(k)), n, k)
				check := func(name string, x *mat.Dense, op mat.Matrix, tA blas.Transpose) {
					t.Helper()
					var back mat.Dense
					back.Mul(op, x)
					within(t, name+" residual", &back, b, float64(n)*eps*(2+math.Sqrt(float64(n)))*max(1, maxAbs(x)))
					ref := mat.DenseCopyOf(b)
					blas64.Trsm(blas.Left, tA, 1, l.RawTriangular(), ref.RawMatrix())
					within(t, name+" against Dtrsm", x, ref, 1e-11*max(1, maxAbs(ref)))
				}
				r := mat.DenseCopyOf(b.T())
				SolveRight(r, l)
				check("SolveRight", mat.DenseCopyOf(r.T()), l, blas.NoTrans)
				x := mat.DenseCopyOf(b)
				SolveLowerTrans(l, x)
				check("SolveLowerTrans", x, l.T(), blas.Trans)
			})
		}
	}
	l := wellConditionedLower(4, 1)
	mustPanic(t, "rows", func() { SolveLowerTrans(l, mat.NewDense(3, 2, nil)) })
	mustPanic(t, "columns", func() { SolveRight(mat.NewDense(4, 2, nil), l) })
	mustPanic(t, "upper", func() { SolveLowerTrans(mat.NewTriDense(4, mat.Upper, nil), mat.NewDense(4, 2, nil)) })
}

// TestGemm: what BLAS is not asked. Its own products are tested where it is.
func TestGemm(t *testing.T) {
	c := mat.NewDense(2, 2, []float64{1, math.NaN(), 3, 4})
	Gemm(blas.NoTrans, blas.NoTrans, 1, newGeneral(2, 0), newGeneral(0, 2), 0, c.RawMatrix())
	within(t, "product over nothing", c, mat.NewDense(2, 2, nil), 0)
	mustPanic(t, "inner", func() { Gemm(blas.NoTrans, blas.NoTrans, 1, newGeneral(2, 3), newGeneral(2, 2), 0, newGeneral(2, 2)) })
}
