package budget

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/selection"
	"mercer/results"
)

// Compare compares methods at equal cost, budget by budget.
//
// Within each cap, a method takes the cell of greatest mean cost that is at most
// the cap: cost alone chooses, so that no choice by the error favours a method
// with more cells. Of cells of equal cost it takes the last in canonical order,
// that of the largest sizes. Then, in each group and cap, each two methods are
// compared by the mean of the log ratio of their errors over repeats, which is
// paired since all methods of a repeat see the same sample: a two-sided t test,
// with p adjusted by Holm over all comparisons of the budget, each counted once
// where several caps choose the same two cells. Repeats lost to failures are
// imputed as in verdicts.
//
// Errors are about budgets that cannot be read at all (unknown columns, an
// expression that does not parse) and come with the results of all others.
func Compare(list []configs.Budget, run results.Run) ([]Comparison, error) {
	in := reader{selection.New(run, nil)}
	var all []Comparison
	var problems error
	for _, spec := range list {
		b, err := in.compare(spec)
		if err != nil {
			problems = errors.Join(problems, fmt.Errorf("budget %q: %w", spec.ID, err))
			continue
		}
		all = append(all, b)
	}
	return all, problems
}

func (in reader) compare(spec configs.Budget) (Comparison, error) {
	b := Comparison{ID: spec.ID, Title: spec.Title, Of: spec.Of.Text, Cost: spec.Cost.Text, Level: configs.DefaultLevel}
	of, err := in.Quantity(spec.Of)
	if err != nil {
		return b, err
	}
	cost, err := in.Quantity(spec.Cost)
	if err != nil {
		return b, err
	}
	methods := spec.Where["method"].Value
	if methods == nil {
		methods = in.methodsWith(of, spec.Where)
	}
	b.Methods = methods
	groups, err := in.Groups(spec.Selection, methods)
	if err != nil {
		return b, err
	}
	tests := &comparisons{level: b.Level, index: map[comparison]int{}}
	for _, g := range groups {
		b.Groups = append(b.Groups, in.group(g, spec, methods, of, cost, tests))
	}
	b.OfUnit, b.CostUnit = of.Unit(in.All), cost.Unit(in.All)
	switch missing := in.Run.Missing(); {
	case missing > 0:
		b.Problem = fmt.Sprintf("the run is incomplete: %d of %d records are missing", missing, missing+len(in.Run.Records))
	case len(methods) < 2:
		b.Problem = fmt.Sprintf("%d methods have %s, and a comparison needs two", len(methods), spec.Of.Text)
	case len(groups) == 0:
		b.Problem = "no record is in the selection"
	}
	if b.Problem == "" {
		b.Tests = len(tests.p)
	}
	tests.finish(b.Groups, b.Problem)
	for _, g := range b.Groups {
		for i := range g.Caps {
			g.Caps[i].decide(b.Level)
		}
	}
	b.Groups = append(b.Groups, in.absentGroups(spec.Where)...)
	return b, nil
}

// methodsWith lists the methods, in the order of the spec, of which a picked record gives the
// quantity.
func (in reader) methodsWith(q *selection.Quantity, where configs.Conditions) []string {
	have := map[string]bool{}
	for _, r := range in.All {
		if !have[r.Method] && selection.Matches(r, where) {
			if _, err := q.Value(r); err == nil {
				have[r.Method] = true
			}
		}
	}
	methods := slices.Sorted(maps.Keys(have))
	slices.SortStableFunc(methods, func(a, b string) int { return in.Order.Compare("method", a, b) })
	return methods
}

// absentGroups are those of data sets that are missing.
func (in reader) absentGroups(where configs.Conditions) []Group {
	return lists.Map(in.Absent(where), func(id string) Group {
		return Group{At: []selection.Coordinate{{Name: "dataset", Value: id}}, Reason: "its data are missing"}
	})
}

// group finds the cells of a group and compares them within each cap.
func (in reader) group(g selection.Group, spec configs.Budget, methods []string, of, cost *selection.Quantity, tests *comparisons) Group {
	out := Group{At: g.At}
	cells, reasons, within := map[string][]cell{}, map[string]string{}, map[string]selection.Coordinates{}
	for _, method := range methods {
		own := selection.Distinct(selection.Pick(g.Records, func(r *results.Record) bool { return r.Method == method }))
		within[method] = in.CoordinatesWithin(own)
		cells[method], reasons[method] = in.cells(own, of, cost)
	}
	caps := slices.Sorted(slices.Values(spec.At))
	if len(caps) == 0 {
		caps = chosenCaps(methods, cells)
	}
	if len(caps) == 0 {
		out.Reason = "fewer than two methods have a cell with a cost"
		return out
	}
	for _, c := range caps {
		at := Cap{Cap: c, Best: -1}
		for _, method := range methods {
			m := withinCap(method, cells[method], c, reasons[method])
			if m.record != nil {
				m.Cell = within[method].At(m.record)
			}
			at.Methods = append(at.Methods, m)
		}
		out.Caps = append(out.Caps, at)
	}
	for i := range out.Caps {
		tests.add(selection.Describe(g.At), &out.Caps[i])
	}
	return out
}
