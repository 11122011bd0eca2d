package methods_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/methods"
	"mercer/methods/exec"
	"mercer/methods/landmark"
)

// ownLandmarks are the options of nystrom in a spec in a folder.
func ownLandmarks(t *testing.T, dir, text string) (*methods.NystromOptions, methods.Method, error) {
	t.Helper()
	options, err := decodedNystrom("{center: none, landmarks: " + text + "}")
	if err != nil {
		return nil, nil, err
	}
	if _, err = exec.FindAll(dir, options, exec.Commands{}); err != nil {
		return nil, nil, err
	}
	find(t, options, dir)
	method, err := options.Method()
	return options, method, err
}

// TestOwnLandmarks: landmarks that a file or a program names are those of the rule first,
// where they are the first points: the model is the same, bit for bit. The file has more than m.
func TestOwnLandmarks(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	helper, err := os.ReadFile("exec/examples/mercer.py")
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("exec/examples/mercer.R")
	if err != nil {
		t.Fatal(err)
	}
	write("mercer.py", string(helper))
	write("mercer.R", string(script))
	write("first.csv", "0,1,2,3\n4,5,6,7\n")
	write("first.npy", vectorNPY(0, 1, 2, 3, 4, 5, 6))
	write("mine.py", `
import numpy as np
from mercer import serve
def landmarks(p):
    assert p.X.shape == (p.n, p.dim) == (40, 2) and abs(p.kernel(p.X[:1], p.X[:1])[0, 0] - 1) < 1e-15
    assert p.seed > 0 and p.rng.random() < 1
    return np.arange(p.m)
serve(landmarks=landmarks)
`)
	write("mine.R", "landmarks <- function(p) { stopifnot(dim(p$X) == c(40, 2), p$kernel(p$X, p$X)[1, 1] == 1); seq_len(p$m) }\n")

	p := methods.Sample{X: uniformPoints(3, 40, 2), Kernel: kernel.NewGaussian(2), Sizes: methods.Sizes{N: 40, M: 5, Ell: 3}}
	want := fit(t, &methods.NystromOptions{Landmarks: landmark.By("first"), Center: "none"}, p, 1).(*methods.Subspace)
	for name, text := range map[string]string{
		"text":    "{file: first.csv}",
		"mapping": "{file: {path: '{dir}/first.csv'}}",
		"npy":     "{file: first.npy}",
		"program": "{exec: [" + pythonOr(t) + `, "{dir}/mine.py"]}`,
		"options": "{exec: {command: [" + pythonOr(t) + `, "{dir}/mine.py"], timeout: 60s, version: "2"}}`,
		"R":       `{exec: [Rscript, "{dir}/mercer.R", "{dir}/mine.R"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			if strings.Contains(text, "None") {
				t.Skip("SKIPPED: no python3 with numpy here")
			}
			if name == "R" {
				needR(t, "stats")
			}
			options, method, err := ownLandmarks(t, dir, text)
			if err != nil {
				t.Fatal(err)
			}
			if err := method.Check(p.Kernel, p.Sizes); err != nil {
				t.Fatal(err)
			}
			model, err := method.Fit(context.Background(), p, newRand(1))
			if err != nil {
				t.Fatal(err)
			}
			got := model.(*methods.Subspace)
			if !mat.Equal(got.Coef, want.Coef) || !mat.Equal(got.Points, want.Points) {
				t.Errorf("coefficients %v, want %v", mat.Formatted(got.Coef), mat.Formatted(want.Coef))
			}
			identity, _ := json.Marshal(options)
			if !strings.Contains(string(identity), `"{dir}/mine.`) && !strings.Contains(string(identity), `"SHA256":"`) {
				t.Errorf("no hash in %s", identity)
			}
			if name == "options" && (options.Landmarks.Exec.Timeout != time.Minute || options.Traits().Program != ".2") {
				t.Errorf("options %+v, version %q", options.Landmarks.Exec, options.Traits().Program)
			}
		})
	}
}

// vectorNPY is a .npy file of one dimension.
func vectorNPY(values ...float64) string {
	text := fmt.Sprintf("\x93NUMPY\x01\x00\x76\x00%-117s\n", fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d,), }", len(values)))
	for _, v := range values {
		text = string(binary.LittleEndian.AppendUint64([]byte(text), math.Float64bits(v)))
	}
	return text
}

// pythonOr is a python3 with numpy, or None.
func pythonOr(t *testing.T) string {
	path := "None"
	t.Run("python", func(t *testing.T) { path = pythonWith(t, "numpy") })
	return path
}

// TestWrongOwnLandmarks: what is wrong with a file shows before a run where it can.
func TestWrongOwnLandmarks(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"two.txt": "0,1", "again.txt": "0\n3\n0\n1\n2\n", "far.txt": "0\t1\t2\t3\t40", "words.txt": "0,one", "short.npy": "no array", "half.npy": vectorNPY(0, 0.5, 1, 2, 3)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sh := func(answer string) string {
		return `{exec: [sh, -c, 'while echo ''{"ready":2}''; read -r r; do echo ''` + answer + `''; done']}`
	}
	p := methods.Sample{X: uniformPoints(3, 40, 2), Kernel: kernel.NewGaussian(2), Sizes: methods.Sizes{N: 40, M: 5, Ell: 3}}
	for text, says := range map[string]string{
		"{file: none.txt}":                      "none.txt",
		"{file: words.txt}":                     "one",
		"{file: half.npy}":                      "landmarks by file: 0.5: want different whole numbers",
		"{file: short.npy}":                     "short.npy",
		"{file: two.txt}":                       "m = 5 landmarks, and the file names 2",
		"{file: again.txt}":                     "landmarks by file: 0 is there twice, at [0] and [2]: want different rows",
		"{file: far.txt}":                       "landmarks by file: 40: want different",
		"{file: two.txt, rule: greedy}":         "give one of rule, file and exec",
		"{file: two.txt, exec: [sh]}":           "give one of rule, file and exec",
		"{file: two.txt, level: 1}":             "file has no use for level",
		"{exec: []}":                            "at least 1",
		"{exec: {command: [sh], timeout: -1s}}": "must be a duration",
		"{exec: [no-such-program]}":             "is not in $PATH",
		sh(`{"indices":[0,1,2,3,4,5]}`):         "6 indices: more than m",
		sh(`{"indices":[0,1,2,3,40]}`):          "40: want different whole numbers from 0 to 39",
		sh(`{"indices":[0,1,2,1]}`):             "1 is there twice, at [1] and [3]: want different rows",
		sh(`{"coef":[[1]]}`):                    `unknown key "coef"`,
		sh(`{}`):                                "indices is missing",
	} {
		_, method, err := ownLandmarks(t, dir, text)
		if err == nil {
			err = method.Check(p.Kernel, p.Sizes)
		}
		if err == nil {
			_, err = method.Fit(context.Background(), p, newRand(1))
		}
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v, want one that says %q", text, err, says)
		}
	}
	_, method, err := ownLandmarks(t, dir, sh(`{"indices":[7,3],"warnings":["slow"]}`))
	if err != nil {
		t.Fatal(err)
	}
	model, err := method.Fit(context.Background(), p, newRand(1))
	if err != nil {
		t.Fatal(err)
	}
	if got := model.Caveats(2); len(got) != 2 || got[0] != "slow" || got[1] != "2 landmarks for m = 5: the program named no more" {
		t.Errorf("caveats %q", got)
	}
}

// TestHerding: each landmark of the example is the point that leaves the least distance in H
// between the means of landmarks and sample, computed for every candidate afresh. No two
// candidates of this sample are within 1e-9 of each other.
func TestHerding(t *testing.T) {
	p := methods.Sample{X: uniformPoints(5, 30, 2), Kernel: kernel.NewGaussian(3), Sizes: methods.Sizes{N: 30, M: 6, Ell: 1}}
	_, method, err := ownLandmarks(t, ".", "{exec: ["+pythonWith(t, "numpy")+`, "{dir}/exec/examples/herding.py"]}`)
	if err != nil {
		t.Fatal(err)
	}
	model, err := method.Fit(context.Background(), p, newRand(1))
	if err != nil {
		t.Fatal(err)
	}
	gram := kernel.Gram(p.Kernel, p.X)
	distance := func(chosen []int) float64 { // ‖Σ_i w_i φ(x_i)‖², w the difference of both means' weights
		weights := mat.NewVecDense(30, nil)
		for i := range 30 {
			weights.SetVec(i, -1./30)
		}
		for _, i := range chosen {
			weights.SetVec(i, weights.AtVec(i)+1/float64(len(chosen)))
		}
		return mat.Inner(weights, gram, weights)
	}
	var chosen []int
	for range 6 {
		best := -1
		for i := range 30 {
			if !slices.Contains(chosen, i) && (best < 0 || distance(append(slices.Clone(chosen), i)) < distance(append(slices.Clone(chosen), best))) {
				best = i
			}
		}
		chosen = append(chosen, best)
	}
	if got := model.(*methods.Subspace).Points; !mat.Equal(got, linalg.SelectRows(p.X, chosen)) {
		t.Errorf("landmarks %v, want the points %v", mat.Formatted(got), chosen)
	}
}
