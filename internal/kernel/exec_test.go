package kernel

import (
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	programs "mercer/methods/exec"
)

// ofProgram is the kernel of a command, which is found and ends with the test.
func ofProgram(t *testing.T, words ...string) Kernel {
	t.Helper()
	o := &ExecOptions{programs.Options{Command: words, Timeout: time.Minute, Version: "1"}}
	commands := programs.Commands{}
	if _, err := programs.FindAll(".", o, commands); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := commands.Close(); err != nil {
			t.Error(err)
		}
	})
	k, err := o.Build(nil)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestExecGaussian: a Gaussian in numpy has the values of the built-in one, in all ways to ask for
// them. Both take squared distances, of numbers around 1, to 1e-15.
func TestExecGaussian(t *testing.T) {
	python := "/usr/bin/python3"
	if exec.Command(python, "-c", "import numpy").Run() != nil {
		t.Skip("SKIPPED: no python3 with numpy here")
	}
	helper, err := filepath.Abs("../../methods/exec/examples")
	if err != nil {
		t.Fatal(err)
	}
	k := ofProgram(t, python, "-c", `
import sys
sys.path.insert(0, "`+helper+`")
import numpy as np
from mercer import serve
serve(kernel=lambda a, b: np.exp(-0.7 * ((a[:, None] - b) ** 2).sum(axis=2)))`)
	own := NewGaussian(0.7)
	x, y := normal(1, 300, 3), normal(2, 40, 3)
	expansion := func(k Kernel) mat.Matrix { return Expansion{Kernel: k, Points: y, Coef: normal(3, 40, 2)}.Eval(x) }
	diagonal := func(k Kernel) mat.Matrix { return mat.NewDense(300, 1, Diagonal(k, x)) }
	counted, _ := Count(k)
	for name, pair := range map[string][2]mat.Matrix{
		"Gram":        {Gram(k, x), Gram(own, x)},
		"Cross":       {Cross(k, x, y), Cross(own, x, y)},
		"expansion":   {expansion(k), expansion(own)},
		"diagonal":    {diagonal(k), diagonal(own)},
		"one value":   {mat.NewDense(1, 1, []float64{k.At([]float64{1, 2, 3}, []float64{1, 2, 4})}), mat.NewDense(1, 1, []float64{math.Exp(-0.7)})},
		"sum":         {Gram(Sum{[]Kernel{k, Laplace{Sigma: 1}}}, y), Gram(Sum{[]Kernel{own, Laplace{Sigma: 1}}}, y)},
		"counted":     {Cross(counted, x, y), Cross(own, x, y)},
		"of one":      {Gram(k, y.Slice(0, 1, 0, 3).(*mat.Dense)), mat.NewDense(1, 1, []float64{1})},
		"more rows":   {Cross(k, x, x.Slice(0, 5, 0, 3).(*mat.Dense)), Cross(own, x, x.Slice(0, 5, 0, 3).(*mat.Dense))},
		"transposed":  {Cross(k, y, x), mat.DenseCopyOf(Cross(k, x, y).T())},
		"of a column": {Cross(k, x, y.Slice(3, 4, 0, 3).(*mat.Dense)), Cross(own, x, y.Slice(3, 4, 0, 3).(*mat.Dense))},
	} {
		if !mat.EqualApprox(pair[0], pair[1], 1e-12) {
			t.Errorf("%s: %v, want %v", name, pair[0].At(0, 0), pair[1].At(0, 0))
		}
	}
	if exec.Command("Rscript", "--version").Run() == nil {
		script := filepath.Join(t.TempDir(), "mine.R")
		if err := os.WriteFile(script, []byte("kernel <- function(a, b) exp(-0.7 * mercer_over(a, b, function(d) d^2, `+`, 0))\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if inR := ofProgram(t, "Rscript", helper+"/mercer.R", script); !mat.EqualApprox(Cross(inR, x, y), Cross(own, x, y), 1e-12) {
			t.Error("the kernel in R has other values")
		}
	}
	f, err := FormOf(k)
	if err != nil || f.Name != "exec" || !math.IsInf(k.Bound(), 1) {
		t.Errorf("form %v, error %v", f, err)
	}
}

// TestExecInSinglePrecision: values that single precision has rounded are those of a kernel.
func TestExecInSinglePrecision(t *testing.T) {
	k := ofProgram(t, "sh", "-c", `while echo '{"ready":2}'; read -r r; do echo '{"kernel":[[1,1.0000001],[1.0000001,1]]}'; done`)
	if got := Gram(k, normal(1, 2, 1)).At(0, 1); got != 1.0000001 {
		t.Error(got)
	}
}

// TestExecIsNoKernel: values that cannot be those of a kernel panic with the reason.
func TestExecIsNoKernel(t *testing.T) {
	x := normal(1, 2, 1)
	for says, values := range map[string]string{
		"k(x,y) is 0.5 and k(y,x) is 0.25: not symmetric":                       "[[1,0.25],[0.5,1]]",
		"kernel: an array of 1×2: want 2×2":                                     "[[1,0.5]]",
		"largest diagonal element 1.00001: matrix is not positive semidefinite": "[[1,1.5],[1.5,1]]",
	} {
		k := ofProgram(t, "sh", "-c", `while echo '{"ready":2}'; read -r r; do echo '{"kernel":`+values+`}'; done`)
		func() {
			defer func() {
				failed, ok := recover().(programs.Failed)
				if !ok || !strings.HasSuffix(failed.Error(), says) {
					t.Errorf("%s: panic with %v, want one that says %q", values, failed, says)
				}
			}()
			Gram(k, x)
		}()
	}
	if err := (programs.Failed{Err: errors.ErrUnsupported}); !errors.Is(err, errors.ErrUnsupported) {
		t.Error("the reason is not unwrapped")
	}
}

func normal(seed uint64, n, d int) *mat.Dense {
	return normalPoints(rand.New(rand.NewPCG(seed, 1)), n, d)
}
