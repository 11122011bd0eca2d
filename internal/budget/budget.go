package budget

import (
	"errors"
	"fmt"
	"slices"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/results"
)

// Compare compares methods at equal cost, budget by budget.
//
// Within each cap, a method takes the cell of greatest mean cost that is at most
// the cap: cost alone chooses, so that no choice by the error favours a method
// with more cells. Of cells of equal cost it takes the last in canonical order,
// that of the largest sizes. Then, in each group and cap, each two methods are
// compared by the mean of the log ratio of their errors over repeats, which is
// paired since all methods of a repeat see the same sample: by inference.Comparison,
// with p adjusted by Holm over all comparisons of the budget, each counted once
// where several caps choose the same two cells. Repeats lost to failures are
// imputed as in verdicts.
//
// Errors are about budgets that cannot be read at all (unknown columns, an
// expression that does not parse) and come with the results of all others.
func Compare(list []configs.Budget, run results.Run) ([]Comparison, error) {
	in := reader{run}
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
	b := Comparison{ID: spec.ID, Title: spec.Title, Of: spec.Of.Text, Cost: spec.Cost.Text, Level: configs.DefaultLevel, Confidence: claims.Confidence(in.run)}
	of, err := in.run.Quantity(spec.Of)
	if err != nil {
		return b, err
	}
	cost, err := in.run.Quantity(spec.Cost)
	if err != nil {
		return b, err
	}
	methods := spec.Where["method"].Value
	if methods == nil {
		if methods, err = in.methodsWith(of, spec.Where); err != nil {
			return b, err
		}
	}
	b.Methods = methods
	groups, err := in.run.Groups(spec.Selection, methods)
	if err != nil {
		return b, err
	}
	tests := &comparisons{confidence: b.Confidence, index: map[comparison]int{}}
	for _, g := range groups {
		b.Groups = append(b.Groups, in.group(g, spec, methods, of, cost, tests))
	}
	b.OfUnit, b.CostUnit = in.run.Unit(of), in.run.Unit(cost)
	switch missing := in.run.Missing(); {
	case missing > 0:
		b.Problem = fmt.Sprintf("the run is incomplete: %d of %d rows are missing", missing, missing+len(in.run.Rows))
	case len(methods) < 2:
		b.Problem = fmt.Sprintf("%d methods have %s, and a comparison needs two", len(methods), spec.Of.Text)
	case len(groups) == 0:
		b.Problem = "no row is in the selection"
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

// methodsWith lists the methods, in the order of the spec, of which a picked row gives the
// quantity.
func (in reader) methodsWith(q *results.Quantity, where configs.Conditions) ([]string, error) {
	rows, err := in.run.Select(where)
	have := map[string]bool{}
	for _, r := range rows {
		if !have[r.Method()] {
			_, err := q.Value(r)
			have[r.Method()] = err == nil
		}
	}
	return lists.Where(configs.IDs(in.run.Spec.Methods), func(id string) bool { return have[id] }), err
}

// absentGroups are those of picked data sets that are missing.
func (in reader) absentGroups(where configs.Conditions) (groups []Group) {
	picked := where["dataset"].Value
	for _, id := range configs.IDs(in.run.Spec.Datasets) {
		if in.run.Catalog.Absent[id] != "" && (picked == nil || slices.Contains(picked, id)) {
			groups = append(groups, Group{At: results.Key{}.With("dataset", configs.TextOf(id)), Reason: "its data are missing"})
		}
	}
	return groups
}

// group finds the cells of a group and compares them within each cap.
func (in reader) group(g results.Group, spec configs.Budget, methods []string, of, cost *results.Quantity, tests *comparisons) Group {
	out := Group{At: g.At}
	cells, reasons := map[string][]cell{}, map[string]string{}
	for _, method := range methods {
		own := lists.Where(g.Rows, func(r *results.Row) bool { return r.Method() == method })
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
			at.Methods = append(at.Methods, withinCap(method, cells[method], c, reasons[method]))
		}
		out.Caps = append(out.Caps, at)
	}
	for i := range out.Caps {
		tests.add(g.At, &out.Caps[i])
	}
	return out
}
