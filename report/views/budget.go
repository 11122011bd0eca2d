package views

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"mercer/internal/budget"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
)

// BudgetTable is where a budget's numbers go.
func BudgetTable(b budget.Comparison) string { return format.TablesFolder + "/budget-" + b.ID + ".csv" }

// comparedCaps are the caps of a group within which two methods are compared.
func comparedCaps(g budget.Group) []budget.Cap {
	return slices.DeleteFunc(slices.Clone(g.Caps), func(c budget.Cap) bool {
		return c.Best < 0 || !slices.ContainsFunc(c.Pairs, func(p budget.Pair) bool { return p.Reason == "" })
	})
}

// whyNotCompared is the first reason why nothing is tested.
func whyNotCompared(b budget.Comparison) string {
	if b.Problem != "" {
		return b.Problem
	}
	for _, g := range b.Groups {
		for _, c := range g.Caps {
			for _, p := range c.Pairs {
				if p.Reason != "" {
					return "there is " + p.Reason
				}
			}
		}
	}
	return "no budget has two methods that fit"
}

func budgetTitle(b budget.Comparison) string {
	if b.Title == "" {
		return "Equal " + b.Cost
	}
	first, size := utf8.DecodeRuneInString(b.Title)
	return string(unicode.ToUpper(first)) + b.Title[size:]
}

// Budget is a comparison at equal cost: a row for each data set and cap, with the best method and
// its error against that of the next, and what each method reaches.
type Budget struct {
	budget.Comparison
	Table
	Title, Why string // Why nothing is compared
	OfLabel    string
	CostLabel  string
	Path       string // of the numbers
	Notes      []BudgetNote
}

// BudgetNote says why methods are not compared, or how many of their repeats failed.
type BudgetNote struct {
	Where, Why string
	Methods    []string
	Lost       int
}

// Budgeted are the budgets of the spec.
func (r *Report) Budgeted() []Budget { return lists.Map(r.Budgets, r.budget) }

func (r *Report) budget(b budget.Comparison) Budget {
	view := Budget{Comparison: b, Title: budgetTitle(b), OfLabel: r.Names.Axis(b.Of), CostLabel: r.Names.Axis(b.Cost), Path: BudgetTable(b), Notes: r.budgetNotes(b)}
	view.Columns = columns("Data", ">Budget", "Best", "Error against the next [interval]")
	for _, method := range b.Methods {
		view.Columns = append(view.Columns, Column{Head: r.Names.Called(method)})
	}
	any := false
	for _, g := range b.Groups {
		compared := comparedCaps(g)
		any = any || len(compared) > 0
		for i, c := range g.Caps {
			texts := []string{"", amount(c.Cap, b.CostUnit), "", ""}
			if slices.ContainsFunc(compared, func(other budget.Cap) bool { return other.Cap == c.Cap }) {
				texts[2], texts[3] = r.bestWithin(c)
			}
			row := Row(texts...)
			row[0].Text = ""
			if i == 0 {
				row[0].Text = r.groupName(b, g)
			}
			for k := range c.Methods {
				row = append(row, r.budgetCell(b, g, c, k))
			}
			view.Rows = append(view.Rows, row)
		}
	}
	if b.Problem != "" || !any {
		view.Why = whyNotCompared(b)
	}
	return view
}

// bestWithin is the best method within a cap and its error against that of the next; the methods
// that are tied with it, if there are any, and nothing.
func (r *Report) bestWithin(c budget.Cap) (best, against string) {
	if c.Clear {
		best := next(c)
		return r.Names.Plainly(best.Method), fmt.Sprintf("%s × %s", format.Interval(best.Ratio, best.Low, best.High), r.Names.Plainly(best.To))
	}
	var tied []string
	for k, m := range c.Methods {
		if k == c.Best || m.Compared() && !m.Significant {
			tied = append(tied, r.Names.Plainly(m.Method))
		}
	}
	return strings.Join(tied, " = "), ""
}

// next is the best against the one whose error comes next.
func next(c budget.Cap) budget.Pair {
	var nearest budget.Pair
	for i, m := range c.Methods {
		if i == c.Best || !m.Compared() {
			continue
		}
		if p, ok := c.Against(c.Methods[c.Best].Method, m.Method); ok && (nearest.Method == "" || p.Ratio > nearest.Ratio) {
			nearest = p
		}
	}
	return nearest
}

// budgetCell is what a table says of a method within a cap.
func (r *Report) budgetCell(b budget.Comparison, g budget.Group, c budget.Cap, k int) Cell {
	m := c.Methods[k]
	switch {
	case m.OverBudget:
		return Cell{Text: format.None, After: " (from " + amount(m.Least, b.CostUnit) + ")"}
	case !m.Compared():
		return Cell{Text: format.None}
	}
	cost := amount(m.Cost, b.CostUnit)
	if m.Exhausted && m.Cost < c.Cap/2 {
		cost += " †"
	}
	if where := r.Names.Where(cellWithin(r.Run, g, m)); where != "" {
		cost = where + ", " + cost
	}
	cell := Cell{Text: format.Padded(m.Error), After: " (" + cost + ")"}
	switch {
	case c.Best < 0 || b.Tests == 0:
	case k == c.Best && c.Clear:
		cell.Mark = Best
	case k == c.Best:
		cell.Mark = Least
	case !m.Significant:
		cell.Text = "≈ " + cell.Text
	}
	return cell
}

// cellWithin is the cell of a method by what tells it from the method's others in its group.
func cellWithin(run results.Run, g budget.Group, m budget.Method) results.Key {
	others := lists.Where(run.Present(), func(r *results.Row) bool { return r.Method() == m.Method && r.At.Meets(g.At) })
	return m.Cell.Only(format.Varying(others, format.Variables(run))...)
}

// groupName is a budget's group for a reader, but for what all groups share, of which
// the data set stays.
func (r *Report) groupName(b budget.Comparison, g budget.Group) string {
	var groups []results.Key
	for _, other := range b.Groups {
		if len(other.Caps) > 0 { // its data are there
			groups = append(groups, other.At)
		}
	}
	shared := format.Common(groups).Without("dataset")
	return plain.Text(format.PlainWhere(r.Names.labels.Where(format.Without(g.At, shared))))
}

// budgetNotes say what is not compared, and why, but for cells beyond the budgets.
func (r *Report) budgetNotes(b budget.Comparison) (notes []BudgetNote) {
	for _, g := range b.Groups {
		where := r.groupName(b, g)
		if g.Reason != "" {
			notes = append(notes, BudgetNote{Where: where, Why: g.Reason})
		}
		var own []BudgetNote
		for k, method := range b.Methods {
			lost := 0
			for _, c := range g.Caps {
				m := c.Methods[k]
				lost = max(lost, m.Lost)
				if !m.Compared() && !m.OverBudget {
					own = append(own, BudgetNote{where, strings.TrimSuffix(m.Reason, "."), []string{r.Names.Plainly(method)}, 0})
				}
			}
			if lost > 0 {
				own = append(own, BudgetNote{where, "", []string{r.Names.Plainly(method)}, lost})
			}
		}
		for _, same := range lists.By(own, func(n BudgetNote) string { return fmt.Sprint(n.Why, n.Lost) }) {
			note := same[0]
			note.Methods = lists.Once(slices.Concat(lists.Map(same, func(n BudgetNote) []string { return n.Methods })...))
			notes = append(notes, note)
		}
	}
	return notes
}

// amount writes a cost with its unit to three digits at most: "12 ms", "1.3 MB".
func amount(v float64, unit string) string {
	scales := map[string][]struct {
		factor float64
		unit   string
	}{"s": {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}}, "B": {{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}}}[unit]
	switch {
	case !plain.Finite(v):
		return format.None
	case v == 0 || scales == nil:
		return strings.TrimSpace(format.Number(v) + " " + unit)
	}
	best := scales[0]
	for _, s := range scales {
		if format.RoundedTo(math.Abs(v), 3) < best.factor {
			best = s
		}
	}
	return strconv.FormatFloat(format.RoundedTo(v/best.factor, 3), 'f', -1, 64) + " " + best.unit
}
