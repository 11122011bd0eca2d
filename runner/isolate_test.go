package runner

import (
	"context"
	"fmt"
	"io"
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
)

// asWorker makes this test binary a worker process. Its value may be a method by
// which the worker comes to grief.
const asWorker = "MERCER_TEST_AS_WORKER"

func TestMain(m *testing.M) {
	trouble := os.Getenv(asWorker)
	if trouble == "" {
		os.Exit(m.Run())
	}
	registerTrouble()
	syscall.CloseOnExec(3)
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

func preparedFrom(t *testing.T, spec, filter string) *Plan {
	t.Helper()
	plan, err := Recipe{File: "test.yaml", Spec: spec, Dir: "testdata", Profile: "paper", Filter: filter}.Prepare(context.Background(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// TestIsolationChangesNothing: worker processes give the records of one process,
// bit for bit, at any number of workers, and points too; and say what they took.
func TestIsolationChangesNothing(t *testing.T) {
	spec := smallSpec + "plots: [{id: points, kind: scatter, where: {n: 120, theta: 1}}]\n"
	plan := preparedFrom(t, spec, "")
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
		for {
		}
	},
	"trouble-grow":  grow,
	"trouble-kill":  func() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL); time.Sleep(time.Hour) },
	"trouble-crash": func() { _ = syscall.Kill(os.Getpid(), syscall.SIGSEGV); time.Sleep(time.Hour) },
	"trouble-panic": func() { panic("no such luck") },
	"trouble-exit":  func() { os.Exit(7) },
}

func grow() {
	var held [][]byte
	for {
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
			run, _ := runIn(t, t.TempDir(), preparedFrom(t, fmt.Sprintf(troubleSpec, name), ""), o)
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
