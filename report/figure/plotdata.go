package figure

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"mercer/configs"
	"mercer/internal/plain"
	"mercer/internal/selection"
	"mercer/results"
)

// plotted is a plot of a spec with its numbers.
type plotted struct {
	configs.Plot
	panels       []plotPanel
	names        []string // of the series, which look the same in all panels
	looks        []int    // of the series, as [seriesLook] counts them
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
	at     []selection.Coordinate
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
	return selection.Describe(slices.DeleteFunc(slices.Clone(p.at), func(c selection.Coordinate) bool { return c.Name != "dataset" && c.Name != "kernel" }))
}

// plotSeries is the cells of a line, a curve along it, or a reference value.
type plotSeries struct {
	role   role
	at     []selection.Coordinate // of the line
	number int                    // of the line, among the plot's names
	curve  int                    // of the theory, among the plot's
	label  string
	points []plotPoint
}

// drawn are the points of the series with what a reader is told of each.
func (s plotSeries) drawn(text func(plotPoint) string) []point {
	points := make([]point, len(s.points))
	for i, q := range s.points {
		points[i] = point{x: q.x, y: q.y}
		if text != nil {
			points[i].text = text(q)
		}
	}
	return points
}

// plotPoint is one cell of a line: means with their bands.
type plotPoint struct {
	x, y    estimate
	values  []float64 // of y, by repeat
	rows    []int     // of bar: that of the cell, those of a reference value, nil for all
	cell    []selection.Coordinate
	front   bool // of pareto: no other point of the panel is as low in both
	repeats []*results.Record
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

// record is the first of a point's records.
func (p plotPoint) record() *results.Record { return p.repeats[0] }

// look is that of a series. One that others approximate is dashed: they lie on its line
// where they are good.
func (d plotted) look(number int) (look, []vg.Length) {
	l, dashes := seriesLook(d.looks[number])
	if d.exact[number] {
		dashes = []vg.Length{5, 3}
	}
	return l, dashes
}

// exactOf says which series are of methods that others approximate, where others are there.
func exactOf(series [][]selection.Coordinate, references []string) []bool {
	exact := make([]bool, len(series))
	for i, at := range series {
		exact[i] = slices.ContainsFunc(at, func(c selection.Coordinate) bool { return c.Name == "method" && slices.Contains(references, c.Value) })
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
	*selection.Records
	plotted
	x, y, floor *selection.Quantity
	records     []*results.Record // picked, but for skipped ones
	lost        []string          // readings that fail, with the reason
	readings    int
	dropped     []string // what a log axis or scale cannot show
	cut         bool     // a band goes below 0 on a log axis
	summarizer  results.Summarizer
}

// newReader picks the records of a plot.
func newReader(p configs.Plot, records *selection.Records) *plotReader {
	r := &plotReader{Records: records, plotted: plotted{Plot: p}, summarizer: results.Summarizer{Level: results.DefaultLevel}}
	for _, record := range records.Pick(p.Where) {
		if record.Status != results.Skipped {
			r.records = append(r.records, record)
		}
	}
	if len(r.records) == 0 {
		r.trouble = "no record of this run is picked by its where"
	}
	return r
}

// split groups records by columns. Groups come in the order of the values under
// where, else in that of the spec, of numbers or of names.
func (r *plotReader) split(records []*results.Record, columns []string) []selection.Group {
	groups := selection.Split(records, columns)
	slices.SortStableFunc(groups, func(a, b selection.Group) int { return r.compare(a.At, b.At) })
	return groups
}

func (r *plotReader) compare(a, b []selection.Coordinate) int {
	for i := range min(len(a), len(b)) {
		order := r.Where[a[i].Name].Value
		if x, y := slices.Index(order, a[i].Value), slices.Index(order, b[i].Value); x >= 0 && y >= 0 && x != y {
			return x - y
		}
		if c := r.Order.Compare(a[i].Name, a[i].Value, b[i].Value); c != 0 {
			return c
		}
		x, errX := strconv.ParseFloat(a[i].Value, 64)
		y, errY := strconv.ParseFloat(b[i].Value, 64)
		if c := cmp.Compare(x, y); errX == nil && errY == nil && c != 0 {
			return c
		}
		if c := cmp.Compare(a[i].Value, b[i].Value); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

// workOf names the computations behind records of one method; "" where they are
// not known.
func workOf(records []*results.Record) string {
	work := map[string]bool{}
	for _, record := range records {
		if record.Work == "" {
			return ""
		}
		work[fmt.Sprintf("%q %d %s", record.Method, record.Repeat, record.Work)] = true
	}
	return strings.Join(slices.Sorted(maps.Keys(work)), "\n")
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
