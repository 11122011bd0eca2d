package adaptive

import (
	"io"
	"os"
	"testing"

	"mercer/runner"
	"mercer/runner/plan"
)

// Each answer of the smoke profile of least-m costs at most 3 times the records of one pass
// over its final grid: the values of m from "fails" to "holds", each with the repeats that it
// has in the end. The method that is sought is counted; the exact one, which does not use m,
// has as many repeats in both.
func TestCost(t *testing.T) {
	if testing.Short() {
		t.Skip("it computes for seconds")
	}
	const file = "../../experiments/least-m.yaml"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Input{File: file, Spec: string(text), Profile: "smoke"}.Prepare(t.Context(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	e, err := New(p, dir)
	if err != nil {
		t.Fatal(err)
	}
	var last Look
	o := runner.Options{Dir: dir, Workers: 2, Extend: func() (bool, error) { return e.Next(t.Context(), io.Discard, func(l Look) { last = l }) }}
	if _, err := runner.Run(t.Context(), p, runner.NewManifest(p, "", "", runner.ThisMachine()), o); err != nil {
		t.Fatal(err)
	}

	run := load(t, dir)
	if len(last.Answers) != 6 {
		t.Fatalf("%d answers, want one for each of 2 methods at 3 sizes", len(last.Answers))
	}
	for _, a := range last.Answers {
		all, final := 0, 0
		for _, r := range run.Rows {
			m, _ := r.At.Number("m")
			if n, _ := r.At.Number("n"); n != a.At || r.Method() != a.Target || !r.At.Meets(a.Group) {
				continue
			}
			if all++; *a.Fails <= m && m <= *a.Holds {
				final++
			}
		}
		if all == 0 || all > 3*final {
			t.Errorf("%s at n = %g, %s: the search asked for %d records, a pass over its interval has %d; at most 3 times as many is right", a.Target, a.At, a.Interval(), all, final)
		}
	}
}
