package figure

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
)

// read averages over the repeats of each cell what a plot shows. Nothing can be drawn,
// with the trouble that it found, where a line would mix different cells: their mean
// would be of no use.
func (r *plotReader) read() plotted {
	if err := r.quantities(); err != nil {
		r.trouble = err.Error()
	}
	if r.trouble != "" {
		return r.plotted
	}
	r.leaveOutUndefined()
	r.label()
	for _, g := range r.split(r.rows, r.panelColumns()) {
		r.panel(g)
	}
	r.name()
	r.finish()
	return r.plotted
}

func (r *plotReader) quantities() (err error) {
	if r.y, err = r.run.Quantity(r.Y); err != nil {
		return err
	}
	if r.MeasuredX() {
		if r.x, err = r.run.Quantity(r.X); err != nil {
			return err
		}
	}
	if r.Floor.Text != "" {
		r.floor, err = r.run.Quantity(r.Floor)
	}
	return err
}

// leaveOutUndefined drops the rows of methods that end well and never have
// the metrics: these are not defined for the method.
func (r *plotReader) leaveOutUndefined() {
	undefined := map[string]bool{}
	for _, row := range r.rows {
		if without, seen := undefined[row.Method()]; row.Status == results.OK && (without || !seen) {
			_, _, err := r.reading(row, plotPoint{})
			undefined[row.Method()] = err != nil
		}
	}
	maps.DeleteFunc(undefined, func(_ string, without bool) bool { return !without })
	if len(undefined) > 0 {
		r.rows = slices.DeleteFunc(r.rows, func(row *results.Row) bool { return undefined[row.Method()] })
		r.note("Left out, since no record has what is drawn: %s.", plain.Text(strings.Join(slices.Sorted(maps.Keys(undefined)), ", ")))
	}
}

// label names the axes, with the units of plain metrics.
func (r *plotReader) label() {
	r.yName, r.xName = r.withUnit(r.Y.Text, r.y), plain.Text(r.X.Text)
	if r.MeasuredX() {
		r.xName = r.withUnit(r.X.Text, r.x)
	}
	for _, c := range r.Theory {
		r.theories = append(r.theories, plain.Text(cmp.Or(c.Label, c.Curve.Text)))
	}
}

// withUnit is the name of a quantity with its unit, where it has one.
func (r *plotReader) withUnit(text string, q *results.Quantity) string {
	if unit := r.run.Unit(q); unit != "" {
		text += " (" + unit + ")"
	}
	return plain.Text(text)
}

// panelColumns tell panels apart, seriesColumns the lines in one.
func (r *plotReader) panelColumns() []string {
	return r.columns([]string{"dataset", "kernel", r.Facet.Value}, r.By.Texts()...)
}

func (r *plotReader) seriesColumns() []string {
	return r.columns(append([]string{"method"}, r.By.Texts()...), r.Facet.Value)
}

// columns are those of names, each once, that are neither elsewhere nor rows.
func (r *plotReader) columns(names []string, elsewhere ...string) []string {
	var columns []string
	for _, name := range names {
		if name != "" && !slices.Contains(columns, name) && !slices.Contains(elsewhere, name) && !(r.Rows() && r.X.Text == name) {
			columns = append(columns, name)
		}
	}
	return columns
}

// panel reads one panel.
func (r *plotReader) panel(g results.Group) {
	p := plotPanel{at: g.At}
	if r.Rows() {
		for _, row := range r.split(g.Rows, []string{r.X.Text}) {
			if text := row.At.Text(r.X.Text); text != "" {
				p.rows = append(p.rows, text)
			}
		}
	}
	for _, line := range r.split(g.Rows, r.seriesColumns()) {
		l := plotSeries{role: measured, at: line.At, points: r.points(line.Rows, g, p.rows)}
		if len(l.points) > 0 {
			p.series = append(append(p.series, l), r.curves(l)...)
		}
	}
	if len(p.series) == 0 {
		return
	}
	if r.Kind == configs.PlotPareto {
		markFront(p.series)
	}
	for _, m := range r.Marks {
		r.mark(&p, g.Rows, m)
	}
	r.panels = append(r.panels, p)
}

// mark adds a reference value to a panel that it is about.
func (r *plotReader) mark(p *plotPanel, rows []*results.Row, m configs.Mark) {
	about := lists.Where(rows, func(row *results.Row) bool { return matches(row.At.Join(p.at), m.Where) })
	if len(about) == 0 {
		return
	}
	x, errX := r.markValue(m.X, r.Axes.X, about, p.at)
	y, errY := r.markValue(m.Y, r.Axes.Y, about, p.at)
	if err := cmp.Or(errX, errY); err != nil {
		r.note("The mark %s is left out: %v.", plain.Text(m.Label), err)
		return
	}
	at := plotPoint{x: known(x), y: known(y)}
	for i, text := range p.rows {
		if slices.ContainsFunc(about, func(row *results.Row) bool { return row.At.Text(r.X.Text) == text }) {
			at.rows = append(at.rows, i)
		}
	}
	if len(at.rows) == len(p.rows) {
		at.rows = nil
	}
	p.series = append(p.series, plotSeries{role: mark, label: plain.Text(m.Label), points: []plotPoint{at}})
}

// known is a reference value; a coordinate that it says nothing about is NaN, with an infinite
// interval.
func known(v *float64) estimate {
	if v == nil {
		return estimate{math.NaN(), math.Inf(-1), math.Inf(1)}
	}
	return exactly(*v)
}

// markValue is the one value that v has in all rows of a panel that have what it depends on,
// on an axis of a scale; nil where v is.
func (r *plotReader) markValue(v *configs.Value, scale string, rows []*results.Row, panel results.Key) (*float64, error) {
	if v == nil {
		return nil, nil
	}
	var first *float64
	var failed error
	for _, cell := range results.Cells(rows) {
		x, err := r.evaluate(*v, cell.Rows[0], cell.At.Join(panel))
		switch {
		case err != nil:
			failed = cmp.Or(failed, err)
		case first == nil:
			first = &x
		case x != *first:
			return nil, fmt.Errorf("%s is %s in one cell and %s in another; make what it depends on the facet, or fix it under where", v.Text, format.Number(*first), format.Number(x))
		}
	}
	if first == nil {
		return nil, failed
	}
	if !plain.Finite(*first) || scale == "log" && *first <= 0 {
		return nil, fmt.Errorf("%s is %s, which has no place on the axis", v.Text, format.Number(*first))
	}
	return first, nil
}

// name gives series and panels their names: what tells them apart.
func (r *plotReader) name() {
	var series []results.Key
	for _, p := range r.panels {
		for _, s := range p.seriesOf(measured) {
			if !slices.Contains(series, s.at) {
				series = append(series, s.at)
			}
		}
	}
	slices.SortStableFunc(series, r.compare)
	names := panelNames(r.panels, func(p plotPanel) results.Key { return p.at })
	for i := range r.panels {
		p := &r.panels[i]
		p.name = names[i]
		for j := range p.series {
			p.series[j].number = slices.Index(series, p.series[j].at)
		}
	}
	common := format.Common(series)
	for _, at := range series {
		if len(series) == 1 {
			common = results.Key{}
		}
		r.names = append(r.names, short(format.Without(at, common)))
	}
	r.looks, r.exact = looksOf(series, configs.IDs(r.run.Spec.Methods)), exactOf(series, References(r.run))
}

// panelNames are what tells panels apart by where they are; that of one is "".
func panelNames[P any](panels []P, where func(P) results.Key) []string {
	all := lists.Map(panels, where)
	names := make([]string, len(all))
	if len(all) < 2 {
		return names
	}
	for i, at := range all {
		names[i] = plain.Text(format.PlainWhere(format.Without(at, format.Common(all))))
	}
	return names
}

// finish adds what a reader should know.
func (r *plotReader) finish() {
	if len(r.names) > maxSeries && r.trouble == "" {
		r.trouble = fmt.Sprintf("%d lines cannot be told apart; pick up to %d under where, or make a column the facet", len(r.names), maxSeries)
	}
	r.noteDropped("log axes have no place")
	if r.cut {
		r.note("Bands that reach 0 or below end at the edge of the log axis.")
	}
	if len(r.lost) > 0 {
		r.note("%d of %d records give no value, and the figure is of the others; the first is %s.", len(r.lost), r.readings, r.lost[0])
	}
	if len(r.panels) == 0 && r.trouble == "" {
		r.trouble = "no point can be drawn"
	}
}
