package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mercer/methods"
	"mercer/results"
	"mercer/runner/plan"
)

// asWorker makes this test binary a worker process. Its value may be how the worker
// fails before it is ready.
const asWorker = "MERCER_TEST_AS_WORKER"

func TestMain(m *testing.M) {
	trouble := os.Getenv(asWorker)
	if trouble == "" {
		os.Exit(m.Run())
	}
	registerTrouble()
	syscall.CloseOnExec(3)
	if f := troubles[trouble]; f != nil {
		_ = f(context.Background())
	}
	if err := Serve(os.Stdin, os.NewFile(3, "answers"), io.Discard); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// isolating are options under which every cell runs in a process of its own.
func isolating(t *testing.T) Options {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(asWorker, "1")
	return Options{Isolate: IsolateProcess, Worker: []string{self}, Workers: 2}
}

// TestIsolationChangesNothing: worker processes give the records of one process,
// bit for bit, at any number of workers, and points too.
func TestIsolationChangesNothing(t *testing.T) {
	spec := smallSpec + "plots: [{id: points, kind: scatter, where: {n: 120, theta: 1}}]\n"
	plan := planOf(t, spec, "")
	inOne, _ := runIn(t, t.TempDir(), plan, Options{Workers: 2})
	want := export(t, inOne)
	for _, workers := range []int{1, 3} {
		o := isolating(t)
		o.Workers = workers
		dir := t.TempDir()
		run, summary := runIn(t, dir, plan, o)
		if diff := cmp.Diff(want, export(t, run)); diff != "" {
			t.Fatalf("%d workers: %s", workers, diff)
		}
		if summary.Written != len(plan.IDs()) || summary.Failed != 0 {
			t.Errorf("%+v", summary)
		}
		for _, r := range run.Rows {
			if points := at(r, "n") == 120 && theta(r) == 1 && r.Repeat == 0; points != results.HasPoints(dir, r.ID) {
				t.Errorf("%s repeat %d has points: %v", r.At, r.Repeat, !points)
			}
		}
	}
}

const troubleSpec = `
name: trouble
seed: 3
repeats: 2
datasets:
  - {id: poly2, use: series, decay: {power: 2}}
grid: {n: [50, 60], ell: [2], m: [20]}
methods:
  - {id: nystrom, use: nystrom}
  - {id: trouble, use: %s}
measure: [recon_h, eigenvalues]
`

// registerTrouble adds methods that fail, or that no worker survives, or that outgrow it.
func registerTrouble() {
	for name, f := range troubles {
		entry := methods.Registry["ekpca"]
		entry.New = func() methods.Options { return &troubleOptions{f: f} }
		methods.Registry[name] = entry
	}
}

// troubled registers the methods until the end of the test.
func troubled(t *testing.T) {
	registerTrouble()
	t.Cleanup(func() {
		for name := range troubles {
			delete(methods.Registry, name)
		}
	})
}

var troubles = map[string]func(context.Context) error{
	"trouble-error": func(context.Context) error { return errors.New("no luck") },
	"trouble-late":  func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
	"trouble-nan":   func(context.Context) error { return errNaN },
	"trouble-loop": func(context.Context) error {
		for ended := false; !ended; { // never
		}
		return nil
	},
	"trouble-grow":  func(context.Context) error { grow(); return nil },
	"trouble-large": func(context.Context) error { _ = slices.Repeat([]byte{1}, large); return errNone },
	"trouble-kill":  func(context.Context) error { return signal(syscall.SIGKILL) },
	"trouble-crash": func(context.Context) error { return signal(syscall.SIGSEGV) },
	"trouble-panic": func(context.Context) error { panic("no such luck") },
	"trouble-exit":  func(context.Context) error { os.Exit(7); return nil },
	"trouble-hang":  func(context.Context) error { time.Sleep(time.Hour); return nil },
}

var (
	errNaN  = errors.New("a model of NaN")   // asks for a model that is not a number
	errNone = errors.New("nothing is wrong") // asks for the model that the method finds
)

// large is the size of an array in bytes.
const large = 400 << 20

func signal(s syscall.Signal) error {
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Signal(s)
	}
	time.Sleep(time.Hour)
	return nil
}

func grow() {
	var held [][]byte
	for {
		//lint:ignore SA4010 it is only held
		held = append(held, slices.Repeat([]byte{1}, 8<<20))
		time.Sleep(time.Millisecond)
	}
}

type troubleOptions struct{ f func(context.Context) error }

func (o *troubleOptions) Method() (methods.Method, error) {
	inner, err := (&methods.EKPCAOptions{Center: "u"}).Method()
	return trouble{inner, o.f}, err
}

func (*troubleOptions) Traits() methods.Traits { return (&methods.EKPCAOptions{}).Traits() }

type trouble struct {
	methods.Method
	f func(context.Context) error
}

func (m trouble) Fit(ctx context.Context, p methods.Sample, rng *rand.Rand) (methods.Model, error) {
	if p.Sizes.N < 60 {
		return m.Method.Fit(ctx, p, rng)
	}
	err := m.f(ctx)
	if errors.Is(err, errNone) {
		return m.Method.Fit(ctx, p, rng)
	}
	if errors.Is(err, errNaN) {
		return &methods.Exact{Spectrum: methods.Spectrum{Values: []float64{math.NaN(), 0}, Center: []float64{0}, Rank: 1}}, nil
	}
	return nil, err
}

// TestTrouble: whatever a cell does to its process, that cell alone is recorded
// for it, with a reason; all others are as they should be, and the next run does the
// failed ones again.
func TestTrouble(t *testing.T) {
	troubled(t)
	for _, tt := range []struct {
		name    string
		isolate string
		status  results.Status
		reason  string
	}{
		{"trouble-error", IsolateNone, results.Failed, "no luck"},
		{"trouble-late", IsolateNone, results.Timeout, "not finished within 300ms"},
		{"trouble-nan", IsolateNone, results.Failed, "eigenvalue_1 at ell"},
		{"trouble-panic", IsolateNone, results.Failed, "panic: no such luck (isolate_test.go:"},
		{"trouble-panic", IsolateProcess, results.Failed, "panic: no such luck (isolate_test.go:"},
		{"trouble-loop", IsolateProcess, results.Timeout, "not finished within 300ms: its process was killed"},
		{"trouble-grow", IsolateProcess, results.OOM, "more than the 256 MiB that a cell may take (--cell-memory)"},
		{"trouble-kill", IsolateProcess, results.Failed, "its process ended: signal: killed"},
		{"trouble-crash", IsolateProcess, results.Failed, "its process ended: "},
		{"trouble-exit", IsolateProcess, results.Failed, "its process ended: exit status 7"},
	} {
		t.Run(tt.name+" "+string(tt.isolate), func(t *testing.T) {
			o := isolating(t)
			o.Isolate, o.CellTimeout = tt.isolate, 300*time.Millisecond
			if tt.name == "trouble-grow" {
				o.CellTimeout, o.CellMemory = time.Minute, "256MiB"
			}
			dir, plan := t.TempDir(), planOf(t, fmt.Sprintf(troubleSpec, tt.name), "")
			run, summary := runIn(t, dir, plan, o)
			if len(run.Rows) != 8 || summary.Failed != 2 {
				t.Fatalf("%d records, want 8; %+v", len(run.Rows), summary)
			}
			for _, r := range run.Rows {
				status := results.OK
				if r.Method() == "trouble" && at(r, "n") == 60 {
					status = tt.status
					if !strings.Contains(r.Reason, tt.reason) {
						t.Errorf("reason %q, want %q", r.Reason, tt.reason)
					}
				}
				if r.Status != status {
					t.Errorf("%s repeat %d: %s (%s), want %s", r.At, r.Repeat, r.Status, r.Reason, status)
				}
			}
			if o.Isolate != IsolateNone {
				return
			}
			if _, again := runIn(t, dir, plan, o); again.Written != 2 {
				t.Errorf("the second run ran %d records, want the failed ones", again.Written)
			}
		})
	}
}

// TestLargeRecords: records of which each takes more than half of the memory come one after
// another in one process, which is not killed for what dead ones have left.
func TestLargeRecords(t *testing.T) {
	troubled(t)
	o := isolating(t)
	o.Isolate, o.Workers, o.CellMemory = IsolateProcess, 1, "640MiB"
	spec := strings.NewReplacer("[50, 60]", "[60, 61, 62, 63]", "  - {id: nystrom, use: nystrom}\n", "", "%s", "trouble-large").Replace(troubleSpec)
	run, summary := runIn(t, t.TempDir(), planOf(t, spec, ""), o)
	if len(run.Rows) != 8 || summary.Failed != 0 {
		t.Errorf("%d records; %+v", len(run.Rows), summary)
	}
	for _, r := range run.Rows {
		if r.Status != results.OK {
			t.Errorf("n = %d: %s: %s", at(r, "n"), r.Status, r.Reason)
		}
	}
}

// TestSmallMemory: a run that may take next to nothing refuses what does not fit and
// ends, also where some fits of a group are skipped, whose parts weigh more than
// there is.
func TestSmallMemory(t *testing.T) {
	spec := `
name: small-memory
seed: 1
repeats: 1
datasets:
  - {id: mix, use: gaussian-mixture, k: 2, d: 3, population: {held_out: 300}}
kernels:
  - {id: rbf, use: gaussian, bandwidth: {median: 1}, form: two-sigma-squared}
grid: {n: [50, 100], m: 70, ell: 2}
methods:
  - {id: nystrom, use: nystrom}
measure: [recon_h]
`
	for _, isolate := range []string{IsolateNone, IsolateProcess} {
		o := isolating(t)
		o.Isolate = isolate
		run, summary := runIn(t, t.TempDir(), planWith(t, spec, plan.Input{Memory: 200 << 10}), o)
		if len(run.Rows) != 2 || summary.Failed != 1 {
			t.Errorf("%s: %+v, %d records", isolate, summary, len(run.Rows))
		}
	}
}

// TestStoredUnderWay: a finished record does not wait for the next fit.
func TestStoredUnderWay(t *testing.T) {
	p := planOf(t, smallSpec, "n == 60")
	store, err := results.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	stored := make(chan Progress, 1)
	r := &run{computation: newComputation(p, 0), store: store}
	w := &writer{plan: p, store: store, stored: r.stored, show: func(p Progress) { stored <- p }}
	g := p.Groups[0]
	tasks, err := r.due(g, 0, func(*plan.Cell, int) bool { return true }, w)
	if err != nil {
		t.Fatal(err)
	}
	if err := failTasks(tasks[0], results.Failed, errors.New("no luck"), w); err != nil {
		t.Fatal(err)
	}
	select {
	case p := <-stored:
		if p.Done != len(tasks[0][0].rows) || p.Failed != p.Done {
			t.Errorf("%+v", p)
		}
	case <-time.After(time.Minute):
		t.Error("nothing is stored")
	}
}

func theta(r results.Row) float64 {
	value, _ := r.At.Number("theta")
	return value
}
