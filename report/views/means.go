package views

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/internal/sizes"
	"mercer/report/format"
	"mercer/results"
)

const (
	mostMetrics = 3   // of the first screen
	mostMeans   = 12  // rows of the first screen
	mostColumns = 5   // metrics of a table of measurements
	maxRows     = 60  // of a table of means in Markdown
	maxText     = 400 // rows of a table of means whose texts are made: as many as the page shows
	maxNumbers  = 3   // of a numbered family such as eigenvalue_1, eigenvalue_2, ...
)

// Means is a table of means with their intervals: a row a cell, a column a metric. Before these
// stand the columns in which the cells differ, the method last.
type Means struct {
	Table
	Metrics []string
	Labels  []string // what the metrics are called
	Setting string   // the data set and the kernel, of a run with several that the cells share
	At      string   // the other values that the cells share
	Repeats int
	Profile string // "" for the usual one
	Fewer   bool   // some means are over fewer repeats, counted in brackets
	Bold    bool
	Name    string // of the table in a LaTeX document
	Of      int    // cells of the run
}

// Means are the main metrics of the cells with the largest sizes.
func (r *Report) Means() Means {
	cells := r.cells()
	for _, size := range sizes.Names {
		if len(cells) > mostMeans {
			cells = r.largest(cells, size)
		}
	}
	return r.means(cells[:min(len(cells), mostMeans)], r.MainMetrics())
}

// largest keeps the cells whose value of a size is the largest on their data set and kernel; of a
// method that has the size by itself (m: 2*ell) the largest of the method. A cell without the size
// stays if it stands beside one of these.
func (r *Report) largest(cells []results.Group, size string) []results.Group {
	among := func(c results.Group) results.Key {
		if slices.Contains(r.Run.OwnSizes(c.At.Text("method")), size) {
			return c.At.Only("dataset", "kernel", "method")
		}
		return c.At.Only("dataset", "kernel")
	}
	most := map[results.Key]float64{}
	for _, c := range cells {
		if v, has := c.At.Number(size); has {
			most[among(c)] = max(most[among(c)], v)
		}
	}
	with := lists.Where(cells, func(c results.Group) bool { v, has := c.At.Number(size); return has && v == most[among(c)] })
	return lists.Where(cells, func(c results.Group) bool {
		if v, has := c.At.Number(size); has || len(with) == 0 {
			return v == most[among(c)]
		}
		return slices.ContainsFunc(with, func(other results.Group) bool { return other.At.Meets(c.At.Without("method")) })
	})
}

// Measurements are the tables of all metrics but times and memory: those that judge methods, then
// those that describe them; of numbered families the first few. Times are the tables of the rest.
func (r *Report) Measurements() []Means {
	judges := func(metric string) bool { return r.Run.Catalog.Metrics[metric].Better != "" }
	shown, _ := r.shown()
	return slices.Concat(
		r.Tables(lists.Where(shown, func(metric string) bool { return !results.IsCost(metric) && judges(metric) })),
		r.Tables(lists.Where(shown, func(metric string) bool { return !results.IsCost(metric) && !judges(metric) })))
}

func (r *Report) Times() []Means {
	shown, _ := r.shown()
	return r.Tables(lists.Where(shown, results.IsCost))
}

// NotShown are the metrics without a table.
func (r *Report) NotShown() []string {
	_, left := r.shown()
	return left
}

// shown are all metrics but of numbered families the first few, and left are the others.
func (r *Report) shown() (shown, left []string) {
	seen := map[string]int{}
	for _, metric := range MetricsOf(r.Run.Rows) {
		family, number := familyOf(metric)
		if number > 0 {
			seen[family]++
		}
		if number > 0 && seen[family] > maxNumbers {
			left = append(left, metric)
		} else {
			shown = append(shown, metric)
		}
	}
	return shown, left
}

// Tables are the means of metrics on each data set and kernel, in tables of few columns.
func (r *Report) Tables(metrics []string) (tables []Means) {
	for _, cells := range lists.By(r.cells(), func(c results.Group) results.Key { return c.At.Only("dataset", "kernel") }) {
		has := func(metric string) func(results.Group) bool {
			return func(c results.Group) bool { _, is := r.contest(metric).place[c.At]; return is }
		}
		there := lists.Where(metrics, func(metric string) bool { return slices.ContainsFunc(cells, has(metric)) })
		for some := range slices.Chunk(there, mostColumns) {
			tables = append(tables, r.means(lists.Where(cells, func(c results.Group) bool {
				return failed(c) || slices.ContainsFunc(some, func(metric string) bool { return has(metric)(c) })
			}), some))
		}
	}
	return tables
}

// failed says that no row of a cell is ok.
func failed(c results.Group) bool {
	return !slices.ContainsFunc(c.Rows, func(row *results.Row) bool { return row.Status == results.OK })
}

// means is the table of metrics of cells.
func (r *Report) means(cells []results.Group, metrics []string) Means {
	if len(metrics) == 0 || len(cells) == 0 {
		return Means{}
	}
	m := Means{Metrics: metrics, Repeats: r.Run.Repeats(), Of: len(r.cells()), Table: Table{Most: maxRows, All: len(cells), File: format.SummaryTable}}
	if profile := r.Run.Manifest.Profile; profile != configs.DefaultProfile {
		m.Profile = profile
	}
	m.Name = tableName(r.Run) + " " + cells[0].At.Text("dataset") + " " + metrics[0]

	vary, same := varying(cells, r.places())
	shared := rounded(cells[0].At.Only(same...))
	m.Setting, m.At = r.Names.Where(shared.Only("dataset", "kernel")), r.Names.Where(shared.Without("dataset", "kernel"))
	for _, name := range vary {
		_, number := cells[len(cells)-1].At.Number(name)
		m.Columns = append(m.Columns, Column{r.Names.Column(name), number})
	}
	for _, name := range metrics {
		head := Cell{Text: name, Mark: Code}
		if unit := r.Run.Catalog.Metrics[name].Unit; unit != "" {
			head.After = " (" + unit + ")"
		}
		m.Columns = append(m.Columns, Column{head, true})
		if label := r.Names.Label(name); label != "" {
			m.Labels = append(m.Labels, name+": "+label)
		}
	}
	for _, c := range cells[:min(len(cells), maxText)] {
		row := lists.Map(vary, func(name string) Cell { return r.valueOf(c.At, name) })
		for _, metric := range metrics {
			mean := r.mean(c, metric, m.Repeats)
			m.Bold, m.Fewer = m.Bold || mean.Mark == Best, m.Fewer || mean.After != ""
			row = append(row, mean)
		}
		m.Rows = append(m.Rows, row)
	}
	return m
}

// varying are the columns in which cells differ, the method where they differ in none; same are
// the other ones.
func varying(cells []results.Group, columns []string) (vary, same []string) {
	for _, name := range columns {
		first := cells[0].At.Get(name)
		if slices.ContainsFunc(cells, func(c results.Group) bool { return c.At.Get(name) != first }) || name == "method" && len(vary) == 0 {
			vary = append(vary, name)
		} else {
			same = append(same, name)
		}
	}
	return vary, same
}

// valueOf is the value of a column at a cell, as a table shows it.
func (r *Report) valueOf(at results.Key, column string) Cell {
	value := Cell{Text: cmp.Or(r.Names.Value(at, column), format.None)}
	if column == "method" && slices.Contains(r.exact, at.Text(column)) {
		value.After = " (reference)"
	}
	return value
}

// mean is the mean of a metric in a cell with its interval, e.g. "0.12 ± 0.01", and the number of
// values where it is less than repeats; of a cell that failed, what became of it.
func (r *Report) mean(c results.Group, metric string, repeats int) Cell {
	t := r.contest(metric)
	i, has := t.place[c.At]
	switch {
	case !has && failed(c):
		return Cell{Text: string(c.Rows[0].Status)}
	case !has:
		return Cell{Text: format.None}
	}
	mean := meanCell(t.cells[i], r.Run.Catalog.Metrics[metric], repeats)
	if t.best(i) {
		mean.Mark = Best
	}
	return mean
}

func meanCell(c cell, of results.MetricInfo, repeats int) Cell {
	s := c.summary(of)
	mean := Cell{Text: format.Mean(s.Mean, s.Low, s.High)}
	if s.Count < repeats {
		mean.After = fmt.Sprintf(" (%d)", s.Count)
	}
	return mean
}

// tableName tells the tables of a run from those of another in one document.
func tableName(run results.Run) string {
	name := run.Spec.Name
	if folder := filepath.Base(run.Dir); run.Dir != "" && folder != configs.DefaultProfile {
		name += " " + folder
	}
	return plain.Text(name)
}

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
	judges := func(name string) bool { return r.Run.Catalog.Metrics[name].Better != "" }
	there := results.MetricNames(r.Run.Rows)
	pick := func(names []string) []string {
		names = lists.Once(lists.Where(names, func(name string) bool { return slices.Contains(there, name) }))
		if slices.ContainsFunc(names, judges) {
			names = lists.Where(names, judges)
		}
		return names[:min(len(names), mostMetrics)]
	}
	if picked := pick(names); len(picked) > 0 {
		return picked
	}
	var first []string
	for _, measure := range r.Run.Spec.Measure {
		of := r.Run.Catalog.Measures[measure.Value]
		if at := slices.IndexFunc(of, func(name string) bool { return slices.Contains(there, name) }); at >= 0 {
			first = append(first, of[at])
		}
	}
	return pick(first)
}
