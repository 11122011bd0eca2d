package figure

import (
	"cmp"
	"fmt"
	"slices"

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

	table   [][]string // the numbers, below their header
	notes   []string   // what a reader should know
	trouble string     // why nothing can be drawn
	names   bool       // x is a column of names
	lost    []string   // what is not in the figure, with the reason
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
	if p.Kind != configs.PlotLine {
		return r
	}

	if p.X.Text == configs.Iteration {
		r.rows = results.AlongIterations(r.rows)
	}
	r.y = r.quantity(p.Y)
	if p.MeasuredX {
		r.x = r.quantity(p.X)
	}
	if p.Floor.Text != "" {
		r.floor = r.quantity(p.Floor)
	}
	r.names = r.x == nil && slices.ContainsFunc(r.rows, func(row *results.Row) bool { return row.At.Get(p.X.Text).Kind == configs.Text })
	return r
}

func (r *reader) quantity(of configs.Quantity) *results.Quantity {
	q, err := r.run.Quantity(of)
	if err != nil {
		r.trouble = cmp.Or(r.trouble, err.Error())
	}
	return q
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

// values are the readings of the repeats at a place.
func (r *reader) values(at results.Group) (xs, ys []float64) {
	for _, row := range at.Rows {
		x, y, err := r.reading(row, at.At)
		if err != nil {
			r.lost = append(r.lost, fmt.Sprintf("%s, repeat %d (%v)", row.Method(), row.Repeat, err))
			continue
		}
		xs, ys = append(xs, x), append(ys, y)
	}
	return xs, ys
}

// split groups rows by columns but those on the axes; a row stands in each group that it meets.
// Groups come in the order of the values under where, else in that of the run.
func (r *reader) split(rows []*results.Row, columns ...string) []results.Group {
	columns = lists.Where(columns, func(name string) bool { return name != r.X.Text && name != r.Y.Text })
	return r.groups(rows, columns...)
}

func (r *reader) groups(rows []*results.Row, columns ...string) []results.Group {
	groups := results.Meeting(rows, columns)
	slices.SortStableFunc(groups, func(a, b results.Group) int { return r.compare(a.At, b.At) })
	return groups
}

// valuesOf are the values that rows have in a column, in order.
func (r *reader) valuesOf(rows []*results.Row, column string) []string {
	values := lists.Map(r.groups(rows, column), func(g results.Group) string { return g.At.Text(column) })
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

// name titles panels by what tells them apart.
func name(panels []Panel) {
	all := lists.Map(panels, func(p Panel) results.Key { return p.at })
	for i, at := range all {
		if len(all) > 1 {
			panels[i].Title = plain.Text(format.PlainWhere(format.Without(at, format.Common(all))))
		}
	}
}

func (r *reader) note(format string, args ...any) {
	if note := fmt.Sprintf(format, args...); !slices.Contains(r.notes, note) {
		r.notes = append(r.notes, note)
	}
}
