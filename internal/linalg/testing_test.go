package linalg

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func normalDense(rng *rand.Rand, r, c int) *mat.Dense {
	data := make([]float64, r*c)
	for i := range data {
		data[i] = rng.NormFloat64()
	}
	return mat.NewDense(r, c, data)
}

// withSpectrum is Q·diag(f(0), …, f(n−1))·Qᵀ with Q a product of reflections
// along random vectors: its eigenvalues are known to rounding.
func withSpectrum(rng *rand.Rand, n int, f func(i int) float64) *mat.SymDense {
	a := mat.NewSymDense(n, nil)
	for i := range n {
		a.SetSym(i, i, f(i))
	}
	for range 3 {
		v := mat.NewVecDense(n, nil)
		for i := range n {
			v.SetVec(i, rng.NormFloat64())
		}
		v.ScaleVec(1/mat.Norm(v, 2), v)
		w := mat.NewVecDense(n, nil)
		w.MulVec(a, v)
		w.AddScaledVec(w, -mat.Dot(v, w), v)
		a.RankTwo(a, -2, v, w)
	}
	return a
}

// gaussianGram is exp(−|x−y|²/2σ²) on n points in [0,1]^dim.
func gaussianGram(rng *rand.Rand, n, dim int, sigma float64) *mat.SymDense {
	x := make([][]float64, n)
	for i := range x {
		x[i] = make([]float64, dim)
		for j := range x[i] {
			x[i][j] = rng.Float64()
		}
	}
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			var d float64
			for k := range dim {
				d += (x[i][k] - x[j][k]) * (x[i][k] - x[j][k])
			}
			a.SetSym(i, j, math.Exp(-d/(2*sigma*sigma)))
		}
	}
	return a
}

func maxAbs(a mat.Matrix) float64 {
	r, c := a.Dims()
	var m float64
	for i := range r {
		for j := range c {
			m = max(m, math.Abs(a.At(i, j)))
		}
	}
	return m
}

// within fails unless every element of got is within tol of want's.
func within(t *testing.T, what string, got, want mat.Matrix, tol float64) {
	t.Helper()
	gr, gc := got.Dims()
	wr, wc := want.Dims()
	if gr != wr || gc != wc {
		t.Fatalf("%s is %d×%d, want %d×%d", what, gr, gc, wr, wc)
	}
	for i := range gr {
		for j := range gc {
			if !(math.Abs(got.At(i, j)-want.At(i, j)) <= tol) {
				t.Fatalf("%s[%d,%d] = %.17g, want %.17g ± %.2g", what, i, j, got.At(i, j), want.At(i, j), tol)
			}
		}
	}
}

// orthonormal fails unless the columns are orthonormal to 1e-12, a hundred
// times the rounding error of the products that test it.
func orthonormal(t *testing.T, q *mat.Dense) {
	t.Helper()
	g := Gram(blas.Trans, q)
	eye := mat.NewDiagDense(g.SymmetricDim(), nil)
	for i := range g.SymmetricDim() {
		eye.SetDiag(i, 1)
	}
	within(t, "VᵀV", g, eye, 1e-12)
}

// signRule fails unless the first entry of largest magnitude of each column is
// positive.
func signRule(t *testing.T, q *mat.Dense) {
	t.Helper()
	n, k := q.Dims()
	for j := range k {
		at := 0
		for i := range n {
			if math.Abs(q.At(i, j)) > math.Abs(q.At(at, j)) {
				at = i
			}
		}
		if q.At(at, j) < 0 {
			t.Errorf("column %d: entry %d of largest magnitude is %g", j, at, q.At(at, j))
		}
	}
}

func descending(t *testing.T, values []float64) {
	t.Helper()
	for i := 1; i < len(values); i++ {
		if !(values[i] <= values[i-1]) {
			t.Errorf("value %d = %g follows %g", i, values[i], values[i-1])
		}
	}
}

func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", what)
		}
	}()
	f()
}
