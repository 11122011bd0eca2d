package compare

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
)

// conclude adds the findings of tests, once all are decided, and sorts.
func (e *Experiment) conclude(o Thresholds) {
	for i := 0; i < len(e.Tests); {
		j := i + 1 // a test of a group is followed by those of its cells
		for j < len(e.Tests) && e.Tests[j].Cell != nil {
			j++
		}
		e.concludeGroup(e.Tests[i:j], o)
		i = j
	}
	e.tooFew(o)
	e.otherMachine()
	sort.SliceStable(e.Findings, func(i, j int) bool { return e.Findings[i].Severity.rank() < e.Findings[j].Severity.rank() })
}

// concludeGroup is at most one finding on a metric of a group in each direction:
// of the group, or of its cells where only they show it.
func (e *Experiment) concludeGroup(tests []Test, o Thresholds) {
	for _, outcome := range []Outcome{IsWorse, IsBetter, IsChanged} {
		var found []Test
		for _, t := range tests {
			if t.Outcome == outcome {
				found = append(found, t)
			}
		}
		if len(found) == 0 {
			continue
		}
		worst := found[0]
		for _, t := range found[1:] {
			if worst.Cell != nil && math.Abs(t.Change) > math.Abs(worst.Change) {
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
		if cells := slices.DeleteFunc(found, func(t Test) bool { return t.Cell == nil }); worst.Cell != nil && len(cells) > 1 {
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
		if t.Cell == nil && t.Cells > 1 {
			text += fmt.Sprintf(", geometric mean over %d cells", t.Cells)
		}
		if t.Outcome == IsWorse {
			text += fmt.Sprintf("; more than × %g is told from chance: p = %.1e after Holm, %s", o.Slower, t.Adjusted, t.repeats())
		}
		return text
	}
	text := percent(t.Change)
	if t.Outcome == IsWorse || t.Outcome == IsBetter {
		text += " (" + string(t.Outcome) + ")"
	}
	if t.Cell == nil && t.Cells > 1 {
		text += fmt.Sprintf(" over %d cells", t.Cells)
	}
	pairs := "draws"
	if t.Paired {
		pairs = "pairs"
	}
	return text + fmt.Sprintf(", greater in %.0f %% of %s; p = %.1e after Holm, %s", 100*t.Superiority, pairs, t.Adjusted, t.repeats())
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

// tooFew says which groups have too few repeats for any test to find anything,
// and warns where these few all point the wrong way.
func (e *Experiment) tooFew(o Thresholds) {
	type kind struct {
		paired bool
		base   int
		new    int
		cost   bool
	}
	blind, least := map[kind][]string{}, map[kind]int{}
	var order []kind
	for _, t := range e.Tests {
		if t.Cell != nil || t.Better == "" || t.Outcome == IsUntested || t.reaches(o) {
			continue
		}
		k := kind{t.Paired, t.Repeats[0], t.Repeats[1], t.Cost}
		if blind[k] == nil {
			order = append(order, k)
		}
		blind[k] = append(blind[k], t.Group.String()+" "+t.Metric)
		least[k] = max(least[k], repeatsFor(t.Paired, (1-o.Confidence)/2/float64(t.tests)))
		if all := t.Superiority == 1 && t.Better == "less" || t.Superiority == 0 && t.Better == "more"; all && !t.Cost && t.worsening() >= o.Worse {
			e.add(Finding{Severity: Warning, Kind: Untested, Where: t.Group.String(), Metric: t.Metric,
				Text: fmt.Sprintf("%s (worse) in every repeat, but %d repeats cannot tell it from chance", percent(t.Change), t.Repeats[1]),
				Do:   fmt.Sprintf("compare runs of %d repeats or more", repeatsFor(t.Paired, (1-o.Confidence)/2/float64(t.tests)))})
		}
	}
	for _, k := range order {
		what := "distributions"
		if k.cost {
			what = "costs"
		}
		e.add(Finding{Severity: Warning, Kind: Untested,
			Text: fmt.Sprintf("%s of %s are compared on too few repeats (%d and %d) for any test to find a change: %s", what, count(len(blind[k]), "metric", "metrics"), k.base, k.new, some(blind[k])),
			Do:   fmt.Sprintf("it takes %d repeats on both sides", least[k])})
	}
}

// otherMachine tells costs that are compared with those of another machine.
func (e *Experiment) otherMachine() {
	var told []string
	for _, t := range e.Tests {
		if t.Outcome == IsUntested && t.Cell == nil {
			told = append(told, fmt.Sprintf("%s %s × %.3g [%.3g, %.3g]", t.Group, t.Metric, 1+t.Change, t.Low, t.High))
		}
	}
	if len(told) > 0 {
		e.add(Finding{Severity: Note, Kind: Untested,
			Text: fmt.Sprintf("times of different machines are no verdict (%s; %s): %s", machine(e.Base), machine(e.New), some(told))})
	}
}

func machine(o Origin) string {
	m := o.Machine
	if m.CPU == "" {
		return strings.TrimSpace(fmt.Sprintf("%s/%s, %d cores", m.OS, m.Arch, m.Cores))
	}
	return fmt.Sprintf("%s, %d cores", m.CPU, m.Cores)
}
