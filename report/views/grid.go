package views

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/inference"
	"mercer/internal/lists"
	"mercer/internal/sizes"
	"mercer/report/format"
	"mercer/results"
)

// grid is one metric on one data set and kernel: rows are grid points, columns
// are methods.
type grid struct {
	metric          string
	info            results.MetricInfo
	dataset, kernel string
	methods         []string
	points          []results.Key // of the rows
	sorted          results.Order
	cells           map[place]cell
	varies          map[string]bool     // methods whose values differ between repeats; those of a population's own answer do not, and do not compete
	own             map[string][]string // of methods, the sizes that they have in place of the grid's and that are the same in all cells: "m = 400"
	owned           map[string][]string // of methods, those that are not: "m"
	unequal         bool                // cells of a row are to be compared even where their sizes differ
	exact           []string            // methods that do not compete
	repeats         int                 // of a cell, at most
	verdicts        []claims.Verdict    // that compare methods in the metric
	bests           map[int]string      // of the rows that were asked for, see best
}

// place is where a cell stands in a grid.
type place struct {
	row    int
	method string
}

// cell is what the rows of a run at a key give of a quantity.
type cell struct {
	at     results.Key
	values inference.Sample // by repeat
	lost   bool             // some row should have a value and has none
}

// newGrid is without points and cells.
func newGrid(methods []string, info results.MetricInfo) *grid {
	return &grid{methods: methods, info: info, cells: map[place]cell{}, varies: map[string]bool{}, own: map[string][]string{}, owned: map[string][]string{}, bests: map[int]string{}}
}

func (g *grid) set(at place, c cell) {
	g.cells[at] = c
	values := inOrder(c.values)
	g.varies[at.method] = g.varies[at.method] || slices.ContainsFunc(values, func(v float64) bool { return v != values[0] })
}

// inOrder are values by repeat.
func inOrder(s inference.Sample) []float64 {
	return lists.Map(slices.Sorted(maps.Keys(s)), func(repeat int) float64 { return s[repeat] })
}

// ofMetric reads a metric of a row, ofQuantity a quantity.
func ofMetric(name string) func(*results.Row) (float64, bool) {
	return func(r *results.Row) (float64, bool) {
		v, ok := r.Metrics.Get(name)
		return v, ok && r.Status == results.OK
	}
}

func ofQuantity(q *results.Quantity) func(*results.Row) (float64, bool) {
	return func(r *results.Row) (float64, bool) {
		v, err := q.Value(r)
		return v, err == nil
	}
}

// cellOf reads a quantity of rows.
func cellOf(rows results.Group, of func(*results.Row) (float64, bool)) cell {
	c := cell{at: rows.At, values: inference.Sample{}}
	for _, r := range rows.Rows {
		if v, ok := of(r); ok {
			c.values[r.Repeat] = v
		} else {
			c.lost = c.lost || r.Status != results.Skipped
		}
	}
	return c
}

// summary of values of a metric, the interval within the range of the metric.
func summary(values inference.Sample, of results.MetricInfo) results.Summary {
	s := results.Summarize(inOrder(values))
	s.Low, s.High = of.Clip(s.Low, s.High)
	return s
}

// meanCell is the mean of values with its interval, e.g. "0.12 ± 0.01", and the number of these
// where it is less than most.
func meanCell(values inference.Sample, of results.MetricInfo, most int) Cell {
	if len(values) == 0 {
		return Cell{Text: format.None}
	}
	s := summary(values, of)
	cell := Cell{Text: format.Mean(s.Mean, s.Low, s.High)}
	if s.Count < most {
		cell.After = fmt.Sprintf(" (%d)", s.Count)
	}
	return cell
}

// grids arrange the values of a metric, data sets and methods in the order of the spec.
func (r *Report) grids(metric string) []*grid {
	if known, is := r.known[metric]; is {
		return known
	}
	var grids []*grid
	for _, of := range results.GroupBy(r.Run.Present(), func(row *results.Row) results.Key { return row.At.Only("dataset", "kernel") }) {
		var cells []results.Group
		for _, cell := range results.Cells(of.Rows) {
			if slices.ContainsFunc(cell.Rows, func(row *results.Row) bool { _, has := ofMetric(metric)(row); return has }) {
				cells = append(cells, cell)
			}
		}
		if len(cells) > 0 {
			grids = append(grids, r.gridOf(metric, of.At, cells))
		}
	}
	r.known[metric] = grids
	return grids
}

// gridOf arranges cells of a data set and kernel. A cell stands in each row that has its
// columns: that of a method without m beside every m.
func (r *Report) gridOf(metric string, of results.Key, cells []results.Group) *grid {
	g := newGrid(nil, r.Run.Catalog.Metrics[metric])
	g.metric, g.dataset, g.kernel, g.sorted = metric, of.Text("dataset"), of.Text("kernel"), r.Run.Order()
	g.verdicts = lists.Where(r.Judged, func(v claims.Verdict) bool {
		return v.Of == metric && !v.Control && (v.Kind == "ratio" || v.Kind == "order")
	})
	if !results.IsCost(metric) && g.info.Better != "" {
		g.exact = r.exact
	}
	at := r.placesOf(cells)
	g.points = r.pointsOf(of, at)
	rows := map[string]map[results.Key][]int{} // of the points, by columns and their values
	for k, cell := range cells {
		method := cell.At.Text("method")
		if !slices.Contains(g.methods, method) {
			g.methods = append(g.methods, method)
		}
		inRows := slices.ContainsFunc(r.Run.OwnSizes(method), func(name string) bool { return slices.Contains(at[k].Names(), name) })
		if _, known := g.own[method]; !known && !inRows {
			g.own[method], g.owned[method] = r.ownSizes(method, cells)
		}
		id := strings.Join(at[k].Names(), " ")
		if rows[id] == nil {
			rows[id] = map[results.Key][]int{}
			for i, point := range g.points {
				part := point.Only(at[k].Names()...)
				rows[id][part] = append(rows[id][part], i)
			}
		}
		g.repeats = max(g.repeats, len(cell.Rows))
		stands := lists.Where(rows[id][at[k]], func(i int) bool { return inRows || r.Run.Sized(cell.At, g.points[i]) })
		if len(stands) == 0 { // no other method is there
			stands, g.points = []int{len(g.points)}, append(g.points, cell.At.Without("dataset", "kernel", "method"))
		}
		for _, i := range stands {
			g.set(place{i, method}, cellOf(cell, ofMetric(metric)))
		}
	}
	return g
}

// placesOf are the keys of cells by which they find their rows: without the sizes that a method
// has by itself, unless these tell its cells apart and no other method has one of them.
func (r *Report) placesOf(cells []results.Group) []results.Key {
	columns := map[string]bool{}                // of methods that take them from the grid
	without := map[string]map[results.Key]int{} // cells of a method at a place
	places := lists.Map(cells, func(cell results.Group) results.Key {
		return cell.At.Without("dataset", "kernel", "method").Without(r.Run.OwnSizes(cell.At.Text("method"))...)
	})
	for i, cell := range cells {
		method, at := cell.At.Text("method"), places[i]
		for _, name := range at.Names() {
			columns[name] = true
		}
		if without[method] == nil {
			without[method] = map[results.Key]int{}
		}
		without[method][at]++
	}
	for i, cell := range cells {
		method := cell.At.Text("method")
		alone := !slices.ContainsFunc(r.Run.OwnSizes(method), func(name string) bool { return columns[name] })
		if without[method][places[i]] > 1 && alone {
			places[i] = cell.At.Without("dataset", "kernel", "method")
		}
	}
	return places
}

// pointsOf are the rows of a grid: the keys of its cells, joined where those of methods with
// different columns meet.
func (r *Report) pointsOf(of results.Key, at []results.Key) []results.Key {
	var points []results.Key
	for _, same := range lists.By(lists.Once(at), func(k results.Key) string { return strings.Join(k.Names(), " ") }) {
		if points == nil {
			points = same
			continue
		}
		var joined []results.Key
		meeters, paired := results.Meeters(same), map[results.Key]bool{}
		for _, a := range points {
			for _, i := range meeters(a) {
				b := same[i]
				both := a.Join(b)
				if len(both.Names()) > max(len(a.Names()), len(b.Names())) && r.Run.Skips(of.Join(both)) {
					continue
				}
				joined, paired[a], paired[b] = append(joined, both), true, true
			}
		}
		points = append(joined, lists.Where(slices.Concat(points, same), func(k results.Key) bool { return !paired[k] })...)
	}
	return lists.Once(lists.Map(points, func(k results.Key) results.Key { return k.Only(r.Names.Variables...) }))
}

// ownSizes are the sizes of the grid that a method has by itself: those that are the same in all
// cells with their value, and the names of the others.
func (r *Report) ownSizes(method string, cells []results.Group) (same, vary []string) {
	for _, name := range sizes.Names {
		if _, inGrid := r.Run.Spec.Grid.Variable(name); !inGrid || !slices.Contains(r.Run.OwnSizes(method), name) {
			continue
		}
		mine := lists.Where(cells, func(cell results.Group) bool { return cell.At.Text("method") == method })
		texts := lists.Once(lists.Map(mine, func(cell results.Group) string { return cell.At.Text(name) }))
		if len(texts) == 1 {
			same = append(same, name+" = "+texts[0])
		} else {
			vary = append(vary, name)
		}
	}
	return same, vary
}

// everyMethod heads the column of a merged grid.
const everyMethod = "every method"

// merged is g with one column for all methods where they agree in every value,
// as they do on a floor.
func (g *grid) merged() *grid {
	one := *g
	one.methods, one.cells, one.bests = []string{everyMethod}, map[place]cell{}, map[int]string{}
	agree := false // two methods in a row
	for i := range g.points {
		all, there := inference.Sample{}, 0
		for _, method := range g.methods {
			own := g.cells[place{i, method}].values
			if len(own) > 0 {
				there++
			}
			for repeat, v := range own {
				if known, ok := all[repeat]; ok && known != v {
					return g
				}
				all[repeat] = v
			}
		}
		agree = agree || there > 1
		one.cells[place{i, everyMethod}] = cell{values: all}
	}
	if !agree {
		return g
	}
	return &one
}

// order sorts the rows by the variables' values.
func (g *grid) order(columns []string) []int {
	order := make([]int, len(g.points))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		for _, name := range columns {
			if c := g.sorted(name, g.points[a].Get(name), g.points[b].Get(name)); c != 0 {
				return c
			}
		}
		return 0
	})
	return order
}

// values are the different values of a variable over the rows, as text.
func (g *grid) values(name string) []string {
	return lists.Once(lists.Map(g.points, func(point results.Key) string { return pointValue(point, name) }))
}

func pointValue(point results.Key, name string) string {
	if v, ok := point.Number(name); ok {
		return format.Number(v)
	}
	return point.Text(name)
}
