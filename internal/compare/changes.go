package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/results"
)

// changes adds what the tests found: at most one finding on a metric of a group, of the group, or of
// its cells where only they show it.
func (e *Experiment) changes(o Thresholds) {
	type subject struct {
		group  results.Key
		metric string
	}
	for _, tests := range lists.By(e.Tests, func(t Test) subject { return subject{t.Group, t.Metric} }) {
		found := lists.Where(tests, func(t Test) bool { return t.Outcome == IsWorse || t.Outcome == IsChanged })
		if len(found) == 0 {
			continue
		}
		most := found[0] // of the group, which comes first
		if most.inCell() {
			most = slices.MaxFunc(found, func(a, b Test) int { return cmp.Compare(math.Abs(a.Change), math.Abs(b.Change)) })
		}
		e.add(most.finding(o))
	}
}

// finding is what a test found, by how much, and how surely.
func (t Test) finding(o Thresholds) Finding {
	f := Finding{Severity: Regression, Kind: Worse, Where: t.where(), Metric: t.Metric, Text: t.text(o), Do: "find out why; " + renew}
	switch {
	case t.Outcome == IsChanged:
		f.Severity, f.Kind, f.Do = Warning, Changed, ""
	case t.Cost:
		f.Kind = Slower
	}
	return f
}

func (t Test) text(o Thresholds) string {
	over := ""
	if t.Cells > 1 {
		over = fmt.Sprintf(" over %d cells", t.Cells)
	}
	family := "all groups"
	if t.inCell() {
		family = "all cells"
	}
	test := fmt.Sprintf("rank sum of %d and %d repeats", t.Repeats[0], t.Repeats[1])
	if t.Paired {
		test = fmt.Sprintf("signed ranks of %d repeats", t.Repeats[1])
	}
	if t.Cost {
		return fmt.Sprintf("× %.3g%s, %.0f %% interval [%.3g, %.3g]; × %g is allowed; p = %.1e after Holm over %s, %s", 1+t.Change, over, 100*o.Confidence, t.Low, t.High, o.Slower, t.Adjusted, family, test)
	}
	return fmt.Sprintf("%s%s; p = %.1e after Holm over %s, %s", turned(t.Change, t.Better), over, t.Adjusted, family, test)
}

// tooFew says which tests have too few repeats to find even what is worse in all of them. It
// looks at how many repeats and tests there are, and at no value, so that chance plays no part.
// Of distributions that leaves the comparison undecided. Of costs it is a warning: other work on
// a machine makes all times of a run longer, so that few repeats say little of them either way.
func (e *Experiment) tooFew(o Thresholds) {
	for _, cost := range []bool{false, true} {
		open := lists.Where(e.Tests, func(t Test) bool {
			return t.Outcome == IsOpen && t.Cost == cost && t.Better != "" && (!cost || !t.inCell())
		})
		if len(open) == 0 {
			continue
		}
		of := lists.Once(lists.Map(open, func(t Test) string { return words(t.Group) + " " + t.Metric }))
		least := slices.MinFunc(open, func(a, b Test) int { return min(a.Repeats[0], a.Repeats[1]) - min(b.Repeats[0], b.Repeats[1]) })
		f := Finding{Severity: Undecided, Kind: Untested,
			Text: fmt.Sprintf("too few repeats (%d and %d) to find a change at confidence %g: %s", least.Repeats[0], least.Repeats[1], o.Confidence, plain.Some(of, mostNamed)),
			Do:   fmt.Sprintf("it takes %d repeats on both sides", slices.Max(lists.Map(open, func(t Test) int { return t.needs(o) })))}
		if cost {
			f.Severity = Warning
		}
		e.add(f)
	}
}
