package kernel

import (
	"bytes"
	"encoding/json"
	"math"
	"os/exec"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// scikitCases are kernels and what scikit-learn or numpy computes for points x and y.
var scikitCases = []struct {
	kernel     Kernel
	expression string
}{
	{RationalQuadratic{Alpha: 0.7, Sigma: 1.3}, "RationalQuadratic(alpha=0.7, length_scale=1.3)(x, y)"},
	{ARD{NewGaussian(0.5), nil}, "RBF(scales)(x, y)"},
	{ARD{Matern{Half: 1, Sigma: 1}, nil}, "Matern(scales, nu=0.5)(x, y)"},
	{ARD{Matern{Half: 5, Sigma: 1}, nil}, "Matern(scales, nu=2.5)(x, y)"},
	{ARD{RationalQuadratic{Alpha: 0.7, Sigma: 1}, nil}, "RationalQuadratic(alpha=0.7)(x / scales, y / scales)"},
	{ARD{Laplace{Sigma: 1}, nil}, "laplacian_kernel(x / scales, y / scales, gamma=1)"},
	{Chi2{Gamma: 0.7}, "chi2_kernel(x, y, gamma=0.7)"},
	{Intersection{}, "np.minimum(x[:, None], y[None]).sum(-1)"},
	{Periodic{Period: 1.7, Sigma: 0.9}, "np.prod([ExpSineSquared(0.9, 1.7)(x[:, [j]], y[:, [j]]) for j in range(x.shape[1])], axis=0)"},
	{Scaled{2.5, Sum{[]Kernel{Laplace{Sigma: 2}, Product{[]Kernel{NewGaussian(0.5), Polynomial{Degree: 2, Gamma: 0.5, Offset: 1}}}}}}, "2.5 * (laplacian_kernel(x, y, gamma=0.5) + rbf_kernel(x, y, gamma=0.5) * polynomial_kernel(x, y, 2, gamma=0.5, coef0=1))"},
	{Power{3, Matern{Half: 3, Sigma: 0.7}}, "Exponentiation(Matern(0.7, nu=1.5), 3)(x, y)"},
	{Normalised{Polynomial{Degree: 3, Gamma: 0.5, Offset: 1}}, "normalised(lambda x, y: polynomial_kernel(x, y, 3, gamma=0.5, coef0=1))"},
	{Cosine{}, "cosine_similarity(x, y)"},
	{ArcCosine{Order: 0, Depth: 1}, "1 - np.arccos(np.clip(cosine_similarity(x, y), -1, 1))/np.pi"},
	{ArcCosine{Order: 1, Depth: 1}, "lengths * arc(cosine_similarity(x, y))"},
	{ArcCosine{Order: 1, Depth: 3}, "lengths * arc(arc(arc(cosine_similarity(x, y))))"},
	{NTK{Depth: 1}, "ntk(1)"},
	{NTK{Depth: 3}, "ntk(3)"},
}

// TestScikitKernels: kernel values are those of scikit-learn to 1e-12 of the largest. In
// dimension 3 distances are summed directly, in dimension 9 they come from a matrix product.
func TestScikitKernels(t *testing.T) {
	const program = `
import json, sys
import numpy as np
from sklearn.gaussian_process.kernels import *
from sklearn.metrics.pairwise import *
task = json.load(sys.stdin)
x, y, scales = np.array(task["x"]), np.array(task["y"]), np.array(task["scales"])
lengths = np.linalg.norm(x, axis=1)[:, None] * np.linalg.norm(y, axis=1)
def normalised(k):
    return k(x, y) / np.sqrt(np.outer(k(x, x).diagonal(), k(y, y).diagonal()))
def arc(c):
    t = np.arccos(np.clip(c, -1, 1))
    return (np.sin(t) + (np.pi - t) * np.cos(t)) / np.pi
def ntk(depth):
    c = np.clip(cosine_similarity(x, y), -1, 1)
    value = c
    for _ in range(depth):
        value = value * (1 - np.arccos(np.clip(c, -1, 1))/np.pi)
        c = arc(c)
        value = value + c
    return lengths * value
json.dump([np.asarray(eval(e)).tolist() for e in task["expressions"]], sys.stdout)`
	python := ""
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import sklearn").Run() == nil {
			python = name
		}
	}
	if python == "" {
		t.Skip("SKIPPED: no python3 with scikit-learn here, kernels are not compared with its own")
	}

	for _, d := range []int{1, 3, 9} {
		x, y := histograms(81, 7, d), histograms(82, 5, d)
		task := map[string]any{"x": lists(x), "y": lists(y), "scales": scalesOf(d)}
		var expressions []string
		for _, c := range scikitCases {
			expressions = append(expressions, c.expression)
		}
		task["expressions"] = expressions
		text := must(json.Marshal(task))
		command := exec.Command(python, "-c", program)
		command.Stdin = bytes.NewReader(text)
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		var want [][][]float64
		if err := json.Unmarshal(out, &want); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		for c, test := range scikitCases {
			if ard, ok := test.kernel.(ARD); ok {
				test.kernel = ARD{ard.Of, scalesOf(d)}
			}
			got, largest, off := Cross(test.kernel, x, y), 0.0, 0.0
			for i, row := range want[c] {
				for j, v := range row {
					largest, off = max(largest, math.Abs(v)), max(off, math.Abs(v-got.At(i, j)))
				}
			}
			if !(off <= 1e-12*largest) || largest == 0 {
				t.Errorf("%s, D = %d: off by %.2g of values up to %.2g", test.kernel, d, off, largest)
			}
		}
	}
}

// histograms are points with coordinates of 0 or more, some of them 0, that every kernel takes.
func histograms(seed uint64, n, d int) *mat.Dense {
	x := normalPoints(newRand(seed), n, d)
	x.Apply(func(i, j int, v float64) float64 {
		if d > 1 && (i+j)%4 == 0 {
			return 0
		}
		return math.Abs(v)
	}, x)
	return x
}

func lists(x *mat.Dense) (all [][]float64) {
	eachRow(x, func(row []float64) { all = append(all, row) })
	return all
}
