package claims

import (
	"errors"
	"fmt"
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
	of, picked, level := kind.Quantity(), *kind.Picked(), *kind.Confidence()
	theorem := j.world.Theorems[c.Checks().Value]
	if c.Bound != nil {
		of = configs.NewQuantity(theorem.Metric)
	}
	q, err := j.Quantity(of)
	if err != nil {
		return nil, err
	}
	groups, err := j.Groups(picked, methods)
	if err != nil {
		return nil, err
	}
	if c.Bound != nil {
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
