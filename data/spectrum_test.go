package data

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/theory"
)

var _ theory.Population = Population(nil)

// levels of regularisation, from where nothing is left of Σ to where all is.
var levels = []float64{50, 2.5, 2, 1.9, 0.7, 0.1, 1e-3, 1e-5}

// nearly fails unless got is within a relative tolerance of want.
func nearly(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	near(t, what, got, want, tolerance*math.Abs(want))
}

// For α = 2, N(t) = π/(2√t)·coth(π/√t) − 1/2. Below t = 2 the difference from 1/2
// rounds by 1e-16 absolutely, where N > 1/3.
func TestEffectiveDimensionOfSquares(t *testing.T) {
	p := seriesPopulation{must(kernel.NewPowerSeries(2))}
	for _, level := range append([]float64{1e-9, 1e-13}, levels...) {
		root := math.Sqrt(level)
		want := math.Pi/(2*root)/math.Tanh(math.Pi/root) - 0.5
		tolerance := 1e-15
		if level > 2 { // 1/2 − want loses what is small in the closed form
			tolerance *= 1 + level
		}
		nearly(t, fmt.Sprintf("N(%g)", level), must(p.EffectiveDimension(level)), want, tolerance)
	}
}

// Every series by adding terms; what is left after p of them is Σ_{i>p} λ_i/t
// within λ_p/t of itself, and known in closed form.
func TestEffectiveDimensionByAddingTerms(t *testing.T) {
	laws := []*kernel.Series{
		must(kernel.NewPowerSeries(4)), must(kernel.NewPowerSeries(6)), must(kernel.NewPowerSeries(40)),
		must(kernel.NewPowerSeries(2)).Iterated(3),
		must(kernel.NewExponentialSeries(0.7)), must(kernel.NewExponentialSeries(0.99)), must(kernel.NewExponentialSeries(0.5)).Iterated(2),
		must(kernel.NewFiniteSeries([]float64{2, 1, 0.5, 0.5, 0.1})),
	}
	for _, law := range laws {
		for _, level := range levels {
			const terms = 20_000
			want := law.PowerSum(1, terms) / level
			for i := terms; i >= 1; i-- {
				v := law.Eigenvalue(i)
				want += v / (v + level)
			}
			nearly(t, fmt.Sprintf("%s: N(%g)", law, level), must(seriesPopulation{law}.EffectiveDimension(level)), want, 1e-13)
		}
	}
}

// N_Σ from the spectrum of the quadrature, C from the uncentred one. The rest of
// the Gaussian's eigenvalues is 1e-15 against the least t.
func TestGaussianDimensionAgreesWithQuadrature(t *testing.T) {
	for _, c := range gaussianCases {
		k := kernel.NewGaussian(1 / (2 * c.sigma * c.sigma))
		p := must(newGaussianPopulation(c.std, k))
		q := newQuadrature(c.std, k.Gamma)
		for _, level := range levels {
			want := 0.0
			for _, v := range q.values {
				want += max(v, 0) / (max(v, 0) + level)
			}
			nearly(t, fmt.Sprintf("%s: N(%g)", p, level), must(p.EffectiveDimension(level)), want, 1e-9)
		}
		n, _ := q.nodes.Dims()
		second := mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				second.SetSym(i, j, math.Sqrt(q.weights[i]*q.weights[j])*k.At(q.nodes.RawRowView(i), q.nodes.RawRowView(j)))
			}
		}
		var solver mat.EigenSym
		solver.Factorize(second, false)
		values := solver.Values(nil)
		slices.Reverse(values)
		for i, v := range must(p.UncentredEigenvalues(12)) {
			near(t, fmt.Sprintf("%s: uncentred λ_%d", p, i+1), v, values[i], 1e-14)
		}
		for power := 1; power <= 3; power++ {
			want := 0.0
			for _, v := range values {
				want += math.Pow(v, float64(power))
			}
			nearly(t, fmt.Sprintf("%s: uncentred sum %d", p, power), must(p.UncentredSum(power)), want, 1e-12)
		}
	}
}

// By dense inverses of N×N matrices, whose condition numbers reach 2000 at the
// least t.
func TestEmpiricalDimensionsByDenseInverses(t *testing.T) {
	const n = 40
	for _, k := range []kernel.Kernel{
		kernel.NewGaussian(0.2), kernel.Laplace{Sigma: 3}, kernel.Polynomial{Degree: 2, Gamma: 0.3, Offset: 1},
	} {
		x := normalMatrix(newRand(41), n, 3)
		copy(x.RawRowView(7), x.RawRowView(3)) // duplicates
		p := newEmpiricalPopulation(x, k, 2)
		gram, centred := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
		kappa := 0.0
		for i := range n {
			for j := range n {
				gram.Set(i, j, k.At(x.RawRowView(i), x.RawRowView(j)))
			}
			kappa = max(kappa, gram.At(i, i))
		}
		centring := mat.NewDense(n, n, nil)
		centring.Apply(func(i, j int, _ float64) float64 {
			if i == j {
				return 1 - 1.0/n
			}
			return -1.0 / n
		}, centring)
		centred.Product(centring, gram, centring)
		nearly(t, "κ", p.Kappa(), kappa, 1e-15)
		ratio := func(a *mat.Dense, level float64) *mat.Dense { // a(a+Nt)⁻¹
			var shifted, inverse, product mat.Dense
			shifted.CloneFrom(a)
			for i := range n {
				shifted.Set(i, i, a.At(i, i)+n*level)
			}
			if err := inverse.Inverse(&shifted); err != nil {
				t.Fatal(err)
			}
			product.Mul(a, &inverse)
			return &product
		}
		for _, level := range levels[:len(levels)-1] {
			nearly(t, fmt.Sprintf("%s: N_Σ(%g)", k, level), must(p.EffectiveDimension(level)), mat.Trace(ratio(centred, level)), 1e-10)
		}
		power := mat.DenseCopyOf(gram)
		for r := 1; r <= 3; r++ {
			want := mat.Trace(power) / math.Pow(n, float64(r))
			nearly(t, fmt.Sprintf("%s: uncentred sum %d", k, r), must(p.UncentredSum(r)), want, 1e-12)
			all := 0.0
			for _, v := range must(p.UncentredEigenvalues(n + 3)) {
				all += math.Pow(v, float64(r))
			}
			nearly(t, fmt.Sprintf("%s: uncentred eigenvalues to the power %d", k, r), all, want, 1e-12)
			var next mat.Dense
			next.Mul(power, gram)
			power.CloneFrom(&next)
		}
	}
}

// N(t)·t rises to the trace and N(t) to the rank.
func TestDimensionsAtTheEnds(t *testing.T) {
	population := newEmpiricalPopulation(normalMatrix(newRand(42), 30, 2), kernel.NewGaussian(5), 1)
	nearly(t, "t·N(t) for large t", 1e9*must(population.EffectiveDimension(1e9)), must(population.Tail(1, 0)), 1e-8)
	nearly(t, "N(t) for small t", must(population.EffectiveDimension(1e-12)), 29, 1e-6)
}

func TestPointsThatAreAllTheSame(t *testing.T) {
	x := mat.NewDense(20, 2, nil)
	x.Apply(func(_, j int, _ float64) float64 { return 0.3 + float64(j) }, x)
	p := newEmpiricalPopulation(x, kernel.NewGaussian(0.7), 1)
	near(t, "N_Σ", must(p.EffectiveDimension(0.1)), 0, 0)
}

func TestDimensionsRefused(t *testing.T) {
	for _, p := range []Population{
		seriesPopulation{must(kernel.NewPowerSeries(2))},
		must(newGaussianPopulation(1, kernel.NewGaussian(1))),
		newEmpiricalPopulation(normalMatrix(newRand(43), 5, 1), kernel.NewGaussian(1), 1),
	} {
		for _, level := range []float64{0, -1, math.NaN(), math.Inf(1)} {
			if _, err := p.EffectiveDimension(level); err == nil || !strings.Contains(err.Error(), "level t") {
				t.Errorf("%s: EffectiveDimension(%v): %v", p, level, err)
			}
		}
	}
	many := newEmpiricalPopulation(mat.NewDense(maxEmpirical+1, 1, nil), kernel.NewGaussian(1), 1)
	_, spectrum := many.EffectiveDimension(1)
	_, eigenvalues := many.UncentredEigenvalues(1)
	_, sum := many.UncentredSum(2)
	for _, err := range []error{spectrum, eigenvalues, sum} {
		if err == nil || !strings.Contains(err.Error(), "30001 points") {
			t.Errorf("error %v", err)
		}
	}
}
