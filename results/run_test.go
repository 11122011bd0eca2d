package results

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func manifest(keys ...string) Manifest {
	return Manifest{
		Schema: SchemaVersion, Experiment: "exp", Profile: "smoke", Spec: "name: exp # <&>\n", Cells: len(keys), Keys: keys,
		Variables: []string{"n", "theta", "m"},
		Datasets:  map[string]DatasetInfo{"poly2": {Constants: map[string]float64{"alpha": 2, "kappa": 0.30000000000000004}}},
		Started:   "2025-03-01T10:00:00+02:00",
	}
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
	if diff := cmp.Diff(want, got); diff != "" {
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
	bad := manifest()
	bad.Datasets["poly2"].Constants["alpha"] = math.Inf(1)
	if err := WriteManifest(dir, bad); err == nil || !strings.Contains(err.Error(), "constant alpha of dataset poly2 is +Inf") {
		t.Errorf("infinite constant: %v", err)
	}
	for text, want := range map[string]string{"{": "broken manifest", `{"schema":9}`: "newer mercer"} {
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

func TestLoadTakesOnlyTheManifestsKeysInOrder(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	points := []map[string]float64{{"n": 20, "theta": 1}, {"n": 20, "theta": 0.5}, {"n": 100, "theta": 0.5}, {"n": 3}}
	for i, p := range points {
		r := sample(i)
		r.Point, r.Repeat = p, 0
		if err := s.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := WriteManifest(dir, manifest("keyc", "keyb", "keya", "missing")); err != nil {
		t.Fatal(err)
	}
	run, err := Load(dir) // while the store is open
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, r := range run.Records {
		keys = append(keys, r.Key)
	}
	if want := []string{"keyb", "keya", "keyc"}; !slices.Equal(keys, want) {
		t.Errorf("keys %v, want %v", keys, want)
	}
	if w := strings.Join(run.Warnings, "\n"); run.Missing() != 1 || !strings.Contains(w, "1 records do not belong") || !strings.Contains(w, "1 of 4 records are missing") {
		t.Errorf("missing %d, warnings %s", run.Missing(), w)
	}
}

func TestLoadIgnoresTornEndWithoutTouchingIt(t *testing.T) {
	dir := t.TempDir()
	path, text := fill(t, dir, 2)
	text = append(text, `{"schema":1,"ke`...)
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := WriteManifest(dir, manifest()); err != nil {
		t.Fatal(err)
	}
	run, err := Load(dir)
	if err != nil || len(run.Records) != 2 || len(run.Warnings) != 1 {
		t.Errorf("%d records, warnings %q, error %v", len(run.Records), run.Warnings, err)
	}
	if got, _ := os.ReadFile(path); len(got) != len(text) {
		t.Error("a reader changed the file")
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
	add("rates/smoke", "2025-03-01T10:00:00+02:00") // 08:00 UTC
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
