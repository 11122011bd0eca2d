package results

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// A look is counted by its number of repeats, in the order of reading; and none is while
// a run goes on.
func TestLooks(t *testing.T) {
	dir := t.TempDir()
	m := manifest("a")
	read := func(repeats int, finished string) (look int, looks []int) {
		t.Helper()
		m.Repeats, m.Finished, m.IDs = 99, finished, nil // of which a filter left some out
		run := Run{Dir: dir, Manifest: m}
		for i := range 2 * repeats {
			run.Rows = append(run.Rows, Row{Repeat: i / 2})
		}
		if err := WriteManifest(dir, m); err != nil {
			t.Fatal(err)
		}
		look = run.Look()
		if err := RecordLook(run); err != nil {
			t.Fatal(err)
		}
		var err error
		if m, err = ReadManifest(dir); err != nil {
			t.Fatal(err)
		}
		return look, m.Looks
	}
	for _, tt := range []struct {
		repeats  int
		finished string
		look     int
		looks    []int
	}{{4, "", 0, nil}, {4, "now", 0, []int{4}}, {4, "now", 0, []int{4}}, {12, "", 1, []int{4}}, {12, "now", 1, []int{4, 12}}, {8, "now", 2, []int{4, 12, 8}}, {4, "now", 0, []int{4, 12, 8}}} {
		if look, looks := read(tt.repeats, tt.finished); look != tt.look || !reflect.DeepEqual(looks, tt.looks) {
			t.Errorf("%d repeats, finished %q: look %d of %v, want %d of %v", tt.repeats, tt.finished, look, looks, tt.look, tt.looks)
		}
	}
	before, _ := os.ReadFile(filepath.Join(dir, ManifestFile))
	run := Run{Dir: dir, Manifest: m}
	run.Manifest.IDs = []string{"a"} // of which there is no row
	m.Looks = nil
	if err := RecordLook(run); err != nil {
		t.Error(err)
	}
	if after, _ := os.ReadFile(filepath.Join(dir, ManifestFile)); string(after) != string(before) {
		t.Error("a look at an incomplete run is recorded")
	}
}

// Looks that are planned go on with the plan of the run before, where they begin with all of
// its looks; all others come after it.
func TestTakeLooks(t *testing.T) {
	plan := func(first int, at ...int) Manifest {
		return Manifest{FirstLook: first, Plans: []PlannedLooks{{At: at}}}
	}
	for _, tt := range []struct {
		name      string
		before    Manifest
		now       Manifest
		want      []PlannedLooks
		planned   []int
		unplanned []int
	}{
		{"planned after looks that were not", Manifest{Looks: []int{5}}, plan(8, 8, 16), []PlannedLooks{{1, []int{8, 16}}}, []int{8, 16}, []int{5}},
		{"the same plan", plan(8, 8, 16), plan(8, 8, 16), []PlannedLooks{{0, []int{8, 16}}}, []int{8, 16}, nil},
		{"a longer one", plan(8, 8, 16), plan(8, 8, 16, 20), []PlannedLooks{{0, []int{8, 16, 20}}}, []int{8, 16, 20}, nil},
		{"a shorter one", plan(8, 8, 16), plan(8, 8, 12), []PlannedLooks{{0, []int{8, 16}}, {0, []int{8, 12}}}, []int{8, 12}, nil},
		{"none", plan(8, 8, 16), Manifest{}, []PlannedLooks{{0, []int{8, 16}}}, nil, nil},
	} {
		tt.now.TakeLooks(tt.before)
		if !reflect.DeepEqual(tt.now.Plans, tt.want) || !reflect.DeepEqual(tt.now.Planned(), tt.planned) || !reflect.DeepEqual(tt.now.Looks, tt.unplanned) {
			t.Errorf("%s: %v, planned %v, not planned %v", tt.name, tt.now.Plans, tt.now.Planned(), tt.now.Looks)
		}
	}
}
