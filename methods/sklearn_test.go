package methods_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
	"mercer/methods/landmark"
	"mercer/methods/methodtest"
)

const sklearnProgram = `
import json, sys, warnings
import numpy as np
from sklearn.cluster import KMeans
from sklearn.kernel_approximation import Nystroem
warnings.simplefilter("ignore")
job = json.load(sys.stdin)
x, others, centers = (np.array(job[name]) for name in ("x", "others", "centers"))
m = KMeans(len(centers), init=centers, n_init=1, tol=0, algorithm="lloyd").fit(x)
n = Nystroem(kernel="rbf", gamma=job["gamma"], n_components=job["m"], random_state=1).fit(x)
z = n.transform(others)
json.dump(dict(labels=m.labels_.tolist(), cost=float(m.inertia_), iterations=int(m.n_iter_),
    others=m.predict(others).tolist(), distances=m.transform(others).min(axis=1).tolist(),
    landmarks=n.component_indices_.tolist(), inner=(z @ z.T).tolist()), sys.stdout)
`

func rowsOf(x *mat.Dense) [][]float64 {
	n, _ := x.Dims()
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = x.RawRowView(i)
	}
	return rows
}

// TestAgainstSklearn: from our settled centres scikit-learn's KMeans does not
// move, gives our cost and assigns other points as the partition does; its
// Nystroem on the landmarks it picked has the inner products of our embeddings
// on them, of full rank and of rank m. K_mm of these points has a condition
// number of 1e4, which leaves 1e-12.
func TestAgainstSklearn(t *testing.T) {
	const m, gamma = 12, 0.8
	x, others := clouds(9, 240), clouds(10, 50)
	settled := methods.DefaultKMeans()
	settled.Tol = 0
	p := methods.Problem{X: x, Kernel: kernel.NewGaussian(gamma), Sizes: methods.Sizes{N: 240, M: m, D: m, K: 3}}
	ours := fit(t, &settled, p, 1).(*methods.Clustering)
	_, centers, _ := lloydByLoops(x, ours.Labels, 3)
	var theirs struct {
		Labels, Others   []int
		Landmarks        []int
		Distances        []float64
		Inner            [][]float64
		Cost, Iterations float64
	}
	methodtest.Python(t, "python3-sklearn", sklearnProgram, map[string]any{"x": rowsOf(x), "others": rowsOf(others), "centers": rowsOf(centers), "m": m, "gamma": gamma}, &theirs)

	_, squared, err := ours.Assign(t.Context(), x)
	if err != nil || !slices.Equal(ours.Labels, theirs.Labels) || theirs.Iterations > 2 {
		t.Errorf("KMeans: %d labels differ after %v iterations (%v)", differing(ours.Labels, theirs.Labels), theirs.Iterations, err)
	}
	if cost := floats.Sum(squared); !(math.Abs(cost-theirs.Cost) <= 1e-8*cost) {
		t.Errorf("KMeans: cost %.12g, scikit-learn %.12g", cost, theirs.Cost)
	}
	labels, squared, err := ours.Assign(t.Context(), others)
	if err != nil || !slices.Equal(labels, theirs.Others) {
		t.Errorf("KMeans: %d labels of other points differ (%v)", differing(labels, theirs.Others), err)
	}
	for i, d := range theirs.Distances {
		if !(math.Abs(math.Sqrt(squared[i])-d) <= 1e-8) {
			t.Errorf("KMeans: point %d is %.12g from its centre, scikit-learn says %.12g", i, math.Sqrt(squared[i]), d)
		}
	}

	p.X = mat.NewDense(240, 2, nil)
	for i, row := range append(slices.Clone(theirs.Landmarks), restOf(240, theirs.Landmarks)...) {
		p.X.SetRow(i, x.RawRowView(row))
	}
	for _, rank := range []string{"full", "d"} {
		products := inner(embedding(t, &methods.NystromEmbeddingOptions{Landmarks: landmark.By("first"), Rank: rank, Precision: "float64"}, p, 1).Eval(others))
		for i, row := range theirs.Inner {
			if !floats.EqualApprox(products.RawRowView(i), row, 1e-8) {
				t.Errorf("Nystroem, rank %s: inner products of point %d differ", rank, i)
			}
		}
	}
}

// restOf are the numbers below n that are not among some.
func restOf(n int, some []int) []int {
	var rest []int
	for i := range n {
		if !slices.Contains(some, i) {
			rest = append(rest, i)
		}
	}
	return rest
}
