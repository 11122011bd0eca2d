package runner

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/runner/plan/plantest"
)

// TestNotes: notes stand in the manifest, and a run that is finished stays so
// when they change.
func TestNotes(t *testing.T) {
	dir := t.TempDir()
	first, _ := runIn(t, dir, planOf(t, plantest.Profile, ""), Options{})
	text := strings.Replace(plantest.Profile, "seed: 5", "notes: [one, another]\nseed: 5", 1)
	again, summary := runIn(t, dir, planOf(t, text, ""), Options{})
	if summary.Written != 0 || again.Missing() != 0 {
		t.Errorf("%d records written and %d missing after notes alone have changed", summary.Written, again.Missing())
	}
	if diff := cmp.Diff(first.Records, again.Records); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"one", "another"}, again.Manifest.Notes); diff != "" {
		t.Error(diff)
	}
}
