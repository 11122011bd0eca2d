package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
)

// reading is where a row of a point lies on the axes; x is 0 where rows are in its place.
func (r *plotReader) reading(row *results.Row, p plotPoint) (x, y float64, err error) {
	if y, err = r.y.Value(row); err != nil {
		return 0, 0, err
	}
	switch {
	case r.MeasuredX():
		x, err = r.x.Value(row)
	case !r.Rows():
		x, _ = p.at.Number(r.X.Text)
	}
	return x, y, err
}

// points reads the cells of one line of a panel, in the order in which they are joined.
func (r *plotReader) points(line []*results.Row, panel results.Group, rows []string) []plotPoint {
	var points []plotPoint
	names := format.Variables(r.run)
	if methods := results.GroupBy(line, func(row *results.Row) results.Key { return row.At.Only("method") }); len(methods) > 1 {
		for _, method := range methods { // a size of its own tells no cells of several methods apart
			own := r.run.OwnSizes(method.At.Text("method"))
			names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(own, name) })
		}
	}
	varying := format.Varying(line, names)
	for _, p := range r.places(line, panel) {
		if !r.oneCell(p) || !r.average(&p) {
			continue
		}
		p.cell = p.repeats[0].At.Only(varying...)
		if r.Rows() {
			p.rows = []int{slices.Index(rows, p.at.Text(r.X.Text))}
		}
		if r.place(&p) {
			points = append(points, p)
		}
	}
	return points
}

// along is the column that goes along a line, or down the rows.
func (r *plotReader) along() string {
	if r.Kind == configs.PlotTrajectory {
		return r.Plot.Along.Value
	}
	return r.X.Text
}

// places are the points of a line with their repeats: for pareto its cells, else what stands
// at each value that is along the line. A cell without such a value stands at those of all
// others of the panel that it meets.
func (r *plotReader) places(line []*results.Row, panel results.Group) []plotPoint {
	var points []plotPoint
	if r.Kind == configs.PlotPareto {
		for _, cell := range results.Cells(line) {
			points = append(points, plotPoint{at: cell.At.Join(panel.At), repeats: cell.Rows})
		}
		return points
	}
	along, index := r.along(), map[results.Value]int{}
	add := func(at results.Key, rows []*results.Row) {
		v := at.Get(along)
		i, known := index[v]
		if !known {
			i, index[v] = len(points), len(points)
			points = append(points, plotPoint{at: at})
		}
		if !known || !slices.Contains(points[i].repeats, rows[0]) {
			points[i].repeats = slices.Concat(points[i].repeats, rows)
		}
	}
	var places []results.Key // of the panel's cells
	var meeters func(results.Key) []int
	for _, cell := range results.Cells(line) {
		if cell.At.Get(along).Kind != configs.None {
			add(cell.At.Join(panel.At), cell.Rows)
			continue
		}
		if meeters == nil {
			places = lists.Map(results.Cells(panel.Rows), r.beside)
			meeters = results.Meeters(places)
		}
		for _, i := range meeters(r.beside(cell)) {
			if places[i].Get(along).Kind != configs.None {
				add(cell.At.Join(panel.At).Join(places[i]), cell.Rows)
			}
		}
	}
	slices.SortStableFunc(points, func(a, b plotPoint) int { return r.order(along, a.at.Get(along), b.at.Get(along)) })
	return points
}

// beside are the columns of a cell in which it meets those of other methods: without the
// sizes that its method has by itself.
func (r *plotReader) beside(cell results.Group) results.Key {
	return cell.At.Without("method").Without(r.run.OwnSizes(cell.Rows[0].Method())...)
}

// oneCell says whether the rows of a point are repeats of one cell; where they are not, that
// is the plot's trouble.
func (r *plotReader) oneCell(p plotPoint) bool {
	along := r.along()
	reason, advice := r.clash(p.repeats, along)
	if reason == "" {
		return true
	}
	where := plain.Text(p.repeats[0].Method())
	if x := p.at.Text(along); x != "" && along != "method" {
		where += " at " + plain.Text(along) + " = " + x
	}
	r.trouble = cmp.Or(r.trouble, fmt.Sprintf("%s has %s; %s, or make it the facet", where, reason, advice))
	return false
}

// average averages over the repeats of a point; false where none has a value.
func (r *plotReader) average(p *plotPoint) bool {
	xs, ys := make([]float64, 0, len(p.repeats)), make([]float64, 0, len(p.repeats))
	for _, row := range p.repeats {
		r.readings++
		x, y, err := r.reading(row, *p)
		if err != nil {
			r.lost = append(r.lost, fmt.Sprintf("%s, repeat %d (%v)", row.Method(), row.Repeat, err))
			continue
		}
		xs, ys = append(xs, x), append(ys, y)
	}
	if len(ys) == 0 {
		return false
	}
	p.values, p.x, p.y = ys, r.estimate(xs, r.Axes.X), r.estimate(ys, r.Axes.Y)
	p.y.low, p.y.high = r.run.Catalog.Metrics[r.Y.Text].Clip(p.y.low, p.y.high)
	r.count(len(ys))
	return true
}

// estimate is the mean of values with the band that the plot asks for. On a log
// axis the t interval is that of the mean's logarithm, by the delta method: it is
// symmetric about the mark, and positive.
func (r *plotReader) estimate(values []float64, scale string) estimate {
	s := results.Summarize(values)
	e := estimate{s.Mean, math.NaN(), math.NaN()}
	switch r.Band {
	case "t":
		e.low, e.high = s.Low, s.High
		if scale == "log" && s.Mean > 0 {
			factor := math.Exp((s.High - s.Mean) / s.Mean)
			e.low, e.high = s.Mean/factor, s.Mean*factor
		}
	case "sd":
		e.low, e.high = s.Mean-s.SD, s.Mean+s.SD
	}
	return e
}

// place says whether the axes have a place for a point.
func (r *plotReader) place(p *plotPoint) bool {
	logX, logY := r.Axes.X == "log", r.Axes.Y == "log"
	if logX && p.x.value <= 0 || logY && p.y.value <= 0 {
		what := fmt.Sprintf("%s = %s", plain.Text(r.Y.Text), format.Number(p.y.value))
		if logX && p.x.value <= 0 {
			what = fmt.Sprintf("%s = %s", plain.Text(r.X.Text), format.Number(p.x.value))
		}
		where := format.PlainWhere(p.cell)
		r.dropped = append(r.dropped, strings.TrimSpace(fmt.Sprintf("%s %s (%s)", plain.Text(p.repeats[0].Method()), where, what)))
		return false
	}
	r.cut = r.cut || logX && p.x.low <= 0 || logY && p.y.low <= 0
	return true
}

// curves are the curves of the theory and the floor along a line.
func (r *plotReader) curves(l plotSeries) []plotSeries {
	var curves []plotSeries
	add := func(c plotSeries) {
		if len(c.points) > 0 {
			c.at = l.at
			curves = append(curves, c)
		}
	}
	for k, c := range r.Theory {
		points := slices.DeleteFunc(slices.Clone(l.points), func(p plotPoint) bool { return !matches(p.at, c.Where) })
		curve, err := r.theory(c, points)
		if err != nil {
			r.note("The curve %s is left out: %v.", r.theories[k], err)
			continue
		}
		add(plotSeries{role: theory, curve: k, label: r.theories[k], points: curve})
	}
	if r.Floor.Text != "" {
		add(plotSeries{role: floor, label: r.Floor.Text, points: r.floors(l.points)})
	}
	return curves
}

// floors are the means of the floor at the points of a line.
func (r *plotReader) floors(points []plotPoint) []plotPoint {
	var floors []plotPoint
	for _, p := range points {
		var values []float64
		for _, row := range p.repeats {
			if v, err := r.floor.Value(row); err == nil {
				values = append(values, v)
			}
		}
		if len(values) > 0 {
			if mean := results.Summarize(values).Mean; r.Axes.Y != "log" || mean > 0 {
				floors = append(floors, plotPoint{x: exactly(p.x.value), y: exactly(mean)})
			}
		}
	}
	return floors
}

// theory evaluates a curve at the points of a line, through one of them unless
// it is not anchored.
func (r *plotReader) theory(c configs.TheoryCurve, points []plotPoint) ([]plotPoint, error) {
	if len(points) == 0 {
		return nil, nil
	}
	anchor := map[string]int{"first": 0, "none": -1, "last": len(points) - 1}[c.Anchor]
	values, factor := make([]float64, len(points)), 1.0
	for i, p := range points {
		var err error
		if values[i], err = r.evaluate(c.Curve, p.repeats[0], p.at); err != nil {
			return nil, err
		}
		if i == anchor {
			factor = p.y.value / values[i]
		}
		if i == anchor && values[i] == 0 {
			return nil, fmt.Errorf("it is 0 at %s = %s, where it should meet the line", plain.Text(r.X.Text), format.Number(p.x.value))
		}
	}
	curve := make([]plotPoint, len(points))
	for i, p := range points {
		y := factor * values[i]
		if r.Axes.Y == "log" && y <= 0 {
			return nil, fmt.Errorf("it is %s at %s = %s, which has no place on a log axis", format.Number(y), plain.Text(r.X.Text), format.Number(p.x.value))
		}
		curve[i] = plotPoint{x: exactly(p.x.value), y: exactly(y)}
	}
	return curve, nil
}

// markFront finds the points of a panel that no other one is as low as in both
// coordinates and lower in one. Cost: n log n for n points.
func markFront(series []plotSeries) {
	var points []*plotPoint
	for _, s := range series {
		for j := range s.points {
			p := &s.points[j]
			p.front = true
			if !math.IsNaN(p.x.value) && !math.IsNaN(p.y.value) {
				points = append(points, p)
			}
		}
	}
	slices.SortFunc(points, func(a, b *plotPoint) int {
		return cmp.Or(cmp.Compare(a.x.value, b.x.value), cmp.Compare(a.y.value, b.y.value))
	})
	var lowest *plotPoint // so far: the first of those as low
	for _, p := range points {
		switch {
		case lowest == nil || p.y.value < lowest.y.value:
			lowest = p
		case p.x.value != lowest.x.value || p.y.value != lowest.y.value:
			p.front = false
		}
	}
}
