package compare

import (
	"fmt"
	"slices"
)

// Compare holds runs against earlier ones. Tests are corrected over all pairs together.
func Compare(pairs []Pair, o Options) Comparison {
	c := Comparison{Thresholds: o.Thresholds, Experiments: make([]Experiment, len(pairs)), Findings: []Finding{}}
	var tests []*Test
	for i, p := range pairs {
		c.Experiments[i] = compareOne(p, o)
		for j := range c.Experiments[i].Tests {
			tests = append(tests, &c.Experiments[i].Tests[j])
		}
	}
	decide(tests, o.Thresholds)
	for i := range c.Experiments {
		c.Experiments[i].conclude(o)
	}
	return c
}

// compareOne does all but what depends on the correction over all tests.
func compareOne(p Pair, o Options) Experiment {
	e := Experiment{
		Experiment: p.New.Spec.Name, Profile: p.New.Manifest.Profile,
		Base: p.Base.origin(), New: p.New.origin(), Tests: []Test{}, Findings: []Finding{},
	}
	all := matches(p)
	here := slices.DeleteFunc(slices.Clone(all), func(m match) bool { return p.absent(m.cell.Text("dataset")) })
	e.structure(p, all, here)
	var same, other []match
	for _, m := range all {
		switch {
		case !m.onBoth():
			continue
		case m.sameRows():
			same = append(same, m)
		default:
			other = append(other, m)
		}
	}
	e.Cells = len(same) + len(other)
	switch {
	case len(all) == 0:
		e.add(Finding{Severity: Regression, Kind: Untested, Text: "nothing could be compared: neither side has a row", Do: reference})
	case e.Cells == 0 && len(here) > 0:
		e.add(Finding{Severity: Regression, Kind: Untested, Text: "nothing could be compared: the sides have no cell in common", Do: reference})
	}
	if p.Base.Missing() > 0 && p.Base.Manifest.Filter == "" {
		e.add(Finding{Severity: Warning, Kind: Untested, Text: fmt.Sprintf("the base is incomplete: it has %d of %d rows", len(p.Base.Rows), len(p.Base.Manifest.IDs)),
			Do: "finish it by mercer run"})
	}
	e.numbers(p, same, o)
	e.Tests = slices.Concat(e.Tests, distributions(p, other, o), costs(p, slices.Concat(same, other), o))
	e.uncompared(here, o)
	sameRows := len(same) == len(all) && e.Numbers.Drifted+e.Numbers.Tipped == 0
	e.verdicts(p, sameRows)
	e.answers(p, sameRows)
	return e
}
