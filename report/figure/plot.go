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
	"mercer/internal/selection"
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
	for _, g := range r.split(r.records, r.panelColumns()) {
		r.panel(g)
	}
	r.name()
	r.finish()
	return r.plotted
}

func (r *plotReader) quantities() (err error) {
	if r.y, err = r.Quantity(r.Y); err != nil {
		return err
	}
	if r.MeasuredX() {
		if r.x, err = r.Quantity(r.X); err != nil {
			return err
		}
	}
	if r.Floor.Text != "" {
		r.floor, err = r.Quantity(r.Floor)
	}
	return err
}

// leaveOutUndefined drops the records of methods that end well and never have
// the metrics: these are not defined for the method.
func (r *plotReader) leaveOutUndefined() {
	undefined := map[string]bool{}
	for _, record := range r.records {
		if without, seen := undefined[record.Method]; record.Status == results.OK && (without || !seen) {
			_, _, err := r.reading(record)
			undefined[record.Method] = err != nil
		}
	}
	maps.DeleteFunc(undefined, func(_ string, without bool) bool { return !without })
	if len(undefined) > 0 {
		r.records = slices.DeleteFunc(r.records, func(record *results.Record) bool { return undefined[record.Method] })
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
func (r *plotReader) withUnit(text string, q *selection.Quantity) string {
	if unit := q.Unit(r.records); unit != "" {
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
func (r *plotReader) panel(g selection.Group) {
	p := plotPanel{at: g.At}
	if r.Rows() {
		for _, row := range r.split(g.Records, []string{r.X.Text}) {
			if len(row.At) > 0 {
				p.rows = append(p.rows, row.At[0].Value)
			}
		}
	}
	for _, line := range r.merge(r.split(g.Records, r.seriesColumns())) {
		l := plotSeries{role: measured, at: line.At, points: r.points(line.Records, p.rows)}
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
		r.mark(&p, g.Records, m)
	}
	r.panels = append(r.panels, p)
}

// merge leaves one of the lines that are the same computations, which differ in
// what their method does not use, and takes that out of its coordinates.
func (r *plotReader) merge(lines []selection.Group) []selection.Group {
	var merged []selection.Group
	index := map[string]int{}
	first := map[string]int{} // lines by their first method
	for _, line := range lines {
		first[line.Records[0].Method]++
	}
	for _, line := range lines {
		id := ""
		if first[line.Records[0].Method] > 1 {
			id = workOf(line.Records)
		}
		i, same := index[id]
		if !same || id == "" {
			index[id] = len(merged)
			merged = append(merged, line)
			continue
		}
		merged[i].At = format.Common([][]selection.Coordinate{merged[i].At, line.At})
	}
	return merged
}

// mark adds a reference value to a panel that it is about.
func (r *plotReader) mark(p *plotPanel, records []*results.Record, m configs.Mark) {
	about := slices.DeleteFunc(slices.Clone(records), func(record *results.Record) bool { return !selection.Matches(record, m.Where) })
	if len(about) == 0 {
		return
	}
	x, errX := r.markValue(m.X, r.Axes.X, about)
	y, errY := r.markValue(m.Y, r.Axes.Y, about)
	if err := cmp.Or(errX, errY); err != nil {
		r.note("The mark %s is left out: %v.", plain.Text(m.Label), err)
		return
	}
	at := plotPoint{x: across(x), y: across(y)}
	for i, row := range p.rows {
		if slices.ContainsFunc(about, func(record *results.Record) bool {
			have, _ := selection.Column(record, r.X.Text)
			return have == row
		}) {
			at.rows = append(at.rows, i)
		}
	}
	if len(at.rows) == len(p.rows) {
		at.rows = nil
	}
	p.series = append(p.series, plotSeries{role: mark, label: plain.Text(m.Label), points: []plotPoint{at}})
}

// across is the place of a reference value, from end to end of an axis that it says
// nothing about.
func across(v *float64) estimate {
	if v == nil {
		return estimate{math.NaN(), math.Inf(-1), math.Inf(1)}
	}
	return exactly(*v)
}

// markValue is the one value that v has in all records, on an axis of a scale; nil
// where v is.
func (r *plotReader) markValue(v *configs.Value, scale string, records []*results.Record) (*float64, error) {
	if v == nil {
		return nil, nil
	}
	first, err := r.Evaluate(*v, records[0])
	for _, record := range records[1:] {
		if err != nil {
			break
		}
		var other float64
		if other, err = r.Evaluate(*v, record); err == nil && other != first {
			err = fmt.Errorf("%s is %s in one cell and %s in another; make what it depends on the facet, or fix it under where", v.Text, format.Number(first), format.Number(other))
		}
	}
	if place := (extent{log: scale == "log"}); err == nil && !place.shows(first) {
		err = fmt.Errorf("%s is %s, which has no place on the axis", v.Text, format.Number(first))
	}
	return &first, err
}

// name gives series and panels their names: what tells them apart.
func (r *plotReader) name() {
	var series [][]selection.Coordinate
	number := func(at []selection.Coordinate) int {
		return slices.IndexFunc(series, func(s []selection.Coordinate) bool { return slices.Equal(s, at) })
	}
	for _, p := range r.panels {
		for _, s := range p.seriesOf(measured) {
			if number(s.at) < 0 {
				series = append(series, s.at)
			}
		}
	}
	slices.SortStableFunc(series, r.compare)
	names := panelNames(r.panels, func(p plotPanel) []selection.Coordinate { return p.at })
	for i := range r.panels {
		p := &r.panels[i]
		p.name = names[i]
		for j := range p.series {
			p.series[j].number = number(p.series[j].at)
		}
	}
	common := format.Common(series)
	for _, at := range series {
		if len(series) == 1 {
			common = nil
		}
		r.names = append(r.names, short(format.Without(at, common)))
	}
	r.looks, r.exact = looksOf(series, r.Order), exactOf(series, References(r.Run.Manifest))
}

// panelNames are what tells panels apart by where they are; that of one is "".
func panelNames[P any](panels []P, where func(P) []selection.Coordinate) []string {
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
