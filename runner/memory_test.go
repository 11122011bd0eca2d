package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"mercer/results"
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
	plan := planOf(t, memorySpec, "")
	free, _ := runIn(t, t.TempDir(), plan, Options{Workers: 2})
	want := map[string]string{}
	for _, r := range free.Records {
		want[r.Key] = metricsOf(t, r)
	}
	memory := map[string]int64{}
	for _, f := range plan.Groups[0].Fits {
		memory[fmt.Sprint(f.Method, f.Sizes.N)] = f.Memory.Total()
	}
	limit := (memory["exact1200"] + memory["exact2000"]) / 2
	refused := plan.Refused(limit)
	if len(refused) != 2 {
		t.Fatalf("%d fits refused, want the largest of each repeat", len(refused))
	}
	for _, r := range refused {
		if r.Fit.Method != "exact" || r.Fit.Sizes.N != 2000 || r.Fit.Memory.Total() <= limit || r.Allowed != limit {
			t.Errorf("refused: %+v of %s at %+v", r, r.Fit.Method, r.Fit.Sizes)
		}
	}
	seen := &watched{}
	run, summary := runIn(t, t.TempDir(), plan, Options{Workers: 4, Memory: limit, watch: func(a admission) admission { seen.admission = a; return seen }})
	if summary.Failed != 2 || len(run.Records) != 12 {
		t.Errorf("%d failed of %d records, want 2 of 12", summary.Failed, len(run.Records))
	}
	for _, r := range run.Records {
		if r.Method == "exact" && r.N == 2000 {
			reason := "needs about " + refused[0].Fit.Memory.String() + ", and " + Bytes(limit) + " are allowed; take a smaller n, or a method without the Gram matrix, or raise --memory"
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
	plan := planOf(t, strings.NewReplacer("repeats: 2", "repeats: 12", "n: [300, 1200, 2000]", "n: [200, 300]").Replace(memorySpec), "")
	one := withGarbage(plan.Groups[0].Memory.Total())
	limit := one*5/2 + plan.SharedBytes
	seen := &watched{}
	_, summary := runIn(t, t.TempDir(), plan, Options{Workers: 8, Memory: limit, watch: func(a admission) admission { seen.admission = a; return seen }})
	if summary.Failed > 0 || seen.count != 12 {
		t.Fatalf("%d failed, %d groups admitted", summary.Failed, seen.count)
	}
	if seen.max > limit || seen.max != 2*one {
		t.Errorf("%d bytes admitted at most, want twice %d, within %d", seen.max, one, limit)
	}
}

// TestParts: fits that fit by themselves and not together are computed in parts,
// each within the limit with its garbage, and none is lost or done twice. A fit whose
// arrays alone fit is a part by itself; by a byte less it is refused.
func TestParts(t *testing.T) {
	plan := planOf(t, `
name: parts
seed: 3
repeats: 1
datasets: [{id: sphere, use: sphere, d: 3}]
kernels: [{id: rbf, use: gaussian, form: sigma-squared, sigma: 1}]
grid: {n: 3000, m: 1400, ell: 2}
methods:
  - {id: exact, use: ekpca, center: u}
  - {id: nystrom, use: nystrom}
  - {id: rff, use: rff, features: offset}
measure: [rank]
`, "")
	g := plan.Groups[0]
	largest := int64(0)
	for _, f := range g.Fits {
		largest = max(largest, f.Memory.Total())
	}
	if largest >= g.Memory.Total() {
		t.Fatalf("the group takes %d bytes, its largest fit alone %d", g.Memory.Total(), largest)
	}
	allowed := withGarbage(largest)
	parts, refused := plan.parts(g, allowed)
	if len(parts) != 2 || len(refused) > 0 {
		t.Fatalf("%d parts, %d refused", len(parts), len(refused))
	}
	var fits []string
	for _, part := range parts {
		if withGarbage(part.Memory.Total()) > allowed {
			t.Errorf("a part of %d bytes with %d allowed", part.Memory.Total(), allowed)
		}
		for _, f := range part.Fits {
			fits = append(fits, f.Method)
		}
	}
	if got := strings.Join(fits, " "); got != "exact nystrom rff" {
		t.Errorf("fits %s", got)
	}
	if parts[0].MaxGramN != 3000 || parts[1].MaxGramN != 0 {
		t.Errorf("Gram matrices of order %d and %d", parts[0].MaxGramN, parts[1].MaxGramN)
	}
	parts, refused = plan.parts(g, largest)
	if len(parts) < 2 || len(refused) > 0 || len(parts[0].Fits) != 1 || parts[0].Memory.Total() != largest {
		t.Errorf("%d parts, the first of %d fits, and %d refused with room for the arrays of the largest", len(parts), len(parts[0].Fits), len(refused))
	}
	if _, refused := plan.parts(g, largest-1); len(refused) != 1 || refused[0].Method != "exact" {
		t.Errorf("%d refused with a byte too little for the largest", len(refused))
	}
	if parts, refused := plan.parts(g, maxBytes); len(parts) != 1 || parts[0] != g || len(refused) > 0 {
		t.Errorf("a group that fits is divided")
	}
	if parts, refused := plan.parts(g, 1); len(parts) != 0 || len(refused) != 3 {
		t.Errorf("%d parts and %d refused with 1 byte", len(parts), len(refused))
	}
}

// TestArraysAreRefusedAlone: a streamed fit of eight million points to 400 landmarks
// keeps 12.8 GB of coordinates and a little more. It is refused below that, and not
// for the garbage that may stand beside it.
func TestArraysAreRefusedAlone(t *testing.T) {
	plan := planOf(t, `
name: eight-million
seed: 1
repeats: 1
datasets: [{id: x, use: gaussian-mixture, k: 10, d: 784, population: {held_out: 100000}}]
kernels: [{id: rbf, use: gaussian, form: sigma-squared, sigma: 10}]
grid: {n: 8000000, m: 400, k: 10}
methods: [{id: nystrom, use: nystrom-embedding, rank: full, stream: true, kmeans: {restarts: 1, warm: 0.02}}]
measure: [cluster_cost, nmi, clusters, time]
`, "")
	if refused := plan.Refused(15 << 30); len(refused) > 0 {
		t.Errorf("refused with 15 GiB: %v", refused[0])
	}
	if len(plan.Refused(13<<30)) == 0 {
		t.Error("not refused with 13 GiB")
	}
}

// TestTightFitsAreIsolated: fits whose arrays leave no room for garbage run in
// processes of their own, which may be killed; others, and those that are refused, do
// not.
func TestTightFitsAreIsolated(t *testing.T) {
	plan := preparedFrom(t, memorySpec, "", nil)
	var largest int64
	for _, f := range plan.Groups[0].Fits {
		largest = max(largest, f.Memory.Total())
	}
	o := isolating(t)
	o.Isolate = IsolateAuto
	for _, test := range []struct {
		memory int64
		want   bool
	}{{0, false}, {largest - 1, false}, {largest, true}, {withGarbage(largest), false}} {
		o.Memory = test.memory
		r := run{computation: newComputation(plan, 0), options: o}
		if got := r.isolates(plan.Groups[0]); got != test.want {
			t.Errorf("%d bytes allowed, %d needed: isolated %v, want %v", test.memory, largest, got, test.want)
		}
	}
}

// TestPartsShareALargeSample: fits that each leave no room for garbage, because of the
// sample that they share, are not divided: each part would make the sample again.
func TestPartsShareALargeSample(t *testing.T) {
	plan := planOf(t, `
name: large-sample
seed: 3
repeats: 1
datasets: [{id: sphere, use: sphere, d: 1000}]
kernels: [{id: rbf, use: gaussian, form: sigma-squared, sigma: 1}]
grid: {n: 20000, m: [10, 11, 12], ell: 2}
methods: [{id: nystrom, use: nystrom}]
measure: [rank]
`, "")
	g := plan.Groups[0]
	for allowed, want := range map[int64]int{g.Memory.Total(): 1, withGarbage(g.Memory.Total()): 1, g.Memory.Total() - 1: 2} {
		parts, refused := plan.parts(g, allowed)
		fits := len(refused)
		for _, part := range parts {
			fits += len(part.Fits)
		}
		if len(parts)+len(refused) != want || fits != 3 {
			t.Errorf("%d bytes for arrays of %d: %d parts and %d refused of 3 fits, want %d", allowed, g.Memory.Total(), len(parts), len(refused), want)
		}
	}
}
