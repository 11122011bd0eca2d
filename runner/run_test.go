package runner

import (
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/results"
	"mercer/runner/plan"
)

// TestWorkersChangeNothing compares runs bit for bit over worker counts and over
// GOMAXPROCS, which gonum's matrix product runs on.
func TestWorkersChangeNothing(t *testing.T) {
	plan := planOf(t, smallSpec, "")
	first, _ := runIn(t, t.TempDir(), plan, Options{Workers: 1})
	want := export(t, first)
	for _, c := range []struct{ workers, procs int }{{4, runtime.NumCPU()}, {3, 1}, {1, 4}} {
		procs := runtime.GOMAXPROCS(c.procs)
		run, _ := runIn(t, t.TempDir(), plan, Options{Workers: c.workers})
		runtime.GOMAXPROCS(procs)
		if diff := cmp.Diff(want, export(t, run)); diff != "" {
			t.Errorf("%d workers at GOMAXPROCS %d:\n%s", c.workers, c.procs, diff)
		}
	}
}

// TestOneCellAlone: a cell's values depend on no other method, grid value or
// repeat of the spec. What is shared may differ in its rounding, which 1e-9
// leaves room for.
func TestOneCellAlone(t *testing.T) {
	all, _ := runIn(t, t.TempDir(), planOf(t, smallSpec, ""), Options{Workers: 2})
	alone := strings.NewReplacer("n: [60, 120]", "n: [60]", "theta: [0.5, 1]", "theta: [1]", "repeats: 4", "repeats: 2",
		"  - {id: ekpca, use: ekpca, center: u}\n", "", "  - {id: rff, use: rff, features: mercer, m: \"n\"}\n", "").Replace(smallSpec)
	one, _ := runIn(t, t.TempDir(), planOf(t, alone, ""), Options{Workers: 1})
	if len(one.Rows) != 2 {
		t.Fatalf("%d records, want 2", len(one.Rows))
	}
	whole := map[string]results.Row{}
	for _, r := range all.Rows {
		whole[r.ID] = r
	}
	for _, r := range one.Rows {
		other, ok := whole[r.ID]
		if !ok {
			t.Fatalf("repeat %d has another key alone", r.Repeat)
		}
		for name, m := range r.Metrics.All() {
			if got := other.Metrics[name]; math.Abs(got-m) > 1e-9*math.Abs(m) {
				t.Errorf("%s: %v among others, %v alone", name, got, m)
			}
		}
	}
}

// TestSamplesArePaired: at equal n, ekpca and nystrom with all points as
// landmarks see the same sample and give the same error; other repeats differ.
func TestSamplesArePaired(t *testing.T) {
	text := strings.ReplaceAll(smallSpec, `"min(n, ceil(n^theta * log(n)))"`, `"n"`)
	run, _ := runIn(t, t.TempDir(), planOf(t, text, ""), Options{Workers: 2})
	type place struct{ n, ell, repeat int }
	exact := map[place]float64{}
	seen := map[float64]bool{}
	for _, r := range run.Rows {
		if r.Method() == "ekpca" {
			v := r.Metrics["recon_h"]
			exact[place{at(r, "n"), at(r, "ell"), r.Repeat}] = v
			if seen[v] {
				t.Errorf("recon_h %v comes twice: repeats or sizes share a sample", v)
			}
			seen[v] = true
		}
	}
	for _, r := range run.Rows {
		want := exact[place{at(r, "n"), at(r, "ell"), r.Repeat}]
		if got := r.Metrics["recon_h"]; r.Method() == "nystrom" && math.Abs(got-want) > 1e-9*want {
			t.Errorf("%s repeat %d: nystrom with m = n gives %v, ekpca %v", r.At, r.Repeat, got, want)
		}
	}
}

// TestResume cuts the records file at many places, as a kill would leave it, and
// runs again: nothing lost, nothing doubled, the same bytes, and only what was
// missing is run.
func TestResume(t *testing.T) {
	plan := planOf(t, smallSpec, "")
	dir := t.TempDir()
	whole, summary := runIn(t, dir, plan, Options{Workers: 2})
	want := export(t, whole)
	if summary.Written != len(plan.IDs()) || summary.Resumed != 0 {
		t.Fatalf("first run: %+v", summary)
	}
	text, err := os.ReadFile(filepath.Join(dir, results.RecordsFile))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 10 {
		cut := rng.IntN(len(text) + 1)
		if err := os.WriteFile(filepath.Join(dir, results.RecordsFile), text[:cut], 0o666); err != nil {
			t.Fatal(err)
		}
		kept := strings.Count(string(text[:cut]), "\n")
		run, summary := runIn(t, dir, plan, Options{Workers: 2})
		if diff := cmp.Diff(want, export(t, run)); diff != "" {
			t.Fatalf("cut at byte %d:\n%s", cut, diff)
		}
		if summary.Resumed < kept || summary.Resumed+summary.Written != len(plan.IDs()) {
			t.Errorf("cut at byte %d, %d whole lines: %+v", cut, kept, summary)
		}
	}
	if _, summary := runIn(t, dir, plan, Options{Fresh: true}); summary.Resumed != 0 {
		t.Errorf("fresh run went on from %d records", summary.Resumed)
	}
}

// TestTimedCells: cells that measure time have phases, fits of their
// own, and the same errors.
func TestTimedCells(t *testing.T) {
	timed := planWith(t, strings.Replace(smallSpec, "measure: [", "measure: [time, flops, ", 1), plan.Input{Filter: "n == 60", Timing: plan.Timing{Warmup: 1}})
	for _, g := range timed.Groups {
		for _, f := range g.Fits {
			if len(f.Cells) > 1 {
				t.Fatalf("timed fit with %d cells", len(f.Cells))
			}
		}
	}
	run, _ := runIn(t, t.TempDir(), timed, Options{Workers: 4})
	plain, _ := runIn(t, t.TempDir(), planOf(t, smallSpec, "n == 60"), Options{})
	for i, r := range run.Rows {
		total, _ := r.Metrics["time_total"]
		if _, picked := r.Metrics["time_landmarks"]; picked != (r.Method() == "nystrom") {
			t.Errorf("%s: time_landmarks recorded: %v", r.Method(), picked)
		}
		sum := r.Metrics["time_landmarks"] + r.Metrics["time_gram"] + r.Metrics["time_factor"] + r.Metrics["time_embed"] + r.Metrics["time_solve"]
		if total <= 0 || sum <= 0 || sum > total {
			t.Errorf("%s: phases add up to %v s of %v", r.Method(), sum, total)
		}
		if flops, _ := r.Metrics["flops"]; !(flops > 60*60) {
			t.Errorf("%s: %v flops", r.Method(), flops)
		}
		want := plain.Rows[i].Metrics["recon_l2"]
		if got := r.Metrics["recon_l2"]; math.Abs(got-want) > 1e-9*want {
			t.Errorf("%s: recon_l2 %v timed, %v untimed", r.Method(), got, want)
		}
	}
}

// TestSkippedCells: cells beyond a method's reach are records with the reason,
// and a method beyond all reach is refused.
func TestSkippedCells(t *testing.T) {
	text := strings.Replace(smallSpec, `m: "min(n, ceil(n^theta * log(n)))"`, "m: [20, 100]", 1)
	plan := planOf(t, text, "")
	if !slices.ContainsFunc(plan.Notes, func(note string) bool { return strings.Contains(note, "m = 100 landmarks out of n = 60 points") }) {
		t.Errorf("notes: %q", plan.Notes)
	}
	run, summary := runIn(t, t.TempDir(), plan, Options{})
	skipped := 0
	for _, r := range run.Rows {
		if r.Status == results.Skipped {
			skipped++
		}
	}
	if skipped != 2*4 || summary.Failed != 0 {
		t.Errorf("%d skipped, %d failed", skipped, summary.Failed)
	}
}

// TestProvenance: a run that is only looked at again keeps its dates; each start
// that runs something is listed.
func TestProvenance(t *testing.T) {
	plan := planOf(t, smallSpec, "")
	dir := t.TempDir()
	first, _ := runIn(t, dir, plan, Options{})
	again, _ := runIn(t, dir, plan, Options{})
	if diff := cmp.Diff(first.Manifest, again.Manifest); diff != "" {
		t.Errorf("a start with nothing to do changes the manifest:\n%s", diff)
	}
	text, err := os.ReadFile(filepath.Join(dir, results.RecordsFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, results.RecordsFile), text[:len(text)/2], 0o666); err != nil {
		t.Fatal(err)
	}
	if third, _ := runIn(t, dir, plan, Options{}); third.Manifest.Started != first.Manifest.Started || third.Missing() > 0 {
		t.Errorf("started at %s, then %s; %d rows are missing", first.Manifest.Started, third.Manifest.Started, third.Missing())
	}
}

// TestOtherBLAS: records of another BLAS are made again, not mixed in.
func TestOtherBLAS(t *testing.T) {
	plan := planOf(t, smallSpec, "n == 60")
	dir := t.TempDir()
	run, _ := runIn(t, dir, plan, Options{})
	store, err := results.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	foreign := run.Rows[0]
	foreign.BLAS = "another"
	if err := errors.Join(store.Append(foreign), store.Close()); err != nil {
		t.Fatal(err)
	}
	if _, summary := runIn(t, dir, plan, Options{}); summary.Written != 1 {
		t.Errorf("%d records made again, want 1", summary.Written)
	}
}
