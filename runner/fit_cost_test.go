package runner

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"mercer/methods"
	"mercer/results"
)

// TestFlopsAreThoseOfTheCell: a fit shared by several ℓ gives each record the
// flops of its own.
func TestFlopsAreThoseOfTheCell(t *testing.T) {
	p := planOf(t, strings.Replace(smallSpec, "measure: [", "measure: [flops, ", 1), "n == 120")
	if p.Timed {
		t.Fatal("flops are estimated, and need no timed lane")
	}
	run, _ := runIn(t, t.TempDir(), p, Options{})
	seen := map[string]map[float64]bool{}
	for _, r := range run.Rows {
		want := p.Methods[r.Method()].Estimator.Cost(nil, methods.Sizes{N: at(r, "n"), M: at(r, "m"), D: at(r, "d"), Ell: at(r, "ell"), K: at(r, "k")}, 1).Flops
		if got := r.Metrics["flops"]; got != want {
			t.Errorf("%s at ell = %d: %v flops, want %v", r.Method(), at(r, "ell"), got, want)
		}
		if seen[r.Method()] == nil {
			seen[r.Method()] = map[float64]bool{}
		}
		seen[r.Method()][r.Metrics["flops"]] = true
	}
	several := 0
	for _, values := range seen {
		several += len(values) - 1
	}
	if several == 0 {
		t.Error("no method's flops depend on ℓ here: nothing was tested")
	}
}

const entriesSpec = `
name: entries
seed: 3
repeats: 1
datasets: [{id: sphere, use: sphere, d: 3}]
kernels: [{id: rbf, use: gaussian, sigma: 1, form: two-sigma-squared}]
grid: {n: [50, 80], m: 5, ell: 2}
methods:
  - {id: ekpca, use: ekpca, center: u}
  - {id: nystrom, use: nystrom}
  - {id: pivoted, use: nystrom, landmarks: rpcholesky, m: 1, ell: 1}
  - {id: rff, use: rff, features: fourier}
  - {id: oja, use: rf-oja, features: fourier, schedule: adaoja, center: none}
measure: [MEASURES]
`

// TestKernelEntriesOfRecords: entries and passes are those that the methods read, in closed form,
// with and without a Gram matrix that is shared and a pass that streams, and other
// measures stay as they are.
func TestKernelEntriesOfRecords(t *testing.T) {
	want := func(r results.Row) (all, landmarks float64, picks bool) {
		n, m := float64(at(r, "n")), float64(at(r, "m"))
		switch r.Method() {
		case "ekpca":
			return n * n, 0, false
		case "nystrom":
			return n*m + m*m, 0, true
		case "pivoted":
			return 3*n + 2, 2*n + 1, true
		}
		return 0, 0, false
	}
	alone, _ := runIn(t, t.TempDir(), planOf(t, strings.Replace(entriesSpec, "MEASURES", "eigenvalues", 1), ""), Options{})
	values := map[string]float64{}
	name := func(r results.Row) string { return fmt.Sprintf("%s %d", r.Method(), at(r, "n")) }
	for _, r := range alone.Rows {
		values[name(r)] = r.Metrics["eigenvalue_1"]
	}
	for _, measures := range []string{"kernel_entries, eigenvalues", "kernel_entries, eigenvalues, time"} {
		run, _ := runIn(t, t.TempDir(), planOf(t, strings.Replace(entriesSpec, "MEASURES", measures, 1), ""), Options{})
		if len(run.Rows) != 10 {
			t.Errorf("%d records, want 10", len(run.Rows))
		}
		for _, r := range run.Rows {
			all, landmarks, picks := want(r)
			if got := r.Metrics["kernel_entries"]; got != all {
				t.Errorf("%s: %s: %v entries, want %v", measures, name(r), got, all)
			}
			if got, ok := r.Metrics["kernel_entries_landmarks"]; ok != picks || got != landmarks {
				t.Errorf("%s: %s: %v entries for landmarks (%v), want %v", measures, name(r), got, ok, landmarks)
			}
			// Landmarks are read as rows of K_mm too; a proposal of a pivot is a row of its own.
			passes := map[string]float64{"nystrom": 1 + 5/float64(at(r, "n")), "pivoted": 3 + 2/float64(at(r, "n"))}[r.Method()]
			if got := r.Metrics["kernel_passes"]; got != max(1, passes) {
				t.Errorf("%s: %s: %v passes, want %v", measures, name(r), got, max(1, passes))
			}
			if got := r.Metrics["eigenvalue_1"]; got != values[name(r)] || got == 0 {
				t.Errorf("%s: %s: eigenvalue %v, and %v where nothing is counted", measures, name(r), got, values[name(r)])
			}
		}
	}
}

const heldOutSpec = `
name: held-out
seed: 5
repeats: 3
datasets:
  - {id: table, use: csv, path: points.csv, header: true, population: POPULATION}
kernels:
  - {id: rbf, use: gaussian, sigma: 1, form: two-sigma-squared}
  - {id: wide, use: gaussian, sigma: 3, form: two-sigma-squared}
grid: {n: [10, 20], ell: [2, 3], m: [10]}
methods:
  - {id: ekpca, use: ekpca, center: none}
  - {id: rff, use: rff, features: fourier, center: none}
measure: [skp_objective, skp_excess, skp_gram_distance]
`

// TestHeldOutKernelIsShared: results are the same bits at any number of workers
// and in any order, though groups share what the first to ask computes; a
// projection falls short of the optimum.
func TestHeldOutKernelIsShared(t *testing.T) {
	for _, population := range []string{"self", "{held_out: 8}"} {
		text := strings.Replace(heldOutSpec, "POPULATION", population, 1)
		p := planOf(t, text, "")
		first, _ := runIn(t, t.TempDir(), p, Options{Workers: 1})
		dir := t.TempDir()
		runIn(t, dir, planOf(t, text, "ell == 3 && n == 20"), Options{Workers: 1})
		second, summary := runIn(t, dir, p, Options{Workers: 4})
		if summary.Resumed != 12 {
			t.Errorf("%s: %d records resumed", population, summary.Resumed)
		}
		if diff := cmp.Diff(export(t, first), export(t, second)); diff != "" {
			t.Errorf("%s:\n%s", population, diff)
		}
		optima := map[float64]bool{}
		for _, r := range first.Rows {
			if r.Status != results.OK {
				t.Fatalf("%s: %s", r.Status, r.Reason)
			}
			optimum, objective, excess := r.Metrics["skp_optimum"], r.Metrics["skp_objective"], r.Metrics["skp_excess"]
			if math.Abs(optimum-objective-excess) > 1e-15 || r.Method() == "ekpca" && !(excess > 0) {
				t.Errorf("%s: optimum %v, objective %v, excess %v", r.Method(), optimum, objective, excess)
			}
			if _, ok := r.Metrics["skp_gram_distance"]; ok != (r.Method() == "rff") {
				t.Errorf("%s: skp_gram_distance %v", r.Method(), ok)
			}
			optima[optimum] = true
		}
		// Two kernels, two ℓ; held-out points differ from repeat to repeat.
		if want := map[string]int{"self": 4, "{held_out: 8}": 12}[population]; len(optima) != want {
			t.Errorf("%s: %d optima, want %d", population, len(optima), want)
		}
	}
}

// TestPause: what a fit does while the clock is paused is no part of its time, and
// phases and totals are of the last fit alone. Time is that of a bubble.
func TestPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, took, err := measureCost(methods.Sample{}, 2, func(p methods.Sample) (methods.Model, error) {
			resume := p.Clock.Pause()
			time.Sleep(time.Hour)
			resume()
			stop := p.Clock.Phase("exec")
			time.Sleep(2 * time.Second)
			stop()
			defer p.Clock.Pause()()
			time.Sleep(time.Minute)
			return nil, nil
		})
		if err != nil || took.phases["total"] != 2 || took.phases["exec"] != 2 {
			t.Errorf("phases %v, want 2 s, error %v", took.phases, err)
		}
	})
}

// TestTransform: embeddings alone have the time of mapping the sample, in fits that are timed, and
// nobody the times of a fit that were not asked for. More points take longer: 40 times as many, by
// at least half in the least of three repeats.
func TestTransform(t *testing.T) {
	p := planOf(t, `
name: transform
seed: 3
repeats: 3
datasets: [{id: sphere, use: sphere, d: 5}]
kernels: [{id: rbf, use: gaussian, sigma: 1, form: two-sigma-squared}]
grid: {n: [100, 4000]}
methods:
  - {id: map, use: nystrom-embedding, m: 50}
  - {id: features, use: rff-embedding, features: fourier, m: 50}
  - {id: clusters, use: nystrom-embedding, m: 50, k: 3, kmeans: {}}
measure: [transform, clusters]
`, "")
	if !p.Timed {
		t.Fatal("fits are not timed")
	}
	run, _ := runIn(t, t.TempDir(), p, Options{})
	least := map[string]float64{}
	for _, r := range run.Rows {
		seconds, there := r.Metrics["time_transform"]
		if there != (r.Method() != "clusters") || r.Metrics["time_total"] != 0 || there && !(seconds > 0) {
			t.Errorf("%s: metrics %v %s", r.At, r.Metrics, r.Reason)
		}
		name := fmt.Sprint(r.Method(), " ", at(r, "n"))
		if known, seen := least[name]; !seen || seconds < known {
			least[name] = seconds
		}
	}
	for _, method := range []string{"map", "features"} {
		if few, many := least[method+" 100"], least[method+" 4000"]; !(many > 1.5*few) {
			t.Errorf("%s: %g s of 100 points, %g s of 4000", method, few, many)
		}
	}
}
