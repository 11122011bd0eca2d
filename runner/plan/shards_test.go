package plan

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/runner/plan/plantest"
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
	for name, text := range map[string]string{"small": plantest.Small, "streaming": streaming} {
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
	plan := planOf(t, plantest.Small, "")
	shards := plan.Shards(len(plan.Groups))
	if len(shards) != len(plan.Groups) {
		t.Fatalf("%d shards of %d equal groups", len(shards), len(plan.Groups))
	}
	for i, s := range shards {
		plan := preparedFrom(t, plantest.Small, "", &s)
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
