package runner

import (
	"context"
	"io"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRecipe: a recipe makes the same plan every time, another one for another
// seed.
func TestRecipe(t *testing.T) {
	recipe := Recipe{File: "small.yaml", Spec: smallSpec, Dir: "testdata", Profile: "ci", Filter: "repeat < 2"}
	plan := func(r Recipe) *Plan {
		t.Helper()
		p, err := r.Prepare(context.Background(), io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	first, again := plan(recipe), plan(recipe)
	if first.Records() != 24 || first.Digest() != again.Digest() {
		t.Errorf("%d records (want 2·2·2·3), digests %s and %s", first.Records(), first.Digest(), again.Digest())
	}
	recipe.Filter = "repeat == 0"
	if fewer := plan(recipe); fewer.Digest() == first.Digest() {
		t.Error("plans of other records have one digest")
	}
}

// TestKeep: two halves of a plan run by themselves give the records of the whole
// run, bit for bit.
func TestKeep(t *testing.T) {
	whole, _ := runIn(t, t.TempDir(), planOf(t, smallSpec, ""), Options{Workers: 2})
	want := map[string]string{}
	for _, r := range whole.Records {
		want[r.Key] = cmp.Diff(nil, r.Metrics)
	}
	got := map[string]string{}
	for half := range 2 {
		plan := planOf(t, smallSpec, "")
		count := 0
		plan.Keep(func(string) bool { count++; return count%2 == half })
		run, _ := runIn(t, t.TempDir(), plan, Options{Workers: 1})
		for _, r := range run.Records {
			got[r.Key] = cmp.Diff(nil, r.Metrics)
		}
	}
	if !maps.Equal(want, got) {
		t.Errorf("%d records in the whole, %d in its halves:\n%s", len(want), len(got), cmp.Diff(want, got))
	}
}
