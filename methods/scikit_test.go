package methods_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
	"mercer/methods/landmark"
	"mercer/methods/lloyd"
)

// scikit is the example program, run by a python that has scikit-learn.
func scikit(t *testing.T, model string, arguments ...string) methods.Method {
	t.Helper()
	command := append([]string{pythonWith(t, "sklearn"), "{dir}/exec/examples/scikit.py"}, arguments...)
	return opened(t, asks(model, command...))
}

// sameSubspace holds two subspace estimates to the same values, centres (up to
// signs) and projector kernel Σ_i f_i(x) f_i(y).
func sameSubspace(t *testing.T, got, want methods.Model, x *mat.Dense, tolerance float64) {
	t.Helper()
	a, b := got.(*methods.Subspace), want.(*methods.Subspace)
	if len(a.Values) != len(b.Values) {
		t.Fatalf("%d and %d components", len(a.Values), len(b.Values))
	}
	for i := range a.Values {
		if math.Abs(a.Values[i]-b.Values[i]) > tolerance*b.Values[0] || math.Abs(math.Abs(a.Center[i])-math.Abs(b.Center[i])) > tolerance {
			t.Errorf("component %d: value %.15g and centre %.15g, want %.15g and %.15g", i, a.Values[i], a.Center[i], b.Values[i], b.Center[i])
		}
	}
	f, g := a.Eval(x), b.Eval(x)
	var one, other mat.Dense
	one.Mul(f, f.T())
	other.Mul(g, g.T())
	if !mat.EqualApprox(&one, &other, tolerance) {
		one.Sub(&one, &other)
		t.Errorf("projector kernels differ by %.2g", mat.Max(&one))
	}
}

func fitted(t *testing.T, m methods.Method, p methods.Sample) methods.Model {
	t.Helper()
	model, err := m.Fit(context.Background(), p, newRand(1))
	if err != nil {
		t.Fatal(err)
	}
	return model
}

// TestScikitKernelPCA: scikit-learn's kernel PCA is ekpca with center: v, for
// kernels which the program computes from their forms (an import takes it a
// second; kernel's own tests go through all forms). Two dense solvers agree to
// 1e-8 where the gaps of the spectrum are 1e-4 and more.
func TestScikitKernelPCA(t *testing.T) {
	program := scikit(t, "subspace", "kpca")
	want, err := (&methods.EKPCAOptions{Center: "v"}).Method()
	if err != nil {
		t.Fatal(err)
	}
	exponential, err := kernel.NewExponentialSeries(0.6)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []kernel.Kernel{
		kernel.NewGaussian(1.5), kernel.Matern{Half: 5, Sigma: 0.7}, kernel.Polynomial{Degree: 3, Gamma: 0.5, Offset: 0.25}, exponential,
	} {
		t.Run(k.String(), func(t *testing.T) {
			t.Parallel()
			p := methods.Sample{X: uniformPoints(5, 60, 3), Kernel: k, Sizes: methods.Sizes{N: 60, Ell: 3}}
			if _, line := k.(*kernel.Series); line {
				p.X = uniformPoints(5, 60, 1)
			}
			got := fitted(t, program, p)
			sameSubspace(t, got, fitted(t, want, p), p.X, 1e-8)
			if caveats := got.Caveats(3); len(caveats) > 0 {
				t.Errorf("caveats %q", caveats)
			}
		})
	}
}

// TestScikitNystroem: PCA of scikit-learn's Nyström features on the first m
// points is nystrom with landmarks: first and center: u.
func TestScikitNystroem(t *testing.T) {
	program := scikit(t, "subspace", "nystroem", "first")
	want, err := (&methods.NystromOptions{Landmarks: landmark.By("first"), Center: "u"}).Method()
	if err != nil {
		t.Fatal(err)
	}
	p := methods.Sample{X: uniformPoints(6, 200, 2), Kernel: kernel.NewGaussian(3), Sizes: methods.Sizes{N: 200, M: 15, Ell: 4}}
	sameSubspace(t, fitted(t, program, p), fitted(t, want, p), p.X, 1e-8)
}

// TestScikitKMeans: from the first k points, scikit-learn's KMeans comes to the
// labels and distances of Lloyd's algorithm here.
func TestScikitKMeans(t *testing.T) {
	program := scikit(t, "clustering", "kmeans")
	p := methods.Sample{X: uniformPoints(7, 300, 4), Kernel: kernel.NewGaussian(1), Sizes: methods.Sizes{N: 300, K: 5}}
	got := fitted(t, program, p).(*methods.Clustering)
	want := fromFirst(t, p.X, 5)
	assigned, squared, err := got.Assign(context.Background(), p.X)
	if err != nil {
		t.Fatal(err)
	}
	cost := 0.0
	for _, s := range squared {
		cost += s
	}
	if !slices.Equal(got.Labels, want.Labels) || !slices.Equal(assigned, want.Labels) || got.Iterations != want.Iterations || math.Abs(cost-want.Cost) > 1e-10*want.Cost {
		t.Errorf("%d iterations to the cost %.15g, want %d to %.15g; the same labels: %v; caveats %q",
			got.Iterations, cost, want.Iterations, want.Cost, slices.Equal(got.Labels, want.Labels), got.Caveats(0))
	}
}

// TestFaissKMeans: from the first k points, Faiss' k-means comes to the labels of Lloyd's
// algorithm here. Single precision leaves 1e-5 of the cost, and no point of this sample
// lies so close to the middle between two centres that it tips.
func TestFaissKMeans(t *testing.T) {
	program := opened(t, asks("clustering", pythonWith(t, "faiss"), "{dir}/exec/examples/faiss_kmeans.py", "first"))
	p := methods.Sample{X: uniformPoints(7, 300, 4), Kernel: kernel.NewGaussian(1), Sizes: methods.Sizes{N: 300, K: 5}}
	got := fitted(t, program, p).(*methods.Clustering)
	want := fromFirst(t, p.X, 5)
	_, squared, err := got.Assign(context.Background(), p.X)
	if err != nil {
		t.Fatal(err)
	}
	cost := 0.0
	for _, s := range squared {
		cost += s
	}
	if !slices.Equal(got.Labels, want.Labels) || math.Abs(cost-want.Cost) > 1e-5*want.Cost {
		t.Errorf("cost %.15g, want %.15g; the same labels: %v; caveats %q", cost, want.Cost, slices.Equal(got.Labels, want.Labels), got.Caveats(0))
	}
}

// fromFirst is Lloyd's algorithm from the first k points to its end.
func fromFirst(t *testing.T, x *mat.Dense, k int) lloyd.Result {
	t.Helper()
	o := lloyd.DefaultOptions()
	o.Init, o.Centers, o.Tol = lloyd.FromCenters, x.Slice(0, k, 0, x.RawMatrix().Cols).(*mat.Dense), 0
	found, err := lloyd.Cluster(context.Background(), x, nil, k, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return found
}
