package plan

import (
	"fmt"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/metrics"
	"mercer/internal/sizes"
	"mercer/methods"
)

// checkClaims refuses claims about metrics that the spec does not measure, or
// that are not defined for a method the claim names.
func (r *Resolved) checkClaims(problems *configs.Problems) {
	for _, claim := range r.Spec.Statements() {
		if claim.OnTarget {
			continue
		}
		_, kind := claim.Kind()
		r.checkQuantity(claim.Name(), kind.Quantity(), claimMethods(claim), problems)
	}
}

// checkPlots does the same with plots, and refuses to draw points that a method
// has not.
func (r *Resolved) checkPlots(problems *configs.Problems) {
	for _, plot := range r.Spec.Plots {
		where := fmt.Sprintf("plot %q", plot.ID)
		for _, q := range plot.Quantities() {
			r.checkQuantity(where, q, plot.Where["method"].Value, problems)
		}
		if plot.Kind != configs.PlotScatter {
			continue
		}
		for _, id := range plot.Where["method"].Value {
			if r.Methods[id].Shape == methods.ShapePopulation {
				problems.Add(configs.Errorf(plot.Where["method"].Pos, "%s: method %q has no coordinates to draw: it is the population's own eigenspace", where, id))
			}
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
		if slices.Contains(r.Spec.Columns(), metric) {
			continue
		}
		measure := metrics.MeasureOf(metric)
		switch {
		case measure == "" && len(metrics.Registry[metric].Outputs) > 0:
			problems.Add(configs.Errorf(q.Pos, "%s: %q is a measure; its metrics are %s", owner, metric, strings.Join(metrics.Registry[metric].Outputs, ", ")))
			continue
		case measure == "":
			problems.Add(configs.Errorf(q.Pos, "%s", configs.Unknown("metric", metric, owner, r.outputs())))
			continue
		case !r.Spec.Measure.Has(measure):
			problems.Add(configs.Errorf(q.Pos, "%s is about %q, which this spec does not measure; add %q to measure", owner, metric, measure))
			continue
		}
		for _, id := range ids {
			if _, known := r.Methods[id]; !known {
				continue // a problem of its own
			}
			if err := metrics.Undefined(measure, r.Methods[id].Shape, metrics.Capabilities{Population: true, HeldOut: true, Response: true}); err != nil {
				problems.Add(configs.Errorf(q.Pos, "%s: method %q: %v", owner, id, err))
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
