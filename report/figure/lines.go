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

// lines draws what the kinds line, trajectory, pareto and bar have in common: a panel for each
// data set, kernel and value of the facet, a series for each method and value under by, and a
// point for each place along it, the mean over its repeats. Bars lie on their side, so that the
// names of their rows have room.
func (r *reader) lines() (Chart, []string) {
	r.table = [][]string{{"plot", "role", "panel", "series", "row", "cell", "label", "x", "x_low", "x_high", "y", "y_low", "y_high", "repeats", "front"}}
	apart := columns([]string{"dataset", "kernel", r.Facet.Value}, append(r.By.Texts(), r.rowColumn())...)
	var panels []Panel
	for _, g := range r.split(r.rows, apart...) {
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
	c := newChart(r.Size, cmp.Or(r.Title, r.ID), panels)
	if r.Rows() && len(series) > 1 {
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
	if r.Rows() {
		p.X, p.Y = Axis{Label: p.Y.Label, Zero: true}, Axis{Names: r.valuesOf(g.Rows, r.X.Text)}
	}
	var stands []results.Group // what meets at each value along the lines
	if r.Kind != configs.PlotPareto {
		stands = results.Meeting(g.Rows, append(r.By.Texts(), r.along()))
	}
	for _, line := range r.split(g.Rows, r.seriesColumns()...) {
		s := Series{role: measured, at: line.At}
		vary := r.varying(line.Rows)
		for _, at := range r.places(line, g.At, stands) {
			if q, ok := r.point(at, vary); ok {
				if r.Rows() {
					q.X, q.Y = q.Y, exactly(-float64(slices.Index(p.Y.Names, at.At.Text(r.X.Text))))
				}
				s.Points = append(s.Points, q)
			}
		}
		if len(s.Points) > 0 {
			p.Series = append(append(p.Series, s), r.curves(s)...)
		}
	}
	if len(p.Series) == 0 {
		return p
	}

	if r.Kind == configs.PlotPareto {
		p.Series = append(p.Series, front(p.Series))
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

// along is the column along which points are joined.
func (r *reader) along() string { return cmp.Or(r.Plot.Along.Value, r.X.Text) }

// places are the points of a line of a panel with their repeats, in the order in which they are
// joined: for pareto its cells, else what stands at each value of the column along it. A cell without
// such a value, as of exact kernel PCA along m, stands at those of all others of the panel.
func (r *reader) places(line results.Group, panel results.Key, stands []results.Group) []results.Group {
	if r.Kind == configs.PlotPareto {
		return lists.Map(results.Cells(line.Rows), func(cell results.Group) results.Group {
			return results.Group{At: cell.At.Join(panel), Rows: cell.Rows}
		})
	}

	var places []results.Group
	along, index := r.along(), map[results.Value]int{}
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
// where none has a value or the axes have no place for it.
func (r *reader) point(at results.Group, vary []string) (Point, bool) {
	xs, ys := r.values(at)
	if len(ys) == 0 {
		return Point{}, false
	}
	q := Point{Group: at, cell: at.Rows[0].At.Only(vary...), count: len(ys), X: r.estimate(xs, r.Axes.X), Y: r.estimate(ys, r.Axes.Y)}
	q.Y.low, q.Y.high = r.run.Catalog.Metrics[r.Y.Text].Clip(q.Y.low, q.Y.high)
	r.bounded = r.bounded || q.Y.bounded()
	return q, r.hasPlace(r.Axes.X, r.X.Text, q.X.value, at.At) && r.hasPlace(r.Axes.Y, r.Y.Text, q.Y.value, at.At)
}

// estimate is the mean of values with the band that the plot asks for. On a log
// axis the t interval is that of the mean's logarithm, by the delta method: it is
// symmetric about the mark, and positive.
func (r *reader) estimate(values []float64, scale string) estimate {
	s := results.Summarize(values)
	e := exactly(s.Mean)
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

// write adds a row to the table for each point of a panel, tidy: what it is in column role, and
// the panel and series that it is in.
func (r *reader) write(p Panel) {
	for _, s := range p.Series {
		for _, q := range s.Points {
			row, repeats, front, x, y := "", "", "", q.X, q.Y
			if r.Rows() {
				x, y = exactly(math.NaN()), q.X
				if text := q.At.Text(r.X.Text); text != "" {
					row = r.X.Text + "=" + text
				}
			}
			if s.role == measured {
				repeats = fmt.Sprint(q.count)
				if r.Kind == configs.PlotPareto {
					front = map[bool]string{true: "yes", false: "no"}[q.front]
				}
			}
			if s.role != "" {
				r.table = append(r.table, []string{
					r.ID, string(s.role), p.at.String(), s.at.String(), row, q.cell.String(), s.Name,
					format.Value(x.value), format.Value(x.low), format.Value(x.high), format.Value(y.value), format.Value(y.low), format.Value(y.high), repeats, front,
				})
			}
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
	isExact := func(s Series) bool { return s.role == measured && slices.Contains(references, s.at.Text("method")) }

	for i := range panels {
		p := &panels[i]
		if r.bounded {
			key := Series{Name: "95 % t interval", Colour: quiet, Interval: bars, Reach: 3}
			if r.Kind == configs.PlotLine || r.Kind == configs.PlotTrajectory {
				key.Interval = band
			}
			if r.Band == "sd" {
				key.Name = "standard deviation"
			}
			p.Series = append(p.Series, key)
		}
		for k, s := range p.Series {
			at := slices.Index(keys, s.at)
			switch s.role {
			case measured:
				look := styled(looks[at], short(format.Without(s.at, common)))
				look.role, look.at, look.Points = s.role, s.at, s.Points
				if isExact(s) {
					look.Dashes = []vg.Length{5, 3}
				}
				p.Series[k] = r.measured(*p, look)
			case theory:
				p.Series[k].Colour = Palette[looks[at]%len(Palette)]
			case floor:
				p.Series[k].Name = floorName
			}
		}

		// what others approximate is drawn last, in dashes that leave them to be seen
		p.Series = slices.Concat(lists.Where(p.Series, func(s Series) bool { return !isExact(s) }), lists.Where(p.Series, isExact))
		if r.Rows() {
			r.layBars(p, keys)
		}
	}
	return keys
}

// measured is a line of means with its intervals, in the look that it has, and the numbers of
// its points.
func (r *reader) measured(p Panel, s Series) Series {
	for i, q := range s.Points {
		where, y, front := "", equation(p.Y.Label, q.Y), ""
		switch r.Kind {
		case configs.PlotTrajectory, configs.PlotPareto:
			where = plain.Text(format.PlainWhere(q.cell))
		case configs.PlotBar:
			where, y = r.rowName(q.At.Text(r.X.Text)), ""
		}
		if q.front {
			front = "on the front"
		}
		s.Points[i].Text = lines(strings.Trim(s.Name+", "+p.Title, ", "), where, equation(p.X.Label, q.X), y, "mean of "+plain.Count(q.count, "repeat"), front)
	}
	s.Interval = bars
	switch {
	case r.Kind == configs.PlotPareto:
		s.Width = 0
	case len(s.Points) > 1 && slices.IsSortedFunc(s.Points, byX):
		s.Interval = band
	}
	return s
}

// layBars makes bars of the series of a panel, which lie below each other in each row.
func (r *reader) layBars(p *Panel, keys []results.Key) {
	slot := 0.8 / float64(len(keys))
	for k, s := range p.Series {
		if s.role != measured {
			continue
		}
		for i, q := range s.Points {
			at := q.Y.value + 0.4 - (float64(slices.Index(keys, s.at))+0.5)*slot
			s.Points[i].Y = estimate{at, at - 0.4*slot, at + 0.4*slot}
		}
		s.Shape, s.Width, s.Interval = "", 0, boxes
		if len(keys) == 1 { // the rows have names
			s.Name = ""
		}
		p.Series[k] = s
	}
	p.Y.Names = lists.Map(p.Y.Names, r.rowName)
}

// rowName is a value of the column of a bar plot, after the column where it is no name.
func (r *reader) rowName(value string) string {
	if named(r.X.Text) {
		return plain.Text(value)
	}
	return plain.Text(r.X.Text + " = " + value)
}

// caption says what is drawn, in sentences.
func (r *reader) caption(series []results.Key) []string {
	y, x := r.labels.named(r.Y.Text), r.labels.named(r.X.Text)
	caption := []string{map[string]string{
		configs.PlotLine:       fmt.Sprintf("Mean of %s over %s against %s.", y, r.repeats, x),
		configs.PlotTrajectory: fmt.Sprintf("Mean of %s against that of %s, each over %s, in the order of %s.", y, x, r.repeats, r.labels.named(r.Plot.Along.Value)),
		configs.PlotPareto:     fmt.Sprintf("Mean of %s against that of %s, each over %s, a mark for each cell; no other mark is below those on the front in both, by the means alone.", y, x, r.repeats),
		configs.PlotBar:        fmt.Sprintf("Mean of %s over %s.", y, r.repeats),
	}[r.Kind]}
	switch {
	case r.Band != "t" && r.Band != "sd":
	case !r.bounded:
		caption = append(caption, "A single repeat has no band.")
	case r.Band == "sd":
		caption = append(caption, "Bands and whiskers are one standard deviation over repeats to either side.")
	default:
		text := "Bands and whiskers are 95 % t intervals of each mean"
		if r.Axes.X == "log" || r.Axes.Y == "log" {
			text += ", on log axes of its logarithm"
		}
		methods := lists.Once(lists.Map(series, func(at results.Key) string { return at.Text("method") }))
		if len(methods) > 1 || r.X.Text == "method" {
			text += ". Methods share their samples: paired differences can be clear where intervals overlap"
		}
		caption = append(caption, text+".")
	}
	if slices.ContainsFunc(r.Theory, func(c configs.TheoryCurve) bool { return c.Anchor != "none" }) {
		caption = append(caption, "Curves of the theory have the constant factor that takes them through a point of their line.")
	}
	return caption
}
