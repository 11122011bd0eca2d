package claims

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/facts"
	"mercer/internal/lists"
	"mercer/internal/sizes"
	"mercer/internal/theory"
	"mercer/results"
)

// theorem looks a theorem up by its key.
func (j *judge) theorem(key string) (theory.Theorem, error) {
	t, ok := j.world.Theorems[key]
	if !ok {
		return t, errors.New(configs.Unknown("theorem", key, "", slices.Sorted(maps.Keys(j.world.Theorems))))
	}
	return t, nil
}

// bounds is the theorem that a claim of kind bound is on, or its own bound.
func (j *judge) bounds(b configs.Bound) theory.Theorem {
	if own, _ := b.Own(); own == nil {
		return j.world.Theorems[b.Theorem.Value]
	}
	return theory.Own(b, func(name string) bool {
		_, metric := j.Catalog.Metrics[name]
		return metric
	})
}

// population is what is known of what a record was measured against. Nothing may be
// known: a theorem that asks no population can still be judged.
func (j *judge) population(r *results.Row) *facts.Population {
	if j.world.Population == nil {
		return facts.Unknown(errors.New("no facts are given"))
	}
	return j.world.Population(r.Population, r.Repeat)
}

// unknownPopulation says that a theorem asked a population what is not known.
type unknownPopulation struct {
	dataset string
	why     error
}

func (u unknownPopulation) Error() string {
	return fmt.Sprintf("the population of %s is not known: %v", u.dataset, u.why)
}

// isAbout says whether a theorem is about a method of the run. A bound of the spec's own is about
// those that use its sizes.
func (j *judge) isAbout(t theory.Theorem, method string) bool {
	m, known := j.Catalog.Methods[method]
	if known && t.Key == "" {
		return !slices.ContainsFunc(t.Sizes, func(size string) bool { return !slices.Contains(m.Uses, size) })
	}
	return !known || slices.Contains(t.Methods, m.Use)
}

// checkSample finds a verdict on a theorem not applicable where the theorem is about
// independent draws from the population, and the sample is known not to be such.
func (j *judge) checkSample(v *Verdict) {
	t, known := j.world.Theorems[v.Theorem]
	if !known || j.world.Population == nil || !slices.Contains(t.Assumes, theory.IndependentSample) {
		return
	}
	at := slices.IndexFunc(j.rows, func(r *results.Row) bool {
		return v.Group != (results.Key{}) && r.At.Only("dataset", "kernel").Meets(v.Group)
	})
	if at < 0 || v.Outcome == NotApplicable {
		return
	}
	if population := j.population(j.rows[at]); population.Known() && !population.Independent() {
		v.Outcome = NotApplicable
		v.say(doubt("not_independent", "theorem", t.Reference, "assumption", theory.IndependentSample, "dataset", j.rows[at].Dataset()))
	}
}

// checkRate finds a slope's verdict not applicable where a condition of the rate of the theorem
// that the claim checks fails.
func (j *judge) checkRate(v *Verdict, c configs.Slope, t theory.Theorem) {
	records := v.rows
	if t.Rate == nil || len(records) == 0 {
		return
	}
	last := slices.MaxFunc(records, func(a, b *results.Row) int {
		x, _ := a.At.Number(c.Over.Value)
		y, _ := b.At.Number(c.Over.Value)
		return cmp.Compare(x, y)
	})
	population := j.population(last)
	s := theory.Setting{Population: population, Given: j.Constants(records)}
	j.setSizes(&s, last)
	if c.Over.Value == "n" {
		s.Growth = j.growth(records)
	}
	rate, err := t.Rate(s)
	if why := population.Unanswered(); why != nil {
		err = unknownPopulation{last.Dataset(), why}
	}
	if err != nil {
		v.note("the conditions of %s were not checked: %v", t.Reference, err)
		return
	}
	if !rate.Applies() {
		v.Outcome = NotApplicable
		v.say(doubt("condition_fails", "theorem", t.Reference, "failing", lists.Map(theory.Failing(rate.Conditions), theory.Condition.String)))
		return
	}
	v.note("no condition of %s is contradicted here", t.Reference)
	if !rate.Sharp && v.Relation != "<=" {
		v.note("%s gives the exponent as an upper bound alone", t.Reference)
	}
	v.takenForGranted(t)
}

// takenForGranted notes what a theorem asks that nothing here checks; see checkSample for the sample.
func (v *Verdict) takenForGranted(t theory.Theorem) {
	if unchecked := lists.Where(t.Assumes, func(assumption string) bool { return assumption != theory.IndependentSample }); len(unchecked) > 0 {
		v.note("%s takes for granted: %s", t.Reference, strings.Join(unchecked, "; "))
	}
}

// growth is how the sizes that the records' method uses grow with n.
func (j *judge) growth(records []*results.Row) map[string]theory.Growth {
	found := map[string]theory.Growth{}
	for _, name := range sizes.Names[1:] {
		var n, size []int
		for _, r := range records {
			var at theory.Setting
			if j.setSizes(&at, r); at.Get(name) > 0 && at.N > 0 {
				n, size = append(n, at.N), append(size, at.Get(name))
			}
		}
		if g, ok := theory.GrowthOf(n, size); ok {
			found[name] = g
		}
	}
	return found
}

// setSizes gives a setting the sizes of a record, those that its method uses.
func (j *judge) setSizes(s *theory.Setting, r *results.Row) {
	m, known := j.Catalog.Methods[r.Method()]
	for _, name := range sizes.Names {
		if x, ok := r.At.Number(name); ok && (!known || slices.Contains(m.Uses, name)) {
			s.Set(name, int(x))
		}
	}
}
