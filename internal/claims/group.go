package claims

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/results"
)

// part is a group of the records that a claim picks, with what it reads from them. One reading
// at least has a value.
type part struct {
	results.Group
	quantity *results.Quantity
	readings []results.Reading
}

// eachGroup judges the groups of records that a claim picks, one by one. Methods,
// when given, are compared with each other and share a group.
func (j *judge) eachGroup(c configs.Claim, methods []string, verdict func(Verdict, part) Verdict) ([]Verdict, error) {
	_, kind := c.Kind()
	of, picked, level := j.quantity(c), *kind.Picked(), *kind.Confidence()
	q, err := j.Quantity(of)
	if err != nil {
		return nil, err
	}
	groups, err := j.Groups(picked, methods)
	if err != nil {
		return nil, err
	}
	if c.Bound != nil {
		theorem := j.bounds(*c.Bound)
		q.Uses = slices.Concat(q.Uses, theorem.Uses)
		groups = lists.Where(groups, func(g results.Group) bool { return j.isAbout(theorem, g.Rows[0].Method()) })
	}
	if len(groups) == 0 {
		return j.emptySelection(of.Text, picked, level), nil
	}
	verdicts := make([]Verdict, len(groups))
	for i, g := range groups {
		v := newVerdict(g.At, of.Text, level, j.look)
		if readings, ok := v.read(g, q); ok {
			v = verdict(v, part{g, q, readings})
		}
		verdicts[i] = v
		verdicts[i].rows = g.Rows
	}
	return verdicts, nil
}

// byCells judges the cells of each group together. The doubt says why a group has none.
func (j *judge) byCells(c configs.Claim, methods []string, s scale, cells func(*Verdict, part) ([]cell, Doubt)) ([]Verdict, error) {
	return j.eachGroup(c, methods, func(v Verdict, p part) Verdict {
		list, d := cells(&v, p)
		if d.Any() {
			return inconclusive(v, d)
		}
		return judgeCells(v, list, s)
	})
}

// quantity is what a claim is of: of a bound by a theorem, the metric of the theorem.
func (j *judge) quantity(c configs.Claim) configs.Quantity {
	if c.Bound != nil && c.Bound.Of.Text == "" {
		return configs.NewQuantity(j.bounds(*c.Bound).Metric)
	}
	_, kind := c.Kind()
	return kind.Quantity()
}

// read reads a group's records. What is lost is noted in the verdict; false where nothing can be
// judged, and the verdict says why.
func (v *Verdict) read(g results.Group, q *results.Quantity) ([]results.Reading, bool) {
	all := q.Read(g.Rows)
	var ok, skipped, failed, undefined int
	example := ""
	for _, m := range all {
		switch {
		case m.OK():
			ok++
			continue
		case m.Skipped():
			skipped++
			continue
		case m.Row.Status != results.OK:
			failed++
		case errors.As(m.Err, new(results.UndefinedError)):
			undefined++
		}
		if v.Lost++; example == "" {
			example = fmt.Sprintf("%s (%v)", nameOf(m.Row), m.Err)
		}
	}
	if skipped > 0 {
		v.note("%d of %d records were skipped: the method does not apply there", skipped, len(all))
	}
	if v.Lost > 0 {
		v.note("%d of %d records give no value: %s", v.Lost, len(all), example)
	}
	if ok > 0 {
		return all, true
	}

	v.Outcome = NotApplicable
	switch {
	case skipped == len(all):
		v.say(doubt("all_skipped"))
	case skipped+undefined == len(all):
		v.say(doubt("undefined", "example", example))
	case failed == 0:
		v.say(doubt("no_such_value", "of", q.Text))
	default:
		*v = inconclusive(*v, doubt("all_failed", "of", q.Text, "example", example))
	}
	return nil, false
}

// lostDoubt doubts what the other repeats say where some give no value, with the reason of
// each: if failure depends on the draw, the repeats that do not fail follow another law than
// the claim is about.
func lostDoubt(reasons []string, repeats int) Doubt {
	return doubt("repeats_lost", "lost", len(reasons), "repeats", repeats, "why", reasons[0])
}

// ofAbsent are the verdicts on the data sets that are missing.
func (j *judge) ofAbsent(of string, s configs.Selection) []Verdict {
	var verdicts []Verdict
	for _, id := range j.absent(s.Where) {
		v := newVerdict(at("dataset", configs.TextOf(id)), of, 0, j.look)
		reason, _, _ := strings.Cut(j.Catalog.Absent[id], "\n")
		v.Outcome = NotApplicable
		v.say(doubt("data_missing", "why", reason))
		verdicts = append(verdicts, v)
	}
	return verdicts
}

// absent are the data sets that conditions pick and whose data are missing.
func (j *judge) absent(where configs.Conditions) []string {
	picked := where["dataset"].Value
	return lists.Where(slices.Sorted(maps.Keys(j.Catalog.Absent)), func(id string) bool { return picked == nil || slices.Contains(picked, id) })
}

// emptySelection is the verdict on a selection without records; none where the data
// that have them are missing, which has a verdict of its own.
func (j *judge) emptySelection(of string, s configs.Selection, confidence float64) []Verdict {
	if len(j.absent(s.Where)) > 0 {
		return nil
	}
	picked := lists.Map(slices.Sorted(maps.Keys(s.Where)), func(name string) string { return name + "=" + strings.Join(s.Where[name].Value, "|") })
	d := doubt("no_rows", "picked", strings.Join(picked, " "), "missing", j.Missing(), "filter", j.Manifest.Filter)
	return []Verdict{inconclusive(newVerdict(results.Key{}, of, confidence, j.look), d)}
}
