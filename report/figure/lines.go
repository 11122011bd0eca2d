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

// lines draws means over repeats: a panel for each data set and kernel, a series for each method and
// value of what varies at one x. A point is a value of x where this is a column, else a cell.
// Points along a column of numbers are joined.
func (r *reader) lines() (Chart, []string) {
	r.table = [][]string{{"plot", "role", "panel", "series", "cell", "label", "x", "x_low", "x_high", "y", "y_low", "y_high", "repeats"}}
	apart, groups := r.apart(), r.split(r.rows, "dataset", "kernel")
	var series []results.Key
	for _, g := range groups {
		series = append(series, lists.Map(r.split(g.Rows, apart...), func(line results.Group) results.Key { return line.At })...)
	}
	series = slices.SortedStableFunc(slices.Values(lists.Once(series)), r.compare)
	looks := r.looks(series)
	var panels []Panel
	for _, g := range groups {
		if p := r.panel(g, apart, looks); len(p.Series) > 0 {
			panels = append(panels, p)
		}
	}
	name(panels)

	if len(r.lost) > 0 {
		r.note("Not in the figure: %s.", plain.Some(lists.Once(r.lost), 4))
	}
	switch {
	case len(series) > maxSeries:
		r.trouble = cmp.Or(r.trouble, fmt.Sprintf("%d lines cannot be told apart; pick up to %d under where", len(series), maxSeries))
	case len(panels) == 0:
		r.trouble = cmp.Or(r.trouble, "no point can be drawn")
	}
	if r.trouble != "" {
		return Chart{}, nil
	}
	return newChart(cmp.Or(r.Title, r.ID), panels), r.caption()
}

// apart are the columns that tell series apart: the method, and the free variables of which a
// method has several values at one x.
func (r *reader) apart() []string {
	columns := []string{"method"}
	if r.x != nil {
		return columns
	}
	free := func(name string) bool {
		return slices.ContainsFunc(r.run.Catalog.Columns, func(c results.Column) bool { return c.Name == name && c.Free })
	}
	for _, same := range results.GroupBy(r.rows, func(row *results.Row) results.Key { return row.At.Only("dataset", "kernel", "method", r.X.Text) }) {
		columns = append(columns, lists.Where(r.run.Varying(same.Rows), free)...)
	}
	return lists.Once(columns)
}

// looks are the looks of series, the same in all panels. A method has the look of its place in the spec,
// so that it looks the same in all plots, also when others are added below it; several series of a
// method are counted. A method that others approximate is dashed, to stay in sight below them.
func (r *reader) looks(series []results.Key) map[results.Key]Series {
	common := results.Key{}
	if len(series) > 1 {
		common = format.Common(series)
	}
	methods, exact, looks := configs.IDs(r.run.Spec.Methods), References(r.run), map[results.Key]Series{}
	for i, at := range series {
		if place := slices.Index(methods, at.Text("method")); place >= 0 && len(at.Names()) == 1 {
			i = place
		}
		s := styled(i, format.ShortWhere(format.Without(at, common)))
		s.role, s.at, s.Bars = measured, at, true
		if slices.Contains(exact, at.Text("method")) {
			s.Dashes = []vg.Length{5, 3}
		}
		if r.names || r.x != nil {
			s.Width = 0
		}
		if r.X.Text == configs.Iteration { // too many for marks
			s.Shape = ""
		}
		looks[at] = s
	}
	return looks
}

// panel reads one panel, with columns that tell its series apart.
func (r *reader) panel(g results.Group, apart []string, looks map[results.Key]Series) Panel {
	p := Panel{
		at: g.At,
		X:  Axis{Label: r.withUnit(r.X.Text, r.x), Log: r.Axes.X == "log"}, Y: Axis{Label: r.withUnit(r.Y.Text, r.y), Log: r.Axes.Y == "log"},
	}
	if r.names {
		p.X = Axis{Names: r.valuesOf(g.Rows, r.X.Text)}
	}
	stands := r.groups(g.Rows, r.X.Text)
	var all []Point
	for _, line := range r.split(g.Rows, apart...) {
		s := looks[line.At]
		vary := format.Varying(line.Rows, format.Variables(r.run))
		for _, at := range r.places(line, stands) {
			at.At = at.At.Join(g.At)
			if q, ok := r.point(p, at, vary); ok {
				s.Points = append(s.Points, q)
			}
		}
		if len(s.Points) > 0 {
			p.Series = append(append(p.Series, r.curves(s)...), s)
			all = append(all, s.Points...)
		}
	}
	p.Series = append(p.Series, r.marks(all)...)
	r.write(p)
	if r.names {
		p.turn()
	}
	return p
}

// places are the points of a line with their repeats: its cells, or what stands at each value of x.
// A cell without such a value, as of exact kernel PCA along m, stands at those of all others.
func (r *reader) places(line results.Group, stands []results.Group) (places []results.Group) {
	if r.x != nil {
		return results.Cells(line.Rows)
	}
	for _, g := range stands {
		rows := lists.Where(g.Rows, func(row *results.Row) bool { return row.At.Meets(line.At) })
		if g.At.Get(r.X.Text).Kind != configs.None && len(rows) > 0 {
			places = append(places, results.Group{At: rows[0].At.Join(g.At), Rows: rows})
		}
	}
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
	q.Text = plain.Text(format.PlainWhere(q.cell))
	q.Y.low, q.Y.high = r.run.Catalog.Metrics[r.Y.Text].Clip(q.Y.low, q.Y.value, q.Y.high)
	if r.names {
		q.X = exactly(float64(slices.Index(p.X.Names, at.At.Text(r.X.Text))))
	}
	if p.X.Log && q.X.value <= 0 || p.Y.Log && q.Y.value <= 0 {
		r.lost = append(r.lost, fmt.Sprintf("%s (%s = %s, for which a log axis has no place)", format.ShortWhere(at.At.Without("dataset", "kernel")), plain.Text(r.Y.Text), format.Number(q.Y.value)))
		return Point{}, false
	}
	return q, true
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

// withUnit is the name of a quantity with its unit, where it has one.
func (r *reader) withUnit(text string, q *results.Quantity) string {
	if q != nil && r.run.Unit(q) != "" {
		text += " (" + r.run.Unit(q) + ")"
	}
	return plain.Text(text)
}

// write adds a row to the table for each point of a panel, tidy: what it is in column role, and
// the panel and series that it is in.
func (r *reader) write(p Panel) {
	for _, s := range p.Series {
		for _, q := range s.Points {
			x, label, repeats := format.Value(q.X.value), s.Name, ""
			if r.names {
				x = p.X.Names[int(q.X.value)]
			}
			switch s.role {
			case measured:
				label, repeats = "", fmt.Sprint(q.count)
			case floor:
				label = r.Floor.Text
			}
			r.table = append(r.table, []string{r.ID, string(s.role), p.at.String(), s.at.String(), q.cell.String(), label,
				x, format.Value(q.X.low), format.Value(q.X.high), format.Value(q.Y.value), format.Value(q.Y.low), format.Value(q.Y.high), repeats})
		}
	}
}

// turn puts the names of a panel's x on y, where they have room, and the series of a name below each
// other.
func (p *Panel) turn() {
	p.X, p.Y = p.Y, Axis{Names: lists.Map(p.X.Names, plain.Text)}
	lines := lists.Where(p.Series, func(s Series) bool { return s.role == measured })
	for s, q := range points([]Panel{*p}) {
		below := 0.0
		if i := slices.IndexFunc(lines, func(line Series) bool { return s.role == measured && line.at == s.at }); i >= 0 {
			below = (float64(i) - float64(len(lines)-1)/2) * 0.8 / float64(len(lines))
		}
		q.X, q.Y = q.Y, exactly(-q.X.value-below)
	}
}

// caption says what is drawn, in sentences.
func (r *reader) caption() []string {
	y, x := r.labels.named(r.Y.Text), r.labels.named(r.X.Text)
	drawn := fmt.Sprintf("Mean of %s over repeats against %s", y, x)
	if r.x != nil {
		drawn = fmt.Sprintf("Mean of %s over repeats against that of %s, a mark for each cell", y, x)
	}
	whiskers := "; whiskers are 95 % t intervals of each mean"
	if r.Axes.Y == "log" || r.x != nil && r.Axes.X == "log" {
		whiskers += ", on a log axis of its logarithm"
	}
	caption := []string{drawn + whiskers + "."}
	caption = append(caption, "Methods share samples: a difference can be clear where intervals overlap.")
	if r.X.Text == configs.Iteration {
		caption = append(caption, "A solver that has stopped stays at its last value; methods without iterations are flat.")
	}
	if len(r.Theory) > 0 {
		caption = append(caption, "Curves of the theory have the constant factor that takes them through the last point of their line.")
	}
	return caption
}
