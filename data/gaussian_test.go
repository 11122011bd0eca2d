package data

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
)

// quadrature stands for N(0, s²) by 400 equidistant nodes on ±12 s. The
// trapezoidal rule is exact to rounding for what is tested here: analytic
// functions under a Gaussian weight whose frequencies stay below half the
// sampling frequency, 52/s.
type quadrature struct {
	nodes   *mat.Dense // points
	weights []float64
	gram    *mat.SymDense // √w_a k̄(x_a, x_b) √w_b, k̄ the kernel centred under P
	values  []float64     // eigenvalues of gram, falling
	vectors *mat.Dense
}

func newQuadrature(s, b float64) *quadrature {
	const n = 400
	q := &quadrature{nodes: mat.NewDense(n, 1, nil), weights: make([]float64, n), gram: mat.NewSymDense(n, nil)}
	for a := range n {
		u := 24 * (float64(a) - (n-1)/2.0) / n
		q.nodes.Set(a, 0, s*u)
		q.weights[a] = 24.0 / n * math.Exp(-u*u/2) / math.Sqrt(2*math.Pi)
	}
	k := func(a, b2 int) float64 { return math.Exp(-b * math.Pow(q.nodes.At(a, 0)-q.nodes.At(b2, 0), 2)) }
	means, grand := make([]float64, n), 0.0
	for a := range n {
		for c := range n {
			means[a] += q.weights[c] * k(a, c)
		}
		grand += q.weights[a] * means[a]
	}
	for a := range n {
		for c := a; c < n; c++ {
			q.gram.SetSym(a, c, math.Sqrt(q.weights[a]*q.weights[c])*(k(a, c)-means[a]-means[c]+grand))
		}
	}
	var solver mat.EigenSym
	solver.Factorize(q.gram, true)
	q.values = solver.Values(nil)
	q.vectors = new(mat.Dense)
	solver.VectorsTo(q.vectors)
	slices.Reverse(q.values)
	return q
}

// moments computes everything as weighted sums over the nodes.
func (q *quadrature) moments(f kernel.Functions, eigen int) Moments {
	values, n, l := f.Eval(q.nodes), len(q.weights), f.Len()
	m := Moments{Mean: make([]float64, l), Tau: make([]float64, l), Cov: mat.NewSymDense(l, nil), Eigen: mat.NewDense(eigen, l, nil)}
	for a, w := range q.weights {
		for i := range l {
			m.Mean[i] += w * values.At(a, i)
		}
	}
	scaled := mat.NewDense(n, l, nil) // √w (f − Ef)
	for a, w := range q.weights {
		for i := range l {
			scaled.Set(a, i, math.Sqrt(w)*(values.At(a, i)-m.Mean[i]))
		}
	}
	var image mat.Dense
	image.Mul(q.gram, scaled)
	images := mat.NewSymDense(l, nil)
	m.image = given(images)
	for i := range l {
		m.Tau[i] = mat.Inner(scaled.ColView(i), q.gram, scaled.ColView(i))
		for j := i; j < l; j++ {
			m.Cov.SetSym(i, j, mat.Dot(scaled.ColView(i), scaled.ColView(j)))
			images.SetSym(i, j, mat.Dot(image.ColView(i), image.ColView(j)))
		}
		for e := range eigen {
			m.Eigen.Set(e, i, mat.Dot(q.vectors.ColView(n-1-e), scaled.ColView(i)))
		}
	}
	return m
}

// gaussianCases span narrow, matched and very wide kernels.
var gaussianCases = []struct{ std, sigma float64 }{{1, 0.7}, {2, 0.5}, {1, 0.12}, {0.3, 5}}

// lineExpansion has random coefficients at points of N(0, s²), one far out.
func lineExpansion(k kernel.Kernel, std float64, seed uint64) kernel.Expansion {
	rng := newRand(seed)
	points := normalMatrix(rng, 9, 1)
	points.Scale(std, points)
	points.Set(4, 0, -5*std)
	coef := normalMatrix(rng, 9, 3)
	coef.Scale(1.0/3, coef)
	return kernel.Expansion{Kernel: k, Points: points, Coef: coef}
}

// fourierFunctions has zero, negative, equal, opposite and large frequencies.
func fourierFunctions(std float64, seed uint64) kernel.FeatureExpansion {
	frequencies := []float64{0, 0.3, -0.3, -1.7, 2.5, 2.5, 8, -8.1, 20}
	m := len(frequencies)
	f := &kernel.Fourier{Frequencies: mat.NewDense(m, 1, frequencies)}
	f.Frequencies.Scale(1/std, f.Frequencies)
	return kernel.FeatureExpansion{Map: f, Coef: normalMatrix(newRand(seed), 2*m, 3)}
}

func TestGaussianMomentsAgreeWithQuadrature(t *testing.T) {
	const eigen = 6
	for _, c := range gaussianCases {
		k := kernel.NewGaussian(1 / (2 * c.sigma * c.sigma))
		p := must(newGaussianPopulation(c.std, k))
		q := newQuadrature(c.std, k.Gamma)
		for i, v := range must(p.Eigenvalues(eigen)) {
			near(t, fmt.Sprintf("%s: λ_%d", p, i+1), v, q.values[i], 1e-14)
		}
		for power := 1; power <= 2; power++ {
			for _, ell := range []int{0, 1, 4} {
				want := 0.0
				for _, v := range q.values[ell:] {
					want += math.Pow(v, float64(power))
				}
				near(t, fmt.Sprintf("%s: Tail(%d, %d)", p, power, ell), must(p.Tail(power, ell)), want, 1e-13)
			}
		}
		// C divides by √λ_i, which for the widest kernel reaches down to 1e-8 at
		// i = 6 and magnifies rounding as much; there fewer are compared.
		compared := eigen
		if c.sigma > 10*c.std {
			compared = 2
		}
		signs := make([]float64, compared) // of e_i, the same for functions of both kinds
		for name, f := range map[string]kernel.Functions{
			"expansion": lineExpansion(k, c.std, 11), "Fourier features": fourierFunctions(c.std, 12),
		} {
			got, err := p.Moments(f, compared)
			if err != nil {
				t.Fatal(err)
			}
			want := q.moments(f, compared)
			sameMoments(t, fmt.Sprintf("%s, %s", name, p), got, want, 1e-11)
			for i := range compared {
				sign := math.Copysign(1, mat.Dot(got.Eigen.RowView(i), want.Eigen.RowView(i)))
				if signs[i] == -sign {
					t.Errorf("%s: e_%d has one sign for expansions and another for Fourier features", p, i+1)
				}
				signs[i] = sign
			}
			none := must(p.Moments(f, 0))
			if none.Eigen != nil {
				t.Errorf("%s: eigen = 0 gives C = %v", p, none.Eigen)
			}
			rng := newRand(13)
			monteCarlo(t, name+", "+p.String(), f, k, got, func() float64 { return c.std * rng.NormFloat64() }, nil)
		}
	}
}

// The closed forms of math.md §2.2: the mean embedding, E k(X,p)k(X,q), tr Σ.
func TestGaussianMomentsAgreeWithClosedForms(t *testing.T) {
	for _, c := range gaussianCases {
		k := kernel.NewGaussian(1 / (2 * c.sigma * c.sigma))
		p := must(newGaussianPopulation(c.std, k))
		b, s2 := k.Gamma, c.std*c.std
		points := mat.NewDense(6, 1, []float64{0, 0.4 * c.std, -c.std, 2 * c.std, -4 * c.std, 6 * c.std})
		identity := mat.NewDense(6, 6, nil)
		for i := range 6 {
			identity.Set(i, i, 1)
		}
		m := must(p.Moments(kernel.Expansion{Kernel: k, Points: points, Coef: identity}, 0))
		embedding := func(t float64) float64 { return math.Exp(-b*t*t/(1+2*b*s2)) / math.Sqrt(1+2*b*s2) }
		for i := range 6 {
			x := points.At(i, 0)
			near(t, fmt.Sprintf("%s: mean embedding at %v", p, x), m.Mean[i], embedding(x), 1e-14)
			for j := range 6 {
				y := points.At(j, 0)
				middle := (x + y) / 2
				second := math.Exp(-b*(x-y)*(x-y)/2-2*b*middle*middle/(1+4*b*s2)) / math.Sqrt(1+4*b*s2)
				near(t, fmt.Sprintf("%s: covariance at %v, %v", p, x, y), m.Cov.At(i, j), second-embedding(x)*embedding(y), 1e-14)
			}
		}
		trace := 1 - 1/math.Sqrt(1+4*b*s2)
		near(t, p.String()+": tr Σ", must(p.Tail(1, 0)), trace, 1e-15)
		// tr Σ by its eigenvalues: Tail(1, 1) sums them.
		near(t, p.String()+": tr Σ by eigenvalues", must(p.Eigenvalues(1))[0]+must(p.Tail(1, 1)), trace, 1e-14)
	}
}

// The eigenfunctions of the uncentred operator reproduce the kernel.
func TestGaussianEigenfunctionsReproduceTheKernel(t *testing.T) {
	for _, c := range gaussianCases {
		k := kernel.NewGaussian(1 / (2 * c.sigma * c.sigma))
		p := must(newGaussianPopulation(c.std, k))
		x := mat.NewDense(7, 1, []float64{0, 0.1, -0.5, 1, -2, 3, 4})
		x.Scale(c.std, x)
		e := p.eigenfunctions(x)
		for i := range 7 {
			for j := range 7 {
				sum := 0.0
				for a, lambda := range p.lambda {
					sum += lambda * e.At(i, a) * e.At(j, a)
				}
				// The terms cut off add up to 1e-17 in L²; at 4 s, where the density
				// is e^−8 of its peak, the sum is good to a few digits less.
				near(t, fmt.Sprintf("%s: k(%v, %v)", p, x.At(i, 0), x.At(j, 0)), sum, k.At(x.RawRowView(i), x.RawRowView(j)), 1e-11)
			}
		}
	}
}

func TestGaussianSpectrumPastItsRank(t *testing.T) {
	p := must(newGaussianPopulation(1, kernel.NewGaussian(0.5)))
	terms := len(p.lambda)
	values := must(p.Eigenvalues(terms + 5))
	for i, v := range values {
		if v < 0 || i > 0 && v > values[i-1] || i >= terms && v != 0 {
			t.Errorf("λ_%d = %v after %v", i+1, v, values[max(i-1, 0)])
		}
	}
	near(t, "the tail past all terms", must(p.Tail(1, terms+5)), 0, 0)
	m := must(p.Moments(lineExpansion(p.kernel, 1, 14), terms+5))
	r, _ := m.Eigen.Dims()
	if r != terms+5 {
		t.Fatalf("C has %d rows, want %d", r, terms+5)
	}
	for i := range r {
		for j := range 3 {
			// |⟨e_i, f⟩| <= √λ_i ‖f‖_H, ‖f‖_H < 3; what is 0 to rounding is 0.
			if v := m.Eigen.At(i, j); !(math.Abs(v) <= 3*math.Sqrt(values[i])) {
				t.Errorf("C(%d, %d) = %v with λ_%d = %v", i, j, v, i+1, values[i])
			}
		}
	}
}

func TestGaussianPopulationsOutOfReach(t *testing.T) {
	for _, test := range []struct{ parameters, want string }{
		{"sigma: 0", "must be positive and finite"},
		{"{sigma: 1, std: 0}", "must be positive and finite"},
		{"{sigma: 1, std: -1}", "must be positive and finite"},
		{"{sigma: 1, std: 12.5}", "too narrow"},
		{"sigma: 1e-6", "too narrow"},
		{"sigma: 1e-9", "too narrow"},
		{"sigma: 1e-20", "too narrow"},
		{"sigma: 1e-200", "sigma"},
		{"sigma: 1e200", "sigma"},
		{"{sigma: 1, std: 1e-200}", "std"},
		{"{sigma: 1, std: 1e200}", "std"},
		{"", `missing key "sigma"`},
	} {
		d, err := open("gaussian", test.parameters, Context{})
		if err == nil {
			t.Errorf("%s: no error but %s", test.parameters, d.Describe())
		} else if !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %q does not say %q", test.parameters, err, test.want)
		}
	}
	for _, parameters := range []string{"{sigma: 1, std: 11.9}", "sigma: 1e6", "{sigma: 1e-30, std: 1e-30}", "{sigma: 1e30, std: 1e30}"} {
		if _, err := open("gaussian", parameters, Context{}); err != nil {
			t.Errorf("%s: %v", parameters, err)
		}
	}
}
