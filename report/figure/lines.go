package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
)

// lines draws means over repeats: a panel for each data set, kernel and value of the facet, a series
// for each method and value under by. A point is a value of x where this is a column, else a cell, or
// a value of the column along. Points along a column of numbers are joined.
func (r *reader) lines() (Chart, []string) {
	r.table = [][]string{{"plot", "role", "panel", "series", "cell", "label", "x", "x_low", "x_high", "y", "y_low", "y_high", "repeats"}}
	var panels []Panel
	for _, g := range r.split(r.rows, columns([]string{"dataset", "kernel", r.Facet.Value}, append(r.By.Texts(), r.X.Text)...)...) {
		if p := r.panel(g); len(p.Series) > 0 {
			panels = append(panels, p)
		}
	}
	series := r.style(panels)

	r.finish()
	switch {
	case len(series) > maxSeries:
		r.trouble = cmp.Or(r.trouble, fmt.Sprintf("%d lines cannot be told apart; pick up to %d under where, or make a column the facet", len(series), maxSeries))
	case len(panels) == 0:
		r.trouble = cmp.Or(r.trouble, "no point can be drawn")
	}
	if r.trouble != "" {
		return Chart{}, nil
	}
	c := newChart(cmp.Or(r.Title, r.ID), panels)
	if r.names && len(series) > 1 {
		c.PanelHeight += (c.PanelHeight - 45) * vg.Length(len(series)-1) / 2
	}
	return c, r.caption(series)
}

// panel reads one panel.
func (r *reader) panel(g results.Group) Panel {
	p := Panel{
		at: g.At,
		X:  Axis{Label: r.withUnit(r.X.Text, r.x), Log: r.Axes.X == "log"}, Y: Axis{Label: r.withUnit(r.Y.Text, r.y), Log: r.Axes.Y == "log"},
	}
	if r.names {
		p.X = Axis{Names: r.valuesOf(g.Rows, r.X.Text)}
	}
	var stands []results.Group // what meets at each value along the lines
	if r.Along.Value != "" {
		stands = results.Meeting(g.Rows, append(r.By.Texts(), r.Along.Value))
	}
	for _, line := range r.split(g.Rows, r.seriesColumns()...) {
		s := Series{role: measured, at: line.At}
		vary := r.varying(line.Rows)
		for _, at := range r.places(line, g.At, stands) {
			if q, ok := r.point(p, at, vary); ok {
				s.Points = append(s.Points, q)
			}
		}
		if len(s.Points) > 0 {
			p.Series = append(append(p.Series, r.curves(s)...), s)
		}
	}
	if len(p.Series) == 0 {
		return p
	}

	for _, m := range r.Marks {
		p.Series = append(p.Series, r.mark(p, g.Rows, m)...)
	}
	r.write(p)
	return p
}

// varying are the columns that tell the cells of a line apart. A size of its own tells no cells
// of several methods apart.
func (r *reader) varying(line []*results.Row) []string {
	names := format.Variables(r.run)
	if methods := r.valuesOf(line, "method"); len(methods) > 1 {
		for _, method := range methods {
			names = columns(names, r.run.OwnSizes(method)...)
		}
	}
	return format.Varying(line, names)
}

// places are the points of a line of a panel with their repeats, in the order in which they are
// joined: its cells, or what stands at each value of the column along it. A cell without such a
// value, as of exact kernel PCA along m, stands at those of all others of the panel.
func (r *reader) places(line results.Group, panel results.Key, stands []results.Group) []results.Group {
	along := r.Along.Value
	if along == "" {
		return lists.Map(results.Cells(line.Rows), func(cell results.Group) results.Group {
			return results.Group{At: cell.At.Join(panel), Rows: cell.Rows}
		})
	}

	var places []results.Group
	index := map[results.Value]int{}
	for _, g := range stands {
		v := g.At.Get(along)
		if v.Kind == configs.None || !g.At.Meets(line.At) {
			continue
		}
		rows := lists.Where(g.Rows, func(row *results.Row) bool { return row.At.Meets(line.At) })
		if len(rows) == 0 {
			continue
		}
		i, known := index[v]
		if !known {
			i, index[v] = len(places), len(places)
			places = append(places, results.Group{At: rows[0].At.Join(panel).Join(g.At)})
		}
		places[i].Rows = lists.Once(slices.Concat(places[i].Rows, rows))
	}
	slices.SortStableFunc(places, func(a, b results.Group) int { return r.order(along, a.At.Get(along), b.At.Get(along)) })
	return places
}

// point is the mean over the repeats of a place, whose cell is known by some columns; false
// where none has a value or the axes of its panel have no place for it.
func (r *reader) point(p Panel, at results.Group, vary []string) (Point, bool) {
	xs, ys := r.values(at)
	if len(ys) == 0 {
		return Point{}, false
	}
	q := Point{Group: at, cell: at.Rows[0].At.Only(vary...), count: len(ys), X: mean(xs, p.X.Log), Y: mean(ys, p.Y.Log)}
	q.Y.low, q.Y.high = r.run.Catalog.Metrics[r.Y.Text].Clip(q.Y.low, q.Y.high)
	if r.names {
		q.X = exactly(float64(slices.Index(p.X.Names, at.At.Text(r.X.Text))))
	}
	r.bounded = r.bounded || q.Y.bounded()
	return q, r.hasPlace(p.X.Log, r.X.Text, q.X.value, at.At) && r.hasPlace(p.Y.Log, r.Y.Text, q.Y.value, at.At)
}

// mean is the mean of values with its 95 % t interval. On a log axis this is the interval of the
// mean's logarithm, by the delta method: it is symmetric about the mark, and positive.
func mean(values []float64, log bool) estimate {
	s := results.Summarize(values)
	if log && s.Mean > 0 {
		factor := math.Exp((s.High - s.Mean) / s.Mean)
		return estimate{s.Mean, s.Mean / factor, s.Mean * factor}
	}
	return estimate{s.Mean, s.Low, s.High}
}

// write adds a row to the table for each point of a panel, tidy: what it is in column role, and
// the panel and series that it is in.
func (r *reader) write(p Panel) {
	for _, s := range p.Series {
		for _, q := range s.Points {
			x, repeats := []string{format.Value(q.X.value), format.Value(q.X.low), format.Value(q.X.high)}, ""
			if r.names {
				x = []string{p.X.Names[int(q.X.value)], "", ""}
			}
			if s.role == measured {
				repeats = fmt.Sprint(q.count)
			}
			row := append([]string{r.ID, string(s.role), p.at.String(), s.at.String(), q.cell.String(), s.Name}, x...)
			r.table = append(r.table, append(row, format.Value(q.Y.value), format.Value(q.Y.low), format.Value(q.Y.high), repeats))
		}
	}
}

// style gives panels and series their names, and series a look that is the same in all panels.
// It returns the keys of the lines.
func (r *reader) style(panels []Panel) []results.Key {
	name(panels)
	var keys []results.Key
	for _, p := range panels {
		for _, s := range p.Series {
			if s.role == measured && !slices.Contains(keys, s.at) {
				keys = append(keys, s.at)
			}
		}
	}
	slices.SortStableFunc(keys, r.compare)
	common := results.Key{}
	if len(keys) > 1 {
		common = format.Common(keys)
	}
	looks, references := looksOf(keys, configs.IDs(r.run.Spec.Methods)), References(r.run)

	for i := range panels {
		p := &panels[i]
		for k, s := range p.Series {
			at := slices.Index(keys, s.at)
			switch s.role {
			case measured:
				look := styled(looks[at], short(format.Without(s.at, common)))
				look.role, look.at, look.Points = s.role, s.at, s.Points
				if slices.Contains(references, s.at.Text("method")) { // others approximate it, and stay in sight
					look.Dashes = []vg.Length{5, 3}
				}
				p.Series[k] = r.measured(*p, look)
			case theory:
				p.Series[k].Colour = Palette[looks[at]%len(Palette)]
			case floor:
				p.Series[k].Name = floorName
			}
		}
		if r.names {
			r.turn(p, keys)
		}
	}
	return keys
}

// measured is a line of means with its intervals, in the look that it has, and the numbers of
// its points.
func (r *reader) measured(p Panel, s Series) Series {
	for i, q := range s.Points {
		where, x := plain.Text(format.PlainWhere(q.cell)), equation(p.X.Label, q.X)
		if r.names {
			x = plain.Text(p.X.Names[int(q.X.value)])
		}
		s.Points[i].Text = joined(strings.Trim(s.Name+", "+p.Title, ", "), where, x, equation(p.Y.Label, q.Y), "mean of "+plain.Count(q.count, "repeat"))
	}
	s.Interval = bars
	switch {
	case r.names || r.Along.Value == "":
		s.Width = 0
	case len(s.Points) > 1 && slices.IsSortedFunc(s.Points, func(a, b Point) int { return cmp.Compare(a.X.value, b.X.value) }):
		s.Interval = band
	}
	return s
}

// turn puts the names of a panel's x on y, where they have room, and the series of a name below each
// other.
func (r *reader) turn(p *Panel, keys []results.Key) {
	p.X, p.Y = p.Y, Axis{Names: lists.Map(p.X.Names, plain.Text)}
	for _, s := range p.Series {
		below := 0.0
		if s.role == measured {
			below = (float64(slices.Index(keys, s.at)) - float64(len(keys)-1)/2) * 0.8 / float64(len(keys))
		}
		for i, q := range s.Points {
			s.Points[i].X, s.Points[i].Y = q.Y, exactly(-q.X.value-below)
		}
	}
}

// caption says what is drawn, in sentences.
func (r *reader) caption(series []results.Key) []string {
	y, x := r.labels.named(r.Y.Text), r.labels.named(r.X.Text)
	drawn := fmt.Sprintf("Mean of %s over %s against %s.", y, r.repeats, x)
	switch {
	case r.names:
		drawn = fmt.Sprintf("Mean of %s over %s for each %s.", y, r.repeats, x)
	case r.x != nil && r.Along.Value == "":
		drawn = fmt.Sprintf("Mean of %s against that of %s, each over %s, a mark for each cell.", y, x, r.repeats)
	case r.x != nil:
		drawn = fmt.Sprintf("Mean of %s against that of %s, each over %s, in the order of %s.", y, x, r.repeats, r.labels.named(r.Along.Value))
	}

	intervals := "A single repeat has no interval."
	if r.bounded {
		intervals = "Bands and whiskers are 95 % t intervals of each mean"
		if r.Axes.X == "log" || r.Axes.Y == "log" {
			intervals += ", on log axes of its logarithm"
		}
		methods := lists.Once(lists.Map(series, func(at results.Key) string { return at.Text("method") }))
		if len(methods) > 1 || r.X.Text == "method" {
			intervals += ". Methods share their samples: paired differences can be clear where intervals overlap"
		}
		intervals += "."
	}
	caption := []string{drawn, intervals}
	if len(r.Theory) > 0 {
		caption = append(caption, "Curves of the theory have the constant factor that takes them through the last point of their line.")
	}
	return caption
}
