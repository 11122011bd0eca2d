package views

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
)

// Budget is what methods reach within amounts of a cost: a row an amount and method. In an amount a
// method has its costliest cell that fits, e.g. m=50 of m=25, 50, 100. Its error plays no part in
// the choice, so that a method gains nothing from having many cells.
type Budget struct {
	configs.Budget
	Table
	Unit    string
	Problem string // why there is no table
	Path    string // of the numbers
	Numbers [][]string
	Amounts int // of all groups
	Told    int // of these, how many have a method that is better than every other
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
	b.Numbers = [][]string{{"budget", "group", "cap", "method", "cell", "error", "low", "high", "cost", "repeats", "best", "tied"}}
	b.Columns = columns("Data", ">Budget", "Method", "Cell", ">Cost", ">Error")
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
	for _, group := range groups {
		cells := pricedCells(group.Rows, of, cost)
		for _, amount := range amounts(b.At, cells) {
			r.addAmount(&b, group, amount, costliest(cells, amount), r.Run.Unit(cost))
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
		c, costs := cellOf(group, ofQuantity(of)), cellOf(group, ofQuantity(cost)).inOrder()
		if len(costs) > 0 && len(c.values) > 0 {
			cells = append(cells, priced{c, stat.Mean(costs, nil)})
		}
	}
	return cells
}

// costliest is of each method the costliest cell that fits an amount, of equal costs the last one;
// a cell without values, at the least cost, where none fits.
func costliest(cells []priced, amount float64) []priced {
	return lists.Map(lists.By(cells, func(c priced) string { return c.at.Text("method") }), func(own []priced) priced {
		most := priced{cell: cell{at: own[0].at.Only("method")}}
		for _, c := range own {
			if c.cost <= amount*(1+costSlack) && c.cost >= most.cost*(1-costSlack) {
				most = c
			}
		}
		if len(most.values) == 0 {
			most.cost = slices.MinFunc(own, func(a, b priced) int { return cmp.Compare(a.cost, b.cost) }).cost
		}
		return most
	})
}

// addAmount adds a row for each method that has a cell. Cells of one amount compete whatever their
// sizes are.
func (r *Report) addAmount(b *Budget, group results.Group, amount float64, chosen []priced, unit string) {
	info := r.Run.Catalog.Metrics[b.Of.Text]
	info.Better, info.Part = "less", false
	t := newContest(lists.Map(chosen, func(c priced) cell { return cell{c.at.Only("method"), c.values, c.lost} }), info)

	b.Amounts++
	tied := t.tied()
	written := func(cost float64) string { return plain.Six(format.RoundedTo(cost, 3)) + " " + unit }
	vary := r.Run.Varying(group.Rows)
	for _, c := range chosen {
		if len(c.values) == 0 {
			b.Rows = append(b.Rows, Row(r.Names.Where(group.At), written(amount), r.Names.Value(c.at, "method"), "", "from "+written(c.cost), ""))
			continue
		}
		where, s := c.at.Only(vary...), c.summary(info)
		mean, _ := t.mean(c.at.Only("method"), info, r.Run.Repeats())
		if mean.Mark == Best {
			b.Told++
		}
		if tied[c.at.Only("method")] {
			mean.Text += " ≈"
		}
		b.Rows = append(b.Rows, append(Row(r.Names.Where(group.At), written(amount), r.Names.Value(c.at, "method"), r.Names.Where(where), written(c.cost)), mean))
		b.Numbers = append(b.Numbers, []string{b.ID, group.At.String(), format.Value(amount), c.at.Text("method"), where.String(), format.Value(s.Mean), format.Value(s.Low), format.Value(s.High),
			format.Value(c.cost), strconv.Itoa(s.Count), mark("best", mean.Mark == Best), mark("tied", tied[c.at.Only("method")])})
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
