package views

import (
	"path/filepath"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
)

const (
	maxRows    = 60  // of a table of means in Markdown
	maxNumbers = 3   // of a numbered family such as eigenvalue_1, eigenvalue_2, ...
	maxText    = 400 // rows of a table of means whose texts are made: as many as the page shows
)

// Measured is the table of means of a metric on one data set and kernel: a row a point of the
// grid, a column a method.
type Measured struct {
	Table
	Metric, Label string // Label is "" where it is the metric's name
	Unit          string
	Dataset       Cell // empty where the run has one
	Kernel        Cell
	Cost          bool
	Judges        bool     // less or more of it is better
	At            []string // variables that are the same in all rows
	Constant      string   // the mean, where it is the same for every method in all rows
	Own           bool     // some method has sizes of its own
	Bold          bool
	Fewer         bool   // a mean is over fewer repeats than others
	Bounded       bool   // an interval ends at the least or greatest possible value
	Reference     bool   // some method does not compete
	Name          string // of the table in a LaTeX document
	Repeats       int
	Profile       string
	Points        int
}

// Measurements are the tables of all metrics, those that judge methods first and times last, of
// numbered families the first few.
func (r *Report) Measurements() []Measured {
	if r.measured == nil {
		shown, _ := firstOfFamilies(MetricsOf(r.Run.Rows))
		for _, metric := range shown {
			r.measured = append(r.measured, r.measurementsOf(metric)...)
		}
		rank := func(m Measured) int {
			switch {
			case m.Cost:
				return 2
			case m.Judges:
				return 0
			}
			return 1
		}
		slices.SortStableFunc(r.measured, func(a, b Measured) int { return rank(a) - rank(b) })
	}
	return r.measured
}

// Costs are the tables of times and memory, Errors all others.
func (r *Report) Costs() []Measured {
	return lists.Where(r.Measurements(), func(m Measured) bool { return m.Cost })
}

func (r *Report) Errors() []Measured {
	return lists.Where(r.Measurements(), func(m Measured) bool { return !m.Cost })
}

// NotShown are the metrics without a table.
func (r *Report) NotShown() []string {
	_, left := firstOfFamilies(MetricsOf(r.Run.Rows))
	return left
}

// Only has the tables of some metrics alone, in their order.
func (r *Report) Only(metrics []string) *Report {
	only := *r
	only.measured = slices.Concat(lists.Map(metrics, r.measurementsOf)...)
	return &only
}

func (r *Report) measurementsOf(metric string) []Measured {
	return lists.Map(r.grids(metric), func(g *grid) Measured { return r.measuredOf(g.merged()) })
}

// firstOfFamilies keeps all metrics but of numbered families the first few.
func firstOfFamilies(names []string) (shown, left []string) {
	seen := map[string]int{}
	for _, metric := range names {
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

// measuredOf is the table of g. Variables that are the same in all rows stand above it.
func (r *Report) measuredOf(g *grid) Measured {
	m := Measured{Metric: g.metric, Label: r.Names.Says(r.Names.Label(g.metric)), Unit: g.info.Unit, Cost: results.IsCost(g.metric), Judges: g.info.Better != "",
		Name: tableName(r.Run) + " " + g.dataset + " " + g.metric, Repeats: r.Run.Repeats(), Points: len(g.points)}
	if r.Run.Manifest.Profile != configs.DefaultProfile {
		m.Profile = r.Run.Manifest.Profile
	}
	if r.Names.several["dataset"] && g.dataset != "" {
		m.Dataset = r.Names.Called(g.dataset)
	}
	if r.Names.several["kernel"] && g.kernel != "" {
		m.Kernel = r.Names.Kernel(g.kernel)
	}
	var variables []string
	for _, name := range r.Names.Variables {
		switch values := g.values(name); {
		case len(values) > 1:
			variables = append(variables, name)
		case len(values) == 1 && values[0] != "":
			m.At = append(m.At, name+" = "+values[0])
		}
	}
	m.Table = Table{Most: maxRows, All: len(g.points), File: format.SummaryTable}
	for _, name := range slices.Concat(variables, g.methods) {
		head := r.Names.Called(name)
		if name == everyMethod {
			head = Cell{Text: name}
		}
		if slices.Contains(g.exact, name) {
			head.After, m.Reference = " (reference)", true
		}
		if own := g.own[name]; len(own) > 0 {
			head.After += " (" + strings.Join(own, ", ") + ")"
			m.Own = true
		}
		m.Own = m.Own || len(g.owned[name]) > 0
		m.Columns = append(m.Columns, Column{head, true})
	}
	order := g.order(variables)
	for _, i := range order[:min(len(order), maxText)] {
		row := Row(lists.Map(variables, func(name string) string { return pointValue(g.points[i], name) })...)
		for k, cell := range g.row(i) {
			count := len(g.cells[place{i, g.methods[k]}].values)
			m.Bold, m.Fewer = m.Bold || cell.Mark == Best, m.Fewer || count > 0 && count < g.repeats
			m.Bounded = m.Bounded || format.Bracketed(cell.Text)
			row = append(row, cell)
		}
		m.Rows = append(m.Rows, row)
	}
	m.Constant = m.constant(g, len(variables))
	return m
}

// constant is the mean that every method has in all rows; "" where they differ.
func (m Measured) constant(g *grid, at int) string {
	if len(m.Rows) < 2 || !slices.Equal(g.methods, []string{everyMethod}) {
		return ""
	}
	for _, row := range m.Rows {
		if row[at] != m.Rows[0][at] {
			return ""
		}
	}
	return m.Rows[0][at].Text
}

// tableName tells the tables of a run from those of another in one document.
func tableName(run results.Run) string {
	name := run.Spec.Name
	if folder := filepath.Base(run.Dir); run.Dir != "" && folder != configs.DefaultProfile {
		name += " " + folder
	}
	return plain.Text(name)
}

// row is what each method gave at row i, with the sizes that it used where these are its own:
// "0.12 ± 0.01 (m = 100)" in the row of m = 25.
func (g *grid) row(i int) []Cell {
	best := g.best(i)
	return lists.Map(g.methods, func(method string) Cell {
		c := g.cells[place{i, method}]
		cell := meanCell(c.values, g.info, g.repeats)
		used := lists.Where(g.owned[method], func(name string) bool { return len(c.values) > 0 && c.at.Get(name) != g.points[i].Get(name) })
		if len(used) > 0 {
			cell.After += " (" + format.PlainWhere(c.at.Only(used...)) + ")"
		}
		if method == best {
			cell.Mark = Best
		}
		return cell
	})
}
