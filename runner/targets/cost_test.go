package targets

import (
	"context"
	"io"
	"os"
	"testing"

	"mercer/configs"
	"mercer/configs/source"
	"mercer/internal/claims"
	"mercer/internal/compare"
	"mercer/results"
	"mercer/runner/plan"
)

// leastM is the search of the smoke profile of the experiment least-m.
func leastM(t *testing.T) Search {
	t.Helper()
	const file = "../../experiments/least-m.yaml"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := source.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Input{File: file, Spec: string(text), Profile: "smoke"}.Prepare(context.Background(), io.Discard, parsed)
	if err != nil {
		t.Fatal(err)
	}
	s := Search{Spec: p.Spec, Resolved: p.Resolved, Constants: map[string]map[string]float64{}}
	for _, g := range p.Groups {
		if g.Repeat == 0 {
			s.Designs = append(s.Designs, Design{g.Dataset, g.Kernel})
			s.Constants[g.Dataset] = p.Datasets[g.Dataset].Constants()
		}
	}
	return s
}

// known are the records of the reference by what is computed.
func (s Search) known(t *testing.T) map[Computation][]results.Record {
	t.Helper()
	side, err := compare.OpenReference("../../results/reference/least-m/smoke.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	known := map[Computation][]results.Record{}
	for _, r := range side.Records {
		for _, m := range s.Spec.Methods {
			if m.ID != r.Method {
				continue
			}
			sizes, err := m.SizesAt(configs.Numbers(r.Point), s.Constants[r.Dataset])
			if err != nil {
				t.Fatal(err)
			}
			r.Work = s.Resolved.Work(r.Method, sizes)
		}
		of := Computation{Design{r.Dataset, r.Kernel}, r.Method, r.Work}
		known[of] = append(known[of], r)
	}
	return known
}

// Each answer of the smoke profile of least-m costs at most 3 times the records of one pass
// over its final grid: the values of m from "fails" to "holds", each with the repeats that it
// has in the end. The method that is sought is counted; the exact one, which does not use m,
// has as many repeats in both. The repeats are those of the reference, so that nothing is
// computed; a search that asks for others fails as well.
func TestCost(t *testing.T) {
	s := leastM(t)
	known, taken, run := s.known(t), map[Computation]int{}, results.Run{}
	run.Manifest.Experiment = s.Spec.Name
	for {
		answers, needs, err := s.Find(run)
		if err != nil {
			t.Fatal(err)
		}
		if len(needs) == 0 {
			s.checkCost(t, taken, answers)
			return
		}
		for _, need := range needs {
			if need.Repeats > len(known[need.Computation]) {
				t.Fatalf("the reference has %d repeats of %+v: make reference", len(known[need.Computation]), need)
			}
			if need.Repeats > taken[need.Computation] {
				run.Records = append(run.Records, known[need.Computation][taken[need.Computation]:need.Repeats]...)
				taken[need.Computation] = need.Repeats
			}
		}
	}
}

func (s Search) checkCost(t *testing.T, taken map[Computation]int, answers []claims.Answer) {
	t.Helper()
	if len(answers) != 6 {
		t.Fatalf("%d answers, want one for each of 2 methods at 3 sizes", len(answers))
	}
	for i, target := range s.Spec.Targets {
		groups, err := s.groups(target)
		if err != nil {
			t.Fatal(err)
		}
		for k, g := range groups {
			a, all, final := answers[i*len(groups)+k], 0, 0
			for _, c := range g.candidates {
				n := taken[c.of[0]]
				if all += n; *a.Fails <= c.value && c.value <= *a.Holds {
					final += n
				}
			}
			if all == 0 || all > 3*final {
				t.Errorf("%s at n = %g, %s: the search asked for %d records, a pass over its interval has %d; at most 3 times as many is right", a.Target, a.At, a.Interval(), all, final)
			}
		}
	}
}
