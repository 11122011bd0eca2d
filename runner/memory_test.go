package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
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

// watched is the memory that groups wait for, and the most that was taken of it.
type watched struct {
	admission
	mu         sync.Mutex
	taken, max int64
	count      int
}

func (w *watched) Acquire(ctx context.Context, bytes int64) error {
	err := w.admission.Acquire(ctx, bytes)
	if err == nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.count++
		w.taken += bytes
		w.max = max(w.max, w.taken)
	}
	return err
}

func (w *watched) Release(bytes int64) {
	w.mu.Lock()
	w.taken -= bytes
	w.mu.Unlock()
	w.admission.Release(bytes)
}

// TestRefusalByFit: of a group the fits that do not fit are refused, with their
// numbers, and the others are run to the numbers that they have without a limit.
func TestRefusalByFit(t *testing.T) {
	p := planOf(t, memorySpec, "")
	free, _ := runIn(t, t.TempDir(), p, Options{Workers: 2})
	want := map[string]string{}
	for _, r := range free.Records {
		want[r.Key] = metricsOf(t, r)
	}
	memory := map[string]int64{}
	for _, f := range p.Groups[0].Fits {
		memory[fmt.Sprint(f.Method, f.Sizes.N)] = f.Memory.Total()
	}
	limit := (memory["exact1200"] + memory["exact2000"]) / 2
	refused := p.Refused(limit)
	if len(refused) != 2 {
		t.Fatalf("%d fits refused, want the largest of each repeat", len(refused))
	}
	for _, r := range refused {
		if r.Fit.Method != "exact" || r.Fit.Sizes.N != 2000 || r.Fit.Memory.Total() <= limit || r.Allowed != limit {
			t.Errorf("refused: %+v of %s at %+v", r, r.Fit.Method, r.Fit.Sizes)
		}
	}
	seen := &watched{}
	run, summary := runIn(t, t.TempDir(), p, Options{Workers: 4, Memory: limit, watch: func(a admission) admission { seen.admission = a; return seen }})
	if summary.Failed != 2 || len(run.Records) != 12 {
		t.Errorf("%d failed of %d records, want 2 of 12", summary.Failed, len(run.Records))
	}
	for _, r := range run.Records {
		if r.Method == "exact" && r.N == 2000 {
			reason := "needs about " + refused[0].Fit.Memory.String() + ", and " + plan.Bytes(limit) + " are allowed; take a smaller n, or a method without the Gram matrix, or raise --memory"
			if r.Status != results.OOM || r.Reason != reason {
				t.Errorf("%s: %q, want %q", r.Status, r.Reason, reason)
			}
			continue
		}
		if r.Status != results.OK {
			t.Errorf("%s n=%d: %s: %s", r.Method, r.N, r.Status, r.Reason)
		}
		if got := metricsOf(t, r); got != want[r.Key] {
			t.Errorf("%s n=%d repeat %d: %s under a limit, %s without", r.Method, r.N, r.Repeat, got, want[r.Key])
		}
	}
	if seen.max > limit || seen.max < memory["exact1200"] || seen.count != 2 || seen.taken != 0 {
		t.Errorf("%d bytes admitted at most in %d groups, %d left, with a limit of %d", seen.max, seen.count, seen.taken, limit)
	}
}

func metricsOf(t *testing.T, r results.Record) string {
	t.Helper()
	text, err := json.Marshal(r.Metrics)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestAdmittedStaysBelowTheLimit: with room for two and a half groups no more than
// two are computed at a time, whatever the number of workers.
func TestAdmittedStaysBelowTheLimit(t *testing.T) {
	p := planOf(t, strings.NewReplacer("repeats: 2", "repeats: 12", "n: [300, 1200, 2000]", "n: [200, 300]").Replace(memorySpec), "")
	one := plan.WithGarbage(p.Groups[0].Memory.Total())
	limit := one*5/2 + p.SharedBytes
	seen := &watched{}
	_, summary := runIn(t, t.TempDir(), p, Options{Workers: 8, Memory: limit, watch: func(a admission) admission { seen.admission = a; return seen }})
	if summary.Failed > 0 || seen.count != 12 {
		t.Fatalf("%d failed, %d groups admitted", summary.Failed, seen.count)
	}
	if seen.max > limit || seen.max != 2*one {
		t.Errorf("%d bytes admitted at most, want twice %d, within %d", seen.max, one, limit)
	}
}

// TestTightFitsAreIsolated: fits whose arrays leave no room for garbage run in
// processes of their own, which may be killed; others, and those that are refused, do
// not.
func TestTightFitsAreIsolated(t *testing.T) {
	p := preparedFrom(t, memorySpec, "", nil)
	var largest int64
	for _, f := range p.Groups[0].Fits {
		largest = max(largest, f.Memory.Total())
	}
	o := isolating(t)
	o.Isolate = IsolateAuto
	for _, test := range []struct {
		memory int64
		want   bool
	}{{0, false}, {largest - 1, false}, {largest, true}, {plan.WithGarbage(largest), false}} {
		o.Memory = test.memory
		r := run{computation: newComputation(p, 0), options: o}
		if got := r.isolates(p.Groups[0]); got != test.want {
			t.Errorf("%d bytes allowed, %d needed: isolated %v, want %v", test.memory, largest, got, test.want)
		}
	}
}
