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
	"mercer/report/format"
	"mercer/report/page"
)

// BudgetTable is where a budget's numbers go.
func BudgetTable(b budget.Comparison) string { return format.TablesFolder + "/budget-" + b.ID + ".csv" }

// budgets writes of each comparison at equal cost who wins, and the errors of all.
func (p *document) budgets(budgets []budget.Comparison) {
	if len(budgets) == 0 {
		return
	}
	p.Heading(2, "At equal cost")
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

func (p *document) budget(b budget.Comparison) {
	if rows := winnersByBudget(b); b.Problem == "" && len(rows) > 0 {
		p.Table("lrll", []string{"Data", "Budget", "Best", "Error against the next [interval]"}, rows)
	} else {
		p.Para("%s %s.", page.Emphasis("Not compared:"), page.Escape(whyNotCompared(b)))
	}
	header := []string{"Data", "Budget"}
	for _, method := range b.Methods {
		header = append(header, page.Code(method))
	}
	var rows [][]string
	for _, g := range b.Groups {
		for i, c := range g.Caps {
			place := ""
			if i == 0 {
				place = groupName(b, g)
			}
			row := []string{place, amount(c.Cap, b.CostUnit)}
			for k := range c.Methods {
				row = append(row, budgetText(b, c, k))
			}
			rows = append(rows, row)
		}
	}
	if len(rows) > 0 {
		p.Table("lr"+strings.Repeat("l", len(b.Methods)), header, rows)
	}
	p.Para("%s: geometric mean over repeats%s, with the cell and its mean %s. Each method has its costliest cell within the budget; its error does not choose. "+
		"Bold is the least error; ≈ is not significantly larger, at %s over the %s of this budget (Holm). "+
		"† uses less than half of the budget at its costliest; – (from …) needs more than the budget. %s, with the ratio of each two methods, its %s interval and p.",
		page.Code(b.Of), unitText(b.OfUnit), page.Code(b.Cost), format.Percent(1-b.Level), format.Count(b.Tests, "comparison"), page.Link(BudgetTable(b), "Numbers"), format.Percent(b.Level))
	p.List(budgetNotes(b))
}

func unitText(unit string) string {
	if unit == "" {
		return ""
	}
	return " in " + unit
}

// budgetText is what a table says of a method within a cap.
func budgetText(b budget.Comparison, c budget.Cap, k int) string {
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
	case k == c.Best:
		text = page.Strong(text)
	case !m.Significant:
		text = "≈ " + text
	}
	var words []string
	for _, at := range m.Cell {
		words = append(words, at.Name+" = "+at.Value)
	}
	words = append(words, amount(m.Cost, b.CostUnit))
	if m.Exhausted && m.Cost < c.Cap/2 {
		words[len(words)-1] += " †"
	}
	return text + " (" + page.Escape(strings.Join(words, ", ")) + ")"
}

// groupName is the name of a budget's group for a reader: its data set, its kernel
// where data sets have several, and what else splits.
func groupName(b budget.Comparison, g budget.Group) string {
	var words []string
	for _, at := range g.At {
		switch {
		case at.Name == "dataset":
			words = append(words, page.Code(at.Value))
		case at.Name == "kernel" && !severalKernels(b):
		default:
			words = append(words, page.Escape(at.Name+" = "+at.Value))
		}
	}
	return strings.Join(words, ", ")
}

func severalKernels(b budget.Comparison) bool {
	kernels := map[string]string{}
	for _, g := range b.Groups {
		dataset, kernel := "", ""
		for _, at := range g.At {
			switch at.Name {
			case "dataset":
				dataset = at.Value
			case "kernel":
				kernel = at.Value
			}
		}
		if known, seen := kernels[dataset]; seen && known != kernel {
			return true
		}
		kernels[dataset] = kernel
	}
	return false
}

// budgetNotes say what is not compared, and why, but for cells beyond the budgets.
func budgetNotes(b budget.Comparison) []string {
	var notes []string
	for _, g := range b.Groups {
		where := groupName(b, g)
		if g.Reason != "" {
			notes = append(notes, fmt.Sprintf("%s: %s.", where, page.Escape(g.Reason)))
		}
		var order []string
		methods := map[string][]string{}
		for k, method := range b.Methods {
			lost := 0
			for _, c := range g.Caps {
				m := c.Methods[k]
				lost = max(lost, m.Lost)
				if m.Compared() || m.OverBudget {
					continue
				}
				if methods[m.Reason] == nil {
					order = append(order, m.Reason)
				}
				if !slices.Contains(methods[m.Reason], page.Code(method)) {
					methods[m.Reason] = append(methods[m.Reason], page.Code(method))
				}
			}
			if lost > 0 {
				notes = append(notes, fmt.Sprintf("%s on %s: up to %s failed; tests take the least and the greatest of the others in their place.", page.Code(method), where, format.Count(lost, "repeat")))
			}
		}
		for _, reason := range order {
			notes = append(notes, fmt.Sprintf("%s on %s: %s.", format.Joined(methods[reason]), where, page.Escape(strings.TrimSuffix(reason, "."))))
		}
	}
	return notes
}

// amount writes a cost with its unit to three digits at most: "12 ms", "1.3 MB".
func amount(v float64, unit string) string {
	if !format.Finite(v) {
		return format.None
	}
	scaled := func(v float64, unit string) string {
		return strings.TrimSpace(strconv.FormatFloat(format.RoundedTo(v, 3), 'f', -1, 64) + " " + unit)
	}
	switch size := format.RoundedTo(math.Abs(v), 3); {
	case unit == "s" && size > 0 && size < 1e-3:
		return scaled(v*1e6, "µs")
	case unit == "s" && size > 0 && size < 1:
		return scaled(v*1e3, "ms")
	case unit == "B" && size >= 1e9:
		return scaled(v/1e9, "GB")
	case unit == "B" && size >= 1e6:
		return scaled(v/1e6, "MB")
	case unit == "B" && size >= 1e3:
		return scaled(v/1e3, "kB")
	case unit == "s" || unit == "B":
		return scaled(v, unit)
	}
	return strings.TrimSpace(format.Number(v) + " " + unit)
}

// BudgetCSV has a row for each method within each cap, and after these one for
// each two that are compared.
func BudgetCSV(b budget.Comparison) [][]string {
	rows := [][]string{{"budget", "role", "group", "cap", "method", "to", "cell", "error", "cost", "best", "told_from_best", "ratio", "low", "high", "level", "p", "repeats", "lost", "reason"}}
	word := map[bool]string{true: "yes", false: "no"}
	for _, g := range b.Groups {
		group := format.Pairs(g.At)
		if len(g.Caps) == 0 {
			rows = append(rows, append(append([]string{b.ID, "group", group}, slices.Repeat([]string{""}, 15)...), g.Reason))
		}
		for _, c := range g.Caps {
			for k, m := range c.Methods {
				best, apart := "", ""
				if m.Compared() && c.Best >= 0 {
					best, apart = word[k == c.Best], word[m.Significant]
				}
				rows = append(rows, []string{b.ID, "method", group, format.Value(c.Cap), m.Method, "", format.Pairs(m.Cell), format.Value(m.Error), format.Value(m.Cost), best, apart,
					"", "", "", "", "", strconv.Itoa(m.Repeats), strconv.Itoa(m.Lost), m.Reason})
			}
			for _, p := range c.Pairs {
				adjusted := format.Value(p.P)
				if p.Reason != "" {
					adjusted = ""
				}
				rows = append(rows, []string{b.ID, "pair", group, format.Value(c.Cap), p.Method, p.To, "", "", "", "", "",
					format.Value(p.Ratio), format.Value(p.Low), format.Value(p.High), format.Value(b.Level), adjusted, strconv.Itoa(p.Repeats), "", p.Reason})
			}
		}
	}
	return rows
}
