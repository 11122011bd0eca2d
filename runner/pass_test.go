package runner

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mercer/methods"
	"mercer/results"
)

// recording is a streaming method that notes its calls, and that goes wrong at
// n = 120 in the way its parameter names.
type recording struct {
	Trouble string `yaml:"trouble"`
	log     *calls
	methods.Streaming
}

type calls struct {
	mu    sync.Mutex
	sizes [][]int // a list of n for each pass; one n for a fit
}

func (c *calls) add(sizes ...int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sizes = append(c.sizes, slices.Clone(sizes))
}

func (o *recording) Method() (methods.Method, error) {
	rff := methods.FeatureOptions{Features: "mercer", Center: "none"}
	m, err := (&methods.OjaOptions{FeatureOptions: rff, RateOptions: methods.RateOptions{Schedule: "adaoja"}}).Method()
	return &recording{Trouble: o.Trouble, log: o.log, Streaming: m.(methods.Streaming)}, err
}

func (*recording) Traits() methods.Traits { return (&methods.OjaOptions{}).Traits() }

func (o *recording) Fit(ctx context.Context, p methods.Sample, rng *rand.Rand) (methods.Model, error) {
	o.log.add(p.Sizes.N)
	return o.Streaming.Fit(ctx, p, rng)
}

func (o *recording) FitEach(ctx context.Context, p methods.Sample, sizes []int, rng *rand.Rand, found func(int, methods.Model, error) error) error {
	o.log.add(sizes...)
	return o.Streaming.FitEach(ctx, p, sizes, rng, func(n int, m methods.Model, err error) error {
		if o.Trouble == "slow" {
			time.Sleep(700 * time.Millisecond)
		}
		switch {
		case n != 120:
		case o.Trouble == "error":
			return errors.New("no luck")
		case o.Trouble == "panic":
			panic("out of luck")
		case o.Trouble == "hang":
			<-ctx.Done()
			return ctx.Err()
		}
		return found(n, m, err)
	})
}

// register adds the method recording until the end of the test.
func register(t *testing.T) *calls {
	log := &calls{}
	entry := methods.Registry["rf-oja"]
	entry.New = func() methods.Options { return &recording{log: log} }
	methods.Registry["recording"] = entry
	t.Cleanup(func() { delete(methods.Registry, "recording") })
	return log
}

const recordingSpec = `
name: recording
seed: 5
repeats: 1
datasets:
  - {id: poly2, use: series, decay: {power: 2}}
grid:
  n: [60, 200, 120]
  ell: [2, "ceil(n^0.4)"]
  m: 16
methods:
  - {id: probe, use: recording, trouble: none}
measure: [recon_l2]
`

// TestOnePass: the fits of a streaming method that differ in n only are one pass,
// those of other methods and timed ones are not.
func TestOnePass(t *testing.T) {
	plan := planOf(t, passesSpec, "")
	for _, g := range plan.Groups {
		for _, pass := range plan.Passes(g) {
			var sizes []int
			for _, f := range pass {
				sizes = append(sizes, f.Sizes.N)
				if f.Sizes.Ell != 9 && f.Method.ID != "rff" { // ⌈200^0.4⌉
					t.Errorf("%s n=%d: fit at ell = %d, want that of the largest n", f.Method.ID, f.Sizes.N, f.Sizes.Ell)
				}
				if f.Sizes.M != pass[0].Sizes.M || f.Method != pass[0].Method {
					t.Errorf("a pass of %s m=%d and %s m=%d", f.Method.ID, f.Sizes.M, pass[0].Method.ID, pass[0].Sizes.M)
				}
			}
			if want := []int{60, 120, 200}; pass[0].Method.ID != "rff" && !slices.Equal(sizes, want) || pass[0].Method.ID == "rff" && len(sizes) != 1 {
				t.Errorf("%s: a pass over n = %d", pass[0].Method.ID, sizes)
			}
		}
	}
	timed := planOf(t, strings.Replace(passesSpec, "measure: [", "measure: [time, ", 1), "")
	for _, pass := range timed.Passes(timed.Groups[0]) {
		if len(pass) != 1 || len(pass[0].Cells) != 1 {
			t.Errorf("timed: %s shares a pass", pass[0].Method.ID)
		}
	}
}

// TestPassesChangeNothing: whichever n are pending, the records are those of the whole run,
// bit for bit.
func TestPassesChangeNothing(t *testing.T) {
	plan := planOf(t, passesSpec, "")
	whole, _ := runIn(t, t.TempDir(), plan, Options{Workers: 2})
	values := map[string]results.Row{}
	for _, r := range whole.Rows {
		if r.Status != results.OK {
			t.Fatalf("%s: %s", r.At, r.Reason)
		}
		values[r.ID] = r
	}
	for _, filter := range []string{"n == 60", "n == 200", "n != 120", "n >= 120 && ell == 1"} {
		run, _ := runIn(t, t.TempDir(), planOf(t, passesSpec, filter), Options{})
		if len(run.Rows) == 0 {
			t.Errorf("filter %q: no records", filter)
		}
		for _, r := range run.Rows {
			if diff := cmp.Diff(values[r.ID].Metrics, r.Metrics); diff != "" {
				t.Errorf("filter %q, %s:\n%s", filter, r.At, diff)
			}
		}
	}
}

// TestTroubleInAPass: records of the n before stay good, those of the n that fails
// and behind have the reason, and the next run does only these.
func TestTroubleInAPass(t *testing.T) {
	for trouble, says := range map[string]string{
		"error": "no luck",
		"panic": "panic: out of luck (pass_test.go:",
		"hang":  "not finished within 400ms",
	} {
		log := register(t)
		dir := t.TempDir()
		text := strings.Replace(recordingSpec, "trouble: none", "trouble: "+trouble, 1)
		run, summary := runIn(t, dir, planOf(t, text, ""), Options{CellTimeout: 400 * time.Millisecond})
		for _, r := range run.Rows {
			status := results.Failed
			switch {
			case at(r, "n") == 60:
				status = results.OK
			case trouble == "hang":
				status = results.Timeout
			}
			if r.Status != status || at(r, "n") > 60 && !strings.Contains(r.Reason, says) {
				t.Errorf("%s, n=%d: %s: %q, want %s and %q", trouble, at(r, "n"), r.Status, r.Reason, status, says)
			}
		}
		if summary.Failed != 4 {
			t.Errorf("%s: %d failed records, want 4", trouble, summary.Failed)
		}
		log.sizes = nil
		runIn(t, dir, planOf(t, text, "n == 200"), Options{})
		if want := [][]int{{200}}; !cmp.Equal(log.sizes, want) {
			t.Errorf("%s: the run after it calls %v, want %v", trouble, log.sizes, want)
		}
	}
}

// TestPassTime: each n has the time limit to itself.
func TestPassTime(t *testing.T) {
	register(t)
	text := strings.Replace(recordingSpec, "trouble: none", "trouble: slow", 1)
	if _, summary := runIn(t, t.TempDir(), planOf(t, text, ""), Options{CellTimeout: 1500 * time.Millisecond}); summary.Failed != 0 {
		t.Errorf("%d records failed in a pass of 2.1 s, 0.7 s for each n, under a limit of 1.5 s", summary.Failed)
	}
}

// TestPassInterrupted: an ended context stops a pass after the n in hand, whose
// record is stored; the next run computes the others.
func TestPassInterrupted(t *testing.T) {
	log := register(t)
	plan := planOf(t, recordingSpec, "")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	dir := t.TempDir()
	probe := plan.Methods["probe"]
	probe.Estimator = &interrupting{probe.Estimator.(*recording), cancel}
	summary, err := start(ctx, plan, Options{Dir: dir})
	if err != nil || !summary.Interrupted || summary.Written != 2 || summary.Failed != 0 {
		t.Fatalf("interrupted: %+v, %v", summary, err)
	}
	rest, next := runIn(t, dir, planOf(t, recordingSpec, ""), Options{})
	whole, _ := runIn(t, t.TempDir(), planOf(t, recordingSpec, ""), Options{})
	if diff := cmp.Diff(export(t, whole), export(t, rest)); diff != "" || next.Resumed != 2 {
		t.Errorf("%d resumed:\n%s", next.Resumed, diff)
	}
	if want := [][]int{{60, 120, 200}, {120, 200}, {60, 120, 200}}; !cmp.Equal(log.sizes, want) {
		t.Errorf("calls %v, want %v", log.sizes, want)
	}
}

// interrupting ends the run's context before its first model.
type interrupting struct {
	*recording
	cancel func()
}

func (i *interrupting) FitEach(ctx context.Context, p methods.Sample, sizes []int, rng *rand.Rand, found func(int, methods.Model, error) error) error {
	return i.recording.FitEach(ctx, p, sizes, rng, func(n int, m methods.Model, err error) error {
		i.cancel()
		return found(n, m, err)
	})
}

// TestOneSizeOfAPassFails: the first five points of the table are equal, so that
// n = 5 has no variance; the other n of the pass have the records that they have
// without it, and n = 5 the reason that it has alone.
func TestOneSizeOfAPassFails(t *testing.T) {
	const text = `
name: equal
seed: 5
repeats: 1
datasets:
  - {id: table, use: csv, path: equal.csv, header: false, sample: first}
kernels:
  - {id: gauss, use: gaussian, sigma: 1, form: two-sigma-squared}
grid:
  n: [5, 20, 30]
  ell: 2
  m: 16
  d: 8
methods:
  - {id: oja, use: rf-oja, features: fourier, center: u, schedule: adaoja}
  - {id: rmsg, use: rf-rmsg, features: fourier, center: u, lambda: 0.1}
measure: [eigenvalues]
`
	whole, _ := runIn(t, t.TempDir(), planOf(t, text, ""), Options{})
	records := map[string]results.Row{}
	for _, r := range whole.Rows {
		records[r.ID] = r
		if failed := r.Status == results.Failed; failed != (at(r, "n") == 5) || failed && !strings.Contains(r.Reason, "covariance is zero") {
			t.Errorf("%s: %s %s", r.At, r.Status, r.Reason)
		}
	}
	for _, filter := range []string{"n == 5", "n == 20", "n >= 20"} {
		part, _ := runIn(t, t.TempDir(), planOf(t, text, filter), Options{})
		if len(part.Rows) == 0 {
			t.Errorf("filter %q: no records", filter)
		}
		for _, r := range part.Rows {
			if diff := cmp.Diff(records[r.ID], r); diff != "" {
				t.Errorf("filter %q, %s:\n%s", filter, r.At, diff)
			}
		}
	}
}
