package results

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// shardsOf writes a run of six rows as three shards of which the second is empty.
func shardsOf(t *testing.T, root string) (whole Run, dirs []string) {
	t.Helper()
	var rows []Row
	for i := range 6 {
		rows = append(rows, sample(i))
		rows[i].Series = map[string][]float64{"recon_h": {1, float64(i)}}
	}
	whole = testRun(t, rows...)
	for i, part := range [][]Row{whole.Rows[:4], nil, whole.Rows[4:]} {
		shard := testRun(t, slices.Clone(part)...)
		shard.Manifest.Plan, shard.Manifest.Shard = PlanOf(whole.Manifest.IDs), []string{"1/3", "2/3", "3/3"}[i]
		shard.Manifest.Started, shard.Manifest.Finished = "2026-01-0"+string(rune('3'-i))+"T00:00:00Z", "2026-02-01T00:00:00Z"
		dirs = append(dirs, filepath.Join(root, shard.Manifest.Shard[:1]))
		store(t, dirs[i], shard)
	}
	if err := WritePoints(dirs[2], whole.Rows[5].ID, Points{Input: [][2]float64{{1, 2}}}); err != nil {
		t.Fatal(err)
	}
	return whole, dirs
}

// Shards in any order give the whole run, with its points; merged again it is the same.
func TestMerge(t *testing.T) {
	root := t.TempDir()
	whole, dirs := shardsOf(t, root)
	for range 2 {
		slices.Reverse(dirs)
		got, err := Merge(filepath.Join(root, "whole"), dirs)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range got.Rows {
			if r.ID != whole.Rows[i].ID || r.At != whole.Rows[i].At || !maps.Equal(r.Metrics, whole.Rows[i].Metrics) || !slices.Equal(r.Series["recon_h"], []float64{1, float64(r.Repeat)}) {
				t.Errorf("row %d is %v", i, r)
			}
		}
		m := got.Manifest
		if len(got.Rows) != 6 || got.Missing() != 0 || !HasPoints(got.Dir, whole.Rows[5].ID) || m.Shard != "" || m.Started != "2026-01-01T00:00:00Z" {
			t.Errorf("%d rows, %d missing, manifest %+v", len(got.Rows), got.Missing(), m)
		}
	}
}

// A row that is in two shards, a shard that is not there or not finished, and shards of two
// runs are refused by name, and nothing is written.
func TestMergeRefuses(t *testing.T) {
	root := t.TempDir()
	_, dirs := shardsOf(t, root)
	torn := filepath.Join(root, "torn")
	if err := os.CopyFS(torn, os.DirFS(dirs[2])); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(torn, RecordsFile), 20); err != nil {
		t.Fatal(err)
	}
	other := testRun(t, sample(7))
	other.Manifest.Plan = PlanOf(other.Manifest.IDs)
	store(t, filepath.Join(root, "other"), other)
	for _, tt := range []struct {
		shards []string
		want   string
	}{
		{dirs[:2], "shards are missing: 3/3"},
		{dirs[1:2], "shards are missing: 1/3, 3/3"},
		{[]string{dirs[0], dirs[1], dirs[2], dirs[0]}, "give each shard once"},
		{[]string{dirs[0], dirs[1], torn}, "torn is not finished: 2 rows of 2 are missing"},
		{[]string{dirs[0], filepath.Join(root, "other")}, "no shards of one run"},
		{[]string{filepath.Join(root, "nowhere")}, "is no run"},
	} {
		_, err := Merge(filepath.Join(root, "whole"), tt.shards)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %q", err, tt.want)
		}
		if _, err := os.Stat(filepath.Join(root, "whole")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("after %q there is a folder", tt.want)
		}
	}
	if _, err := Merge(filepath.Join(root, "other"), dirs); err == nil || !strings.Contains(err.Error(), "holds another run") {
		t.Errorf("into another run: %v", err)
	}
}

// A run that is being written is not merged into.
func TestMergeLocked(t *testing.T) {
	root := t.TempDir()
	_, dirs := shardsOf(t, root)
	mustOpen(t, filepath.Join(root, "whole"))
	if _, err := Merge(filepath.Join(root, "whole"), dirs); !errors.Is(err, ErrLocked) {
		t.Error(err)
	}
}
