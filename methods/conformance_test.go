package methods_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/methods"
	"mercer/methods/landmark"
)

// own are the variants that the test file of a method adds, e.g. of an estimate of one pass:
//
//	func init() { own["rf-new"] = variant{"rf-new", &methods.NewOptions{}, Subject{Random: true, Streamed: true}} }
var own = map[string]variant{}

// variant is an entry of the registry with parameters, and what is promised of
// it.
type variant struct {
	use     string
	options methods.Options
	subject Subject // its Method, its Traits and, where there is such an option, its Center come from above
}

// thorough are the rules of landmarks that are tried with every space and centre,
// on every back end: what a fit does with its landmarks does not depend on who
// picked them, but for their number and that they may be none of the sample.
// Package landmark runs its rules on every back end.
var thorough = []string{"uniform", "first"}

func variants(t *testing.T) map[string]variant {
	series := quarterSeries(t)
	tooMany := Refusal{Sizes: methods.Sizes{N: 10, M: 10, Ell: 11}, Says: "ell = 11 components of an estimate of rank at most"}
	noM := Refusal{Sizes: methods.Sizes{N: 10, Ell: 1}, Says: "the grid gives no m"}
	all := maps.Clone(own)
	maps.Copy(all, map[string]variant{
		"kpca": {use: "kpca", options: &methods.KPCAOptions{}, subject: Subject{Kernel: series, Population: populationOf(t, &data.SeriesOptions{Eigenvalues: quarters})}},
	})
	all["exec"] = variant{"exec", &methods.ExecOptions{
		Command: []string{thisBinary(t)}, Model: "subspace", Version: "1", Env: map[string]string{asProgram: "1"},
	}, Subject{Center: "u"}}
	for _, c := range []string{"u", "v", "none"} {
		refused := []Refusal{tooMany}
		if c != "none" {
			refused = append(refused, Refusal{Sizes: methods.Sizes{N: 10, M: 10, Ell: 10}, Says: "rank at most 9"})
		}
		all["ekpca "+c] = variant{"ekpca", &methods.EKPCAOptions{Center: c}, Subject{Refused: refused}}
		refused = append(slices.Clone(refused), noM)
		pairs := Refusal{Sizes: methods.Sizes{N: 50, M: 3, Ell: 7}, Says: "rank at most 6 (6 feature coordinates"}
		all["rff fourier "+c] = variant{"rff", &methods.RFFOptions{Features: "fourier", Center: c},
			Subject{Random: true, Refused: append(slices.Clone(refused), pairs)}}
		draws := Refusal{Sizes: methods.Sizes{N: 50, M: 3, Ell: 4}, Says: "rank at most 3 (3 feature coordinates"}
		all["rff mercer "+c] = variant{"rff", &methods.RFFOptions{Features: "mercer", Center: c},
			Subject{Random: true, Kernel: series, Refused: append(slices.Clone(refused), draws)}}
		refused = append(refused, Refusal{Sizes: methods.Sizes{N: 10, M: 11, Ell: 1}, Says: "m = 11 landmarks out of n = 10 points"})
		for _, rule := range landmark.Names() {
			for space, most := range map[string]string{"full": "3", "centred": "2"} {
				entry := landmark.Registry[rule]
				if !slices.Contains(thorough, rule) && space+" "+c != "full u" && rule+" "+space+" "+c != "kmeans centred none" {
					continue
				}
				few := Refusal{Sizes: methods.Sizes{N: 50, M: 3, Ell: 4}, Says: "rank at most " + most + " (m = 3"}
				refused := append(slices.Clone(refused), few)
				if entry.Most > 0 {
					refused = append(refused, Refusal{Sizes: methods.Sizes{N: entry.Most + 1, M: 10, Ell: 1}, Says: "decomposes the n×n kernel matrix"})
				}
				all["nystrom "+rule+" "+space+" "+c] = variant{"nystrom", &methods.NystromOptions{Landmarks: landmark.By(rule), Space: space, Center: c},
					Subject{Random: entry.Random, Centred: space == "centred", Cubic: entry.Most > 0, Refused: refused}}
			}
		}
	}
	// Maps differ in their features alone: one estimate of the covariance will do.
	all["rff offset"] = variant{"rff", &methods.RFFOptions{Features: "offset", Center: "u"},
		Subject{Random: true, Refused: []Refusal{tooMany, noM, {Sizes: methods.Sizes{N: 50, M: 3, Ell: 4}, Says: "rank at most 3 (3 feature coordinates"}}}}
	few := Refusal{Sizes: methods.Sizes{N: 50, M: 3, Ell: 4}, Says: "rank at most 3 (3 feature coordinates"}
	for features, k := range map[string]kernel.Kernel{"positive": kernel.NewGaussian(0.5), "tensorsketch": kernel.Polynomial{Degree: 3, Gamma: 0.7, Offset: 0.5}} {
		all["rff "+features] = variant{"rff", &methods.RFFOptions{Features: features, Center: "u"},
			Subject{Random: true, Kernel: k, Refused: []Refusal{tooMany, noM, few}}}
	}
	for features, subject := range map[string]Subject{
		"orthogonal": {Isotropic: true}, "sorf": {Isotropic: true, Dim: 64}, "halton": {}, "sobol": {},
	} {
		subject.Random = true
		subject.Refused = []Refusal{tooMany, noM, {Sizes: methods.Sizes{N: 50, M: 3, Ell: 7}, Says: "rank at most 6 (6 feature coordinates"}}
		all["rff "+features] = variant{"rff", &methods.RFFOptions{Features: features, Center: "u"}, subject}
	}
	for features, k := range map[string]kernel.Kernel{"fourier": nil, "mercer": series} {
		pooled := Refusal{Sizes: methods.Sizes{N: 5001, M: 9000, Ell: 1}, Says: "at most 5000 are decomposed"}
		subject := Subject{Random: true, Cubic: true, Kernel: k, Refused: []Refusal{tooMany, noM}}
		if features == "fourier" {
			subject.Refused = append(subject.Refused, pooled)
		}
		all["rff pooled "+features] = variant{"rff", &methods.RFFOptions{Features: features, Center: "u", Pooled: methods.Pooled{Pool: 2, Level: 0.01}}, subject}
	}
	addRivals(all)
	addRegressions(all, series)
	streamingVariants(all, series)
	return all
}

// addRivals adds the methods that sketch or factor the Gram matrix. Their
// remaining combinations are held to brute force.
func addRivals(all map[string]variant) {
	few := Refusal{Sizes: methods.Sizes{N: 50, M: 3, Ell: 4}, Says: "rank at most 3 (m = 3"}
	add := func(use, name, center string, options methods.Options, m string, few Refusal) {
		refused := []Refusal{
			{Sizes: methods.Sizes{N: 10, Ell: 1}, Says: "the grid gives no m"},
			{Sizes: methods.Sizes{N: 10, M: 11, Ell: 1}, Says: m + " of n = 10 points"}, few,
		}
		if center != "none" {
			refused = append(refused, Refusal{Sizes: methods.Sizes{N: 10, M: 10, Ell: 10}, Says: "rank at most 9"})
		}
		all[use+name+" "+center] = variant{use, options, Subject{Random: use != "incomplete-cholesky", Refused: refused}}
	}
	columns := "m = 11 columns of a sketch"
	for _, c := range []string{"u", "none"} {
		add("incomplete-cholesky", "", c, &methods.IncompleteCholeskyOptions{Center: c}, "m = 11 pivots out", few)
		add("randomized-kpca", " power", c, &methods.RandomizedOptions{Center: c, Variant: "power", Power: 2}, columns, few)
	}
	more := Refusal{Sizes: methods.Sizes{N: 50, M: 3, Ell: 10}, Says: "rank at most 9 (m = 3"}
	add("randomized-kpca", " block-krylov", "u", &methods.RandomizedOptions{Center: "u", Variant: "block-krylov", Power: 2}, columns, more)
	add("gaussian-sketch", "", "v", &methods.GaussianSketchOptions{Center: "v"}, columns, few)
	for _, s := range []string{"srht", "sparse-sign", "countsketch"} {
		sketched := methods.Sketched{Sketch: s}
		add("gaussian-sketch", " "+s, "none", &methods.GaussianSketchOptions{Center: "none", Sketched: sketched}, columns, few)
		add("randomized-kpca", " "+s, "u", &methods.RandomizedOptions{Center: "u", Variant: "power", Power: 2, Sketched: sketched}, columns, few)
	}
	add("sparse-sign-sketch", "", "u", &methods.SparseSignOptions{Nonzeros: 3, Center: "u"}, columns, few)
}

// addRegressions adds ridge regression: with a level at which systems are solved to the
// suite's tolerance.
func addRegressions(all map[string]variant, series *kernel.Series) {
	ridge := methods.RidgeOptions{Ridge: 0.5, Power: 0.25}
	noM := Refusal{Sizes: methods.Sizes{N: 10}, Says: "the grid gives no m"}
	all["krr"] = variant{"krr", &methods.KRROptions{RidgeOptions: ridge}, Subject{}}
	for _, rule := range []string{"uniform", "first", "rpcholesky"} {
		for name, iterations := range map[string]int{" by steps": 100, " directly": 0} {
			options := &methods.NystromKRROptions{RidgeOptions: ridge, Landmarks: landmark.By(rule), Iterations: iterations}
			refused := []Refusal{noM, {Sizes: methods.Sizes{N: 10, M: 11}, Says: "m = 11 landmarks out of n = 10 points"}}
			all["nystrom-krr "+rule+name] = variant{"nystrom-krr", options, Subject{Random: rule != "first", Refused: refused}}
		}
	}
	for features, k := range map[string]kernel.Kernel{"fourier": nil, "mercer": series} {
		all["rff-krr "+features] = variant{"rff-krr", &methods.RFFKRROptions{RidgeOptions: ridge, Features: features},
			Subject{Random: true, Kernel: k, Refused: []Refusal{noM}}}
	}
	all["rff-krr pooled"] = variant{"rff-krr", &methods.RFFKRROptions{RidgeOptions: ridge, Features: "fourier", Pooled: methods.Pooled{Pool: 2, Level: 0.01}},
		Subject{Random: true, Cubic: true, Refused: []Refusal{noM}}}
}

// streamingVariants adds one-pass methods: sketches too large to lose anything,
// which are eigenvectors of the sample, and passes that are not.
func streamingVariants(all map[string]variant, series *kernel.Series) {
	subject := func(features string) Subject {
		if features == "mercer" {
			return Subject{Random: true, Streamed: true, Kernel: series}
		}
		return Subject{Random: true, Streamed: true}
	}
	for _, v := range []struct {
		features, center string
		d                int
	}{
		{"fourier", "u", 270}, {"fourier", "v", 8}, {"mercer", "none", 8},
	} {
		s := subject(v.features)
		s.D, s.Streamed = v.d, v.d < 270
		s.Refused = []Refusal{
			{Sizes: methods.Sizes{N: 50, M: 20, Ell: 4}, Says: "the grid gives no d"},
			{Sizes: methods.Sizes{N: 50, M: 20, D: 4, Ell: 4}, Says: "ell = 4 components of a sketch that keeps 3"},
		}
		all[fmt.Sprintf("frequent-directions %s %s d %d", v.features, v.center, v.d)] = variant{"frequent-directions",
			&methods.FrequentDirectionsOptions{FeatureOptions: methods.FeatureOptions{Features: v.features, Center: v.center}}, s}
	}
	schedules := map[string]methods.RateOptions{
		"c/t":        {Schedule: "c/t", C: 3, T0: 2, B0: 1e-5},
		"adaoja":     {Schedule: "adaoja", B0: 1e-5},
		"theorem-d3": {Schedule: "theorem-d3", C: 1, B0: 1e-5, K: 2, Gap: 0.3, Lambda: 0.8, Delta: 0.9},
	}
	for _, v := range []struct {
		features, center, schedule string
		batch                      int
	}{
		{"fourier", "none", "c/t", 1}, {"mercer", "u", "c/t", 3}, {"fourier", "none", "adaoja", 3}, {"fourier", "u", "theorem-d3", 40},
	} {
		s := subject(v.features)
		s.Refused = []Refusal{{Sizes: methods.Sizes{N: 10, Ell: 1}, Says: "the grid gives no m"}}
		all[fmt.Sprintf("rf-oja %s %s %s batch %d", v.features, v.center, strings.ReplaceAll(v.schedule, "/", " over "), v.batch)] = variant{"rf-oja",
			&methods.OjaOptions{FeatureOptions: methods.FeatureOptions{Features: v.features, Center: v.center}, RateOptions: schedules[v.schedule], Batch: v.batch}, s}
	}
	for _, v := range []struct{ features, center string }{{"fourier", "none"}, {"mercer", "u"}} {
		s := subject(v.features)
		s.Refused = []Refusal{{Sizes: methods.Sizes{N: 10, Ell: 1}, Says: "the grid gives no m"}}
		all[fmt.Sprintf("rf-rmsg %s %s", v.features, v.center)] = variant{"rf-rmsg",
			&methods.RMSGOptions{FeatureOptions: methods.FeatureOptions{Features: v.features, Center: v.center}, Lambda: 0.1}, s}
	}
	for features, batch := range map[string]int{"fourier": 100, "mercer": 150} {
		uncentred := subject(features)
		uncentred.Center = "none"
		all[fmt.Sprintf("doubly-stochastic %s batch %d", features, batch)] = variant{"doubly-stochastic",
			&methods.DoublyStochasticOptions{Features: features, C: 2, T0: 8, Batch: batch}, uncentred}
	}
}

func (v variant) build(t *testing.T) Subject {
	t.Helper()
	method, err := v.options.Method()
	if err != nil {
		t.Fatal(err)
	}
	if program, ok := method.(methods.Program); ok {
		if method, _, err = program.Open("."); err != nil {
			t.Fatal(err)
		}
	}
	s := v.subject
	s.Method, s.Traits = method, v.options.Traits()
	if center := reflect.ValueOf(v.options).Elem().FieldByName("Center"); center.IsValid() {
		s.Center = center.String()
	}
	return s
}

// plain is the plain use of a method, with what its traits say of it. A size that it uses and the grid
// does not give must be refused, by its name.
func plain(t *testing.T, use string) variant {
	t.Helper()
	entry := methods.Registry[use]
	v := variant{use: use, options: decoded(t, use, "{"+entry.Plain+"}", ""), subject: Subject{Center: "u"}}
	for _, size := range v.options.Traits().Uses {
		if size == "n" || size == "ell" {
			continue
		}
		without := methods.Sizes{N: 10, M: 5, D: 2, Ell: 1, K: 2}
		without.Set(size, 0)
		v.subject.Refused = append(v.subject.Refused, Refusal{Sizes: without, Says: "the grid gives no " + size})
	}
	var err error
	if v.subject.Random, err = streamMatters(v.build(t)); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestPlainConformance runs the suite over the plain use of each method that has no variant of its
// own, and of nystrom, which shows that this works.
func TestPlainConformance(t *testing.T) {
	held := map[string]bool{}
	for _, all := range []map[string]variant{variants(t), embeddings(t), clusterings()} {
		for _, v := range all {
			held[v.use] = v.use != "nystrom"
		}
	}
	for _, use := range slices.Sorted(maps.Keys(methods.Registry)) {
		if !held[use] {
			t.Run(use, func(t *testing.T) { runSuite(t, plain(t, use).build(t)) })
		}
	}
}

// TestConformance runs the suite over methods with every
// combination of their parameters, less where thorough says so, on this program's own
// kernels.
func TestConformance(t *testing.T) {
	all := variants(t)
	for features := range kernel.Maps {
		if !slices.ContainsFunc(slices.Collect(maps.Values(all)), func(v variant) bool {
			o, ok := v.options.(*methods.RFFOptions)
			return ok && o.Features == features
		}) {
			t.Errorf("no variant in this table has features: %s", features)
		}
	}
	linalg.UseOwn()
	defer linalg.UseGonum()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) { runSuite(t, all[name].build(t)) })
	}
}

// quarters are eigenvalues in the ratio 4:2:1:1, so that eight Mercer features
// can represent their kernel exactly.
var quarters = []float64{0.5, 0.25, 0.125, 0.125}

func quarterSeries(t *testing.T) *kernel.Series {
	t.Helper()
	series, err := kernel.NewFiniteSeries(quarters)
	if err != nil {
		t.Fatal(err)
	}
	return series
}

func populationOf(t *testing.T, options data.Options) data.Population {
	t.Helper()
	dataset, err := options.Open(data.Context{})
	if err != nil {
		t.Fatal(err)
	}
	draw, err := dataset.Draw(func(string) data.Source { return rand.NewPCG(1, 2) })
	if err != nil {
		t.Fatal(err)
	}
	population, err := draw.Population(dataset.Kernel(), 10)
	if err != nil {
		t.Fatal(err)
	}
	return population
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 2)) }

func uniformPoints(seed uint64, n, dim int) *mat.Dense {
	rng, x := newRand(seed), mat.NewDense(n, dim, nil)
	x.Apply(func(int, int, float64) float64 { return rng.Float64() }, x)
	return x
}
