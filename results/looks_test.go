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
		m.Repeats, m.Finished, m.Cells, m.Keys = repeats, finished, 0, nil
		if err := WriteManifest(dir, m); err != nil {
			t.Fatal(err)
		}
		look = m.Look()
		if err := RecordLook(Run{Dir: dir, Manifest: m}); err != nil {
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
	run.Manifest.Cells = 1 // of which there is no record
	m.Looks = nil
	if err := RecordLook(run); err != nil {
		t.Error(err)
	}
	if after, _ := os.ReadFile(filepath.Join(dir, ManifestFile)); string(after) != string(before) {
		t.Error("a look at an incomplete run is recorded")
	}
}
