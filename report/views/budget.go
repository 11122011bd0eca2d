package views

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/report/format"
	"mercer/results"
)

// Budget is what methods reach within amounts of a cost: a row an amount, a column a method.
// In an amount a method has its costliest cell that fits, e.g. m=50 of m=25, 50, 100. Its error
// plays no part in the choice, so that a method gains nothing from having many cells.
type Budget struct {
	configs.Budget
	Table
	Unit    string
	Problem string   // why there is no table
	Path    string   // of the numbers
	Unfit   []string // methods without a cell that fits any amount
	Numbers [][]string
}

// priced is a cell with its mean cost.
type priced struct {
	cell
	cost float64
}

// costSlack is the relative difference of costs that is put down to rounding.
const costSlack = 1e-9

// Budgets are those of the spec, each with its table.
func (r *Report) Budgets() []Budget {
	if r.budgets == nil {
		r.budgets = lists.Map(r.Run.Spec.Budgets, r.budget)
	}
	return r.budgets
}

func (r *Report) budget(spec configs.Budget) Budget {
	b := Budget{Budget: spec, Path: format.TablesFolder + "/budget-" + spec.ID + ".csv"}
	b.Numbers = [][]string{{"budget", "group", "cap", "method", "cell", "error", "low", "high", "cost", "repeats", "best"}}
	methods := spec.Where["method"].Value
	if methods == nil {
		methods = configs.IDs(r.Run.Spec.Methods)
	}

	of, err := r.Run.Quantity(spec.Of)
	cost, noCost := r.Run.Quantity(spec.Cost)
	groups, noGroup := r.Run.Groups(spec.Selection, methods)
	if err = cmp.Or(err, noCost, noGroup); err != nil {
		b.Problem = err.Error()
		return b
	}

	b.Unit = r.Run.Unit(of)
	cells := lists.Map(groups, func(group results.Group) []priced { return pricedCells(group.Rows, of, cost) })
	methods = lists.Where(methods, func(method string) bool {
		return slices.ContainsFunc(slices.Concat(cells...), func(c priced) bool { return c.at.Text("method") == method })
	})
	b.Columns = columns("Data", ">Budget")
	for _, method := range methods {
		b.Columns = append(b.Columns, Column{Head: r.Names.Called(method)})
	}
	for i, group := range groups {
		r.addGroup(&b, group, methods, cells[i], r.Run.Unit(cost))
	}
	for _, method := range methods {
		if !slices.ContainsFunc(b.Numbers, func(row []string) bool { return row[3] == method }) {
			b.Unfit = append(b.Unfit, r.Names.Plainly(method))
		}
	}
	if b.Table = b.filled(); len(b.Rows) == 0 {
		b.Problem = "fewer than two methods have cells with a cost"
	}
	return b
}

// pricedCells are the cells of rows that have an error and a cost.
func pricedCells(rows []*results.Row, of, cost *results.Quantity) (cells []priced) {
	for _, group := range results.Cells(rows) {
		c, costs := cellOf(group, ofQuantity(of)), inOrder(cellOf(group, ofQuantity(cost)).values)
		if len(costs) > 0 && len(c.values) > 0 {
			cells = append(cells, priced{c, stat.Mean(costs, nil)})
		}
	}
	return cells
}

// addGroup adds a row for each amount of a group.
func (r *Report) addGroup(b *Budget, group results.Group, methods []string, cells []priced, unit string) {
	info := r.Run.Catalog.Metrics[b.Of.Text]
	info.Better, info.Part = "less", false
	g := newGrid(methods, info)
	g.unequal = true
	costs := map[place]float64{}
	for i, amount := range amounts(b.At, cells) {
		g.points = append(g.points, results.Key{}.With("cap", configs.NumberOf(amount)))
		for _, c := range cells {
			at := place{i, c.at.Text("method")}
			g.repeats = max(g.repeats, len(c.values))
			if c.cost <= amount*(1+costSlack) && c.cost >= costs[at]*(1-costSlack) {
				g.set(at, c.cell)
				costs[at] = c.cost
			}
		}
	}

	varying := r.Run.Varying(group.Rows)
	written := func(cost float64) string { return large(format.RoundedTo(cost, 3)) + " " + unit }
	for i, point := range g.points {
		amount, _ := point.Number("cap")
		row := g.row(i)
		for k, method := range methods {
			at := place{i, method}
			c := g.cells[at]
			if len(c.values) == 0 {
				continue
			}
			where := c.at.Only(varying...)
			row[k].After += " (" + r.Names.Where(where) + ", " + written(costs[at]) + ")"
			s := summary(c.values, g.info)
			b.Numbers = append(b.Numbers, []string{b.ID, group.At.String(), format.Value(amount), method, where.String(), format.Value(s.Mean), format.Value(s.Low), format.Value(s.High),
				format.Value(costs[at]), strconv.Itoa(s.Count), mark("best", row[k].Mark == Best)})
		}
		b.Rows = append(b.Rows, slices.Concat(Row(r.Names.Where(group.At), written(amount)), row))
	}
}

// amounts are those that a spec gives. Without any they are three geometric steps, from where two
// methods have a cell to where two can spend no more.
func amounts(given []float64, cells []priced) []float64 {
	if len(given) > 0 {
		return slices.Sorted(slices.Values(given))
	}
	var least, most []float64
	for _, own := range lists.By(cells, func(c priced) string { return c.at.Text("method") }) {
		costs := lists.Map(own, func(c priced) float64 { return c.cost })
		least, most = append(least, slices.Min(costs)), append(most, slices.Max(costs))
	}
	if len(least) < 2 {
		return nil
	}
	slices.Sort(least)
	slices.Sort(most)
	low := least[1]
	high := max(low, most[len(most)-2])
	return slices.Compact([]float64{low, math.Sqrt(low * high), high})
}
