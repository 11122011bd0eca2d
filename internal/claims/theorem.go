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
	"mercer/internal/inference"
	"mercer/internal/lists"
	"mercer/internal/plain"
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

// isAbout says whether a theorem is about a method of the run.
func (j *judge) isAbout(t theory.Theorem, method string) bool {
	m, known := j.Catalog.Methods[method]
	return !known || slices.Contains(t.Methods, m.Use)
}

// checkSample finds a verdict on a theorem not applicable where the theorem is about
// independent draws from the population, and the sample is known not to be such. Where
// it is known to be, that is not taken for granted.
func (j *judge) checkSample(v *Verdict) {
	t, known := j.world.Theorems[v.Theorem]
	if !known || j.world.Population == nil || !slices.Contains(t.Assumes, theory.IndependentSample) {
		return
	}
	at := slices.IndexFunc(j.rows, func(r *results.Row) bool {
		return v.Group != (results.Key{}) && r.At.Only("dataset", "kernel").Meets(v.Group)
	})
	if at < 0 {
		return
	}
	switch population := j.population(j.rows[at]); {
	case !population.Known():
	case population.Independent():
		v.Notes = slices.DeleteFunc(v.Notes, func(note string) bool { return note == takenForGranted+theory.IndependentSample })
	case v.Outcome != NotApplicable:
		v.Outcome = NotApplicable
		v.say(doubt("not_independent", "theorem", t.Reference, "assumption", theory.IndependentSample, "dataset", j.rows[at].Dataset()))
	}
}

// checkRate compares a slope's verdict with the rate of the theorem that the
// claim checks: where a condition of the rate fails, the claim does not apply;
// where the claim says something else than the theorem, a note has both.
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
		v.Notes = append(v.Notes, fmt.Sprintf("the conditions of %s were not checked: %v", t.Reference, err))
		return
	}
	shown := boundCell{at: v.Group, repeats: []boundRepeat{{setting: &s, answer: answer{bound: theory.Bound{Conditions: rate.Conditions}}}}}
	if !rate.Applies() {
		v.Outcome = NotApplicable
		v.say(doubt("condition_fails", "theorem", t.Reference, "why", shown.why()))
		v.Conditions = shown.conditions(0, 1)
		return
	}
	v.Conditions = shown.conditions(1, 1)
	v.Notes = append(v.Notes, assumptionNotes(t)...)
	for _, size := range rate.Growing {
		if count := s.Growth[size].Distinct; count < minDistinct {
			*v = inconclusive(*v, doubt("few_sizes", "size", size, "distinct", count, "theorem", t.Reference, "least", minDistinct))
			return
		}
	}
	if note := compareRate(*v, c, t, rate); note != "" {
		v.Notes = append(v.Notes, note)
	}
}

// minDistinct is how many values a size must have for its growth to be judged.
const minDistinct = 3

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

const takenForGranted = "taken for granted: "

// assumptionNotes are notes on what a theorem assumes and no number can check.
func assumptionNotes(t theory.Theorem) []string {
	return lists.Map(t.Assumes, func(assumption string) string { return takenForGranted + assumption })
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

// compareRate says where a claim differs from the theorem that it checks; empty
// where it does not, or where they speak of different things.
func compareRate(v Verdict, c configs.Slope, t theory.Theorem, rate theory.Rate) string {
	if c.Of.Text != t.Metric || c.Over.Value != "n" || math.IsNaN(v.Target) || math.IsNaN(rate.Exponent) {
		return ""
	}
	gives := fmt.Sprintf("%s gives the exponent %.6g", t.Reference, rate.Exponent)
	if rate.Log != 0 {
		gives += fmt.Sprintf(", times (log n)^%.4g", rate.Log)
	}
	if !rate.Sharp {
		gives += ", as an upper bound alone"
	}
	differ := math.Abs(v.Target-rate.Exponent) > inference.RoundingSlack || v.Law != nil && math.Abs(v.Law.Log-rate.Log) > inference.RoundingSlack
	switch {
	case v.Relation == "=" && (differ || !rate.Sharp):
	case v.Relation == "<=" && v.Target < rate.Exponent-inference.RoundingSlack:
	case v.Relation == ">=" && (!rate.Sharp || v.Target > rate.Exponent+inference.RoundingSlack):
	default:
		return ""
	}
	return fmt.Sprintf("claimed is a slope %s %s%s; %s", strings.TrimSpace(v.Relation), plain.Claimed(v.Target), v.Factor(), gives)
}
