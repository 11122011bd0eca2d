package runner

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mercer/methods"
	"mercer/results"
	"mercer/runner/plan/plantest"
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
	registerStopping()
	syscall.CloseOnExec(3)
	if f := troubles[trouble]; f != nil && started() {
		f()
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
// bit for bit, at any number of workers, and points too; and say what they took.
func TestIsolationChangesNothing(t *testing.T) {
	spec := plantest.Small + "plots: [{id: points, kind: scatter, where: {n: 120, theta: 1}}]\n"
	plan := preparedFrom(t, spec, "", nil)
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
		if summary.Written != plan.Records() || summary.Failed != 0 {
			t.Errorf("%+v", summary)
		}
		for _, r := range run.Records {
			if r.Usage == nil || r.Usage.CPU <= 0 || r.Usage.Peak < 4<<20 || r.Usage.Peak > 1<<30 {
				t.Fatalf("usage of a record: %+v", r.Usage)
			}
			if points := r.N == 120 && r.Point["theta"] == 1 && r.Repeat == 0; points != results.HasPoints(dir, r.Key) {
				t.Errorf("%s n=%d repeat %d has points: %v", r.Method, r.N, r.Repeat, !points)
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
measure: [recon_h]
`

// registerTrouble adds methods that no worker survives, or that outgrow it.
func registerTrouble() {
	for name, f := range troubles {
		entry := methods.Registry["ekpca"]
		entry.New = func() methods.Options { return &troubleOptions{f: f} }
		methods.Registry[name] = entry
	}
}

var troubles = map[string]func(){
	"trouble-loop": func() {
		for ended := false; !ended; { // never
		}
	},
	"trouble-grow":  grow,
	"trouble-kill":  func() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL); time.Sleep(time.Hour) },
	"trouble-crash": func() { _ = syscall.Kill(os.Getpid(), syscall.SIGSEGV); time.Sleep(time.Hour) },
	"trouble-panic": func() { panic("no such luck") },
	"trouble-exit":  func() { os.Exit(7) },
	"trouble-hang":  func() { time.Sleep(time.Hour) },
}

func grow() {
	var held [][]byte
	for {
		//lint:ignore SA4010 it is only held
		held = append(held, slices.Repeat([]byte{1}, 8<<20))
		time.Sleep(time.Millisecond)
	}
}

type troubleOptions struct{ f func() }

func (o *troubleOptions) Method() (methods.Method, error) {
	inner, err := (&methods.EKPCAOptions{Center: "u"}).Method()
	return trouble{inner, o.f}, err
}

type trouble struct {
	methods.Method
	f func()
}

func (m trouble) Fit(ctx context.Context, p methods.Problem, rng *rand.Rand) (methods.Model, error) {
	if p.Sizes.N == 60 {
		m.f()
	}
	return m.Method.Fit(ctx, p, rng)
}

// TestTrouble: whatever a cell does to its process, that cell alone is recorded
// for it, with a reason, and all others are as they should be.
func TestTrouble(t *testing.T) {
	registerTrouble()
	t.Cleanup(func() {
		for name := range troubles {
			delete(methods.Registry, name)
		}
	})
	for name, want := range map[string]struct {
		status results.Status
		reason string
	}{
		"trouble-loop":  {results.Timeout, "not finished within 300ms: its process was killed"},
		"trouble-grow":  {results.OOM, "more than the 256 MiB that a cell may take (--cell-memory)"},
		"trouble-kill":  {results.Failed, "tried 3 times: its process ended: signal: killed"},
		"trouble-crash": {results.Failed, "its process ended: "},
		"trouble-panic": {results.Failed, "panic: no such luck (isolate_test.go:"},
		"trouble-exit":  {results.Failed, "its process ended: exit status 7"},
	} {
		t.Run(name, func(t *testing.T) {
			o := isolating(t)
			o.CellTimeout = 300 * time.Millisecond
			if name == "trouble-grow" {
				o.CellTimeout, o.CellMemory = time.Minute, 256<<20
			}
			run, _ := runIn(t, t.TempDir(), preparedFrom(t, fmt.Sprintf(troubleSpec, name), "", nil), o)
			if len(run.Records) != 8 {
				t.Fatalf("%d records, want 8", len(run.Records))
			}
			for _, r := range run.Records {
				status := results.OK
				if r.Method == "trouble" && r.N == 60 {
					status = want.status
					if !strings.Contains(r.Reason, want.reason) {
						t.Errorf("reason %q, want %q", r.Reason, want.reason)
					}
				}
				if r.Status != status {
					t.Errorf("%s n=%d repeat %d: %s (%s), want %s", r.Method, r.N, r.Repeat, r.Status, r.Reason, status)
				}
			}
		})
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
	for _, isolate := range []Isolate{IsolateNone, IsolateProcess} {
		o := isolating(t)
		o.Isolate, o.Memory = isolate, 200<<10
		run, summary := runIn(t, t.TempDir(), preparedFrom(t, spec, "", nil), o)
		if len(run.Records) != 2 || summary.Failed != 1 {
			t.Errorf("%s: %+v, %d records", isolate, summary, len(run.Records))
		}
	}
}

// TestStoredUnderWay: a finished record does not wait for the next fit.
func TestStoredUnderWay(t *testing.T) {
	registerTrouble()
	t.Cleanup(func() {
		for name := range troubles {
			delete(methods.Registry, name)
		}
	})
	o := isolating(t)
	o.Workers, o.CellTimeout, o.Dir = 1, 3*time.Second, t.TempDir()
	plan := preparedFrom(t, fmt.Sprintf(troubleSpec, "trouble-loop"), "repeat == 0", nil)
	done := make(chan error)
	go func() {
		_, err := Run(context.Background(), plan, NewManifest(plan, "paper", "", "", "", ThisMachine()), o)
		done <- err
	}()
	stored := 0
	for stored < 3 {
		select {
		case err := <-done:
			t.Fatalf("the run ended with %d records stored before: %v", stored, err)
		case <-time.After(50 * time.Millisecond):
		}
		text, _ := os.ReadFile(filepath.Join(o.Dir, results.RecordsFile))
		stored = strings.Count(string(text), "\n")
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	run, err := results.Load(o.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range run.Records {
		if r.Status == results.Timeout && (r.Usage == nil || r.Usage.CPU < 0.1 || r.Usage.CPU > 6) {
			t.Errorf("a cell of at most 4 s by the wall on one processor took %+v", r.Usage)
		}
	}
}
