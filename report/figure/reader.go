package figure

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
)

// reader reads one plot of a spec from the rows of a run. Every kind of plot splits the rows
// into panels, a panel into series, and a series into points, each with its repeats.
type reader struct {
	configs.Plot
	run         results.Run
	labels      Labels
	order       results.Order
	rows        []*results.Row    // picked, but for skipped ones
	x, y, floor *results.Quantity // nil where the plot has none, or a column in its place

	table    [][]string // the numbers, below their header
	notes    []string   // what a reader should know
	trouble  string     // why nothing can be drawn
	repeats  tally      // behind a point
	names    bool       // x is a column of names
	bounded  bool       // some point has an interval
	readings int
	lost     []string // readings that fail, with the reason
	dropped  []string // what a log axis or scale cannot show
}

// tally is the least and the largest of some numbers of repeats.
type tally struct{ least, most int }

func (t *tally) count(repeats int) {
	if t.least == 0 || repeats < t.least {
		t.least = repeats
	}
	t.most = max(t.most, repeats)
}

func (t tally) String() string { return t.of("repeat") }

// of counts things, as in "3 to 5 repeats".
func (t tally) of(thing string) string {
	most := plain.Count(t.most, thing)
	if t.least < t.most {
		return fmt.Sprintf("%d to %s", t.least, most)
	}
	return most
}

// newReader picks the rows of a plot.
func newReader(p configs.Plot, run results.Run, l Labels) *reader {
	r := &reader{Plot: p, run: run, labels: l, order: run.Order()}
	picked, err := run.Select(p.Where)
	r.rows = lists.Where(picked, func(row *results.Row) bool { return row.Status != results.Skipped })
	switch {
	case err != nil:
		r.trouble = err.Error()
	case len(r.rows) == 0:
		r.trouble = "no row of this run is picked by its where"
	}

	switch {
	case p.Kind == configs.PlotHeatmap && p.Claim.Value == "":
		r.y = r.quantity(p.Of)
	case p.Kind == configs.PlotLine || p.Kind == configs.PlotRanks:
		r.y = r.quantity(p.Y)
	}
	if p.MeasuredX() {
		r.x = r.quantity(p.X)
	}
	if p.Floor.Text != "" {
		r.floor = r.quantity(p.Floor)
	}
	r.names = p.Kind == configs.PlotLine && r.x == nil && slices.ContainsFunc(r.rows, func(row *results.Row) bool { return row.At.Get(p.X.Text).Kind == configs.Text })
	if r.y != nil && r.trouble == "" {
		r.leaveOutUndefined()
	}
	return r
}

func (r *reader) quantity(of configs.Quantity) *results.Quantity {
	q, err := r.run.Quantity(of)
	if err != nil {
		r.trouble = cmp.Or(r.trouble, err.Error())
	}
	return q
}

// leaveOutUndefined drops the rows of methods that end well and never have
// the metrics: these are not defined for the method.
func (r *reader) leaveOutUndefined() {
	var undefined []string
	for _, method := range r.valuesOf(r.rows, "method") {
		ended := lists.Where(r.rows, func(row *results.Row) bool { return row.Method() == method && row.Status == results.OK })
		has := slices.ContainsFunc(ended, func(row *results.Row) bool { _, _, err := r.reading(row, row.At); return err == nil })
		if len(ended) > 0 && !has {
			undefined = append(undefined, method)
		}
	}
	if len(undefined) > 0 {
		r.rows = slices.DeleteFunc(r.rows, func(row *results.Row) bool { return slices.Contains(undefined, row.Method()) })
		r.note("Left out, since no row has what is drawn: %s.", plain.Text(strings.Join(undefined, ", ")))
	}
}

// reading is what a row of a place has; x is 0 where the plot has no numbers there.
func (r *reader) reading(row *results.Row, at results.Key) (x, y float64, err error) {
	if y, err = r.y.Value(row); err != nil {
		return 0, 0, err
	}
	if r.x != nil {
		x, err = r.x.Value(row)
	} else {
		x, _ = at.Number(r.X.Text)
	}
	return x, y, err
}

// values are the readings of the repeats at a place, which must be of one cell.
func (r *reader) values(at results.Group) (xs, ys []float64) {
	r.checkOneCell(at)
	for _, row := range at.Rows {
		r.readings++
		x, y, err := r.reading(row, at.At)
		if err != nil {
			r.lost = append(r.lost, fmt.Sprintf("%s, repeat %d (%v)", row.Method(), row.Repeat, err))
			continue
		}
		xs, ys = append(xs, x), append(ys, y)
	}
	if len(ys) > 0 {
		r.repeats.count(len(ys))
	}
	return xs, ys
}

// checkOneCell says in what the cells of a place differ, which should be one: a mean over
// different cells would be of no use.
func (r *reader) checkOneCell(at results.Group) {
	cells := results.Cells(at.Rows)
	if len(cells) < 2 {
		return
	}
	vary := lists.Where(format.Variables(r.run), func(name string) bool {
		return slices.ContainsFunc(cells, func(cell results.Group) bool { return cell.At.Get(name) != cells[0].At.Get(name) })
	})
	where := plain.Text(format.ShortWhere(at.At.Without(vary...)))
	r.trouble = cmp.Or(r.trouble, fmt.Sprintf("%d different cells are at %s; fix under where in what they differ, %s, or name it under by or facet", len(cells), where, strings.Join(vary, " and ")))
}

// hasPlace says whether a scale has a place for a value of a cell, and notes it where not.
func (r *reader) hasPlace(log bool, name string, value float64, cell results.Key) bool {
	if log && value <= 0 {
		r.dropped = append(r.dropped, fmt.Sprintf("%s (%s = %s)", format.ShortWhere(cell.Without("dataset", "kernel")), plain.Text(name), format.Number(value)))
		return false
	}
	return true
}

// split groups rows by columns; a row stands in each group that it meets. Groups come in the
// order of the values under where, else in that of the run.
func (r *reader) split(rows []*results.Row, columns ...string) []results.Group {
	groups := results.Meeting(rows, columns)
	slices.SortStableFunc(groups, func(a, b results.Group) int { return r.compare(a.At, b.At) })
	return groups
}

// valuesOf are the values that rows have in a column, in order.
func (r *reader) valuesOf(rows []*results.Row, column string) []string {
	values := lists.Map(r.split(rows, column), func(g results.Group) string { return g.At.Text(column) })
	return lists.Where(values, func(v string) bool { return v != "" })
}

func (r *reader) compare(a, b results.Key) int {
	for _, name := range lists.Once(slices.Concat(a.Names(), b.Names())) {
		order, v, w := r.Where[name].Value, a.Get(name), b.Get(name)
		if x, y := slices.Index(order, v.String()), slices.Index(order, w.String()); x >= 0 && y >= 0 && x != y {
			return x - y
		}
		if c := r.order(name, v, w); c != 0 {
			return c
		}
	}
	return 0
}

// columns are those of names, each once, that are not elsewhere.
func columns(names []string, elsewhere ...string) []string {
	return lists.Where(lists.Once(names), func(name string) bool { return name != "" && !slices.Contains(elsewhere, name) })
}

// seriesColumns tell the series of a panel from each other.
func (r *reader) seriesColumns() []string {
	return columns(append([]string{"method"}, r.By.Texts()...), r.Facet.Value, r.X.Text)
}

// name titles panels by what tells them apart.
func name(panels []Panel) {
	all := lists.Map(panels, func(p Panel) results.Key { return p.at })
	for i, at := range all {
		if len(all) > 1 {
			panels[i].Title = plain.Text(format.PlainWhere(format.Without(at, format.Common(all))))
		}
	}
}

// withUnit is the name of a quantity with its unit, where it has one.
func (r *reader) withUnit(text string, q *results.Quantity) string {
	if q != nil && r.run.Unit(q) != "" {
		text += " (" + r.run.Unit(q) + ")"
	}
	return plain.Text(text)
}

// finish adds what a reader should know of any plot.
func (r *reader) finish() {
	if len(r.dropped) > 0 {
		r.note("Not in the figure, since a log scale has no place for it: %s.", plain.Some(r.dropped, 4))
	}
	if len(r.lost) > 0 {
		r.note("%d of %d rows give no value, and the figure is of the others; the first is %s.", len(r.lost), r.readings, r.lost[0])
	}
}

func (r *reader) note(format string, args ...any) {
	if note := fmt.Sprintf(format, args...); !slices.Contains(r.notes, note) {
		r.notes = append(r.notes, note)
	}
}

// evaluate is a value in a row that stands at a place: the columns of the place, and the
// constants of the row's population.
func (r *reader) evaluate(v configs.Value, row *results.Row, at results.Key) (float64, error) {
	c := r.run.Constants([]*results.Row{row})
	for name, x := range at.All() {
		if x.Kind == configs.Number {
			c[name] = x.Number
		}
	}
	y, err := v.Eval(c)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", cmp.Or(row.Method(), row.Dataset()), err)
	}
	return y, nil
}
