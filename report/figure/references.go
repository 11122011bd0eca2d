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

// curves are the curves of the theory and the floor along a line.
func (r *reader) curves(line Series) []Series {
	var curves []Series
	for k, c := range r.Theory {
		label := plain.Text(cmp.Or(c.Label, c.Curve.Text))
		points, err := r.theory(c, lists.Where(line.Points, func(q Point) bool { return matches(q.At, c.Where) }))
		if err != nil {
			r.note("The curve %s is left out: %v.", label, err)
			continue
		}
		curves = append(curves, Series{role: theory, at: line.at, Name: label, Width: 0.8, Reach: 1, Dashes: dashes[k], Points: points})
	}
	if r.floor != nil {
		s := floorSeries()
		s.role, s.at, s.Name = floor, line.at, r.Floor.Text
		for _, q := range line.Points {
			var values []float64
			for _, row := range q.Rows {
				if v, err := r.floor.Value(row); err == nil {
					values = append(values, v)
				}
			}
			if len(values) == 0 {
				continue // as of a method that has no floor
			}
			if mean := results.Summarize(values).Mean; plain.Finite(mean) && (r.Axes.Y != "log" || mean > 0) {
				s.Points = append(s.Points, Point{X: exactly(q.X.value), Y: exactly(mean)})
			}
		}
		curves = append(curves, s)
	}
	return lists.Where(curves, func(s Series) bool { return len(s.Points) > 0 })
}

// theory evaluates a curve at the points of a line, through one of them unless
// it is not anchored.
func (r *reader) theory(c configs.TheoryCurve, line []Point) ([]Point, error) {
	values := make([]float64, len(line))
	for i, q := range line {
		var err error
		if values[i], err = r.evaluate(c.Curve, q.Rows[0], q.At); err != nil {
			return nil, err
		}
	}
	factor := 1.0
	if c.Anchor != "none" && len(line) > 0 {
		i := map[string]int{"first": 0, "last": len(line) - 1}[c.Anchor]
		if values[i] == 0 {
			return nil, fmt.Errorf("it is 0 at %s = %s, where it should meet the line", plain.Text(r.X.Text), format.Number(line[i].X.value))
		}
		factor = line[i].Y.value / values[i]
	}
	var curve []Point
	for i, q := range line {
		y := factor * values[i]
		if r.Axes.Y == "log" && y <= 0 {
			return nil, fmt.Errorf("it is %s at %s = %s, which has no place on a log axis", format.Number(y), plain.Text(r.X.Text), format.Number(q.X.value))
		}
		curve = append(curve, Point{X: exactly(q.X.value), Y: exactly(y)})
	}
	return curve, nil
}

// mark is a reference value in a panel that it is about: a cross, a line across the panel, or a
// stroke at each row of a bar plot that it is about.
func (r *reader) mark(p Panel, rows []*results.Row, m configs.Mark) []Series {
	about := lists.Where(rows, func(row *results.Row) bool { return matches(row.At.Join(p.at), m.Where) })
	if len(about) == 0 {
		return nil
	}
	label := plain.Text(m.Label)
	x, errX := r.markValue(m.X, r.Axes.X, about, p.at)
	y, errY := r.markValue(m.Y, r.Axes.Y, about, p.at)
	if err := cmp.Or(errX, errY); err != nil {
		r.note("The mark %s is left out: %v.", label, err)
		return nil
	}

	number := slices.IndexFunc(r.Marks, func(other configs.Mark) bool { return other.Label == m.Label })
	s := Series{role: mark, Name: label, Colour: ink, Width: 0.8, Dashes: dashes[(number+1)%len(dashes)], Reach: 1, Interval: bars}
	if r.Rows() {
		s.Width = 0
		for i, row := range p.Y.Names {
			if at := -float64(i); slices.Contains(r.valuesOf(about, r.X.Text), row) {
				place := results.Group{At: results.NewKey([]string{r.X.Text}, []results.Value{configs.TextOf(row)})}
				s.Points = append(s.Points, Point{X: y, Y: estimate{at, at - 0.5, at + 0.5}, Text: lines(label, equation(p.X.Label, y)), Group: place})
			}
		}
		return []Series{s}
	}
	if plain.Finite(x.value) && plain.Finite(y.value) {
		s.Width, s.Shape, s.Radius, s.Reach = 0, plus, 3, 3
	}
	s.Points = []Point{{X: x, Y: y, Text: lines(label, equation(p.X.Label, x), equation(p.Y.Label, y))}}
	return []Series{s}
}

// markValue is the one value that v has in all rows of a panel that have what it depends on,
// on an axis of a scale; all of the axis where the mark does not give it.
func (r *reader) markValue(v *configs.Value, scale string, rows []*results.Row, panel results.Key) (estimate, error) {
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
	if !plain.Finite(values[0]) || scale == "log" && values[0] <= 0 {
		return estimate{}, fmt.Errorf("%s is %s, which has no place on the axis", v.Text, format.Number(values[0]))
	}
	return exactly(values[0]), nil
}

// matches says whether conditions pick a place.
func matches(at results.Key, where configs.Conditions) bool {
	row := results.Row{At: at}
	return row.Match(where)
}

// floorSeries is the floor below a line, without its points.
func floorSeries() Series {
	return Series{Name: floorName, Colour: quiet, Width: 0.6, Reach: 1}
}

// front marks the points of a panel that no other one is as low as in both coordinates and
// lower in one, and joins them by the steps of what they reach. Cost: n log n for n points.
func front(series []Series) Series {
	var all []*Point
	for _, q := range points([]Panel{{Series: series}}) {
		all = append(all, q)
	}
	slices.SortFunc(all, func(a, b *Point) int {
		return cmp.Or(cmp.Compare(a.X.value, b.X.value), cmp.Compare(a.Y.value, b.Y.value))
	})

	steps := Series{Name: "front of the means", Colour: quiet, Width: 0.8, Reach: 1, Dashes: []vg.Length{2, 1.5}}
	x, y := math.NaN(), math.Inf(1) // of the first of the lowest points so far
	for _, q := range all {
		q.front = q.Y.value < y || q.Y.value == y && q.X.value == x
		if q.front {
			steps.Points = append(steps.Points, Point{X: exactly(q.X.value), Y: exactly(y)}, Point{X: exactly(q.X.value), Y: exactly(q.Y.value)})
			x, y = q.X.value, q.Y.value
		}
	}
	steps.Points = append(steps.Points, Point{X: exactly(math.Inf(1)), Y: exactly(y)})
	return steps
}
