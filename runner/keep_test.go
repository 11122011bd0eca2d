package runner

import (
	"math"
	"testing"

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
// refused. Records agree to the rounding of sums.
func TestKernelMatrixIsKept(t *testing.T) {
	savedNPY(t, 5300, 2)
	const matrix = 4 * 5200 * 5200
	streamed := planWith(t, keepSpec, plan.Input{})
	needed := streamed.Groups[0].Bytes + matrix
	var values [2]results.Run
	for i, memory := range []int64{plan.WithGarbage(needed - matrix/100), plan.WithGarbage(needed + matrix/10)} {
		p := planWith(t, keepSpec, plan.Input{Memory: memory})
		g := p.Groups[0]
		if keeps := i == 1; g.KeepsMatrix != keeps {
			t.Fatalf("with %s: kept is %v", plan.Bytes(memory), g.KeepsMatrix)
		}
		values[i], _ = runIn(t, t.TempDir(), p, Options{Workers: 1})
	}
	for i, r := range values[0].Rows {
		for _, name := range []string{"skp_objective", "skp_gram_distance"} {
			a, b := r.Metrics[name], values[1].Rows[i].Metrics[name]
			if r.Status != results.OK || !(math.Abs(a-b) <= 1e-11*a) {
				t.Errorf("%s: %v, kept %v (%s)", name, a, b, r.Reason)
			}
		}
	}
}
