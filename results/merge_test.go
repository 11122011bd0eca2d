package results

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func partOf(t *testing.T, dir, started string, records ...Record) {
	t.Helper()
	store, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Append(records...); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	m := Manifest{Schema: SchemaVersion, Started: started, Machine: Machine{CPU: "of " + filepath.Base(dir)}, Starts: []Start{{Started: started, Finished: started, Written: len(records)}}}
	if err := WriteManifest(dir, m); err != nil {
		t.Fatal(err)
	}
}

func numbered(key int, status Status, value float64) Record {
	r := Record{Schema: SchemaVersion, Key: fmt.Sprint("k", key), Experiment: "e", Dataset: "d", Kernel: "k", Method: "m", Repeat: key, Status: status, BLAS: "b", Version: "1", Point: map[string]float64{}}
	if status == OK {
		r.Metrics = NewMetrics(map[string]Metric{"recon_h": {Value: value}, "time_total": {Value: value / 3, Unit: "s"}})
	} else {
		r.Reason = fmt.Sprint("reason ", value)
	}
	return r
}

// TestMerge: final records win over failed ones and stay, of failed ones the last
// source's is taken, points come along, and a second merge changes nothing.
func TestMerge(t *testing.T) {
	root := t.TempDir()
	dir := func(name string) string { return filepath.Join(root, name) }
	run := Manifest{Schema: SchemaVersion, Keys: []string{"k1", "k2", "k3", "k4", "k5", "k6"}, Cells: 6, Started: "2026-01-01T00:00:00Z", Machine: Machine{CPU: "front end"}}
	if err := WriteManifest(dir("run"), run); err != nil {
		t.Fatal(err)
	}
	partOf(t, dir("a"), "2026-01-02T00:00:00Z", numbered(2, OK, 2), numbered(1, Failed, 1), numbered(3, Timeout, 3), numbered(9, OK, 9))
	partOf(t, dir("b"), "2026-01-01T12:00:00Z", numbered(1, OK, 1), numbered(3, Failed, 4), numbered(4, Skipped, 4))
	if err := WritePoints(dir("b"), "k1", Points{Input: [][2]float64{{1, 2}}}); err != nil {
		t.Fatal(err)
	}
	sources := []Source{{"shard 0", dir("a")}, {"shard 1", dir("b")}, {"shard 2", dir("nowhere")}}
	first, err := Merge(dir("run"), sources)
	want := Merged{Added: 4, Present: 4, Final: 3, Wanted: 6, BLAS: []string{"b"}}
	if diff := cmp.Diff(want, first); err != nil || diff != "" {
		t.Fatal(err, diff)
	}
	read := func() (text []byte) {
		for _, name := range []string{RecordsFile, ManifestFile} {
			part, err := os.ReadFile(filepath.Join(dir("run"), name))
			if err != nil {
				t.Fatal(err)
			}
			text = append(text, part...)
		}
		return text
	}
	before := read()
	if again, err := Merge(dir("run"), sources); err != nil || again.Added != 0 || !bytes.Equal(before, read()) {
		t.Errorf("a second merge: %+v, %v", again, err)
	}
	if _, err := Merge(dir("run"), append(sources, Source{"itself", filepath.Join(dir("a"), "..", "run")})); err == nil || !strings.Contains(err.Error(), "into itself") || !bytes.Equal(before, read()) {
		t.Errorf("a merge into itself: %v", err)
	}
	loaded, err := Load(dir("run"))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, r := range loaded.Records {
		got[r.Key] = fmt.Sprint(r.Status, " ", r.Reason)
	}
	if diff := cmp.Diff(map[string]string{"k1": "ok ", "k2": "ok ", "k3": "failed reason 4", "k4": "skipped reason 4"}, got); diff != "" {
		t.Error(diff)
	}
	m := loaded.Manifest
	if !HasPoints(dir("run"), "k1") || m.Machine.CPU != "of a" || m.Started != run.Started || m.Finished != "" || len(m.Starts) != 2 || m.Starts[0].Source != "shard 1" {
		t.Errorf("points %v, manifest %+v", HasPoints(dir("run"), "k1"), m)
	}

	// The rest: a retry of what failed, other numbers for what is there, another machine.
	other := numbered(2, OK, 2.5)
	same := numbered(1, OK, 1)
	same.Metrics.Set("time_total", Metric{Value: 77, Unit: "s"})
	partOf(t, dir("a"), "2026-01-03T00:00:00Z", numbered(3, OK, 3))
	partOf(t, dir("c"), "2026-01-04T00:00:00Z", other, same, numbered(5, OK, 5), numbered(6, Failed, 6))
	rest, err := Merge(dir("run"), append(sources, Source{"c", dir("c")}))
	if err != nil || rest.Added != 3 || rest.Differ != 1 || rest.Present != 6 || rest.Final != 5 || !strings.Contains(strings.Join(rest.Warnings, ""), "key k2 has other numbers") {
		t.Errorf("%+v, %v", rest, err)
	}
	loaded, err = Load(dir("run"))
	if err != nil || loaded.Manifest.Finished != "2026-01-04T00:00:00Z" {
		t.Errorf("finished %q, %v", loaded.Manifest.Finished, err)
	}
	for _, r := range loaded.Records {
		if r.Key == "k2" && r.Metrics.Value("recon_h") != 2 {
			t.Errorf("k2 was replaced: %v", r.Metrics.Value("recon_h"))
		}
	}
	tally, err := Survey(dir("a"), dir("b"), dir("c"), dir("nowhere"))
	if err != nil || len(tally.Final) != 6 || len(tally.Failed) != 1 || tally.Failed["k6"].Reason != "reason 6" {
		t.Errorf("%v final, %v failed, %v", tally.Final, tally.Failed, err)
	}
}

// TestMergeLocked: a run that is being written is not merged into.
func TestMergeLocked(t *testing.T) {
	dir := t.TempDir()
	store, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if _, err := Merge(dir, nil); !errors.Is(err, ErrLocked) {
		t.Error(err)
	}
}
