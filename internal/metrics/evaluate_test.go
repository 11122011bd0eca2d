package metrics

import (
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/internal/kernel"
	"mercer/methods"
	"mercer/methods/landmark"
)

func TestMeasuresAreTheirDefinitions(t *testing.T) {
	for _, w := range worlds(t) {
		w.eachTrial(t, func(t *testing.T, tr trial, model methods.Model) {
			for _, line := range disagreements(w, model, tr.center, []int{3, 1, 4, 4, 2}) {
				t.Error(line)
			}
		})
	}
}

func evaluate(t *testing.T, w world, model methods.Model, ells ...int) []map[string]float64 {
	t.Helper()
	values, _, err := Evaluate(t.Context(), Truth{Population: w.population}, model, ells, allNames)
	if err != nil {
		t.Fatal(err)
	}
	return values
}

// R and T are not below their floors, S is not by more than rounding of the sums,
// 1e-13, and they are the sum of their parts, exactly.
func TestErrorsLieAboveTheirFloors(t *testing.T) {
	for _, w := range worlds(t) {
		w.eachTrial(t, func(t *testing.T, _ trial, model methods.Model) {
			for i, v := range evaluate(t, w, model, 1, 2, 3, 4) {
				for _, name := range []string{"recon_h", "recon_l2"} {
					total, ok := v[name]
					if !ok && name == "recon_h" && methods.ShapeOf(model) == methods.ShapeFeatures {
						continue
					}
					projection, mean, floor := v[name+"_projection"], v[name+"_mean"], v[name+"_floor"]
					if !(projection >= floor) || !(mean >= 0) || !(floor > 0) {
						t.Errorf("%s at ell = %d: projection part %g, mean part %g, floor %g", name, i+1, projection, mean, floor)
					}
					if total != projection+mean {
						t.Errorf("%s at ell = %d is %g, its parts %g and %g", name, i+1, total, projection, mean)
					}
				}
				// S is the least error of any reconstruction in the embedded span.
				if s := v["embed_recon_l2"]; !(s >= v["embed_recon_l2_floor"]-1e-13) || !(s <= v["recon_l2_projection"]+1e-13) {
					t.Errorf("embed_recon_l2 at ell = %d is %g, its floor %g, the projection part of T %g", i+1, s, v["embed_recon_l2_floor"], v["recon_l2_projection"])
				}
			}
		})
	}
}

// The population's own eigenspace meets the floors and has no distance: ells
// smaller than the fit's are served too.
func TestKpcaMeetsTheFloors(t *testing.T) {
	for _, w := range worlds(t) {
		model := w.fit(t, &methods.KPCAOptions{}, worldEll)
		lambda, err := w.population.Eigenvalues(worldEll)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range evaluate(t, w, model, 1, 2, 3) {
			for _, name := range []string{"recon_h", "recon_l2"} {
				if v[name] != v[name+"_floor"] || v[name+"_projection"] != v[name] || v[name+"_mean"] != 0 {
					t.Errorf("%s: %s at ell = %d is %g with parts %g and %g, its floor %g", w.name, name, i+1, v[name], v[name+"_projection"], v[name+"_mean"], v[name+"_floor"])
				}
			}
			if v["embed_recon_l2"] != v["embed_recon_l2_floor"] || v["embed_recon_l2"] != v["recon_l2"] {
				t.Errorf("%s: embed_recon_l2 at ell = %d is %g, its floor %g, recon_l2 %g", w.name, i+1, v["embed_recon_l2"], v["embed_recon_l2_floor"], v["recon_l2"])
			}
			if v["eigenspace_l2"] != 0 || v["eigenfunction_l2"] != 0 {
				t.Errorf("%s: its own eigenspace is at distances %g and %g", w.name, v["eigenspace_l2"], v["eigenfunction_l2"])
			}
			if v["eigenvalue_1"] != lambda[0] {
				t.Errorf("%s: eigenvalue_1 is %g, want %g", w.name, v["eigenvalue_1"], lambda[0])
			}
		}
	}
}

// Estimates that hit the population: they go through all the moments, and must
// arrive where the population's own eigenspace is by decree. Distances are no roots of
// differences: they are rounding of 1e-16, over gaps of 0.1 and more.
func TestPerfectEstimatesReachTheFloors(t *testing.T) {
	finite := worlds(t)[0]
	finite.x = finite.nodes // whose moments are those of the population
	empirical := worlds(t)[2]
	empirical.x = empirical.nodes
	complete := func(w world, lambda []float64, indices []int) *methods.FeatureSubspace {
		m := &methods.FeatureSubspace{FeatureExpansion: kernel.FeatureExpansion{Map: &kernel.Mercer{Series: w.kernel.(*kernel.Series), Indices: indices}, Coef: mat.NewDense(len(indices), worldEll, nil)}}
		for i := range worldEll {
			copies := 0
			for _, index := range indices {
				if index == i+1 {
					copies++
				}
			}
			for a, index := range indices {
				if index == i+1 {
					m.Coef.Set(a, i, 1/math.Sqrt(float64(copies)))
				}
			}
		}
		m.Values, m.Center = lambda[:worldEll], make([]float64, worldEll)
		return m
	}
	quarters := []float64{0.5, 0.25, 0.125, 0.125}
	series, err := kernel.NewFiniteSeries(quarters)
	if err != nil {
		t.Fatal(err)
	}
	mercer := world{name: "complete mercer basis", population: open(t, &data.SeriesOptions{Eigenvalues: quarters}, nil), kernel: series}
	for _, tt := range []struct {
		name  string
		world world
		model methods.Model
	}{
		{"ekpca on the nodes of the quadrature", finite, finite.fit(t, &methods.EKPCAOptions{Center: "v"}, worldEll)},
		{"ekpca on the whole population", empirical, empirical.fit(t, &methods.EKPCAOptions{Center: "v"}, worldEll)},
		{"complete mercer basis", mercer, complete(mercer, quarters, []int{3, 1, 1, 2, 4, 1, 2, 1})},
	} {
		for i, v := range evaluate(t, tt.world, tt.model, 1, 2, 4) {
			for _, name := range []string{"recon_h", "recon_l2", "embed_recon_l2"} {
				if _, ok := v[name]; ok && !(math.Abs(v[name]-v[name+"_floor"]) <= 1e-13) {
					t.Errorf("%s, %s number %d is %g, its floor %g", tt.name, name, i, v[name], v[name+"_floor"])
				}
				// What is within rounding of the floor is the floor, on every back end.
				if projection, ok := v[name+"_projection"]; ok && projection != v[name+"_floor"] {
					t.Errorf("%s, %s number %d has a projection part of %g, its floor is %g", tt.name, name, i, projection, v[name+"_floor"])
				}
			}
			if d := v["eigenspace_l2"] + v["eigenfunction_l2"]; !(d <= 1e-13) {
				t.Errorf("%s: distances %g and %g", tt.name, v["eigenspace_l2"], v["eigenfunction_l2"])
			}
		}
	}
}

func TestSignsDoNotMatter(t *testing.T) {
	for _, w := range worlds(t) {
		w.eachTrial(t, func(t *testing.T, _ trial, model methods.Model) {
			before := evaluate(t, w, model, 4)[0]
			coef, center := parts(model)
			for _, i := range []int{0, 2} {
				center[i] = -center[i]
				n, _ := coef.Dims()
				for j := range n {
					coef.Set(j, i, -coef.At(j, i))
				}
			}
			for name, v := range evaluate(t, w, model, 4)[0] {
				if !(math.Abs(v-before[name]) <= 1e-12) {
					t.Errorf("%s was %g, is %g with signs changed", name, before[name], v)
				}
			}
		})
	}
}

func parts(model methods.Model) (*mat.Dense, []float64) {
	switch m := model.(type) {
	case *methods.Subspace:
		return m.Coef, m.Center
	case *methods.FeatureSubspace:
		return m.Coef, m.Center
	}
	panic("no parts")
}

// An uncentred estimate reconstructs as if m̂ were 0: its mean part is ‖P̂ m_P‖²,
// positive where the population has a mean.
func TestUncentredEstimatesPayForTheMean(t *testing.T) {
	for _, w := range worlds(t)[1:] {
		model := w.fit(t, &methods.EKPCAOptions{Center: "none"}, 1)
		v := evaluate(t, w, model, 1)[0]
		moments, err := w.population.Moments(model.(*methods.Subspace).Expansion, 0)
		if err != nil {
			t.Fatal(err)
		}
		if want := moments.Mean[0] * moments.Mean[0]; !(math.Abs(v["recon_h_mean"]-want) <= 1e-14) || want < 0.01 {
			t.Errorf("%s: mean part %g, want ‖P̂ m_P‖² = %g, not small", w.name, v["recon_h_mean"], want)
		}
	}
}

// Three points, two of them equal, have a centred rank of 1: at ℓ = 3 the measures are those of
// the one component, against the floor at 3.
func TestFewerComponentsThanAsked(t *testing.T) {
	for _, w := range worlds(t) {
		_, d := w.x.Dims()
		w.x = mat.DenseCopyOf(w.x.Slice(0, 3, 0, d))
		w.x.SetRow(2, w.x.RawRowView(1))
		method, err := (&methods.EKPCAOptions{Center: "v"}).Method()
		if err != nil {
			t.Fatal(err)
		}
		model, err := method.Fit(t.Context(), methods.Sample{X: w.x, Kernel: w.kernel, Sizes: methods.Sizes{N: 3, Ell: 2}}, newRand(1))
		if err != nil {
			t.Fatal(err)
		}
		got := evaluate(t, w, model, 1, 3)
		c := newCoordinates(w, model, "v")
		for i, ell := range []int{1, 3} {
			want := c.measures(ell, true)
			for name, v := range got[i] {
				if strings.HasPrefix(name, "eigenvalue_") {
					continue // of a sample of another size
				}
				if !(math.Abs(v-want[name]) <= 1e-10) {
					t.Errorf("%s: %s at ell = %d is %g, want %g", w.name, name, ell, v, want[name])
				}
			}
		}
		if got[0]["recon_h"] != got[1]["recon_h"] || got[1]["eigenvalue_2"] != 0 || got[1]["eigenvalue_3"] != 0 || got[0]["eigenvalue_1"] <= 0 {
			t.Errorf("%s: one component gives %v and %v", w.name, got[0], got[1])
		}
	}
}

// Values at an ℓ depend on nothing else that is asked for.
func TestEllsInAnyOrder(t *testing.T) {
	for _, w := range worlds(t) {
		w.eachTrial(t, func(t *testing.T, _ trial, model methods.Model) {
			ells := []int{4, 2, 2, 1, 3, 4}
			for i, v := range evaluate(t, w, model, ells...) {
				if diff := cmp.Diff(evaluate(t, w, model, ells[i])[0], v); diff != "" {
					t.Errorf("ell = %d alone (-) and among others (+):\n%s", ells[i], diff)
				}
			}
		})
	}
}

func TestRank(t *testing.T) {
	w := worlds(t)[0]
	for _, tt := range []struct {
		options methods.Options
		want    []float64 // at ell = 1, 3
	}{
		{&methods.EKPCAOptions{Center: "u"}, []float64{1, 3}},
		{&methods.RFFOptions{Features: "mercer", Center: "u"}, []float64{1, 3}},
		{&methods.KPCAOptions{}, []float64{1, 3}},
		{&methods.NystromOptions{Landmarks: landmark.By("first"), Center: "u"}, []float64{6, 6}}, // terms of the series
	} {
		values, _, err := Evaluate(t.Context(), Truth{Population: w.population}, w.fit(t, tt.options, worldEll), []int{1, 3}, []string{"rank"})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range tt.want {
			if got := values[i]["rank"]; got != want {
				t.Errorf("%T: rank %v, want %v", tt.options, got, want)
			}
		}
	}
}

func TestUndefinedMeasuresHaveAReason(t *testing.T) {
	for _, tt := range []struct {
		measure, shape string
		population     bool
		says           string
	}{
		{"recon_h", methods.ShapeFeatures, true, "recon_h is not defined for a subspace of a feature space: a subspace of the feature space is no subspace of H; measure recon_l2"},
		{"recon_l2", methods.ShapeSubspace, false, "recon_l2 needs a population: add population: self, test or {held_out: N} to the data set"},
		{"recon_x", methods.ShapeSubspace, true, `unknown measure "recon_x"`},
		{"recon_h", methods.ShapeClustering, true, "recon_h is not defined for a clustering: it measures the components of an estimated covariance"},
		{"kjl_operator", methods.ShapeEmbedding, true, "kjl_operator is not defined for an embedding: it does not estimate Σ³; take a Gaussian sketch of the kernel matrix (kjl), uncentred"},
		{"kjl_operator", methods.ShapeSketch, true, ""},
		{"kjl_projection", methods.ShapeGaussian, true, ""},
		{"kjl_projection", methods.ShapeSketch, true, "kjl_projection is not defined for a sketch of Σ³: only a Gaussian sketch's coordinates are normal given the sample; take sketch: gaussian"},
		{"skp_gram_distance", methods.ShapeSubspace, true, "skp_gram_distance is not defined for a subspace of H: its components are orthonormal in H, so that it is a projection and no lift of a feature space; measure skp_objective"},
		{"skp_objective", methods.ShapeFeatures, true, "skp_objective needs held-out points: take a data set of points and add population: self, test or {held_out: N} to it"},
		{"rmse", methods.ShapeRegression, true, "rmse needs points that are not in the sample: give the data set split: {test: 0.1} or {folds: 10}, or population: test or {held_out: N}; that of population: self would be an error of training"},
		{"auc", methods.ShapeRegression, false, "auc needs points that are not in the sample: give the data set split: {test: 0.1} or {folds: 10}, or population: test or {held_out: N}; that of population: self would be an error of training"},
		{"flops", methods.ShapeClustering, false, ""},
		{"recon_l2", methods.ShapeFeatures, true, ""},
		{"eigenvalues", methods.ShapeSubspace, false, ""},
	} {
		err := undefined(tt.measure, tt.shape, Capabilities{Population: tt.population, HeldOut: tt.measure == "rmse", Self: tt.measure == "rmse", Responses: true, Classes: true})
		if got := map[bool]string{true: ""}[err == nil]; err != nil {
			got = err.Error()
			if got != tt.says {
				t.Errorf("%+v: %s", tt, got)
			}
		} else if got != tt.says {
			t.Errorf("%+v: no reason", tt)
		}
	}
	for name, m := range Registry {
		for _, shape := range anyShape {
			if !slices.Contains(m.Shapes, shape) && len(m.whyNot(shape)) < 20 {
				t.Errorf("%s is undefined for a %s and does not say why", name, shape)
			}
		}
		for shape := range m.reasons {
			if slices.Contains(m.Shapes, shape) || !slices.Contains(anyShape, shape) {
				t.Errorf("%s says why it is not defined for a %s, which is not so", name, shape)
			}
		}
	}
}

func TestUndefinedMeasuresAreLeftOut(t *testing.T) {
	w := worlds(t)[0]
	features := w.fit(t, &methods.RFFOptions{Features: "mercer", Center: "u"}, 2)
	subspace := w.fit(t, &methods.EKPCAOptions{Center: "u"}, 2)
	for _, tt := range []struct {
		name       string
		population data.Population
		model      methods.Model
		ask, want  []string
	}{
		{"recon_h of features", w.population, features, []string{"recon_h", "rank"}, []string{"rank"}},
		{"no population", nil, subspace, []string{"recon_h", "recon_l2", "eigenspace_l2", "eigenfunction_l2", "eigenvalues"}, []string{"eigenvalue_1", "eigenvalue_2"}},
		{"time is not measured here", w.population, subspace, []string{"time", "eigenspace_l2"}, []string{"eigenspace_l2"}},
	} {
		values, _, err := Evaluate(t.Context(), Truth{Population: tt.population}, tt.model, []int{2}, tt.ask)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if diff := cmp.Diff(tt.want, slices.Sorted(maps.Keys(values[0]))); diff != "" {
			t.Errorf("%s: metrics (-want +got):\n%s", tt.name, diff)
		}
	}
}

// Every measure gives the metrics that its entry names, over models of all
// shapes together.
func TestOutputsAreThoseOfTheRegistry(t *testing.T) {
	w, first, classes := heldOutWorld(t), worlds(t)[0], classed(t)
	classes.Population = first.population
	truth := w.truth()
	points, _ := truth.X.Dims()
	truth.Labels = make([]int, points)
	for i := range points / 2 {
		truth.Labels[i] = 1
	}
	heldOut, _ := truth.HeldOut.Dims()
	truth.HeldOutLabels = make([]int, heldOut)
	truth.HeldOutLabels[0] = 1
	few := classes
	few.X, few.Labels = mat.DenseCopyOf(classes.X.Slice(0, 60, 0, 3)), classes.Labels[:60]
	landmarks := &methods.NystromEmbeddingOptions{Landmarks: landmark.By("first"), Rank: "full", Clustered: methods.Clustered{KMeans: defaultKMeans()}}
	type measured struct {
		truth Truth
		model methods.Model
	}
	models := map[string]measured{
		"subspace": {truth, w.fit(t, &methods.EKPCAOptions{Center: "u"}, 1)},
		"iterated": {truth, w.fit(t, &methods.RandomizedOptions{Center: "u"}, 1)},
		"features": {truth, w.fit(t, &methods.RFFOptions{Features: w.features, Center: "none"}, 1)},
		"sketch":   {truth, gaussianSketch(w.kernel, w.x, 3, newRand(6))},
		"H":        {classes.Truth, classes.cluster(t, &methods.KernelKMeansOptions{LloydOptions: methods.DefaultKMeans().LloydOptions})},
		"span":     {few.Truth, few.cluster(t, landmarks)},
		"input":    {classes.Truth, classes.cluster(t, defaultKMeans())},
	}
	power := 2.0
	series, _, response, population := responding(t, &data.SeriesOptions{Decay: &kernel.Decay{Power: &power}, Response: &data.ResponseOptions{}})
	regression := &methods.Regression{Functions: kernel.Expansion{Kernel: series.Kernel(), Points: mat.NewDense(1, 1, nil), Coef: mat.NewDense(1, 1, nil)}}
	models["regression"] = measured{Truth{Population: population, Kernel: series.Kernel(), Response: response}, regression}
	predicted, labels := mat.NewDense(3, 1, []float64{1, 2, 4}), []int{0, 1, 1}
	solved := *regression
	solved.Iterates, solved.Residuals, solved.Converged = regression.Functions, []float64{1}, true
	models["iterated regression"] = measured{models["regression"].truth, &solved}
	models["measured responses"] = measured{Truth{HeldOut: predicted, Responses: predicted, Unit: 1}, predicting(1)}
	chosen := predicting(1)
	chosen.Chosen = &methods.Choice{Ridge: 0.1, BandwidthTimes: 2}
	models["chosen"] = measured{Truth{}, chosen}
	models["predicted classes"] = measured{Truth{HeldOut: predicted, HeldOutLabels: labels}, predicting(1)}
	for name, m := range Registry {
		if m.compute == nil {
			continue // the runner's
		}
		found := map[string]bool{}
		for kind, m := range models {
			values, _, err := Evaluate(t.Context(), m.truth, m.model, []int{1}, []string{name})
			if err != nil {
				t.Fatalf("%s of %s: %v", name, kind, err)
			}
			for output := range values[0] {
				found[output] = true
			}
		}
		if diff := cmp.Diff(slices.Sorted(slices.Values(m.Metrics())), slices.Sorted(maps.Keys(found))); diff != "" {
			t.Errorf("%s: outputs (-registry +got):\n%s", name, diff)
		}
	}
}

// broken is a population whose answers are not to be trusted.
type broken struct {
	data.Population
	tail, moment float64
	err          error
}

func (b broken) Tail(power, ell int) (float64, error) {
	if b.err != nil {
		return 0, b.err
	}
	v, err := b.Population.Tail(power, ell)
	return v + b.tail, err
}

func (b broken) Moments(f kernel.Functions, eigen int) (data.Moments, error) {
	m, err := b.Population.Moments(f, eigen)
	if err == nil {
		m.Tau[0] += b.moment
	}
	return m, err
}

type strange struct{}

func (strange) Caveats(int) []string { return nil }

func TestWhatIsNotANumberIsAnError(t *testing.T) {
	w := worlds(t)[0]
	model := w.fit(t, &methods.EKPCAOptions{Center: "u"}, 2)
	other := *model.(*methods.Subspace)
	other.Kernel = kernel.NewGaussian(1)
	fourier := &methods.FeatureSubspace{FeatureExpansion: kernel.FeatureExpansion{
		Map: kernel.NewFourier(kernel.NewGaussian(1), 2, 1, rand.New(rand.NewPCG(1, 1))), Coef: mat.NewDense(4, 1, []float64{1, 0, 0, 0})},
		Spectrum: methods.Spectrum{Values: []float64{1}, Center: []float64{0}}}
	for _, tt := range []struct {
		name       string
		population data.Population
		model      methods.Model
		measures   []string
		says       string
	}{
		{"NaN", broken{Population: w.population, tail: math.NaN()}, model, []string{"recon_h"}, "recon_h at ell = 2 is NaN"},
		{"NaN of one part", broken{Population: w.population, moment: math.NaN()}, model, []string{"rank", "recon_l2", "recon_h"}, "recon_l2 at ell = 2 is NaN"},
		{"Inf", broken{Population: w.population, tail: math.Inf(1)}, model, []string{"recon_l2"}, "recon_l2 at ell = 2 is +Inf"},
		{"an error of the population", broken{Population: w.population, err: errors.New("no traces")}, model, []string{"recon_l2"}, "no traces"},
		{"unknown measure", w.population, model, []string{"recon"}, `unknown measure "recon"`},
		{"unknown model", w.population, strange{}, []string{"rank"}, "no measure knows a model of type metrics.strange"},
		{"functions of another kernel", w.population, &other, []string{"recon_h"}, "functions of kind kernel.Expansion: not defined on this population: uniform on [0,1]"},
		{"features of another kernel", w.population, fourier, []string{"recon_l2"}, "functions of kind kernel.FeatureExpansion: not defined on this population: uniform on [0,1]"},
	} {
		for range 3 { // map order must not choose the message
			if _, _, err := Evaluate(t.Context(), Truth{Population: tt.population}, tt.model, []int{2}, tt.measures); err == nil || !strings.HasPrefix(err.Error(), tt.says) {
				t.Errorf("%s: error %v, want %s", tt.name, err, tt.says)
			}
		}
	}
}
