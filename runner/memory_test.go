package runner

import (
	"encoding/json"
	"fmt"
	"testing"

	"mercer/results"
	"mercer/runner/plan"
)

// memorySpec has fits by landmarks, which take little, and of Gram matrices of three
// sizes.
const memorySpec = `
name: memory
seed: 3
repeats: 2
datasets: [{id: sphere, use: sphere, d: 3}]
kernels: [{id: rbf, use: gaussian, form: sigma-squared, sigma: 1}]
grid: {n: [300, 1200, 2000], m: 40, ell: 2}
methods:
  - {id: exact, use: ekpca, center: u}
  - {id: nystrom, use: nystrom}
measure: [rank, eigenvalues]
`

// TestRefusalByFit: of a group the fits that do not fit are refused, with their
// numbers, and the others are run to the numbers that they have without a limit.
func TestRefusalByFit(t *testing.T) {
	p := planOf(t, memorySpec, "")
	free, _ := runIn(t, t.TempDir(), p, Options{Workers: 2})
	want, bytes := map[string]string{}, map[string]int64{}
	for _, r := range free.Rows {
		want[r.ID] = metricsOf(t, r)
	}
	for _, f := range p.Groups[0].Fits {
		bytes[fmt.Sprint(f.Method.ID, f.Sizes.N)] = f.Bytes
	}

	limit := (bytes["exact1200"] + bytes["exact2000"]) / 2
	run, summary := runIn(t, t.TempDir(), planWith(t, memorySpec, plan.Input{Memory: limit}), Options{Workers: 4})
	if summary.Failed != 2 || len(run.Rows) != 12 {
		t.Errorf("%d failed of %d rows, want 2 of 12", summary.Failed, len(run.Rows))
	}
	for _, r := range run.Rows {
		if r.Method() == "exact" && at(r, "n") == 2000 {
			reason := "needs about " + plan.Bytes(bytes["exact2000"]) + ", and " + plan.Bytes(limit) + " are allowed; take a smaller n, m, ell or population, or raise --memory"
			if r.Status != results.OOM || r.Reason != reason {
				t.Errorf("%s: %q, want %q", r.Status, r.Reason, reason)
			}
			continue
		}
		if got := metricsOf(t, r); r.Status != results.OK || got != want[r.ID] {
			t.Errorf("%s: %s %s: %s under a limit, %s without", r.At, r.Status, r.Reason, got, want[r.ID])
		}
	}
}

func metricsOf(t *testing.T, r results.Row) string {
	t.Helper()
	text, err := json.Marshal(r.Metrics)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
