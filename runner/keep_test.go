package runner

import (
	"math"
	"strings"
	"testing"
	"time"

	"mercer/internal/cost"
	"mercer/results"
	"mercer/runner/plan"
)

const keepSpec = `
name: keep
seed: 9
repeats: 1
datasets: [{id: npy, use: npy, path: saved.npy, population: {held_out: 5200}}]
kernels: [{id: rbf, use: gaussian, sigma: 1, form: two-sigma-squared}]
grid: {n: 20, m: [10, 12], ell: 2}
methods: [{id: rff, use: rff, features: offset, center: none}]
measure: [skp_objective, skp_gram_distance]
`

// TestKernelMatrixIsKept: the kernel matrix of a group's held-out points is kept exactly
// where the group fits into the memory with it; what does not fit is streamed, never
// refused, and is more work by the estimate. Records agree to the rounding of sums.
func TestKernelMatrixIsKept(t *testing.T) {
	savedNPY(t, 5300, 2)
	const matrix = 4 * 5200 * 5200
	streamed := planWith(t, keepSpec, plan.Input{})
	needed := streamed.Groups[0].Bytes + matrix
	var values [2]results.Run
	for i, memory := range []int64{plan.WithGarbage(needed - matrix/100), plan.WithGarbage(needed + matrix/10)} {
		p := planWith(t, keepSpec, plan.Input{Memory: memory})
		g := p.Groups[0]
		if keeps := i == 1; g.KeepsMatrix != keeps || keeps != (g.Flops() < streamed.Groups[0].Flops()) {
			t.Fatalf("with %s: kept is %v, %g flops of %g", plan.Bytes(memory), g.KeepsMatrix, g.Flops(), streamed.Groups[0].Flops())
		}
		values[i], _ = runIn(t, t.TempDir(), p, Options{Workers: 1})
	}
	for i, r := range values[0].Rows {
		for _, name := range []string{"skp_objective", "skp_gram_distance"} {
			a, b := r.Metrics.Value(name), values[1].Rows[i].Metrics.Value(name)
			if r.Status != results.OK || !(math.Abs(a-b) <= 1e-11*a) {
				t.Errorf("%s: %v, kept %v (%s)", name, a, b, r.Reason)
			}
		}
	}
}

// TestMeasuredTogether: where the matrix is streamed, the models of a group are measured in
// one pass over its blocks. No digit depends on which of them are left, nor on whether each
// is measured by itself, as under a time limit; by the estimate two models share a pass.
func TestMeasuredTogether(t *testing.T) {
	savedNPY(t, 5300, 2)
	p := planWith(t, keepSpec, plan.Input{})
	whole, _ := runIn(t, t.TempDir(), p, Options{Workers: 1})
	limited := Options{Workers: 1}
	limited.Isolate, limited.CellTimeout = IsolateNone, time.Hour
	alone, _ := runIn(t, t.TempDir(), p, limited)
	rest, _ := runIn(t, t.TempDir(), planWith(t, strings.Replace(keepSpec, "m: [10, 12]", "m: 12", 1), plan.Input{}), Options{Workers: 1})
	if len(whole.Rows) != 2 || len(rest.Rows) != 1 {
		t.Fatalf("%d and %d records", len(whole.Rows), len(rest.Rows))
	}
	for _, r := range whole.Rows {
		for _, other := range append(alone.Rows, rest.Rows...) {
			if other.At != r.At {
				continue
			}
			for _, name := range []string{"skp_objective", "skp_gram_distance"} {
				if a, b := r.Metrics.Value(name), other.Metrics.Value(name); a != b || r.Status != results.OK {
					t.Errorf("%s, %s: %v beside others, %v by itself (%s)", r.At, name, a, b, r.Reason)
				}
			}
		}
	}
	lone := planWith(t, strings.Replace(keepSpec, "m: [10, 12]", "m: 12", 1), plan.Input{})
	if more, pass := p.Groups[0].Flops()-lone.Groups[0].Flops(), cost.Values(5200*5200/2, 2).Flops; more >= pass {
		t.Errorf("a second fit is %g flops more, a pass %g: they share none", more, pass)
	}
}
