package kernel

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"mercer/configs/source"
)

// spread is data with known distances.
type spread struct {
	err   error
	least float64
}

func (s spread) RMS() (float64, error)               { return 3, s.err }
func (s spread) Quantile(q float64) (float64, error) { return 10 * q, s.err }
func (s spread) Least() (float64, error)             { return s.least, s.err }
func (s spread) Dim() int                            { return 2 }

func build(t *testing.T, use, parameters string, d Distances) (Kernel, error) {
	t.Helper()
	options := Registry[use].New()
	p, err := source.Params("kernel", use, parameters)
	if err == nil {
		_, err = p.Bind(options, nil)
	}
	if err != nil {
		return nil, err
	}
	return options.Build(d)
}

func TestEveryEntryBuilds(t *testing.T) {
	built := map[string]bool{"sigmoid": true} // which is refused
	for _, test := range []struct{ use, parameters, want string }{
		{"gaussian", "{sigma: 2, form: two-sigma-squared}", "gaussian exp(-0.125*d^2)"},
		{"gaussian", "{sigma: 2, form: sigma-squared}", "gaussian exp(-0.25*d^2)"},
		{"gaussian", "{bandwidth: {rms: 2}, form: two-sigma-squared}", fmt.Sprintf("gaussian exp(-%.17g*d^2)", 1.0/72)},
		{"gaussian", "{bandwidth: {rms: 1}, form: sigma-squared}", fmt.Sprintf("gaussian exp(-%.17g*d^2)", 1.0/9)},
		{"gaussian", "{bandwidth: {median: 0.4}, form: sigma-squared}", "gaussian exp(-0.25*d^2)"},
		{"gaussian", "{bandwidth: {quantile: 0.2}, form: sigma-squared}", "gaussian exp(-0.25*d^2)"},
		{"laplace", "sigma: 2", "laplace exp(-|d|_1/2)"},
		{"laplace", "bandwidth: {rms: 1}", "laplace exp(-|d|_1/3)"},
		{"matern", "{nu: 1/2, sigma: 2}", "matern nu=1/2 sigma=2"},
		{"matern", "{nu: 3/2, bandwidth: {quantile: 0.25}}", "matern nu=3/2 sigma=2.5"},
		{"matern", "{nu: 5/2, sigma: 2}", "matern nu=5/2 sigma=2"},
		{"cauchy", "bandwidth: {median: 1}", "cauchy prod 1/(1+d_j^2/5^2)"},
		{"rational-quadratic", "bandwidth: {median: 1}", "rational-quadratic alpha=1 sigma=5"},
		{"gaussian", "{lengthscales: [1, 2], form: two-sigma-squared}", "lengthscales([1 2], gaussian exp(-0.5*d^2))"},
		{"gaussian", "{lengthscales: [1, 2], form: sigma-squared}", "lengthscales([1 2], gaussian exp(-1*d^2))"},
		{"matern", "{lengthscales: [0.5, 2], nu: 3/2}", "lengthscales([0.5 2], matern nu=3/2 sigma=1)"},
		{"chi2", "", "chi2 exp(-1*sum d_j^2/(x_j+y_j))"},
		{"intersection", "", "intersection sum min(x_j,y_j)"},
		{"arc-cosine", "", "arc-cosine order=1 depth=1"},
		{"arc-cosine", "order: 0", "arc-cosine order=0 depth=1"},
		{"ntk", "", "ntk depth=1"},
		{"periodic", "period: 2", "periodic prod exp(-2 sin(pi d_j/2)^2/1^2)"},
		{"cosine", "", "cosine <x,y>/|x||y|"},
		{"sum", "of: [{use: laplace, bandwidth: {median: 1}}, {use: polynomial, degree: 3}]", "sum(laplace exp(-|d|_1/5), polynomial (1*<x,y>+1)^3)"},
		{"product", "of: [{use: linear}, {use: scale, factor: 2, of: {use: laplace, sigma: 2}}]", "product(polynomial (1*<x,y>+0)^1, scale(2, laplace exp(-|d|_1/2)))"},
		{"power", "{exponent: 3, of: {use: laplace, sigma: 2}}", "power(3, laplace exp(-|d|_1/2))"},
		{"normalise", "of: {use: polynomial, degree: 3}", "normalise(polynomial (1*<x,y>+1)^3)"},
		{"scale", "{factor: 2, of: {use: linear}}", "scale(2, polynomial (1*<x,y>+0)^1)"},
		{"polynomial", "", "polynomial (1*<x,y>+1)^2"},
		{"polynomial", "{degree: 3, gamma: 0.5, offset: 0}", "polynomial (0.5*<x,y>+0)^3"},
		{"exec", "command: [sh, -c, x]", `exec ["sh" "-c" "x"] #73a3ee6a15a3`},
		{"linear", "", "polynomial (1*<x,y>+0)^1"},
		{"series", "decay: {power: 2}", "series lambda_i = i^-2"},
		{"series", "decay: {exponential: 0.5}", "series lambda_i = 0.5^i"},
		{"series", "{decay: {power: 1}, terms: 2}", "series lambda = [1 0.5]"},
		{"series", "{decay: {exponential: 0.5}, terms: 2}", "series lambda = [0.5 0.25]"},
		{"series", "eigenvalues: [1, 0.5]", "series lambda = [1 0.5]"},
	} {
		k, err := build(t, test.use, test.parameters, spread{})
		if err != nil {
			t.Errorf("%s %s: %v", test.use, test.parameters, err)
			continue
		}
		if k.String() != test.want {
			t.Errorf("%s %s is %q, want %q", test.use, test.parameters, k, test.want)
		}
		built[test.use] = true
		if _, ok := k.(ShiftInvariant); ok != Registry[test.use].Fourier {
			t.Errorf("%s: ShiftInvariant %v, the Registry says %v", test.use, ok, Registry[test.use].Fourier)
		}
	}
	for name, entry := range Registry {
		if !built[name] {
			t.Errorf("kernel %q of the Registry is not tried here", name)
		}
		if entry.Doc == "" {
			t.Errorf("kernel %q has no doc", name)
		}
	}
}

func TestWrongParametersAreRefused(t *testing.T) {
	const exactlyOne = "exactly one of sigma (a number), bandwidth"
	for _, test := range []struct{ use, parameters, want string }{
		{"gaussian", "sigma: 1", `missing key "form"`},
		{"gaussian", "{sigma: 1, form: sigma}", `unknown value "sigma"`},
		{"gaussian", "form: sigma-squared", exactlyOne},
		{"gaussian", "{sigma: 1, bandwidth: {rms: 1}, form: sigma-squared}", exactlyOne},
		{"gaussian", "{sgima: 1, form: sigma-squared}", `did you mean "sigma"`},
		{"gaussian", "{sigma: wide, form: sigma-squared}", `"sigma"`},
		{"gaussian", "{sigma: 0, form: sigma-squared}", "must be positive and finite"},
		{"gaussian", "{sigma: -1, form: sigma-squared}", "must be positive and finite"},
		{"gaussian", "{sigma: 1e-200, form: sigma-squared}", "sigma is 1e-200"},
		{"gaussian", "{sigma: 1e200, form: two-sigma-squared}", "sigma is 1e+200"},
		{"gaussian", "{bandwidth: {}, form: sigma-squared}", "exactly one of rms, median, quantile"},
		{"gaussian", "{bandwidth: {rms: 1, median: 1}, form: sigma-squared}", "exactly one of rms, median, quantile"},
		{"gaussian", "{bandwidth: {rms: 0}, form: sigma-squared}", "the multiple must be positive"},
		{"gaussian", "{bandwidth: {median: -1}, form: sigma-squared}", "the multiple must be positive"},
		{"gaussian", "{bandwidth: {quantile: 0}, form: sigma-squared}", "strictly between 0 and 1"},
		{"gaussian", "{bandwidth: {quantile: 1}, form: sigma-squared}", "strictly between 0 and 1"},
		{"gaussian", "{bandwidth: {mean: 1}, form: sigma-squared}", `unknown key "mean"`},
		{"laplace", "", exactlyOne},
		{"laplace", "sigma: 0", "must be positive and finite"},
		{"cauchy", "", exactlyOne},
		{"cauchy", "sigma: 0", "must be positive and finite"},
		{"matern", "sigma: 1", `missing key "nu"`},
		{"matern", `{nu: "2", sigma: 1}`, `unknown value "2"`},
		{"matern", "nu: 3/2", exactlyOne},
		{"rational-quadratic", "", exactlyOne},
		{"rational-quadratic", "{alpha: 0, sigma: 1}", "must be positive and finite"},
		{"rational-quadratic", "sigma: 1e-200", "must be positive and finite"},
		{"laplace", "{sigma: 1, lengthscales: [1, 2]}", exactlyOne},
		{"laplace", "{bandwidth: {rms: 1}, lengthscales: [1, 2]}", exactlyOne},
		{"laplace", "lengthscales: []", "D = 2"},
		{"laplace", "lengthscales: [1, 2, 3]", "lengthscales has 3 numbers, and the points have D = 2"},
		{"laplace", "lengthscales: [1, 0]", "greater than 0"},
		{"laplace", "lengthscales: [1, .inf]", "finite"},
		{"sum", "of: [{use: cauchy, lengthscales: [1]}]", "D = 2"},
		{"chi2", "gamma: 0", "must be positive and finite"},
		{"arc-cosine", "order: 2", "needs order 0"},
		{"arc-cosine", "{order: 0, depth: 2}", "needs order 0"},
		{"arc-cosine", "depth: 0", "needs order 0"},
		{"ntk", "depth: 0", "at least 1"},
		{"ntk", "depth: 101", "at most 100"},
		{"periodic", "", `missing key "period"`},
		{"periodic", "period: 0", "period is 0"},
		{"periodic", "{period: 1, sigma: 0}", "sigma is 0"},
		{"periodic", "{period: 1, sigma: 1e-9}", "at least 1e-6"},
		{"sigmoid", "{gamma: 1, offset: 0}", "indefinite"},
		{"sum", "", `missing key "of"`},
		{"sum", "of: []", "of"},
		{"sum", "of: [laplace]", "such as {use: laplace, sigma: 2}"},
		{"sum", "of: [{use: laplaze, sigma: 1}]", "laplace"},
		{"sum", "of: [{use: laplace, sgima: 1}]", `did you mean "sigma"`},
		{"sum", "of: [{use: linear}, {use: laplace}]", "kernel 2 of the list: give " + exactlyOne},
		{"product", "of: [{use: laplace, sigma: 0}]", "must be positive and finite"},
		{"product", "of: [{use: sigmoid}]", "indefinite"},
		{"scale", "{factor: 0, of: {use: linear}}", "factor is 0"},
		{"power", "{exponent: 0, of: {use: linear}}", "at least 1"},
		{"power", "{exponent: 65, of: {use: linear}}", "at most 64"},
		{"power", "{exponent: 1.5, of: {use: linear}}", "whole"},
		{"power", "{exponent: 2, of: {use: sigmoid}}", "indefinite"},
		{"normalise", "", `missing key "of"`},
		{"scale", "factor: 1", `missing key "of"`},
		{"polynomial", "degree: 0", "1 <= degree"},
		{"polynomial", "degree: 65", "degree <= 64"},
		{"polynomial", "gamma: 0", "gamma > 0"},
		{"polynomial", "offset: -1", "offset >= 0"},
		{"polynomial", "degree: 1.5", `"degree"`},
		{"linear", "gamma: 1", `unknown key "gamma"`},
		{"series", "", "exactly one of decay and eigenvalues"},
		{"series", "{decay: {power: 2}, eigenvalues: [1]}", "exactly one of decay and eigenvalues"},
		{"series", "decay: {}", "exactly one of power and exponential"},
		{"series", "decay: {power: 2, exponential: 0.5}", "exactly one of power and exponential"},
		{"series", "decay: {power: 3}", "has no closed form"},
		{"series", "decay: {power: 2.5}", "has no closed form"},
		{"series", "decay: {power: 66}", "has no closed form"},
		{"series", "decay: {exponential: 1}", "strictly between 0 and 1"},
		{"series", "{decay: {exponential: 1}, terms: 5}", "strictly between 0 and 1"},
		{"series", "{decay: {exponential: 0}, terms: 5}", "strictly between 0 and 1"},
		{"series", "{decay: {power: 0}, terms: 5}", "power 0"},
		{"series", "{decay: {power: -1}, terms: 5}", "power -1"},
		{"series", "{decay: {exponential: 0.1}, terms: 5000}", "terms"},
		{"series", "{decay: {power: 2}, terms: 0}", "terms 0: must lie between"},
		{"series", "{decay: {power: 2}, terms: 100001}", "terms 100001: must lie between"},
		{"series", "{eigenvalues: [1], terms: 1}", "terms goes with decay"},
		{"series", "eigenvalues: []", "no eigenvalues"},
		{"series", "eigenvalues: [1, 2]", "none above the one before"},
		{"series", "eigenvalues: [1, -1]", "positive"},
	} {
		k, err := build(t, test.use, test.parameters, spread{})
		if err == nil {
			t.Errorf("%s %s: no error, but %s", test.use, test.parameters, k)
		} else if !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %s: error %q does not say %q", test.use, test.parameters, err, test.want)
		}
	}
}

func TestBandwidthRulesNeedData(t *testing.T) {
	const rule = "{bandwidth: {rms: 1}, form: sigma-squared}"
	if _, err := build(t, "gaussian", rule, nil); err == nil || !strings.Contains(err.Error(), "give sigma") {
		t.Errorf("a rule without data: %v", err)
	}
	broken := errors.New("fewer than two points")
	if _, err := build(t, "gaussian", rule, spread{err: broken}); !errors.Is(err, broken) {
		t.Errorf("a rule on one point: %v", err)
	}
	for _, name := range []string{"laplace", "cauchy"} {
		if k, err := build(t, name, "bandwidth: {median: 1}", spread{err: broken}); !errors.Is(err, broken) || k != nil {
			t.Errorf("%s: kernel %v with error %v", name, k, err)
		}
	}
	for _, name := range []string{"gaussian", "laplace", "cauchy", "matern"} {
		parameters := "{sigma: 1}"
		switch name {
		case "gaussian":
			parameters = "{sigma: 1, form: sigma-squared}"
		case "matern":
			parameters = "{sigma: 1, nu: 1/2}"
		}
		if _, err := build(t, name, parameters, nil); err != nil {
			t.Errorf("%s with sigma and no data: %v", name, err)
		}
	}
}

// A series cut after p terms is the population of exactly these p eigenvalues.
func TestTruncatedSeriesHasItsOwnTrace(t *testing.T) {
	k, err := build(t, "series", "{decay: {power: 1.5}, terms: 700}", nil)
	if err != nil {
		t.Fatal(err)
	}
	want := 0.0
	for i := 700; i >= 1; i-- {
		want += math.Pow(float64(i), -1.5)
	}
	if s := k.(*Series); s.Terms() != 700 || math.Abs(s.PowerSum(1, 0)-want) > 1e-13 {
		t.Errorf("%d terms of sum %v, want 700 of sum %v", s.Terms(), s.PowerSum(1, 0), want)
	}
}
