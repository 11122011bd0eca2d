package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
)

// dashes are those of the theory's curves, by number, and of reference values, by label.
var dashes = [][]vg.Length{{3.5, 2}, {1.2, 1.5}, {6, 1.5, 1, 1.5}, {6, 2, 2, 2}}

const floorName = "floor"

// curves are the curves of the theory and the floor along a line.
func (r *reader) curves(line Series) []Series {
	var curves []Series
	for k, c := range r.Theory {
		s := Series{role: theory, at: line.at, Name: plain.Text(cmp.Or(c.Label, c.Curve.Text)), Width: 0.8, Curve: true, Dashes: dashes[k]}
		picked := lists.Where(line.Points, func(q Point) bool { return matches(q.At, c.Where) })
		curves = append(curves, r.curve(s, picked, func(q Point) (float64, error) { return r.evaluate(c.Curve, q.Rows[0], q.At) }))
	}
	if r.floor != nil {
		s := floorSeries()
		s.role, s.at, s.Name = floor, line.at, r.Floor.Text
		curves = append(curves, r.curve(s, line.Points, r.floorAt))
	}
	return lists.Where(curves, func(s Series) bool { return len(s.Points) > 0 })
}

// curve evaluates a curve at the points of a line. The theory leaves a constant factor open: its
// curve goes through the last point.
func (r *reader) curve(s Series, line []Point, at func(Point) (float64, error)) Series {
	factor := 1.0
	for i, q := range slices.Backward(line) {
		y, err := at(q)
		if last := i == len(line)-1; last && err == nil && s.role == theory {
			factor = q.Y.value / y
		}
		if y *= factor; err == nil && (!plain.Finite(y) || r.Axes.Y == "log" && y <= 0) {
			err = fmt.Errorf("at %s = %s the axis has no place for it, or it is 0 where it should meet the line", plain.Text(r.X.Text), format.Number(q.X.value))
		}
		switch {
		case err == nil:
			s.Points = append(s.Points, Point{X: exactly(q.X.value), Y: exactly(y)})
		case s.role == theory:
			r.note("The curve %s is left out: %v.", s.Name, err)
			return Series{}
		} // a method may have no floor
	}
	slices.Reverse(s.Points)
	return s
}

// floorSeries is a floor without its points.
func floorSeries() Series {
	return Series{Name: floorName, Colour: quiet, Width: 0.6, Curve: true}
}

// floorAt is the mean of the floor over the repeats of a point.
func (r *reader) floorAt(q Point) (float64, error) {
	var values []float64
	var failed error
	for _, row := range q.Rows {
		v, err := r.floor.Value(row)
		if err != nil {
			failed = err
			continue
		}
		values = append(values, v)
	}
	if len(values) == 0 {
		return 0, failed
	}
	return results.Summarize(values).Mean, nil
}

// mark is a reference value in a panel that it is about: a cross, at each name that it is about
// where x has names, or a line across the panel.
func (r *reader) mark(p Panel, rows []*results.Row, m configs.Mark) []Series {
	about := lists.Where(rows, func(row *results.Row) bool { return matches(row.At.Join(p.at), m.Where) })
	if len(about) == 0 {
		return nil
	}
	label := plain.Text(m.Label)
	x, errX := r.markValue(m.X, p.X.Log, about, p.at)
	y, errY := r.markValue(m.Y, p.Y.Log, about, p.at)
	if err := cmp.Or(errX, errY); err != nil {
		r.note("The mark %s is left out: %v.", label, err)
		return nil
	}

	number := slices.IndexFunc(r.Marks, func(other configs.Mark) bool { return other.Label == m.Label })
	s := Series{role: mark, Name: label, Colour: ink, Width: 0.8, Dashes: dashes[(number+1)%len(dashes)], Interval: bars}
	if r.names || m.X != nil && m.Y != nil {
		s.Width, s.Shape, s.Radius, s.Interval = 0, plus, 3, ""
	}
	q := Point{X: x, Y: y, Text: joined(label, equation(p.X.Label, x), equation(p.Y.Label, y))}
	if !r.names {
		s.Points = []Point{q}
		return []Series{s}
	}
	for _, name := range r.valuesOf(about, r.X.Text) {
		q.X = exactly(float64(slices.Index(p.X.Names, name)))
		s.Points = append(s.Points, q)
	}
	return []Series{s}
}

// markValue is the one value that v has in all rows of a panel that have what it depends on; all of
// the axis where the mark does not give it.
func (r *reader) markValue(v *configs.Value, log bool, rows []*results.Row, panel results.Key) (estimate, error) {
	if v == nil {
		return estimate{math.Inf(1), math.Inf(-1), math.Inf(1)}, nil
	}
	var values []float64
	var failed error
	for _, cell := range results.Cells(rows) {
		x, err := r.evaluate(*v, cell.Rows[0], cell.At.Join(panel))
		if err != nil {
			failed = cmp.Or(failed, err)
			continue
		}
		if values = append(values, x); x != values[0] {
			return estimate{}, fmt.Errorf("%s is %s in one cell and %s in another; make what it depends on the facet, or fix it under where", v.Text, format.Number(values[0]), format.Number(x))
		}
	}
	if len(values) == 0 {
		return estimate{}, failed
	}
	if !plain.Finite(values[0]) || log && values[0] <= 0 {
		return estimate{}, fmt.Errorf("%s is %s, which has no place on the axis", v.Text, format.Number(values[0]))
	}
	return exactly(values[0]), nil
}

// matches says whether conditions pick a place.
func matches(at results.Key, where configs.Conditions) bool {
	row := results.Row{At: at}
	return row.Match(where)
}
