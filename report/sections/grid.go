package sections

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"mercer/internal/lists"
	"mercer/internal/metrics"
	"mercer/internal/plain"
	"mercer/internal/sizes"
	"mercer/report/format"
	"mercer/results"
)

// grid is one metric on one data set and kernel: rows are grid points, columns
// are methods.
type grid struct {
	metric, unit    string
	dataset, kernel string
	methods         []string
	points          []map[string]float64
	cells           map[place]sample
	varies          map[string]bool // methods whose values differ between repeats; those of a population's own answer do not, and do not compete
	sizes           map[string]int  // "method variable", the size that a method used; -1 where it is not the same in all rows
	own             map[string]bool // "method variable" where that is not the grid's
	used            map[string]bool // sizes that some method uses
	exact           []string        // methods that do not compete
	lost            map[place]bool  // some repeat failed, or lacks the metric
	repeats         int             // of a cell, at most
}

// place is a cell of a grid.
type place struct {
	row    int
	method string
}

// sample is a value for each of some repeats, in the order of these.
type sample []repeatValue

type repeatValue struct {
	repeat int
	value  float64
}

func (s sample) values() []float64 {
	return lists.Map(s, func(v repeatValue) float64 { return v.value })
}

// summary of the values of a cell, the interval within the range of the metric.
func (g *grid) summary(at place) results.Summary {
	s := results.Summarize(g.cells[at].values(), results.DefaultLevel)
	s.Low, s.High = metrics.Clip(g.metric, s.Low, s.High)
	return s
}

// grids arrange the values of a metric, data sets and methods in the order of the spec.
func (p *document) grids(records []results.Record, metric string) []*grid {
	order := p.order
	var grids []*grid
	rows := map[string]int{}
	for cell := range results.ByCell(records) {
		values := make(sample, 0, len(cell))
		unit, lost := "", false
		for i := range cell {
			if v, ok := cell[i].Metrics.Get(metric); ok && cell[i].Status == results.OK {
				values, unit = append(values, repeatValue{cell[i].Repeat, v.Value}), v.Unit
			} else {
				lost = lost || cell[i].Status != results.Skipped
			}
		}
		if len(values) == 0 {
			continue
		}
		first := &cell[0]
		if last := len(grids) - 1; last < 0 || first.Dataset != grids[last].dataset || first.Kernel != grids[last].kernel {
			grids = append(grids, &grid{metric: metric, unit: unit, dataset: first.Dataset, kernel: first.Kernel, cells: map[place]sample{}, lost: map[place]bool{}, varies: map[string]bool{}, sizes: map[string]int{}, own: map[string]bool{}, used: map[string]bool{}})
			clear(rows)
		}
		g := grids[len(grids)-1]
		at := g.place(first, rows)
		g.set(at, values)
		g.lost[at], g.repeats = lost, max(g.repeats, len(cell))
	}
	for _, g := range grids {
		if !results.IsCost(metric) && metrics.BetterOf(metric) != metrics.Neither {
			g.exact = p.exact
		}
		slices.SortStableFunc(g.methods, func(a, b string) int { return order.Compare("method", a, b) })
	}
	slices.SortStableFunc(grids, func(a, b *grid) int {
		return cmp.Or(order.Compare("dataset", a.dataset, b.dataset), cmp.Compare(a.dataset, b.dataset), order.Compare("kernel", a.kernel, b.kernel))
	})
	return grids
}

func (g *grid) set(at place, values sample) {
	g.cells[at] = values
	g.varies[at.method] = g.varies[at.method] || slices.ContainsFunc(values, func(v repeatValue) bool { return v.value != values[0].value })
}

// place finds the row and column of a record's cell, new ones where they are not there
// yet, and notes the sizes that the method set in place of the grid's.
func (g *grid) place(r *results.Record, rows map[string]int) place {
	point := fmt.Sprint(r.Point) // fmt sorts the keys of a map
	row, known := rows[point]
	if !known {
		row = len(g.points)
		rows[point], g.points = row, append(g.points, r.Point)
	}
	if !slices.Contains(g.methods, r.Method) {
		g.methods = append(g.methods, r.Method)
	}
	for _, name := range sizes.Names {
		size := r.Sizes.Get(name)
		g.used[name] = g.used[name] || size != 0
		if at, ok := r.Point[name]; ok && size != 0 {
			key := r.Method + " " + name
			if known, seen := g.sizes[key]; seen && known != size {
				size = -1
			}
			g.sizes[key], g.own[key] = size, g.own[key] || at != float64(r.Sizes.Get(name))
		}
	}
	return place{row, r.Method}
}

// ownSizes are the sizes that a method set by itself: "m = 400", or "own m" where it is not the
// same in all rows.
func (g *grid) ownSizes(method string) []string {
	var own []string
	for _, name := range sizes.Names {
		key := method + " " + name
		switch {
		case !g.own[key]:
		case g.sizes[key] < 0:
			own = append(own, "own "+name)
		default:
			own = append(own, fmt.Sprintf("%s = %d", name, g.sizes[key]))
		}
	}
	return own
}

// ownNote explains the sizes in the header.
func (g *grid) ownNote() string {
	if !slices.ContainsFunc(g.methods, func(method string) bool { return len(g.ownSizes(method)) > 0 }) {
		return ""
	}
	return "A size beside a method is its own, in place of the row's."
}

// constant says what a grid of one column has in all rows; "" where they differ.
func (g *grid) constant(rows [][]string, at int) string {
	if len(rows) < 2 || !slices.Equal(g.methods, []string{everyMethod}) {
		return ""
	}
	for _, row := range rows {
		if row[at] != rows[0][at] {
			return ""
		}
	}
	return "Every method, at all " + plain.Count(len(rows), "setting") + ": " + rows[0][at] + "."
}

// maxRows is how many rows of a table Markdown shows.
const maxRows = 60

// everyMethod heads the column of a merged grid.
const everyMethod = "every method"

// merged is g with one column for all methods where they agree in every value,
// as they do on a floor.
func (g *grid) merged() *grid {
	one := &grid{metric: g.metric, methods: []string{everyMethod}, points: g.points, cells: map[place]sample{}, used: g.used, repeats: g.repeats}
	agree := false // two methods in a row
	for i := range g.points {
		values, there := map[int]float64{}, 0
		for _, method := range g.methods {
			if len(g.cells[place{i, method}]) > 0 {
				there++
			}
			for _, v := range g.cells[place{i, method}] {
				if known, ok := values[v.repeat]; ok && known != v.value {
					return g
				}
				values[v.repeat] = v.value
			}
		}
		agree = agree || there > 1
		all := lists.Map(slices.Sorted(maps.Keys(values)), func(repeat int) repeatValue { return repeatValue{repeat, values[repeat]} })
		one.cells[place{i, everyMethod}] = all
	}
	if !agree {
		return g
	}
	return one
}

// order sorts the rows by the variables' values.
func (g *grid) order(columns []string) []int {
	order := make([]int, len(g.points))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		for _, name := range columns {
			if c := cmp.Compare(g.points[a][name], g.points[b][name]); c != 0 {
				return c
			}
		}
		return 0
	})
	return order
}

// values are the different values of a variable over the rows, as text.
func (g *grid) values(name string) []string {
	return lists.Once(lists.Map(g.points, func(point map[string]float64) string { return pointValue(point, name) }))
}

func pointValue(point map[string]float64, name string) string {
	if v, ok := point[name]; ok {
		return format.Number(v)
	}
	return ""
}
