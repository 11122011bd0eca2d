package plan

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/runner/plan/plantest"
)

// TestFrozenFields: a frozen plan is a file between two versions of the program, so
// its fields keep their names.
func TestFrozenFields(t *testing.T) {
	p := preparedFrom(t, plantest.Small, "", nil)
	text, err := json.Marshal(p.Freeze(p.Origin.Input, 2))
	if err != nil {
		t.Fatal(err)
	}
	var file map[string]any
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	keys := func(v any) []string {
		object, _ := v.(map[string]any) // no keys where it is none
		return slices.Sorted(maps.Keys(object))
	}
	input, _ := file["recipe"].(map[string]any)
	shards, _ := file["shards"].([]any)
	for _, test := range []struct {
		name  string
		value any
		want  []string
	}{
		{"file", file, []string{"cell_timeout_ns", "command", "data", "digest", "memory_bytes", "program", "recipe", "records", "schema", "shards", "workers"}},
		{"recipe", input, []string{"dir", "file", "profile", "spec", "timing"}},
		{"timing", input["timing"], []string{"Threads", "Warmup"}},
		{"shard", shards[0], []string{"bytes", "digest", "from", "longest", "seconds", "to"}},
		{"program", file["program"], []string{"file", "sha256", "version"}},
	} {
		if diff := cmp.Diff(test.want, keys(test.value)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
