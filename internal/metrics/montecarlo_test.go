package metrics

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/internal/kernel"
	"mercer/methods"
)

// source is a population to draw from whose mean embedding is a formula: R and
// T are then averages over draws of expressions in kernel values alone.
type source struct {
	world
	next       func() float64
	embedding  func(x []float64) float64         // m_P(x)
	norm       float64                           // ‖m_P‖²
	meanOfMaps func(kernel.FeatureMap) []float64 // E Φ(X)
}

func sources(t *testing.T) []source {
	t.Helper()
	power, err := kernel.NewPowerSeries(2)
	if err != nil {
		t.Fatal(err)
	}
	exponential, err := kernel.NewExponentialSeries(0.6)
	if err != nil {
		t.Fatal(err)
	}
	rng := newRand(21)
	zero := func([]float64) float64 { return 0 }
	noMean := func(m kernel.FeatureMap) []float64 { return make([]float64, m.Dim()) }
	two, sixTenths := 2.0, 0.6
	series := func(name string, k kernel.Kernel, decay kernel.Decay) source {
		w := world{name: name, kernel: k, population: open(t, &data.SeriesOptions{Decay: &decay}, nil), features: "mercer",
			x: spread(points(worldN, 1, rng.Float64), 0.03, 0.98)}
		return source{w, rng.Float64, zero, 0, noMean}
	}
	const std, sigma = 1.2, 0.9
	b := 1 / (2 * sigma * sigma)
	normal := func() float64 { return std * rng.NormFloat64() }
	gaussian := world{name: "gaussian on gaussian", kernel: kernel.NewGaussian(b), population: open(t, &data.GaussianOptions{Std: std, Sigma: sigma}, nil),
		features: "fourier", x: spread(points(worldN, 1, normal), -2, 2.5)}
	return []source{
		series("power series", power, kernel.Decay{Power: &two}),
		series("exponential series", exponential, kernel.Decay{Exponential: &sixTenths}),
		{gaussian, normal,
			func(x []float64) float64 {
				return math.Exp(-b*x[0]*x[0]/(1+2*b*std*std)) / math.Sqrt(1+2*b*std*std)
			},
			1 / math.Sqrt(1+4*b*std*std),
			func(m kernel.FeatureMap) []float64 {
				f := m.(*kernel.Fourier)
				mean := make([]float64, m.Dim())
				for a := range f.Features() {
					omega := f.Frequencies.At(a, 0)
					mean[a] = math.Exp(-std*std*omega*omega/2) / math.Sqrt(float64(f.Features()))
				}
				return mean
			}},
	}
}

// sampled is a model on a source: what its reconstructions are made of.
type sampled struct {
	source
	model  methods.Model
	mean   []float64 // E φ̂_i(X)
	centre []float64 // ⟨φ̂_i, m̂⟩
	inner  *mat.Dense
}

func newSampled(s source, model methods.Model, center string) sampled {
	out := sampled{source: s, model: model}
	n, _ := s.x.Dims()
	switch m := model.(type) {
	case *methods.Subspace:
		p, _ := m.Points.Dims()
		embedded := make([]float64, p)
		for i := range p {
			embedded[i] = s.embedding(m.Points.RawRowView(i))
		}
		out.mean = apply(mat.DenseCopyOf(m.Coef.T()), embedded)
		out.inner = product(m.Coef.T(), gram(s.world, m.Points), m.Coef)
	case *methods.FeatureSubspace:
		out.mean = apply(mat.DenseCopyOf(m.Coef.T()), s.meanOfMaps(m.Map))
	}
	out.centre = make([]float64, len(out.mean))
	if center != "none" {
		out.centre = average(out.at(s.x), equal(n))
	}
	return out
}

func (s sampled) at(x *mat.Dense) *mat.Dense {
	if m, ok := s.model.(*methods.Subspace); ok {
		return product(s.cross(x, m.Points), m.Coef)
	}
	return s.model.(*methods.FeatureSubspace).Eval(x)
}

func (s sampled) cross(x, y *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	m, _ := y.Dims()
	k := mat.NewDense(n, m, nil)
	k.Apply(func(i, j int, _ float64) float64 { return s.kernel.At(x.RawRowView(i), y.RawRowView(j)) }, k)
	return k
}

// draws are, for pairs (X, Y) of independent draws, ‖(k(·,X) − m_P) − P̂(k(·,X) −
// m̂)‖²_H and the square of that function at Y, centred: their means are R and T.
func (s sampled) draws(pairs, ell int) (r, t []float64) {
	x, y := points(pairs, 1, s.next), points(pairs, 1, s.next)
	fx, fy := s.at(x), s.at(y)
	c, cy := make([]float64, ell), make([]float64, ell)
	for i := range pairs {
		for j := range ell {
			c[j], cy[j] = fx.At(i, j)-s.centre[j], fy.At(i, j)-s.mean[j]
		}
		a, b := x.RawRowView(i), y.RawRowView(i)
		at := s.kernel.At(a, b) - s.embedding(a) - s.embedding(b) + s.norm - floats.Dot(c, cy)
		t = append(t, at*at)
		if s.inner == nil {
			continue
		}
		norm := s.kernel.At(a, a) - 2*s.embedding(a) + s.norm
		for j := range ell {
			norm -= 2 * c[j] * (fx.At(i, j) - s.mean[j])
			for k := range ell {
				norm += c[j] * c[k] * s.inner.At(j, k)
			}
		}
		r = append(r, norm)
	}
	return r, t
}

// monteCarlo lists the measures that lie more than 5 standard errors from their
// estimates by 20000 draws. About 50 comparisons at 5.7e-7 each are a
// false-alarm rate of 3e-5; the seeds are fixed. Standard errors are 1 to 3 %
// of the measures, so a mean part left out or a factor of 1.2 is seen.
func monteCarlo(s source, model methods.Model, center string, ell int) []string {
	values, _, err := Evaluate(context.Background(), Truth{Population: s.population}, model, []int{ell}, []string{"recon_h", "recon_l2"})
	if err != nil {
		return []string{err.Error()}
	}
	r, t := newSampled(s, model, center).draws(20_000, ell)
	var differ []string
	for name, draws := range map[string][]float64{"recon_h": r, "recon_l2": t} {
		if len(draws) == 0 {
			continue
		}
		mean, deviation := meanAndError(draws)
		if got := values[0][name]; !(math.Abs(got-mean) <= 5*deviation) {
			differ = append(differ, fmt.Sprintf("%s at ell = %d is %.6g, by Monte Carlo %.6g ± %.2g", name, ell, got, mean, deviation))
		}
	}
	return differ
}

// meanAndError are the mean of draws and its standard error.
func meanAndError(draws []float64) (mean, deviation float64) {
	n := float64(len(draws))
	mean = floats.Sum(draws) / n
	square := 0.0
	for _, v := range draws {
		square += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(square / n / n)
}

func TestReconstructionErrorsByMonteCarlo(t *testing.T) {
	for _, s := range sources(t) {
		s.eachTrial(t, func(t *testing.T, tr trial, model methods.Model) {
			for _, line := range monteCarlo(s, model, tr.center, 3) {
				t.Error(line)
			}
		})
	}
}
