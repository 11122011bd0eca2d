package runner

import (
	"context"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/results"
)

// TestShards: the parts of a plan follow one another, hold each record once, and
// take equal times but for half a share and the longest fit.
func TestShards(t *testing.T) {
	streaming := `
name: streams
seed: 3
repeats: 3
datasets:
  - {id: poly2, use: series, decay: {power: 2}}
grid: {n: [60, 120, 240], ell: [2], m: [30]}
methods:
  - {id: oja, use: rf-oja, features: mercer, schedule: adaoja}
  - {id: nystrom, use: nystrom}
measure: [recon_h]
`
	for name, text := range map[string]string{"small": smallSpec, "streaming": streaming} {
		plan := planOf(t, text, "")
		keys := plan.Keys()
		if len(keys) != plan.Records() || len(slices.Compact(slices.Sorted(slices.Values(keys)))) != len(keys) {
			t.Fatalf("%s: %d keys of %d records", name, len(keys), plan.Records())
		}
		for count := 1; count <= 40; count++ {
			shards := plan.Shards(count)
			if diff := cmp.Diff(shards, plan.Shards(count)); diff != "" {
				t.Fatalf("%s: cut differently the second time:\n%s", name, diff)
			}
			at, seconds, longest := 0, 0.0, 0.0
			for _, s := range shards {
				if s.From != at || s.To <= s.From {
					t.Fatalf("%s: %d shards: %+v does not follow record %d", name, count, s, at)
				}
				at, seconds, longest = s.To, seconds+s.Seconds, math.Max(longest, s.Longest)
			}
			if at != len(keys) || len(shards) > count || math.Abs(seconds/plan.Seconds()-1) > 1e-12 {
				t.Fatalf("%s: %d shards: %d records of %d, %v of %v seconds", name, len(shards), at, len(keys), seconds, plan.Seconds())
			}
			share := seconds / float64(count)
			for _, s := range shards {
				if s.Seconds > 1.5*share+longest+1e-12 {
					t.Errorf("%s: %d shards: %+v takes more than %v and half of it and %v", name, count, s, share, longest)
				}
			}
		}
	}
}

// TestShardsHoldGroups: as many parts as groups are the groups, and a pass is
// never cut.
func TestShardsHoldGroups(t *testing.T) {
	plan := planOf(t, smallSpec, "")
	shards := plan.Shards(len(plan.Groups))
	if len(shards) != len(plan.Groups) {
		t.Fatalf("%d shards of %d equal groups", len(shards), len(plan.Groups))
	}
	for i, s := range shards {
		plan := preparedFrom(t, smallSpec, "", &s)
		groups := map[int]bool{}
		for at, g := range plan.Groups {
			for _, f := range g.Fits {
				if len(f.Cells) > 0 {
					groups[at] = true
				}
			}
		}
		if got := slices.Collect(maps.Keys(groups)); len(got) != 1 || got[0] != i || plan.Records() != s.To-s.From {
			t.Errorf("shard %d holds groups %v, %d records of %+v", i, got, plan.Records(), s)
		}
	}
}

// TestShardPlan: the plan of a shard is that part of the whole one in all that
// matters to its records: keys, points, sizes of groups; run by themselves, in
// workers too, shards give the records of the whole, bit for bit.
func TestShardPlan(t *testing.T) {
	spec := smallSpec + "plots: [{id: points, kind: scatter, where: {n: 120, theta: 1}}]\n"
	whole := preparedFrom(t, spec, "", nil)
	keys, points := whole.Keys(), pointsOf(whole)
	want, _ := runIn(t, t.TempDir(), whole, Options{Workers: 2})
	frozen := whole.Freeze(*whole.Recipe, 5)
	got := map[string]results.Record{}
	shown := 0
	for i, s := range frozen.Shards {
		plan, err := frozen.Plan(context.Background(), io.Discard, i)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(keys[s.From:s.To], plan.Keys()); diff != "" {
			t.Fatalf("shard %d has other keys:\n%s", i, diff)
		}
		for key := range pointsOf(plan) {
			if shown++; !points[key] {
				t.Errorf("shard %d keeps the points of %s", i, key)
			}
		}
		for j, g := range plan.Groups {
			same := whole.Groups[j]
			if g.MaxN != same.MaxN || g.MaxEll != same.MaxEll || g.MaxGramN != same.MaxGramN || g.Memory != same.Memory || len(g.Fits) != len(same.Fits) {
				t.Errorf("shard %d: group %+v, in the whole plan %+v", i, g, same)
			}
		}
		o := Options{Workers: 1}
		if i%2 == 0 {
			o = isolating(t)
		}
		run, _ := runIn(t, t.TempDir(), plan, o)
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
	frozen.Recipe.Spec += "# \n"
	if _, err := frozen.Plan(context.Background(), io.Discard, 1); err != nil {
		t.Errorf("a remark in the spec: %v", err)
	}
	frozen.Recipe.Filter = "repeat > 0"
	if _, err := frozen.Plan(context.Background(), io.Discard, 1); err == nil || !strings.Contains(err.Error(), "not the plan that was frozen (shard 1 has digest ") {
		t.Errorf("the shard of another plan: %v", err)
	}
}

// pointsOf are the keys of the cells whose points are kept.
func pointsOf(p *Plan) map[string]bool {
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
