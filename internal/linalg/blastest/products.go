package blastest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// Reference is what others are held against.
var Reference gonum.Implementation

// Arguments of routines.
var (
	Transposes = []blas.Transpose{blas.NoTrans, blas.Trans, blas.ConjTrans}
	Uplos      = []blas.Uplo{blas.Upper, blas.Lower}
	Scalars    = []float64{0, 1, -1.5, 0.37}
)

// One is an element of a list, drawn at random.
func One[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

// Roundoff bounds the difference of two sums of k products of normal numbers and a few
// more: 2⁻⁵²·k·(6·6·2), six being beyond what is drawn here.
func Roundoff(k int) float64 { return 0x1p-52 * float64(k+4) * 72 }

// Multiplier has the products that are compared.
type Multiplier interface {
	Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int)
	Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int)
}

// CompareProducts compares one product m×k times k×n and one of m×k with itself with gonum's,
// for transposes, a triangle and scalars drawn at random.
func CompareProducts(t *testing.T, rng *rand.Rand, impl Multiplier, m, n, k int) {
	t.Helper()
	tA, tB, alpha, beta := One(rng, Transposes), One(rng, Transposes), One(rng, Scalars), One(rng, Scalars)
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
	Reference.Dgemm(tA, tB, m, n, k, alpha, a.Data(), a.Stride, b.Data(), b.Stride, beta, want.Data(), want.Stride)
	Same(t, fmt.Sprintf("Dgemm %c%c %d×%d×%d alpha %g beta %g", tA, tB, m, n, k, alpha, beta), c.All, want.All, Roundoff(k))

	uplo := One(rng, Uplos)
	c = New(rng, m, m).Poison(uplo)
	want = c.Clone()
	impl.Dsyrk(uplo, tA, m, k, alpha, a.Data(), a.Stride, beta, c.Data(), c.Stride)
	Reference.Dsyrk(uplo, tA, m, k, alpha, a.Data(), a.Stride, beta, want.Data(), want.Stride)
	Same(t, fmt.Sprintf("Dsyrk %c%c %d×%d alpha %g beta %g", uplo, tA, m, k, alpha, beta), c.All, want.All, Roundoff(k))
}

// CompareProductPanics makes one argument of a product at a time bad, and expects what
// [SamePanic] does.
func CompareProductPanics(t *testing.T, impl Multiplier) {
	t.Helper()
	const n = 150
	a := make([]float64, n*n)
	short := a[1:]
	huge := math.MaxInt32
	huge++ // on 64 bits
	for what, f := range map[string]func(b Multiplier){
		"Dgemm transpose": func(b Multiplier) { b.Dgemm('X', 'N', n, n, n, 1, a, n, a, n, 0, a, n) },
		"Dgemm m":         func(b Multiplier) { b.Dgemm('N', 'N', -1, n, n, 1, a, n, a, n, 0, a, n) },
		"Dgemm k":         func(b Multiplier) { b.Dgemm('N', 'N', n, n, -1, 1, a, n, a, n, 0, a, n) },
		"Dgemm huge":      func(b Multiplier) { b.Dgemm('N', 'N', huge, n, n, 1, a, n, a, n, 0, a, n) },
		"Dgemm lda":       func(b Multiplier) { b.Dgemm('N', 'N', n, n, n, 1, a, n-1, a, n, 0, a, n) },
		"Dgemm huge lda":  func(b Multiplier) { b.Dgemm('N', 'N', n, n, n, 1, a, huge, a, n, 0, a, n) },
		"Dgemm ldc":       func(b Multiplier) { b.Dgemm('N', 'N', n, n, n, 1, a, n, a, n, 0, a, n-1) },
		"Dgemm short a":   func(b Multiplier) { b.Dgemm('T', 'N', n, n, n, 1, short, n, a, n, 0, a, n) },
		"Dgemm short b":   func(b Multiplier) { b.Dgemm('N', 'T', n, n, n, 1, a, n, short, n, 0, a, n) },
		"Dgemm short c":   func(b Multiplier) { b.Dgemm('N', 'N', n, n, n, 1, a, n, a, n, 0, short, n) },
		"Dsyrk uplo":      func(b Multiplier) { b.Dsyrk('X', 'N', n, n, 1, a, n, 0, a, n) },
		"Dsyrk transpose": func(b Multiplier) { b.Dsyrk('U', 'X', n, n, 1, a, n, 0, a, n) },
		"Dsyrk k":         func(b Multiplier) { b.Dsyrk('U', 'N', n, -1, 1, a, n, 0, a, n) },
		"Dsyrk short a":   func(b Multiplier) { b.Dsyrk('U', 'T', n, n, 1, short, n, 0, a, n) },
		"Dsyrk short c":   func(b Multiplier) { b.Dsyrk('U', 'N', n, n, 1, a, n, 0, short, n) },
		"Dsyrk ldc":       func(b Multiplier) { b.Dsyrk('U', 'T', n, n, 1, a, n, 0, a, n-1) },
	} {
		SamePanic(t, what, func() { f(impl) }, func() { f(Reference) })
	}
}

// SamePanic fails unless both panic, with the same words.
func SamePanic(t *testing.T, what string, f, gonum func()) {
	t.Helper()
	want := panicOf(gonum)
	if got := panicOf(f); got != want || want == "" {
		t.Errorf("%s: panics with %q, gonum with %q", what, got, want)
	}
}

// panicOf is what f panics with, "" if it does not.
func panicOf(f func()) (message string) {
	defer func() {
		if r := recover(); r != nil {
			message = fmt.Sprint(r)
		}
	}()
	f()
	return ""
}
