package figure

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/plot/vg"

	"mercer/configs"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
)

// dashes are those of the theory's curves, by number; marks have the second.
var dashes = [][]vg.Length{{3.5, 2}, {1.2, 1.5}, {6, 1.5, 1, 1.5}, {6, 2, 2, 2}}

const floorName = "floor"

// floorSeries is a floor without its points.
func floorSeries() Series {
	return Series{role: floor, Name: floorName, Colour: quiet, Width: 0.6, Curve: true}
}

// curves are the curves of the theory and the floor along a line.
func (r *reader) curves(line Series) (all []Series) {
	for k, c := range r.Theory {
		s := Series{role: theory, at: line.at, Name: plain.Text(cmp.Or(c.Label, c.Curve.Text)), Colour: line.Colour, Width: 0.8, Curve: true, Dashes: dashes[k]}
		all = append(all, r.reference(s, line.Points, c.Where, r.evaluated(c.Curve))...)
	}
	if r.floor != nil {
		s := floorSeries()
		s.at = line.at
		all = append(all, r.reference(s, line.Points, nil, r.floorAt)...)
	}
	return all
}

// marks are the reference values at the points of all lines of a panel, once at each x.
func (r *reader) marks(points []Point) (all []Series) {
	for _, m := range r.Marks {
		s := Series{role: mark, Name: plain.Text(m.Label), Colour: ink, Width: 0.8, Dashes: dashes[1]}
		all = append(all, r.reference(s, points, m.Where, r.evaluated(m.Y))...)
	}
	return all
}

// reference evaluates a series for comparison at the points that conditions pick; it is empty where it
// has no points. The theory leaves a constant factor open: its curve goes through the last point. A mark
// is a line, or a cross at a single point and at names.
func (r *reader) reference(s Series, points []Point, where configs.Conditions, value func(Point) (float64, error)) []Series {
	points = slices.DeleteFunc(slices.Clone(points), func(q Point) bool { row := results.Row{At: q.At}; return !row.Match(where) })
	byX := func(a, b Point) int { return cmp.Compare(a.X.value, b.X.value) }
	if s.role == mark {
		slices.SortStableFunc(points, byX)
		points = slices.CompactFunc(points, func(a, b Point) bool { return byX(a, b) == 0 })
	}

	factor := 1.0
	for i, q := range slices.Backward(points) {
		y, err := value(q)
		if last := i == len(points)-1; last && err == nil && s.role == theory {
			factor = q.Y.value / y
		}
		if y *= factor; err == nil && (!plain.Finite(y) || r.Axes.Y == "log" && y <= 0) {
			err = fmt.Errorf("at %s = %s the axis has no place for it, or it is 0 where it should meet the line", plain.Text(r.X.Text), format.Number(q.X.value))
		}
		switch {
		case err == nil:
			s.Points = append(s.Points, Point{X: exactly(q.X.value), Y: exactly(y)})
		case s.role != floor: // which a method may lack
			r.note("%s is left out: %v.", s.Name, err)
			return nil
		}
	}
	slices.Reverse(s.Points)
	if len(s.Points) == 0 {
		return nil
	}
	if s.role == mark && (r.names || len(s.Points) == 1) {
		s.Width, s.Shape, s.Radius = 0, plus, 3
	}
	return []Series{s}
}

// evaluated is a value at points: over their columns, and the constants of their populations.
func (r *reader) evaluated(v configs.Value) func(Point) (float64, error) {
	return func(q Point) (float64, error) {
		c := r.run.Constants(q.Rows[:1])
		for name, x := range q.At.All() {
			if x.Kind == configs.Number {
				c[name] = x.Number
			}
		}
		return v.Eval(c)
	}
}

// floorAt is the mean of the floor over the repeats of a point that have one.
func (r *reader) floorAt(q Point) (float64, error) {
	var values []float64
	for _, row := range q.Rows {
		if v, err := r.floor.Value(row); err == nil {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return 0, errors.New("no repeat has a floor")
	}
	return results.Summarize(values).Mean, nil
}
