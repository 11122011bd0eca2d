package claims

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/facts"
	"mercer/internal/lists"
	"mercer/internal/theory"
	"mercer/results"
)

// bound judges, in each cell where the theorem's conditions hold, in which
// fraction of the repeats the metric lies inside its bound.
func (j *judge) bound(c configs.Claim) ([]Verdict, error) {
	t := j.world.Theorems[c.Bound.Theorem.Value]
	if t.Bound == nil {
		return nil, fmt.Errorf("%s (%s) is a rate, not a bound; check it by a slope with `theorem: %s` beside it", t.Reference, t.Key, t.Key)
	}
	verdicts, err := j.eachGroup(c, nil, func(v Verdict, g results.Group, q *results.Quantity) Verdict {
		v = bounding{judge: j, theorem: t, claim: *c.Bound, group: g}.verdict(v, q)
		v.Notes = append(v.Notes, assumptionNotes(t)...)
		return v
	})
	for i := range verdicts {
		if verdicts[i].rows == nil {
			verdicts[i].Notes = append(verdicts[i].Notes, fmt.Sprintf("%s is about %s", t.Reference, strings.Join(t.Methods, ", ")))
		}
	}
	return verdicts, err
}

// bounding judges a theorem's bound in one group.
type bounding struct {
	*judge
	theorem theory.Theorem
	claim   configs.Bound
	group   results.Group
}

func (b bounding) verdict(v Verdict, q *results.Quantity) Verdict {
	v.Relation, v.Target = ">=", 1-b.claim.Delta
	readings, ok := b.readings(&v, b.group, q)
	if !ok {
		return v
	}
	cells, err := b.cells(readings)
	if err != nil {
		return inconclusive(v, badClaim(err.Error()))
	}
	open := b.open()
	if len(open) > 1 {
		return inconclusive(v, doubt("open_parameters", "theorem", b.theorem.Reference, "names", open))
	}
	if len(open) == 1 {
		setParameter(cells, open[0], 1)
	}
	if err := b.evaluate(cells); err != nil {
		return b.unknown(v, err)
	}
	for _, c := range cells {
		v.Bounds = append(v.Bounds, c.outlined(v.Target))
	}
	applicable, notes := b.applicable(&v, cells)
	v.Notes = append(v.Notes, notes...)
	switch {
	case len(applicable) == 0:
		v.Outcome = NotApplicable
		v.say(b.failure(cells))
		return v
	case len(open) == 1:
		return smallest(v, applicable, b.theorem, open[0], b.evaluate)
	}
	return judgeInformative(v, applicable, b.theorem)
}

// open are the parameters that nothing gives a value to.
func (b bounding) open() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(b.theorem.Open)), func(name string) bool {
		_, given := b.claim.With[name]
		_, standard := b.theorem.Defaults[name]
		return given || standard
	})
}

// cells are the cells of readings with the theorem's settings.
func (b bounding) cells(readings []results.Reading) ([]boundCell, error) {
	var cells []boundCell
	names := b.namesWithin(b.group.Rows)
	for _, in := range cellsOf(readings) {
		c := boundCell{at: in[0].Row.At.Only(names...)}
		given, err := b.given(in[0].Row)
		if err != nil {
			return nil, err
		}
		for _, m := range in {
			if m.Skipped() {
				continue
			}
			setting, err := b.setting(m.Row, given)
			if err != nil {
				return nil, err
			}
			c.repeats = append(c.repeats, boundRepeat{Reading: m, setting: setting})
		}
		if len(c.repeats) > 0 {
			cells = append(cells, c)
		}
	}
	return cells, nil
}

// given are the numbers by name that a theorem may use in one cell: constants,
// grid variables, and its open parameters, which come from `with` alone.
func (b bounding) given(r *results.Row) (map[string]float64, error) {
	env := b.Constants([]*results.Row{r})
	given := maps.Clone(env)
	maps.Copy(given, b.theorem.Defaults)
	for name, v := range b.claim.With {
		value, err := env.Eval(&v.Value)
		if err != nil {
			return nil, fmt.Errorf("%s in with: %w", name, err)
		}
		given[name] = value
	}
	return given, nil
}

// setting is what the theorem is asked at a record; nil where the record lacks
// a metric that the bound is computed from.
func (b bounding) setting(r *results.Row, given map[string]float64) (*theory.Setting, error) {
	s := theory.Setting{Delta: b.claim.Delta, Given: maps.Clone(given)}
	b.setSizes(&s, r)
	for _, name := range b.theorem.Sizes {
		if s.Sizes.Get(name) < 1 {
			return nil, fmt.Errorf("%s needs %s, which neither the grid nor the method gives", b.theorem.Reference, name)
		}
	}
	for _, name := range b.theorem.Uses {
		m, ok := r.Metrics.Get(name)
		if !ok {
			return nil, nil
		}
		s.Given[name] = m
	}
	return &s, nil
}

// evaluate asks the theorem at every setting; once for repeats of a cell that
// it cannot tell apart. It goes repeat by repeat, so that populations that
// change with the repeat are needed one after another.
func (b bounding) evaluate(cells []boundCell) error {
	type place struct{ cell, repeat int }
	var order []place
	for i, c := range cells {
		for k, a := range c.repeats {
			if a.setting != nil {
				order = append(order, place{i, k})
			}
		}
	}
	slices.SortStableFunc(order, func(p, q place) int {
		return cells[p.cell].repeats[p.repeat].Row.Repeat - cells[q.cell].repeats[q.repeat].Row.Repeat
	})

	last := make([]theory.Setting, len(cells))
	answers := make([]answer, len(cells))
	for _, p := range order {
		a := &cells[p.cell].repeats[p.repeat]
		s := *a.setting
		population := b.population(a.Row)
		s.Population = population
		if last[p.cell].Population == nil || !sameSetting(last[p.cell], s) {
			var err error
			if answers[p.cell], err = b.ask(s, population, a.Row); err != nil {
				return err
			}
			last[p.cell] = s
		}
		a.answer = answers[p.cell]
		if a.OK() && slices.Contains(a.Row.Rounded, b.theorem.Metric) {
			a.nothing = a.bound.Applies() && (a.rounding || !covers(a.bound, a.Value))
		}
	}
	return nil
}

// ask is the theorem's bound at a record's setting, and the trivial value there.
func (b bounding) ask(s theory.Setting, population *facts.Population, r *results.Row) (answer, error) {
	bound, err := b.theorem.Bound(s)
	a := answer{bound: bound, trivial: math.NaN()}
	if why := population.Unanswered(); why != nil {
		return a, unknownPopulation{r.Dataset(), why}
	}
	if err != nil {
		return a, fmt.Errorf("%s at %s: %w", b.theorem.Reference, nameOf(r), err)
	}
	if bound.Applies() && (math.IsNaN(bound.Upper) || math.IsNaN(bound.Lower)) {
		return a, fmt.Errorf("%s gives no bound at %s, though its conditions hold", b.theorem.Reference, nameOf(r))
	}
	if a.rounding, err = b.isRounding(bound, s, r); err != nil {
		return a, err
	}
	if bound.Applies() && b.theorem.Trivial.Value != nil {
		value, err := b.theorem.Trivial.Value(s)
		if a.unknown = cmp.Or(population.Unanswered(), err); a.unknown == nil {
			a.trivial = value
		}
	}
	return a, nil
}

// isRounding says that a bound from above is mostly rounding: that of metrics which it is
// computed from, as the record says.
func (b bounding) isRounding(bound theory.Bound, s theory.Setting, r *results.Row) (bool, error) {
	rounded := lists.Where(b.theorem.Uses, func(name string) bool { return slices.Contains(r.Rounded, name) })
	if len(rounded) == 0 || !bound.Applies() {
		return false, nil
	}
	s.Given = maps.Clone(s.Given)
	for _, name := range rounded {
		s.Given[name] = 0
	}
	rest, err := b.theorem.Bound(s)
	return !(rest.Upper > bound.Upper/2), err
}

// sameSetting says whether a theorem must answer the same at both.
func sameSetting(a, b theory.Setting) bool {
	return a.Population == b.Population && maps.Equal(a.Given, b.Given) &&
		a.Sizes == b.Sizes
}

// unknown is the verdict where the bound cannot be computed.
func (b bounding) unknown(v Verdict, err error) Verdict {
	if errors.As(err, new(unknownPopulation)) {
		return inconclusive(v, doubt("unknown_population", "why", err.Error(), "dataset", b.group.Rows[0].Dataset()))
	}
	return inconclusive(v, badClaim(err.Error()))
}

// applicable are the cells in all of whose repeats the theorem applies. It
// fills in the verdict's conditions and notes what is left out.
func (b bounding) applicable(v *Verdict, cells []boundCell) (apply []boundCell, notes []string) {
	var out []boundCell
	for _, c := range cells {
		if len(c.failing()) == 0 {
			apply = append(apply, c)
		} else {
			out = append(out, c)
		}
	}
	shown := nearest(out)
	if len(apply) > 0 {
		shown = apply[0]
	}
	v.Conditions = shown.conditions(len(apply), len(cells))
	if len(apply) == 0 || len(out) == 0 {
		return apply, nil
	}
	const most = 3
	examples := lists.Map(out[:min(len(out), most)], func(c boundCell) string { return fmt.Sprintf("%s (%s)", c.at.String(), c.why()) })
	return apply, []string{doubt("left_out", "theorem", b.theorem.Reference, "out", len(out), "cells", len(cells), "examples", examples, "more", len(out)-len(examples)).sentence()}
}

// failure says why the theorem applies nowhere, where it comes nearest to.
func (b bounding) failure(cells []boundCell) Doubt {
	c := nearest(cells)
	return doubt("applies_nowhere", "cells", len(cells), "at", c.at, "why", c.why(), "enough", b.needs(c))
}

// needs are the sizes from which on the theorem would apply to a cell, the rest staying as it
// is; empty where they are not known.
func (b bounding) needs(c boundCell) string {
	if len(b.theorem.Uses) > 0 || len(c.failing()) == 0 {
		return "" // what was measured would change with the sizes
	}
	first := c.failing()[0]
	if first.bound.Applies() {
		return "" // nothing is left over
	}
	s := *first.setting
	s.Population = b.population(first.Row)
	enough, _ := theory.NeedsText(b.theorem, s)
	return enough
}
