package claims

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/configs"
)

// TestKinds holds that every kind of claim that a spec may have can be judged, that
// nothing else is, and that the report has a noun for what it estimates.
func TestKinds(t *testing.T) {
	if diff := cmp.Diff(slices.Sorted(slices.Values(configs.ClaimKinds())), slices.Sorted(maps.Keys(kinds))); diff != "" {
		t.Errorf("kinds in configs (-) and those that are judged (+) differ:\n%s", diff)
	}
	for name, kind := range kinds {
		if kind.noun == "" {
			t.Errorf("the kind %q has no noun", name)
		}
	}
}
