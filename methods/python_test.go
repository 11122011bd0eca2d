package methods_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
)

// pythonWith is a python that has a module; the test is skipped without one.
func pythonWith(tb testing.TB, module string) string {
	tb.Helper()
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import importlib.util, sys; sys.exit(importlib.util.find_spec('"+module+"') is None)").Run() == nil {
			return python
		}
	}
	tb.Skipf("SKIPPED: no python3 with %s here, programs in Python are not run", module)
	return ""
}

// python is a program that serves the function fit of a text.
func python(tb testing.TB, o methods.ExecOptions, text string) methods.Method {
	tb.Helper()
	dir := tb.TempDir()
	helper, err := os.ReadFile("exec/examples/mercer.py")
	if err != nil {
		tb.Fatal(err)
	}
	for name, content := range map[string]string{"mercer.py": string(helper), "program.py": "import numpy as np\nimport os, signal, sys, time, warnings, random\nfrom mercer import serve\n" + text + "\nserve(fit)\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	o.Command, o.Timeout = []string{pythonWith(tb, "numpy"), filepath.Join(dir, "program.py")}, time.Minute
	return opened(tb, &o)
}

// TestPythonKernels: the kernel of mercer.py has the values of the kernel matrix that
// mercer passes, for all kernels that can be passed. A few roundings of the largest
// value are allowed.
func TestPythonKernels(t *testing.T) {
	program := python(t, methods.ExecOptions{Model: "subspace", Gram: true}, `
def fit(p):
    own = p.kernel(p.X, p.X[:-1])
    off = np.abs(own - p.gram[:, :-1]).max() / np.abs(p.gram).max()
    return {"indices": [0], "coef": [[1.0]], "values": [off]}
`)
	holdKernels(t, program)
}

// holdKernels has a program compare its kernels with kernel matrices: its answer's value
// is by how much of the largest value it is off.
func holdKernels(t *testing.T, program methods.Method) {
	t.Helper()
	series := func(s *kernel.Series, err error) kernel.Kernel {
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, k := range []kernel.Kernel{
		kernel.NewGaussian(1.5), kernel.Laplace{Sigma: 0.7}, kernel.Matern{Half: 1, Sigma: 0.7}, kernel.Matern{Half: 3, Sigma: 0.7},
		kernel.Matern{Half: 5, Sigma: 0.7}, kernel.Cauchy{Sigma: 0.6}, kernel.RationalQuadratic{Alpha: 0.8, Sigma: 0.6}, kernel.Chi2{Gamma: 0.7}, kernel.Intersection{},
		kernel.Precomputed{Name: "of a test", K: kernel.Gram(kernel.NewGaussian(1), uniformPoints(6, 40, 2))},
		kernel.NTK{Depth: 1}, kernel.NTK{Depth: 3}, kernel.Power{Exponent: 3, Of: kernel.Laplace{Sigma: 2}}, kernel.Normalised{Of: kernel.Polynomial{Degree: 3, Gamma: 0.5, Offset: 0.25}},
		kernel.ARD{Of: kernel.Matern{Half: 3, Sigma: 1}, Scales: []float64{0.4, 1.5, 3}}, kernel.Scaled{Factor: 2.5, Of: kernel.Product{Of: []kernel.Kernel{kernel.NewGaussian(1), kernel.Sum{Of: []kernel.Kernel{kernel.Laplace{Sigma: 2}, kernel.Cosine{}}}}}}, kernel.Periodic{Period: 0.7, Sigma: 0.9}, kernel.Cosine{}, kernel.ArcCosine{Order: 0, Depth: 1}, kernel.ArcCosine{Order: 1, Depth: 3}, kernel.Polynomial{Degree: 1, Gamma: 1}, kernel.Polynomial{Degree: 3, Gamma: 0.5, Offset: 0.25},
		series(kernel.NewPowerSeries(2)), series(kernel.NewPowerSeries(4)), series(kernel.NewPowerSeries(6)), series(kernel.NewExponentialSeries(0.6)),
		series(kernel.NewFiniteSeries([]float64{1, 0.5, 0.25})),
	} {
		p := methods.Sample{X: uniformPoints(5, 30, 3), Kernel: k, Sizes: methods.Sizes{N: 30, Ell: 1}}
		switch k.(type) {
		case *kernel.Series:
			p.X = uniformPoints(5, 30, 1)
		case kernel.Precomputed: // its last rows, from the end
			p.X = mat.NewDense(30, 1, nil)
			for i := range 30 {
				p.X.Set(i, 0, float64(39-i))
			}
		}
		if off := fitted(t, program, p).(*methods.Subspace).Values[0]; !(off < 1e-13) {
			t.Errorf("%s: kernel values are off by %.1e of the largest", k, off)
		}
	}
}

// TestPythonServes: what a function prints breaks nothing, its warnings and its random
// streams are those of the fit in hand, and an exception fails one fit alone.
func TestPythonServes(t *testing.T) {
	noScratchLeft(t)
	program := python(t, methods.ExecOptions{Model: "subspace"}, `
served = 0
def fit(p):
    global served
    served += 1
    print("a word on standard output")
    os.system("echo a word of a child")
    warnings.warn("a warning")
    if p.m == 1:
        raise ValueError("of no use")
    with p.phase("solve"):
        drawn = [p.rng.random(), np.random.rand(), random.random()]
    return {"points": [[0.0, 0.0]], "coef": [[1]], "values": [sum(drawn)], "centered": np.bool_(False), "iterations": np.int64(served)}
`)
	fit := func(m int, seed uint64, c methods.Clock) (*methods.Subspace, error) {
		model, err := program.Fit(context.Background(), methods.Sample{
			X: uniformPoints(1, 5, 2), Kernel: kernel.NewGaussian(1), Sizes: methods.Sizes{N: 5, M: m, Ell: 1}, Clock: c,
		}, newRand(seed))
		if err != nil {
			return nil, err
		}
		return model.(*methods.Subspace), nil
	}
	var values []float64
	for i, seed := range []uint64{7, 8, 7} {
		model, err := fit(0, seed, nil)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, model.Values[0])
		if said := strings.Join(model.Warnings, ""); !strings.Contains(said, "a word on standard output") || !strings.Contains(said, "UserWarning: a warning") {
			t.Errorf("fit %d: warnings %q", i, model.Warnings)
		}
		if _, err := fit(1, seed, nil); err == nil || !strings.Contains(err.Error(), "the program reports: ValueError: of no use; stderr: ") || strings.Contains(err.Error(), "mercer.py") {
			t.Errorf("error %v", err)
		}
	}
	if values[0] != values[2] || values[0] == values[1] || math.IsNaN(values[0]) {
		t.Errorf("values %v by the seeds 7, 8 and 7", values)
	}
	times := clock{}
	if _, err := fit(0, 7, times); err != nil || len(times) != 2 || !(times["solve"] > 0) || times["solve"] > times["exec"] {
		t.Errorf("phases %v, error %v", times, err)
	}
}

// TestPythonFaults: a function that ends its process, or kills it, or hangs fails one fit,
// and one that forks fails none: a process that it leaves behind does not answer.
func TestPythonFaults(t *testing.T) {
	noScratchLeft(t)
	program := python(t, methods.ExecOptions{Model: "subspace"}, `
def fit(p):
    if p.m == 1: sys.exit(3)
    if p.m == 2: os.kill(os.getpid(), signal.SIGKILL)
    if p.m == 3: sys.exit()
    if p.m == 4 and os.fork() == 0: time.sleep(0.2)
    if p.m == 5: time.sleep(0.6)
    return {"indices": [0], "coef": [[1]], "values": [p.seed]}
`)
	for i, c := range []struct {
		m    int
		says string
	}{{1, "exit status 3"}, {2, "signal: killed"}, {3, "ended without an answer"}, {4, ""}, {5, ""}, {0, ""}} {
		model, err := program.Fit(context.Background(), methods.Sample{
			X: uniformPoints(1, 5, 2), Kernel: kernel.NewGaussian(1), Sizes: methods.Sizes{N: 5, M: c.m, Ell: 1},
		}, newRand(uint64(i)))
		switch {
		case c.says != "":
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("fit %d: error %v, want one that says %q", i, err, c.says)
			}
		case err != nil:
			t.Errorf("fit %d: %v", i, err)
		case model.(*methods.Subspace).Values[0] != float64(newRand(uint64(i)).Int32()):
			t.Errorf("fit %d has the answer of another: %v", i, model.(*methods.Subspace).Values)
		}
	}
}

// BenchmarkPythonFit is a small fit by a function in Python that does nothing, with all
// that passes between it and mercer; function-ns/op is what the function itself takes.
func BenchmarkPythonFit(b *testing.B) {
	program := python(b, methods.ExecOptions{Model: "subspace"}, `
def fit(p):
    with p.phase("solve"):
        answer = {"indices": np.array([0]), "coef": np.array([[1.0]]), "values": np.array([0.5])}
    return answer
`)
	for _, n := range []int{100, 1000} {
		b.Run(fmt.Sprintf("n=%d/dim=2", n), func(b *testing.B) { benchmarkFits(b, program, n) })
	}
}

func benchmarkFits(b *testing.B, program methods.Method, n int) {
	times := clock{}
	p := methods.Sample{X: uniformPoints(1, n, 2), Kernel: kernel.NewGaussian(1), Sizes: methods.Sizes{N: n, Ell: 1}, Clock: times}
	for b.Loop() {
		if _, err := program.Fit(context.Background(), p, newRand(1)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(times["solve"]/float64(b.N)*1e9, "function-ns/op")
}
