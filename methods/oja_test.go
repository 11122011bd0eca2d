package methods_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
)

// plainOja is Oja's algorithm on rows z step by step, by its definition: Gram and
// Schmidt's orthogonalisation, twice, after each row. rate is that of column j at
// a step with the gradient's column g_j. It returns Q and the weighted means of
// (zᵀq_j)².
func plainOja(z, q *mat.Dense, rate func(step, j int, g []float64) float64) (*mat.Dense, []float64) {
	n, p := z.Dims()
	_, ell := q.Dims()
	columns := make([][]float64, ell)
	for j := range columns {
		columns[j] = mat.Col(nil, j, q)
	}
	gramSchmidt(columns)
	values, weights := make([]float64, ell), 0.0
	for i := range n {
		weights += float64(i + 1)
		for j, c := range columns {
			at, gradient := floats.Dot(c, z.RawRowView(i)), make([]float64, p)
			values[j] += float64(i+1) * at * at
			floats.AddScaled(gradient, at, z.RawRowView(i))
			floats.AddScaled(c, rate(i+1, j, gradient), gradient)
		}
		gramSchmidt(columns)
	}
	floats.Scale(1/weights, values)
	out := mat.NewDense(p, ell, nil)
	for j, c := range columns {
		out.SetCol(j, c)
	}
	return out, values
}

func gramSchmidt(columns [][]float64) {
	for j, c := range columns {
		for range 2 {
			for _, before := range columns[:j] {
				floats.AddScaled(c, -floats.Dot(c, before), before)
			}
		}
		floats.Scale(1/floats.Norm(c, 2), c)
	}
}

// plainAdaOja is AdaOja's rule: b_j² = b_0² + Σ ‖g_j‖², the step's own included.
func plainAdaOja(b0 float64, ell int) func(step, j int, g []float64) float64 {
	sums := make([]float64, ell)
	return func(_, j int, g []float64) float64 {
		sums[j] += floats.Dot(g, g)
		return 1 / math.Sqrt(b0*b0+sums[j])
	}
}

// helmert are the centred rows that a centred pass takes, from their definition.
func helmert(z *mat.Dense) *mat.Dense {
	n, p := z.Dims()
	rows := mat.NewDense(n-1, p, nil)
	sum := append([]float64{}, z.RawRowView(0)...)
	for t := 1; t < n; t++ {
		row := rows.RawRowView(t - 1)
		copy(row, z.RawRowView(t))
		floats.AddScaled(row, -1/float64(t), sum)
		floats.Scale(math.Sqrt(float64(t)/float64(t+1)), row)
		floats.Add(sum, z.RawRowView(t))
	}
	return rows
}

// startOf draws what a fit draws: the features, and the normal columns after them.
func startOf(seed uint64, k kernel.ShiftInvariant, x *mat.Dense, s methods.Sizes) (z, q *mat.Dense) {
	rng := newRand(seed)
	n, d := x.Dims()
	features := kernel.NewFourier(k, s.M, d, rng)
	z, q = mat.NewDense(n, features.Dim(), nil), mat.NewDense(features.Dim(), s.Ell, nil)
	features.Transform(z, x)
	for j := range s.Ell {
		for i := range features.Dim() {
			q.Set(i, j, rng.NormFloat64())
		}
	}
	return z, q
}

func ojaOf(t *testing.T, center string, rates methods.RateOptions) methods.Streaming {
	t.Helper()
	return method(t, &methods.OjaOptions{FeatureOptions: methods.FeatureOptions{Features: "fourier", Center: center}, RateOptions: rates}).(methods.Streaming)
}

func fitFeatures(t *testing.T, m methods.Method, p methods.Sample, seed uint64) *methods.FeatureSubspace {
	t.Helper()
	if err := m.Check(p.Kernel, p.Sizes); err != nil {
		t.Fatal(err)
	}
	model, err := m.Fit(context.Background(), p, newRand(seed))
	if err != nil {
		t.Fatal(err)
	}
	return model.(*methods.FeatureSubspace)
}

func worstDifference(a, b *mat.Dense) float64 {
	var off mat.Dense
	off.Sub(a, b)
	off.Apply(func(_, _ int, v float64) float64 { return math.Abs(v) }, &off)
	return mat.Max(&off)
}

// TestOjaByDefinition compares fits with plainOja, entry by entry: on Fourier
// features of all points (uncentred) and on Helmert's rows (centred). The sizes
// pass through both forms of a step. Rounding
// of 1e-16 is multiplied by each step; 1e-9 leaves room. A reference with a mistake
// is off by more than 1e-4.
func TestOjaByDefinition(t *testing.T) {
	gaussian := kernel.NewGaussian(4)
	x := uniformPoints(3, 203, 2)
	// phases are the rates of Theorem D.3 for k = 1, gap = 0.5, Λ = 0.6 and δ = 0.9.
	phases := func(c float64) func(int, int, []float64) float64 {
		return func(step, _ int, _ []float64) float64 {
			t0, t1 := 4*0.6/(0.25*0.81), 2.4 // T_0 = 11.85…
			switch at := float64(step); {
			case at <= t0:
				return c / (0.5 * t0)
			case at <= t0+t1:
				return c / (0.5 * t1)
			default:
				return c / (0.5 * (at - t0))
			}
		}
	}
	theorem := func(c float64) methods.RateOptions {
		return methods.RateOptions{Schedule: "theorem-d3", C: c, K: 1, Gap: 0.5, Lambda: 0.6, Delta: 0.9}
	}
	wide := methods.Sizes{N: 203, M: 12, Ell: 5}
	for _, tt := range []struct {
		name    string
		sizes   methods.Sizes
		rates   methods.RateOptions
		plain   func() func(step, j int, g []float64) float64
		mistake func() func(step, j int, g []float64) float64
	}{
		{"theorem D.3", wide, theorem(2),
			func() func(int, int, []float64) float64 { return phases(2) },
			func() func(int, int, []float64) float64 { return phases(1.9) }},
		{"large steps", wide, theorem(500),
			func() func(int, int, []float64) float64 { return phases(500) },
			func() func(int, int, []float64) float64 { return phases(250) }},
		{"one column", methods.Sizes{N: 203, M: 12, Ell: 1}, theorem(2),
			func() func(int, int, []float64) float64 { return phases(2) },
			func() func(int, int, []float64) float64 { return phases(-2) }},
		{"a square Q", methods.Sizes{N: 203, M: 3, Ell: 6}, theorem(2),
			func() func(int, int, []float64) float64 { return phases(2) },
			func() func(int, int, []float64) float64 { return phases(1.9) }},
		{"adaoja", wide, methods.RateOptions{Schedule: "adaoja"},
			func() func(int, int, []float64) float64 { return plainAdaOja(1e-5, 5) },
			func() func(int, int, []float64) float64 { // the step's own gradient left out
				sums := []float64{1e-10, 1e-10, 1e-10, 1e-10, 1e-10}
				return func(_, j int, g []float64) float64 {
					rate := 1 / math.Sqrt(sums[j])
					sums[j] += floats.Dot(g, g)
					return rate
				}
			}},
	} {
		for _, center := range []string{"none", "u"} {
			name := fmt.Sprintf("%s, center %s", tt.name, center)
			p := methods.Sample{X: x, Kernel: gaussian, Sizes: tt.sizes}
			got := fitFeatures(t, ojaOf(t, center, tt.rates), p, 11)
			z, q := startOf(11, gaussian, x, tt.sizes)
			if center == "u" {
				z = helmert(z)
			}
			want, values := plainOja(z, q, tt.plain())
			if off := worstDifference(got.Coef, want); !(off < 1e-9) {
				t.Errorf("%s: Q is off by %.2g", name, off)
			}
			if !floats.EqualApprox(got.Values, values, 1e-9) {
				t.Errorf("%s: values %v, want %v", name, got.Values, values)
			}
			wrong, _ := plainOja(z, q, tt.mistake())
			if off := worstDifference(got.Coef, wrong); off < 1e-4 {
				t.Errorf("%s: a reference with a mistake is off by %.2g only", name, off)
			}
		}
	}
}

// sine2 is ‖(I − UUᵀ)Q‖²_F, the squared sines between the spans of two matrices with
// orthonormal columns.
func sine2(u, q *mat.Dense) float64 {
	var inner mat.Dense
	inner.Mul(u.T(), q)
	_, ell := q.Dims()
	norm := mat.Norm(&inner, 2)
	return float64(ell) - norm*norm
}

// TestOjaConverges: the squared distance of Oja's subspace from that of rff, on the
// same sample and features, falls as 1/n, the rate of Theorem D.3, with its
// rates; AdaOja's rates fall as t^(−1/2), and so does its distance. Over 12
// seeds the mean of sin² varies by a factor of 1.4 at each n (its components are
// sums of some squared normals), which over the range of 16 in n moves a slope by
// 0.17: the bands are 2.5 of these wide, with a false-alarm rate of 1 % were seeds
// not fixed. Q_0 alone has slope 0.
func TestOjaConverges(t *testing.T) {
	gaussian := kernel.NewGaussian(2)
	rff := method(t, &methods.RFFOptions{Features: "fourier", Center: "none"})
	const seeds = 12
	for _, tt := range []struct {
		name      string
		rates     methods.RateOptions
		low, high float64
	}{
		{"theorem D.3", methods.RateOptions{Schedule: "theorem-d3", C: 2, K: 2, Gap: 0.17, Lambda: 0.9, Delta: 0.99}, -1.4, -0.6},
		{"adaoja", methods.RateOptions{Schedule: "adaoja"}, -0.9, -0.1},
	} {
		oja := ojaOf(t, "none", tt.rates)
		mean := map[int]float64{}
		for seed := range uint64(seeds) {
			x := uniformPoints(100+seed, 8000, 2)
			each := func(n int, m methods.Model, err error) error {
				if err != nil {
					return err
				}
				p := methods.Sample{X: x.Slice(0, n, 0, 2).(*mat.Dense), Kernel: gaussian, Sizes: methods.Sizes{N: n, M: 15, Ell: 2}}
				mean[n] += sine2(fitFeatures(t, rff, p, seed).Coef, m.(*methods.FeatureSubspace).Coef) / seeds
				return nil
			}
			p := methods.Sample{X: x, Kernel: gaussian, Sizes: methods.Sizes{N: 8000, M: 15, Ell: 2}}
			if err := oja.FitEach(context.Background(), p, []int{500, 8000}, newRand(seed), each); err != nil {
				t.Fatal(err)
			}
		}
		slope := math.Log(mean[8000]/mean[500]) / math.Log(16)
		t.Logf("%s: mean sin² %.2g at n = 500, %.2g at 8000, slope %.2f", tt.name, mean[500], mean[8000], slope)
		if !(slope > tt.low && slope < tt.high) {
			t.Errorf("%s: slope %.2f, want one in (%v, %v)", tt.name, slope, tt.low, tt.high)
		}
	}
}

// TestOjaValues: λ̂ come near those of rff, 3 % of λ_1 at n = 8000, where weights that leave
// 3n/4 independent squares give standard errors below 1 %.
func TestOjaValues(t *testing.T) {
	gaussian := kernel.NewGaussian(2)
	for _, center := range []string{"none", "u"} {
		p := methods.Sample{X: uniformPoints(9, 8000, 2), Kernel: gaussian, Sizes: methods.Sizes{N: 8000, M: 15, Ell: 3}}
		want := fitFeatures(t, method(t, &methods.RFFOptions{Features: "fourier", Center: center}), p, 1)
		got := fitFeatures(t, ojaOf(t, center, methods.RateOptions{Schedule: "theorem-d3", C: 2, K: 2, Gap: 0.1, Lambda: 0.9, Delta: 0.99}), p, 1)
		for j, v := range got.Values {
			if math.Abs(v-want.Values[j]) > 0.03*want.Values[0] {
				t.Errorf("center %s: values %.4g, rff has %.4g", center, got.Values, want.Values)
			}
		}
	}
}

// TestOjaWarnsOfNorms: Theorem D.3 takes features of norm at most 1, which Mercer
// features have not.
func TestOjaWarnsOfNorms(t *testing.T) {
	rates := methods.RateOptions{Schedule: "theorem-d3", C: 1, K: 1, Gap: 0.25, Lambda: 0.5, Delta: 0.5}
	oja := method(t, &methods.OjaOptions{FeatureOptions: methods.FeatureOptions{Features: "mercer", Center: "none"}, RateOptions: rates})
	p := methods.Sample{X: uniformPoints(9, 50, 1), Kernel: quarterSeries(t), Sizes: methods.Sizes{N: 50, M: 4, Ell: 1}}
	if warnings := fitFeatures(t, oja, p, 1).Warnings; len(warnings) != 1 {
		t.Errorf("warnings %q, want one of the norm", warnings)
	}
	p.Kernel = kernel.NewGaussian(1)
	if warnings := fitFeatures(t, ojaOf(t, "none", rates), p, 1).Warnings; len(warnings) != 0 {
		t.Errorf("warnings %q of Fourier features", warnings)
	}
}
