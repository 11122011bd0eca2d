package methods_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
)

func rowsOf(x *mat.Dense) [][]float64 {
	var rows [][]float64
	for i := range x.RawMatrix().Rows {
		rows = append(rows, x.RawRowView(i))
	}
	return rows
}

// release lets go of a model's program.
func release(t *testing.T, m methods.Model) {
	t.Helper()
	if err := methods.Release(m); err != nil {
		t.Error(err)
	}
}

// images are where an embedding puts points.
func images(t *testing.T, m methods.Model, x *mat.Dense) *mat.Dense {
	t.Helper()
	z, err := m.(*methods.Embedding).Map(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// TestScikitRBFSampler: the images of points that the fit has not seen are those that
// scikit-learn's RBFSampler gives by itself, bit for bit, and whole numbers of features.
func TestScikitRBFSampler(t *testing.T) {
	noScratchLeft(t)
	program := scikit(t, "embedding", "rbf_sampler")
	x, other := uniformPoints(3, 40, 2), uniformPoints(4, 30, 2)
	model := fitted(t, program, methods.Sample{X: x, Kernel: kernel.NewGaussian(2), Sizes: methods.Sizes{N: 40, M: 7}})
	defer release(t, model)
	alone := exec.Command(pythonWith(t, "sklearn"), "-c", `
import json, sys
import numpy as np
from sklearn.kernel_approximation import RBFSampler
x, other, seed = json.load(sys.stdin)
print(json.dumps(RBFSampler(gamma=2.0, n_components=7, random_state=seed).fit(np.array(x)).transform(np.array(other)).tolist()))`)
	question, err := json.Marshal([]any{rowsOf(x), rowsOf(other), newRand(1).Int32()})
	if err != nil {
		t.Fatal(err)
	}
	alone.Stdin = strings.NewReader(string(question))
	text, err := alone.Output()
	if err != nil {
		t.Fatal(err)
	}
	var want [][]float64
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	if got := images(t, model, other); !slices.EqualFunc(rowsOf(got), want, slices.Equal) {
		t.Errorf("images %v, want %v", got.RawRowView(0), want[0])
	}
	if d := model.(*methods.Embedding).Dim(); d != 7 {
		t.Errorf("%d dimensions", d)
	}
}

// TestScikitNystroemMap: inner products of scikit-learn's Nystroem features of points that
// the fit has not seen are those of nystrom-embedding on the same landmarks. Both take the
// inverse root of a kernel matrix, whose condition number here is below 1e6: 1e-9 is left.
func TestScikitNystroemMap(t *testing.T) {
	program := scikit(t, "embedding", "nystroem_map", "first")
	o := methods.Registry["nystrom-embedding"].New().(*methods.NystromEmbeddingOptions)
	o.Landmarks.Rule, o.Rank = "first", "full"
	own, err := o.Method()
	if err != nil {
		t.Fatal(err)
	}
	p := methods.Sample{X: uniformPoints(6, 100, 2), Kernel: kernel.NewGaussian(20), Sizes: methods.Sizes{N: 100, M: 10}}
	model, other := fitted(t, program, p), uniformPoints(7, 30, 2)
	defer release(t, model)
	z, w := images(t, model, other), images(t, fitted(t, own, p), other)
	var got, want mat.Dense
	got.Mul(z, z.T())
	want.Mul(w, w.T())
	if !mat.EqualApprox(&got, &want, 1e-9) {
		got.Sub(&got, &want)
		t.Errorf("inner products differ by up to %.2g", math.Max(mat.Max(&got), -mat.Min(&got)))
	}
}

// TestScikitAssigns: clusters that a program assigns points to: its labels of the sample
// are those that it gives again, and points near those of one cluster are in it.
func TestScikitAssigns(t *testing.T) {
	noScratchLeft(t)
	program := scikit(t, "clustering", "rbf_sampler_kmeans")
	x := uniformPoints(8, 60, 2)
	for i := range 30 { // two clouds far apart
		x.Set(i, 0, x.At(i, 0)+3)
	}
	model := fitted(t, program, methods.Sample{X: x, Kernel: kernel.NewGaussian(0.2), Sizes: methods.Sizes{N: 60, M: 200, K: 2}}).(*methods.Clustering)
	defer release(t, model)
	labels, squared, err := model.Assign(context.Background(), x)
	if err != nil || !slices.Equal(labels, model.Labels) || squared != nil || model.Distances() != "" {
		t.Errorf("error %v, labels %v, want %v; squared distances %v in %q", err, labels, model.Labels, squared, model.Distances())
	}
	if labels, _, err = model.Assign(context.Background(), mat.NewDense(2, 2, []float64{3.5, 0.5, 0.5, 0.5})); err != nil || labels[0] != model.Labels[0] || labels[1] != model.Labels[59] {
		t.Errorf("error %v, the middles of the clouds are in %v, their points in %v", err, labels, model.Labels)
	}
}

// mapping is a program in Python whose answers depend on m: 0 for one that does well.
const mapping = `
def fit(p):
    scale = p.seed % 100
    def image(x):
        if p.m == 1: os._exit(3)
        if p.m == 2 and len(x) > 1: raise ValueError("no room")
        if p.m == 3 and len(x) > 1: return x[:1]
        if p.m == 4 and len(x) > 1: time.sleep(60)
        if p.m == 5: return {"of": "no use"}
        if p.m == 6 and len(x) > 1: return x[:, :1]
        return np.column_stack([scale * x, np.full(len(x), os.getpid())])
    return {"map": image}
`

// TestPythonMaps: a program stays with its model, so that another fit has another process,
// until the model is released. Then it serves again.
func TestPythonMaps(t *testing.T) {
	noScratchLeft(t)
	program := python(t, methods.ExecOptions{Model: "embedding"}, mapping)
	x := uniformPoints(1, 5, 2)
	p := methods.Sample{X: x, Kernel: kernel.NewGaussian(1), Sizes: methods.Sizes{N: 5}}
	fit := func(seed uint64) methods.Model {
		t.Helper()
		model, err := program.Fit(context.Background(), p, newRand(seed))
		if err != nil {
			t.Fatal(err)
		}
		return model
	}
	first, second := fit(1), fit(2)
	var pids []float64
	for i, model := range []methods.Model{first, second, first} {
		z, scale := images(t, model, x), float64(newRand([]uint64{1, 2, 1}[i]).Int32()%100)
		for row := range 5 {
			if z.At(row, 1) != scale*x.At(row, 1) {
				t.Errorf("model %d: image %v of %v, want %g times as much", i, z.RawRowView(row), x.RawRowView(row), scale)
			}
		}
		pids = append(pids, z.At(0, 2))
	}
	if pids[0] == pids[1] || pids[0] != pids[2] {
		t.Errorf("processes %v of the models 1, 2 and 1", pids)
	}
	release(t, first)
	release(t, first)
	third := fit(3)
	if pid := images(t, third, x).At(0, 2); pid != pids[0] {
		t.Errorf("process %v after the release of %v", pid, pids[0])
	}
	release(t, second)
	release(t, third)
}

// TestPythonMapFaults: what goes wrong as a program maps points is an error of the measure,
// or of the fit where the first point has no image, and costs no other fit.
func TestPythonMapFaults(t *testing.T) {
	noScratchLeft(t)
	program := python(t, methods.ExecOptions{Model: "embedding"}, mapping)
	x := uniformPoints(1, 5, 2)
	for _, c := range []struct {
		m, d      int
		fit, says string
	}{
		{1, 0, "map of 1 points: the program failed: exit status 3", ""},
		{2, 0, "", "map of 5 points: the program reports: ValueError: no room"},
		{3, 0, "", "image: an array of 1×2: want 5×3"},
		{4, 0, "", context.DeadlineExceeded.Error()},
		{5, 0, "image: file \"image.npy\": header", ""},
		{6, 0, "", "image: an array of 5×1: want 5×3"},
		{0, 2, "3 functions, and d = 2 were asked for", ""},
		{0, 3, "", ""},
	} {
		p := methods.Sample{X: x, Kernel: kernel.NewGaussian(1), Sizes: methods.Sizes{N: 5, M: c.m, D: c.d}}
		model, err := program.Fit(context.Background(), p, newRand(1))
		if c.fit != "" || err != nil {
			if c.fit == "" || err == nil || !strings.Contains(err.Error(), c.fit) {
				t.Errorf("m = %d: fit: error %v, want one that says %q", c.m, err, c.fit)
			}
			continue
		}
		ctx, cancel := context.WithCancel(context.Background())
		if c.m == 4 {
			ctx, cancel = context.WithTimeout(ctx, 200*time.Millisecond)
		}
		_, err = model.(*methods.Embedding).Map(ctx, x)
		if c.says == "" && err != nil || !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("m = %d: error %v, want one that says %q", c.m, err, c.says)
		}
		cancel()
		release(t, model)
	}
}

// TestPythonPredicts: predictions at points that the fit has not seen come from the program,
// which stays with its model until that is released; what goes wrong is an error.
func TestPythonPredicts(t *testing.T) {
	noScratchLeft(t)
	program := python(t, methods.ExecOptions{Model: "regression"}, `
def fit(p):
    assert p.y.shape == (p.n,)
    return {"predict": lambda x: x[:, 0] + p.y[2] if x[0, 0] < 1 else x[:1, 0]}
`)
	two := python(t, methods.ExecOptions{Model: "regression"}, `
def fit(p):
    return {"predict": lambda x: x + p.y[2]}
`)
	x, y := uniformPoints(1, 5, 2), []float64{1, 2, 4, 8, 16}
	p := methods.Sample{X: x, Responses: column(y), Kernel: kernel.NewGaussian(1), Sizes: methods.Sizes{N: 5}}
	model := fitted(t, program, p).(*methods.Regression)
	defer release(t, model)
	other := uniformPoints(2, 6, 2)
	values, err := model.Predict(t.Context(), other)
	if err != nil || values.RawMatrix().Rows != 6 || values.At(5, 0) != other.At(5, 0)+4 {
		t.Errorf("predictions %v at %v, error %v", values, mat.Formatted(other), err)
	}
	other.Set(0, 0, 2)
	if _, err := model.Predict(t.Context(), other); err == nil || !strings.Contains(err.Error(), "values: an array of 1×1: want 6×1") {
		t.Errorf("error %v", err)
	}
	p.Responses = mat.NewDense(5, 2, []float64{0, 0, 0, 0, 4, 8, 0, 0, 0, 0})
	pair := fitted(t, two, p).(*methods.Regression)
	defer release(t, pair)
	if values, err = pair.Predict(t.Context(), other); err != nil || values.At(5, 0) != other.At(5, 0)+4 || values.At(5, 1) != other.At(5, 1)+8 {
		t.Errorf("predictions %v of two responses, error %v", values, err)
	}
	p.Responses = nil
	if _, err := program.Fit(t.Context(), p, newRand(1)); err == nil || !strings.Contains(err.Error(), "the points have no responses") {
		t.Errorf("error %v", err)
	}
}

// TestRMaps: functions of R map and assign points and predict; labels count from 1.
func TestRMaps(t *testing.T) {
	noScratchLeft(t)
	text := `
fit <- function(p) {
    if (!is.null(p$y)) return(list(predict = function(x) x[, 1] + p$y[p$n]))
    if (!is.null(p$k)) return(list(labels = 1 + (p$X[, 1] > 0.5), assign = function(x) 1 + (x[, 1] > 0.5)))
    list(map = function(x) cbind(2 * x, 7))
}
`
	x, other := uniformPoints(1, 5, 2), uniformPoints(2, 6, 2)
	p := methods.Sample{X: x, Kernel: kernel.NewGaussian(1), Sizes: methods.Sizes{N: 5}}
	embedding := fitted(t, inR(t, methods.ExecOptions{Model: "embedding"}, text), p)
	defer release(t, embedding)
	z := images(t, embedding, other)
	for i := range 6 {
		if want := []float64{2 * other.At(i, 0), 2 * other.At(i, 1), 7}; !slices.Equal(z.RawRowView(i), want) {
			t.Errorf("image %v, want %v", z.RawRowView(i), want)
		}
	}
	p.Responses = column([]float64{1, 2, 4, 8, 16})
	predictor := fitted(t, inR(t, methods.ExecOptions{Model: "regression"}, text), p).(*methods.Regression)
	defer release(t, predictor)
	if values, err := predictor.Predict(t.Context(), other); err != nil || values.RawMatrix().Rows != 6 || values.At(5, 0) != other.At(5, 0)+16 {
		t.Errorf("predictions %v, error %v", values, err)
	}
	p.Sizes.K = 2
	clusters := fitted(t, inR(t, methods.ExecOptions{Model: "clustering"}, text), p).(*methods.Clustering)
	defer release(t, clusters)
	labels, _, err := clusters.Assign(context.Background(), other)
	for i, label := range labels {
		if (label == 1) != (other.At(i, 0) > 0.5) {
			t.Errorf("point %v is in cluster %d", other.RawRowView(i), label)
		}
	}
	if err != nil || len(labels) != 6 {
		t.Errorf("%d labels, error %v", len(labels), err)
	}
}
