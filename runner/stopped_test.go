//go:build unix

package runner

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"mercer/methods"
	"mercer/results"
)

// stopping is a method during whose first fits, so many of them, its process is stopped
// and continued. Each fit adds a byte to a file.
type stopping struct {
	methods.Method
	file  string
	times int64
}

func (m stopping) Fit(ctx context.Context, p methods.Sample, rng *rand.Rand) (methods.Model, error) {
	if fits := addByte(m.file); fits <= m.times {
		pid := strconv.Itoa(os.Getpid())
		other := exec.Command("sh", "-c", "until grep -q '^State:.T' /proc/"+pid+"/status; do sleep 0.01; done; kill -CONT "+pid)
		if err := other.Start(); err != nil {
			return nil, err
		}
		if err := syscall.Kill(os.Getpid(), syscall.SIGSTOP); err != nil {
			return nil, err
		}
		if err := other.Wait(); err != nil {
			return nil, err
		}
	}
	return m.Method.Fit(ctx, p, rng)
}

type stoppingOptions struct {
	File  string `yaml:"file" doc:"of the fits"`
	Times int64  `yaml:"times" doc:"fits that are stopped"`
}

func (o *stoppingOptions) Method() (methods.Method, error) {
	inner, err := (&methods.EKPCAOptions{Center: "u"}).Method()
	return stopping{inner, o.File, o.Times}, err
}

func (*stoppingOptions) Traits() methods.Traits { return (&methods.EKPCAOptions{}).Traits() }

// registerStopping adds the method stopping.
func registerStopping() {
	entry := methods.Registry["ekpca"]
	entry.New = func() methods.Options { return &stoppingOptions{} }
	methods.Registry["stopping"] = entry
}

// TestTimedThroughAStop: a timed fit during which its process was stopped is fitted
// again by the same process, and after three stops the cell has failed: its time is
// never that of a stop. A fit that is not timed is not fitted again.
func TestTimedThroughAStop(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: only Linux tells of stops")
	}
	registerStopping()
	t.Cleanup(func() { delete(methods.Registry, "stopping") })
	const spec = `
name: stopping
seed: 3
repeats: 1
datasets:
  - {id: poly2, use: series, decay: {power: 2}}
grid: {n: [20], ell: [2]}
methods:
  - {id: stopping, use: stopping, file: %q, times: %d}
  - {id: ekpca, use: ekpca, center: u}
measure: [%s]
`
	for _, tt := range []struct {
		measure     string
		times, fits int64
		status      results.Status
	}{
		{"time", 0, 1, results.OK},
		{"time", 1, 2, results.OK},
		{"time", 2, 3, results.OK},
		{"time", 4, 3, results.Failed},
		{"recon_h", 1, 1, results.OK},
	} {
		file := filepath.Join(t.TempDir(), "fits")
		o := isolating(t)
		o.Workers = 1
		run, _ := runIn(t, t.TempDir(), planOf(t, fmt.Sprintf(spec, file, tt.times, tt.measure), ""), o)
		if len(run.Rows) != 2 {
			t.Fatalf("%d records", len(run.Rows))
		}
		for _, r := range run.Rows {
			want, reason := results.OK, ""
			if r.Method() == "stopping" && tt.status != results.OK {
				want, reason = tt.status, "tried 3 times: its process was stopped and continued (SIGSTOP) while it was timed"
			}
			if r.Status != want || !strings.HasPrefix(r.Reason, reason) {
				t.Errorf("%s, %d stops: %s: %s %q", tt.measure, tt.times, r.Method(), r.Status, r.Reason)
			}
			if timed := r.Metrics.Value(results.TimePrefix+"total") > 0; timed != (tt.measure == "time" && want == results.OK) {
				t.Errorf("%s, %d stops: %s has a time: %v", tt.measure, tt.times, r.Method(), timed)
			}
		}
		if info, err := os.Stat(file); err != nil || info.Size() != tt.fits {
			t.Errorf("%s, %d stops: %d fits, want %d; %v", tt.measure, tt.times, info.Size(), tt.fits, err)
		}
	}
}
