package methods_test

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
	"mercer/methods/landmark"
)

// choice has ridges and widths among which neither the first nor the last is chosen on
// regressionProblem.
func choice(by string) methods.RidgeOptions {
	return methods.RidgeOptions{Choose: &methods.ChooseOptions{Ridge: []float64{1e-1, 1e-2, 1e-3, 1e-5}, BandwidthTimes: []float64{0.2, 0.7, 1.4, 5}, By: by}}
}

// gamma is that of the kernel of regressionProblem.
const gamma = 3

// dense are the predictions at z of exact ridge regression of y at x, by a general solver.
func dense(x, y, z *mat.Dense, times, ridge float64) *mat.Dense {
	k := kernel.NewGaussian(gamma / (times * times))
	n, _ := x.Dims()
	system := kernel.Cross(k, x, x)
	for i := range n {
		system.Set(i, i, system.At(i, i)+ridge*float64(n))
	}
	var a mat.Dense
	if err := a.Solve(system, y); err != nil {
		panic(err)
	}
	return product(kernel.Cross(k, z, x), &a)
}

// grid are the errors of all candidates by loops over the parts of 43 points: 9, 9, 9, 8 and 8.
func grid(p methods.Sample, c *methods.ChooseOptions) (best methods.Choice, least float64) {
	bounds := []int{0, 9, 18, 27, 35, 43}
	least = math.Inf(1)
	for _, times := range c.BandwidthTimes {
		for _, ridge := range c.Ridge {
			sum := 0.0
			for part := range 5 {
				if c.By == "held-out" && part < 4 {
					continue
				}
				var trainX, trainY, testX, testY []float64
				for i := range 43 {
					if i >= bounds[part] && i < bounds[part+1] {
						testX, testY = append(testX, p.X.RawRowView(i)...), append(testY, p.Responses.At(i, 0))
					} else {
						trainX, trainY = append(trainX, p.X.RawRowView(i)...), append(trainY, p.Responses.At(i, 0))
					}
				}
				f := dense(mat.NewDense(len(trainY), 2, trainX), column(trainY), mat.NewDense(len(testY), 2, testX), times, ridge)
				for i, v := range testY {
					sum += (f.At(i, 0) - v) * (f.At(i, 0) - v) / float64(len(testY))
				}
			}
			if sum < least {
				best, least = methods.Choice{Ridge: ridge, BandwidthTimes: times}, sum
			}
		}
	}
	return best, least
}

// TestChoose: what is chosen is what loops over all candidates and parts choose, and the model is
// that of the whole sample there. 1e-8: general inverses of systems of condition 1e5.
func TestChoose(t *testing.T) {
	p, z := regressionProblem(43, 10), uniformPoints(5, 20, 2)
	fine := choice("") // among so many the parts' weights decide
	fine.Choose.BandwidthTimes, fine.Choose.Ridge = []float64{1.4}, nil
	for i := range 200 {
		fine.Choose.Ridge = append(fine.Choose.Ridge, math.Pow(10, -1-float64(i)/50))
	}
	for _, o := range []methods.RidgeOptions{choice(""), choice("cv-5"), choice("held-out"), fine} {
		by := o.Choose.By
		model := fitted(t, made(t, &methods.KRROptions{RidgeOptions: o}), p).(*methods.Regression)
		want, _ := grid(p, o.Choose)
		if *model.Chosen != want {
			t.Errorf("by %q: chosen %+v, want %+v", by, *model.Chosen, want)
		}
		if got := model.Eval(z); !mat.EqualApprox(got, dense(p.X, p.Responses, z, want.BandwidthTimes, want.Ridge), 1e-8) {
			t.Errorf("by %q: predictions differ from those of ridge %v and %v times the bandwidth", by, want.Ridge, want.BandwidthTimes)
		}
	}
}

func made(t *testing.T, o methods.Options) methods.Method {
	t.Helper()
	method, err := o.Method()
	if err != nil {
		t.Fatal(err)
	}
	return method
}

// TestChooseOfAll: the model is that of the method at what it has chosen, with the same random
// numbers, under a kernel as wide. 1e-8, as above: divided points round otherwise.
func TestChooseOfAll(t *testing.T) {
	p, z := regressionProblem(43, 10), uniformPoints(5, 20, 2)
	for name, of := range map[string]func(methods.RidgeOptions) methods.Options{
		"krr": func(r methods.RidgeOptions) methods.Options { return &methods.KRROptions{RidgeOptions: r} },
		"nystrom-krr": func(r methods.RidgeOptions) methods.Options {
			return &methods.NystromKRROptions{RidgeOptions: r, Landmarks: landmark.By("uniform")}
		},
		"rff-krr": func(r methods.RidgeOptions) methods.Options {
			return &methods.RFFKRROptions{RidgeOptions: r, Features: "fourier"}
		},
	} {
		model := fitted(t, made(t, of(choice(""))), p).(*methods.Regression)
		rng := newRand(1) // that of fitted
		seeds := [2]uint64{rng.Uint64(), rng.Uint64()}
		alone := p
		alone.Kernel = kernel.NewGaussian(gamma / math.Pow(model.Chosen.BandwidthTimes, 2))
		want, err := made(t, of(methods.RidgeOptions{Ridge: model.Chosen.Ridge})).Fit(t.Context(), alone, rand.New(rand.NewPCG(seeds[0], seeds[1])))
		if err != nil {
			t.Fatal(err)
		}
		if c := choice("").Choose; model.Chosen.Ridge == c.Ridge[0] || model.Chosen.Ridge == c.Ridge[3] || model.Chosen.BandwidthTimes == c.BandwidthTimes[0] || model.Chosen.BandwidthTimes == c.BandwidthTimes[3] {
			t.Errorf("%s: %+v is at an end, which a mistake may choose too", name, model.Chosen)
		}
		if !mat.EqualApprox(model.Eval(z), want.(*methods.Regression).Eval(z), 1e-8) {
			t.Errorf("%s: predictions differ from those at %+v", name, model.Chosen)
		}
	}
}

// TestChooseBySklearn: GridSearchCV over KernelRidge, with the same folds, chooses the same and
// predicts the same, 1e-8.
func TestChooseBySklearn(t *testing.T) {
	p, z := regressionProblem(43, 10), uniformPoints(5, 20, 2)
	o := choice("")
	rows := func(x *mat.Dense) (rows [][]float64) {
		for i := range x.RawMatrix().Rows {
			rows = append(rows, x.RawRowView(i))
		}
		return rows
	}
	input, err := json.Marshal(map[string]any{"x": rows(p.X), "y": mat.Col(nil, 0, p.Responses), "z": rows(z), "ridge": o.Choose.Ridge, "times": o.Choose.BandwidthTimes, "gamma": gamma})
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(pythonWith(t, "sklearn"), "-c", `
import json, sys
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV, KFold

class Relative(KernelRidge):
    "alpha is relative to the mean squared error"
    def fit(self, x, y):
        ridge, self.alpha = self.alpha, self.alpha * len(x)
        super().fit(x, y)
        self.alpha = ridge
        return self

p = json.load(sys.stdin)
grid = {"alpha": p["ridge"], "gamma": [p["gamma"] / t ** 2 for t in p["times"]]}
search = GridSearchCV(Relative(kernel="rbf"), grid, cv=KFold(5), scoring="neg_mean_squared_error").fit(p["x"], p["y"])
best = search.best_params_
json.dump({"ridge": best["alpha"], "times": (p["gamma"] / best["gamma"]) ** 0.5, "values": list(search.predict(p["z"]))}, sys.stdout)
`)
	command.Stdin = bytes.NewReader(input)
	output, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	var want struct {
		Ridge, Times float64
		Values       []float64
	}
	if err := json.Unmarshal(output, &want); err != nil {
		t.Fatal(err)
	}
	model := fitted(t, made(t, &methods.KRROptions{RidgeOptions: o}), p).(*methods.Regression)
	if c := model.Chosen; c.Ridge != want.Ridge || math.Abs(c.BandwidthTimes-want.Times) > 1e-12 || !mat.EqualApprox(model.Eval(z), column(want.Values), 1e-8) {
		t.Errorf("chosen %+v, scikit-learn's %v and %v; the same predictions: %v", *c, want.Ridge, want.Times, mat.EqualApprox(model.Eval(z), column(want.Values), 1e-8))
	}
}

// TestChooseRefuses: what cannot be chosen, and why.
func TestChooseRefuses(t *testing.T) {
	for says, o := range map[string]methods.Options{
		"leave out one of the two":              &methods.KRROptions{RidgeOptions: methods.RidgeOptions{Ridge: 1, Choose: choice("").Choose}},
		"ridge_power 9: must lie between":       &methods.KRROptions{RidgeOptions: methods.RidgeOptions{Power: 9, Choose: choice("").Choose}},
		"a file names rows of the whole sample": &methods.NystromKRROptions{RidgeOptions: choice(""), Landmarks: landmark.Options{Rule: "uniform", File: &landmark.File{}}},
	} {
		if _, err := o.Method(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want one that says %q", err, says)
		}
	}
	krr := made(t, &methods.KRROptions{RidgeOptions: choice("")})
	nystrom := made(t, &methods.NystromKRROptions{RidgeOptions: choice(""), Landmarks: landmark.By("uniform")})
	for _, c := range []struct {
		method methods.Method
		kernel kernel.Kernel
		sizes  methods.Sizes
		says   string
	}{
		{krr, kernel.Polynomial{Degree: 2, Gamma: 1}, methods.Sizes{N: 50}, "needs a stationary kernel"},
		{krr, kernel.NewGaussian(1), methods.Sizes{N: 9}, "n = 9 points are too few for 5 parts: take n of 10 or more"},
		{krr, kernel.NewGaussian(1), methods.Sizes{N: 10}, ""},
		{krr, kernel.Sum{Of: []kernel.Kernel{kernel.Scaled{Factor: 2, Of: kernel.Laplace{Sigma: 1}}, kernel.NewGaussian(1)}}, methods.Sizes{N: 50}, ""},
		{krr, kernel.Sum{Of: []kernel.Kernel{kernel.Laplace{Sigma: 1}, kernel.Polynomial{Degree: 1, Gamma: 1}}}, methods.Sizes{N: 50}, "needs a stationary kernel"},
		{nystrom, kernel.NewGaussian(1), methods.Sizes{N: 52, M: 42}, "n = 41 points; n is here the four fifths of the sample"},
		{nystrom, kernel.NewGaussian(1), methods.Sizes{N: 52, M: 41}, ""},
	} {
		err := c.method.Check(c.kernel, c.sizes)
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%v: error %v, want one that says %q", c.sizes, err, c.says)
		}
	}
	if why := (&methods.KRROptions{RidgeOptions: choice("")}).Traits().NoCounts; why == "" {
		t.Error("counts are divided")
	}
}

// TestChooseCosts: 16 candidates on five parts cost 80 fits of four fifths beside the last one;
// held out, a fifth of these.
func TestChooseCosts(t *testing.T) {
	cost := func(r methods.RidgeOptions, n int) float64 {
		return made(t, &methods.KRROptions{RidgeOptions: r}).Cost(nil, methods.Sizes{N: n}, 3).Flops
	}
	plain := methods.RidgeOptions{Ridge: 1}
	for by, fits := range map[string]float64{"cv-5": 80, "held-out": 16} {
		if got, want := cost(choice(by), 100), cost(plain, 100)+fits*cost(plain, 80); math.Abs(got-want) > 1e-9*want {
			t.Errorf("%s: %v flops, want %v", by, got, want)
		}
	}
}
