package runner

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/theory"
)

// checkTheorems refuses claims on theorems that are not known, that are about
// other methods, or that this spec does not measure or give what they need.
func (r *Resolved) checkTheorems(theorems map[string]theory.Theorem, problems *configs.Problems) {
	for _, claim := range r.Spec.Claims {
		key, pos := claim.Checks()
		if key == "" {
			continue
		}
		where := fmt.Sprintf("claim %q", claim.ID)
		t, ok := theorems[key]
		if !ok {
			problems.Add(configs.Errorf(pos, "%s", configs.Unknown("theorem", key, where, slices.Sorted(maps.Keys(theorems)))))
			continue
		}
		about, err := r.methodsOf(claim, t)
		if err != nil {
			problems.Add(configs.Errorf(pos, "%s: %v", where, err))
		}
		if claim.Bound != nil {
			r.checkBound(claim, t, about, problems)
		}
	}
}

// methodsOf are the claim's methods that a theorem is about. A claim that
// compares methods needs one of them; a bound that names none takes those that
// it is about; any other claim must be about them alone.
func (r *Resolved) methodsOf(claim configs.Claim, t theory.Theorem) ([]configs.Component, error) {
	ids, all := named(claim), configs.IDs(r.Spec.Methods)
	compares := claim.Ratio != nil || claim.Order != nil && claim.Order.Methods != nil
	free := claim.Bound != nil && ids == nil
	if ids == nil {
		ids = all
	}
	var about []configs.Component
	var others []string
	for _, c := range r.Spec.Methods {
		switch {
		case !slices.Contains(ids, c.ID):
		case slices.Contains(t.Methods, c.Use):
			about = append(about, c)
		default:
			others = append(others, fmt.Sprintf("%q (use: %s)", c.ID, c.Use))
		}
	}
	if len(others) == 0 || len(about) > 0 && (compares || free) {
		return about, nil
	}
	advice := ""
	if len(about) > 0 {
		advice = "; pick by `where: {method: [" + strings.Join(configs.IDs(about), ", ") + "]}`"
	}
	return about, fmt.Errorf("%s is about %s, not about the method %s%s", t.Reference, strings.Join(t.Methods, ", "), strings.Join(others, ", "), advice)
}

// checkBound refuses a bound that cannot be evaluated, or not held against any
// metric.
func (r *Resolved) checkBound(claim configs.Claim, t theory.Theorem, about []configs.Component, problems *configs.Problems) {
	pos, where := claim.Bound.TheoremPos, fmt.Sprintf("claim %q", claim.ID)
	if t.Bound == nil {
		problems.Add(configs.Errorf(pos, "%s: %s is a rate, not a bound; claim a slope of %s, with `theorem: %s` beside it", where, t.Reference, t.Metric, t.Key))
		return
	}
	for _, metric := range append(configs.Names(configs.Value{Text: t.Metric}), t.Uses...) {
		measure := measureOf(metric)
		if measure != "" && !slices.Contains(r.Spec.Measure, measure) {
			problems.Add(configs.Errorf(pos, "%s: %s is about %s; add %q to measure", where, t.Reference, metric, measure))
		}
	}
	open := slices.Sorted(maps.Keys(t.Open))
	for _, name := range slices.Sorted(maps.Keys(claim.Bound.With)) {
		if !slices.Contains(open, name) {
			problems.Add(configs.Errorf(claim.Bound.WithPos[name], "%s", configs.Unknown("parameter", name, fmt.Sprintf("\"with\" of %s, on %s", where, t.Reference), open)))
		}
	}
	for _, size := range t.Sizes {
		given := slices.Contains(r.Spec.Grid.Names(), size) || slices.ContainsFunc(about, func(c configs.Component) bool {
			_, own := c.Sizes[size]
			return own
		})
		if !given && len(about) > 0 {
			problems.Add(configs.Errorf(pos, "%s: %s needs %s, which neither the grid nor one of its methods gives", where, t.Reference, size))
		}
	}
}
