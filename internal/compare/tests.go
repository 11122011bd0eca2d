package compare

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"mercer/internal/inference"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/results"
)

// Outcome is what a test finds.
type Outcome string

// Outcomes of tests.
const (
	IsSame     Outcome = "no change shown"
	IsWorse    Outcome = "worse"
	IsBetter   Outcome = "better"
	IsChanged  Outcome = "changed" // of a metric that has no better
	IsUntested Outcome = "not tested"
)

// Test compares a metric whose values are not to be the same: of one cell, or of
// all cells of a group together.
type Test struct {
	Group       results.Key `json:"group"`
	Cost        bool        `json:"cost"`          // a time or memory
	Cell        results.Key `json:"cell,omitzero"` // without columns: Cells cells together
	Cells       int         `json:"cells"`
	Metric      string      `json:"metric"`
	Unit        string      `json:"unit,omitempty"`
	Paired      bool        `json:"paired"` // signed ranks of pairs, else rank sum
	Repeats     [2]int      `json:"repeats"`
	Change      float64     `json:"change"`         // (new - base) / |base|, of geometric means over repeats and cells where all values are positive
	Low         float64     `json:"low,omitempty"`  // interval of new/base at the level
	High        float64     `json:"high,omitempty"` // Confidence; none of values that are not positive
	Superiority float64     `json:"superiority"`    // how often new is greater than base; 0.5 where nothing changed
	Better      string      `json:"better"`         // "less", "more", or "" where neither is
	P           float64     `json:"p"`              // of "not worse" (of "no change" where neither is better), by itself
	Adjusted    float64     `json:"adjusted"`       // by Holm over all tests of its kind
	Outcome     Outcome     `json:"outcome"`

	betterP, betterAdjusted float64
	leastP                  float64 // that P can be with these repeats
	tests                   int     // in its family
	full                    [2]int  // repeats where no row failed
}

// unitSeconds and unitBytes are the units of costs.
const (
	unitSeconds = "s"
	unitBytes   = "B"
)

// isNumber says whether two runs may agree on a metric: it is no wall time and no
// measured peak of memory. What is counted is a number like others.
func isNumber(name string) bool { return !results.IsCost(name) }

// isTested says whether a metric is a cost that is tested: of times, the whole fit's.
// Its phases only say where it went.
func isTested(name string) bool {
	return name == "time_total" || results.IsCost(name) && !strings.HasPrefix(name, results.TimePrefix)
}

// distributions tests the metrics of cells whose rows were not to be the same.
func distributions(p Pair, cells []match, o Options) []Test {
	var tests []Test
	for _, g := range grouped(cells) {
		paired := samePairs(p, g)
		full := repeatsIn(cells, paired)
		for _, metric := range metricsOf(g, isNumber) {
			for _, t := range p.testsOf(g, metric, paired, p.New.Catalog.Metrics[metric].Better, o.Thresholds.Confidence, 0) {
				t.full = full
				tests = append(tests, t)
			}
		}
	}
	return tests
}

// repeatsIn is the number of repeats of either side in the cell that has the most,
// whatever became of them; paired, of those that both sides have.
func repeatsIn(cells []match, paired bool) (repeats [2]int) {
	for _, m := range cells {
		base, new := len(m.base), len(m.new)
		if paired {
			base = len(m.repeats())
			new = base
		}
		repeats = [2]int{max(repeats[0], base), max(repeats[1], new)}
	}
	return repeats
}

// costs tests times and memory of all cells, whatever their ids. On different
// machines it tells them and tests nothing.
func costs(p Pair, cells []match, o Options) []Test {
	var tests []Test
	comparable := sameMachine(p.Base.Manifest.Machine, p.New.Manifest.Machine)
	for _, g := range grouped(cells) {
		for _, metric := range metricsOf(g, isTested) {
			for _, t := range p.testsOf(g, metric, false, "less", o.Thresholds.Confidence, math.Log(o.Thresholds.Slower)) {
				t.Cost = true
				if !comparable {
					t.Outcome, t.P, t.betterP = IsUntested, 1, 1
				}
				tests = append(tests, t)
			}
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

// testsOf are the tests of a metric in a group: of all its cells together, and of
// each where there are several. allowed is the log of the ratio that is no change.
func (p Pair) testsOf(g []match, metric string, paired bool, better string, confidence, allowed float64) []Test {
	var cells []values
	for _, m := range g {
		if v, ok := valuesOf(m, metric); ok {
			cells = append(cells, v)
		}
	}
	if len(cells) == 0 {
		return nil
	}
	var tests []Test
	make := func(cells []values) bool {
		s := pooled(cells, paired)
		if len(s.base) == 0 || len(s.new) == 0 {
			return false
		}
		t := Test{Group: groupOf(cells[0].cell), Cells: len(cells), Metric: metric, Unit: p.New.Catalog.Metrics[metric].Unit, Paired: paired}
		t.compute(s, better, confidence, allowed)
		tests = append(tests, t)
		return true
	}
	make(cells)
	if len(cells) > 1 {
		for _, c := range cells {
			if make([]values{c}) {
				tests[len(tests)-1].Cell = c.cell
			}
		}
	}
	return tests
}

// compute fills in what a test finds by itself. P is by ranks: Holm's correction over all cells
// asks for levels far below those at which the rates of a test of means are known.
func (t *Test) compute(s samples, better string, confidence, allowed float64) {
	d := inference.Comparison{Level: (1 + confidence) / 2, Unpaired: !t.Paired, Ranks: true, Allowed: allowed}.Of(s.base, s.new)
	t.Repeats = [2]int{len(s.base), len(s.new)}
	t.Change, t.Superiority = s.change(), s.greater(t.Paired)
	if t.Better = better; d.Logs && plain.Finite(d.Low) {
		t.Low, t.High = math.Exp(d.Low), math.Exp(d.High)
	}
	t.leastP = inference.LeastP(t.Paired, len(s.base), len(s.new))
	switch better {
	case "less":
		t.P, t.betterP = d.Greater, d.Less
	case "more":
		t.P, t.betterP = d.Less, d.Greater
	default:
		t.P, t.betterP = d.P, 1
		t.leastP = min(1, 2*t.leastP)
	}
}

// worsening is the change in the wrong direction.
func (t Test) worsening() float64 {
	if t.Better == "more" {
		return -t.Change
	}
	return t.Change
}

// decide corrects the tests of a comparison and settles their outcomes. Groups and
// cells are two families, each with half of what may go wrong; metrics that have
// no better are families of their own, because nothing fails by them.
func decide(tests []*Test, o Thresholds) {
	level := (1 - o.Confidence) / 2
	families := map[[2]bool][]*Test{}
	for _, t := range tests {
		if t.Outcome == IsUntested {
			t.Adjusted, t.betterAdjusted = 1, 1
			continue
		}
		family := [2]bool{!t.inCell(), t.Better == ""}
		families[family] = append(families[family], t)
	}
	for _, family := range families {
		p, better := make([]float64, len(family)), make([]float64, len(family))
		for i, t := range family {
			p[i], better[i], t.tests = t.P, t.betterP, len(family)
		}
		p, better = inference.Holm(p), inference.Holm(better)
		for i, t := range family {
			t.Adjusted, t.betterAdjusted = p[i], better[i]
			t.Outcome = t.outcome(level, o)
		}
	}
}

func (t Test) outcome(level float64, o Thresholds) Outcome {
	enough := t.Cost || math.Abs(t.Change) >= o.Worse
	switch {
	case !enough:
		return IsSame
	case t.Adjusted < level && t.Better == "":
		return IsChanged
	case t.Adjusted < level && (!t.Cost || t.Low > 1):
		return IsWorse
	case t.betterAdjusted < level && (!t.Cost || t.High < 1):
		return IsBetter
	}
	return IsSame
}

// reaches says whether a test of so few repeats could find anything.
func (t Test) reaches(o Thresholds) bool {
	return t.leastP*float64(max(1, t.tests)) < (1-o.Confidence)/2
}

// needs is the number of repeats, on both sides, with which a test finds what is worse
// in all of them.
func (t Test) needs(o Thresholds) int {
	return inference.RepeatsFor(t.Paired, (1-o.Confidence)/2/float64(max(1, t.tests)))
}

// alwaysWorse says whether a metric is worse in every repeat, by as much as counts.
func (t Test) alwaysWorse(o Thresholds) bool {
	return t.worsening() >= o.Worse && (t.Better == "less" && t.Superiority == 1 || t.Better == "more" && t.Superiority == 0)
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

// percent writes a relative change: "+1.0 %".
func percent(x float64) string {
	switch a := math.Abs(100 * x); {
	case a == 0:
		return "0 %"
	case a < 0.095:
		return fmt.Sprintf("%+.1g %%", 100*x)
	case a < 99.5:
		return fmt.Sprintf("%+.2g %%", 100*x)
	}
	return fmt.Sprintf("%+.0f %%", 100*x)
}
