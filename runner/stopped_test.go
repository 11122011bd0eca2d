//go:build unix

package runner

import (
	"context"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"mercer/methods"
	"mercer/results"
)

// stopping is a method during whose first fits the process is continued, as it is
// after a stop.
type stopping struct {
	methods.Method
	fits  *atomic.Int64
	times int64
}

func (m stopping) Fit(ctx context.Context, p methods.Problem, rng *rand.Rand) (methods.Model, error) {
	if m.fits.Add(1) <= m.times {
		_ = syscall.Kill(os.Getpid(), syscall.SIGCONT)
		time.Sleep(300 * time.Millisecond)
	}
	return m.Method.Fit(ctx, p, rng)
}

type stoppingOptions struct {
	fits  *atomic.Int64
	times int64
}

func (o *stoppingOptions) Method() (methods.Method, error) {
	inner, err := (&methods.EKPCAOptions{Center: "u"}).Method()
	return stopping{inner, o.fits, o.times}, err
}

// TestTimedThroughAStop: a fit during which the process was stopped is timed again,
// and where that goes on the cell has failed: its time is never that of a stop.
func TestTimedThroughAStop(t *testing.T) {
	const spec = `
name: stopping
seed: 3
repeats: 1
datasets:
  - {id: poly2, use: series, decay: {power: 2}}
grid: {n: [20], ell: [2]}
methods:
  - {id: stopping, use: stopping}
measure: [time]
`
	for times, status := range map[int64]results.Status{0: results.OK, 1: results.OK, 2: results.OK, 3: results.Failed} {
		fits := new(atomic.Int64)
		entry := methods.Registry["ekpca"]
		entry.New = func() methods.Options { return &stoppingOptions{fits, times} }
		methods.Registry["stopping"] = entry
		run, _ := runIn(t, t.TempDir(), planOf(t, spec, ""), Options{Workers: 1, Isolate: IsolateNone})
		delete(methods.Registry, "stopping")
		r := run.Records[0]
		if r.Status != status || status == results.Failed && !strings.Contains(r.Reason, "was stopped and continued (SIGSTOP, Ctrl-Z) 3 times") {
			t.Errorf("%d stops: %s %q", times, r.Status, r.Reason)
		}
		if seconds := r.Metrics.Value(results.TimePrefix + "total"); seconds > 0.29 {
			t.Errorf("%d stops: the fit took %v s, which is a stop's", times, seconds)
		}
		if want := min(times+1, 3); fits.Load() != want {
			t.Errorf("%d stops: %d fits, want %d", times, fits.Load(), want)
		}
	}
}
