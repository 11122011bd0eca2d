package data

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/configs/source"
	"mercer/internal/kernel"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 2)) }

// repeat are streams as the runner gives them, keyed by a number and a purpose.
func repeat(number uint64) Streams {
	return func(purpose string) Source {
		h := fnv.New64a()
		fmt.Fprint(h, purpose)
		return rand.NewPCG(number, h.Sum64())
	}
}

func normalMatrix(rng *rand.Rand, r, c int) *mat.Dense {
	x := mat.NewDense(r, c, nil)
	x.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, x)
	return x
}

// given is the image of wanted moments.
func given(image *mat.SymDense) func() *mat.SymDense {
	return func() *mat.SymDense { return image }
}

// must is for constructors whose arguments the test knows to be right.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// open decodes and opens a data set as a spec does.
func open(use, parameters string, c Context) (Dataset, error) {
	options := Registry[use].New()
	p, err := source.Params("dataset", use, parameters)
	if err == nil {
		_, err = p.Bind(options, nil)
	}
	if err != nil {
		return nil, err
	}
	if c.Streams == nil {
		c.Streams = repeat(999)
	}
	return options.Open(c)
}

// near fails unless |got − want| <= tolerance.
func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.17g, want %.17g: %.2g apart, tolerance %.2g", what, got, want, math.Abs(got-want), tolerance)
	}
}

// sameMoments compares moments entry by entry, those of size 1, and what the leading
// eigenfunctions leave with its definition. The signs of eigenfunctions are free: rows of C
// are compared up to one sign each.
func sameMoments(t *testing.T, name string, got, want Moments, tolerance float64) {
	t.Helper()
	if len(got.Mean) != len(want.Mean) || len(got.Tau) != len(want.Tau) {
		t.Fatalf("%s: moments of %d and %d functions, want %d", name, len(got.Mean), len(got.Tau), len(want.Mean))
	}
	for i := range want.Mean {
		near(t, fmt.Sprintf("%s: mean %d", name, i), got.Mean[i], want.Mean[i], tolerance)
		near(t, fmt.Sprintf("%s: tau %d", name, i), got.Tau[i], want.Tau[i], tolerance)
		for j := range want.Mean {
			near(t, fmt.Sprintf("%s: covariance (%d, %d)", name, i, j), got.Cov.At(i, j), want.Cov.At(i, j), tolerance)
			near(t, fmt.Sprintf("%s: image (%d, %d)", name, i, j), got.Image().At(i, j), want.Image().At(i, j), tolerance)
		}
	}
	if want.Eigen == nil || got.Eigen == nil {
		if want.Eigen != got.Eigen {
			t.Errorf("%s: coefficients by eigenfunction: %v, want %v", name, got.Eigen, want.Eigen)
		}
		return
	}
	r, c := want.Eigen.Dims()
	if gr, gc := got.Eigen.Dims(); gr != r || gc != c {
		t.Fatalf("%s: C is %d×%d, want %d×%d", name, gr, gc, r, c)
	}
	for ell := range r + 1 {
		rest := got.Rest(ell)
		for i := range c {
			for j := range c {
				known := 0.0
				for e := range ell {
					known += got.Eigen.At(e, i) * got.Eigen.At(e, j)
				}
				near(t, fmt.Sprintf("%s: rest beyond %d (%d, %d)", name, ell, i, j), rest.At(i, j), got.Cov.At(i, j)-known, tolerance)
			}
		}
	}
	for i := range r {
		sign := 1.0
		if mat.Dot(got.Eigen.RowView(i), want.Eigen.RowView(i)) < 0 {
			sign = -1
		}
		for j := range c {
			near(t, fmt.Sprintf("%s: C(%d, %d)", name, i, j), sign*got.Eigen.At(i, j), want.Eigen.At(i, j), tolerance)
		}
	}
}

// maxZ is the deviation, in standard errors, that Monte Carlo checks let pass.
// Exact values exceed it once in 1.7 million checks; there are under 600, so
// that a new seed raises a false alarm with probability 4e-4. Seeds are fixed.
const maxZ = 5.0

// estimate is a mean of independent terms.
type estimate struct{ n, sum, squares float64 }

func (e *estimate) add(v float64) { e.n++; e.sum += v; e.squares += v * v }

// z is the distance of the mean from want in standard errors. The floor of
// 1e-10 is for terms that do not vary at all.
func (e *estimate) z(want float64) float64 {
	mean := e.sum / e.n
	deviation := math.Sqrt(max(e.squares/e.n-mean*mean, 0)) + 1e-10
	return math.Abs(mean-want) / deviation * math.Sqrt(e.n)
}

func (e *estimate) check(t *testing.T, what string, want float64) {
	t.Helper()
	if z := e.z(want); !(z <= maxZ) {
		t.Errorf("%s: %v by the population, %v by %v draws: %.1f standard errors", what, want, e.sum/e.n, e.n, z)
	}
}

// monteCarlo compares moments of f with averages over draws of pairs X, X' of
// P: E f, E (f_i−Ef_i)(f_j−Ef_j), E f̄(X) k(X,X') f̄(X') for τ, and over draws of
// four E f̄_i(X) k(X,Y) (k(Y,X') − k(Y',X')) f̄_j(X') for ⟨L f_i, L f_j⟩. e(i, x),
// where given, are the eigenfunctions.
func monteCarlo(t *testing.T, name string, f kernel.Functions, k kernel.Kernel, m Moments, draw func() float64, e func(i int, x float64) float64) {
	t.Helper()
	const pairs = 40_000
	l := f.Len()
	x := mat.NewDense(2*pairs, 1, nil)
	for i := range 2 * pairs {
		x.Set(i, 0, draw())
	}
	values := f.Eval(x)
	for i := range l {
		var mean, tau estimate
		for a := range pairs {
			mean.add(values.At(a, i))
			left, right := values.At(2*a, i)-m.Mean[i], values.At(2*a+1, i)-m.Mean[i]
			tau.add(left * right * k.At(x.RawRowView(2*a), x.RawRowView(2*a+1)))
		}
		mean.check(t, fmt.Sprintf("%s: mean %d", name, i), m.Mean[i])
		tau.check(t, fmt.Sprintf("%s: tau %d", name, i), m.Tau[i])
		for j := range i + 1 {
			var cov estimate
			for a := range 2 * pairs {
				cov.add((values.At(a, i) - m.Mean[i]) * (values.At(a, j) - m.Mean[j]))
			}
			cov.check(t, fmt.Sprintf("%s: covariance (%d, %d)", name, i, j), m.Cov.At(i, j))
			if j > 0 {
				continue
			}
			var image estimate
			at := func(a, b int) float64 { return k.At(x.RawRowView(a), x.RawRowView(b)) }
			for a := 0; a < 2*pairs; a += 4 {
				left, right := values.At(a, i)-m.Mean[i], values.At(a+1, j)-m.Mean[j]
				image.add(left * at(a, a+2) * (at(a+2, a+1) - at(a+3, a+1)) * right)
			}
			image.check(t, fmt.Sprintf("%s: image (%d, %d)", name, i, j), m.Image().At(i, j))
		}
		if e == nil {
			continue
		}
		eigen, _ := m.Eigen.Dims()
		for j := range eigen {
			var c estimate
			for a := range 2 * pairs {
				c.add(values.At(a, i) * e(j+1, x.At(a, 0)))
			}
			c.check(t, fmt.Sprintf("%s: C(%d, %d)", name, j, i), m.Eigen.At(j, i))
		}
	}
}
