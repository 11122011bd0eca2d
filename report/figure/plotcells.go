package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/metrics"
	"mercer/internal/plain"
	"mercer/internal/selection"
	"mercer/report/format"
	"mercer/results"
)

// reading is where a record lies on the axes; x is 0 where rows are in its place.
func (r *plotReader) reading(record *results.Record) (x, y float64, err error) {
	if y, err = r.y.Value(record); err != nil {
		return 0, 0, err
	}
	switch {
	case r.MeasuredX():
		x, err = r.x.Value(record)
	case !r.Rows():
		x, _ = selection.Axis(record, r.X.Text)
	}
	return x, y, err
}

// points reads the cells of one line, in the order in which they are joined.
func (r *plotReader) points(records []*results.Record, rows []string) []plotPoint {
	var points []plotPoint
	coordinates := r.CoordinatesWithin(records)
	for _, cell := range r.cells(records) {
		if !r.oneCell(cell) {
			continue
		}
		p, ok := r.point(cell)
		if !ok {
			continue
		}
		p.cell = coordinates.At(p.record())
		if r.Rows() {
			row, _ := selection.Column(p.record(), r.X.Text)
			p.rows = []int{slices.Index(rows, row)}
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

// cells groups the records of a line into what each point is about, by what is
// along the line: a number, a row, or for pareto the cell itself.
func (r *plotReader) cells(records []*results.Record) [][]*results.Record {
	if r.Kind == configs.PlotPareto {
		return selection.RecordCells(selection.Distinct(records))
	}
	along := r.along()
	cells := selection.SplitBy(records, func(record *results.Record) (string, bool) {
		if r.Rows() {
			row, _ := selection.Column(record, r.X.Text)
			return row, true
		}
		at, ok := selection.Axis(record, along)
		return plain.Number(at), ok // the method may not have the variable
	})
	if !r.Rows() {
		slices.SortStableFunc(cells, func(a, b []*results.Record) int {
			x, _ := selection.Axis(a[0], along)
			y, _ := selection.Axis(b[0], along)
			return cmp.Compare(x, y)
		})
	}
	for i := range cells {
		cells[i] = selection.Distinct(cells[i])
	}
	return cells
}

// oneCell says whether records are repeats of one cell; where they are not, that
// is the plot's trouble.
func (r *plotReader) oneCell(records []*results.Record) bool {
	along := r.along()
	reason, advice := r.Clash(records, along)
	if reason == "" {
		return true
	}
	first := records[0]
	where := plain.Text(first.Method)
	if x, ok := selection.Column(first, along); ok && along != "method" {
		where += " at " + plain.Text(along) + " = " + x
	}
	r.trouble = cmp.Or(r.trouble, fmt.Sprintf("%s has %s; %s, or make it the facet", where, reason, advice))
	return false
}

// point averages over repeats; false where no repeat has a value.
func (r *plotReader) point(records []*results.Record) (plotPoint, bool) {
	xs, ys := make([]float64, 0, len(records)), make([]float64, 0, len(records))
	p := plotPoint{repeats: records}
	for _, record := range records {
		r.readings++
		x, y, err := r.reading(record)
		if err != nil {
			r.lost = append(r.lost, fmt.Sprintf("%s, repeat %d (%v)", record.Method, record.Repeat, err))
			continue
		}
		xs, ys = append(xs, x), append(ys, y)
	}
	if len(ys) == 0 {
		return p, false
	}
	p.values, p.x, p.y = ys, r.estimate(xs, r.Axes.X), r.estimate(ys, r.Axes.Y)
	p.y.low, p.y.high = metrics.Clip(r.Y.Text, p.y.low, p.y.high)
	r.count(len(ys))
	return p, true
}

// estimate is the mean of values with the band that the plot asks for. On a log
// axis the t interval is that of the mean's logarithm, by the delta method: it is
// symmetric about the mark, and positive.
func (r *plotReader) estimate(values []float64, scale string) estimate {
	s := r.summarizer.Summarize(values)
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
		r.dropped = append(r.dropped, strings.TrimSpace(fmt.Sprintf("%s %s (%s)", plain.Text(p.record().Method), where, what)))
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
		points := slices.DeleteFunc(slices.Clone(l.points), func(p plotPoint) bool { return !selection.Matches(p.record(), c.Where) })
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
		for _, record := range p.repeats {
			if v, err := r.floor.Value(record); err == nil {
				values = append(values, v)
			}
		}
		if len(values) > 0 {
			if mean := r.summarizer.Summarize(values).Mean; r.Axes.Y != "log" || mean > 0 {
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
		if values[i], err = r.Evaluate(c.Curve, p.record()); err != nil {
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
