package compare

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"mercer/internal/inference"
	"mercer/internal/lists"
	"mercer/internal/plain"
)

// conclude adds the findings of tests, once all are decided, and sorts.
func (e *Experiment) conclude(o Options) {
	for i := 0; i < len(e.Tests); {
		j := i + 1 // a test of a group is followed by those of its cells
		for j < len(e.Tests) && e.Tests[j].inCell() {
			j++
		}
		e.concludeGroup(e.Tests[i:j], o.Thresholds)
		i = j
	}
	e.undecided(o)
	e.tooFew(o.Thresholds)
	e.otherMachine()
	gravestFirst(e.Findings)
}

// concludeGroup is at most one finding on a metric of a group in each direction:
// of the group, or of its cells where only they show it.
func (e *Experiment) concludeGroup(tests []Test, o Thresholds) {
	for _, outcome := range []Outcome{IsWorse, IsBetter, IsChanged} {
		found := lists.Where(tests, func(t Test) bool { return t.Outcome == outcome })
		if len(found) == 0 {
			continue
		}
		worst := found[0]
		for _, t := range found[1:] {
			if worst.inCell() && math.Abs(t.Change) > math.Abs(worst.Change) {
				worst = t
			}
		}
		f := Finding{Severity: Note, Kind: Better, Where: worst.where(), Metric: worst.Metric, Text: worst.text(o)}
		switch {
		case outcome == IsWorse:
			f.Severity, f.Kind, f.Do = Regression, Worse, "find out why; "+reference
		case outcome == IsChanged:
			f.Severity, f.Kind = Warning, Changed
		}
		if worst.Cost {
			f.Kind = map[Outcome]Kind{IsWorse: Slower, IsBetter: Faster}[outcome]
		}
		if cells := slices.DeleteFunc(found, func(t Test) bool { return !t.inCell() }); worst.inCell() && len(cells) > 1 {
			f.Text = fmt.Sprintf("%s in %d of %d cells, here the most: ", outcome, len(cells), len(tests)-1) + f.Text
		}
		e.add(f)
	}
}

// text says what a test found, by how much, and how surely.
func (t Test) text(o Thresholds) string {
	if t.Cost {
		word := "time"
		if t.Unit == unitBytes {
			word = "memory"
		}
		text := fmt.Sprintf("%s × %.3g, %.0f %% interval [%.3g, %.3g]", word, 1+t.Change, 100*o.Confidence, t.Low, t.High)
		if !t.inCell() && t.Cells > 1 {
			text += fmt.Sprintf(", geometric mean over %d cells", t.Cells)
		}
		if t.Outcome == IsWorse {
			text += fmt.Sprintf("; significantly more than × %g: p = %.1e after Holm over %s, %s", o.Slower, t.Adjusted, t.family(), t.repeats())
		}
		return text
	}
	text := percent(t.Change)
	if t.Outcome == IsWorse || t.Outcome == IsBetter {
		text += " (" + string(t.Outcome) + ")"
	}
	if !t.inCell() && t.Cells > 1 {
		text += fmt.Sprintf(" over %d cells", t.Cells)
	}
	pairs := "draws"
	if t.Paired {
		pairs = "pairs"
	}
	p := t.Adjusted // of "not worse"
	if t.Outcome == IsBetter {
		p = t.betterAdjusted
	}
	return text + fmt.Sprintf(", greater in %.0f %% of %s; p = %.1e after Holm over %s, %s", 100*t.Superiority, pairs, p, t.family(), t.repeats())
}

// family names the tests over which p is corrected.
func (t Test) family() string {
	if t.inCell() {
		return "all cells"
	}
	return "all groups"
}

func (t Test) repeats() string {
	switch {
	case t.Paired:
		return fmt.Sprintf("signed ranks of %d repeats", t.Repeats[1])
	case t.Repeats[0] == t.Repeats[1]:
		return fmt.Sprintf("rank sum of %d repeats each", t.Repeats[1])
	}
	return fmt.Sprintf("rank sum of %d and %d repeats", t.Repeats[0], t.Repeats[1])
}

// undecided is one finding on all that is worse in every repeat and has too few of
// them: of groups, and of cells of groups about which nothing else is said.
func (e *Experiment) undecided(o Options) {
	var open []Test
	said := false // of the group and metric at hand
	for _, t := range e.Tests {
		if !t.inCell() { // its cells follow
			said = t.Outcome == IsWorse
		}
		if !said && !t.Cost && t.Better != "" && !t.reaches(o.Thresholds) && t.alwaysWorse(o.Thresholds) {
			open, said = append(open, t), true
		}
	}
	if len(open) == 0 {
		return
	}
	first, repeats := open[0], open[0].Repeats[1]
	var each []string
	for _, t := range open {
		each = append(each, fmt.Sprintf("%s %s %s", t.where(), t.Metric, percent(t.Change)))
		repeats = min(repeats, t.Repeats[1])
	}
	f := Finding{Severity: Undecided, Kind: Open, Do: fmt.Sprintf("compare runs of %d repeats or more", e.needs(first.Paired, o.Thresholds))}
	if o.AllowUndecided {
		f.Severity = Warning
	}
	if len(open) == 1 {
		f.Where, f.Metric = first.where(), first.Metric
		f.Text = fmt.Sprintf("%s (worse) in every repeat, but %s cannot tell it from chance", percent(first.Change), plain.Count(repeats, "repeat"))
	} else {
		f.Text = fmt.Sprintf("%d metrics are worse in every repeat, but %s cannot tell it from chance: %s", len(open), plain.Count(repeats, "repeat"), plain.Some(each, shownOnes))
	}
	e.add(f)
}

// needs is the number of repeats, on both sides, that decides all tests of
// distributions.
func (e *Experiment) needs(paired bool, o Thresholds) (needs int) {
	for _, t := range e.Tests {
		if !t.Cost && t.Better != "" && t.Paired == paired {
			needs = max(needs, t.needs(o))
		}
	}
	return needs
}

// tooFew says which groups have too few repeats for any test to find anything.
func (e *Experiment) tooFew(o Thresholds) {
	type kind struct {
		paired, cost bool
		repeats      [2]int
	}
	blind := lists.Where(e.Tests, func(t Test) bool {
		return !t.inCell() && t.Better != "" && t.Outcome != IsUntested && !t.reaches(o)
	})
	for _, same := range lists.By(blind, func(t Test) kind { return kind{t.Paired, t.Cost, t.Repeats} }) {
		what, least, t := "distributions", e.needs(same[0].Paired, o), same[0]
		if t.Cost {
			what, least = "costs", slices.Max(lists.Map(same, func(t Test) int { return t.needs(o) }))
		}
		metrics := lists.Map(same, func(t Test) string { return words(t.Group) + " " + t.Metric })
		e.add(Finding{Severity: Warning, Kind: Untested,
			Text: fmt.Sprintf("%s of %s are compared on too few repeats (%d and %d) for any test to find a change: %s", what, plain.Count(len(same), "metric"), t.Repeats[0], t.Repeats[1], plain.Some(metrics, shownOnes)),
			Do:   fmt.Sprintf("it takes %d repeats on both sides", least)})
	}
}

// TooFew is the error that distributions are to be compared, and that the runs have
// too few repeats for some of the tests to find even what is worse in all of them. It
// looks at how many repeats and tests there are, and at no value; it counts repeats
// that failed. Costs are left out: other work on a machine makes all times of
// a run longer, so that few repeats say little of them either way.
func (c Comparison) TooFew() error {
	var errs []error
	for _, e := range c.Experiments {
		needs, tests := 0, 0
		var worst Test
		for _, t := range e.Tests {
			if t.Cost || t.Better == "" {
				continue
			}
			tests++
			full := t
			full.leastP = inference.LeastP(t.Paired, t.full[0], t.full[1])
			if n := t.needs(c.Thresholds); !full.reaches(c.Thresholds) && n > needs {
				needs, worst = n, t
			}
		}
		if needs > 0 {
			take := "take"
			if tests == 1 {
				take = "takes"
			}
			errs = append(errs, fmt.Errorf("%s: %d and %d repeats are too few: %s of distributions at confidence %g %s %d repeats on both sides to be decided",
				e.Experiment, worst.full[0], worst.full[1], plain.Count(tests, "test"), c.Thresholds.Confidence, take, needs))
		}
	}
	return errors.Join(errs...)
}

// otherMachine lists costs that are compared with those of another machine.
func (e *Experiment) otherMachine() {
	var times []string
	for _, t := range e.Tests {
		if t.Outcome == IsUntested && !t.inCell() {
			times = append(times, fmt.Sprintf("%s %s × %.3g [%.3g, %.3g]", words(t.Group), t.Metric, 1+t.Change, t.Low, t.High))
		}
	}
	if len(times) > 0 {
		e.add(Finding{Severity: Note, Kind: Untested,
			Text: fmt.Sprintf("times of different machines are no verdict (%s; %s): %s", e.Base.Machine, e.New.Machine, plain.Some(times, shownOnes))})
	}
}
