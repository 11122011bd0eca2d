package vector

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/testblas"

	"mercer/internal/linalg/blastest"
)

// TestLevel3: every routine passes gonum's own tests, agrees with gonum's for larger
// shapes, and panics as it does.
func TestLevel3(t *testing.T) {
	every(t, func(t *testing.T) {
		impl := Implementation{}
		testblas.TestDgemm(t, impl)
		testblas.DsyrkTest(t, impl)
		testblas.DsymmTest(t, impl)
		testblas.DtrsmTest(t, impl)
		rng := rand.New(rand.NewPCG(37, 41))
		for _, s := range shapes(rand.New(rand.NewPCG(89, 97)), count(300)) {
			for range 3 {
				blastest.CompareProducts(t, rng, impl, s[0], s[1], s[2])
				compareTriangular(t, rng, impl, s[0], s[1])
			}
		}
		comparePanics(t, impl)
	})
}

// level3 are the routines of level 3 that are compared.
type level3 interface {
	blastest.Multiplier
	Dsymm(s blas.Side, ul blas.Uplo, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int)
	Dtrsm(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int)
}

var (
	sides = []blas.Side{blas.Left, blas.Right}
	diags = []blas.Diag{blas.NonUnit, blas.Unit}
)

// compareTriangular multiplies by and solves with matrices of order 200 at most whose diagonal
// outweighs their rows, so that solutions are no larger than right-hand sides and errors no
// larger than a product's. With a unit diagonal the entries are scaled down to the same end.
func compareTriangular(t *testing.T, rng *rand.Rand, impl level3, m, n int) {
	t.Helper()
	s, uplo, tA, d, alpha, beta := blastest.One(rng, sides), blastest.One(rng, blastest.Uplos), blastest.One(rng, blastest.Transposes), blastest.One(rng, diags), blastest.One(rng, blastest.Scalars), blastest.One(rng, blastest.Scalars)
	m, n = min(m, 200), min(n, 200)
	order := n
	if s == blas.Left {
		order = m
	}
	a, b, c := blastest.New(rng, order, order).Dominant().Poison(uplo), blastest.New(rng, m, n), blastest.New(rng, m, n)
	what := fmt.Sprintf("%c%c%c%c %d×%d alpha %g beta %g", s, uplo, tA, d, m, n, alpha, beta)
	want := c.Clone()
	impl.Dsymm(s, uplo, m, n, alpha, a.Data(), a.Stride, b.Data(), b.Stride, beta, c.Data(), c.Stride)
	blastest.Reference.Dsymm(s, uplo, m, n, alpha, a.Data(), a.Stride, b.Data(), b.Stride, beta, want.Data(), want.Stride)
	tolerance := blastest.Roundoff(order) * float64(2*order)
	blastest.Same(t, "Dsymm "+what, c.All, want.All, tolerance)
	if d == blas.Unit {
		for i := range order {
			for j := range order {
				a.Set(i, j, a.At(i, j)/float64(2*order))
			}
			a.Set(i, i, math.NaN())
		}
	}
	want = b.Clone()
	impl.Dtrsm(s, uplo, tA, d, m, n, alpha, a.Data(), a.Stride, b.Data(), b.Stride)
	blastest.Reference.Dtrsm(s, uplo, tA, d, m, n, alpha, a.Data(), a.Stride, want.Data(), want.Stride)
	blastest.Same(t, "Dtrsm "+what, b.All, want.All, tolerance)
}

// comparePanics makes one argument at a time bad.
func comparePanics(t *testing.T, impl level3) {
	t.Helper()
	blastest.CompareProductPanics(t, impl)
	const n = 150
	a := make([]float64, n*n)
	short := a[1:]
	for what, f := range map[string]func(b level3){
		"Dsymm side":    func(b level3) { b.Dsymm('X', 'U', n, n, 1, a, n, a, n, 0, a, n) },
		"Dsymm short a": func(b level3) { b.Dsymm('L', 'U', n, n, 1, short, n, a, n, 0, a, n) },
		"Dsymm short b": func(b level3) { b.Dsymm('R', 'U', n, n, 1, a, n, short, n, 0, a, n) },
		"Dsymm short c": func(b level3) { b.Dsymm('L', 'U', n, n, 1, a, n, a, n, 0, short, n) },
		"Dtrsm side":    func(b level3) { b.Dtrsm('X', 'U', 'T', 'U', n, n, 1, a, n, a, n) },
		"Dtrsm diag":    func(b level3) { b.Dtrsm('L', 'U', 'N', 'X', n, n, 1, a, n, a, n) },
		"Dtrsm short a": func(b level3) { b.Dtrsm('R', 'U', 'N', 'N', n, n, 1, short, n, a, n) },
	} {
		blastest.SamePanic(t, what, func() { f(impl) }, func() { f(blastest.Reference) })
	}
}
