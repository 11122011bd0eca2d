package sections

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
	"mercer/report/page"
	"mercer/results"
)

// BudgetTable is where a budget's numbers go.
func BudgetTable(b budget.Comparison) string { return format.TablesFolder + "/budget-" + b.ID + ".csv" }

// winnerRule says which method wins at equal cost.
const winnerRule = "A winner is a method whose error is significantly smaller than every other's."

// budgetAnswer answers in plain text which method is best at equal cost and how often, over
// all budgets and then of each, from the tests of the budgets alone. It is empty for no budgets.
func (p *document) budgetAnswer(budgets []budget.Comparison) (said []string) {
	var each, excluded []string
	total := score{wins: map[string]int{}}
	for _, b := range budgets {
		own := score{wins: map[string]int{}}
		for _, g := range b.Groups {
			for _, c := range comparedCaps(g) {
				own.cases++
				if c.Clear {
					own.add(c.Methods[c.Best].Method, 1)
				}
			}
		}
		if b.Problem != "" || own.cases == 0 {
			excluded = append(excluded, fmt.Sprintf("%s: not compared, %s.", budgetTitle(b), whyNotCompared(b)))
			continue
		}
		total.cases += own.cases
		for _, method := range own.methods {
			total.add(method, own.wins[method])
		}
		each = append(each, fmt.Sprintf("%s: %s.", budgetTitle(b), p.scored(own, "cases")))
	}
	switch {
	case total.cases == 0:
		return excluded
	case len(total.methods) == 0:
		said = []string{fmt.Sprintf("No clear winner at equal cost in any of %s (data set and budget).", plain.Count(total.cases, "case"))}
	default:
		said = []string{fmt.Sprintf("At equal cost %s.", p.scored(total, "cases (data set and budget)"))}
		if len(each) > 1 {
			said = append(said, each...)
		}
	}
	return slices.Concat(said, []string{winnerRule}, excluded)
}

// score is how many cases of budgets there are, and how many of them a method wins.
type score struct {
	cases   int
	methods []string // with wins, in the order in which they occur
	wins    map[string]int
}

func (s *score) add(method string, wins int) {
	if s.wins[method] == 0 {
		s.methods = append(s.methods, method)
	}
	s.wins[method] += wins
}

// scored words a score: "Nyström wins 3 of 5 cases and 2 have no clear winner".
func (p *document) scored(s score, cases string) string {
	open := s.cases
	var parts []string
	for _, method := range s.methods {
		open -= s.wins[method]
		if parts = append(parts, fmt.Sprintf("%s wins %d", p.plainly(method), s.wins[method])); len(parts) == 1 {
			parts[0] += fmt.Sprintf(" of %d %s", s.cases, cases)
		}
	}
	switch {
	case len(parts) == 0:
		return fmt.Sprintf("no method wins any of %d %s", s.cases, cases)
	case open > 0:
		parts = append(parts, fmt.Sprintf("%d have no clear winner", open))
	}
	return format.Joined(parts)
}

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

// budgets writes of each comparison at equal cost who wins, and the errors of all.
func (p *document) budgets(budgets []budget.Comparison) {
	if len(budgets) == 0 {
		return
	}
	p.Folded("At equal cost")
	for _, b := range budgets {
		p.Heading(3, page.Escape(budgetTitle(b)))
		p.budget(b)
	}
}

func budgetTitle(b budget.Comparison) string {
	if b.Title == "" {
		return "Equal " + b.Cost
	}
	first, size := utf8.DecodeRuneInString(b.Title)
	return string(unicode.ToUpper(first)) + b.Title[size:]
}

// budget writes a row for each data set and cap: the best method with its error against
// that of the next, or those that are tied, and what each method reaches.
func (p *document) budget(b budget.Comparison) {
	header := []string{"Data", "Budget", "Best", "Error against the next [interval]"}
	for _, method := range b.Methods {
		header = append(header, p.called(method))
	}
	var rows [][]string
	any := false
	for _, g := range b.Groups {
		compared := comparedCaps(g)
		any = any || len(compared) > 0
		for i, c := range g.Caps {
			row := []string{"", amount(c.Cap, b.CostUnit), format.None, format.None}
			if i == 0 {
				row[0] = p.groupName(b, g)
			}
			if slices.ContainsFunc(compared, func(other budget.Cap) bool { return other.Cap == c.Cap }) {
				row[2], row[3] = p.bestWithin(c)
			}
			for k := range c.Methods {
				row = append(row, p.budgetText(b, g, c, k))
			}
			rows = append(rows, row)
		}
	}
	if b.Problem != "" || !any {
		p.Para("%s %s.", page.Emphasis("Not compared:"), page.Escape(whyNotCompared(b)))
	}
	if len(rows) > 0 {
		p.Table("lrll"+strings.Repeat("l", len(b.Methods)), header, rows)
	}
	unit := ""
	if b.OfUnit != "" {
		unit = " in " + b.OfUnit
	}
	p.Para("%s: geometric mean over repeats%s, with the cell and its mean %s. Each method has its costliest cell within the budget; its error does not choose. "+
		"Bold is significantly less than every other, at %s over the %s of this budget (Holm); italic is the least where no winner is clear, and ≈ is not told apart from it. "+
		"† uses less than half of the budget at its costliest; – (from …) needs more than the budget. %s, with the ratio of each two methods, its %s interval and p.",
		p.named(b.Of), unit, p.named(b.Cost), format.Percent(1-b.Level), plain.Count(b.Tests, "comparison"), page.Link(BudgetTable(b), "Numbers"), format.Percent(2*b.Confidence-1))
	p.List(p.budgetNotes(b))
}

// bestWithin is the best method within a cap and its error against that of the next, or
// those that are tied: whose errors are not significantly larger than the least.
func (p *document) bestWithin(c budget.Cap) (best, against string) {
	if c.Clear {
		best := next(c)
		return p.called(best.Method), fmt.Sprintf("%s × %s", format.Interval(best.Ratio, best.Low, best.High), p.called(best.To))
	}
	var tied []string
	for k, m := range c.Methods {
		if k == c.Best || m.Compared() && !m.Significant {
			tied = append(tied, p.called(m.Method))
		}
	}
	return "no clear winner", "not told apart: " + format.Joined(tied)
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

// budgetText is what a table says of a method within a cap.
func (p *document) budgetText(b budget.Comparison, g budget.Group, c budget.Cap, k int) string {
	m := c.Methods[k]
	if m.OverBudget {
		return format.None + " (from " + amount(m.Least, b.CostUnit) + ")"
	}
	if !m.Compared() {
		return format.None
	}
	text := format.Padded(m.Error)
	switch {
	case c.Best < 0 || b.Tests == 0:
	case k == c.Best && c.Clear:
		text = page.Strong(text)
	case k == c.Best:
		text = page.Emphasis(text)
	case !m.Significant:
		text = "≈ " + text
	}
	cost := page.Escape(amount(m.Cost, b.CostUnit))
	if m.Exhausted && m.Cost < c.Cap/2 {
		cost += " †"
	}
	if where := p.where(cellWithin(p.run, g, m)); where != "" {
		cost = where + ", " + cost
	}
	return text + " (" + cost + ")"
}

// cellWithin is the cell of a method by what tells it from the method's others in its group.
func cellWithin(run results.Run, g budget.Group, m budget.Method) results.Key {
	others := lists.Where(run.Present(), func(r *results.Row) bool { return r.Method() == m.Method && r.At.Meets(g.At) })
	return m.Cell.Only(format.Varying(others, format.Variables(run))...)
}

// groupName is a budget's group for a reader, but for what all groups share, of which
// the data set stays.
func (p *document) groupName(b budget.Comparison, g budget.Group) string {
	var groups []results.Key
	for _, other := range b.Groups {
		if len(other.Caps) > 0 { // its data are there
			groups = append(groups, other.At)
		}
	}
	shared := format.Common(groups).Without("dataset")
	return page.Escape(format.PlainWhere(p.labels.Where(format.Without(g.At, shared))))
}

// budgetNotes say what is not compared, and why, but for cells beyond the budgets.
func (p *document) budgetNotes(b budget.Comparison) []string {
	var notes []string
	for _, g := range b.Groups {
		where := p.groupName(b, g)
		if g.Reason != "" {
			notes = append(notes, fmt.Sprintf("%s: %s.", where, page.Escape(g.Reason)))
		}
		type said struct{ text, method string }
		var all []said
		note := func(text, method string) { all = append(all, said{text, p.called(method)}) }
		for k, method := range b.Methods {
			lost := 0
			for _, c := range g.Caps {
				m := c.Methods[k]
				lost = max(lost, m.Lost)
				if !m.Compared() && !m.OverBudget {
					note(page.Escape(strings.TrimSuffix(m.Reason, ".")), method)
				}
			}
			if lost > 0 {
				note(fmt.Sprintf("up to %s failed; tests take the least and the greatest of the others in their place", plain.Count(lost, "repeat")), method)
			}
		}
		for _, same := range lists.By(lists.Once(all), func(s said) string { return s.text }) {
			methods := lists.Map(same, func(s said) string { return s.method })
			notes = append(notes, fmt.Sprintf("%s on %s: %s.", format.Joined(methods), where, same[0].text))
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
