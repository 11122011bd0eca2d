//go:build system

package cmd

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
)

// fitsOfCode runs code that mercer advise printed 20 times, with seeds 0 to 19, and fits what the code leaves to be
// fitted. Without a response it gives the relative trace errors 1 - mean |z_i|² of the features z_i; with one, the ratios of
// the root mean squared error on a random fifth of the points to that of exact kernel ridge regression with the same
// gamma and alpha, on responses of mean 0, for KernelRidge has no intercept.
const fitsOfCode = `
import json, re, sys
import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.kernel_ridge import KernelRidge
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted

code = open(sys.argv[1]).read()
table = np.genfromtxt("points.csv", delimiter=",", skip_header=1)
X, y = table[:, :-1], table[:, -1]
regression, train = "alpha=" in code, len(X) * 4 // 5
number = lambda name: float(re.search(name + "=([0-9.e+-]+)", code)[1])

out = []
for seed in range(20):
    np.random.seed(seed)
    order = np.random.permutation(len(X))[: train if regression else len(X)]
    test = np.setdiff1d(np.arange(len(X)), order)
    names = dict(X=X[order], y=y[order])
    exec(code.replace("seed=0", f"seed={seed}"), names)
    model = names["model"]
    try:
        check_is_fitted(model[-1])
    except NotFittedError:
        model.fit(names["X"], names["y"])
    if regression:
        scaler, mean = StandardScaler().fit(X[order]), y[order].mean()
        exact = KernelRidge(alpha=number("alpha"), kernel="rbf", gamma=number("gamma")).fit(scaler.transform(X[order]), y[order] - mean)
        error = lambda f: np.sqrt(np.mean((f - y[test]) ** 2))
        out.append(error(model.predict(X[test])) / error(exact.predict(scaler.transform(X[test])) + mean))
    else:
        out.append(1 - np.mean(np.sum(model.transform(X) ** 2, axis=1)))
json.dump(out, sys.stdout)
`

// evenPoints have four clusters of the same size, rarePoints a large one and five of 1 % of the points each: to have a
// landmark in each takes hundreds of uniform ones, so that RPCholesky is advised. Both have a response.
func evenPoints(rng *rand.Rand) (x [3]float64, price float64) {
	at := float64(rng.IntN(4))
	x = [3]float64{at + rng.NormFloat64(), rng.NormFloat64(), at + rng.NormFloat64()}
	return x, math.Sin(x[0])*x[1] + math.Cos(x[2])
}

func rarePoints(rng *rand.Rand) (x [3]float64, price float64) {
	cluster, spread := 0.0, 1.0
	if rng.Float64() < 0.05 {
		cluster, spread = float64(1+rng.IntN(5)), 0.1
	}
	for i := range x {
		x[i] = spread * rng.NormFloat64()
	}
	x[0] += 6 * cluster
	return x, math.Sin(x[1]) + 5*math.Cos(2*cluster)
}

func writePoints(t *testing.T, point func(*rand.Rand) ([3]float64, float64)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 44))
	var b strings.Builder
	b.WriteString("a,b,c,price\n")
	for range 1500 {
		x, price := point(rng)
		fmt.Fprintf(&b, "%.6f,%.6f,%.6f,%.6f\n", x[0], x[1], x[2], price+0.3*rng.NormFloat64())
	}
	if err := os.WriteFile("points.csv", []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestAdviseScikit runs the code that mercer advise prints in scikit-learn. Of 20 fits at least 18 are within the
// tolerance: if the share is 95 %, as advised, that is missed in 7.5 % of runs with other seeds, and less where the
// true share is larger. With half of the components at least 18 miss it. The error of a regression is
// within the tolerance in the mean over fits, which is what is advised.
func TestAdviseScikit(t *testing.T) {
	python := "python3"
	if exec.Command(python, "-c", "import sklearn").Run() != nil {
		python = "/usr/bin/python3"
	}
	if exec.Command(python, "-c", "import sklearn").Run() != nil {
		t.Skip("SKIPPED: no python3 with scikit-learn here, the code that mercer advise prints is not run")
	}
	t.Chdir(t.TempDir())

	fits := func(t *testing.T, code string) (errors []float64) {
		t.Helper()
		file := filepath.Join(t.TempDir(), "code.py")
		if err := os.WriteFile(file, []byte(code), 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(python, "-c", fitsOfCode, file).Output()
		if err == nil {
			err = json.Unmarshal(out, &errors)
		}
		if err != nil || len(errors) != 20 {
			t.Fatalf("%v: %s\n%s", err, out, code)
		}
		return errors
	}
	printed := func(t *testing.T, args ...string) string {
		t.Helper()
		text := succeeds(t, append([]string{"advise", "points.csv", "--quiet"}, args...)...)
		code := ""
		for _, line := range regexp.MustCompile(`(?m)^    (.*\n)`).FindAllStringSubmatch(text, -1) {
			code += line[1]
		}
		t.Log(text)
		return code
	}
	within := func(errors []float64, tolerance float64) (count int) {
		for _, e := range errors {
			if e <= tolerance {
				count++
			}
		}
		return count
	}

	for name, point := range map[string]func(*rand.Rand) ([3]float64, float64){"even": evenPoints, "rare": rarePoints} {
		t.Run("kernel-"+name, func(t *testing.T) {
			writePoints(t, point)
			code := printed(t, "--drop", "price", "--tolerance", "1%", "--sigma", "median")
			if name == "rare" && !strings.Contains(code, "rpcholesky") {
				t.Error("RPCholesky is not advised where clusters are rare")
			}
			m := found(t, `n_components=(\d+)`, code)
			number, err := strconv.Atoi(m)
			if err != nil {
				t.Fatal(err)
			}
			half := regexp.MustCompile(`\b`+m+`\b`).ReplaceAllString(code, strconv.Itoa(number/2))
			errors, more := fits(t, code), fits(t, half)
			t.Logf("m = %s: %d of 20 within, mean error %.5f; half of it: %d, %.5f", m, within(errors, 0.01), stat.Mean(errors, nil), within(more, 0.01), stat.Mean(more, nil))
			if within(errors, 0.01) < 18 {
				t.Errorf("errors with %s components: %.5f", m, errors)
			}
			if within(more, 0.01) > 2 {
				t.Errorf("errors with half of the components: %.5f", more)
			}
		})
		t.Run("regress-"+name, func(t *testing.T) {
			writePoints(t, point)
			flags := map[string]string{"even": "--sigma median", "rare": "--sigma 0.5 --ridge 1e-3"}[name]
			code := printed(t, append(strings.Fields(flags), "--response", "price", "--tolerance", "5%")...)
			if name == "rare" && !strings.Contains(code, "rpcholesky") {
				t.Error("RPCholesky is not advised where clusters are rare")
			}
			ratios := fits(t, code)
			t.Logf("%d of 20 within, mean ratio %.4f", within(ratios, 1.05), stat.Mean(ratios, nil))
			if stat.Mean(ratios, nil) > 1.05 {
				t.Errorf("ratios to the exact error: %.4f", ratios)
			}
		})
	}
}
