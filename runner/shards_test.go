package runner

import (
	"context"
	"io"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/results"
	"mercer/runner/plan"
	"mercer/runner/plan/plantest"
)

// TestShardPlan: the plan of a shard is that part of the whole one in all that
// matters to its records: keys, points, sizes of groups; run by themselves, in
// workers too, shards give the records of the whole, bit for bit.
func TestShardPlan(t *testing.T) {
	spec := plantest.Small + "plots: [{id: points, kind: scatter, where: {n: 120, theta: 1}}]\n"
	whole := preparedFrom(t, spec, "", nil)
	keys, points := whole.Keys(), pointsOf(whole)
	want, _ := runIn(t, t.TempDir(), whole, Options{Workers: 2})
	frozen := whole.Freeze(whole.Origin.Input, 5)
	got := map[string]results.Record{}
	shown := 0
	for i, s := range frozen.Shards {
		p, err := frozen.Plan(context.Background(), io.Discard, i)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(keys[s.From:s.To], p.Keys()); diff != "" {
			t.Fatalf("shard %d has other keys:\n%s", i, diff)
		}
		for key := range pointsOf(p) {
			if shown++; !points[key] {
				t.Errorf("shard %d keeps the points of %s", i, key)
			}
		}
		for j, g := range p.Groups {
			same := whole.Groups[j]
			if g.MaxN != same.MaxN || g.MaxEll != same.MaxEll || g.MaxGramN != same.MaxGramN || g.Memory != same.Memory || len(g.Fits) != len(same.Fits) {
				t.Errorf("shard %d: group %+v, in the whole plan %+v", i, g, same)
			}
		}
		o := Options{Workers: 1}
		if i%2 == 0 {
			o = isolating(t)
		}
		run, _ := runIn(t, t.TempDir(), p, o)
		for _, r := range run.Records {
			got[r.Key] = r
		}
	}
	if shown != len(points) || shown == 0 {
		t.Errorf("%d cells keep their points, %d in the whole plan", shown, len(points))
	}
	for _, r := range want.Records {
		of := got[r.Key]
		if diff := cmp.Diff(maps.Collect(r.Metrics.All()), maps.Collect(of.Metrics.All())); diff != "" || of.Status != r.Status {
			t.Errorf("%s: %s in its shard, %s in the whole run:\n%s", r.Key, of.Status, r.Status, diff)
		}
	}
	frozen.Input.Spec += "# \n"
	if _, err := frozen.Plan(context.Background(), io.Discard, 1); err != nil {
		t.Errorf("a remark in the spec: %v", err)
	}
	frozen.Input.Filter = "repeat > 0"
	if _, err := frozen.Plan(context.Background(), io.Discard, 1); err == nil || !strings.Contains(err.Error(), "not the plan that was frozen (shard 1 has digest ") {
		t.Errorf("the shard of another plan: %v", err)
	}
}

// pointsOf are the keys of the cells whose points are kept.
func pointsOf(p *plan.Plan) map[string]bool {
	keys := map[string]bool{}
	for _, g := range p.Groups {
		for _, f := range g.Fits {
			for _, c := range f.Cells {
				if g.Shows(c) {
					keys[g.Key(c)] = true
				}
			}
		}
	}
	return keys
}
