package theory

import (
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"mercer/configs/source"
	"mercer/data"
	"mercer/internal/kernel"
	"mercer/internal/metrics"
	"mercer/internal/sizes"
	"mercer/methods"
)

// estimate is kernel PCA on the series population of finitely many eigenvalues,
// by vectors: √w_i e_i(x), i = 1 … p, are features of the kernel Σ w_i e_i e_i.
// With w = λ this is empirical kernel PCA, and Nyström on landmarks that span H.
type estimate struct {
	lambda, weights []float64
	mean            []float64     // of e_i over the sample
	components      *mat.SymDense // W^½ V Vᵀ W^½, V the first ℓ principal directions
	directions      *mat.Dense    // columns of W^½ V
	plain           *mat.SymDense // V Vᵀ
}

func newEstimate(lambda, weights []float64, n, ell int, rng *rand.Rand) estimate {
	p := len(lambda)
	series := must(kernel.NewFiniteSeries(lambda))
	sums, products, e := make([]float64, p), make([]float64, p*p), make([]float64, p)
	for range n {
		x := rng.Float64()
		for i := range e {
			e[i] = series.Eigenfunction(i+1, x)
			sums[i] += e[i]
			for j := range i + 1 {
				products[i*p+j] += e[i] * e[j]
			}
		}
	}
	cov := mat.NewSymDense(p, nil)
	for i := range p {
		sums[i] /= float64(n)
		for j := range i + 1 {
			cov.SetSym(i, j, math.Sqrt(weights[i]*weights[j])*(products[i*p+j]/float64(n)-sums[i]*sums[j]))
		}
	}
	var solver mat.EigenSym
	solver.Factorize(cov, true)
	var all mat.Dense
	solver.VectorsTo(&all)
	v := mat.DenseCopyOf(all.Slice(0, p, p-ell, p)) // the last are the largest
	out := estimate{lambda: lambda, weights: weights, mean: sums, directions: mat.NewDense(p, ell, nil), plain: mat.NewSymDense(p, nil), components: mat.NewSymDense(p, nil)}
	for j := range ell { // falling
		for i := range p {
			out.directions.Set(i, j, math.Sqrt(weights[i])*v.At(i, ell-1-j))
		}
	}
	out.plain.SymOuterK(1, v)
	out.components.SymOuterK(1, out.directions)
	return out
}

// reconH is ‖(I−VVᵀ)Λ^½‖² + ‖VVᵀΛ^½ē‖², for w = λ.
func (e estimate) reconH() float64 {
	p := len(e.lambda)
	centre := mat.NewVecDense(p, nil)
	sum := 0.0
	for i, lambda := range e.lambda {
		sum += lambda * (1 - e.plain.At(i, i))
		centre.SetVec(i, math.Sqrt(lambda)*e.mean[i])
	}
	var projected mat.VecDense
	projected.MulVec(e.plain, centre)
	return sum + mat.Dot(&projected, &projected)
}

// reconL2 is ‖Λ − W^½VVᵀW^½‖² + ‖W^½VVᵀW^½ē‖².
func (e estimate) reconL2() float64 {
	var projected mat.VecDense
	projected.MulVec(e.components, mat.NewVecDense(len(e.mean), e.mean))
	return math.Pow(e.distance(len(e.lambda)), 2) + mat.Dot(&projected, &projected)
}

// distance is ‖W^½VVᵀW^½ − diag(λ_1 … λ_count, 0 …)‖_HS; for count = ℓ that of the
// eigenspaces in L²(P).
func (e estimate) distance(count int) float64 {
	difference := mat.NewSymDense(len(e.lambda), nil)
	difference.CopySym(e.components)
	for i := range count {
		difference.SetSym(i, i, difference.At(i, i)-e.lambda[i])
	}
	return mat.Norm(difference, 2) // Frobenius
}

// eigenfunctions is Σ_j ‖W^½v_j ∓ √λ_j e_j‖, the better sign of each.
func (e estimate) eigenfunctions() float64 {
	p, ell := e.directions.Dims()
	sum := 0.0
	for j := range ell {
		least := math.Inf(1)
		for _, sign := range []float64{1, -1} {
			square := 0.0
			for i := range p {
				d := sign * e.directions.At(i, j)
				if i == j {
					d -= math.Sqrt(e.lambda[j])
				}
				square += d * d
			}
			least = min(least, math.Sqrt(square))
		}
		sum += least
	}
	return sum
}

// mercer are the weights of m Mercer features: Σλ/m for each draw of an index.
func mercer(lambda []float64, m int, rng *rand.Rand) []float64 {
	total := kappaOf(lambda) / 2
	weights := make([]float64, len(lambda))
	for range m {
		at, i := rng.Float64()*total, 0
		for i < len(lambda)-1 && at >= lambda[i] {
			at -= lambda[i]
			i++
		}
		weights[i] += total / float64(m)
	}
	return weights
}

// Each bound holds in at least 28 of 30 samples. With a probability of failure of
// 0.01 a sample, 3 failures or more have probability 0.004, so that new seeds
// raise a false alarm in one of the nine tests with probability 0.03 at the most,
// and far less where bounds are loose. They are: loose is how loose they may be, so
// that a bound that says nothing fails as well.
func TestBoundsCover(t *testing.T) {
	const repeats, delta = 30, 0.01
	for _, c := range []struct {
		key     string
		lambda  []float64
		n, m    int
		ell     int
		measure func(estimate) float64
		loose   float64
	}{
		{"nyk-4.1-ii", []float64{1, 0.1}, 20_000, 0, 1, estimate.reconH, 100},
		{"nyk-4.1-iii", []float64{1, 0.1}, 20_000, 20_000, 1, estimate.reconH, 400},
		{"nyk-4.3-ii", []float64{1, 0.1}, 20_000, 0, 1, estimate.reconL2, 2000},
		{"nyk-4.4", []float64{1, 0.1}, 20_000, 20_000, 1, estimate.reconL2, 50_000},
		{"nyk-4.3-iii", []float64{1, 0.7}, 40_000, 400_000, 1, estimate.reconL2, 1000},
		{"rfk-1-i", []float64{1, 0.05}, 60_000, 0, 1, func(e estimate) float64 { return e.distance(1) }, 5000},
		{"rfk-1-ii", []float64{1, 0.05}, 60_000, 0, 1, estimate.eigenfunctions, 6000},
		{"rfk-2-i", []float64{1, 0.05}, 100_000, 200_000, 1, func(e estimate) float64 { return e.distance(1) }, 4000},
		{"rfk-2-ii", []float64{1, 0.05}, 100_000, 200_000, 1, estimate.eigenfunctions, 10_000},
	} {
		rng := newRand(71)
		s := Setting{Population: finite(c.lambda...), Sizes: sizes.Sizes{N: c.n, M: c.m, Ell: c.ell}, Delta: delta}
		b := applied(t, c.key, s)
		outside, largest := 0, 0.0
		for range repeats {
			weights := c.lambda
			if Registry[c.key].Methods[0] == "rff" {
				weights = mercer(c.lambda, c.m, rng)
			}
			v := c.measure(newEstimate(c.lambda, weights, c.n, c.ell, rng))
			if !(v <= b.Upper && v >= b.Lower*(1-1e-12)) {
				outside++
			}
			largest = max(largest, v)
		}
		if outside > 2 || !(b.Upper <= c.loose*largest) {
			t.Errorf("%s: %d of %d outside [%g, %g], the largest %g", c.key, outside, repeats, b.Lower, b.Upper, largest)
		}
	}
}

// The same through the estimator and the measure that records come from, once,
// where landmarks do not span H: one false alarm in 1000 seeds at the most.
func TestNystromByTheMethodItself(t *testing.T) {
	const n, m, ell = 8000, 7500, 2
	dataset := must((&data.SeriesOptions{Decay: &kernel.Decay{Exponential: new(0.1)}}).Open(data.Context{}))
	draw := must(dataset.Draw(func(string) data.Source { return rand.NewPCG(72, 5) }))
	population := must(draw.Population(nil, ell+1))
	x, _, err := draw.Sample(n)
	if err != nil {
		t.Fatal(err)
	}
	method := must(methods.Registry["nystrom"].New().Method())
	model := must(method.Fit(context.Background(), methods.Sample{X: x, Kernel: dataset.Kernel(), Sizes: methods.Sizes{N: n, M: m, Ell: ell}}, newRand(73)))
	truth := metrics.Truth{Population: population, Kernel: dataset.Kernel(), X: x}
	values := measured(truth, model, ell, "recon_h", "recon_l2")
	for _, key := range []string{"nyk-4.1-iii", "nyk-4.4"} {
		b := applied(t, key, Setting{Population: population, Sizes: sizes.Sizes{N: n, M: m, Ell: ell}, Delta: 5e-4})
		if v := values[Registry[key].Metric]; !(v <= b.Upper && v >= b.Lower*(1-1e-9)) {
			t.Errorf("%s: %g outside [%g, %g]", key, v, b.Lower, b.Upper)
		}
	}
}

// Every theorem names methods and a metric that exist, and says what it needs.
func TestRegistryIsWhole(t *testing.T) {
	known := map[string]bool{}
	for _, measure := range metrics.Registry {
		for _, name := range measure.Metrics() {
			known[name] = true
		}
	}
	if len(Keys()) != len(Registry) {
		t.Errorf("%d keys, %d theorems", len(Keys()), len(Registry))
	}
	for key, theorem := range Registry {
		if theorem.Key != key || theorem.Reference == "" || theorem.Says == "" || len(theorem.Methods) == 0 || len(theorem.Sizes) == 0 {
			t.Errorf("%s: %+v", key, theorem)
		}
		// KJL Theorem 3 is a limit law, neither of them.
		if none := theorem.Bound == nil && theorem.Rate == nil; none != (key == "kjl-3") {
			t.Errorf("%s is neither a bound nor a rate", key)
		}
		for _, size := range theorem.Sizes {
			if !slices.Contains([]string{"n", "m", "d", "ell", "k"}, size) {
				t.Errorf("%s: no size %q", key, size)
			}
		}
		for _, name := range append([]string{theorem.Metric}, theorem.Uses...) {
			if !known[name] {
				t.Errorf("%s: no metric %q", key, name)
			}
		}
		for _, method := range theorem.Methods {
			if _, ok := methods.Registry[method]; !ok {
				t.Errorf("%s: no method %q", key, method)
			}
		}
		named := slices.Concat(slices.Collect(maps.Keys(theorem.Defaults)), slices.Collect(maps.Keys(theorem.MustWith)))
		for _, name := range named {
			if _, ok := theorem.Open[name]; !ok {
				t.Errorf("%s: %q is not open", key, name)
			}
		}
	}
}

// Every theorem is named in a test, beside that of its trivial value.
func TestEveryTheoremIsTested(t *testing.T) {
	var tests strings.Builder
	for _, file := range must(filepath.Glob("*_test.go")) {
		if file != "trivial_test.go" {
			tests.Write(must(os.ReadFile(file)))
		}
	}
	for _, key := range Keys() {
		if !strings.Contains(tests.String(), strconv.Quote(key)) {
			t.Errorf("no test names %s: verify it in two independent ways", key)
		}
	}
}

// Every option and value that a theorem is about is one that a method takes of which
// some theorem speaks, as a paper states its options once: a misspelt one would bind
// no method.
func TestOptionsAreThoseOfMethods(t *testing.T) {
	var all []string
	for _, theorem := range Registry {
		all = append(all, theorem.Methods...)
	}
	for key, theorem := range Registry {
		options := maps.Clone(theorem.Options)
		for _, when := range theorem.MustWith {
			if options == nil {
				options = map[string][]string{}
			}
			options[when[0]] = append(slices.Clone(options[when[0]]), when[1])
		}
		for name, values := range options {
			for _, value := range values {
				if !slices.ContainsFunc(all, func(method string) bool { return takes(method, name, value) }) {
					t.Errorf("%s is about %s: %s, which no method takes", key, name, value)
				}
			}
		}
	}
	for _, wrong := range [][2]string{{"centre", "u"}, {"center", "w"}, {"landmarks", "unifrom"}, {"landmarks", "uniform with"}} {
		if takes("nystrom", wrong[0], wrong[1]) {
			t.Errorf("nystrom takes %s: %s", wrong[0], wrong[1])
		}
	}
}

// takes says whether a method's options can be set so that a theorem sees the value.
func takes(method, name, value string) bool {
	text := value
	if rule, replaced := strings.CutSuffix(value, " with replacement"); replaced {
		text = "{rule: " + rule + ", replacement: true}"
	}
	params, err := source.Params("method", method, "{"+name+": "+text+"}")
	if err != nil {
		return false
	}
	options := methods.Registry[method].New()
	_, _ = params.Bind(options, nil) // other options are required
	got, ok := methods.OptionOf(options, name)
	if !ok || got != value {
		return false
	}
	_, err = options.Method()
	return err == nil || !strings.Contains(err.Error(), value)
}

// The names that statements look up among the given numbers are open, measured or
// exponents: what is looked up by a misspelt name is never found.
func TestGivenNamesAreOpen(t *testing.T) {
	known := map[string]bool{"alpha": true, "theta": true, "gamma": true}
	for _, theorem := range Registry {
		for _, name := range append(slices.Collect(maps.Keys(theorem.Open)), theorem.Uses...) {
			known[name] = true
		}
	}
	asked := 0
	for _, file := range must(filepath.Glob("*.go")) {
		for _, match := range regexp.MustCompile(`Given\["([^"]+)"\]|needed\(\w+, "([^"]+)"\)`).FindAllStringSubmatch(string(must(os.ReadFile(file))), -1) {
			name := match[1] + match[2]
			if asked++; !known[name] && !strings.HasSuffix(file, "_test.go") {
				t.Errorf("%s looks for %q, which no theorem has", file, name)
			}
		}
	}
	if asked < 8 {
		t.Errorf("%d names are looked up", asked)
	}
}
