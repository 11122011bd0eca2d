package report

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mercer/results"
)

const (
	maxRows    = 60 // of a table of measurements
	maxNumbers = 3  // of a numbered family such as eigenvalue_1, eigenvalue_2, ...
)

// measurements writes a table a metric, data set and kernel; times come in a
// section of their own.
func (p *page) measurements(run results.Run) {
	records := slices.Clone(run.Records)
	results.SortRecords(records, run.Manifest.Variables)
	var others, times []string
	for _, metric := range metricsOf(records) {
		if results.IsTime(metric) {
			times = append(times, metric)
		} else {
			others = append(others, metric)
		}
	}
	rule := fmt.Sprintf("Mean over repeats ± half-width of its %s t interval, in the unit given; a number in brackets is that of repeats where some are missing. Statistics of every cell are in %s.",
		percent(results.DefaultLevel), code(SummaryTable))
	slices.SortStableFunc(others, func(a, b string) int { return rank(a) - rank(b) })
	shown, left := firstOfFamilies(others)
	if len(shown) > 0 {
		p.heading(2, "Measurements")
		p.para("%s Bold is the smallest error, where the interval of its difference to each other method, paired over repeats, lies below 0; nothing is corrected for the number of comparisons.", rule)
		p.metricTables(run, records, shown)
		if len(left) > 0 {
			p.para("Not shown: %s.", codes(left))
		}
	}
	if len(times) > 0 {
		p.heading(2, "Times")
		p.para("%s Times depend on the machine; compare them within this run only.", rule)
		p.metricTables(run, records, times)
	}
}

// rank puts the errors before the rest.
func rank(metric string) int {
	if lessIsBetter(metric) {
		return 0
	}
	return 1
}

func (p *page) metricTables(run results.Run, records []results.Record, metrics []string) {
	variables := variablesOf(run)
	for _, metric := range metrics {
		for _, g := range gridsOf(records, metric) {
			title := code(metric)
			if g.unit != "" {
				title += " in " + escape(g.unit)
			}
			if g.dataset != "" {
				title += ", dataset " + code(g.dataset)
			}
			if g.kernel != "" {
				title += ", kernel " + code(g.kernel)
			}
			p.heading(3, title)
			p.grid(g.merged(), variables)
		}
	}
}

// grid is one metric on one data set and kernel: rows are grid points, columns
// are methods.
type grid struct {
	metric, unit    string
	dataset, kernel string
	methods         []string
	points          []map[string]float64
	cells           map[string]map[int]float64 // by row and method: the value of each repeat
	own             map[string]bool            // "method variable" where a method has a size of its own
}

func cellOf(row int, method string) string { return fmt.Sprint(row, " ", method) }

// gridsOf arranges the values of a metric, in the order of the records.
func gridsOf(records []results.Record, metric string) []*grid {
	var grids []*grid
	byID := map[[2]string]*grid{}
	rows := map[string]int{}
	for _, r := range records {
		v, ok := r.Metrics[metric]
		if r.Status != results.OK || !ok {
			continue
		}
		id := [2]string{r.Dataset, r.Kernel}
		g := byID[id]
		if g == nil {
			g = &grid{metric: metric, unit: v.Unit, dataset: r.Dataset, kernel: r.Kernel,
				cells: map[string]map[int]float64{}, own: map[string]bool{}}
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
		c := cellOf(row, r.Method)
		if g.cells[c] == nil {
			g.cells[c] = map[int]float64{}
		}
		g.cells[c][r.Repeat] = v.Value
		g.noteOwn(r)
	}
	return grids
}

// noteOwn remembers the sizes that a method set in place of the grid's.
func (g *grid) noteOwn(r results.Record) {
	for i, size := range []int{r.N, r.M, r.D, r.Ell} {
		name := results.Sizes[i]
		if at, ok := r.Point[name]; ok && size != 0 && at != float64(size) {
			g.own[r.Method+" "+name] = true
		}
	}
}

// grid writes the table of g. Variables that are the same in all rows stand
// above it.
func (p *page) grid(g *grid, variables []string) {
	var columns, constant []string
	for _, name := range variables {
		values := g.values(name)
		switch {
		case len(values) > 1:
			columns = append(columns, name)
		case len(values) == 1 && values[0] != "":
			constant = append(constant, escape(name+" = "+values[0]))
		}
	}
	if len(constant) > 0 {
		p.para("At %s.", strings.Join(constant, ", "))
	}
	var header []string
	for _, name := range slices.Concat(columns, g.methods) {
		if name != everyMethod {
			name = code(name)
		}
		header = append(header, name)
	}
	order := g.order(columns)
	var rows [][]string
	for _, i := range order[:min(len(order), maxRows)] {
		var row []string
		for _, name := range columns {
			row = append(row, cmp.Or(pointValue(g.points[i], name), none))
		}
		rows = append(rows, append(row, g.row(i)...))
	}
	p.table(strings.Repeat("r", len(header)), header, rows)
	if more := len(g.points) - maxRows; more > 0 {
		p.para("… and %s more in %s.", count(more, "row"), code(SummaryTable))
	}
	for _, own := range slices.Sorted(maps.Keys(g.own)) {
		method, name, _ := strings.Cut(own, " ")
		p.para("%s sets %s by itself, in place of the grid's.", code(method), code(name))
	}
}

// everyMethod heads the column of a merged grid.
const everyMethod = "every method"

// merged is g with one column for all methods where they agree in every value,
// as they do on a floor.
func (g *grid) merged() *grid {
	one := &grid{metric: g.metric, methods: []string{everyMethod}, points: g.points, cells: map[string]map[int]float64{}}
	for i := range g.points {
		all := map[int]float64{}
		for _, method := range g.methods {
			for repeat, v := range g.cells[cellOf(i, method)] {
				if known, ok := all[repeat]; ok && known != v {
					return g
				}
				all[repeat] = v
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
		return number(v)
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
			out[j] = none
			continue
		}
		s := summarize(repeats)
		out[j] = plusMinus(s.Mean, s.High-s.Mean)
		if method == best {
			out[j] = "**" + out[j] + "**"
		}
		if len(repeats) < most {
			out[j] += fmt.Sprintf(" (%d)", len(repeats))
		}
	}
	return out
}

func summarize(repeats map[int]float64) results.Summary {
	return results.Summarize(slices.Collect(maps.Values(repeats)), results.DefaultLevel)
}

// best is the method whose mean at row i is below that of every other method
// beyond doubt; "" when there is none, or when less is not better.
func (g *grid) best(i int) string {
	if !lessIsBetter(g.metric) {
		return ""
	}
	var candidate string
	var lowest float64
	for _, method := range g.methods {
		if repeats := g.cells[cellOf(i, method)]; len(repeats) > 0 {
			if mean := summarize(repeats).Mean; candidate == "" || mean < lowest {
				candidate, lowest = method, mean
			}
		}
	}
	rivals := 0
	for _, method := range g.methods {
		repeats := g.cells[cellOf(i, method)]
		if method == candidate || len(repeats) == 0 {
			continue
		}
		if rivals++; !below(g.cells[cellOf(i, candidate)], repeats) {
			return ""
		}
	}
	if rivals == 0 {
		return ""
	}
	return candidate
}

// below says whether the interval of the mean difference a-b, paired over the
// repeats that both have, lies below 0 by more than rounding; with fewer than
// three pairs, whether the intervals of a and b do not overlap.
func below(a, b map[int]float64) bool {
	const rounding = 1e-9
	differences := map[int]float64{}
	for repeat, v := range a {
		if w, ok := b[repeat]; ok {
			differences[repeat] = v - w
		}
	}
	x, y := summarize(a), summarize(b)
	margin := rounding * max(x.Max, -x.Min, y.Max, -y.Min)
	if len(differences) >= 3 {
		return summarize(differences).High < -margin
	}
	return x.High < y.Low-margin // false when either is NaN
}

// errorFamilies begin the names of the metrics where less is better. Of all
// others (eigenvalues, ranks, floors, scores) no value is marked.
var errorFamilies = []string{"recon_", "eigenspace_", "eigenfunction_", "error_", "excess_", "loss_", "cost_"}

func lessIsBetter(metric string) bool {
	return !strings.HasSuffix(metric, "_floor") &&
		slices.ContainsFunc(errorFamilies, func(family string) bool { return strings.HasPrefix(metric, family) })
}

// metricsOf lists the metrics of the records that are ok, by name; the members
// of a numbered family by number.
func metricsOf(records []results.Record) []string {
	names := map[string]bool{}
	for _, r := range records {
		if r.Status == results.OK {
			for name := range r.Metrics {
				names[name] = true
			}
		}
	}
	return slices.SortedFunc(maps.Keys(names), func(a, b string) int {
		familyA, numberA := familyOf(a)
		familyB, numberB := familyOf(b)
		return cmp.Or(cmp.Compare(familyA, familyB), cmp.Compare(numberA, numberB), cmp.Compare(a, b))
	})
}

var numbered = regexp.MustCompile(`^(.+)_([0-9]{1,9})$`)

// familyOf splits "eigenvalue_12"; a name without a number is its own family.
func familyOf(metric string) (family string, number int) {
	match := numbered.FindStringSubmatch(metric)
	if match == nil {
		return metric, 0
	}
	number, err := strconv.Atoi(match[2])
	if err != nil {
		panic(err) // nine digits fit
	}
	return match[1], number
}

// firstOfFamilies keeps all metrics but of numbered families the first few.
func firstOfFamilies(metrics []string) (shown, left []string) {
	seen := map[string]int{}
	for _, metric := range metrics {
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

// variablesOf are the grid variables: those of the manifest in its order, then
// any others that the records have, by name.
func variablesOf(run results.Run) []string {
	names := slices.Clone(run.Manifest.Variables)
	others := map[string]bool{}
	for _, r := range run.Records {
		for name := range r.Point {
			if !slices.Contains(names, name) {
				others[name] = true
			}
		}
	}
	return append(names, slices.Sorted(maps.Keys(others))...)
}
