package claims

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"mercer/configs"
	"mercer/internal/selection"
	"mercer/results"
)

// Budget is what the methods reach at equal cost: the answer to one of a spec's
// budgets.
type Budget struct {
	ID, Title        string
	Of, Cost         string // quantities
	OfUnit, CostUnit string
	Level            float64 // of the intervals; differences are told at 1 − Level over all Tests
	Tests            int     // comparisons that the adjustment of p-values runs over
	Repeats          int     // of the run
	Methods          []string
	Groups           []BudgetGroup
	Problem          string // why nothing is tested at all; "" otherwise
}

// BudgetGroup is one data set and kernel, and one value of the columns by.
type BudgetGroup struct {
	At     []Coordinate
	Caps   []BudgetCap
	Reason string // why nothing can be compared here; "" otherwise
}

// BudgetCap is one amount of the cost.
type BudgetCap struct {
	Cap     float64
	Methods []BudgetMethod // those of Budget.Methods, in that order
	Pairs   []BudgetPair   // of methods that have a cell
	// Best is the index of the method of least error, the mean of its logarithm
	// over the repeats that all have; -1 where fewer than two methods are compared.
	Best int
	// Clear says that the best differs from every other, and that every other with a
	// cell within the cap is compared.
	Clear bool
}

// BudgetMethod is a method's costliest cell within a cap.
type BudgetMethod struct {
	Method string
	Cell   []Coordinate
	Error  float64 // geometric mean over repeats; NaN without a cell
	Cost   float64 // mean over repeats
	// Least is the cost of the cheapest cell, which a method without a cell within
	// the cap cannot go below; NaN where it has none at all.
	Least      float64
	Repeats    int
	Lost       int    // repeats of the cell that failed
	Reason     string // why it is not compared
	Skipped    bool   // it does not apply here
	OverBudget bool   // it has no cell within the cap
	// Unranked says that it has a cell within the cap, but errors of 0 or below, which
	// have no logarithm: it is not compared, and no other is called best beside it.
	Unranked bool
	// Exhausted says that the method has no costlier cell.
	Exhausted bool
	// Significant says that the method's error differs from that of the best.
	Significant bool

	logs map[int]float64 // log error by repeat
	id   string          // of the cell
}

// Compared says whether the method has an error to be compared.
func (m BudgetMethod) Compared() bool { return m.Reason == "" }

// BudgetPair is the ratio of two methods' errors, paired over repeats.
type BudgetPair struct {
	Method, To string
	Ratio      float64 // geometric mean of error(Method)/error(To)
	Low, High  float64 // its interval, at the budget's level, by itself
	P          float64 // of equal errors, adjusted by Holm over the budget's tests; 1 where Reason says why it is not tested
	Repeats    int
	Reason     string
}

// Significant says whether the pair's errors differ, at the level 1 − level over all
// tests of the budget.
func (p BudgetPair) told(level float64) bool { return p.P < 1-level }

// Against is the pair of one method against another, turned round if need be;
// false where they are not compared.
func (c BudgetCap) Against(method, to string) (BudgetPair, bool) {
	for _, p := range c.Pairs {
		switch {
		case p.Method == method && p.To == to:
			return p, true
		case p.Method == to && p.To == method:
			p.Method, p.To = method, to
			p.Ratio, p.Low, p.High = 1/p.Ratio, 1/p.High, 1/p.Low
			return p, true
		}
	}
	return BudgetPair{}, false
}

// Budgets compares methods at equal cost, budget by budget.
//
// Within each cap, a method takes the cell of greatest mean cost that is at most
// the cap: cost alone chooses, so that no choice by the error favours a method
// with more cells. Of cells of equal cost it takes the last in canonical order,
// that of the largest sizes. Then, in each group and cap, each two methods are
// compared by the mean of the log ratio of their errors over repeats, which is
// paired since all methods of a repeat see the same sample: a two-sided t test,
// with p adjusted by Holm over all comparisons of the budget, each counted once
// where several caps choose the same two cells. Repeats lost to failures are
// imputed as in verdicts.
//
// Errors are about budgets that cannot be read at all (unknown columns, an
// expression that does not parse) and come with the results of all others.
func Budgets(list []configs.Budget, run results.Run) ([]Budget, error) {
	j := newJudge(run, Context{})
	var all []Budget
	var problems error
	for _, spec := range list {
		b, err := j.budget(spec)
		if err != nil {
			problems = errors.Join(problems, fmt.Errorf("budget %q: %w", spec.ID, err))
			continue
		}
		all = append(all, b)
	}
	return all, problems
}

func (j *judge) budget(spec configs.Budget) (Budget, error) {
	b := Budget{ID: spec.ID, Title: spec.Title, Of: spec.Of, Cost: spec.Cost, Level: configs.DefaultLevel, Repeats: j.Run.Manifest.Repeats}
	of, err := j.Quantity(spec.Of)
	if err != nil {
		return b, err
	}
	cost, err := j.Quantity(spec.Cost)
	if err != nil {
		return b, err
	}
	methods := spec.Where["method"]
	if methods == nil {
		methods = j.methodsWith(of, spec.Where)
	}
	b.Methods = methods
	groups, err := j.Groups(spec.Selection, methods)
	if err != nil {
		return b, err
	}
	tests := newBudgetTests(b.Level)
	for _, g := range groups {
		b.Groups = append(b.Groups, j.budgetGroup(g, spec, methods, of, cost, tests))
	}
	b.OfUnit, b.CostUnit = j.unit(of), j.unit(cost)
	switch missing := j.Run.Missing(); {
	case missing > 0:
		b.Problem = fmt.Sprintf("the run is incomplete: %d of %d records are missing", missing, missing+len(j.Run.Records))
	case len(methods) < 2:
		b.Problem = fmt.Sprintf("%d methods have %s, and a comparison needs two", len(methods), spec.Of)
	case len(groups) == 0:
		b.Problem = "no record is in the selection"
	}
	if b.Problem == "" {
		b.Tests = tests.adjust()
	} else {
		tests.withdraw(b.Problem)
	}
	for _, g := range b.Groups {
		for i := range g.Caps {
			g.Caps[i].decide(b.Level)
		}
	}
	b.Groups = append(b.Groups, j.absentGroups(spec.Where)...)
	return b, nil
}

// methodsWith lists the methods, by name, of which a picked record gives the
// quantity.
func (j *judge) methodsWith(q *selection.Quantity, where configs.Conditions) []string {
	have := map[string]bool{}
	for _, r := range j.All {
		if !have[r.Method] && selection.Matches(r, where) {
			if _, err := q.Value(r); err == nil {
				have[r.Method] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(have))
}

// unit is that of a plain metric; "" for an expression.
func (j *judge) unit(q *selection.Quantity) string {
	for _, r := range j.All {
		if unit := q.Unit(r); unit != "" {
			return unit
		}
	}
	return ""
}

// absentGroups are those of data sets that could not be had.
func (j *judge) absentGroups(where configs.Conditions) []BudgetGroup {
	var groups []BudgetGroup
	for _, id := range slices.Sorted(maps.Keys(j.Run.Manifest.Datasets)) {
		if why := j.Run.Manifest.Datasets[id].Absent; why != "" && (where["dataset"] == nil || slices.Contains(where["dataset"], id)) {
			groups = append(groups, BudgetGroup{At: []Coordinate{{Name: "dataset", Value: id}}, Reason: "its data could not be had"})
		}
	}
	return groups
}

// budgetCell is one cell of a method, with what its repeats gave.
type budgetCell struct {
	id     string
	record *results.Record // of its first repeat
	cost   float64         // mean
	logs   map[int]float64
	lost   int
	bad    string // why its errors have no logarithms
}

// budgetGroup finds the cells of a group and compares them within each cap.
func (j *judge) budgetGroup(g selection.Group, spec configs.Budget, methods []string, of, cost *selection.Quantity, tests *budgetTests) BudgetGroup {
	out := BudgetGroup{At: g.At}
	cells, reasons, within := map[string][]budgetCell{}, map[string]string{}, map[string]selection.Coordinates{}
	for _, method := range methods {
		own := selection.Distinct(selection.Pick(g.Records, func(r *results.Record) bool { return r.Method == method }))
		within[method] = j.CoordinatesWithin(own)
		cells[method], reasons[method] = j.budgetCells(own, of, cost)
	}
	caps := slices.Sorted(slices.Values(spec.At))
	if len(caps) == 0 {
		caps = chosenCaps(methods, cells)
	}
	if len(caps) == 0 {
		out.Reason = "fewer than two methods have a cell with a cost"
		return out
	}
	for _, c := range caps {
		at := BudgetCap{Cap: c, Best: -1}
		for _, method := range methods {
			m := withinCap(method, cells[method], c, reasons[method])
			if m.id != "" {
				i := slices.IndexFunc(cells[method], func(cell budgetCell) bool { return cell.id == m.id })
				m.Cell = within[method].At(cells[method][i].record)
			}
			at.Methods = append(at.Methods, m)
		}
		out.Caps = append(out.Caps, at)
	}
	for i := range out.Caps {
		tests.add(selection.Describe(g.At), &out.Caps[i])
	}
	return out
}

// budgetCells are the cells of one method's records, in their order; the reason
// says why there are none.
func (j *judge) budgetCells(records []*results.Record, of, cost *selection.Quantity) (cells []budgetCell, reason string) {
	variables := j.VariablesOf(records)
	index := map[string]int{}
	costs := [][]float64{}
	var last *results.Record // whose cell is at
	at := 0
	errs, spent := of.Read(records), cost.Read(records)
	for i, r := range records {
		if errs[i].Skipped() {
			reason = cmp.Or(reason, inapplicable+cmp.Or(r.Reason, "skipped"))
			continue
		}
		if last == nil || !r.SameCell(last) {
			id, known := selection.CellID(r, variables), false
			if at, known = index[id]; !known {
				at = len(cells)
				index[id] = at
				cells, costs = append(cells, budgetCell{id: id, record: r, logs: map[int]float64{}}), append(costs, nil)
			}
			last = r
		}
		c := &cells[at]
		if spent[i].OK() {
			costs[at] = append(costs[at], spent[i].Value)
		}
		switch {
		case !errs[i].OK():
			c.lost++
			reason = cmp.Or(reason, errs[i].Err.Error())
		case errs[i].Value <= 0:
			c.bad = cmp.Or(c.bad, fmt.Sprintf("%s is %s in repeat %d, which has no logarithm", of.Text, results.FormatFloat(errs[i].Value), r.Repeat))
		default:
			c.logs[r.Repeat] = math.Log(errs[i].Value)
		}
	}
	var usable []budgetCell
	for i, c := range cells {
		switch {
		case len(c.logs) == 0 && c.bad == "": // all failed: reason says how
		case len(costs[i]) == 0:
			reason = cmp.Or(reason, "no record gives "+cost.Text)
		default:
			c.cost = stat.Mean(costs[i], nil)
			usable = append(usable, c)
		}
	}
	if len(usable) == 0 {
		return nil, cmp.Or(reason, "it has no records here")
	}
	return usable, ""
}

// inapplicable begins the reason of a method that was skipped.
const inapplicable = "does not apply: "

// capSlack is the relative difference of costs that is put down to rounding.
const capSlack = 1e-9

// withinCap is a method's costliest cell that costs at most c.
func withinCap(method string, cells []budgetCell, c float64, reason string) BudgetMethod {
	nan := math.NaN()
	m := BudgetMethod{Method: method, Error: nan, Cost: nan, Least: nan, Reason: reason}
	if len(cells) == 0 {
		m.Skipped = strings.HasPrefix(reason, inapplicable)
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
	m.id, m.Cost, m.logs, m.Lost, m.Repeats = cell.id, cell.cost, cell.logs, cell.lost, len(cell.logs)
	m.Exhausted = cell.cost >= costliest*(1-capSlack)
	if cell.bad != "" {
		m.Reason, m.Unranked = cell.bad, true
		return m
	}
	var logs []float64
	for _, repeat := range slices.Sorted(maps.Keys(cell.logs)) {
		logs = append(logs, cell.logs[repeat])
	}
	m.Error = math.Exp(stat.Mean(logs, nil))
	return m
}

// capSteps is how many budgets are chosen where a spec gives none.
const capSteps = 3

// chosenCaps are geometric steps from the second least of the methods' least
// costs, where two methods have a cell, to the second greatest of their greatest
// ones, beyond which one method alone could spend more; a single one where these
// are the wrong way round. They are rounded up to two digits. Costs alone
// determine them.
func chosenCaps(methods []string, cells map[string][]budgetCell) []float64 {
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

// budgetTests are the comparisons of a budget, each pair of cells once.
type budgetTests struct {
	level float64
	index map[string]int
	p     []float64
	at    [][]*BudgetPair // the pairs that each test is shown in
}

func newBudgetTests(level float64) *budgetTests {
	return &budgetTests{level: level, index: map[string]int{}}
}

// add compares each two methods of a cap.
func (t *budgetTests) add(group string, c *BudgetCap) {
	for i, a := range c.Methods {
		for _, b := range c.Methods[i+1:] {
			if a.Compared() && b.Compared() {
				c.Pairs = append(c.Pairs, BudgetPair{Method: a.Method, To: b.Method})
			}
		}
	}
	at := 0
	for i, a := range c.Methods {
		for _, b := range c.Methods[i+1:] {
			if !a.Compared() || !b.Compared() {
				continue
			}
			p := &c.Pairs[at]
			at++
			raw, tested := p.test(a, b, t.level)
			if !tested {
				continue
			}
			key := strings.Join([]string{group, a.Method, a.id, b.Method, b.id}, "\x00")
			k, known := t.index[key]
			if !known {
				k = len(t.p)
				t.index[key] = k
				t.p, t.at = append(t.p, raw), append(t.at, nil)
			}
			t.at[k] = append(t.at[k], p)
		}
	}
}

// test fills in the ratio of a's error to b's; false where nothing is tested.
func (p *BudgetPair) test(a, b BudgetMethod, level float64) (raw float64, tested bool) {
	p.Ratio, p.Low, p.High, p.P = math.NaN(), math.NaN(), math.NaN(), 1
	var values []float64
	for _, repeat := range slices.Sorted(maps.Keys(a.logs)) {
		if other, ok := b.logs[repeat]; ok {
			values = append(values, a.logs[repeat]-other)
		}
	}
	p.Repeats = len(values)
	if len(values) == 0 {
		p.Reason = "no repeat gives both errors"
		return 1, false
	}
	lost := max(a.Repeats+a.Lost, b.Repeats+b.Lost) - len(values)
	e := estimateOf(meanTest{band{relation: "=", slack: roundingSlack}, level}, values, lost)
	p.Ratio, p.Low, p.High = math.Exp(e.mean), math.Exp(e.low), math.Exp(e.high)
	if e.count < minRepeats {
		p.Reason = fmt.Sprintf("%s, and a test needs %d", repeatsText(e.count), minRepeats)
		return 1, false
	}
	return e.p, true
}

// adjust puts the adjusted p into the pairs and returns the number of tests.
func (t *budgetTests) adjust() int {
	for k, p := range Holm(t.p) {
		for _, pair := range t.at[k] {
			pair.P = p
		}
	}
	return len(t.p)
}

// withdraw says of all pairs why they are not tested.
func (t *budgetTests) withdraw(reason string) {
	for _, pairs := range t.at {
		for _, pair := range pairs {
			pair.P, pair.Reason = 1, reason
		}
	}
}

// decide finds the method of least error, and which differ from it significantly.
func (c *BudgetCap) decide(level float64) {
	var in []int
	for i, m := range c.Methods {
		if m.Compared() {
			in = append(in, i)
		}
	}
	if len(in) < 2 {
		return
	}
	least := math.Inf(1)
	for _, i := range in {
		if mean := c.commonMean(in, i); mean < least {
			least, c.Best = mean, i
		}
	}
	if c.Best < 0 {
		return
	}
	c.Clear = !slices.ContainsFunc(c.Methods, func(m BudgetMethod) bool { return m.Unranked })
	for _, i := range in {
		if i == c.Best {
			continue
		}
		p, _ := c.Against(c.Methods[c.Best].Method, c.Methods[i].Method)
		c.Methods[i].Significant = p.told(level) && p.Ratio < 1
		c.Clear = c.Clear && c.Methods[i].Significant
	}
}

// commonMean is the mean log error of method i over the repeats that all of in
// have; NaN where they have none in common.
func (c *BudgetCap) commonMean(in []int, i int) float64 {
	var logs []float64
	for _, repeat := range slices.Sorted(maps.Keys(c.Methods[i].logs)) {
		if !slices.ContainsFunc(in, func(k int) bool { _, ok := c.Methods[k].logs[repeat]; return !ok }) {
			logs = append(logs, c.Methods[i].logs[repeat])
		}
	}
	if len(logs) == 0 {
		return math.NaN()
	}
	return stat.Mean(logs, nil)
}

func repeatsText(n int) string {
	if n == 1 {
		return "1 repeat"
	}
	return fmt.Sprintf("%d repeats", n)
}
