package plan

import (
	"fmt"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/metrics"
	"mercer/internal/sizes"
	"mercer/methods"
)

// checkClaims refuses claims about metrics that the spec does not measure, that a method
// the claim names does not have, or no method of the spec, and comparisons of unlike things.
func (r *Resolved) checkClaims(problems *configs.Problems) {
	for _, claim := range r.Spec.Statements() {
		if claim.OnTarget {
			continue
		}
		_, kind := claim.Kind()
		r.checkQuantity(claim.Name(), kind.Quantity(), claimMethods(claim), problems)
		if ids := claim.Compared(); len(ids) > 0 {
			r.checkComparable(claim.Name(), kind.Quantity(), ids, problems)
		}
	}
}

// checkPlots does the same with plots, and refuses to draw points that a method
// has not.
func (r *Resolved) checkPlots(problems *configs.Problems) {
	for _, plot := range r.Spec.Plots {
		where := fmt.Sprintf("plot %q", plot.ID)
		for _, q := range plot.Quantities() {
			r.checkQuantity(where, q, plot.Where["method"].Value, problems)
			if plot.Kind == configs.PlotRanks {
				r.checkComparable(where, q, plot.Where["method"].Value, problems)
			}
		}
		if plot.Kind != configs.PlotScatter {
			continue
		}
		for _, id := range plot.Where["method"].Value {
			if m := r.Methods[id]; m != nil && m.Shape == methods.ShapePopulation {
				problems.Add(configs.Errorf(plot.Where["method"].Pos, "%s: method %q has no coordinates to draw: it is the population's own eigenspace", where, id))
			}
		}
	}
}

// checkBudgets does the same with budgets.
func (r *Resolved) checkBudgets(problems *configs.Problems) {
	for _, budget := range r.Spec.Budgets {
		for _, q := range budget.Quantities() {
			owner, ids := fmt.Sprintf("budget %q", budget.ID), budget.Where["method"].Value
			r.checkQuantity(owner, q, ids, problems)
			r.checkComparable(owner, q, ids, problems)
		}
	}
}

// checkTargets does the same with targets.
func (r *Resolved) checkTargets(problems *configs.Problems) {
	for _, target := range r.Spec.Targets {
		if measure := metrics.MeasureOf(target.ID); measure != "" || sizes.Is(target.ID) {
			problems.Add(configs.Errorf(target.Pos, "target %q has the name of a metric or a size; give it another, by which claims can name it", target.ID))
		}
		_, kind := target.Claim().Kind()
		r.checkQuantity(fmt.Sprintf("target %q", target.ID), kind.Quantity(), target.Methods(), problems)
	}
}

// checkQuantity checks the metrics that a quantity of owner uses; ids are the
// methods that must have them.
func (r *Resolved) checkQuantity(owner string, q configs.Quantity, ids []string, problems *configs.Problems) {
	for _, metric := range q.Names() {
		if sizes.Is(metric) || slices.Contains(r.Spec.Grid.Names(), metric) {
			continue
		}
		measure := metrics.MeasureOf(metric)
		switch {
		case measure == "" && metrics.Registry[metric].Doc != "":
			problems.Add(configs.Errorf(q.Pos, "%s: %q is a measure; its metrics are %s", owner, metric, strings.Join(metrics.Registry[metric].Metrics(), ", ")))
			continue
		case measure == "":
			problems.Add(configs.Errorf(q.Pos, "%s", configs.Unknown("metric", metric, owner, r.outputs())))
			continue
		case !r.Spec.Measure.Has(measure):
			problems.Add(configs.Errorf(q.Pos, "%s is about %q, which this spec does not measure; add %q to measure", owner, metric, measure))
			continue
		}
		for _, id := range ids {
			if err := r.missing(metric, id); err != nil {
				problems.Add(configs.Errorf(q.Pos, "%s: method %q: %v", owner, id, err))
			}
		}
		if len(ids) == 0 {
			r.checkSomeHas(owner, metric, q, problems)
		}
	}
}

// missing says why a method has no value of a metric on any data set of the spec; nil where
// it may have one, and for what is not known, which is a problem of its own.
func (r *Resolved) missing(metric, id string) (err error) {
	method, known := r.Methods[id]
	if !known {
		return nil
	}
	for _, d := range r.Spec.Datasets {
		if r.Datasets[d.ID] == nil {
			return nil
		}
		if err = metrics.Missing(metric, method.Entry, offer(r.Datasets[d.ID])); err == nil {
			return nil
		}
	}
	return err
}

// checkSomeHas refuses a metric that no method of the spec has.
func (r *Resolved) checkSomeHas(owner, metric string, q configs.Quantity, problems *configs.Problems) {
	var first error
	for _, m := range r.Spec.Methods {
		err := r.missing(metric, m.ID)
		if err == nil {
			return
		}
		if first == nil {
			first = fmt.Errorf("method %q: %w", m.ID, err)
		}
	}
	if first != nil {
		problems.Add(configs.Errorf(q.Pos, "%s: no method of this spec has %s: %v", owner, metric, first))
	}
}

// lackingNotes name the claims about all methods of which some do not have the metric.
func (r *Resolved) lackingNotes() []string {
	var notes []string
	for _, claim := range r.Spec.Statements() {
		if claim.OnTarget || len(claimMethods(claim)) > 0 {
			continue
		}
		_, kind := claim.Kind()
		for _, metric := range kind.Quantity().Names() {
			if metrics.MeasureOf(metric) == "" {
				continue
			}
			var lacking byReason
			for _, m := range r.Spec.Methods {
				if err := r.missing(metric, m.ID); err != nil {
					lacking.add(m.ID, claim.Name()+" is about all methods, and not applicable to", fmt.Sprintf(" (name the others by where: {method: [...]}): %v", err))
				}
			}
			notes = append(notes, lacking.lines()...)
		}
	}
	return notes
}

// checkComparable refuses to compare what methods of different kinds measure in spaces of
// their own; without ids, all methods of the spec are compared.
func (r *Resolved) checkComparable(owner string, q configs.Quantity, ids []string, problems *configs.Problems) {
	if len(ids) == 0 {
		ids = lists.Map(r.Spec.Methods, func(m configs.Component) string { return m.ID })
	}
	for _, metric := range q.Names() {
		var first string // that has the metric
		for _, id := range ids {
			if !metrics.OwnSpace(metric) || r.Methods[id] == nil || r.missing(metric, id) != nil {
				continue
			}
			if first == "" {
				first = id
			}
			if a, b := r.Methods[first].Use, r.Methods[id].Use; a != b {
				problems.Add(configs.Errorf(q.Pos, "%s compares %s of methods %q and %q, which are distances in different spaces (%s, %s); take partition_cost, which is in H for all clusters", owner, metric, first, id, a, b))
				break
			}
		}
	}
}

// claimMethods are the ids of the methods that a claim cannot do without.
func claimMethods(c configs.Claim) []string {
	if ids := c.Compared(); ids != nil {
		return ids
	}
	_, kind := c.Kind()
	return kind.Picked().Where["method"].Value
}
