package claims

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/configs"
)

// TestKinds holds that every kind of claim that a spec may have can be judged, and
// that nothing else is.
func TestKinds(t *testing.T) {
	if diff := cmp.Diff(slices.Sorted(slices.Values(configs.ClaimKinds())), slices.Sorted(maps.Keys(kinds))); diff != "" {
		t.Errorf("kinds in configs (-) and those that are judged (+) differ:\n%s", diff)
	}
}
