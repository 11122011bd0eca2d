package sections

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"mercer/internal/claims"
	"mercer/internal/metrics"
	"mercer/internal/sizes"
	"mercer/report/format"
	"mercer/report/page"
	"mercer/results"
)

// grid is one metric on one data set and kernel: rows are grid points, columns
// are methods.
type grid struct {
	metric, unit    string
	dataset, kernel string
	methods         []string
	points          []map[string]float64
	cells           map[string]sample // by row and method
	own             map[string]bool   // "method variable" where a method has a size of its own
	varying         map[string]bool   // what varies has found, by method
}

// sample is a value for each of some repeats, in the order of these.
type sample []repeatValue

type repeatValue struct {
	repeat int
	value  float64
}

// at is the place of a repeat, or where it should be.
func (s sample) at(repeat int) (int, bool) {
	return slices.BinarySearchFunc(s, repeat, func(v repeatValue, repeat int) int { return v.repeat - repeat })
}

// with is s with the value of a repeat, in place of the one that it had.
func (s sample) with(repeat int, value float64) sample {
	if len(s) == 0 || s[len(s)-1].repeat < repeat {
		return append(s, repeatValue{repeat, value})
	}
	i, known := s.at(repeat)
	if !known {
		return slices.Insert(s, i, repeatValue{repeat, value})
	}
	s[i].value = value
	return s
}

func cellOf(row int, method string) string { return fmt.Sprint(row, " ", method) }

// gridsOf arranges the values of a metric, in the order of the records.
func gridsOf(records []results.Record, metric string) []*grid {
	var grids []*grid
	byID := map[[2]string]*grid{}
	rows := map[string]int{}
	var g *grid
	var last *results.Record // whose cell in g is at, with what is there
	var at string
	var cell sample
	store := func() {
		if last != nil {
			g.cells[at] = cell
		}
	}
	for i := range records {
		r := &records[i]
		v, ok := r.Metrics.Get(metric)
		if r.Status != results.OK || !ok {
			continue
		}
		if last != nil && r.SameCell(last) {
			cell = cell.with(r.Repeat, v.Value)
			continue
		}
		store()
		last = r
		id := [2]string{r.Dataset, r.Kernel}
		g = byID[id]
		if g == nil {
			g = &grid{metric: metric, unit: v.Unit, dataset: r.Dataset, kernel: r.Kernel,
				cells: map[string]sample{}, own: map[string]bool{}}
			byID[id], grids = g, append(grids, g)
		}
		point := fmt.Sprintf("%q %v", id, r.Point) // fmt sorts the keys of a map
		row, known := rows[point]
		if !known {
			row = len(g.points)
			rows[point], g.points = row, append(g.points, r.Point)
		}
		if !slices.Contains(g.methods, r.Method) {
			g.methods = append(g.methods, r.Method)
		}
		at = cellOf(row, r.Method)
		room := len(cell) // of the cell before
		if cell = g.cells[at]; cell == nil {
			cell = make(sample, 0, max(room, 1))
		}
		cell = cell.with(r.Repeat, v.Value)
		g.noteOwn(*r)
	}
	store()
	return grids
}

// noteOwn remembers the sizes that a method set in place of the grid's.
func (g *grid) noteOwn(r results.Record) {
	for _, name := range sizes.Names {
		size := r.Sizes.Get(name)
		if at, ok := r.Point[name]; ok && size != 0 && at != float64(size) {
			g.own[r.Method+" "+name] = true
		}
	}
}

// grid writes the table of g. Variables that are the same in all rows stand
// above it.
func (p *document) grid(g *grid, variables []string) {
	var columns, constant []string
	for _, name := range variables {
		values := g.values(name)
		switch {
		case len(values) > 1:
			columns = append(columns, name)
		case len(values) == 1 && values[0] != "":
			constant = append(constant, page.Escape(name+" = "+values[0]))
		}
	}
	if len(constant) > 0 {
		p.Para("At %s.", strings.Join(constant, ", "))
	}
	var header []string
	for _, name := range slices.Concat(columns, g.methods) {
		if name != everyMethod {
			name = page.Code(name)
		}
		header = append(header, name)
	}
	order := g.order(columns)
	var rows [][]string
	for _, i := range order[:min(len(order), page.MaxRowsHTML)] {
		var row []string
		for _, name := range columns {
			row = append(row, cmp.Or(pointValue(g.points[i], name), format.None))
		}
		rows = append(rows, append(row, g.row(i)...))
	}
	p.CutTable(page.Table{Align: strings.Repeat("r", len(header)), Header: header, Rows: rows, All: len(order), Most: maxRows, Noun: "row", Where: format.SummaryTable})
	for _, own := range slices.Sorted(maps.Keys(g.own)) {
		method, name, _ := strings.Cut(own, " ")
		p.Para("%s sets %s by itself, in place of the grid's.", page.Code(method), page.Code(name))
	}
}

// maxRows is how many rows of a table Markdown shows.
const maxRows = 60

// everyMethod heads the column of a merged grid.
const everyMethod = "every method"

// merged is g with one column for all methods where they agree in every value,
// as they do on a floor.
func (g *grid) merged() *grid {
	one := &grid{metric: g.metric, methods: []string{everyMethod}, points: g.points, cells: map[string]sample{}}
	for i := range g.points {
		var all sample
		for _, method := range g.methods {
			for _, v := range g.cells[cellOf(i, method)] {
				if k, known := all.at(v.repeat); known && all[k].value != v.value {
					return g
				}
				all = all.with(v.repeat, v.value)
			}
		}
		one.cells[cellOf(i, one.methods[0])] = all
	}
	if len(g.methods) < 2 {
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
	var values []string
	for _, point := range g.points {
		if v := pointValue(point, name); !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values
}

func pointValue(point map[string]float64, name string) string {
	if v, ok := point[name]; ok {
		return format.Number(v)
	}
	return ""
}

// row writes what each method gave at row i.
func (g *grid) row(i int) []string {
	most := 0
	for _, method := range g.methods {
		most = max(most, len(g.cells[cellOf(i, method)]))
	}
	best := g.best(i)
	out := make([]string, len(g.methods))
	for j, method := range g.methods {
		repeats := g.cells[cellOf(i, method)]
		if len(repeats) == 0 {
			out[j] = format.None
			continue
		}
		s := repeats.summary()
		out[j] = format.PlusMinus(s.Mean, s.High-s.Mean)
		if method == best {
			out[j] = page.Strong(out[j])
		}
		if len(repeats) < most {
			out[j] += fmt.Sprintf(" (%d)", len(repeats))
		}
	}
	return out
}

func (s sample) summary() results.Summary {
	return results.Summarize(s.values(), results.DefaultLevel)
}

func (s sample) values() []float64 {
	values := make([]float64, len(s))
	for i, v := range s {
		values[i] = v.value
	}
	return values
}

// best is the method whose values at row i are better than those of every other
// beyond doubt; "" when there is none, or no value of the metric is better.
//
// Each other method is tested against the one with the best mean, see
// [pairedP]; all p must be below 0.05 after Holm's correction. So the chance that
// a method is marked that is none the better, than all others, is at most 0.05 a
// row.
func (g *grid) best(i int) string {
	better := metrics.BetterOf(g.metric)
	var candidates []string
	for _, method := range g.methods {
		if len(g.cells[cellOf(i, method)]) > 0 && g.varies(method) {
			candidates = append(candidates, method)
		}
	}
	if better == metrics.Neither || len(candidates) < 2 {
		return ""
	}
	sign := 1.0
	if better == metrics.More {
		sign = -1
	}
	leader := slices.MinFunc(candidates, func(a, b string) int {
		return cmp.Compare(sign*g.cells[cellOf(i, a)].mean(), sign*g.cells[cellOf(i, b)].mean())
	})
	var p []float64
	for _, rival := range candidates {
		if rival != leader {
			p = append(p, pairedP(g.cells[cellOf(i, leader)], g.cells[cellOf(i, rival)], sign))
		}
	}
	for _, method := range candidates { // those that did not finish might be the hard ones
		if len(g.cells[cellOf(i, leader)]) < len(g.cells[cellOf(i, method)]) {
			return ""
		}
	}
	if slices.Max(claims.Holm(p)) < 1-results.DefaultLevel {
		return leader
	}
	return ""
}

func (s sample) mean() float64 {
	sum := 0.0
	for _, v := range s {
		sum += v.value
	}
	return sum / float64(len(s))
}

// minPairs is the smallest number of repeats that decides which method is better.
const minPairs = 3

// pairedP is the two-sided p of the hypothesis that a and b have the same mean,
// of the logarithm where all values are positive, by a t test over the repeats
// that both have; 1 where sign times the mean difference a-b is not negative, where it is
// rounding, and where there are fewer than minPairs.
func pairedP(a, b sample, sign float64) float64 {
	const rounding = 1e-9
	var x, y, differences []float64
	for _, v := range a {
		if k, ok := b.at(v.repeat); ok {
			x, y = append(x, v.value), append(y, b[k].value)
		}
	}
	if len(x) < minPairs {
		return 1
	}
	margin := rounding
	if slices.Min(x) > 0 && slices.Min(y) > 0 {
		for i := range x {
			differences = append(differences, math.Log(x[i])-math.Log(y[i]))
		}
	} else {
		for i := range x {
			differences = append(differences, x[i]-y[i])
		}
		margin *= max(slices.Max(x), -slices.Min(x), slices.Max(y), -slices.Min(y))
	}
	mean, sd := stat.MeanStdDev(differences, nil)
	if sign*mean >= -margin {
		return 1
	}
	n := float64(len(differences))
	if sd <= margin {
		return 0
	}
	return 2 * distuv.StudentsT{Sigma: 1, Nu: n - 1}.Survival(math.Abs(mean)/(sd/math.Sqrt(n)))
}

// varies says whether a method's values differ between repeats anywhere. Those
// of a population's own answer do not: it is what estimators are held against,
// and does not compete with them.
func (g *grid) varies(method string) bool {
	known, ok := g.varying[method]
	if !ok {
		if g.varying == nil {
			g.varying = map[string]bool{}
		}
		known = g.anyVaries(method)
		g.varying[method] = known
	}
	return known
}

func (g *grid) anyVaries(method string) bool {
	for i := range g.points {
		first, any := 0.0, false
		for _, v := range g.cells[cellOf(i, method)] {
			if any && v.value != first {
				return true
			}
			first, any = v.value, true
		}
	}
	return false
}
