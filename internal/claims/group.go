package claims

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/results"
)

// eachGroup judges the groups of records that a claim picks, one by one. Methods,
// when given, are compared with each other and share a group.
func (j *judge) eachGroup(c configs.Claim, methods []string, verdict func(Verdict, results.Group, *results.Quantity) Verdict) ([]Verdict, error) {
	_, kind := c.Kind()
	of, picked, level := kind.Quantity(), *kind.Picked(), *kind.Confidence()
	q, err := j.Quantity(of)
	if err != nil {
		return nil, err
	}
	groups, err := j.Groups(picked, methods)
	if err != nil {
		return nil, err
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
	lost, notes, outcome, d := j.survey(q, all)
	v.Lost, v.Notes = lost, append(v.Notes, notes...)
	if v.Ignored = v.Ignored && lost > 0; v.Ignored {
		for i := range all {
			all[i].Ignored = !all[i].OK()
		}
	}
	if d.Any() {
		v.Outcome = outcome
		v.say(d)
	}
	return all, !d.Any()
}

// survey looks at the readings of a group as a whole: how many are lost, notes on them,
// and, when nothing can be judged, the outcome and the doubt that is its reason.
func (j *judge) survey(q *results.Quantity, readings []results.Reading) (lost int, notes []string, outcome Outcome, d Doubt) {
	var ok, skipped, failed, undefined int
	var examples []string
	for _, m := range readings {
		switch {
		case m.OK():
			ok++
		case m.Skipped():
			skipped++
		default:
			lost++
			if m.Row.Status != results.OK {
				failed++
			} else if errors.As(m.Err, new(results.UndefinedError)) {
				undefined++
			}
			if len(examples) < 3 {
				examples = append(examples, fmt.Sprintf("%s (%v)", nameOf(m.Row), m.Err))
			}
		}
	}
	if skipped > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d records were skipped: the method does not apply there", skipped, len(readings)))
	}
	if lost > 0 {
		note := fmt.Sprintf("%d of %d records give no value: %s", lost, len(readings), strings.Join(examples, "; "))
		if lost > len(examples) {
			note += fmt.Sprintf("; and %d more", lost-len(examples))
		}
		notes = append(notes, note)
	}
	switch {
	case ok > 0:
		return lost, notes, "", Doubt{}
	case skipped == len(readings):
		return lost, notes, NotApplicable, doubt("all_skipped")
	case skipped+undefined == len(readings):
		return lost, notes, NotApplicable, doubt("undefined", "example", examples[0])
	}
	for _, name := range q.Uses {
		_, known := j.Catalog.Metrics[name]
		if all := results.MetricNames(j.Rows); !known && len(all) > 0 && !slices.Contains(all, name) {
			return lost, notes, Inconclusive, doubt("unknown_metric", "why", configs.Unknown("metric", name, "this run", all))
		}
	}
	if failed == 0 {
		return lost, notes, NotApplicable, doubt("no_such_value", "of", q.Text)
	}
	return lost, notes, Inconclusive, doubt("all_failed", "of", q.Text, "example", examples[0])
}
