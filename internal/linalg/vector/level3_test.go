package vector

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/blas/testblas"
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
				compareProducts(t, rng, impl, s[0], s[1], s[2])
				compareTriangular(t, rng, impl, s[0], s[1])
			}
		}
		comparePanics(t, impl)
	})
}

// level3 are the routines of level 3 that are compared.
type level3 interface {
	Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int)
	Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int)
	Dsymm(s blas.Side, ul blas.Uplo, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int)
	Dtrsm(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int)
}

var (
	reference gonum.Implementation
	uplos     = []blas.Uplo{blas.Upper, blas.Lower}
	sides     = []blas.Side{blas.Left, blas.Right}
	diags     = []blas.Diag{blas.NonUnit, blas.Unit}
	scalars   = []float64{0, 1, -1.5, 0.37}
)

// roundoff bounds the difference of two sums of k products of normal numbers and a few
// more: 2⁻⁵²·k·(6·6·2), six being beyond what is drawn here.
func roundoff(k int) float64 { return 0x1p-52 * float64(k+4) * 72 }

func one[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

func compareProducts(t *testing.T, rng *rand.Rand, impl level3, m, n, k int) {
	t.Helper()
	tA, tB, alpha, beta := one(rng, transposes), one(rng, transposes), one(rng, scalars), one(rng, scalars)
	stored := func(t blas.Transpose, r, c int) padded {
		if t != blas.NoTrans {
			r, c = c, r
		}
		return newPadded(rng, r, c)
	}
	a, b, c := stored(tA, m, k), stored(tB, k, n), newPadded(rng, m, n)
	if beta == 0 && m > 0 && n > 0 {
		c.Set(m-1, n-1, math.NaN())
	}
	want := c.Clone()
	impl.Dgemm(tA, tB, m, n, k, alpha, a.Data(), a.Stride, b.Data(), b.Stride, beta, c.Data(), c.Stride)
	reference.Dgemm(tA, tB, m, n, k, alpha, a.Data(), a.Stride, b.Data(), b.Stride, beta, want.Data(), want.Stride)
	same(t, fmt.Sprintf("Dgemm %c%c %d×%d×%d alpha %g beta %g", tA, tB, m, n, k, alpha, beta), c.All, want.All, roundoff(k))

	uplo := one(rng, uplos)
	c = newPadded(rng, m, m).Poison(uplo)
	want = c.Clone()
	impl.Dsyrk(uplo, tA, m, k, alpha, a.Data(), a.Stride, beta, c.Data(), c.Stride)
	reference.Dsyrk(uplo, tA, m, k, alpha, a.Data(), a.Stride, beta, want.Data(), want.Stride)
	same(t, fmt.Sprintf("Dsyrk %c%c %d×%d alpha %g beta %g", uplo, tA, m, k, alpha, beta), c.All, want.All, roundoff(k))
}

// compareTriangular multiplies by and solves with matrices of order 200 at most whose diagonal
// outweighs their rows, so that solutions are no larger than right-hand sides and errors no
// larger than a product's. With a unit diagonal the entries are scaled down to the same end.
func compareTriangular(t *testing.T, rng *rand.Rand, impl level3, m, n int) {
	t.Helper()
	s, uplo, tA, d, alpha, beta := one(rng, sides), one(rng, uplos), one(rng, transposes), one(rng, diags), one(rng, scalars), one(rng, scalars)
	m, n = min(m, 200), min(n, 200)
	order := n
	if s == blas.Left {
		order = m
	}
	a, b, c := newPadded(rng, order, order).Dominant().Poison(uplo), newPadded(rng, m, n), newPadded(rng, m, n)
	what := fmt.Sprintf("%c%c%c%c %d×%d alpha %g beta %g", s, uplo, tA, d, m, n, alpha, beta)
	want := c.Clone()
	impl.Dsymm(s, uplo, m, n, alpha, a.Data(), a.Stride, b.Data(), b.Stride, beta, c.Data(), c.Stride)
	reference.Dsymm(s, uplo, m, n, alpha, a.Data(), a.Stride, b.Data(), b.Stride, beta, want.Data(), want.Stride)
	tolerance := roundoff(order) * float64(2*order)
	same(t, "Dsymm "+what, c.All, want.All, tolerance)
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
	reference.Dtrsm(s, uplo, tA, d, m, n, alpha, a.Data(), a.Stride, want.Data(), want.Stride)
	same(t, "Dtrsm "+what, b.All, want.All, tolerance)
}

// comparePanics makes one argument at a time bad and expects gonum's panic with gonum's words.
func comparePanics(t *testing.T, impl level3) {
	t.Helper()
	const n = 150
	a := make([]float64, n*n)
	short := a[1:]
	huge := math.MaxInt32
	huge++ // on 64 bits
	for what, f := range map[string]func(b level3){
		"Dgemm transpose": func(b level3) { b.Dgemm('X', 'N', n, n, n, 1, a, n, a, n, 0, a, n) },
		"Dgemm m":         func(b level3) { b.Dgemm('N', 'N', -1, n, n, 1, a, n, a, n, 0, a, n) },
		"Dgemm k":         func(b level3) { b.Dgemm('N', 'N', n, n, -1, 1, a, n, a, n, 0, a, n) },
		"Dgemm huge":      func(b level3) { b.Dgemm('N', 'N', huge, n, n, 1, a, n, a, n, 0, a, n) },
		"Dgemm lda":       func(b level3) { b.Dgemm('N', 'N', n, n, n, 1, a, n-1, a, n, 0, a, n) },
		"Dgemm huge lda":  func(b level3) { b.Dgemm('N', 'N', n, n, n, 1, a, huge, a, n, 0, a, n) },
		"Dgemm ldc":       func(b level3) { b.Dgemm('N', 'N', n, n, n, 1, a, n, a, n, 0, a, n-1) },
		"Dgemm short a":   func(b level3) { b.Dgemm('T', 'N', n, n, n, 1, short, n, a, n, 0, a, n) },
		"Dgemm short b":   func(b level3) { b.Dgemm('N', 'T', n, n, n, 1, a, n, short, n, 0, a, n) },
		"Dgemm short c":   func(b level3) { b.Dgemm('N', 'N', n, n, n, 1, a, n, a, n, 0, short, n) },
		"Dsyrk uplo":      func(b level3) { b.Dsyrk('X', 'N', n, n, 1, a, n, 0, a, n) },
		"Dsyrk transpose": func(b level3) { b.Dsyrk('U', 'X', n, n, 1, a, n, 0, a, n) },
		"Dsyrk k":         func(b level3) { b.Dsyrk('U', 'N', n, -1, 1, a, n, 0, a, n) },
		"Dsyrk short a":   func(b level3) { b.Dsyrk('U', 'T', n, n, 1, short, n, 0, a, n) },
		"Dsyrk short c":   func(b level3) { b.Dsyrk('U', 'N', n, n, 1, a, n, 0, short, n) },
		"Dsyrk ldc":       func(b level3) { b.Dsyrk('U', 'T', n, n, 1, a, n, 0, a, n-1) },
		"Dsymm side":      func(b level3) { b.Dsymm('X', 'U', n, n, 1, a, n, a, n, 0, a, n) },
		"Dsymm short a":   func(b level3) { b.Dsymm('L', 'U', n, n, 1, short, n, a, n, 0, a, n) },
		"Dsymm short b":   func(b level3) { b.Dsymm('R', 'U', n, n, 1, a, n, short, n, 0, a, n) },
		"Dsymm short c":   func(b level3) { b.Dsymm('L', 'U', n, n, 1, a, n, a, n, 0, short, n) },
		"Dtrsm side":      func(b level3) { b.Dtrsm('X', 'U', 'T', 'U', n, n, 1, a, n, a, n) },
		"Dtrsm diag":      func(b level3) { b.Dtrsm('L', 'U', 'N', 'X', n, n, 1, a, n, a, n) },
		"Dtrsm short a":   func(b level3) { b.Dtrsm('R', 'U', 'N', 'N', n, n, 1, short, n, a, n) },
	} {
		want := fmt.Sprint(recovered(func() { f(reference) }))
		if got := fmt.Sprint(recovered(func() { f(impl) })); got != want || want == "<nil>" {
			t.Errorf("%s: panics with %q, gonum with %q", what, got, want)
		}
	}
}

// padded is an R×C matrix inside a larger array: some elements before it, Stride > C, and a
// tail behind it. Every element outside is set to [mark], which must survive.
type padded struct {
	All          []float64
	R, C, Stride int
	offset       int
}

// mark is what stands around a [padded].
const mark = 1e300

// newPadded is a matrix of normal numbers.
func newPadded(rng *rand.Rand, r, c int) padded {
	m := padded{R: r, C: c, Stride: max(1, c) + rng.IntN(4), offset: rng.IntN(5)}
	m.All = slices.Repeat([]float64{mark}, m.offset+max(1, r)*m.Stride+3)
	for i := range r {
		for j := range c {
			m.Set(i, j, rng.NormFloat64())
		}
	}
	return m
}

// Data begins at the first element and ends with the last one.
func (m padded) Data() []float64 {
	if m.R == 0 {
		return nil
	}
	return m.All[m.offset : m.offset+(m.R-1)*m.Stride+m.C]
}

// At is an element.
func (m padded) At(i, j int) float64 { return m.All[m.offset+i*m.Stride+j] }

// Set sets an element.
func (m padded) Set(i, j int, v float64) { m.All[m.offset+i*m.Stride+j] = v }

// Clone is a copy, with its surroundings.
func (m padded) Clone() padded {
	m.All = slices.Clone(m.All)
	return m
}

// Dominant makes the diagonal of a square matrix outweigh its rows, so that it is well
// conditioned, as a triangle too.
func (m padded) Dominant() padded {
	for i := range m.R {
		m.Set(i, i, m.At(i, i)+float64(2*m.R))
	}
	return m
}

// Poison puts NaN where a routine must not read: the triangle opposite to uplo.
func (m padded) Poison(uplo blas.Uplo) padded {
	for i := range m.R {
		for j := range m.C {
			if i != j && (j > i) != (uplo == blas.Upper) {
				m.Set(i, j, math.NaN())
			}
		}
	}
	return m
}

// same fails unless arrays agree to a tolerance, marks and NaN included.
func same(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	for i, w := range want {
		g := got[i]
		if math.IsNaN(w) != math.IsNaN(g) || math.Abs(g-w) > tolerance || (w == mark) != (g == mark) {
			t.Errorf("%s: element %d of %d is %.17g, want %.17g ± %.2g", what, i, len(want), g, w, tolerance)
			return
		}
	}
}
