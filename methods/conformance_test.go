package methods_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/kernel"
	"mercer/linalg/backendtest"
	"mercer/methods"
	"mercer/methods/landmark"
	"mercer/methods/methodtest"
)

// variant is an entry of the registry with parameters, and what is promised of
// it.
type variant struct {
	use     string
	options methods.Options
	subject methodtest.Subject // its Method, Shape and Center come from above
	center  string
}

// thorough are the rules of landmarks that are tried with every space and centre,
// on every back end: what a fit does with its landmarks does not depend on who
// picked them, but for their number and that they may be none of the sample.
// Package landmark runs its rules on every back end.
var thorough = []string{"uniform", "first"}

func variants(t *testing.T) map[string]variant {
	series := quarterSeries(t)
	tooMany := methodtest.Refusal{Sizes: methods.Sizes{N: 10, M: 10, Ell: 11}, Says: "ell = 11 components of an estimate of rank at most"}
	noM := methodtest.Refusal{Sizes: methods.Sizes{N: 10, Ell: 1}, Says: "the grid gives no m"}
	all := map[string]variant{
		"kpca": {use: "kpca", options: &methods.KPCAOptions{}, subject: methodtest.Subject{Kernel: series, Population: populationOf(t, &data.SeriesOptions{Eigenvalues: quarters})}},
	}
	for _, c := range []string{"u", "v", "none"} {
		refused := []methodtest.Refusal{tooMany}
		if c != "none" {
			refused = append(refused, methodtest.Refusal{Sizes: methods.Sizes{N: 10, M: 10, Ell: 10}, Says: "rank at most 9"})
		}
		all["ekpca "+c] = variant{"ekpca", &methods.EKPCAOptions{Center: c}, methodtest.Subject{Refused: refused}, c}
		refused = append(slices.Clone(refused), noM)
		pairs := methodtest.Refusal{Sizes: methods.Sizes{N: 50, M: 3, Ell: 7}, Says: "rank at most 6 (6 feature coordinates"}
		all["rff fourier "+c] = variant{"rff", &methods.RFFOptions{Features: "fourier", Center: c},
			methodtest.Subject{Random: true, Refused: append(slices.Clone(refused), pairs)}, c}
		draws := methodtest.Refusal{Sizes: methods.Sizes{N: 50, M: 3, Ell: 4}, Says: "rank at most 3 (3 feature coordinates"}
		all["rff mercer "+c] = variant{"rff", &methods.RFFOptions{Features: "mercer", Center: c},
			methodtest.Subject{Random: true, Kernel: series, Refused: append(slices.Clone(refused), draws)}, c}
		refused = append(refused, methodtest.Refusal{Sizes: methods.Sizes{N: 10, M: 11, Ell: 1}, Says: "m = 11 landmarks out of n = 10 points"})
		for _, rule := range landmark.Names() {
			for space, most := range map[string]string{"full": "3", "centred": "2"} {
				entry := landmark.Registry[rule]
				if !slices.Contains(thorough, rule) && space+" "+c != "full u" && rule+" "+space+" "+c != "kmeans centred none" {
					continue
				}
				few := methodtest.Refusal{Sizes: methods.Sizes{N: 50, M: 3, Ell: 4}, Says: "rank at most " + most + " (m = 3"}
				refused := append(slices.Clone(refused), few)
				if entry.Most > 0 {
					refused = append(refused, methodtest.Refusal{Sizes: methods.Sizes{N: entry.Most + 1, M: 10, Ell: 1}, Says: "decomposes the n×n kernel matrix"})
				}
				all["nystrom "+rule+" "+space+" "+c] = variant{"nystrom", &methods.NystromOptions{Landmarks: landmark.By(rule), Space: space, Center: c},
					methodtest.Subject{Random: entry.Random, Centred: space == "centred", Cubic: entry.Most > 0, Refused: refused}, c}
			}
		}
	}
	return all
}

// once says whether one back end is enough.
func (v variant) once() bool {
	o, ok := v.options.(*methods.NystromOptions)
	return ok && !slices.Contains(thorough, o.Landmarks.Rule)
}

func (v variant) build(t *testing.T) methodtest.Subject {
	t.Helper()
	method, err := v.options.Method()
	if err != nil {
		t.Fatal(err)
	}
	s := v.subject
	s.Method, s.Shape, s.Center = method, methods.Registry[v.use].Shape, v.center
	return s
}

// TestConformance runs the suite over every method of the registry with every
// combination of its parameters on every back end, less where thorough says so.
func TestConformance(t *testing.T) {
	all := variants(t)
	for _, name := range slices.Sorted(maps.Keys(methods.Registry)) {
		if !slices.ContainsFunc(slices.Collect(maps.Values(all)), func(v variant) bool { return v.use == name }) {
			t.Errorf("method %q has no variant in this table: every method must pass the suite", name)
		}
	}
	first := true
	backendtest.Each(t, func(t *testing.T) {
		defer func() { first = false }()
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if all[name].once() && !first {
				continue
			}
			t.Run(name, func(t *testing.T) { methodtest.Run(t, all[name].build(t)) })
		}
	})
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
	draw, err := dataset.Draw(func(string) *rand.Rand { return newRand(1) })
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
