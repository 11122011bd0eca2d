package compare

import (
	"maps"
	"math"
	"slices"

	"mercer/internal/inference"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/results"
)

// Outcome is what a test finds.
type Outcome string

// Outcomes of tests.
const (
	IsSame    Outcome = "no change shown"
	IsWorse   Outcome = "worse"
	IsChanged Outcome = "changed"         // of a metric that has no better
	IsOpen    Outcome = "too few repeats" // for any change to be found
)

// Test compares a metric whose values are not to be the same: of one cell, or of
// all cells of a group together.
type Test struct {
	Group    results.Key `json:"group"`
	Cost     bool        `json:"cost"`          // a time or memory
	Cell     results.Key `json:"cell,omitzero"` // without columns: Cells cells together
	Cells    int         `json:"cells"`
	Metric   string      `json:"metric"`
	Unit     string      `json:"unit,omitempty"`
	Paired   bool        `json:"paired"` // signed ranks of pairs, else rank sum
	Repeats  [2]int      `json:"repeats"`
	Change   float64     `json:"change"`         // (new - base) / |base|, of geometric means over repeats and cells where all values are positive
	Low      float64     `json:"low,omitempty"`  // interval of new/base at the level
	High     float64     `json:"high,omitempty"` // Confidence; none of values that are not positive
	Better   string      `json:"better"`         // "less", "more", or "" where neither is
	P        float64     `json:"p"`              // of "not worse" (of "no change" where neither is better), by itself
	Adjusted float64     `json:"adjusted"`       // by Holm over all tests of its kind
	Outcome  Outcome     `json:"outcome"`

	leastP float64 // that P can be with these repeats
	tests  int     // in its family
}

// isNumber says whether two runs may agree on a metric: it is no wall time and no
// measured peak of memory. What is counted is a number like others.
func isNumber(name string) bool { return !results.IsCost(name) }

// isTested says whether a metric is a cost that is tested: of times, the whole fit's and that of
// mapping the sample. Phases only say where time went.
func isTested(name string) bool {
	return name == "time_total" || name == "time_transform"
}

// distributions tests the metrics of cells whose rows were not to be the same.
func distributions(p Pair, cells []match, o Thresholds) []Test {
	var tests []Test
	for _, g := range grouped(cells) {
		for _, metric := range metricsOf(g, isNumber) {
			info := p.New.Catalog.Metrics[metric]
			of := Test{Metric: metric, Unit: info.Unit, Better: info.Better, Paired: samePairs(p, g)}
			tests = append(tests, of.made(g, o.Confidence, 0)...)
		}
	}
	return tests
}

// costs tests times of all cells, whatever their ids.
func costs(p Pair, cells []match, o Thresholds) []Test {
	var tests []Test
	for _, g := range grouped(cells) {
		for _, metric := range metricsOf(g, isTested) {
			of := Test{Metric: metric, Unit: p.New.Catalog.Metrics[metric].Unit, Better: "less", Cost: true}
			tests = append(tests, of.made(g, o.Confidence, math.Log(o.Slower))...)
		}
	}
	return tests
}

// grouped splits cells by data set, kernel and method.
func grouped(cells []match) [][]match {
	return lists.By(cells, func(m match) results.Key { return groupOf(m.cell) })
}

// metricsOf lists the metrics of a group that are wanted.
func metricsOf(g []match, wanted func(name string) bool) []string {
	names := map[string]bool{}
	for _, m := range g {
		for _, r := range m.new {
			for name := range r.Metrics.All() {
				if wanted(name) {
					names[name] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// samePairs says whether the rows of a group have the same samples on both
// sides, so that they are compared by pairs.
func samePairs(p Pair, g []match) bool {
	return p.Base.Spec.Seed == p.New.Spec.Seed && !slices.ContainsFunc(g, func(m match) bool { return !p.sameData(m) })
}

// sameData says whether a cell has the same data on both sides.
func (p Pair) sameData(m match) bool {
	of := func(s Side, rows map[int]*results.Row) string {
		for _, r := range rows {
			return s.Catalog.Populations[r.Population].Fingerprint
		}
		return ""
	}
	return of(p.Base, m.base) == of(p.New, m.new)
}

// made are the tests of a metric in a group: of all its cells together, and of
// each where there are several. allowed is the log of the ratio that is no change.
func (t Test) made(g []match, confidence, allowed float64) []Test {
	var cells []values
	for _, m := range g {
		if v, ok := valuesOf(m, t.Metric); ok {
			cells = append(cells, v)
		}
	}
	var tests []Test
	add := func(t Test, cells []values) {
		if s := pooled(cells, t.Paired); len(s.base) > 0 && len(s.new) > 0 {
			t.Cells = len(cells)
			t.compute(s, confidence, allowed)
			tests = append(tests, t)
		}
	}

	t.Group = groupOf(g[0].cell)
	if len(cells) > 0 {
		add(t, cells)
	}
	if len(cells) > 1 {
		for _, c := range cells {
			t.Cell = c.cell
			add(t, []values{c})
		}
	}
	return tests
}

// compute fills in what a test finds by itself. P is by ranks: Holm's correction over all cells
// asks for levels far below those at which the rates of a test of means are known.
func (t *Test) compute(s samples, confidence, allowed float64) {
	d := inference.Comparison{Level: (1 + confidence) / 2, Unpaired: !t.Paired, Ranks: true, Allowed: allowed}.Of(s.base, s.new)
	t.Repeats = [2]int{len(s.base), len(s.new)}
	t.Change = s.change()
	if d.Logs && plain.Finite(d.Low) {
		t.Low, t.High = math.Exp(d.Low), math.Exp(d.High)
	}
	t.leastP = inference.LeastP(t.Paired, len(s.base), len(s.new))
	switch t.Better {
	case "less":
		t.P = d.Greater
	case "more":
		t.P = d.Less
	default:
		t.P = d.P
		t.leastP = min(1, 2*t.leastP)
	}
}

// decide corrects the tests of a comparison and settles their outcomes. Groups and
// cells are two families, each with half of what may go wrong; metrics that have
// no better are families of their own, because nothing fails by them.
func decide(tests []*Test, o Thresholds) {
	for _, family := range lists.By(tests, func(t *Test) [2]bool { return [2]bool{t.inCell(), t.Better == ""} }) {
		p := inference.Holm(lists.Map(family, func(t *Test) float64 { return t.P }))
		for i, t := range family {
			t.Adjusted, t.tests = p[i], len(family)
			t.Outcome = t.outcome(o)
		}
	}
}

// level is what each of the two families may err by.
func (o Thresholds) level() float64 { return (1 - o.Confidence) / 2 }

func (t Test) outcome(o Thresholds) Outcome {
	enough := t.Low > 1
	if !t.Cost {
		enough = math.Abs(t.Change) >= o.Worse
	}
	switch {
	case enough && t.Adjusted < o.level() && t.Better == "":
		return IsChanged
	case enough && t.Adjusted < o.level():
		return IsWorse
	case t.leastP*float64(t.tests) >= o.level():
		return IsOpen
	}
	return IsSame
}

// needs is the number of repeats, on both sides, with which a test finds what is worse
// in all of them.
func (t Test) needs(o Thresholds) int {
	return inference.RepeatsFor(t.Paired, o.level()/float64(t.tests))
}

// inCell says that the test is of one cell.
func (t Test) inCell() bool { return t.Cell != results.Key{} }

// where is the test's group or cell.
func (t Test) where() string {
	if t.inCell() {
		return words(t.Cell)
	}
	return words(t.Group)
}
