package results

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/lists"
)

// Quantity is what is read from rows: a metric, or an expression over metrics and columns.
// It is not for several goroutines.
type Quantity struct {
	Text string
	Uses []string // metrics that a row must have

	expr *configs.Quantity // nil for a plain metric
	env  map[string]float64
	at   Key // of the row that env is of
}

// Quantity reads the text of a quantity, such as the key `of` of claims; the error says what
// is wrong with an expression.
func (r *Run) Quantity(of configs.Quantity) (*Quantity, error) {
	q := &Quantity{Text: of.Text}
	if _, plain := r.Catalog.Metrics[of.Text]; plain {
		q.Uses = []string{of.Text}
		return q, nil
	}
	if err := of.Err(); err != nil {
		return nil, err
	}
	q.expr = &of
	for _, name := range of.Names() {
		column := slices.ContainsFunc(r.Catalog.Columns, func(c Column) bool { return c.Name == name })
		if _, metric := r.Catalog.Metrics[name]; metric || !column {
			q.Uses = append(q.Uses, name)
		}
	}
	return q, nil
}

// Reading is the quantity in one row; with Err when the row has none.
type Reading struct {
	Row     *Row
	Value   float64
	Err     error
	Rounded bool // the value is nothing but rounding, and has no logarithm of any meaning
}

// Skipped says that no reading is lost: the method does not apply there.
func (m Reading) Skipped() bool { return m.Row.Status == Skipped }

// OK says that the row gave the value.
func (m Reading) OK() bool { return m.Err == nil }

// Read reads the quantity from every row.
func (q *Quantity) Read(rows []*Row) []Reading {
	out := make([]Reading, len(rows))
	for i, row := range rows {
		out[i].Row = row
		if out[i].Value, out[i].Err = q.Value(row); out[i].OK() {
			out[i].Rounded = q.rounded(row, out[i].Value)
		}
	}
	return out
}

// UndefinedError is why a row has no value of a metric: there is none.
type UndefinedError struct{ metric, why string }

func (e UndefinedError) Error() string { return NotDefined(e.metric, e.why) }

// roundingFloor is the fraction of its terms below which a difference is nothing but
// rounding: some thousand units in the last place, as sums over thousands of terms leave
// them.
const roundingFloor = 1000 * 0x1p-52

// rounded says that a value of the quantity is nothing but rounding: that a metric in it is
// at the rounding which its measure states, or that it is a difference of larger terms.
func (q *Quantity) rounded(r *Row, value float64) bool {
	scale := 0.0
	for _, name := range q.Uses {
		if slices.Contains(r.Rounded, name) {
			return true
		}
		scale = math.Max(scale, math.Abs(r.Metrics[name]))
	}
	return q.expr != nil && strings.Contains(q.Text, "-") && math.Abs(value) <= roundingFloor*scale
}

// Value is the quantity in one row; an error where the row is not ok, or lacks a metric.
func (q *Quantity) Value(r *Row) (float64, error) {
	switch {
	case r.Status != OK && r.Reason != "":
		return 0, fmt.Errorf("%s: %s", r.Status, r.Reason)
	case r.Status != OK:
		return 0, errors.New(string(r.Status))
	}
	if q.expr != nil && (q.env == nil || q.at != r.At) {
		q.env, q.at = numbersOf(r.At), r.At
	}
	value := 0.0
	for _, name := range q.Uses {
		v, ok := r.Metrics[name]
		why := ""
		if !ok {
			why = r.WhyNotDefined(name)
		}
		switch {
		case why != "":
			return 0, UndefinedError{name, why}
		case !ok:
			return 0, fmt.Errorf("no metric %s", name)
		case q.expr != nil:
			q.env[name] = v
		case name == q.Text:
			value = v
		}
	}
	if q.expr == nil {
		return value, nil
	}
	return q.expr.Eval(q.env)
}

// numbersOf are the numeric columns of a key.
func numbersOf(at Key) map[string]float64 {
	numbers := map[string]float64{}
	for name, v := range at.All() {
		if v.Kind == configs.Number {
			numbers[name] = v.Number
		}
	}
	return numbers
}

// Unit is that of a plain metric; "" for an expression.
func (r *Run) Unit(q *Quantity) string {
	if q.expr != nil {
		return ""
	}
	return r.Catalog.Metrics[q.Text].Unit
}

// Constants are what an expression over a group of rows may use: the constants of their
// population, and the numeric columns that have one value in all rows.
type Constants map[string]float64

// Constants are those of rows, of which there must be one at least.
func (r *Run) Constants(rows []*Row) Constants {
	known := r.Catalog.Populations[rows[0].Population].Constants
	return r.constants(known, lists.Map(rows, func(row *Row) Key { return row.At }))
}

// At are the constants at places of one data set, of which there must be one at least: those
// that all populations of the data set have.
func (r *Run) At(places ...Key) Constants {
	return r.constants(r.Catalog.Constants(places[0].Text("dataset")), places)
}

func (r *Run) constants(known map[string]float64, places []Key) Constants {
	c := Constants{}
	maps.Copy(c, known)
	for _, column := range r.Catalog.Columns {
		v := places[0].Get(column.Name)
		several := slices.ContainsFunc(places, func(at Key) bool { return at.Get(column.Name) != v })
		if v.Kind == configs.Number && !several {
			c[column.Name] = v.Number
		}
	}
	return c
}

// Eval evaluates a value that is claimed; nil is 0. Its error is meant as the reason of a
// verdict.
func (c Constants) Eval(v *configs.Value) (float64, error) {
	if v == nil {
		return 0, nil
	}
	for _, name := range v.Names() {
		if _, known := c[name]; !known {
			return 0, fmt.Errorf("the target %q uses %s, which is neither a constant of the data set nor a column of one value in the group (add a column to by, or fix it in where); known are %s",
				v.Text, name, strings.Join(slices.Sorted(maps.Keys(c)), ", "))
		}
	}
	return v.Eval(c)
}
