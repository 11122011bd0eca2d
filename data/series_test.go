package data

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
)

// seriesLaws are series kernels with their eigenvalues, by hand; the terms past
// the p-th add up to under 1e-12 in λ_i², the least power that moments use.
var seriesLaws = []struct {
	kernel *kernel.Series
	lambda func(i int) float64
	p      int
}{
	{must(kernel.NewPowerSeries(2)), func(i int) float64 { return math.Pow(float64(i), -2) }, 9000},
	{must(kernel.NewPowerSeries(4)), func(i int) float64 { return math.Pow(float64(i), -4) }, 300},
	{must(kernel.NewExponentialSeries(0.7)), func(i int) float64 { return math.Pow(0.7, float64(i)) }, 60},
	{must(kernel.NewFiniteSeries([]float64{2, 1, 0.5, 0.1})), func(i int) float64 {
		return []float64{2, 1, 0.5, 0.1, 0, 0, 0, 0, 0, 0, 0, 0}[i-1]
	}, 4},
}

// randomExpansion has random coefficients at random points of [0,1], two of them
// duplicates.
func randomExpansion(k kernel.Kernel, seed uint64, points, ell int) kernel.Expansion {
	rng := newRand(seed)
	x := mat.NewDense(points, 1, nil)
	x.Apply(func(int, int, float64) float64 { return rng.Float64() }, x)
	x.Set(1, 0, x.At(0, 0))
	coef := normalMatrix(rng, points, ell)
	coef.Scale(1/math.Sqrt(float64(points)), coef)
	return kernel.Expansion{Kernel: k, Points: x, Coef: coef}
}

// seriesByCoordinates computes moments from coefficients F_ij = ⟨e_i, f_j⟩,
// i = 1 … p.
func seriesByCoordinates(f *mat.Dense, lambda func(i int) float64, eigen int) Moments {
	p, l := f.Dims()
	m := Moments{Mean: make([]float64, l), Tau: make([]float64, l), Cov: mat.NewSymDense(l, nil)}
	images := mat.NewSymDense(l, nil)
	m.image = given(images)
	for i := range l {
		for a := range p {
			m.Tau[i] += lambda(a+1) * f.At(a, i) * f.At(a, i)
			for j := i; j < l; j++ {
				m.Cov.SetSym(i, j, m.Cov.At(i, j)+f.At(a, i)*f.At(a, j))
				images.SetSym(i, j, images.At(i, j)+lambda(a+1)*f.At(a, i)*lambda(a+1)*f.At(a, j))
			}
		}
	}
	if eigen > 0 {
		m.Eigen = mat.NewDense(eigen, l, nil)
		for i := range min(eigen, p) {
			m.Eigen.SetRow(i, mat.Row(nil, i, f))
		}
	}
	return m
}

func TestSeriesMomentsAgreeWithCoordinates(t *testing.T) {
	for _, law := range seriesLaws {
		f := randomExpansion(law.kernel, 1, 9, 3)
		coordinates := mat.NewDense(law.p, f.Len(), nil)
		for a := range law.p {
			for i := range f.Len() {
				sum := 0.0
				for j := range 9 {
					sum += f.Coef.At(j, i) * math.Sqrt2 * math.Cos(math.Pi*float64(a+1)*f.Points.At(j, 0))
				}
				coordinates.Set(a, i, law.lambda(a+1)*sum)
			}
		}
		for _, eigen := range []int{0, 1, 4, 12} { // 12: past the rank of the finite law
			got, err := seriesPopulation{law.kernel}.Moments(f, eigen)
			if err != nil {
				t.Fatal(err)
			}
			sameMoments(t, law.kernel.String(), got, seriesByCoordinates(coordinates, law.lambda, eigen), 1e-11)
		}
		draw := newRand(2)
		m := must(seriesPopulation{law.kernel}.Moments(f, 3))
		monteCarlo(t, law.kernel.String(), f, law.kernel, m, draw.Float64, func(i int, x float64) float64 {
			return math.Sqrt2 * math.Cos(math.Pi*float64(i)*x)
		})
	}
}

func TestMercerMomentsAgreeWithCoordinates(t *testing.T) {
	for _, law := range seriesLaws {
		rng := newRand(3)
		features := kernel.NewMercer(law.kernel, 25, rng) // with repeated indices
		f := kernel.FeatureExpansion{Map: features, Coef: normalMatrix(rng, 25, 3)}
		total := 0.0
		for i := 1; i <= law.p; i++ {
			total += law.lambda(i)
		}
		total += law.kernel.PowerSum(1, law.p)
		highest := 0
		for _, index := range features.Indices {
			highest = max(highest, index)
		}
		coordinates := mat.NewDense(highest, 3, nil)
		for a, index := range features.Indices {
			for i := range 3 {
				coordinates.Set(index-1, i, coordinates.At(index-1, i)+math.Sqrt(total/25)*f.Coef.At(a, i))
			}
		}
		for _, eigen := range []int{0, 2, 12} {
			got, err := seriesPopulation{law.kernel}.Moments(f, eigen)
			if err != nil {
				t.Fatal(err)
			}
			// Entries of size 30 by random coefficients.
			sameMoments(t, law.kernel.String(), got, seriesByCoordinates(coordinates, law.lambda, eigen), 1e-12)
		}
		m := must(seriesPopulation{law.kernel}.Moments(f, 2))
		monteCarlo(t, "Mercer features, "+law.kernel.String(), f, law.kernel, m, newRand(4).Float64, func(i int, x float64) float64 {
			return math.Sqrt2 * math.Cos(math.Pi*float64(i)*x)
		})
	}
}

func TestSeriesSpectrum(t *testing.T) {
	for _, law := range seriesLaws {
		p := seriesPopulation{law.kernel}
		values := must(p.Eigenvalues(12))
		for i, v := range values {
			near(t, fmt.Sprintf("%s: λ_%d", p, i+1), v, law.lambda(i+1), 1e-15)
		}
		for power := 1; power <= 2; power++ {
			for _, ell := range []int{0, 1, 3, 5} {
				want := 0.0
				if power == 1 {
					want = law.kernel.PowerSum(1, law.p)
				}
				for i := law.p; i > ell; i-- {
					want += math.Pow(law.lambda(i), float64(power))
				}
				near(t, fmt.Sprintf("%s: Tail(%d, %d)", p, power, ell), must(p.Tail(power, ell)), want, 1e-11)
			}
		}
		// tr Σ = E k(X,X) and tr Σ² = E k(X,X')², the mean embedding being 0.
		rng := newRand(5)
		var trace, square estimate
		for range 40_000 {
			x, y := []float64{rng.Float64()}, []float64{rng.Float64()}
			trace.add(law.kernel.At(x, x))
			square.add(math.Pow(law.kernel.At(x, y), 2))
		}
		trace.check(t, p.String()+": tr Σ", must(p.Tail(1, 0)))
		square.check(t, p.String()+": tr Σ²", must(p.Tail(2, 0)))
	}
}

func TestPopulationsRefuseFunctionsTheyDoNotKnow(t *testing.T) {
	rng := newRand(6)
	power, other := must(kernel.NewPowerSeries(2)), must(kernel.NewPowerSeries(4))
	rbf := kernel.NewGaussian(0.5)
	series := seriesPopulation{power}
	gaussian := must(newGaussianPopulation(1, rbf))
	point, one := mat.NewDense(1, 1, []float64{0.4}), mat.NewDense(1, 1, []float64{1})
	two := mat.NewDense(2, 1, []float64{1, 1})
	for name, test := range map[string]struct {
		population Population
		functions  kernel.Functions
	}{
		"series, another series kernel":         {series, kernel.Expansion{Kernel: other, Points: point, Coef: one}},
		"series, an iterated kernel":            {series, kernel.Expansion{Kernel: power.Iterated(2), Points: point, Coef: one}},
		"series, a Gaussian kernel":             {series, kernel.Expansion{Kernel: rbf, Points: point, Coef: one}},
		"series, Fourier features":              {series, kernel.FeatureExpansion{Map: kernel.NewFourier(rbf, 1, 1, rng), Coef: two}},
		"series, Mercer features of another":    {series, kernel.FeatureExpansion{Map: kernel.NewMercer(other, 1, rng), Coef: one}},
		"series, functions of no known kind":    {series, constantFunction{}},
		"Gaussian, another bandwidth":           {gaussian, kernel.Expansion{Kernel: kernel.NewGaussian(0.6), Points: point, Coef: one}},
		"Gaussian, a Matérn kernel":             {gaussian, kernel.Expansion{Kernel: kernel.Matern{Half: 1, Sigma: 1}, Points: point, Coef: one}},
		"Gaussian, Mercer features":             {gaussian, kernel.FeatureExpansion{Map: kernel.NewMercer(power, 1, rng), Coef: one}},
		"Gaussian, functions of no known kind":  {gaussian, constantFunction{}},
		"Gaussian, features of points in space": {gaussian, kernel.FeatureExpansion{Map: kernel.NewFourier(rbf, 1, 3, rng), Coef: two}},
	} {
		if m, err := test.population.Moments(test.functions, 1); !errors.Is(err, ErrUndefined) {
			t.Errorf("%s: moments %v, error %v", name, m, err)
		}
	}
}

// constantFunction is 1 everywhere.
type constantFunction struct{}

func (constantFunction) Len() int { return 1 }

func (constantFunction) Eval(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	v := mat.NewDense(n, 1, nil)
	v.Apply(func(int, int, float64) float64 { return 1 }, v)
	return v
}

// Equal eigenvalues are a population too: Σ has them, and errors against it are
// as exact. Between them lies a whole plane of eigenfunctions.
func TestSeriesOfEqualEigenvalues(t *testing.T) {
	dataset, err := open("series", "eigenvalues: [0.5, 0.5, 0.25]", Context{})
	if err != nil {
		t.Fatal(err)
	}
	draw := must(dataset.Draw(repeat(1)))
	p := must(draw.Population(nil, 3))
	if got := fmt.Sprint(must(p.Eigenvalues(4))); got != "[0.5 0.5 0.25 0]" {
		t.Errorf("eigenvalues %s", got)
	}
	near(t, "Tail(1, 1)", must(p.Tail(1, 1)), 0.75, 0)
	near(t, "N(0.5)", must(p.EffectiveDimension(0.5)), 4.0/3, 1e-15)
	if _, err := open("series", "eigenvalues: [0.5, 0.25, 0.5]", Context{}); err == nil || !strings.Contains(err.Error(), "none above") {
		t.Errorf("a rising list: %v", err)
	}
}
