package claims

import (
	"cmp"
	"fmt"
	"maps"

	"mercer/configs"
	"mercer/internal/sizes"
	"mercer/results"
)

// Reader reads a run's records as verdicts do, for figures of what was judged.
type Reader struct{ j *judge }

// NewReader makes a run ready to be read.
func NewReader(run results.Run) Reader { return Reader{newJudge(run, Context{})} }

// Select are the records that where picks, in canonical order. The slice is not to
// be changed.
func (r Reader) Select(where configs.Conditions) []*results.Record {
	var places span
	picked := false
	for k := range r.j.records {
		record := r.j.records[k]
		if k == 0 || !record.SameCell(r.j.records[k-1]) {
			picked = matches(record, where)
		}
		if picked {
			places.add(k)
		}
	}
	return places.of(r.j.records)
}

// Matches says whether a record has one of the values that where asks of each
// column.
func (r Reader) Matches(record *results.Record, where configs.Conditions) bool {
	return matches(record, where)
}

// Column is a record's value in a column, as text: its dataset, kernel or
// method, or the value at its grid point before its method's own sizes; false
// where it has none.
func (r Reader) Column(record *results.Record, name string) (string, bool) {
	return column(record, name)
}

// Axis is a record's value of a variable along an axis: the size that its method
// used, or a grid variable.
func (r Reader) Axis(record *results.Record, name string) (float64, bool) { return axis(record, name) }

// Quantity is a metric or an expression over metrics, grid variables and sizes,
// as the key `of` of claims has it.
type Quantity struct{ q *quantity }

// Quantity reads a text; its error says what is wrong with an expression.
func (r Reader) Quantity(text string) (Quantity, error) {
	q, err := r.j.quantity(text)
	return Quantity{q}, err
}

// Value is the quantity in one record; an error where the record is not ok, or
// lacks a metric.
func (q Quantity) Value(record *results.Record) (float64, error) {
	reading := q.q.readOne(record)
	return reading.value, reading.err
}

// Unit is that of a plain metric; "" for an expression.
func (q Quantity) Unit(record *results.Record) string {
	if q.q.expr != nil {
		return ""
	}
	m, _ := record.Metrics.Get(q.q.text)
	return m.Unit
}

// Distinct leaves one record of each computation: cells that differ only in what
// their method does not use are one.
func (r Reader) Distinct(records []*results.Record) []*results.Record {
	return distinct(records)
}

// Clash says why records, distinct and of one method, are of several cells where
// a figure needs one, and what would tell them apart; "" where they are repeats
// of one cell. What over names is known to be the same in all.
func (r Reader) Clash(records []*results.Record, over string) (reason, advice string) {
	d := r.j.clash(records, over)
	return d.reason, d.settle
}

// Cell tells cells of one method apart: equal for the repeats of one cell.
func (r Reader) Cell(record *results.Record) string {
	return cellID(record, r.j.all)
}

// Coordinates gives, for one of the records, the grid variables that vary within
// them, with the sizes that its method used.
func (r Reader) Coordinates(within []*results.Record) func(*results.Record) []Coordinate {
	return r.j.coordinatesWithin(within).of
}

// Evaluate evaluates an expression over the constants of the record's data set and
// its grid variables and sizes.
func (r Reader) Evaluate(v configs.Value, record *results.Record) (float64, error) {
	env := maps.Clone(r.j.constants[record.Dataset])
	if env == nil {
		env = map[string]float64{}
	}
	maps.Copy(env, record.Point)
	for _, name := range sizes.Names {
		if size, ok := axis(record, name); ok {
			env[name] = size
		}
	}
	y, err := v.Eval(env)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", cmp.Or(record.Method, record.Dataset), err)
	}
	return y, nil
}
