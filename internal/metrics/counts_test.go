package metrics

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/internal/kernel"
	"mercer/methods"
	"mercer/methods/landmark"
)

// counted is a sample and a population of few points that stand for several, and both
// written out.
type counted struct {
	few, many Truth
	times     []float64
}

const countedAtoms = 20

func newCounted(t *testing.T, gaussian bool) counted {
	t.Helper()
	lambda := []float64{1, 0.5, 0.3, 0.12, 0.1, 0.09, 0.08, 0.07, 0.06, 0.05, 0.04, 0.03, 0.02, 0.01}
	k, err := kernel.NewGridSeries(lambda, countedAtoms)
	if err != nil {
		t.Fatal(err)
	}
	c := counted{times: make([]float64, countedAtoms)}
	masses := make([]float64, countedAtoms)
	for j, at := range newRand(1).Perm(countedAtoms) {
		c.times[j], masses[j] = float64(at+1), float64(j+1)
	}
	// A power of -1, which no spec can give, makes masses of whole numbers.
	options := &data.AtomsOptions{Atoms: countedAtoms, Eigenvalues: lambda, Masses: data.MassesOption{Power: -1}}
	atoms := midpoints(countedAtoms)
	labels := make([]int, countedAtoms)
	for j := range labels {
		labels[j] = j / 4 % 3
	}
	if gaussian {
		k := kernel.NewGaussian(200)
		c.few = Truth{Population: table(t, atoms, data.PopulationOption{Kind: "self"}, k), Kernel: k, X: atoms, Counts: c.times, Labels: labels, HeldOut: atoms}
		c.many = c.few
		c.many.Counts = nil
		c.many.X, c.many.Labels = sampleOf(atoms, labels, c.times)
		return c
	}
	c.few = Truth{Population: open(t, options, k), Kernel: k, X: atoms, Counts: c.times, Labels: labels, HeldOut: atoms}
	total := 0.0
	for _, mass := range masses {
		total += mass
	}
	for _, mass := range masses {
		c.few.Masses = append(c.few.Masses, mass/total)
	}
	all, _ := writtenOut(atoms, masses)
	c.many = Truth{Population: table(t, all, data.PopulationOption{Kind: "self"}, k), Kernel: k, HeldOut: all}
	c.many.X, c.many.Labels = sampleOf(atoms, labels, c.times)
	return c
}

// sampleOf is a sample written out, with its classes.
func sampleOf(atoms *mat.Dense, labels []int, times []float64) (x *mat.Dense, classes []int) {
	x, row := writtenOut(atoms, times)
	for _, j := range row {
		classes = append(classes, labels[j])
	}
	return x, classes
}

func writtenOut(x *mat.Dense, times []float64) (points *mat.Dense, row []int) {
	for i, c := range times {
		row = append(row, slices.Repeat([]int{i}, int(c))...)
	}
	_, d := x.Dims()
	points = mat.NewDense(len(row), d, nil)
	for p, i := range row {
		points.SetRow(p, x.RawRowView(i))
	}
	return points, row
}

// TestMeasuresOfCounts holds every measure, for models of every shape, on counts and
// under masses to that of all points, to 1e-9 of its size. Angles and differences of
// projections are roots of what cancels. A kernel of finite rank has all of itself in
// the population's functions, a Gaussian one has not.
func TestMeasuresOfCounts(t *testing.T) {
	seen := map[string]bool{}
	for _, gaussian := range []bool{false, true} {
		newCounted(t, gaussian).compare(t, gaussian, seen)
	}
	for measure, m := range Registry {
		predictions := m.has(NeedsResponses) || m.has(NeedsPredicted) // at points of a table, one each
		if m.compute != nil && !seen[measure] && !predictions && !slices.Contains([]string{"model_size", "kjl_means", "excess_risk", "pcg_residual", "chosen"}, measure) {
			t.Errorf("measure %q is held to nothing here", measure)
		}
	}
}

func (c counted) compare(t *testing.T, gaussian bool, seen map[string]bool) {
	t.Helper()
	features := "mercer"
	if gaussian {
		features = "fourier"
	}
	lloyd := methods.DefaultKMeans()
	clustered := methods.Clustered{KMeans: &lloyd}
	for name, o := range map[string]methods.Options{
		"ekpca":                       &methods.EKPCAOptions{Center: "u"},
		"nystrom":                     &methods.NystromOptions{Landmarks: landmark.By("uniform"), Center: "u"},
		"rff":                         &methods.RFFOptions{Features: features, Center: "v"},
		"kjl":                         &methods.KJLOptions{Subsample: "uniform", Sketch: "gaussian"},
		"kjl all":                     &methods.KJLOptions{Subsample: "all", Sketch: "gaussian"},
		"nystrom-embedding clustered": &methods.NystromEmbeddingOptions{Landmarks: landmark.By("uniform"), Rank: "full", Clustered: clustered},
		"rff-embedding":               &methods.RFFEmbeddingOptions{Features: features},
		"kernel-kmeans":               &methods.KernelKMeansOptions{LloydOptions: lloyd.LloydOptions},
	} {
		method, err := o.Method()
		if err != nil {
			t.Fatal(err)
		}
		fit := func(truth Truth) methods.Model {
			n := 0.0
			for _, times := range truth.times() {
				n += times
			}
			p := methods.Sample{X: truth.X, Counts: truth.Counts, Kernel: truth.Kernel, Population: truth.Population,
				Sizes: methods.Sizes{N: int(n), M: 12, D: 3, K: 3, Ell: 3}}
			model, err := method.Fit(t.Context(), p, newRand(8))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return model
		}
		few, many := fit(c.few), fit(c.many)
		var names []string
		for measure, m := range Registry {
			if m.compute != nil && measure != "model_size" && undefined(measure, methods.ShapeOf(few), c.few.offer()) == nil {
				names = append(names, measure)
			}
		}
		ells := []int{2}
		got, _, err := Evaluate(t.Context(), c.few, few, ells, names)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want, _, err := Evaluate(t.Context(), c.many, many, ells, names)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(got[0]) != len(want[0]) {
			t.Errorf("%s: %d metrics, want %d", name, len(got[0]), len(want[0]))
		}
		for metric, v := range want[0] {
			seen[MeasureOf(metric)] = true
			tolerance := 1e-9
			if m := Registry[MeasureOf(metric)]; m.Cancels {
				tolerance = 1e-7
			}
			if g, ok := got[0][metric]; !ok || !(math.Abs(g-v) <= tolerance*(1e-3+math.Abs(v))) {
				t.Errorf("%s: %s is %.15g, of all points %.15g", name, metric, g, v)
			}
		}
	}
}
