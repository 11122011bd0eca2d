package plan

import (
	"fmt"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/metrics"
	"mercer/internal/sizes"
)

// ask is what a claim, plot, budget or target of the spec asks of the table, e.g. recon_h of
// the methods a and b along n.
type ask struct {
	owner    string // as messages call it: claim "rate"
	pos      configs.Pos
	of       []configs.Quantity
	methods  []string // that must have what is asked; where none is named, one of all must
	compares bool     // the methods with each other
	where    configs.Conditions

	// At each place, of data set, kernel, method and these columns, there may be one cell
	// alone; nil for any number. A cell counts if it has a value of over.
	columns []string
	over    string // "" for none
}

// asks are those of the whole spec.
func (r *Resolved) asks() []ask {
	var all []ask
	for _, claim := range r.Spec.Statements() {
		if !claim.OnTarget {
			all = append(all, claimAsks(claim.Name(), claim))
		}
	}
	for _, plot := range r.Spec.Plots {
		all = append(all, plotAsks(plot))
	}
	for _, ranking := range r.Spec.Ranks {
		all = append(all, ask{owner: "ranks of " + ranking.Of.Text, pos: ranking.Pos, of: []configs.Quantity{ranking.Of}, methods: ranking.Where["method"].Value, compares: true})
	}
	for _, budget := range r.Spec.Budgets {
		all = append(all, ask{owner: fmt.Sprintf("budget %q", budget.ID), of: budget.Quantities(), methods: budget.Where["method"].Value, compares: true})
	}
	for _, target := range r.Spec.Targets {
		all = append(all, claimAsks(fmt.Sprintf("target %q", target.ID), target.Claim()))
	}
	return all
}

func claimAsks(owner string, c configs.Claim) ask {
	_, kind := c.Kind()
	a := ask{owner: owner, pos: c.Pos, of: []configs.Quantity{kind.Quantity()}, methods: claimMethods(c), compares: len(c.Compared()) > 0, where: kind.Picked().Where}
	if s := c.Slope; s != nil {
		a.columns, a.over = append(s.By.Texts(), s.Over.Value), s.Over.Value
	}
	return a
}

// claimMethods are the ids of the methods that a claim cannot do without.
func claimMethods(c configs.Claim) []string {
	if ids := c.Compared(); ids != nil {
		return ids
	}
	_, kind := c.Kind()
	return kind.Picked().Where["method"].Value
}

func plotAsks(plot configs.Plot) ask {
	return ask{owner: fmt.Sprintf("plot %q", plot.ID), pos: plot.Pos, of: plot.Quantities(), methods: plot.Where["method"].Value, where: plot.Where}
}

// checkAsks refuses to ask for metrics that the spec does not measure, or that a method which is
// named does not have, or no method of the spec, and to compare unlike things.
func (r *Resolved) checkAsks(problems *configs.Problems) {
	for _, a := range r.asks() {
		for _, q := range a.of {
			for _, metric := range q.Names() {
				if !sizes.Is(metric) && !slices.Contains(r.Spec.Grid.Names(), metric) {
					problems.Add(r.checkMetric(a, q, metric))
				}
				if a.compares {
					problems.Add(r.checkComparable(a, q, metric))
				}
			}
		}
	}
}

// checkMetric checks one metric that a quantity uses.
func (r *Resolved) checkMetric(a ask, q configs.Quantity, metric string) error {
	measure := r.measureOf(metric)
	switch {
	case measure == "" && metrics.Registry[metric].Doc != "":
		return configs.Errorf(q.Pos, "%s: %q is a measure; its metrics are %s", a.owner, metric, strings.Join(metrics.Registry[metric].Metrics(), ", "))
	case measure == "":
		return configs.Errorf(q.Pos, "%s", configs.Unknown("metric", metric, a.owner, slices.Concat(r.outputs(), r.Spec.Grid.Names())))
	case !r.Spec.Measure.Has(measure):
		return configs.Errorf(q.Pos, "%s is about %q, which this spec does not measure; add %q to measure", a.owner, metric, measure)
	}

	var problems configs.Problems
	for _, id := range a.methods {
		if err := r.missing(metric, id); err != nil {
			problems.Add(configs.Errorf(q.Pos, "%s: method %q: %v", a.owner, id, err))
		}
	}
	if all := configs.IDs(r.Spec.Methods); len(a.methods) == 0 && len(all) > 0 && !slices.ContainsFunc(all, func(id string) bool { return r.missing(metric, id) == nil }) {
		problems.Add(configs.Errorf(q.Pos, "%s: no method of this spec has %s: method %q: %v", a.owner, metric, all[0], r.missing(metric, all[0])))
	}
	return problems.Err()
}

// missing says why a method has no value of a metric on any data set of the spec; nil where
// it may have one, and for what is not known, which is a problem of its own.
func (r *Resolved) missing(metric, id string) (err error) {
	method, known := r.Methods[id]
	if !known || r.Own[r.measureOf(metric)] != nil {
		return nil
	}
	for _, d := range r.Spec.Datasets {
		if r.Datasets[d.ID] == nil {
			return nil
		}
		if err = metrics.Missing(metric, method.Traits, offer(r.Datasets[d.ID])); err == nil {
			return nil
		}
	}
	return err
}

// checkComparable refuses to compare what methods of different kinds measure in spaces of
// their own.
func (r *Resolved) checkComparable(a ask, q configs.Quantity, metric string) error {
	if !metrics.OwnSpace(metric) {
		return nil
	}
	ids := a.methods
	if len(ids) == 0 {
		ids = configs.IDs(r.Spec.Methods)
	}
	having := lists.Where(ids, func(id string) bool { return r.Methods[id] != nil && r.missing(metric, id) == nil })
	for _, id := range having {
		if one, other := r.Methods[having[0]].Use, r.Methods[id].Use; one != other {
			return configs.Errorf(q.Pos, "%s compares %s of methods %q and %q, which are distances in different spaces (%s, %s); take partition_cost, which is in H for all clusters", a.owner, metric, having[0], id, one, other)
		}
	}
	return nil
}
