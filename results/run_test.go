package results

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func manifest(ids ...string) Manifest {
	return Manifest{Schema: SchemaVersion, Profile: "smoke", Text: "name: exp # <&>\n", IDs: ids, Started: "2025-03-01T08:00:00Z"}
}

func TestManifestRoundTrip(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "run")
	want := manifest("a", "b")
	for range 2 { // the second replaces the first
		if err := WriteManifest(dir, want); err != nil {
			t.Fatal(err)
		}
	}
	got, err := ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Manifest{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestManifestErrors(t *testing.T) {
	dir := t.TempDir()
	if _, err := ReadManifest(dir); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "is no run") {
		t.Errorf("no manifest: %v", err)
	}
	for text, want := range map[string]string{"{": "broken manifest", `{"schema":9}`: "update mercer", `{"schema":1}`: "make the run anew"} {
		if err := os.WriteFile(filepath.Join(dir, ManifestFile), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadManifest(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if err := WriteManifest(filepath.Join(dir, ManifestFile, "below"), manifest()); err == nil {
		t.Error("a manifest below a file")
	}
}

// Of a folder's rows a run has those that its manifest lists, in the order of the table.
func TestLoadTakesOnlyTheManifestsIDs(t *testing.T) {
	dir := t.TempDir()
	rows := []Row{sample(0), sample(1), sample(2), sample(3)}
	for i, n := range []int{20, 10, 100, 3} {
		rows[i].At = key("dataset", "poly2", "method", "nystrom", "n", n)
	}
	run := testRun(t, rows...)
	run.Manifest.IDs = []string{"keyc", "keyb", "keya", "missing"}
	store(t, dir, run)
	run, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, r := range run.Rows {
		ids = append(ids, r.ID)
	}
	if want := []string{"keyb", "keya", "keyc"}; !slices.Equal(ids, want) {
		t.Errorf("ids %v, want %v", ids, want)
	}
	if w := strings.Join(run.Warnings, "\n"); run.Missing() != 1 || !strings.Contains(w, "1 rows do not belong") || !strings.Contains(w, "1 of 4 rows are missing") {
		t.Errorf("missing %d, warnings %s", run.Missing(), w)
	}
	if run.Spec.Name != "exp" || len(run.Catalog.Columns) != 7 || run.Catalog.Metrics["time_total"].Unit != "s" || run.Catalog.Constants("poly2")["alpha"] != 2 {
		t.Errorf("spec %q, catalog %+v", run.Spec.Name, run.Catalog)
	}
}

func TestLoadIgnoresTornEndWithoutTouchingIt(t *testing.T) {
	dir := t.TempDir()
	store(t, dir, testRun(t, sample(0), sample(1)))
	path := filepath.Join(dir, RecordsFile)
	text, _ := os.ReadFile(path)
	text = append(text, `{"schema":2,"i`...)
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	run, err := Load(dir)
	if err != nil || len(run.Rows) != 2 || len(run.Warnings) != 1 {
		t.Errorf("%d rows, warnings %q, error %v", len(run.Rows), run.Warnings, err)
	}
	if got, _ := os.ReadFile(path); len(got) != len(text) {
		t.Error("a reader changed the file")
	}
}

// A folder whose files are not those that the run wrote is refused: its verdicts would be of
// something else.
func TestLoadRefusesChangedFiles(t *testing.T) {
	for name, change := range map[string][3]string{
		"manifest":     {ManifestFile, `"profile": ""`, `"profile": "x"`},
		"spec":         {SpecFile, `"better": "less"`, `"better": "more"`},
		"older schema": {ManifestFile, `"schema": 2`, `"schema": 1`},
	} {
		dir := t.TempDir()
		store(t, dir, testRun(t, sample(0)))
		path := filepath.Join(dir, change[0])
		text, _ := os.ReadFile(path)
		changed := strings.Replace(string(text), change[1], change[2], 1)
		if changed == string(text) {
			t.Fatalf("%s: %s has no %s", name, change[0], change[1])
		}
		if err := os.WriteFile(path, []byte(changed), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), change[0]) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLatest(t *testing.T) {
	root := t.TempDir()
	add := func(path, started string) string {
		m := manifest()
		m.Started = started
		dir := filepath.Join(root, filepath.FromSlash(path))
		if err := WriteManifest(dir, m); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	add("rates/smoke", "2025-03-01T08:00:00Z") // 08:00 UTC
	newest := add("rates/ci", "2025-03-01T09:00:00Z")
	add("rates/paper/2025-02", "2025-02-01T00:00:00Z")
	add("other/smoke", "2026-01-01T00:00:00Z")
	if got, err := Latest(root, "rates"); err != nil || got != newest {
		t.Errorf("Latest(rates) = %q, %v; want %q", got, err, newest)
	}
	if got, err := Latest(root, newest); err != nil || got != newest {
		t.Errorf("Latest(directory) = %q, %v", got, err)
	}
	for _, name := range []string{"raets", "", "..", "rates/none"} {
		_, err := Latest(root, name)
		if err == nil || !strings.Contains(err.Error(), "other/smoke, rates/ci, rates/paper/2025-02, rates/smoke") {
			t.Errorf("Latest(%q): %v", name, err)
		}
	}
	if _, err := Latest(filepath.Join(root, "none"), "rates"); err == nil || !strings.Contains(err.Error(), "no runs below") {
		t.Errorf("no root: %v", err)
	}
}
