package views

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/sizes"
	"mercer/report/format"
	"mercer/results"
)

const (
	mostMetrics = 3   // of the first screen
	mostMeans   = 12  // rows of the first screen
	mostColumns = 5   // metrics of a table of measurements
	maxRows     = 60  // of a table of means in Markdown
	maxText     = 400 // rows of a table whose texts are made: as many as the page shows
)

// Means is a table of means with their intervals: a row a cell, a column a metric. Before these
// stand the columns in which the cells differ, the method last.
type Means struct {
	Table
	Metrics  []string
	Unshown  []string // further metrics that judge methods
	Labels   []string // what the metrics are called, with their units
	At       string   // what the cells share
	Repeats  int
	Fewest   int    // of a mean that is of fewer repeats; 0 where none is
	Compared bool   // some methods meet at a place, so that one could be the best
	Bold     bool   // some mean is better than every other method
	Of       int    // cells of the run
	Largest  string // the sizes that are the largest of each method that has them
}

// Means are the main metrics of the cells with the largest sizes of each method.
func (r *Report) Means() Means {
	cells := r.cells()
	var at []string
	for _, size := range sizes.Names {
		if len(cells) > mostMeans {
			cells = largest(cells, size)
			at = append(at, r.Names.labels.Variable(size))
		}
	}
	m := r.means(cells[:min(len(cells), mostMeans)], r.MainMetrics())
	m.Unshown = lists.Where(MetricsOf(r.Run.Rows), func(metric string) bool { return r.kind(metric) == 0 && !slices.Contains(m.Metrics, metric) })
	if len(cells) <= mostMeans {
		m.Largest = strings.Join(at, ", ")
	}
	return m
}

// largest keeps the cells whose value of a size is the largest of their method on a data set and
// kernel.
func largest(cells []results.Group, size string) []results.Group {
	method := func(c results.Group) results.Key { return c.At.Only("dataset", "kernel", "method") }
	most := map[results.Key]float64{}
	for _, c := range cells {
		v, _ := c.At.Number(size)
		most[method(c)] = max(most[method(c)], v)
	}
	return lists.Where(cells, func(c results.Group) bool {
		v, _ := c.At.Number(size)
		return v == most[method(c)]
	})
}

// Measurements are the tables of all metrics: those that judge methods, those that describe them,
// then times and memory.
func (r *Report) Measurements() []Means {
	return r.Tables(slices.SortedStableFunc(slices.Values(MetricsOf(r.Run.Rows)), func(a, b string) int { return r.kind(a) - r.kind(b) }))
}

// kind is the place of a metric among those that judge methods, describe them, and are costs.
func (r *Report) kind(metric string) int {
	switch {
	case results.IsCost(metric):
		return 2
	case r.Run.Catalog.Metrics[metric].Better == "":
		return 1
	}
	return 0
}

// Tables are the means of metrics on each data set and kernel, in tables of few columns.
func (r *Report) Tables(metrics []string) (tables []Means) {
	for _, cells := range lists.By(r.cells(), func(c results.Group) results.Key { return c.At.Only("dataset", "kernel") }) {
		having := func(metrics ...string) []results.Group {
			return lists.Where(cells, func(c results.Group) bool {
				return slices.ContainsFunc(metrics, func(metric string) bool { _, has := r.contest(metric).place[c.At]; return has })
			})
		}
		there := lists.Where(metrics, func(metric string) bool { return len(having(metric)) > 0 })
		for some := range slices.Chunk(there, mostColumns) {
			tables = append(tables, r.means(having(some...), some))
		}
	}
	return tables
}

// means is the table of metrics of cells.
func (r *Report) means(cells []results.Group, metrics []string) Means {
	if len(metrics) == 0 || len(cells) == 0 {
		return Means{}
	}
	m := Means{Metrics: metrics, Repeats: r.Run.Repeats(), Of: len(r.cells()), Table: Table{Most: maxRows, All: len(cells), File: format.SummaryTable}}
	first, shown := cells[0].At, map[results.Key]bool{}
	for _, c := range cells {
		shown[c.At] = true
	}
	vary := lists.Where(r.places(), func(name string) bool {
		return slices.ContainsFunc(cells, func(c results.Group) bool { return c.At.Get(name) != first.Get(name) })
	})
	if len(vary) == 0 {
		vary = []string{"method"}
	}
	m.At = r.Names.Where(rounded(first.Without(vary...)))
	for _, name := range vary {
		number := slices.ContainsFunc(cells, func(c results.Group) bool { _, number := c.At.Number(name); return number })
		m.Columns = append(m.Columns, Column{r.Names.Column(name), number})
	}
	for _, name := range metrics {
		m.Columns = append(m.Columns, Column{Cell{Text: name, Mark: Code}, true})
		label := r.Names.Label(name)
		if unit := r.Run.Catalog.Metrics[name].Unit; unit != "" {
			label += " (" + unit + ")"
		}
		if label != "" {
			m.Labels = append(m.Labels, name+": "+label)
		}
	}
	for _, c := range cells[:min(len(cells), maxText)] {
		row := lists.Map(vary, func(name string) Cell { return r.valueOf(c.At, name) })
		for _, metric := range metrics {
			mean, count := r.contest(metric).mean(c.At, r.Run.Catalog.Metrics[metric], m.Repeats)
			if count > 0 && count < m.Repeats {
				m.Fewest = min(cmp.Or(m.Fewest, count), count)
			}
			m.Bold = m.Bold || mean.Mark == Best
			i, has := r.contest(metric).place[c.At]
			m.Compared = m.Compared || has && r.contest(metric).competes(i, shown)
			row = append(row, mean)
		}
		m.Rows = append(m.Rows, row)
	}
	return m
}

// valueOf is the value of a column at a cell, as a table shows it.
func (r *Report) valueOf(at results.Key, column string) Cell {
	value := cmp.Or(r.Names.Value(at, column), format.None)
	if column == "method" && slices.Contains(r.exact, at.Text(column)) {
		value += " (reference)"
	}
	return Cell{Text: value}
}

// mean is the mean of a cell with its interval, e.g. "0.12 ± 0.01", followed by the number of its
// values where that is less than repeats; and this number.
func (t *contest) mean(at results.Key, of results.MetricInfo, repeats int) (mean Cell, count int) {
	i, has := t.place[at]
	if !has {
		return Cell{Text: format.None}, 0
	}
	s := t.cells[i].summary(of)
	mean = Cell{Text: format.Mean(s.Mean, s.Low, s.High)}
	if s.Count < repeats {
		mean.Text += fmt.Sprintf(" (%d)", s.Count)
	}
	if t.best(i) {
		mean.Mark = Best
	}
	return mean, s.Count
}

// MainMetrics are the three metrics at most that matter in a run: those of claims, then those of
// plots, without either those measured, in the spec's order, and without what describes methods where others judge them.
func (r *Report) MainMetrics() []string {
	var names []string
	for _, v := range r.Judged {
		if !v.Check && v.Answers == 0 {
			names = append(names, configs.NewQuantity(v.Of).Names()...)
		}
	}
	for _, plot := range r.Run.Spec.Plots {
		for _, q := range plot.Quantities() {
			names = append(names, q.Names()...)
		}
	}
	there := results.MetricNames(r.Run.Rows)
	known := func(names []string) []string {
		return lists.Once(lists.Where(names, func(name string) bool { return slices.Contains(there, name) }))
	}
	if names = known(names); len(names) == 0 {
		for _, measure := range r.Run.Spec.Measure.Texts() {
			names = append(names, r.Run.Catalog.Measures[measure]...)
		}
		names = known(names)
	}
	if judging := lists.Where(names, func(name string) bool { return r.Run.Catalog.Metrics[name].Better != "" }); len(judging) > 0 {
		names = judging
	}
	return names[:min(len(names), mostMetrics)]
}
