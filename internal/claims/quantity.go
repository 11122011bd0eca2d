package claims

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/sizes"
	"mercer/results"
)

// quantity is what a claim is about: a metric or an expression over metrics.
// An expression may use the record's grid variables and sizes as well.
type quantity struct {
	text  string
	uses  []string            // metrics
	expr  *configs.Expression // nil for a plain metric
	known []string            // metrics that the run has
	env   map[string]float64  // of the record that is read
	last  *results.Record     // one of its cell
}

func (j *judge) quantity(of string) (*quantity, error) {
	q := &quantity{text: of, known: j.metrics}
	if slices.Contains(j.metrics, of) {
		q.uses = []string{of}
		return q, nil
	}
	names := configs.Names(configs.Value{Text: of})
	e, err := configs.CompileText(of, names)
	if err != nil {
		return nil, err
	}
	q.expr = e
	axes := slices.Concat(j.all, sizes.Names)
	for _, name := range names {
		if slices.Contains(j.metrics, name) || !slices.Contains(axes, name) {
			q.uses = append(q.uses, name)
		}
	}
	return q, nil
}

// value reads the quantity from a record.
func (q *quantity) value(r *results.Record) (float64, error) {
	if q.expr != nil && (q.last == nil || !q.last.SameCell(r)) {
		q.env, q.last = axes(r), r
	}
	value := 0.0
	for _, name := range q.uses {
		m, ok := r.Metrics.Get(name)
		switch {
		case !ok:
			return 0, fmt.Errorf("no metric %s", name)
		case q.expr != nil:
			q.env[name] = m.Value
		case name == q.text:
			value = m.Value
		}
	}
	if q.expr == nil {
		return value, nil
	}
	return q.expr.Eval(q.env)
}

// axes are a record's sizes and its grid variables.
func axes(r *results.Record) map[string]float64 {
	env := maps.Clone(r.Point)
	if env == nil {
		env = map[string]float64{}
	}
	for _, name := range sizes.Names {
		if v, ok := axis(r, name); ok {
			env[name] = v
		}
	}
	return env
}

// scale is the magnitude against which the quantity's rounding is measured:
// that of the terms where the expression subtracts, else its own.
func (q *quantity) scale(r *results.Record, value float64) float64 {
	scale := math.Abs(value)
	if q.expr != nil && strings.Contains(q.text, "-") {
		for _, name := range q.uses {
			scale = math.Max(scale, math.Abs(r.Metrics.Value(name)))
		}
	}
	return scale
}

// reading is the quantity in one record; with err when the record has none.
type reading struct {
	record *results.Record
	value  float64
	err    error
}

// skipped says that the method does not apply there: no reading is lost.
func (m reading) skipped() bool { return m.record.Status == results.Skipped }

func (m reading) ok() bool { return m.err == nil }

// read reads the quantity from every record.
func (q *quantity) read(records []*results.Record) []reading {
	out := make([]reading, len(records))
	for i := range records {
		out[i] = q.readOne(records[i])
	}
	return out
}

func (q *quantity) readOne(r *results.Record) reading {
	m := reading{record: r}
	switch {
	case r.Status != results.OK && r.Reason != "":
		m.err = fmt.Errorf("%s: %s", r.Status, r.Reason)
	case r.Status != results.OK:
		m.err = errors.New(string(r.Status))
	default:
		m.value, m.err = q.value(r)
	}
	return m
}

// survey looks at the readings of a group as a whole: notes on what is lost,
// and, when nothing can be judged, the outcome and the doubt that is its reason.
func (j *judge) survey(q *quantity, readings []reading) (notes []string, outcome Outcome, d Doubt) {
	var ok, skipped, lost int
	var examples []string
	for _, m := range readings {
		switch {
		case m.ok():
			ok++
		case m.skipped():
			skipped++
		default:
			lost++
			if len(examples) < 3 {
				examples = append(examples, fmt.Sprintf("%s (%v)", j.name(m.record), m.err))
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
		return notes, "", Doubt{}
	case skipped == len(readings):
		return notes, NotApplicable, Doubt{reason: "every record was skipped: the method does not apply at these sizes"}
	}
	for _, name := range q.uses {
		if len(q.known) > 0 && !slices.Contains(q.known, name) {
			return notes, Inconclusive, Doubt{configs.Unknown("metric", name, "this run", q.known), "correct the name, or measure it and run again"}
		}
	}
	return notes, Inconclusive, Doubt{fmt.Sprintf("no record gives %s: %s", q.text, examples[0]), runAgain}
}

// name names a record for a reader.
func (j *judge) name(r *results.Record) string {
	parts := []string{r.Dataset}
	for _, p := range []string{r.Kernel, r.Method} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	for _, name := range j.variables([]*results.Record{r}) {
		if v, ok := axis(r, name); ok {
			parts = append(parts, name+"="+results.FormatFloat(v))
		}
	}
	return fmt.Sprintf("%s repeat %d", strings.Join(parts, " "), r.Repeat)
}

// environment is what a target's expression can use in records of one dataset:
// the dataset's constants and the variables that are constant in the records.
type environment struct {
	values  map[string]float64
	varying []string
	dataset string
}

func (j *judge) environment(dataset string, records []*results.Record) environment {
	e := environment{values: maps.Clone(j.constants[dataset]), dataset: dataset}
	if e.values == nil {
		e.values = map[string]float64{}
	}
	for _, name := range slices.Concat(j.variables(records), sizes.Names) {
		first, ok := axis(records[0], name)
		same := ok
		for i := 1; i < len(records) && same; i++ {
			v, has := axis(records[i], name)
			same = has && v == first
		}
		if same {
			e.values[name] = first
		} else if ok {
			e.varying = append(e.varying, name)
		}
	}
	return e
}

// eval evaluates a target. Its error is meant as the reason of a verdict.
func (e environment) eval(v *configs.Value) (float64, error) {
	if v == nil {
		return 0, nil
	}
	if x, ok := v.Number(); ok {
		return x, nil
	}
	for _, name := range configs.Names(*v) {
		if _, ok := e.values[name]; ok {
			continue
		}
		if slices.Contains(e.varying, name) {
			return 0, fmt.Errorf("the target %q uses %s, which varies in the group; add it to by, or fix it in where", v.Text, name)
		}
		return 0, fmt.Errorf("the target %q uses %s, which is neither a constant of dataset %s nor a grid variable; known are %s",
			v.Text, name, e.dataset, strings.Join(slices.Sorted(maps.Keys(e.values)), ", "))
	}
	return v.Eval(e.values)
}

// target builds the band of a claim from its three alternatives.
func (e environment) target(equals, atMost, atLeast, within *configs.Value) (band, Doubt) {
	b, err := e.band(equals, atMost, atLeast, within)
	if err != nil {
		return b, Doubt{err.Error(), correct}
	}
	return b, Doubt{}
}

func (e environment) band(equals, atMost, atLeast, within *configs.Value) (band, error) {
	b := band{relation: "="}
	v := equals
	switch {
	case atMost != nil:
		b.relation, v = "<=", atMost
	case atLeast != nil:
		b.relation, v = ">=", atLeast
	case equals == nil:
		return b, errors.New("the claim has none of equals, at_most, at_least")
	}
	var err error
	if b.value, err = e.eval(v); err != nil {
		return b, err
	}
	b.within, err = e.eval(within)
	if err == nil && b.within < 0 {
		err = fmt.Errorf("within is %g, which is negative", b.within)
	}
	return b, err
}
