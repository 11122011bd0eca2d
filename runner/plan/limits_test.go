package plan

import (
	"strings"
	"testing"
)

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
	allowed := WithGarbage(largest)
	parts, refused := plan.Parts(g, allowed)
	if len(parts) != 2 || len(refused) > 0 {
		t.Fatalf("%d parts, %d refused", len(parts), len(refused))
	}
	var fits []string
	for _, part := range parts {
		if WithGarbage(part.Memory.Total()) > allowed {
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
	parts, refused = plan.Parts(g, largest)
	if len(parts) < 2 || len(refused) > 0 || len(parts[0].Fits) != 1 || parts[0].Memory.Total() != largest {
		t.Errorf("%d parts, the first of %d fits, and %d refused with room for the arrays of the largest", len(parts), len(parts[0].Fits), len(refused))
	}
	if _, refused := plan.Parts(g, largest-1); len(refused) != 1 || refused[0].Fit.Method != "exact" {
		t.Errorf("%d refused with a byte too little for the largest", len(refused))
	}
	if parts, refused := plan.Parts(g, maxBytes); len(parts) != 1 || parts[0] != g || len(refused) > 0 {
		t.Errorf("a group that fits is divided")
	}
	if parts, refused := plan.Parts(g, 1); len(parts) != 0 || len(refused) != 3 {
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
	for allowed, want := range map[int64]int{g.Memory.Total(): 1, WithGarbage(g.Memory.Total()): 1, g.Memory.Total() - 1: 2} {
		parts, refused := plan.Parts(g, allowed)
		fits := len(refused)
		for _, part := range parts {
			fits += len(part.Fits)
		}
		if len(parts)+len(refused) != want || fits != 3 {
			t.Errorf("%d bytes for arrays of %d: %d parts and %d refused of 3 fits, want %d", allowed, g.Memory.Total(), len(parts), len(refused), want)
		}
	}
}

// TestSketchesOfFiniteRank: the measures of a sketch need no kernel matrix where the
// population's functions carry the whole kernel; one eigenvalue that they leave out
// makes them need it.
func TestSketchesOfFiniteRank(t *testing.T) {
	memory := func(eigenvalues string) int64 {
		return planOf(t, `
name: sketches
seed: 1
repeats: 1
datasets: [{id: two, use: series, eigenvalues: `+eigenvalues+`}]
grid: {n: 100000, d: 32}
methods: [{id: kjl, use: kjl, subsample: all}]
measure: [kjl_operator, kjl_sample]
`, "").Groups[0].Memory.Total()
	}
	if got := memory("[1, 0.1]"); got > 1<<30 {
		t.Errorf("%d bytes", got)
	}
	if got := memory("[1, 1e-9]"); got < 1e5*1e5*8 {
		t.Errorf("%d bytes, less than the kernel matrix", got)
	}
}
