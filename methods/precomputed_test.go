package methods_test

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/internal/kernel"
	"mercer/methods"
	"mercer/methods/exec"
)

// TestScikitPrecomputed: on a kernel matrix of a file, kernel PCA and kernel ridge regression
// are scikit-learn's with kernel="precomputed". Two dense solvers agree to 1e-8 where the gaps of the
// spectrum are 1e-4 and more.
func TestScikitPrecomputed(t *testing.T) {
	p := regressionProblem(60, 0)
	path := filepath.Join(t.TempDir(), "K.npy")
	if err := saveNPY(path, kernel.Cross(p.Kernel, p.X, p.X)); err != nil {
		t.Fatal(err)
	}
	dataset, err := (&data.PrecomputedOptions{ArrayOptions: data.ArrayOptions{Path: path}}).Open(data.Context{})
	if err != nil {
		t.Fatal(err)
	}
	draw, err := dataset.Draw(nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.X, _, err = draw.Sample(60); err != nil {
		t.Fatal(err)
	}
	p.Kernel, p.Sizes.Ell = dataset.Kernel(), 3

	pythonWith(t, "sklearn")
	pca := python(t, methods.ExecOptions{Model: "subspace", Gram: true}, `
from sklearn.decomposition import KernelPCA
def fit(p):
    model = KernelPCA(p.ell, kernel="precomputed", eigen_solver="dense").fit(p.gram)
    return {"coef": model.eigenvectors_ / np.sqrt(model.eigenvalues_), "values": model.eigenvalues_ / p.n, "centered": True}
`)
	own, err := (&methods.EKPCAOptions{Center: "v"}).Method()
	if err != nil {
		t.Fatal(err)
	}
	sameSubspace(t, fitted(t, own, p), fitted(t, pca, p), p.X, 1e-8)

	ridge := python(t, methods.ExecOptions{Model: "regression", Gram: true}, `
from sklearn.kernel_ridge import KernelRidge
def fit(p):
    return {"coef": KernelRidge(alpha=1e-3 * p.n, kernel="precomputed").fit(p.gram, p.y).dual_coef_[:, None]}
`)
	got := valuesOf(t, &methods.KRROptions{RidgeOptions: methods.RidgeOptions{Ridge: 1e-3}}, p, 1)
	want := mat.Col(nil, 0, fitted(t, ridge, p).(*methods.Regression).Eval(p.X))
	for i, v := range got {
		if math.Abs(v-want[i]) > 1e-8 {
			t.Errorf("prediction %d is %v, scikit-learn's %v", i, v, want[i])
		}
	}
}

// TestPrecomputedByEveryMethod: methods of kernel values give at a kernel matrix what they give
// at its points, up to signs; 1e-6 leaves room for eigenvectors whose gaps are 1e-8. All
// others say that they need coordinates or a spectral measure.
func TestPrecomputedByEveryMethod(t *testing.T) {
	points := regressionProblem(40, 8)
	points.Sizes = methods.Sizes{N: 40, M: 8, D: 3, K: 2, Ell: 2}
	indices := points
	indices.X = mat.NewDense(40, 1, nil)
	for i := range 40 {
		indices.X.Set(i, 0, float64(i))
	}
	indices.Kernel = kernel.Precomputed{Name: "of a test", K: kernel.Gram(points.Kernel, points.X)}

	run := 0
	for use, entry := range methods.Registry {
		options := decoded(t, use, "{"+entry.Plain+"}", "")
		if options.Traits().Shape == methods.ShapePopulation || use == "exec" {
			continue
		}
		method, err := options.Method()
		if err != nil {
			t.Fatal(err)
		}
		if err := method.Check(indices.Kernel, points.Sizes); (err != nil) != (strings.HasPrefix(use, "rf") || use == "kmeans") {
			t.Errorf("%s: %v", use, err)
		} else if err != nil {
			continue
		}
		run++
		got, want := fitted(t, method, indices), fitted(t, method, points)
		if c, ok := got.(*methods.Clustering); ok {
			if !slices.Equal(c.Labels, want.(*methods.Clustering).Labels) {
				t.Errorf("%s: clusters %v, want %v", use, c.Labels, want.(*methods.Clustering).Labels)
			}
			continue
		}
		type evaluated interface{ Eval(x *mat.Dense) *mat.Dense }
		f, g := got.(evaluated).Eval(indices.X), want.(evaluated).Eval(points.X)
		for _, values := range []*mat.Dense{f, g} {
			values.Apply(func(_, _ int, v float64) float64 { return math.Abs(v) }, values)
		}
		if !mat.EqualApprox(f, g, 1e-6) {
			t.Errorf("%s: its values at the sample differ", use)
		}
	}
	if run < 8 {
		t.Errorf("only %d methods were run", run)
	}
	for _, gram := range []bool{true, false} {
		program := opened(t, &methods.ExecOptions{Options: exec.Options{Command: []string{"true"}}, Model: "subspace", Gram: gram})
		if err := program.Check(indices.Kernel, points.Sizes); (err == nil) != gram {
			t.Errorf("a program with gram: %v: %v", gram, err)
		}
	}
}
