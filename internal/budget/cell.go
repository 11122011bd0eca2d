package budget

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"mercer/internal/inference"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/results"
)

// reader reads a run for the comparisons.
type reader struct{ run results.Run }

// cell is one cell of a method, with what its repeats gave.
type cell struct {
	at     results.Key // its columns
	cost   float64     // mean
	errors inference.Sample
	lost   int
	bad    string // why its errors have no logarithms
}

// cells are the cells of one method's rows, in their order; the reason
// says why there are none.
func (in reader) cells(rows []*results.Row, of, cost *results.Quantity) (cells []cell, reason string) {
	for _, g := range results.Cells(rows) {
		c := cell{at: g.At, errors: inference.Sample{}}
		var costs []float64
		for _, m := range of.Read(g.Rows) {
			if m.Skipped() {
				reason = cmp.Or(reason, "does not apply: "+cmp.Or(m.Row.Reason, "skipped"))
				continue
			}
			if spent, err := cost.Value(m.Row); err == nil {
				costs = append(costs, spent)
			}
			switch {
			case !m.OK():
				c.lost++
				reason = cmp.Or(reason, m.Err.Error())
			case m.Value <= 0:
				c.bad = cmp.Or(c.bad, fmt.Sprintf("%s is %s in repeat %d, which has no logarithm", of.Text, plain.Number(m.Value), m.Row.Repeat))
			default:
				c.errors[m.Row.Repeat] = m.Value
			}
		}
		switch {
		case len(c.errors) == 0 && c.bad == "": // all failed or were skipped: reason says how
		case len(costs) == 0:
			reason = cmp.Or(reason, "no row gives "+cost.Text)
		default:
			c.cost = stat.Mean(costs, nil)
			cells = append(cells, c)
		}
	}
	if len(cells) == 0 {
		return nil, cmp.Or(reason, "it has no rows here")
	}
	return cells, ""
}

// capSlack is the relative difference of costs that is put down to rounding.
const capSlack = 1e-9

// withinCap is a method's costliest cell that costs at most c.
func withinCap(method string, cells []cell, c float64, reason string) Method {
	nan := math.NaN()
	m := Method{Method: method, Error: nan, Cost: nan, Least: nan, Reason: reason}
	if len(cells) == 0 {
		return m
	}
	best := -1
	costliest := math.Inf(-1)
	m.Least = math.Inf(1)
	for i, cell := range cells {
		m.Least, costliest = math.Min(m.Least, cell.cost), math.Max(costliest, cell.cost)
		fits := cell.cost <= c*(1+capSlack)
		if fits && (best < 0 || cell.cost >= cells[best].cost*(1-capSlack)) {
			best = i
		}
	}
	if best < 0 {
		m.Reason, m.OverBudget = "no cell is within the budget", true
		return m
	}
	cell := cells[best]
	m.Cell, m.Cost, m.errors, m.Lost, m.Repeats = cell.at, cell.cost, cell.errors, cell.lost, len(cell.errors)
	m.Exhausted = cell.cost >= costliest*(1-capSlack)
	if cell.bad != "" {
		m.Reason, m.Unranked = cell.bad, true
		return m
	}
	m.Error = math.Exp(meanLog(cell.errors, func(int) bool { return true }))
	return m
}

// meanLog is the mean of the logarithms over the repeats that are picked; NaN without any.
func meanLog(errors inference.Sample, picked func(repeat int) bool) float64 {
	repeats := lists.Where(slices.Sorted(maps.Keys(errors)), picked)
	return stat.Mean(lists.Map(repeats, func(repeat int) float64 { return math.Log(errors[repeat]) }), nil)
}

// capSteps is how many budgets are chosen where a spec gives none.
const capSteps = 3

// chosenCaps are geometric steps from the second least of the methods' least
// costs, where two methods have a cell, to the second greatest of their greatest
// ones, beyond which one method alone could spend more; a single one where these
// are the wrong way round. They are rounded up to two digits. Costs alone
// determine them.
func chosenCaps(methods []string, cells map[string][]cell) []float64 {
	var least, greatest []float64
	for _, method := range methods {
		costs := []float64{}
		for _, c := range cells[method] {
			if c.cost > 0 {
				costs = append(costs, c.cost)
			}
		}
		if len(costs) > 0 {
			least, greatest = append(least, slices.Min(costs)), append(greatest, slices.Max(costs))
		}
	}
	if len(least) < 2 {
		return nil
	}
	slices.Sort(least)
	slices.Sort(greatest)
	low, high := least[1], greatest[len(greatest)-2]
	var caps []float64
	for i := range capSteps {
		c := roundedUp(low * math.Pow(high/low, float64(i)/(capSteps-1)))
		if len(caps) == 0 || c > caps[len(caps)-1] {
			caps = append(caps, c)
		}
	}
	return caps
}

// roundedUp is the least number of two digits that is at least v.
func roundedUp(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v))-1)
	digits := math.Ceil(v/unit - capSlack)
	if unit < 1 {
		return digits / math.Round(1/unit)
	}
	return digits * unit
}
