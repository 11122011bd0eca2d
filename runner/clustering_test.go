package runner

import (
	"strings"
	"testing"

	"mercer/results"
)

// TestClusteringCells: the block kmeans decides shape and sizes; cells that
// differ in what a method does not use are one fit; a shared Gram matrix serves
// subsamples of all points; measures are left out where they are not defined.
func TestClusteringCells(t *testing.T) {
	plan := planOf(t, clusteringSpec, "")
	fits := map[string]int{}
	for _, g := range plan.Groups {
		for _, f := range g.Fits {
			fits[f.Method.ID]++
		}
		if g.MaxGramN != 200 {
			t.Errorf("Gram matrix of %d points", g.MaxGramN)
		}
	}
	for method, want := range map[string]int{"plain": 2, "exact": 2, "whole": 4, "kjl": 8, "map": 8} {
		if fits[method] != want {
			t.Errorf("%s: %d fits, want %d", method, fits[method], want)
		}
	}
	run, summary := runIn(t, t.TempDir(), plan, Options{Workers: 2})
	if summary.Failed != 0 || len(run.Rows) != 2*(2+2+4+8+8) {
		t.Fatalf("%d records, %d failed", len(run.Rows), summary.Failed)
	}
	want := map[string][]string{
		"plain": {"adjusted_rand", "adjusted_rand_test", "cluster_cost_embedding_test", "partition_cost", "silhouette", "lloyd_iterations"},
		"exact": {"adjusted_rand", "cluster_cost_train", "cluster_cost_test", "partition_cost_test", "separation"},
		"whole": {"cluster_cost_embedding_train", "partition_cost"},
		"kjl":   {"cluster_cost_embedding_train", "partition_cost"},
		"map":   {"silhouette", "separation"},
	}
	for _, r := range run.Rows {
		if r.Status != results.OK || r.Method() != "map" && at(r, "k") != 2 {
			t.Errorf("%s: status %s (%s)", r.At, r.Status, r.Reason)
		}
		for _, metric := range want[r.Method()] {
			if _, ok := r.Metrics[metric]; !ok {
				t.Errorf("%s: no %s", r.Method(), metric)
			}
		}
		if r.Method() == "map" && len(r.Metrics) != 2 {
			t.Errorf("an embedding has %v", r.Metrics)
		}
	}
}

// TestTimedClusterings: the phases of each kind of method, and no others.
func TestTimedClusterings(t *testing.T) {
	text := strings.Replace(clusteringSpec, "measure: [", "measure: [time, ", 1)
	run, _ := runIn(t, t.TempDir(), planOf(t, text, "n == 120 && repeat == 0"), Options{})
	phases := map[string]string{
		"plain": "lloyd", "exact": "gram lloyd", "whole": "embed factor gram lloyd", "kjl": "embed gram landmarks lloyd sketch", "map": "factor gram landmarks",
	}
	if len(run.Rows) != 1+1+2+4+4 {
		t.Fatalf("%d rows", len(run.Rows))
	}
	for _, r := range run.Rows {
		sum := 0.0
		for _, phase := range strings.Fields(phases[r.Method()]) {
			seconds, ok := r.Metrics[results.TimePrefix+phase]
			if !ok {
				t.Errorf("%s: no phase %s", r.Method(), phase)
			}
			sum += seconds
		}
		count := 0
		for name := range r.Metrics.All() {
			if strings.HasPrefix(name, results.TimePrefix) {
				count++
			}
		}
		if count != len(strings.Fields(phases[r.Method()]))+1 || sum > r.Metrics["time_total"] {
			t.Errorf("%s: %d phases, %g s together", r.Method(), count, sum)
		}
	}
}

// TestStreamedTime: the phases. The time of embedding has that of reading within.
func TestStreamedTime(t *testing.T) {
	text := strings.Replace(streamedSpec, "measure: [", "measure: [time, ", 1)
	run, _ := runIn(t, t.TempDir(), planOf(t, text, `n == 400 && repeat == 0 && method == "stream"`), Options{})
	for _, phase := range strings.Fields("embed landmarks gram factor lloyd total") {
		if !(run.Rows[0].Metrics[results.TimePrefix+phase] > 0) {
			t.Errorf("no phase %s", phase)
		}
	}
}
