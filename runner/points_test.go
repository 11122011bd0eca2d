package runner

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/results"
)

// pointsIn are the points that a run directory keeps, as text by key.
func pointsIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, results.PointsFolder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found[strings.TrimSuffix(filepath.Base(file), ".json")] = string(text)
	}
	return found
}

func TestPointsAreKept(t *testing.T) {
	dir := t.TempDir()
	plan := planOf(t, scatterSpec, "")
	run, _ := runIn(t, dir, plan, Options{Workers: 2})
	first := pointsIn(t, dir)
	var methods []string
	for _, r := range run.Rows {
		if results.HasPoints(dir, r.ID) {
			methods = append(methods, r.Method())
			if r.Repeat != 0 || at(r, "n") != 80 || r.Method() == "kjl" && at(r, "m") != 20 {
				t.Errorf("points of %s repeat %d", r.At, r.Repeat)
			}
			checkPoints(t, dir, r)
		}
	}
	if want := []string{"ekpca", "kjl", "kernel"}; !slices.Equal(methods, want) || len(first) != 3 {
		t.Fatalf("points of %v in %d files, want %v", methods, len(first), want)
	}
	records, err := os.ReadFile(filepath.Join(dir, results.RecordsFile))
	if err != nil {
		t.Fatal(err)
	}

	// What is missing is remade, as it was, and no record with it.
	for _, key := range slices.Sorted(maps.Keys(first))[:2] {
		if err := os.Remove(filepath.Join(dir, results.PointsFolder, key+".json")); err != nil {
			t.Fatal(err)
		}
	}
	_, summary := runIn(t, dir, plan, Options{Workers: 1})
	if diff := cmp.Diff(first, pointsIn(t, dir)); diff != "" {
		t.Errorf("remade points differ:\n%s", diff)
	}
	if again, _ := os.ReadFile(filepath.Join(dir, results.RecordsFile)); string(again) != string(records) {
		t.Error("remaking points changes the records")
	}
	if summary.Written != 0 || summary.Resumed != len(run.Rows) || summary.Failed != 0 {
		t.Errorf("%+v", summary)
	}
	_, summary = runIn(t, dir, plan, Options{Fresh: true})
	if diff := cmp.Diff(first, pointsIn(t, dir)); diff != "" || summary.Written != len(run.Rows) {
		t.Errorf("a fresh run writes %d records and points that differ:\n%s", summary.Written, diff)
	}
}

func checkPoints(t *testing.T, dir string, r results.Row) {
	t.Helper()
	p, err := results.ReadPoints(dir, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Input) != 80 || len(p.Class) != 80 || slices.Max(p.Class) != 1 {
		t.Errorf("%s: %d points, classes %v", r.Method(), len(p.Input), p.Class)
	}
	if kernelKMeans := r.Method() == "kernel"; (p.Image == nil) != kernelKMeans {
		t.Errorf("%s: %d images", r.Method(), len(p.Image))
	}
}

// Points that cannot be stored stop the run before their records are, so that
// no record is final without them.
func TestPointsBeforeRecords(t *testing.T) {
	dir := t.TempDir()
	plan := planOf(t, scatterSpec, "n == 80 and repeat == 0")
	blocked := filepath.Join(dir, results.PointsFolder)
	if err := os.WriteFile(blocked, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := start(context.Background(), plan, Options{Dir: dir}); err == nil || !strings.Contains(err.Error(), "points") {
		t.Errorf("error %v", err)
	}
	if run, err := results.Load(dir); err != nil || len(run.Rows) != 0 {
		t.Errorf("%d records, %v", len(run.Rows), err)
	}
	if err := os.Remove(blocked); err != nil {
		t.Fatal(err)
	}
	if run, _ := runIn(t, dir, plan, Options{}); len(run.Rows) != 4 || len(pointsIn(t, dir)) != 3 {
		t.Errorf("%d records and %d files of points after going on", len(run.Rows), len(pointsIn(t, dir)))
	}
}
