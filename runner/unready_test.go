package runner

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"mercer/results"
)

// addByte adds a byte to a file and says how many it has.
func addByte(name string) int64 {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	if _, err := file.Write([]byte{1}); err != nil {
		panic(err)
	}
	info, err := file.Stat()
	if err != nil {
		panic(err)
	}
	return info.Size()
}

const (
	// startsFile names the file to which each worker process adds a byte.
	startsFile = "MERCER_TEST_STARTS"
	// troubledStarts is how many of the first workers fail, all where it is not set.
	troubledStarts = "MERCER_TEST_TROUBLED_STARTS"
)

// started counts this worker process, and says whether it is one that fails.
func started() bool {
	count := addByte(os.Getenv(startsFile))
	limit, err := strconv.ParseInt(os.Getenv(troubledStarts), 10, 64)
	return err != nil || count <= limit
}

// TestUnready: workers that fail while they make the plan are tried a bounded number of
// times; the cells that they were for have the reason, and the run ends with it.
func TestUnready(t *testing.T) {
	for _, tt := range []struct {
		trouble  string
		troubled string // of the first starts, all if empty
		status   results.Status
		reason   string
		starts   int64 // of one worker at a time
	}{
		{"trouble-panic", "", results.Failed, "no worker process got ready: its process ended: exit status 2: panic: no such luck", 3},
		{"trouble-exit", "", results.Failed, "no worker process got ready: its process ended: exit status 7", 3},
		{"trouble-kill", "", results.Failed, "no worker process got ready: tried 3 times: its process ended: signal: killed", 9},
		{"trouble-grow", "", results.OOM, "no worker process got ready: its process had ", 3},
		{"trouble-kill", "2", results.OK, "", 4},
	} {
		t.Run(tt.trouble+tt.troubled, func(t *testing.T) {
			o := isolating(t)
			starts := filepath.Join(t.TempDir(), "starts")
			t.Setenv(startsFile, starts)
			t.Setenv(troubledStarts, tt.troubled)
			t.Setenv(asWorker, tt.trouble)
			o.Workers = 1
			spec := fmt.Sprintf(troubleSpec, "nystrom")
			if tt.trouble == "trouble-grow" {
				o.CellMemory = "128MiB"
			}
			o.Dir = t.TempDir()
			plan := planOf(t, spec, "")
			_, failure := start(context.Background(), plan, o)
			run, err := results.Load(o.Dir)
			if err != nil {
				t.Fatal(err)
			}
			want := 3 // passes of one record
			if tt.status == results.OK {
				want = 8
			}
			if len(run.Rows) != want || (failure == nil) != (tt.status == results.OK) || failure != nil && !strings.Contains(failure.Error(), "3 passes in a row failed: "+tt.reason) {
				t.Fatalf("%d records, want %d; %v", len(run.Rows), want, failure)
			}
			for _, r := range run.Rows {
				if r.Status != tt.status || !strings.Contains(r.Reason, tt.reason) {
					t.Errorf("%s repeat %d: %s (%s), want %s (%s)", r.At, r.Repeat, r.Status, r.Reason, tt.status, tt.reason)
				}
				if r.Usage == nil {
					t.Errorf("%s repeat %d: nothing of what its process took", r.At, r.Repeat)
				}
			}
			info, err := os.Stat(starts)
			if err != nil {
				t.Fatal(err)
			}
			if got := info.Size(); got != tt.starts {
				t.Errorf("%d starts, want %d", got, tt.starts)
			}
		})
	}
}

// TestUnreadyStopped: a run that is stopped does not wait for a worker to get ready.
func TestUnreadyStopped(t *testing.T) {
	o := isolating(t)
	t.Setenv(startsFile, filepath.Join(t.TempDir(), "starts"))
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
	if err == nil || !strings.Contains(err.Error(), "worker process: ") || !strings.Contains(err.Error(), "x.csv:121:3: ") {
		t.Errorf("error %v", err)
	}
	run, err := results.Load(o.Dir)
	if err != nil || len(run.Rows) != 0 {
		t.Errorf("%d records, %v", len(run.Rows), err)
	}
}
