// Package blastest holds matrix routines of BLAS to gonum's.
package blastest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// Routines are those of level 3 that an implementation replaces.
type Routines interface {
	Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int)
	Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int)
	Dsymm(s blas.Side, ul blas.Uplo, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int)
	Dtrsm(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int)
	Dtrmm(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int)
}

var (
	reference  gonum.Implementation
	transposes = []blas.Transpose{blas.NoTrans, blas.Trans, blas.ConjTrans}
	uplos      = []blas.Uplo{blas.Upper, blas.Lower}
	sides      = []blas.Side{blas.Left, blas.Right}
	diags      = []blas.Diag{blas.NonUnit, blas.Unit}
	scalars    = []float64{0, 1, -1.5, 0.37}
)

// Roundoff bounds the difference of two sums of k products of normal numbers and a few
// more: 2⁻⁵²·k·(6·6·2), six being beyond what is drawn here.
func Roundoff(k int) float64 { return 0x1p-52 * float64(k+4) * 72 }

func one[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

// Level3 compares all routines with gonum's, for shapes m, n, k and so many draws of
// transposes, triangles, sides and scalars for each.
func Level3(t *testing.T, impl Routines, shapes [][3]int, draws int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(37, 41))
	for _, s := range shapes {
		for range draws {
			products(t, rng, impl, s[0], s[1], s[2])
			triangular(t, rng, impl, s[0], s[1])
		}
	}
}

func products(t *testing.T, rng *rand.Rand, impl Routines, m, n, k int) {
	t.Helper()
	tA, tB, alpha, beta := one(rng, transposes), one(rng, transposes), one(rng, scalars), one(rng, scalars)
	stored := func(t blas.Transpose, r, c int) Matrix {
		if t != blas.NoTrans {
			r, c = c, r
		}
		return New(rng, r, c)
	}
	a, b, c := stored(tA, m, k), stored(tB, k, n), New(rng, m, n)
	if beta == 0 && m > 0 && n > 0 {
		c.Set(m-1, n-1, math.NaN())
	}
	want := c.Clone()
	impl.Dgemm(tA, tB, m, n, k, alpha, a.Data(), a.Stride, b.Data(), b.Stride, beta, c.Data(), c.Stride)
	reference.Dgemm(tA, tB, m, n, k, alpha, a.Data(), a.Stride, b.Data(), b.Stride, beta, want.Data(), want.Stride)
	Same(t, fmt.Sprintf("Dgemm %c%c %d×%d×%d alpha %g beta %g", tA, tB, m, n, k, alpha, beta), c.All, want.All, Roundoff(k))

	uplo := one(rng, uplos)
	c = New(rng, m, m).Poison(uplo)
	want = c.Clone()
	impl.Dsyrk(uplo, tA, m, k, alpha, a.Data(), a.Stride, beta, c.Data(), c.Stride)
	reference.Dsyrk(uplo, tA, m, k, alpha, a.Data(), a.Stride, beta, want.Data(), want.Stride)
	Same(t, fmt.Sprintf("Dsyrk %c%c %d×%d alpha %g beta %g", uplo, tA, m, k, alpha, beta), c.All, want.All, Roundoff(k))
}

// triangular solves with and multiplies by matrices of order 200 at most whose diagonal
// outweighs their rows, so that solutions are no larger than right-hand sides and errors no
// larger than a product's. With a unit diagonal the entries are scaled down to the same end.
func triangular(t *testing.T, rng *rand.Rand, impl Routines, m, n int) {
	t.Helper()
	s, uplo, tA, d, alpha, beta := one(rng, sides), one(rng, uplos), one(rng, transposes), one(rng, diags), one(rng, scalars), one(rng, scalars)
	m, n = min(m, 200), min(n, 200)
	order := n
	if s == blas.Left {
		order = m
	}
	a, b, c := New(rng, order, order).Dominant().Poison(uplo), New(rng, m, n), New(rng, m, n)
	what := fmt.Sprintf("%c%c%c%c %d×%d alpha %g beta %g", s, uplo, tA, d, m, n, alpha, beta)
	want := c.Clone()
	impl.Dsymm(s, uplo, m, n, alpha, a.Data(), a.Stride, b.Data(), b.Stride, beta, c.Data(), c.Stride)
	reference.Dsymm(s, uplo, m, n, alpha, a.Data(), a.Stride, b.Data(), b.Stride, beta, want.Data(), want.Stride)
	tolerance := Roundoff(order) * float64(2*order)
	Same(t, "Dsymm "+what, c.All, want.All, tolerance)
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
	Same(t, "Dtrsm "+what, b.All, want.All, tolerance)
	b = New(rng, m, n)
	want = b.Clone()
	impl.Dtrmm(s, uplo, tA, d, m, n, alpha, a.Data(), a.Stride, b.Data(), b.Stride)
	reference.Dtrmm(s, uplo, tA, d, m, n, alpha, a.Data(), a.Stride, want.Data(), want.Stride)
	Same(t, "Dtrmm "+what, b.All, want.All, tolerance)
}

// Panics makes one argument at a time bad and expects gonum's panic with gonum's words.
func Panics(t *testing.T, impl Routines) {
	t.Helper()
	const n = 150
	a := make([]float64, n*n)
	short := a[1:]
	huge := math.MaxInt32
	huge++ // on 64 bits
	for what, f := range map[string]func(b Routines){
		"Dgemm transpose": func(b Routines) { b.Dgemm('X', 'N', n, n, n, 1, a, n, a, n, 0, a, n) },
		"Dgemm m":         func(b Routines) { b.Dgemm('N', 'N', -1, n, n, 1, a, n, a, n, 0, a, n) },
		"Dgemm k":         func(b Routines) { b.Dgemm('N', 'N', n, n, -1, 1, a, n, a, n, 0, a, n) },
		"Dgemm huge":      func(b Routines) { b.Dgemm('N', 'N', huge, n, n, 1, a, n, a, n, 0, a, n) },
		"Dgemm lda":       func(b Routines) { b.Dgemm('N', 'N', n, n, n, 1, a, n-1, a, n, 0, a, n) },
		"Dgemm huge lda":  func(b Routines) { b.Dgemm('N', 'N', n, n, n, 1, a, huge, a, n, 0, a, n) },
		"Dgemm ldc":       func(b Routines) { b.Dgemm('N', 'N', n, n, n, 1, a, n, a, n, 0, a, n-1) },
		"Dgemm short a":   func(b Routines) { b.Dgemm('T', 'N', n, n, n, 1, short, n, a, n, 0, a, n) },
		"Dgemm short b":   func(b Routines) { b.Dgemm('N', 'T', n, n, n, 1, a, n, short, n, 0, a, n) },
		"Dgemm short c":   func(b Routines) { b.Dgemm('N', 'N', n, n, n, 1, a, n, a, n, 0, short, n) },
		"Dsyrk uplo":      func(b Routines) { b.Dsyrk('X', 'N', n, n, 1, a, n, 0, a, n) },
		"Dsyrk transpose": func(b Routines) { b.Dsyrk('U', 'X', n, n, 1, a, n, 0, a, n) },
		"Dsyrk k":         func(b Routines) { b.Dsyrk('U', 'N', n, -1, 1, a, n, 0, a, n) },
		"Dsyrk short a":   func(b Routines) { b.Dsyrk('U', 'T', n, n, 1, short, n, 0, a, n) },
		"Dsyrk short c":   func(b Routines) { b.Dsyrk('U', 'N', n, n, 1, a, n, 0, short, n) },
		"Dsyrk ldc":       func(b Routines) { b.Dsyrk('U', 'T', n, n, 1, a, n, 0, a, n-1) },
		"Dsymm side":      func(b Routines) { b.Dsymm('X', 'U', n, n, 1, a, n, a, n, 0, a, n) },
		"Dsymm short a":   func(b Routines) { b.Dsymm('L', 'U', n, n, 1, short, n, a, n, 0, a, n) },
		"Dsymm short b":   func(b Routines) { b.Dsymm('R', 'U', n, n, 1, a, n, short, n, 0, a, n) },
		"Dsymm short c":   func(b Routines) { b.Dsymm('L', 'U', n, n, 1, a, n, a, n, 0, short, n) },
		"Dtrsm side":      func(b Routines) { b.Dtrsm('X', 'U', 'T', 'U', n, n, 1, a, n, a, n) },
		"Dtrsm diag":      func(b Routines) { b.Dtrsm('L', 'U', 'N', 'X', n, n, 1, a, n, a, n) },
		"Dtrsm short a":   func(b Routines) { b.Dtrsm('R', 'U', 'N', 'N', n, n, 1, short, n, a, n) },
		"Dtrmm short b":   func(b Routines) { b.Dtrmm('L', 'L', 'T', 'U', n, n, 1, a, n, short, n) },
		"Dtrmm n":         func(b Routines) { b.Dtrmm('L', 'U', 'T', 'U', n, -1, 1, a, n, a, n) },
	} {
		want := PanicOf(func() { f(reference) })
		if got := PanicOf(func() { f(impl) }); got != want || want == "" {
			t.Errorf("%s: panics with %q, gonum with %q", what, got, want)
		}
	}
}

// PanicOf is what f panics with, "" if it does not.
func PanicOf(f func()) (message string) {
	defer func() {
		if r := recover(); r != nil {
			message = fmt.Sprint(r)
		}
	}()
	f()
	return ""
}
