package views

import (
	"slices"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/sizes"
	"mercer/report/format"
	"mercer/results"
)

const (
	mostMetrics = 3  // columns of [Report.Means]
	mostMeans   = 12 // its rows
)

// MainMetrics are the three metrics at most that matter in a run: those of claims, then those of
// plots, without what describes methods where others judge them; without either, the first metric
// of each measure.
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
	describes := func(name string) bool { return r.Run.Catalog.Metrics[name].Better == "" }
	if !slices.ContainsFunc(names, func(name string) bool { return !describes(name) }) {
		describes = func(string) bool { return false }
	}
	there := results.MetricNames(r.Run.Rows)
	pick := func(names []string) []string {
		names = lists.Once(lists.Where(names, func(name string) bool { return slices.Contains(there, name) }))
		return names[:min(len(names), mostMetrics)]
	}
	if picked := pick(lists.Where(names, func(name string) bool { return !describes(name) })); len(picked) > 0 {
		return picked
	}
	names = nil
	for _, measure := range r.Run.Spec.Measure {
		first := pick(r.Run.Catalog.Measures[measure.Value])
		names = append(names, first[:min(len(first), 1)]...)
	}
	return pick(names)
}

// Means are the means of the main metrics: a row a cell, those with the largest sizes.
type Means struct {
	Table
	At        string // what all rows share
	Repeats   int
	Profile   string // "" for the usual one
	Fewer     bool   // some means are over fewer repeats, counted in brackets
	Bold      bool
	Reference bool     // an exact method is among them, which does not compete
	Large     int      // cells with the largest sizes
	Of        int      // all cells
	Labels    []string // what the metrics are called
}

// meansRow is a cell, and where it is: the method first.
type meansRow struct {
	results.Group
	where results.Key
}

func (r *Report) Means() Means {
	metrics := r.MainMetrics()
	cells, large, all := r.meansRows()
	if len(metrics) == 0 || len(cells) == 0 {
		return Means{}
	}
	m := Means{Large: large, Of: all, Table: Table{File: format.SummaryTable, Columns: columns("Method")}}
	if profile := r.Run.Manifest.Profile; profile != configs.DefaultProfile {
		m.Profile = profile
	}
	for _, c := range cells {
		m.Repeats = max(m.Repeats, len(c.Rows))
	}
	best := map[string]map[results.Key]bool{}
	for _, name := range metrics {
		head := Cell{Text: name, Mark: Code}
		if unit := r.Run.Catalog.Metrics[name].Unit; unit != "" {
			head.After = " (" + unit + ")"
		}
		m.Columns = append(m.Columns, Column{head, true})
		if label := r.Names.Label(name); label != "" {
			m.Labels = append(m.Labels, name+": "+label)
		}
		best[name] = r.bestCells(name)
	}
	shared := format.Common(lists.Map(cells, func(c meansRow) results.Key { return c.where })).Without("method")
	m.At = r.Names.Where(shared)
	m.Reference = slices.ContainsFunc(cells, func(c meansRow) bool { return slices.Contains(r.exact, c.At.Text("method")) })
	for _, c := range cells {
		row := Row(r.Names.Brief(format.Without(c.where, shared)))
		for _, name := range metrics {
			cell := r.mean(c, name, m.Repeats)
			if best[name][c.At] {
				cell.Mark, m.Bold = Best, true
			}
			m.Fewer = m.Fewer || cell.After != ""
			row = append(row, cell)
		}
		m.Rows = append(m.Rows, row)
	}
	return m
}

// mean is the mean of a metric in a cell, or what became of the cell.
func (r *Report) mean(c meansRow, metric string, most int) Cell {
	values := cellOf(c.Group, ofMetric(metric)).values
	failed := slices.IndexFunc(c.Rows, func(row *results.Row) bool { return row.Status != results.OK })
	if len(values) == 0 && failed >= 0 {
		return Cell{Text: string(c.Rows[failed].Status)}
	}
	return meanCell(values, r.Run.Catalog.Metrics[metric], most)
}

// bestCells are the cells that are bold in the tables of a metric.
func (r *Report) bestCells(metric string) map[results.Key]bool {
	best := map[results.Key]bool{}
	for _, g := range r.grids(metric) {
		for i := range g.points {
			if method := g.best(i); method != "" {
				best[g.cells[place{i, method}].at] = true
			}
		}
	}
	return best
}

// meansRows are the cells to show, by data set, kernel, point and method; of how many with
// the largest sizes they are the first; and the number of all cells that were not skipped.
func (r *Report) meansRows() (cells []meansRow, large, all int) {
	run, variables := r.Run, r.Names.Variables
	for _, cell := range results.Cells(run.Present()) {
		if slices.ContainsFunc(cell.Rows, func(row *results.Row) bool { return row.Status != results.Skipped }) {
			where := cell.At.Only("method", "dataset", "kernel")
			for _, name := range variables {
				v := cell.At.Get(name)
				if v.Kind == configs.Number {
					v = configs.TextOf(format.Number(v.Number))
				}
				where = where.With(name, v)
			}
			cells = append(cells, meansRow{cell, where})
		}
	}
	all = len(cells)
	for _, name := range sizes.Names {
		if len(cells) > mostMeans {
			cells = largest(run, cells, name)
		}
	}
	order := run.Order()
	slices.SortStableFunc(cells, func(a, b meansRow) int {
		for _, name := range slices.Concat([]string{"dataset", "kernel"}, variables, []string{"method"}) {
			if c := order(name, a.At.Get(name), b.At.Get(name)); c != 0 {
				return c
			}
		}
		return 0
	})
	return cells[:min(len(cells), mostMeans)], len(cells), all
}

// largest keeps, of each data set and kernel, the cells whose value of a size is largest. Of those
// whose method does not take it from the grid it keeps those that stand beside one of these.
func largest(run results.Run, cells []meansRow, name string) []meansRow {
	at := func(c meansRow) (design results.Key, value float64, has bool) {
		value, has = c.At.Number(name)
		return c.At.Only("dataset", "kernel"), value, has && !slices.Contains(run.OwnSizes(c.At.Text("method")), name)
	}
	most := map[results.Key]float64{}
	for _, c := range cells {
		if d, value, has := at(c); has {
			most[d] = max(most[d], value)
		}
	}
	point := func(c meansRow) results.Key {
		method := c.At.Text("method")
		return c.At.Without(append(run.OwnSizes(method), "method")...)
	}
	beside := map[results.Key][]results.Key{}
	for _, c := range cells {
		if d, value, has := at(c); has && value == most[d] {
			beside[d] = append(beside[d], point(c))
		}
	}
	return slices.DeleteFunc(cells, func(c meansRow) bool {
		d, value, has := at(c)
		if has || beside[d] == nil {
			return value < most[d]
		}
		return !slices.ContainsFunc(beside[d], point(c).Meets)
	})
}
