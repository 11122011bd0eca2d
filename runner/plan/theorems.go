package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/metrics"
	"mercer/internal/theory"
	"mercer/methods"
)

// checkTheorems refuses claims on theorems that are not known, that are about
// other methods, or that this spec does not measure or give what they need.
func (r *Resolved) checkTheorems(theorems map[string]theory.Theorem, problems *configs.Problems) {
	for _, claim := range r.Spec.Statements() {
		if claim.Bound != nil && claim.Bound.Of.Text != "" {
			r.checkOwn(claim, problems)
			continue
		}
		checks := claim.Checks()
		key, pos := checks.Value, checks.Pos
		if key == "" {
			continue
		}
		where := claim.Name()
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

// checkOwn refuses a bound of the spec's own that uses what nothing gives.
func (r *Resolved) checkOwn(claim configs.Claim, problems *configs.Problems) {
	bound, _ := claim.Bound.Own()
	t := theory.Own(*claim.Bound, func(name string) bool { return r.measureOf(name) != "" })
	known := append(r.Spec.Columns(), "delta")
	for _, constants := range constantNames(r.Spec) {
		known = append(known, constants...)
	}
	for _, name := range slices.Sorted(maps.Keys(claim.Bound.With)) {
		if slices.Contains(known, name) || r.measureOf(name) != "" {
			problems.Add(configs.Errorf(claim.Bound.With[name].Pos, "with: %q has a value already, as a column, a constant or a metric: take another name", name))
		}
	}
	known = append(known, slices.Collect(maps.Keys(t.Open))...)
	a := claimAsks(claim.Name(), claim)
	for _, name := range bound.Names() {
		switch {
		case slices.Contains(t.Uses, name):
			problems.Add(r.checkMetric(a, *bound, name))
		case !slices.Contains(known, name):
			problems.Add(configs.Errorf(bound.Pos, "%s", configs.Unknown("name", name, "the bound of "+a.owner, append(known, r.outputs()...))+fmt.Sprintf("; a parameter has its value under `with: {%s: …}`", name)))
		}
	}
	for _, size := range lists.Where(lists.Once(t.Sizes), func(size string) bool { return slices.Contains(known, size) }) {
		problems.Add(r.checkUses(a, *bound, size))
	}
	checkWith(claim, t, problems)
}

// checkUses refuses a bound of a size that a method of the claim has not, or where it names none, all.
func (r *Resolved) checkUses(a ask, bound configs.Value, size string) error {
	all := configs.IDs(r.Spec.Methods)
	having := lists.Where(all, func(id string) bool { return slices.Contains(r.Methods[id].Uses, size) })
	for _, id := range a.methods {
		if !slices.Contains(having, id) {
			return configs.Errorf(bound.Pos, "%s: the method %q has no %s; pick by `where: {method: [%s]}`", a.owner, id, size, strings.Join(having, ", "))
		}
	}
	if len(having) == 0 {
		return configs.Errorf(bound.Pos, "%s: no method of this spec has %s; write a bound without it", a.owner, size)
	}
	return nil
}

// checkWith refuses parameters that a bound does not leave open.
func checkWith(claim configs.Claim, t theory.Theorem, problems *configs.Problems) {
	open := slices.Sorted(maps.Keys(t.Open))
	for _, name := range slices.Sorted(maps.Keys(claim.Bound.With)) {
		if !slices.Contains(open, name) {
			problems.Add(configs.Errorf(claim.Bound.With[name].Pos, "%s", configs.Unknown("parameter", name, fmt.Sprintf("\"with\" of %s, on %s", claim.Name(), t.Reference), open)))
		}
	}
}

// methodsOf are the claim's methods that a theorem is about. A claim that
// compares methods needs one of them; a bound that names none takes those that
// it is about; any other claim must be about them alone.
func (r *Resolved) methodsOf(claim configs.Claim, t theory.Theorem) ([]configs.Component, error) {
	ids, all := claimMethods(claim), configs.IDs(r.Spec.Methods)
	compares := claim.Compared() != nil
	free := claim.Bound != nil && ids == nil
	if ids == nil {
		ids = all
	}
	var about []configs.Component
	var others []string
	for _, c := range r.Spec.Methods {
		switch {
		case !slices.Contains(ids, c.ID):
		case !slices.Contains(t.Methods, c.Use.Value):
			others = append(others, fmt.Sprintf("%q (use: %s)", c.ID, c.Use.Value))
		default:
			about = append(about, c)
			if err := r.checkOptions(c, t); err != nil {
				return about, err
			}
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

// checkOptions refuses a method with options that a theorem is not about.
func (r *Resolved) checkOptions(c configs.Component, t theory.Theorem) error {
	for _, name := range slices.Sorted(maps.Keys(t.Options)) {
		value, ok := methods.OptionOf(r.Methods[c.ID].Options, name)
		if values := t.Options[name]; ok && !slices.Contains(values, value) {
			return fmt.Errorf("%s is about %s: %s, not about the method %q with %s: %s", t.Reference, name, strings.Join(values, " or "), c.ID, name, value)
		}
	}
	return nil
}

// checkBound refuses a bound that cannot be evaluated, or compared with any
// metric.
func (r *Resolved) checkBound(claim configs.Claim, t theory.Theorem, about []configs.Component, problems *configs.Problems) {
	pos, where := claim.Bound.Theorem.Pos, claim.Name()
	if t.Bound == nil {
		problems.Add(configs.Errorf(pos, "%s: %s is a rate, not a bound; claim a slope of %s, with `theorem: %s` beside it", where, t.Reference, t.Metric, t.Key))
		return
	}
	for _, metric := range append(configs.NewQuantity(t.Metric).Names(), t.Uses...) {
		measure := metrics.MeasureOf(metric)
		if measure != "" && !r.Spec.Measure.Has(measure) {
			problems.Add(configs.Errorf(pos, "%s: %s is about %s; add %q to measure", where, t.Reference, metric, measure))
		}
	}
	checkWith(claim, t, problems)
	if t.Sampled {
		r.checkSamples(*claim.Bound, t, problems)
	}
	for name, when := range t.MustWith {
		for _, c := range about {
			_, given := claim.Bound.With[name]
			if value, _ := methods.OptionOf(r.Methods[c.ID].Options, when[0]); !given && value == when[1] {
				problems.Add(configs.Errorf(pos, "%s: with %s: %s of the method %q %s needs `with: {%s: …}`, %s", where, when[0], value, c.ID, t.Reference, name, t.Open[name]))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.Open)) {
		given, ok := claim.Bound.With[name]
		if _, standard := t.Defaults[name]; !ok && !standard {
			problems.Add(configs.Errorf(pos, "%s: %s needs `with: {%s: …}`, %s", where, t.Reference, name, t.Open[name]))
		}
		if name != "level" {
			continue
		}
		for _, c := range about {
			number, isNumber := given.Value.Number()
			if level, has := methods.LevelOf(r.Methods[c.ID].Options); has && isNumber && number != level {
				problems.Add(configs.Errorf(claim.Bound.With[name].Pos, "%s: level %s, but the landmarks of the method %q have level %g", where, given.Value.Text, c.ID, level))
			}
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

// checkSamples refuses data sets of which every repeat has the same points where
// repeats are to be draws of a sample.
func (r *Resolved) checkSamples(b configs.Bound, t theory.Theorem, problems *configs.Problems) {
	for _, c := range r.Spec.Datasets {
		if picked := b.Where["dataset"].Value; picked != nil && !slices.Contains(picked, c.ID) {
			continue
		}
		if o := r.Datasets[c.ID]; o != nil && o.Traits().Fixed {
			problems.Add(configs.Errorf(b.Theorem.Pos, "%s is about independent samples, and every repeat of dataset %q has the same points; take sample: random", t.Reference, c.ID))
		}
	}
}
