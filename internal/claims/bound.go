package claims

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/facts"
	"mercer/internal/inference"
	"mercer/internal/lists"
	"mercer/internal/theory"
	"mercer/results"
)

// bound judges, in each cell where the theorem's conditions hold, in which
// fraction of the repeats the metric lies inside its bound.
func (j *judge) bound(c configs.Claim) ([]Verdict, error) {
	t := j.bounds(*c.Bound)
	if t.Bound == nil {
		return nil, fmt.Errorf("%s (%s) is a rate, not a bound; check it by a slope with `theorem: %s` beside it", t.Reference, t.Key, t.Key)
	}
	return j.eachGroup(c, nil, func(v Verdict, p part) Verdict { return bounding{judge: j, theorem: t, claim: *c.Bound}.verdict(v, p) })
}

// bounding judges a theorem's bound.
type bounding struct {
	*judge
	theorem theory.Theorem
	claim   configs.Bound
}

// boundCell is a cell with what the theorem says at each repeat that gave a value.
type boundCell struct {
	at      results.Key // for a reader
	row     results.Key // of its rows
	repeats []*boundRepeat
	lost    []string // why the others gave none
}

// boundRepeat is a reading with the theorem's setting there.
type boundRepeat struct {
	results.Reading
	setting theory.Setting
	bound   theory.Bound
	trivial float64 // the trivial value; NaN where the theorem does not apply, or it is not known

	rounding bool // the bound is mostly rounding
	// nothing says that the measured value is rounding and so is the bound, by itself or, from
	// above, because it lies below the value. Any other bound from above covers what is rounding.
	nothing bool
}

func (b bounding) verdict(v Verdict, p part) Verdict {
	v.Relation, v.Target = ">=", 1-b.claim.Delta
	cells, err := b.cells(p)
	if err == nil {
		err = b.evaluate(cells)
	}
	switch {
	case errors.As(err, new(unknownPopulation)):
		return inconclusive(v, doubt("unknown_population", "why", err.Error(), "dataset", p.Rows[0].Dataset()))
	case err != nil:
		return inconclusive(v, badClaim(err.Error()))
	}
	for _, c := range cells {
		v.Bounds = append(v.Bounds, c.outlined())
	}
	applicable := lists.Where(cells, boundCell.applies)
	out := lists.Where(cells, func(c boundCell) bool { return !c.applies() })
	if len(applicable) == 0 {
		v.Outcome = NotApplicable
		last := out[len(out)-1] // where sizes are largest
		v.say(doubt("applies_nowhere", "theorem", b.theorem.Reference, "cells", len(cells), "at", last.at, "why", last.why()))
		return v
	}
	if len(out) > 0 {
		v.note("%s does not apply to %d of %d cells, which are left out: %s (%s)", b.theorem.Reference, len(out), len(cells), out[0].at, out[0].why())
	}
	if len(out) == 0 && b.theorem.Key != "" {
		v.note("no condition of %s is contradicted here", b.theorem.Reference)
	}
	v.takenForGranted(b.theorem)
	return judgeInformative(v, applicable, b.theorem.Trivial)
}

// cells are the cells of a part with the theorem's settings.
func (b bounding) cells(p part) (cells []boundCell, err error) {
	names := b.namesWithin(p.Rows)
	for _, in := range cellsOf(p.readings) {
		c := boundCell{at: in[0].Row.At.Only(names...), row: in[0].Row.At}
		given, err := b.given(in[0].Row)
		if err != nil {
			return nil, err
		}
		for _, m := range in {
			switch {
			case m.OK():
				setting, err := b.setting(m.Row, given)
				if err != nil {
					return nil, err
				}
				c.repeats = append(c.repeats, &boundRepeat{Reading: m, setting: setting})
			case !m.Skipped():
				c.lost = append(c.lost, m.Err.Error())
			}
		}
		if len(c.repeats) > 0 || len(c.lost) > 0 {
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
	for name := range b.theorem.Open {
		_, known := b.theorem.Defaults[name]
		if _, with := b.claim.With[name]; !with && !known {
			return nil, fmt.Errorf("%s leaves %s open; give it: `with: {%s: …}`", b.theorem.Reference, name, name)
		}
	}
	return given, nil
}

// setting is what the theorem is asked at a record that gave a value.
func (b bounding) setting(r *results.Row, given map[string]float64) (theory.Setting, error) {
	s := theory.Setting{Delta: b.claim.Delta, Given: maps.Clone(given)}
	b.setSizes(&s, r)
	for _, name := range b.theorem.Sizes {
		if s.Sizes.Get(name) < 1 {
			return s, fmt.Errorf("%s needs %s, which neither the grid nor the method gives", b.theorem.Reference, name)
		}
	}
	for _, name := range b.theorem.Uses {
		s.Given[name] = r.Metrics[name]
	}
	return s, nil
}

// evaluate asks the theorem at every setting; once for repeats of a cell that
// it cannot tell apart. It goes repeat by repeat, so that populations that
// change with the repeat are needed one after another.
func (b bounding) evaluate(cells []boundCell) error {
	var order []*boundRepeat
	for _, c := range cells {
		order = append(order, c.repeats...)
	}
	slices.SortStableFunc(order, func(p, q *boundRepeat) int { return p.Row.Repeat - q.Row.Repeat })

	last := map[results.Key]*boundRepeat{}
	for _, a := range order {
		population := b.population(a.Row)
		a.setting.Population = population
		if before := last[a.Row.At]; before != nil && sameSetting(before.setting, a.setting) {
			a.bound, a.trivial, a.rounding = before.bound, before.trivial, before.rounding
		} else if err := b.ask(a, population); err != nil {
			return err
		}
		last[a.Row.At] = a
		rounded := slices.ContainsFunc(configs.NewQuantity(b.theorem.Metric).Names(), func(name string) bool { return slices.Contains(a.Row.Rounded, name) })
		a.nothing = rounded && a.bound.Applies() && (a.rounding || !a.bound.FromBelow() && !covers(a.bound, a.Value))
	}
	return nil
}

// sameSetting says whether a theorem must answer the same at both.
func sameSetting(a, b theory.Setting) bool {
	return a.Population == b.Population && maps.Equal(a.Given, b.Given) && a.Sizes == b.Sizes
}

// ask fills in the theorem's bound at a record's setting, and the trivial value there.
func (b bounding) ask(a *boundRepeat, population *facts.Population) (err error) {
	a.bound, err = b.theorem.Bound(a.setting)
	a.trivial = math.NaN()
	if why := population.Unanswered(); why != nil {
		return unknownPopulation{a.Row.Dataset(), why}
	}
	if err == nil && a.bound.Applies() && (math.IsNaN(a.bound.Upper) || math.IsNaN(a.bound.Lower)) {
		err = errors.New("no bound, though its conditions hold")
	}
	if err != nil {
		return fmt.Errorf("%s at %s: %w", b.theorem.Reference, nameOf(a.Row), err)
	}
	a.rounding = b.isRounding(a)
	if a.bound.Applies() && b.theorem.Trivial.Value != nil {
		value, err := b.theorem.Trivial.Value(a.setting)
		if population.Unanswered() == nil && err == nil {
			a.trivial = value
		}
	}
	return nil
}

// isRounding says that a bound is mostly rounding: that of metrics which it is computed from,
// as the record says. So is one that has no value where these are 0.
func (b bounding) isRounding(a *boundRepeat) bool {
	s := a.setting
	s.Given = maps.Clone(s.Given)
	any := false
	for _, name := range b.theorem.Uses {
		if slices.Contains(a.Row.Rounded, name) {
			s.Given[name], any = 0, true
		}
	}
	if !any || !a.bound.Applies() {
		return false
	}
	rest, err := b.theorem.Bound(s)
	if a.bound.FromBelow() {
		return err != nil || !(rest.Lower > a.bound.Lower/2)
	}
	return err != nil || !(rest.Upper > a.bound.Upper/2)
}

// covers says whether a measured value lies inside the bound, up to rounding.
func covers(b theory.Bound, value float64) bool {
	slack := func(edge float64) float64 {
		if math.IsInf(edge, 0) {
			return 0
		}
		return inference.RoundingSlack * math.Max(math.Abs(edge), math.Abs(value))
	}
	return value <= b.Upper+slack(b.Upper) && value >= b.Lower-slack(b.Lower)
}

// fails says that a condition fails, or that nothing is left over.
func (a *boundRepeat) fails() bool { return !a.bound.Applies() || a.nothing }

// applies says that the theorem applies in all repeats.
func (c boundCell) applies() bool { return !slices.ContainsFunc(c.repeats, (*boundRepeat).fails) }

// why says which conditions fail, with their numbers, in the first repeat in which one does.
func (c boundCell) why() string {
	first := c.repeats[slices.IndexFunc(c.repeats, (*boundRepeat).fails)]
	failing := lists.Map(theory.Failing(first.bound.Conditions), theory.Condition.String)
	if len(failing) == 0 {
		return "the measured value and the bound are rounding"
	}
	return "it needs " + strings.Join(failing, " and ")
}

// median is that of the numbers that repeats have; nil where none has one.
func (c boundCell) median(of func(*boundRepeat) float64) *float64 { return medianOf(c.numbers(of)) }

func (c boundCell) numbers(of func(*boundRepeat) float64) []float64 {
	return lists.Where(lists.Map(c.repeats, of), func(x float64) bool { return !math.IsNaN(x) })
}

// medianOf is nil of an empty list.
func medianOf(list []float64) *float64 {
	if len(list) == 0 {
		return nil
	}
	m := results.Median(list)
	return &m
}

// tightness is measured/Upper, and of a bound from below Lower/measured: at most 1 where it
// holds; NaN where that side is not positive.
func (a *boundRepeat) tightness() float64 {
	switch b := a.bound; {
	case b.Upper > 0 && !math.IsInf(b.Upper, 1):
		return a.Value / b.Upper
	case b.FromBelow() && b.Lower > 0 && a.Value > 0:
		return b.Lower / a.Value
	}
	return math.NaN()
}

// overTrivial is bound/trivial; NaN where that is not known.
func (a *boundRepeat) overTrivial() float64 { return a.bound.Ratio(a.trivial) }

// vacuous says that in half of the repeats or more the bound says no more than the
// trivial value.
func (c boundCell) vacuous() bool {
	known := lists.Where(c.repeats, func(a *boundRepeat) bool { return !math.IsNaN(a.trivial) })
	informative := lists.Where(known, func(a *boundRepeat) bool { return a.bound.Informative(a.trivial) })
	return len(known) > 0 && 2*len(informative) <= len(known)
}

// outlined is what the bound says in a cell.
func (c boundCell) outlined() BoundCell {
	out := BoundCell{At: c.row, Applies: c.applies()}
	if out.Applies {
		out.Tightness, out.Trivial = c.median((*boundRepeat).tightness), c.median((*boundRepeat).overTrivial)
	}
	return out
}

// judgeInformative judges the cells where the bound is informative, for elsewhere it
// holds whatever is estimated; where it is so nowhere, all cells, and what holds is
// vacuous. A claim that a vacuous cell contradicts is violated all the same.
func judgeInformative(v Verdict, cells []boundCell, trivial theory.Trivial) Verdict {
	known := slices.ContainsFunc(cells, func(c boundCell) bool { return len(c.numbers(func(a *boundRepeat) float64 { return a.trivial })) > 0 })
	if !known {
		side := "above"
		if cells[0].repeats[0].bound.FromBelow() {
			side = "below"
		}
		v.note("no trivial value of %s from %s is known, so that nothing tells whether the bound is vacuous", v.Of, side)
	}
	all := judgeCoverage(v, cells)
	if trivial.Value == nil {
		return all
	}
	informative := lists.Where(cells, func(c boundCell) bool { return !c.vacuous() })
	vacuous := len(cells) - len(informative)
	switch {
	case all.Outcome == Violated || vacuous == 0:
	case len(informative) == 0:
		all.Vacuous = all.Outcome == Holds
		all.say(Doubt{all.Code, all.Args}.with("trivial", trivial.Formula))
	default:
		v.note("the bound says no more than the trivial value %s in %d of %d cells, which are left out", trivial.Formula, vacuous, len(cells))
		all = judgeCoverage(v, informative)
	}

	all.Trivial = &Trivial{Cells: len(cells), Vacuous: vacuous}
	for _, c := range cells {
		if x := c.median((*boundRepeat).overTrivial); x != nil {
			t := all.Trivial
			if t.Low == nil || *x < *t.Low {
				t.Low = x
			}
			if t.High == nil || *x > *t.High {
				t.High = x
			}
		}
	}
	return all
}

// judgeCoverage judges the share of repeats inside the bound in each cell.
func judgeCoverage(v Verdict, cells []boundCell) Verdict {
	tested := make([]cell, len(cells))
	var ratios []float64
	for i, c := range cells {
		tested[i] = cell{at: c.at, lost: c.lost, band: inference.Band{Relation: ">=", Value: v.Target},
			test: inference.CoverageTest{Claimed: v.Target, Level: v.Level, Lost: len(c.lost)}}
		for _, a := range c.repeats {
			inside := 0.0
			if covers(a.bound, a.Value) {
				inside = 1
			}
			tested[i].values = append(tested[i].values, inside)
		}
		ratios = append(ratios, c.numbers((*boundRepeat).tightness)...)
	}
	v = judgeCells(v, tested, scale{show: plainScale.show, what: "coverage", counts: true,
		codes: map[Outcome]Code{Holds: "bound_holds", Violated: "bound_violated", Inconclusive: "bound_undecided"}})
	v.Tightness = medianOf(ratios)
	v.Below = !slices.ContainsFunc(cells[0].repeats, func(a *boundRepeat) bool { return !a.bound.FromBelow() })
	for i, c := range cells {
		v.Cells[i].Tightness, v.Cells[i].Trivial, v.Cells[i].Vacuous = c.median((*boundRepeat).tightness), c.median((*boundRepeat).overTrivial), c.vacuous()
	}
	return v
}
