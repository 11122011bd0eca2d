//go:build system

package methods_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"mercer/internal/kernel"
	"mercer/methods"
)

// TestTenThousandFits: one process in Python serves 10⁴ small fits. What a fit takes over the
// function itself is printed: docs/exec.md has the median, 1.1 ms on two busy cores. At most
// 10 ms are allowed, far below a start of Python with numpy, so that no other work on the
// machine fails the test.
func TestTenThousandFits(t *testing.T) {
	noScratchLeft(t)
	program := python(t, methods.ExecOptions{Model: "subspace"}, `
def fit(p):
    with p.phase("solve"):
        answer = {"indices": np.array([0]), "coef": np.array([[1.0]]), "values": np.array([float(os.getpid())])}
    return answer
`)
	const fits = 10000
	p := methods.Sample{X: uniformPoints(1, 100, 2), Kernel: kernel.NewGaussian(1), Sizes: methods.Sizes{N: 100, Ell: 1}}
	over, pids := make([]float64, fits), map[float64]bool{}
	for i := range fits {
		times := clock{}
		p.Clock = times
		begun := time.Now()
		model, err := program.Fit(context.Background(), p, newRand(uint64(i)))
		if err != nil {
			t.Fatal(err)
		}
		over[i] = time.Since(begun).Seconds() - times["solve"]
		pids[model.(*methods.Subspace).Values[0]] = true
	}
	slices.Sort(over)
	t.Logf("over the function itself, of %d fits: median %.2f ms, 99 %% within %.2f ms", fits, 1e3*over[fits/2], 1e3*over[fits*99/100])
	if len(pids) != 1 {
		t.Errorf("%d processes", len(pids))
	}
	if over[fits/2] > 0.01 {
		t.Errorf("median %.2f ms over the function itself", 1e3*over[fits/2])
	}
}
