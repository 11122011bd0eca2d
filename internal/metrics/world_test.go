package metrics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/internal/kernel"
	"mercer/methods"
	"mercer/methods/landmark"
)

// world is a population together with an exact quadrature of it: P is replaced
// by weighted nodes, and every expectation by a finite sum.
type world struct {
	name       string
	population data.Population
	kernel     kernel.Kernel
	nodes      *mat.Dense
	weights    []float64
	x          *mat.Dense // a sample of 40 points
	features   string     // of random features that it knows
	heldOut    *mat.Dense // points that the population lives on; nil for a closed form
	masses     []float64  // their probabilities; nil for all alike
}

// truth is what models on this world are measured against.
func (w world) truth() Truth {
	return Truth{Population: w.population, Kernel: w.kernel, X: w.x, HeldOut: w.heldOut, Masses: w.masses}
}

const (
	worldN   = 40
	worldEll = 4
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 3)) }

func points(n, dim int, next func() float64) *mat.Dense {
	x := mat.NewDense(n, dim, nil)
	x.Apply(func(int, int, float64) float64 { return next() }, x)
	return x
}

func equal(n int) []float64 {
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = 1 / float64(n)
	}
	return weights
}

func worlds(t *testing.T) []world {
	t.Helper()
	return []world{seriesWorld(t), gaussianWorld(t), selfWorld(t), heldOutWorld(t), atomsWorld(t)}
}

// seriesWorld is a finite series of 6 terms. The midpoint rule of 64 nodes
// integrates cos(πjx) exactly for 0 < j < 128, and so products of up to four
// eigenfunctions.
func seriesWorld(t *testing.T) world {
	lambda := []float64{1, 0.5, 0.3, 0.12, 0.05, 0.02}
	k, err := kernel.NewFiniteSeries(lambda)
	if err != nil {
		t.Fatal(err)
	}
	return world{
		name: "finite series", population: open(t, &data.SeriesOptions{Eigenvalues: lambda}, nil), kernel: k,
		nodes: midpoints(64), weights: equal(64), x: spread(points(worldN, 1, newRand(1).Float64), 0.03, 0.98), features: "mercer",
	}
}

func midpoints(n int) *mat.Dense {
	i := -0.5
	return points(n, 1, func() float64 { i++; return i / float64(n) })
}

// gaussianWorld is Gaussian on Gaussian. Gauss-Hermite quadrature of 120 nodes
// integrates polynomials up to degree 239; the products that occur, of width
// 0.7/√2 at least and of frequency 8 at most, are such to 1e-12.
func gaussianWorld(t *testing.T) world {
	const n, std, sigma = 120, 1.2, 0.9
	jacobi := mat.NewSymDense(n, nil)
	for i := 1; i < n; i++ {
		jacobi.SetSym(i-1, i, math.Sqrt(float64(i)))
	}
	roots, vectors := eigen(jacobi)
	nodes, weights := mat.NewDense(n, 1, nil), make([]float64, n)
	for i, root := range roots {
		nodes.Set(i, 0, std*root)
		weights[i] = vectors.At(0, i) * vectors.At(0, i)
	}
	rng := newRand(2)
	return world{
		name: "gaussian on gaussian", population: open(t, &data.GaussianOptions{Std: std, Sigma: sigma}, nil),
		kernel: kernel.NewGaussian(1 / (2 * sigma * sigma)), nodes: nodes, weights: weights,
		x: spread(points(worldN, 1, func() float64 { return std * rng.NormFloat64() }), -2, 2.5), features: "fourier",
	}
}

// selfWorld is a finite population that the sample is part of.
func selfWorld(t *testing.T) world {
	all, k := points(70, 3, newRand(3).NormFloat64), kernel.NewGaussian(0.3)
	return world{
		name: "empirical, sampled from", population: table(t, all, data.PopulationOption{Kind: "self"}, k), kernel: k,
		nodes: all, weights: equal(70), x: mat.DenseCopyOf(all.Slice(0, worldN, 0, 3)), features: "fourier", heldOut: all,
	}
}

// heldOutWorld is a finite population that the sample is no part of.
func heldOutWorld(t *testing.T) world {
	all, k := points(worldN+60, 2, newRand(4).NormFloat64), kernel.NewGaussian(0.4)
	heldOut := mat.DenseCopyOf(all.Slice(worldN, worldN+60, 0, 2))
	return world{
		name: "empirical, held out", population: table(t, all, data.PopulationOption{Kind: "held_out", HeldOut: 60}, k), kernel: k,
		nodes: heldOut, weights: equal(60), x: mat.DenseCopyOf(all.Slice(0, worldN, 0, 2)), features: "fourier", heldOut: heldOut,
	}
}

// atomsWorld has atoms of unequal masses.
func atomsWorld(t *testing.T) world {
	lambda, power := []float64{1, 0.5, 0.3, 0.12, 0.05, 0.02}, 0.7
	k, err := kernel.NewGridSeries(lambda, 50)
	if err != nil {
		t.Fatal(err)
	}
	w := world{
		name: "atoms under masses", population: open(t, &data.AtomsOptions{Atoms: 50, Eigenvalues: lambda, Masses: data.MassesOption{Power: power}}, k),
		kernel: k, nodes: midpoints(50), x: spread(points(worldN, 1, newRand(6).Float64), 0.03, 0.98), features: "mercer",
	}
	total := 0.0
	for j := range 50 {
		w.masses = append(w.masses, math.Pow(float64(j+1), -power))
		total += w.masses[j]
	}
	for j := range w.masses {
		w.masses[j] /= total
	}
	w.weights, w.heldOut = w.masses, w.nodes
	return w
}

func open(t *testing.T, options data.Options, k kernel.Kernel) data.Population {
	t.Helper()
	dataset, err := options.Open(data.Context{})
	if err != nil {
		t.Fatal(err)
	}
	draw, err := dataset.Draw(func(string) data.Source { return rand.NewPCG(9, 3) })
	if err != nil {
		t.Fatal(err)
	}
	population, err := draw.Population(k, 10)
	if err != nil {
		t.Fatal(err)
	}
	return population
}

// table is the population of a file of points, in the file's order.
func table(t *testing.T, all *mat.Dense, population data.PopulationOption, k kernel.Kernel) data.Population {
	t.Helper()
	n, _ := all.Dims()
	var text strings.Builder
	for i := range n {
		for j, v := range all.RawRowView(i) {
			if j > 0 {
				text.WriteByte(',')
			}
			fmt.Fprintf(&text, "%.17g", v)
		}
		text.WriteByte('\n')
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "points.csv"), []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("MERCER_DATA", dir)
	return open(t, &data.CSVOptions{Path: "points.csv", Header: "false", Label: "none",
		TableOptions: data.TableOptions{Sample: "first", Population: population}}, k)
}

// trial is a method on a world.
type trial struct {
	name    string
	options methods.Options
	center  string
}

func (w world) trials() []trial {
	var all []trial
	for _, c := range []string{"u", "v", "none"} {
		all = append(all,
			trial{"ekpca " + c, &methods.EKPCAOptions{Center: c}, c},
			trial{"nystrom full " + c, &methods.NystromOptions{Landmarks: landmark.By("first"), Center: c}, c},
			trial{"rff " + c, &methods.RFFOptions{Features: w.features, Center: c}, c},
		)
	}
	return all
}

// landmarks is how many points nystrom takes, the first of the sample.
const landmarks = 7

// spread puts the first points of a sample apart from each other, on a lattice:
// where landmarks are close, K_mm is near singular and the components' norms in
// H are uncertain, of which the model warns and which is not to be tested here.
func spread(x *mat.Dense, from, to float64) *mat.Dense {
	for i := range landmarks {
		x.Set(i, 0, from+(to-from)*float64(i)/(landmarks-1))
	}
	return x
}

// fit fits ℓ components, with m = 30 for random features.
func (w world) fit(t *testing.T, options methods.Options, ell int) methods.Model {
	t.Helper()
	method, err := options.Method()
	if err != nil {
		t.Fatal(err)
	}
	n, _ := w.x.Dims()
	p := methods.Sample{X: w.x, Kernel: w.kernel, Sizes: methods.Sizes{N: n, M: landmarks, Ell: ell}, Population: w.population}
	if _, ok := options.(*methods.RFFOptions); ok {
		p.Sizes.M = 30
	}
	model, err := method.Fit(t.Context(), p, newRand(5))
	if err != nil {
		t.Fatal(err)
	}
	for _, warning := range model.Caveats(1) {
		if strings.Contains(warning, "norms in H uncertain") {
			t.Fatalf("the test's own world is ill conditioned: %s", warning)
		}
	}
	return model
}

func (w world) eachTrial(t *testing.T, run func(t *testing.T, tr trial, model methods.Model)) {
	t.Helper()
	for _, tr := range w.trials() {
		t.Run(w.name+" "+tr.name, func(t *testing.T) { run(t, tr, w.fit(t, tr.options, worldEll)) })
	}
}

// eigen are all eigenpairs of a, falling.
func eigen(a *mat.SymDense) ([]float64, *mat.Dense) {
	var e mat.EigenSym
	if !e.Factorize(a, true) {
		panic("no eigendecomposition")
	}
	n := a.SymmetricDim()
	var rising mat.Dense
	e.VectorsTo(&rising)
	values, vectors := make([]float64, n), mat.NewDense(n, n, nil)
	for i, v := range e.Values(nil) {
		values[n-1-i] = v
		vectors.SetCol(n-1-i, mat.Col(nil, i, &rising))
	}
	return values, vectors
}

func product(first mat.Matrix, rest ...mat.Matrix) *mat.Dense {
	p := mat.DenseCopyOf(first)
	for _, next := range rest {
		var q mat.Dense
		q.Mul(p, next)
		p = &q
	}
	return p
}
