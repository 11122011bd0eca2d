package methods_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/methods"
	"mercer/methods/exec"
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

// thorough are the rules of landmarks that are tried with every centre,
// on every back end: what a fit does with its landmarks does not depend on who
// picked them, but for their number.
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
		Options: exec.Options{Command: []string{thisBinary(t)}, Version: "1", Env: map[string]string{asProgram: "1"}}, Model: "subspace",
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
			entry := landmark.Registry[rule]
			if !slices.Contains(thorough, rule) && c != "u" {
				continue
			}
			few := Refusal{Sizes: methods.Sizes{N: 50, M: 3, Ell: 4}, Says: "rank at most 3 (m = 3"}
			refused := append(slices.Clone(refused), few)
			if entry.Most > 0 {
				refused = append(refused, Refusal{Sizes: methods.Sizes{N: entry.Most + 1, M: 10, Ell: 1}, Says: "decomposes the n×n kernel matrix"})
			}
			all["nystrom "+rule+" "+c] = variant{"nystrom", &methods.NystromOptions{Landmarks: landmark.By(rule), Center: c},
				Subject{Random: rule != "first" && rule != "greedy", Cubic: entry.Most > 0, Refused: refused}}
		}
	}
	// Maps differ in their features alone: one estimate of the covariance will do.
	all["rff offset"] = variant{"rff", &methods.RFFOptions{Features: "offset", Center: "u"},
		Subject{Random: true, Refused: []Refusal{tooMany, noM, {Sizes: methods.Sizes{N: 50, M: 3, Ell: 4}, Says: "rank at most 3 (3 feature coordinates"}}}}
	all["rff orthogonal"] = variant{"rff", &methods.RFFOptions{Features: "orthogonal", Center: "u"},
		Subject{Random: true, Isotropic: true, Refused: []Refusal{tooMany, noM, {Sizes: methods.Sizes{N: 50, M: 3, Ell: 7}, Says: "rank at most 6 (6 feature coordinates"}}}}
	addRivals(all)
	addRegressions(all, series)
	streamingVariants(all, series)
	return all
}

// addRivals adds randomised SVD of the Gram matrix. Its remaining combinations are held to
// brute force.
func addRivals(all map[string]variant) {
	for _, c := range []string{"u", "none"} {
		refused := []Refusal{
			{Sizes: methods.Sizes{N: 10, Ell: 1}, Says: "the grid gives no m"},
			{Sizes: methods.Sizes{N: 10, M: 11, Ell: 1}, Says: "m = 11 columns of a sketch of n = 10 points"},
			{Sizes: methods.Sizes{N: 50, M: 3, Ell: 4}, Says: "rank at most 3 (m = 3"},
		}
		if c != "none" {
			refused = append(refused, Refusal{Sizes: methods.Sizes{N: 10, M: 10, Ell: 10}, Says: "rank at most 9"})
		}
		all["randomized-kpca "+c] = variant{"randomized-kpca", &methods.RandomizedOptions{Center: c, Power: 2}, Subject{Random: true, Refused: refused}}
	}
}

// addRegressions adds ridge regression: with a level at which systems are solved to the
// suite's tolerance.
func addRegressions(all map[string]variant, series *kernel.Series) {
	ridge := methods.RidgeOptions{Ridge: 0.5, Power: 0.25}
	noM := Refusal{Sizes: methods.Sizes{N: 10}, Says: "the grid gives no m"}
	all["krr"] = variant{"krr", &methods.KRROptions{RidgeOptions: ridge}, Subject{}}
	for _, rule := range []string{"uniform", "first", "rpcholesky"} {
		options := &methods.NystromKRROptions{RidgeOptions: ridge, Landmarks: landmark.By(rule)}
		refused := []Refusal{noM, {Sizes: methods.Sizes{N: 10, M: 11}, Says: "m = 11 landmarks out of n = 10 points"}}
		all["nystrom-krr "+rule] = variant{"nystrom-krr", options, Subject{Random: rule != "first", Refused: refused}}
	}
	for features, k := range map[string]kernel.Kernel{"fourier": nil, "mercer": series} {
		all["rff-krr "+features] = variant{"rff-krr", &methods.RFFKRROptions{RidgeOptions: ridge, Features: features},
			Subject{Random: true, Kernel: k, Refused: []Refusal{noM}}}
	}
	pcg := methods.PCGOptions{MaxIter: 1000, Tol: 1e-13}
	tooMany := Refusal{Sizes: methods.Sizes{N: 10, M: 11}, Says: "m = 11 landmarks out of n = 10 points"}
	all["krr-pcg none"] = variant{"krr-pcg", &methods.KRRPCGOptions{RidgeOptions: ridge, PCGOptions: pcg, Preconditioner: "none", StoreKernel: true}, Subject{}}
	all["krr-pcg nystrom"] = variant{"krr-pcg", &methods.KRRPCGOptions{RidgeOptions: ridge, PCGOptions: pcg, Preconditioner: "nystrom", Landmarks: landmark.By("rpcholesky")},
		Subject{Random: true, Refused: []Refusal{noM, tooMany}}}
	all["krr-pcg rff"] = variant{"krr-pcg", &methods.KRRPCGOptions{RidgeOptions: ridge, PCGOptions: pcg, Preconditioner: "rff", Features: "fourier", StoreKernel: true},
		Subject{Random: true, Refused: []Refusal{noM}}}
	for _, preconditioner := range []string{"falkon", "krill"} {
		all["nystrom-krr "+preconditioner] = variant{"nystrom-krr", &methods.NystromKRROptions{RidgeOptions: ridge, PCGOptions: pcg, Preconditioner: preconditioner, Landmarks: landmark.By("uniform")},
			Subject{Random: true, Refused: []Refusal{noM, tooMany}}}
	}
}

// streamingVariants adds one-pass methods.
func streamingVariants(all map[string]variant, series *kernel.Series) {
	subject := func(features string) Subject {
		if features == "mercer" {
			return Subject{Random: true, Streamed: true, Kernel: series}
		}
		return Subject{Random: true, Streamed: true}
	}
	schedules := map[string]methods.RateOptions{
		"adaoja":     {Schedule: "adaoja"},
		"theorem-d3": {Schedule: "theorem-d3", C: 1, K: 2, Gap: 0.3, Lambda: 0.8, Delta: 0.9},
	}
	for _, v := range []struct{ features, center, schedule string }{
		{"mercer", "u", "theorem-d3"}, {"fourier", "none", "adaoja"}, {"fourier", "u", "theorem-d3"},
	} {
		s := subject(v.features)
		s.Refused = []Refusal{{Sizes: methods.Sizes{N: 10, Ell: 1}, Says: "the grid gives no m"}}
		all[fmt.Sprintf("rf-oja %s %s %s", v.features, v.center, v.schedule)] = variant{"rf-oja",
			&methods.OjaOptions{FeatureOptions: methods.FeatureOptions{Features: v.features, Center: v.center}, RateOptions: schedules[v.schedule]}, s}
	}
	for _, v := range []struct{ features, center string }{{"fourier", "none"}, {"mercer", "u"}} {
		s := subject(v.features)
		s.Refused = []Refusal{{Sizes: methods.Sizes{N: 10, Ell: 1}, Says: "the grid gives no m"}}
		all[fmt.Sprintf("rf-rmsg %s %s", v.features, v.center)] = variant{"rf-rmsg",
			&methods.RMSGOptions{FeatureOptions: methods.FeatureOptions{Features: v.features, Center: v.center}, Lambda: 0.1}, s}
	}
}

func (v variant) build(t *testing.T) Subject {
	t.Helper()
	method, err := v.options.Method()
	if err != nil {
		t.Fatal(err)
	}
	find(t, v.options, ".")
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
