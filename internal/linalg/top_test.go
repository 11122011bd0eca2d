package linalg

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"
)

// iterative are options under which no matrix of the tests is solved densely.
func iterative(ell int) TopOptions {
	o := DefaultTopOptions(ell)
	o.DenseBelow, o.FallbackBelow = 0, 0
	return o
}

// plain is an operator of a caller: no row layout, no dense form.
type plain struct{ a mat.Matrix }

func (p plain) Dim() int                  { n, _ := p.a.Dims(); return n }
func (p plain) Apply(dst, src *mat.Dense) { dst.Mul(p.a, src) }

// checkTop holds a result against the known matrix: the residuals are
// recomputed by gonum's product, the values compared with a dense solve.
// Values of a symmetric matrix are as accurate as the residual, 1e-12·‖A‖, or
// better; 2e-12 leaves room for the dense solve's own rounding.
func checkTop(t *testing.T, a *mat.SymDense, r TopResult, ell int) {
	t.Helper()
	checkTopValues(t, a, denseValues(t, a), r, ell)
}

func denseValues(t *testing.T, a *mat.SymDense) []float64 {
	t.Helper()
	values, _, err := EigenSym(a)
	if err != nil {
		t.Fatal(err)
	}
	return values
}

func checkTopValues(t *testing.T, a *mat.SymDense, want []float64, r TopResult, ell int) {
	t.Helper()
	if !r.Converged {
		t.Errorf("not converged: residuals %.2g", r.Residuals)
	}
	n, k := r.Vectors.Dims()
	if n != a.SymmetricDim() || k != ell || len(r.Values) != ell || len(r.Residuals) != ell {
		t.Fatalf("shapes %d×%d, %d values, %d residuals", n, k, len(r.Values), len(r.Residuals))
	}
	descending(t, r.Values)
	orthonormal(t, r.Vectors)
	signRule(t, r.Vectors)
	norm := max(want[0], -want[n-1])
	var av mat.Dense
	av.Mul(a, r.Vectors)
	for i, lambda := range r.Values {
		if !(math.Abs(lambda-want[i]) <= 2e-12*norm) {
			t.Errorf("value %d = %.17g, want %.17g", i, lambda, want[i])
		}
		var d mat.VecDense
		d.AddScaledVec(av.ColView(i), -lambda, r.Vectors.ColView(i))
		if res := mat.Norm(&d, 2); !(res <= 1.1e-12*norm) || math.Abs(res-r.Residuals[i]) > 1e-13*norm {
			t.Errorf("residual %d is %.3g·‖A‖, reported as %.3g", i, res/norm, r.Residuals[i]/norm)
		}
	}
}

func TestTopSpectra(t *testing.T) {
	const n = 400
	for _, s := range spectra {
		a := withSpectrum(newRand(7), n, s.f)
		want := denseValues(t, a)
		for _, ell := range []int{1, 20, 64} {
			t.Run(fmt.Sprintf("%s/ell=%d", s.name, ell), func(t *testing.T) {
				r, err := Top(Symmetric(a), ell, iterative(ell))
				if err != nil {
					t.Fatal(err)
				}
				if r.Iterations == 0 {
					t.Error("a dense solve")
				}
				checkTopValues(t, a, want, r, ell)
			})
		}
	}
}

func TestTopKernels(t *testing.T) {
	narrow, wide := gaussianGram(newRand(1), 450, 3, 0.02), gaussianGram(newRand(2), 450, 2, 2)
	for name, a := range map[string]*mat.SymDense{
		"narrow": narrow, "wide": wide, "duplicates": duplicatedGram(450),
		"medium": gaussianGram(newRand(3), 450, 5, 0.4),
	} {
		t.Run(name, func(t *testing.T) {
			r, err := Top(Symmetric(a), 30, iterative(30))
			if err != nil {
				t.Fatal(err)
			}
			checkTop(t, a, r, 30)
		})
	}
}

// TestTopFindsMultiplicityBeyondBlock: of 40 equal eigenvalues the Krylov space
// of a start block of 8 holds 8 copies, in exact arithmetic. Rounding brings in
// the rest as fast as residuals fall, so that a tolerance of 1e-6 is met
// before they show, and only the search after convergence finds them; 20 need
// a second search. Values are as accurate as the squared residual over the
// gap, 1e-12/0.3.
func TestTopFindsMultiplicityBeyondBlock(t *testing.T) {
	a := withSpectrum(newRand(5), 600, func(i int) float64 {
		switch {
		case i < 40:
			return 1
		case i < 64:
			return 0.7 - 0.01*float64(i-40)
		}
		return 0.1 * math.Sin(float64(i))
	})
	for _, ell := range []int{9, 14, 20} {
		o := iterative(ell)
		o.Block, o.Tolerance = 8, 1e-6
		r, err := Top(Symmetric(a), ell, o)
		if err != nil {
			t.Fatal(err)
		}
		if !r.Converged {
			t.Errorf("ell = %d: not converged", ell)
		}
		for i, v := range r.Values {
			if math.Abs(v-1) > 1e-10 {
				t.Errorf("ell = %d: value %d = %.12g, want 1", ell, i, v)
			}
		}
		orthonormal(t, r.Vectors)
	}
}

func TestTopRestarts(t *testing.T) {
	a := withSpectrum(newRand(6), 800, func(i int) float64 { return 1 / math.Sqrt(float64(i+1)) })
	o := iterative(10)
	o.Basis = 0 // raised to the minimum: many restarts
	r, err := Top(Symmetric(a), 10, o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Iterations*o.Block < 5*(10+2*o.Block) {
		t.Errorf("%d iterations: the case does not restart", r.Iterations)
	}
	checkTop(t, a, r, 10)
}

func TestOperators(t *testing.T) {
	rng := newRand(8)
	const n = 450
	k := gaussianGram(rng, n, 3, 0.3)
	phi := normalDense(rng, n, 30)
	centredK := mat.NewSymDense(n, nil)
	centredK.CopySym(k)
	CentreSym(centredK)
	cases := []struct {
		name string
		op   Operator
		a    *mat.SymDense
	}{
		{"symmetric", Symmetric(k), k},
		{"centred", Centred(Symmetric(k)), centredK},
		{"gramian", Gramian(phi), Gram(blas.NoTrans, phi)},
		{"plain", plain{k}, k},
		{"centred plain", Centred(plain{k}), centredK},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			values := denseValues(t, tc.a)
			var got, want mat.Dense
			x := normalDense(rng, n, 5)
			got.CloneFrom(x)
			tc.op.Apply(&got, x)
			want.Mul(tc.a, x)
			// Two orders of summation of n terms.
			within(t, "A·X", &got, &want, float64(n)*eps*maxAbs(tc.a)*math.Sqrt(n))
			within(t, "dense", denseFrom(tc.op), tc.a, 10*float64(n)*eps*maxAbs(tc.a))
			for _, o := range []TopOptions{iterative(12), DefaultTopOptions(12)} {
				r, err := Top(tc.op, 12, o)
				if err != nil {
					t.Fatal(err)
				}
				checkTopValues(t, tc.a, values, r, 12)
			}
		})
	}
}

// TestCentreSym compares with the explicit product C·A·C.
func TestCentreSym(t *testing.T) {
	const n = 9
	a := Gram(blas.NoTrans, normalDense(newRand(2), n, 4))
	c := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			c.Set(i, j, -1.0/n)
		}
		c.Set(i, i, 1-1.0/n)
	}
	var want mat.Dense
	want.Product(c, a, c)
	CentreSym(a)
	within(t, "C·A·C", a, &want, 1e-13)
}

func TestTopDense(t *testing.T) {
	a := withSpectrum(newRand(4), 120, func(i int) float64 { return 1 / float64(i+1) })
	for _, ell := range []int{1, 100, 120} {
		r, err := Top(Symmetric(a), ell, DefaultTopOptions(ell))
		if err != nil {
			t.Fatal(err)
		}
		if r.Iterations > 0 {
			t.Errorf("ell = %d: no dense solve", ell)
		}
		checkTop(t, a, r, ell)
	}
	// ell near n is solved densely whatever DenseBelow says.
	if r, err := Top(Symmetric(a), 100, iterative(100)); err != nil || r.Iterations > 0 {
		t.Errorf("%d iterations, error %v", r.Iterations, err)
	}
}

// TestTopPrefix: a solve at ell = 10 agrees with the head of one at 30; the
// gaps here are at least 1e-3, so vectors agree to about 1e-12/1e-3.
func TestTopPrefix(t *testing.T) {
	a := withSpectrum(newRand(4), 600, func(i int) float64 { return math.Pow(float64(i+1), -2) })
	short, err := Top(Symmetric(a), 10, iterative(10))
	if err != nil {
		t.Fatal(err)
	}
	long, err := Top(Symmetric(a), 30, iterative(30))
	if err != nil {
		t.Fatal(err)
	}
	within(t, "V", short.Vectors, long.Vectors.Slice(0, 600, 0, 10), 4e-9)
}

func TestTopReportsMissingConvergence(t *testing.T) {
	a := withSpectrum(newRand(4), 600, func(i int) float64 { return 1 + math.Sin(float64(i)) })
	o := iterative(20)
	o.MaxIterations = 3
	r, err := Top(Symmetric(a), 20, o)
	if err != nil {
		t.Fatal(err)
	}
	worst := 0.0
	for _, v := range r.Residuals {
		worst = max(worst, v)
	}
	if r.Converged || r.Iterations == 0 || worst < 1e-6 {
		t.Errorf("converged %v, residual %g after %d iterations", r.Converged, worst, r.Iterations)
	}
	orthonormal(t, r.Vectors)
	o.FallbackBelow = 600
	if r, err = Top(Symmetric(a), 20, o); err != nil || r.Iterations == 0 {
		t.Fatalf("%d iterations, error %v", r.Iterations, err)
	}
	checkTop(t, a, r, 20)
}

func TestTopRefuses(t *testing.T) {
	a := withSpectrum(newRand(4), 500, func(i int) float64 { return 1 / float64(i+1) })
	a.SetSym(17, 300, math.NaN())
	for _, o := range []TopOptions{iterative(5), {Tolerance: 1e-12, Block: 16, MaxIterations: 9, DenseBelow: 500}} {
		if _, err := Top(Symmetric(a), 5, o); !errors.Is(err, ErrNotFinite) {
			t.Errorf("NaN: error %v, want ErrNotFinite", err)
		}
	}
	op := Symmetric(mat.NewSymDense(4, nil))
	mustPanic(t, "ell 0", func() { _, _ = Top(op, 0, DefaultTopOptions(1)) })
	mustPanic(t, "ell 5", func() { _, _ = Top(op, 5, DefaultTopOptions(5)) })
	mustPanic(t, "zero options", func() { _, _ = Top(op, 1, TopOptions{}) })
	mustPanic(t, "shape", func() { op.Apply(mat.NewDense(4, 1, nil), mat.NewDense(3, 1, nil)) })
}
