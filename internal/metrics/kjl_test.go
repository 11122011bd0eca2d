package metrics

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/methods"
)

// gaussianSketch is V̂ᵀS_X by its definition: ZK/(n^{3/2}√d).
//
// Reference: [KJL, §3].
func gaussianSketch(k kernel.Kernel, x *mat.Dense, d int, rng *rand.Rand) *methods.Embedding {
	n, _ := x.Dims()
	z := points(d, n, rng.NormFloat64)
	coef := product(kernel.Gram(k, x), z.T())
	coef.Scale(1/(math.Pow(float64(n), 1.5)*math.Sqrt(float64(d))), coef)
	return &methods.Embedding{Functions: kernel.Expansion{Kernel: k, Points: x, Coef: coef}, Sketch: true, Gaussian: true}
}

// kjl are the measures of a sketch on a world by their definitions: the kernel
// matrix of nodes and sample is factorised as FFᵀ, rows of F stand for k(·,z),
// all operators are plain matrices, and their norms come from singular values.
func kjl(w world, m *methods.Embedding) map[string]float64 {
	f := m.Functions.(kernel.Expansion)
	n, _ := w.nodes.Dims()
	s, _ := f.Points.Dims()
	rows := factor(gram(w, stack(w.nodes, f.Points)))
	_, q := rows.Dims()
	sigma, sampled := mat.NewDense(q, q, nil), mat.NewDense(q, q, nil)
	for i := range n {
		sigma.RankOne(sigma, w.weights[i], rows.RowView(i), rows.RowView(i))
	}
	x := rows.Slice(n, n+s, 0, q)
	for i := range s {
		sampled.RankOne(sampled, 1/float64(s), rows.RowView(n+i), rows.RowView(n+i))
	}
	functions := product(x.T(), f.Coef)
	truth, empirical, sketch := product(sigma, sigma, sigma), product(sampled, sampled, sampled), product(functions, functions.T())
	norm := func(a, b *mat.Dense) float64 {
		var difference mat.Dense
		difference.Sub(a, b)
		var svd mat.SVD
		svd.Factorize(&difference, mat.SVDNone)
		return svd.Values(nil)[0]
	}
	symmetric := mat.NewSymDense(q, nil)
	for i := range q {
		for j := range q {
			symmetric.SetSym(i, j, sigma.At(i, j))
		}
	}
	_, vectors := eigen(symmetric)
	phi := vectors.ColView(0)
	limit, given := mat.Inner(phi, truth, phi), mat.Inner(phi, empirical, phi)
	projected := product(functions.T(), phi)
	d := float64(m.Dim())
	weak := 0.0
	for a := range m.Dim() {
		weak += projected.At(a, 0) * projected.At(a, 0) / d
	}
	values := map[string]float64{
		"kjl_sample_trace": mat.Trace(empirical), "kjl_sample_norm": norm(empirical, mat.NewDense(q, q, nil)), "kjl_stretch": norm(sketch, mat.NewDense(q, q, nil)),
		"kjl_operator": norm(sketch, truth), "kjl_operator_sampling": norm(empirical, truth), "kjl_operator_sketch": norm(sketch, empirical),
		"kjl_weak": math.Sqrt(weak + limit/d), "kjl_weak_sketch": math.Sqrt(weak), "kjl_weak_limit": math.Sqrt(limit / d),
		"kjl_projection": math.Sqrt(d/limit) * projected.At(0, 0), "kjl_projection_sd": math.Sqrt(given / limit),
	}
	if m.Dim() > 1 {
		values["kjl_weak_error"] = math.Abs(projected.At(0, 0) - math.Sqrt(limit/given)*projected.At(1, 0))
	}
	return values
}

var kjlNames = []string{"kjl_operator", "kjl_weak", "kjl_projection", "kjl_weak_error", "kjl_sample", "kjl_stretch"}

// kjlDisagreements lists where the measures differ from the definitions by more
// than 1e-9: norms of size 1e-2, exact to 1e-12, but factor clips eigenvalues of
// size 1e-15 whose roots, 3e-8, are coordinates; they enter norms squared.
func kjlDisagreements(w world, m *methods.Embedding) []string {
	got, _, err := Evaluate(context.Background(), w.truth(), m, []int{0}, kjlNames)
	if err != nil {
		return []string{err.Error()}
	}
	var differ []string
	for name, want := range kjl(w, m) {
		// The sign of an eigenfunction is free.
		if name == "kjl_projection" {
			want = math.Copysign(want, got[0][name])
		}
		if v, ok := got[0][name]; !ok || !(math.Abs(v-want) <= 1e-9) {
			differ = append(differ, fmt.Sprintf("%s: %s is %.15g, want %.15g", w.name, name, v, want))
		}
	}
	return differ
}

func TestSketchMeasuresAreTheirDefinitions(t *testing.T) {
	for _, w := range worlds(t) {
		for seed, d := range []int{1, 3, 50} {
			for _, line := range kjlDisagreements(w, gaussianSketch(w.kernel, w.x, d, newRand(uint64(40+seed)))) {
				t.Errorf("d = %d: %s", d, line)
			}
		}
		// Duplicated points, and more points than the kernel has functions.
		twice := stack(w.x, w.x)
		for _, line := range kjlDisagreements(w, gaussianSketch(w.kernel, twice, 4, newRand(45))) {
			t.Errorf("duplicated points: %s", line)
		}
	}
}

// The sample is the population: Σn = Σ to rounding, and the sketch part is the
// whole.
func TestSamplingErrorOfThePopulationItself(t *testing.T) {
	w := selfWorld(t)
	values, _, err := Evaluate(t.Context(), w.truth(), gaussianSketch(w.kernel, w.nodes, 3, newRand(46)), []int{0}, kjlNames)
	if err != nil {
		t.Fatal(err)
	}
	v := values[0]
	if !(v["kjl_operator_sampling"] <= 1e-14) || !(math.Abs(v["kjl_operator"]-v["kjl_operator_sketch"]) <= 1e-14) || !(v["kjl_operator"] > 1e-3) {
		t.Errorf("sampling part %g, whole %g, sketch part %g", v["kjl_operator_sampling"], v["kjl_operator"], v["kjl_operator_sketch"])
	}
	if !(math.Abs(v["kjl_projection_sd"]-1) <= 1e-12) {
		t.Errorf("standard deviation %v, want 1", v["kjl_projection_sd"])
	}
}

// On an infinite series the operators are infinite matrices, of which the
// measure sees p coordinates and the span of the sample. Another way sees all:
// with A = Σ_a f_a⊗f_a, θ > 0 is the largest eigenvalue of A − Σ³ exactly if 1 is
// that of [⟨f_a, (θ + Σ³)⁻¹ f_b⟩] = Coefᵀ k_θ(x,x) Coef, where
//
//	k_θ = Σ λ/(θ+λ³) e e = k/θ − k⁽⁴⁾/θ² + Σ λ⁷/(θ²(θ+λ³)) e e
//
// with iterated kernels in closed form and a rest that falls as i^(−7α). Sketches
// are drawn until ⟨φ_1, Aφ_1⟩ > 2·⟨φ_1, Σ³φ_1⟩ = 2‖Σ³‖: then the norm is a positive
// eigenvalue. In θ that of the form has a slope of about −1/θ, so that 1e-12 is
// the relative accuracy of the norm.
func TestSketchOfAnInfiniteSeries(t *testing.T) {
	for _, alpha := range []int{2, 4} {
		k, err := kernel.NewPowerSeries(alpha)
		if err != nil {
			t.Fatal(err)
		}
		power := float64(alpha)
		population := open(t, &data.SeriesOptions{Decay: &kernel.Decay{Power: &power}}, nil)
		for _, n := range []int{8, 30, 120} {
			rng := newRand(uint64(50 + n))
			truth := Truth{Population: population, Kernel: k, X: points(n, 1, rng.Float64)}
			phi := k.Eigenfunctions(truth.X, 1)
			m := gaussianSketch(k, truth.X, 2, rng)
			for mat.Norm(product(m.Functions.(kernel.Expansion).Coef.T(), phi), 2) < 1.5 {
				m = gaussianSketch(k, truth.X, 2, rng)
			}
			values, _, err := Evaluate(t.Context(), truth, m, []int{0}, []string{"kjl_operator"})
			if err != nil {
				t.Fatal(err)
			}
			theta, f := values[0]["kjl_operator"], m.Functions.(kernel.Expansion)
			form := mat.NewSymDense(2, nil)
			for a := range 2 {
				for b := a; b < 2; b++ {
					form.SetSym(a, b, resolvent(k, f, theta, a, b))
				}
			}
			if top, _ := eigen(form); !(math.Abs(top[0]-1) <= 1e-12) {
				t.Errorf("alpha = %d, n = %d: at θ = %v the resolvent has eigenvalue %.15g, want 1", alpha, n, theta, top[0])
			}
		}
	}
}

// resolvent is Coef_aᵀ k_θ(x,x) Coef_b.
func resolvent(k *kernel.Series, f kernel.Expansion, theta float64, a, b int) float64 {
	sum := 0.0
	for i := range f.Points.RawMatrix().Rows {
		for j := range f.Points.RawMatrix().Rows {
			x, y := f.Points.RawRowView(i), f.Points.RawRowView(j)
			sum += f.Coef.At(i, a) * f.Coef.At(j, b) * (k.At(x, y)/theta - k.Iterated(4).At(x, y)/(theta*theta))
		}
	}
	const terms = 60 // 60^−13 of the first
	e := k.Eigenfunctions(f.Points, terms)
	for i := range terms {
		lambda := k.Eigenvalue(i + 1)
		left, right := mat.Dot(e.ColView(i), f.Coef.ColView(a)), mat.Dot(e.ColView(i), f.Coef.ColView(b))
		sum += math.Pow(lambda, 7) / (theta * theta * (theta + lambda*lambda*lambda)) * left * right
	}
	return sum
}

// The weak error by draws of Θ from its definition, v_i ~ N(0, Σ³) in H as
// Σ_j λ_j^{3/2} ξ_j φ_j, and of α; the standard deviation of a projection by
// draws of Z. 20000 draws, 5 standard errors: two checks at 5.7e-7 each are a
// false-alarm rate of 1e-6; the seeds are fixed.
func TestSketchMeasuresByMonteCarlo(t *testing.T) {
	const draws, d = 20_000, 3
	w := seriesWorld(t)
	m := gaussianSketch(w.kernel, w.x, d, newRand(60))
	values, _, err := Evaluate(t.Context(), w.truth(), m, []int{0}, kjlNames)
	if err != nil {
		t.Fatal(err)
	}
	rng := newRand(61)
	k := w.kernel.(*kernel.Series)
	f := m.Functions.(kernel.Expansion)
	phi := mat.NewVecDense(worldN, nil) // φ_1 = √λ_1 e_1 at the sample
	for i := range worldN {
		phi.SetVec(i, math.Sqrt(k.Eigenvalue(1))*k.Eigenfunction(1, w.x.At(i, 0)))
	}
	ours := product(f.Coef.T(), phi).RawMatrix().Data
	var weak, square []float64
	image := product(gram(w, w.x), phi).RawMatrix().Data
	for range draws {
		alpha, error2 := make([]float64, d), 0.0
		for i := range alpha {
			alpha[i] = rng.NormFloat64()
		}
		floats.Scale(1/floats.Norm(alpha, 2), alpha)
		for i := range alpha {
			theta := math.Pow(k.Eigenvalue(1), 1.5) * rng.NormFloat64() / math.Sqrt(d) // ⟨v_i, φ_1⟩/√d
			error2 += alpha[i] * (ours[i] - theta)
		}
		weak = append(weak, error2*error2)
		z := 0.0
		for _, v := range image {
			z += rng.NormFloat64() * v
		}
		z /= math.Pow(worldN, 1.5) * math.Pow(k.Eigenvalue(1), 1.5)
		square = append(square, z*z)
	}
	for name, draws := range map[string][]float64{"kjl_weak": weak, "kjl_projection_sd": square} {
		mean, deviation := meanAndError(draws)
		if got := values[0][name] * values[0][name]; !(math.Abs(got-mean) <= 5*deviation) {
			t.Errorf("square of %s is %.6g, by Monte Carlo %.6g ± %.2g", name, got, mean, deviation)
		}
	}
}

// Over repeats of sample and sketch, a projection in units of its own standard
// deviation is N(0,1): a Kolmogorov–Smirnov test on 400 of them, whose critical
// value 2.23/√400 has a false-alarm rate of 1e-4; the seed is fixed. A factor of
// √2 moves the distribution by 0.08 at most and by itself would pass: scales are
// checked above.
func TestProjectionsAreNormal(t *testing.T) {
	const repeats = 400
	w, rng := seriesWorld(t), newRand(64)
	var ratios []float64
	for range repeats {
		truth := w.truth()
		truth.X = points(30, 1, rng.Float64)
		values, _, err := Evaluate(t.Context(), truth, gaussianSketch(w.kernel, truth.X, 2, rng), []int{0}, []string{"kjl_projection"})
		if err != nil {
			t.Fatal(err)
		}
		ratios = append(ratios, values[0]["kjl_projection"]/values[0]["kjl_projection_sd"])
	}
	slices.Sort(ratios)
	distance := 0.0
	for i, v := range ratios {
		normal := math.Erfc(-v/math.Sqrt2) / 2
		distance = max(distance, math.Abs(normal-float64(i)/repeats), math.Abs(normal-float64(i+1)/repeats))
	}
	if critical := 2.23 / math.Sqrt(repeats); !(distance <= critical) {
		t.Errorf("distance %.3f from N(0,1), critical value %.3f", distance, critical)
	}
}

func TestSketchOfAnotherKernelIsAnError(t *testing.T) {
	w := heldOutWorld(t)
	features := &methods.Embedding{Sketch: true, Functions: kernel.FeatureExpansion{}}
	for _, m := range []*methods.Embedding{gaussianSketch(kernel.NewGaussian(7), w.x, 2, newRand(63)), features} {
		if _, _, err := Evaluate(t.Context(), w.truth(), m, []int{0}, []string{"kjl_weak"}); err == nil || !strings.Contains(err.Error(), "of the kernel that it is measured with") {
			t.Errorf("%v", err)
		}
	}
}

// TestFactorUncertain: errors beyond what is expected are taken for errors up to
// a limit, and for an indefinite matrix beyond it.
func TestFactorUncertain(t *testing.T) {
	matrix := func() *mat.SymDense { return mat.NewSymDense(2, []float64{1e-12, 5e-12, 5e-12, 1e-12}) }
	if _, err := factorUncertain(matrix(), 1e-13, 1e-9); err != nil {
		t.Error(err)
	}
	if _, err := factorUncertain(matrix(), 1e-13, 1e-13); !errors.Is(err, linalg.ErrIndefinite) {
		t.Errorf("error %v, want indefinite", err)
	}
}
