package runner

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/results"
	"mercer/runner/plan"
)

// TestShards: shards that are run by themselves, in workers too, give together the rows of
// the whole run, bit for bit, and its points.
func TestShards(t *testing.T) {
	const shards = 5
	spec := smallSpec + "plots: [{id: points, kind: scatter, where: {n: 120, theta: 1}}]\n"
	whole := planOf(t, spec, "")
	dir := t.TempDir()
	want, _ := runIn(t, dir, whole, Options{Workers: 2})
	got, points := map[string]results.Row{}, map[string]string{}
	for i := range shards {
		p := planWith(t, spec, plan.Input{Shard: plan.Shard{I: i + 1, N: shards}})
		o := Options{Workers: 1}
		if i%2 == 0 {
			o = isolating(t)
		}
		part := t.TempDir()
		run, _ := runIn(t, part, p, o)
		for _, r := range run.Rows {
			if _, twice := got[r.ID]; twice {
				t.Errorf("%s is in two shards", r.At)
			}
			got[r.ID] = r
		}
		for id, text := range pointsIn(t, part) {
			points[id] = text
		}
	}
	if diff := cmp.Diff(pointsIn(t, dir), points); diff != "" || len(points) == 0 {
		t.Errorf("points:\n%s", diff)
	}
	if len(got) != len(want.Rows) {
		t.Errorf("%d rows in the shards, %d in the whole run", len(got), len(want.Rows))
	}
	for _, r := range want.Rows {
		if metricsOf(t, r) != metricsOf(t, got[r.ID]) || got[r.ID].At != r.At || got[r.ID].Status != r.Status {
			t.Errorf("%s: another row in its shard", r.At)
		}
	}
}
