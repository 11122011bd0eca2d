package selection

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/sizes"
	"mercer/results"
)

// Quantity is what is read from records: a metric or an expression over metrics.
// An expression may use the record's grid variables and sizes as well. It is not
// for several goroutines.
type Quantity struct {
	Text string
	Uses []string // metrics that a record must have

	expr *configs.Quantity  // nil for a plain metric
	env  map[string]float64 // of the record that is read
	last *results.Record    // one of its cell
}

// Quantity reads a quantity, such as the key `of` of claims; the error says what is
// wrong with an expression.
func (r *Records) Quantity(of configs.Quantity) (*Quantity, error) {
	q := &Quantity{Text: of.Text}
	if slices.Contains(r.Metrics, of.Text) {
		q.Uses = []string{of.Text}
		return q, nil
	}
	if err := of.Err(); err != nil {
		return nil, err
	}
	q.expr = &of
	axes := slices.Concat(r.Variables, sizes.Names)
	for _, name := range of.Names() {
		if slices.Contains(r.Metrics, name) || !slices.Contains(axes, name) {
			q.Uses = append(q.Uses, name)
		}
	}
	return q, nil
}

// Value is the quantity in one record; an error where the record is not ok, or
// lacks a metric.
func (q *Quantity) Value(r *results.Record) (float64, error) {
	switch {
	case r.Status != results.OK && r.Reason != "":
		return 0, fmt.Errorf("%s: %s", r.Status, r.Reason)
	case r.Status != results.OK:
		return 0, errors.New(string(r.Status))
	}
	return q.evaluate(r)
}

func (q *Quantity) evaluate(r *results.Record) (float64, error) {
	if q.expr != nil && (q.last == nil || !q.last.SameCell(r)) {
		q.env, q.last = axes(r), r
	}
	value := 0.0
	for _, name := range q.Uses {
		m, ok := r.Metrics.Get(name)
		why := ""
		if !ok {
			why = r.WhyNotDefined(name)
		}
		switch {
		case why != "":
			return 0, NotDefined{name, why}
		case !ok:
			return 0, fmt.Errorf("no metric %s", name)
		case q.expr != nil:
			q.env[name] = m.Value
		case name == q.Text:
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
		if v, ok := Axis(r, name); ok {
			env[name] = v
		}
	}
	return env
}

// Unit is that of a plain metric in records; "" for an expression.
func (q *Quantity) Unit(records []*results.Record) string {
	for _, r := range records {
		if m, _ := r.Metrics.Get(q.Text); m.Unit != "" && q.expr == nil {
			return m.Unit
		}
	}
	return ""
}

// roundingFloor is the fraction of its terms below which a difference is nothing but
// rounding: some thousand units in the last place, as sums over thousands of terms leave
// them.
const roundingFloor = 1000 * 0x1p-52

// rounded says that a value of the quantity is nothing but rounding: that a metric in it is
// at the rounding which its measure states, or that it is a difference of larger terms.
func (q *Quantity) rounded(r *results.Record, value float64) bool {
	scale := 0.0
	for _, name := range q.Uses {
		if slices.Contains(r.Rounded, name) {
			return true
		}
		scale = math.Max(scale, math.Abs(r.Metrics.Value(name)))
	}

	return q.expr != nil && strings.Contains(q.Text, "-") && math.Abs(value) <= roundingFloor*scale
}

// NotDefined is why a record has no value of a metric: there is none.
type NotDefined struct{ metric, why string }

func (e NotDefined) Error() string { return results.NotDefined(e.metric, e.why) }

// Reading is the quantity in one record; with Err when the record has none.
type Reading struct {
	Record  *results.Record
	Value   float64
	Err     error
	Rounded bool // the value is nothing but rounding, and has no logarithm of any meaning
	Ignored bool // that there is no value is to be ignored
}

// Skipped says that no reading is lost: the method does not apply there, or the claim
// ignores failures.
func (m Reading) Skipped() bool { return m.Ignored || m.Record.Status == results.Skipped }

// OK says that the record gave the value.
func (m Reading) OK() bool { return m.Err == nil }

// Read reads the quantity from every record.
func (q *Quantity) Read(records []*results.Record) []Reading {
	out := make([]Reading, len(records))
	for i, r := range records {
		out[i].Record = r
		if out[i].Value, out[i].Err = q.Value(r); out[i].OK() {
			out[i].Rounded = q.rounded(r, out[i].Value)
		}
	}
	return out
}

// RecordsOf are the records of readings.
func RecordsOf(readings []Reading) []*results.Record {
	return lists.Map(readings, func(m Reading) *results.Record { return m.Record })
}
