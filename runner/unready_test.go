package runner

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mercer/results"
)

// TestUnready: a worker that ends before its first fit ends the run, with the reason; where it
// was too large, the rows of its group have failed.
func TestUnready(t *testing.T) {
	for trouble, reason := range map[string]string{
		"trouble-panic": "no worker process got ready: its process ended: exit status 2: panic: no such luck",
		"trouble-exit":  "no worker process got ready: its process ended: exit status 7",
		"trouble-kill":  "no worker process got ready: its process ended: signal: killed",
		"trouble-grow":  "its process had ",
	} {
		t.Run(trouble, func(t *testing.T) {
			o := isolating(t)
			t.Setenv(asWorker, trouble)
			o.Workers, o.Dir = 1, t.TempDir()
			if trouble == "trouble-grow" {
				o.CellMemory = "128MiB"
			}
			_, failure := start(context.Background(), planOf(t, fmt.Sprintf(troubleSpec, "nystrom"), ""), o)
			run, err := results.Load(o.Dir)
			if err != nil {
				t.Fatal(err)
			}
			if trouble != "trouble-grow" {
				if len(run.Rows) != 0 || failure == nil || !strings.Contains(failure.Error(), reason) {
					t.Errorf("%d rows; %v, want %q", len(run.Rows), failure, reason)
				}
				return
			}
			if len(run.Rows) != 8 || failure != nil {
				t.Errorf("%d rows; %v", len(run.Rows), failure)
			}
			for _, r := range run.Rows {
				if r.Status != results.OOM || !strings.Contains(r.Reason, reason) {
					t.Errorf("%s repeat %d: %s (%s)", r.At, r.Repeat, r.Status, r.Reason)
				}
			}
		})
	}
}

// TestUnreadyStopped: a run that is stopped does not wait for a worker to get ready.
func TestUnreadyStopped(t *testing.T) {
	o := isolating(t)
	t.Setenv(asWorker, "trouble-hang")
	o.Dir = t.TempDir()
	plan := planOf(t, fmt.Sprintf(troubleSpec, "nystrom"), "")
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	summary, err := start(ctx, plan, o)
	if err != nil || !summary.Interrupted || summary.Written != 0 {
		t.Errorf("%+v, %v", summary, err)
	}
}

// TestUnreadyData: what a worker finds wrong with the data ends the run, with its
// words.
func TestUnreadyData(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("MERCER_DATA", dir)
	points := strings.Repeat("1,2\n3,4\n5,7\n", 40)
	file := filepath.Join(dir, "x.csv")
	if err := os.WriteFile(file, []byte(points), 0o600); err != nil {
		t.Fatal(err)
	}
	o := isolating(t)
	o.Dir = t.TempDir()
	plan := planOf(t, `
name: unready
seed: 1
repeats: 3
datasets: [{id: x, use: csv, path: x.csv, population: {held_out: 20}}]
kernels: [{id: rbf, use: gaussian, sigma: 1, form: sigma-squared}]
grid: {n: [50], ell: [2]}
methods: [{id: ekpca, use: ekpca, center: u}]
measure: [recon_h]
`, "")
	if err := os.WriteFile(file, []byte(points+"1,NaN\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := start(context.Background(), plan, o)
	if err == nil || !strings.Contains(err.Error(), "worker process: ") || !strings.Contains(err.Error(), "x.csv: line 121: ") {
		t.Errorf("error %v", err)
	}
	run, err := results.Load(o.Dir)
	if err != nil || len(run.Rows) != 0 {
		t.Errorf("%d records, %v", len(run.Rows), err)
	}
}
