package adaptive

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"mercer/internal/claims"
	"mercer/results"
	"mercer/runner"
	"mercer/runner/plan"
	"mercer/runner/verdicts"
)

// spec has a claim that is true by far, one that is false by far, and one on the edge:
// the mean of 2000 repeats.
const spec = `name: adaptive
seed: 7
repeats: {from: 4, to: 32, until: decided}
datasets:
  - {id: poly2, use: series, decay: {power: 2}}
grid: {n: [100, 200], ell: [3], m: [40]}
methods:
  - {id: ekpca, use: ekpca, center: u}
  - {id: nystrom, use: nystrom}
  - {id: fewer, use: nystrom, m: 20}
measure: [recon_h]
claims:
  - {id: true-by-far, ratio: {of: recon_h, method: fewer, to: ekpca, at_most: 3}}
  - {id: false-by-far, ratio: {of: recon_h, method: fewer, to: ekpca, at_least: 3}}
  - {id: edge, value: {of: "recon_h - 0.3017", where: {method: nystrom, n: 200}, at_most: 0}}
`

// prepared is the plan of a spec with all repeats.
func prepared(t *testing.T, text string) *plan.Plan {
	t.Helper()
	p, err := plan.Input{File: "test.yaml", Spec: text, Profile: "paper"}.Prepare(t.Context(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// start runs a spec in a folder until it ends or has stored so many records more; it
// returns the looks.
func start(t *testing.T, dir, text string, most int) (looks []Look, stopped bool) {
	t.Helper()
	p := prepared(t, text)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	e, err := New(p, dir)
	if err != nil {
		t.Fatal(err)
	}
	o := runner.Options{Dir: dir, Workers: 2, Progress: func(now runner.Progress) {
		if now.Done-now.Resumed >= most {
			stop()
		}
	}}
	o.Extend = func() (bool, error) {
		return e.Next(ctx, io.Discard, func(l Look) { looks = append(looks, l) })
	}
	s, err := runner.Run(ctx, p, runner.NewManifest(p, "", "", runner.ThisMachine()), o)
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	return looks, s.Interrupted
}

func load(t *testing.T, dir string) results.Run {
	t.Helper()
	run, err := results.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func exported(t *testing.T, run results.Run) string {
	t.Helper()
	var b bytes.Buffer
	if err := results.WriteCSV(&b, run, results.TableOptions{OmitTimes: true}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func judged(t *testing.T, run results.Run) []claims.Verdict {
	t.Helper()
	list, _, err := verdicts.Judge(run, run.Spec.Repeats.Looks())
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestAdaptive: decided verdicts get no more repeats, the open one gets all; the records
// are those of a run that has all repeats, and its verdicts are the same.
func TestAdaptive(t *testing.T) {
	dir, full := t.TempDir(), t.TempDir()
	looks, _ := start(t, dir, spec, 1<<30)
	var at []int
	for _, l := range looks {
		at = append(at, l.Repeats)
	}
	if want := []int{4, 8, 16, 32}; !slices.Equal(at, want) {
		t.Fatalf("looks at %v repeats, want %v", at, want)
	}
	run := load(t, dir)
	most := map[string]int{} // repeats by method
	for _, r := range run.Rows {
		if n, _ := r.At.Number("n"); n == 200 {
			most[r.Method()] = max(most[r.Method()], r.Repeat+1)
		}
	}
	if most["nystrom"] != 32 || most["ekpca"] > 16 || most["fewer"] != most["ekpca"] {
		t.Errorf("repeats %v: want 32 of nystrom, whose verdict is on the edge, and few of the others", most)
	}
	p := prepared(t, spec)
	if _, err := runner.Run(t.Context(), p, runner.NewManifest(p, "", "", runner.ThisMachine()), runner.Options{Dir: full, Workers: 2}); err != nil {
		t.Fatal(err)
	}
	whole := load(t, full)
	verdictsOf := func(run results.Run) (text []string) {
		for _, v := range judged(t, run) {
			text = append(text, v.Claim+" "+string(v.Outcome)+" "+v.Reason)
		}
		return text
	}
	if got, want := verdictsOf(run), verdictsOf(whole); !slices.Equal(got, want) {
		t.Errorf("verdicts of the adaptive run %q, of all repeats %q", got, want)
	}
	for i, want := range []claims.Outcome{claims.Holds, claims.Violated, claims.Inconclusive} {
		if got := judged(t, run)[i]; got.Outcome != want {
			t.Errorf("%s: %s (%s), want %s", got.Claim, got.Outcome, got.Reason, want)
		}
	}
	known := map[string]bool{}
	for _, r := range run.Rows {
		known[r.ID] = true
	}
	whole.Rows = slices.DeleteFunc(whole.Rows, func(r results.Row) bool { return !known[r.ID] })
	if exported(t, run) != exported(t, whole) {
		t.Error("the records differ from those of a run with all repeats")
	}
}

// TestDecidedEarly: with up to 320 repeats what is true or false by far is decided within
// 20, gets no more, and what is on the edge is said to be open at 320.
func TestDecidedEarly(t *testing.T) {
	dir := t.TempDir()
	start(t, dir, strings.Replace(spec, "{from: 4, to: 32,", "{from: 8, to: 320,", 1), 1<<30)
	run := load(t, dir)
	most := map[string]int{} // repeats by method
	for _, r := range run.Rows {
		most[r.Method()] = max(most[r.Method()], r.Repeat+1)
	}
	if most["nystrom"] != 320 || most["ekpca"] > 20 || most["fewer"] > 20 {
		t.Errorf("repeats %v: want 320 of nystrom, whose verdict is on the edge, and at most 20 of the others", most)
	}
	for i, want := range []struct {
		outcome     claims.Outcome
		least, most int // repeats
	}{{claims.Holds, 8, 20}, {claims.Violated, 8, 20}, {claims.Inconclusive, 320, 320}} {
		if v := judged(t, run)[i]; v.Outcome != want.outcome || v.Repeats < want.least || v.Repeats > want.most || v.Open() != (want.outcome == claims.Inconclusive) {
			t.Errorf("%s: %s after %d repeats (%s; %s), want %s after %d to %d", v.Claim, v.Outcome, v.Repeats, v.Reason, v.Settle, want.outcome, want.least, want.most)
		}
	}
}

// seeking has a target, whose search tries several m.
const seeking = `name: seeking
seed: 7
repeats: {from: 4, to: 16, until: decided}
datasets: [{id: poly2, use: series, decay: {power: 2}}]
grid: {n: [60], ell: [2], m: [3, 5, 7, 9, 12, 20]}
methods: [{id: exact, use: ekpca, center: u}, {id: nystrom, use: nystrom}]
measure: [recon_h]
targets: [{id: least-m, find: m, over: n, such_that: {ratio: {of: recon_h, method: nystrom, to: exact, at_most: 1.1}}}]
`

// TestAdaptiveResumed: a run that is stopped after every few records ends as one that
// is not.
func TestAdaptiveResumed(t *testing.T) {
	for text, most := range map[string]int{spec: 1, seeking: 8} { // records of a start
		dir, whole := t.TempDir(), t.TempDir()
		looks, _ := start(t, whole, text, 1<<30)
		for _, a := range looks[len(looks)-1].Answers {
			if a.Open {
				t.Errorf("the run has ended, and the search has not: %s", a.Interval())
			}
		}
		stops := 0
		for again := true; again; stops++ {
			_, again = start(t, dir, text, most)
		}
		if stops < 3 {
			t.Errorf("%.20s: stopped %d times; the test wants more", text, stops)
		}
		if exported(t, load(t, dir)) != exported(t, load(t, whole)) {
			t.Error("the records differ from those of a run that was not stopped")
		}
	}
}

// TestCheapFirst: of what a search needs, the fits of 100 times as many points wait until
// the answer for few points is known, and are due then.
func TestCheapFirst(t *testing.T) {
	p := prepared(t, `name: cheap
seed: 7
repeats: {from: 8, to: 16, until: decided}
datasets:
  - {id: poly2, use: series, decay: {power: 2}}
grid: {n: [1000, 100000], ell: [2], m: [64]}
methods:
  - {id: nystrom, use: nystrom}
measure: [recon_h]
targets:
  - {id: least-m, find: m, over: n, such_that: {value: {of: recon_h, at_most: 1, where: {method: nystrom}}}}
`)
	e, err := New(p, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	due := func() (few, many int) {
		for c := range p.Cells {
			if c.Sizes.N == 1000 {
				few = c.Due
			} else {
				many = c.Due
			}
		}
		return few, many
	}
	if few, many := due(); few != 8 || many != 0 {
		t.Errorf("of few points %d repeats are due at first, of many %d; want 8 and 0", few, many)
	}

	run := results.Run{Spec: p.Spec, Catalog: p.Catalog()}
	for c := range p.Cells {
		for repeat := range c.Due {
			run.Rows = append(run.Rows, results.Row{At: c.At, Repeat: repeat, Status: results.OK, Metrics: map[string]float64{"recon_h": 0.5 + 0.001*float64(repeat)}})
		}
	}
	if _, more, err := e.ask(run); !more || err != nil {
		t.Fatal(more, err)
	}
	if few, many := due(); few != 8 || many != 8 {
		t.Errorf("of few points %d repeats are due then, of many %d; want 8 of either", few, many)
	}
}
