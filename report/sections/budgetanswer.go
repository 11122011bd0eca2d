package sections

import (
	"fmt"
	"slices"
	"strings"

	"mercer/internal/budget"
	"mercer/report/format"
	"mercer/report/page"
)

// BudgetAnswer answers in a paragraph which method is best at equal cost and how
// often, from the tests of the budgets alone. It is "" for no budgets.
func BudgetAnswer(budgets []budget.Comparison) string {
	var sentences []string
	for _, b := range budgets {
		all, clear := 0, 0
		wins := map[string]int{}
		for _, g := range b.Groups {
			for _, c := range comparedCaps(g) {
				if all++; c.Clear {
					clear++
					wins[c.Methods[c.Best].Method]++
				}
			}
		}
		if b.Problem != "" || all == 0 {
			sentences = append(sentences, fmt.Sprintf("%s: not compared, %s.", budgetTitle(b), page.Escape(whyNotCompared(b))))
			continue
		}
		var parts []string
		for _, method := range b.Methods {
			if n := wins[method]; n > 0 {
				parts = append(parts, fmt.Sprintf("%s is best in %d of %d cases", page.Code(method), n, all))
			}
		}
		if clear < all {
			parts = append(parts, fmt.Sprintf("%d of %d cases have no clear winner", all-clear, all))
		}
		sentences = append(sentences, budgetTitle(b)+": "+format.Joined(parts)+".")
	}
	if len(sentences) > 0 {
		sentences = append(sentences, "A case is a data set and a budget; the best method has a significantly smaller error than every other.")
	}
	return strings.Join(sentences, " ")
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

// winnersByBudget has a row for each data set and cap: the best method with its error
// against that of the next, or those that are tied.
func winnersByBudget(b budget.Comparison) [][]string {
	var rows [][]string
	for _, g := range b.Groups {
		place := groupName(b, g)
		for _, c := range comparedCaps(g) {
			best, against := "no clear winner", "tied: "+format.Joined(tied(c))
			if c.Clear {
				p := next(c)
				best, against = page.Code(p.Method), fmt.Sprintf("%s × %s", format.Interval(p.Ratio, p.Low, p.High), page.Code(p.To))
			}
			rows = append(rows, []string{place, amount(c.Cap, b.CostUnit), best, against})
			place = ""
		}
	}
	return rows
}

// tied are the method with the least error and those whose errors are not
// significantly larger.
func tied(c budget.Cap) []string {
	var names []string
	for k, m := range c.Methods {
		if k == c.Best || m.Compared() && !m.Significant {
			names = append(names, page.Code(m.Method))
		}
	}
	return names
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
