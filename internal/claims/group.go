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

// eachGroup judges the groups of records that a claim picks, one by one. Methods,
// when given, are compared with each other and share a group.
func (j *judge) eachGroup(c configs.Claim, methods []string, verdict func(Verdict, results.Group, *results.Quantity) Verdict) ([]Verdict, error) {
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
		theorem := j.world.Theorems[c.Bound.Theorem.Value]
		q.Uses = slices.Concat(q.Uses, theorem.Uses)
		groups = lists.Where(groups, func(g results.Group) bool { return j.isAbout(theorem, g.Rows[0].Method()) })
	}
	if len(groups) == 0 {
		return j.emptySelection(of.Text, picked, level), nil
	}
	verdicts := make([]Verdict, len(groups))
	for i, g := range groups {
		v := newVerdict(g.At, of.Text, level, j.look)
		v.Ignored = c.Failures == configs.Ignore
		verdicts[i] = verdict(v, g, q)
		verdicts[i].rows = g.Rows
	}
	return verdicts, nil
}

// quantity is what a claim is of: of a bound, the metric of its theorem.
func (j *judge) quantity(c configs.Claim) configs.Quantity {
	if c.Bound != nil {
		return configs.NewQuantity(j.world.Theorems[c.Bound.Theorem.Value].Metric)
	}
	_, kind := c.Kind()
	return kind.Quantity()
}

// readings reads a group's records. What is lost is noted in the verdict, and left out where
// the claim ignores failures; false where nothing can be judged, and the verdict says why.
func (j *judge) readings(v *Verdict, g results.Group, q *results.Quantity) ([]results.Reading, bool) {
	all := q.Read(g.Rows)
	var ok, skipped, failed, undefined int
	var examples []string
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
		if v.Lost++; len(examples) < 3 {
			examples = append(examples, fmt.Sprintf("%s (%v)", nameOf(m.Row), m.Err))
		}
	}

	if skipped > 0 {
		v.Notes = append(v.Notes, fmt.Sprintf("%d of %d records were skipped: the method does not apply there", skipped, len(all)))
	}
	if v.Lost > 0 {
		note := fmt.Sprintf("%d of %d records give no value: %s", v.Lost, len(all), strings.Join(examples, "; "))
		if v.Lost > len(examples) {
			note += fmt.Sprintf("; and %d more", v.Lost-len(examples))
		}
		v.Notes = append(v.Notes, note)
	}
	if v.Ignored = v.Ignored && v.Lost > 0; v.Ignored {
		for i := range all {
			all[i].Ignored = !all[i].OK()
		}
	}
	if ok > 0 {
		return all, true
	}

	v.Outcome = NotApplicable
	unknown := j.unknownMetric(q)
	switch {
	case skipped == len(all):
		v.say(doubt("all_skipped"))
	case skipped+undefined == len(all):
		v.say(doubt("undefined", "example", examples[0]))
	case unknown != "":
		*v = inconclusive(*v, doubt("unknown_metric", "why", unknown))
	case failed == 0:
		v.say(doubt("no_such_value", "of", q.Text))
	default:
		*v = inconclusive(*v, doubt("all_failed", "of", q.Text, "example", examples[0]))
	}
	return all, false
}

// unknownMetric says which metric of a quantity no record has; empty without one.
func (j *judge) unknownMetric(q *results.Quantity) string {
	all := results.MetricNames(j.Rows)
	for _, name := range q.Uses {
		if _, known := j.Catalog.Metrics[name]; !known && len(all) > 0 && !slices.Contains(all, name) {
			return configs.Unknown("metric", name, "this run", all)
		}
	}
	return ""
}

// lostDoubt doubts what the other repeats say where some give no value, with the reason of
// each: if failure depends on the draw, the repeats that do not fail follow another law than
// the claim is about.
func lostDoubt(reasons []string, repeats int) Doubt {
	var often []string
	groups := lists.By(reasons, func(reason string) string { return reason })
	for _, same := range groups {
		if len(same) > len(often) {
			often = same
		}
	}

	return doubt("repeats_lost", "lost", len(reasons), "repeats", repeats, "often", len(often), "why", often[0])
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
