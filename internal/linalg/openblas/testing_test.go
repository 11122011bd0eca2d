package openblas

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// loadOnce loads what $MERCER_BLAS names or what is installed, so that
// `MERCER_BLAS=/path/to/lib go test -count=1` tests any library.
var loadOnce = sync.OnceValues(func() (*Library, error) { return Load("") })

func library(tb testing.TB) *Library {
	tb.Helper()
	l, err := loadOnce()
	if errors.Is(err, ErrDisabled) || errors.Is(err, ErrNotFound) || errors.Is(err, ErrNotSupported) {
		tb.Skipf("NOT TESTED: %v", err)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

// threads sets the number of threads for the rest of a test.
func threads(tb testing.TB, l *Library, n int) {
	tb.Helper()
	before := l.Threads()
	if err := l.SetThreads(n); err != nil {
		tb.Skipf("%v", err)
	}
	tb.Cleanup(func() {
		if err := l.SetThreads(before); err != nil {
			tb.Error(err)
		}
	})
}

var reference gonum.Implementation

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 3)) }

// block is an r×c matrix inside a larger array: offset elements before it,
// stride > c, and a tail behind it. Every element outside is set to a mark that
// must survive.
type block struct {
	all          []float64
	r, c, stride int
	offset       int
}

const mark = 1e300

func newBlock(rng *rand.Rand, r, c int) block {
	b := block{r: r, c: c, stride: max(1, c) + rng.IntN(4), offset: rng.IntN(5)}
	b.all = make([]float64, b.offset+max(1, r)*b.stride+3)
	for i := range b.all {
		b.all[i] = mark
	}
	for i := range r {
		for j := range c {
			b.data()[i*b.stride+j] = rng.NormFloat64()
		}
	}
	return b
}

// data begins at the first element and ends with the last one.
func (b block) data() []float64 {
	if b.r == 0 {
		return nil
	}
	return b.all[b.offset : b.offset+(b.r-1)*b.stride+b.c]
}

func (b block) at(i, j int) float64 { return b.all[b.offset+i*b.stride+j] }

func (b block) set(i, j int, v float64) { b.all[b.offset+i*b.stride+j] = v }

func (b block) clone() block {
	b.all = append([]float64(nil), b.all...)
	return b
}

// dominant makes a square block well conditioned, as a triangle too.
func (b block) dominant() block {
	for i := range min(b.r, b.c) {
		b.set(i, i, b.at(i, i)+float64(2*b.r))
	}
	return b
}

// positive fills a square block with a positive definite matrix of the rank.
func (b block) positive(rng *rand.Rand, rank int) block {
	factor := newBlock(rng, b.r, rank)
	for i := range b.r {
		for j := range b.r {
			s := 0.0
			for k := range rank {
				s += factor.at(i, k) * factor.at(j, k)
			}
			b.set(i, j, s)
		}
	}
	return b
}

// poison puts NaN where a routine must not read: the triangle opposite to uplo.
func (b block) poison(uplo blas.Uplo) block {
	for i := range b.r {
		for j := range b.c {
			if i != j && (j > i) != (uplo == blas.Upper) {
				b.set(i, j, math.NaN())
			}
		}
	}
	return b
}

// same fails unless the arrays agree to tolerance, marks and NaN included.
func same(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	for i := range want {
		g, w := got[i], want[i]
		if math.IsNaN(w) != math.IsNaN(g) || math.Abs(g-w) > tolerance || (w == mark) != (g == mark) {
			t.Errorf("%s: element %d of %d is %.17g, want %.17g ± %.2g", what, i, len(want), g, w, tolerance)
			return
		}
	}
}

// identical fails unless the arrays agree bit for bit.
func identical(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i := range want {
		if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
			t.Errorf("%s: element %d of %d is %.17g, was %.17g", what, i, len(want), got[i], want[i])
			return
		}
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

var (
	transposes = []blas.Transpose{blas.NoTrans, blas.Trans, blas.ConjTrans}
	uplos      = []blas.Uplo{blas.Upper, blas.Lower}
	sides      = []blas.Side{blas.Left, blas.Right}
	diags      = []blas.Diag{blas.NonUnit, blas.Unit}
	scalars    = []float64{0, 1, -1.5}
	// shapes around the thresholds, and beyond a block of the library's.
	shapes = [][3]int{{0, 5, 4}, {5, 0, 4}, {5, 4, 0}, {1, 1, 1}, {3, 7, 2}, {10, 10, 10}, {11, 13, 12}, {1, 40, 60}, {60, 1, 40}, {40, 60, 1}, {33, 65, 29}, {150, 70, 90}}
)
