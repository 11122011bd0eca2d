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

// role is what points are in a plot.
type role string

const (
	measured role = "measured"
	theory   role = "theory"
	floor    role = "floor" // below which nothing can lie
	mark     role = "mark"  // a reference value
)

// plotted is a plot of a spec with its numbers.
type plotted struct {
	configs.Plot
	panels       []plotPanel
	names        []string // of the series, which look the same in all panels
	looks        []int    // of the series, as [styled] counts them
	exact        []bool   // of the series: others approximate it
	theories     []string // labels of the curves of the theory
	xName, yName string   // of the axes, with units
	tally                 // of values behind a mean
	notes        []string
	trouble      string // why nothing can be drawn
}

// plotPanel is one data set, kernel and value of the facet.
type plotPanel struct {
	name   string
	at     results.Key
	rows   []string // of bar
	series []plotSeries
}

// seriesOf are the series of a role.
func (p plotPanel) seriesOf(what role) []plotSeries {
	return slices.DeleteFunc(slices.Clone(p.series), func(s plotSeries) bool { return s.role != what })
}

// shares names the panels that have the same axes: those of one data set and
// kernel, whose numbers can be compared.
func (p plotPanel) shares() string {
	return p.at.Only("dataset", "kernel").String()
}

// plotSeries is the cells of a line, a curve along it, or a reference value.
type plotSeries struct {
	role   role
	at     results.Key // of the line
	number int         // of the line, among the plot's names
	curve  int         // of the theory, among the plot's
	label  string
	points []plotPoint
}

// drawn are the points of the series with what a reader is told of each.
func (s plotSeries) drawn(text func(plotPoint) string) []Point {
	return lists.Map(s.points, func(q plotPoint) Point {
		drawn := Point{X: q.x, Y: q.y}
		if text != nil {
			drawn.Text = text(q)
		}
		return drawn
	})
}

// plotPoint is one cell of a line: means with their bands.
type plotPoint struct {
	x, y    estimate
	values  []float64   // of y, by repeat
	rows    []int       // of bar: that of the cell, those of a reference value, nil for all
	at      results.Key // where it stands: its cell, with what this has not and its place has
	cell    results.Key // what tells it from others of its line
	front   bool        // of pareto: no other point of the panel is as low in both
	repeats []*results.Row
}

// tally is the least and the largest of some numbers of repeats.
type tally struct{ least, most int }

func (t *tally) count(repeats int) {
	if t.least == 0 || repeats < t.least {
		t.least = repeats
	}
	t.most = max(t.most, repeats)
}

// repeats says how many there are.
func (t tally) repeats() string {
	most := plain.Count(t.most, "repeat")
	if t.least < t.most {
		return fmt.Sprintf("%d to %s", t.least, most)
	}
	return most
}

// exactOf says which series are of methods that others approximate, where others are there.
func exactOf(series []results.Key, references []string) []bool {
	exact := make([]bool, len(series))
	for i, at := range series {
		exact[i] = slices.Contains(references, at.Text("method"))
	}
	if !slices.Contains(exact, false) {
		clear(exact)
	}
	return exact
}

// has says whether some series is as asked.
func (d plotted) has(is func(plotSeries) bool) bool {
	return slices.ContainsFunc(d.panels, func(p plotPanel) bool { return slices.ContainsFunc(p.series, is) })
}

// plotReader reads the numbers of one plot.
type plotReader struct {
	run   results.Run
	order results.Order
	plotted
	x, y, floor *results.Quantity
	rows        []*results.Row // picked, but for skipped ones
	lost        []string       // readings that fail, with the reason
	readings    int
	dropped     []string // what a log axis or scale cannot show
	cut         bool     // a band goes below 0 on a log axis
}

// newReader picks the rows of a plot.
func newReader(p configs.Plot, run results.Run) *plotReader {
	r := &plotReader{run: run, order: run.Order(), plotted: plotted{Plot: p}}
	picked, err := run.Select(p.Where)
	if r.rows = lists.Where(picked, func(row *results.Row) bool { return row.Status != results.Skipped }); err != nil {
		r.trouble = err.Error()
	} else if len(r.rows) == 0 {
		r.trouble = "no record of this run is picked by its where"
	}
	return r
}

// split groups rows by columns; a row stands in each group that it meets. Groups come in the
// order of the values under where, else in that of the run.
func (r *plotReader) split(rows []*results.Row, columns []string) []results.Group {
	groups := results.Meeting(rows, columns)
	slices.SortStableFunc(groups, func(a, b results.Group) int { return r.compare(a.At, b.At) })
	return groups
}

func (r *plotReader) compare(a, b results.Key) int {
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

// clash says in what rows differ that should be repeats of one cell, and what to do about it;
// "" where they are.
func (r *plotReader) clash(rows []*results.Row, over string) (reason, advice string) {
	cells := results.Cells(rows)
	if len(cells) < 2 {
		return "", ""
	}
	var vary, enough []string
	for _, name := range format.Variables(r.run) {
		values := map[results.Value]bool{}
		for _, cell := range cells {
			values[cell.At.Get(name)] = true
		}
		if len(values) < 2 || name == over {
			continue
		}
		vary = append(vary, name)
		if len(values) == len(cells) {
			enough = append(enough, name)
		}
	}
	if len(vary) == 0 {
		return fmt.Sprintf("%d different cells that no variable but %s tells apart", len(cells), cmp.Or(over, "their sizes")),
			"a spec that runs them as datasets or methods of their own"
	}
	advice = "add " + strings.Join(vary, " and ") + " to by, or fix them in where"
	if len(enough) > 0 {
		advice = "add " + strings.Join(enough, " or ") + " to by, or fix it in where"
	}
	return fmt.Sprintf("%d different cells, which differ in %s", len(cells), strings.Join(vary, ", ")), advice
}

// evaluate is a value in a row that stands at a place: the columns of the place, and the
// constants of the row's population.
func (r *plotReader) evaluate(v configs.Value, row *results.Row, at results.Key) (float64, error) {
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

// matches says whether conditions pick a place.
func matches(at results.Key, where configs.Conditions) bool {
	row := results.Row{At: at}
	return row.Match(where)
}

// noteDropped says what is not shown, and why.
func (r *plotReader) noteDropped(why string) {
	if len(r.dropped) > 0 {
		r.note("Not in the figure, since %s for it: %s.", why, plain.Some(r.dropped, 4))
	}
}

func (r *plotReader) note(format string, args ...any) {
	if note := fmt.Sprintf(format, args...); !slices.Contains(r.notes, note) {
		r.notes = append(r.notes, note)
	}
}
