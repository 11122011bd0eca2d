package runner

import (
	"math"
	"strings"
	"testing"

	"mercer/results"
	"mercer/runner/plan/plantest"
)

// TestStreamedCells: a method that reads its sample in blocks has the same
// records, but that the random stream of a method is its own: with k-means in the
// plane of two rings costs agree to 5 %, an order above what starts differ by.
// The sample itself is held for the others only.
func TestStreamedCells(t *testing.T) {
	plan := planOf(t, plantest.Streamed, "")
	for _, g := range plan.Groups {
		if g.MaxN != 900 || g.MaxRows != 900 {
			t.Errorf("samples of %d in memory and %d in blocks", g.MaxN, g.MaxRows)
		}
	}
	run, summary := runIn(t, t.TempDir(), plan, Options{Workers: 2})
	if summary.Failed != 0 || len(run.Records) != 8 {
		t.Fatalf("%d records, %d failed", len(run.Records), summary.Failed)
	}
	of := map[string]results.Metrics{}
	for _, r := range run.Records {
		of[r.Method+string(rune('0'+r.Repeat))+string(rune('0'+r.N/400))] = r.Metrics
	}
	for key, got := range of {
		rest, streamed := strings.CutPrefix(key, "stream")
		if !streamed {
			continue
		}
		want := of["memory"+rest]
		if got.Len() != want.Len() {
			t.Errorf("%v, in memory %v", got, want)
		}
		if v := got.Value("nmi_arithmetic"); v > 0.99 {
			t.Errorf("%s: clusters are the classes: nothing is tested", key)
		}
		for _, metric := range []string{"cluster_cost_train", "cluster_cost_test"} {
			if a, b := got.Value(metric), want.Value(metric); math.Abs(a-b) > 0.05*b {
				t.Errorf("%s %s: %v, in memory %v", key, metric, a, b)
			}
		}
	}
	alone := planOf(t, strings.Replace(plantest.Streamed, "  - {id: memory, use: nystrom-embedding, kmeans: {}}\n", "", 1), "")
	if g := alone.Groups[0]; g.MaxN != 0 || g.MaxRows != 900 {
		t.Errorf("samples of %d in memory and %d in blocks", g.MaxN, g.MaxRows)
	}
	again, _ := runIn(t, t.TempDir(), alone, Options{Workers: 1})
	for _, r := range again.Records {
		if before := of["stream"+string(rune('0'+r.Repeat))+string(rune('0'+r.N/400))]; before.Value("nmi_arithmetic") != r.Metrics.Value("nmi_arithmetic") {
			t.Errorf("without the other method: %v, want %v", r.Metrics, before)
		}
	}
}

// TestStreamedTime: the phases, that of reading among them.
func TestStreamedTime(t *testing.T) {
	text := strings.Replace(plantest.Streamed, "measure: [", "measure: [time, ", 1)
	run, _ := runIn(t, t.TempDir(), planOf(t, text, `n == 400 && repeat == 0 && method == "stream"`), Options{})
	for _, phase := range strings.Fields("read embed landmarks gram factor lloyd total") {
		if !(run.Records[0].Phases[phase] > 0) {
			t.Errorf("phase %s in %v", phase, run.Records[0].Phases)
		}
	}
}
