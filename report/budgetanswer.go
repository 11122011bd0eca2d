package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"mercer/claims"
)

// BudgetAnswer answers in a paragraph which method is best at equal cost, on which
// data and by how much, from the tests of the budgets alone: a method is called
// best where it is told from every other that is compared. name writes the name of
// a method, data set or quantity; the rest of the text is plain. It is "" for no
// budgets.
func BudgetAnswer(budgets []claims.Budget, name func(string) string) string {
	var sentences []string
	tests := 0
	for _, b := range budgets {
		a := answerOf(b, name)
		sentences = append(sentences, a.sentences()...)
		tests += b.Tests
	}
	if tests > 0 {
		sentences = append(sentences, fmt.Sprintf("Each method stands at its costliest setting within the budget, which its cost chose and not its error; "+
			"differences are paired over repeats and told at %s over all comparisons of a budget (Holm), intervals are %s each by itself; times are those of this machine and run.",
			percent(1-budgets[0].Level), percent(budgets[0].Level)))
	}
	return strings.Join(sentences, " ")
}

// budgetAnswer is what the tests of one budget say of each group.
type budgetAnswer struct {
	claims.Budget
	name   func(string) string
	groups []groupAnswer
}

// groupAnswer is what is said of one data set: the caps within which two methods
// are compared.
type groupAnswer struct {
	name string
	caps []claims.BudgetCap
	all  int // caps
}

func answerOf(b claims.Budget, name func(string) string) budgetAnswer {
	a := budgetAnswer{Budget: b, name: name}
	for _, g := range b.Groups {
		ga := groupAnswer{name: groupName(b, g, name), all: len(g.Caps)}
		for _, c := range g.Caps {
			if c.Best >= 0 && slices.ContainsFunc(c.Pairs, func(p claims.BudgetPair) bool { return p.Reason == "" }) {
				ga.caps = append(ga.caps, c)
			}
		}
		if len(ga.caps) > 0 {
			a.groups = append(a.groups, ga)
		}
	}
	return a
}

// winner is the method that is best within each cap; "" where there is none.
func (g groupAnswer) winner() string {
	best := g.caps[0].Methods[g.caps[0].Best].Method
	for _, c := range g.caps {
		if !c.Clear || c.Methods[c.Best].Method != best {
			return ""
		}
	}
	return best
}

// open says that no cap has a method that is told from all others.
func (g groupAnswer) open() bool {
	return !slices.ContainsFunc(g.caps, func(c claims.BudgetCap) bool { return c.Clear })
}

func (a budgetAnswer) sentences() []string {
	title := budgetTitle(a.Budget)
	head := fmt.Sprintf("%s (%s within %s): ", title, a.name(a.Of), a.name(a.Cost))
	if a.Trouble != "" {
		return []string{head + "nothing is said, for " + a.Trouble + "."}
	}
	if len(a.groups) == 0 {
		return []string{head + "nothing is said, for " + a.why() + "."}
	}
	var parts []string
	for _, method := range a.winners() {
		parts = append(parts, a.wins(method))
	}
	for _, g := range a.groups {
		if g.winner() == "" && !g.open() {
			parts = append(parts, fmt.Sprintf("on %s the best depends on the budget: %s", g.name, a.course(g)))
		}
	}
	for _, g := range a.groups {
		if g.open() {
			parts = append(parts, fmt.Sprintf("on %s no method is told best: %s", g.name, a.course(g)))
		}
	}
	sentences := []string{head + strings.Join(parts, "; ") + "."}
	if left := a.left(); len(left) > 0 {
		sentences = append(sentences, "Not compared: "+strings.Join(left, "; ")+".")
	}
	return sentences
}

// why is the first reason why nothing is tested.
func (a budgetAnswer) why() string {
	for _, g := range a.Groups {
		for _, c := range g.Caps {
			for _, p := range c.Pairs {
				if p.Reason != "" {
					return "there is " + p.Reason
				}
			}
		}
	}
	return "nowhere have two methods a cell"
}

// winners are the methods that are best throughout somewhere, most often first.
func (a budgetAnswer) winners() []string {
	times := map[string]int{}
	var methods []string
	for _, g := range a.groups {
		if w := g.winner(); w != "" {
			if times[w] == 0 {
				methods = append(methods, w)
			}
			times[w]++
		}
	}
	slices.SortStableFunc(methods, func(x, y string) int { return times[y] - times[x] })
	return methods
}

// wins says where a method is best throughout, and by how much.
func (a budgetAnswer) wins(method string) string {
	var where []string
	var closest, farthest, only string
	low, high := math.Inf(1), math.Inf(-1)
	several := 0
	for _, g := range a.groups {
		if g.winner() != method {
			continue
		}
		where = append(where, g.name)
		for _, c := range g.caps {
			p := next(c)
			several++
			only = fmt.Sprintf("%s times that of %s, the next", ratioText(p), a.name(p.To))
			at := fmt.Sprintf("%s times (%s, %s)", ratioText(p), g.name, amount(c.Cap, a.CostUnit))
			if p.Ratio < low {
				low, farthest = p.Ratio, at
			}
			if p.Ratio > high {
				high, closest = p.Ratio, at
			}
		}
	}
	text := fmt.Sprintf("%s is best within each budget on %d of %s (%s)", a.name(method), len(where), a.countGroups(), joined(where))
	if several == 1 {
		return text + ", its error " + only
	}
	return text + fmt.Sprintf(", its error between %s and %s that of the next", farthest, closest)
}

// countGroups counts what is compared: data sets, or cases where they are split.
func (a budgetAnswer) countGroups() string {
	datasets := map[string]bool{}
	for _, g := range a.Groups {
		for _, at := range g.At {
			if at.Name == "dataset" {
				datasets[at.Value] = true
			}
		}
	}
	if len(datasets) == len(a.Groups) {
		return count(len(a.groups), "data set")
	}
	return count(len(a.groups), "case")
}

// next is the best against the one whose error comes next.
func next(c claims.BudgetCap) claims.BudgetPair {
	var nearest claims.BudgetPair
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

func ratioText(p claims.BudgetPair) string { return interval(p.Ratio, p.Low, p.High) }

// course says what is best within each cap of a group.
func (a budgetAnswer) course(g groupAnswer) string {
	var parts []string
	said := func(c claims.BudgetCap) string {
		best := a.name(c.Methods[c.Best].Method)
		if c.Clear {
			p := next(c)
			return fmt.Sprintf("%s, its error %s times that of %s", best, ratioText(p), a.name(p.To))
		}
		var rivals []string
		for i, m := range c.Methods {
			if i != c.Best && m.Compared() && !m.Told {
				rivals = append(rivals, a.name(m.Method))
			}
		}
		return fmt.Sprintf("%s has the least error but is not told from %s", best, joined(rivals))
	}
	for i := 0; i < len(g.caps); {
		text := said(g.caps[i])
		amounts := []string{amount(g.caps[i].Cap, a.CostUnit)}
		for i++; i < len(g.caps) && said(g.caps[i]) == text; i++ {
			amounts = append(amounts, amount(g.caps[i].Cap, a.CostUnit))
		}
		parts = append(parts, fmt.Sprintf("within %s %s", joined(amounts), text))
	}
	return strings.Join(parts, ", ")
}

// left says what is not compared: data sets, and methods on some of them.
func (a budgetAnswer) left() []string {
	var parts []string
	for _, g := range a.Groups {
		if g.Reason != "" {
			parts = append(parts, fmt.Sprintf("%s, where %s", groupName(a.Budget, g, a.name), strings.TrimSuffix(g.Reason, ".")))
		}
	}
	for k, method := range a.Methods {
		where := map[string][]string{}
		var order []string
		for _, g := range a.Groups {
			why := ""
			missing := 0
			for _, c := range g.Caps {
				if r := c.Methods[k].Reason; r != "" {
					missing++
					why = r
				}
			}
			switch {
			case missing == 0:
				continue
			case strings.HasPrefix(why, "does not apply"):
				why = "where it does not apply"
			case !finite(g.Caps[0].Methods[k].Least):
				why = "where it gives no error and cost"
			case missing == len(g.Caps):
				why = "where it takes more than every budget"
			case finite(g.Caps[len(g.Caps)-1].Methods[k].Error):
				why = "within the smaller budgets, which its cheapest cell is beyond"
			default:
				why = "where its error has no logarithm"
			}
			if where[why] == nil {
				order = append(order, why)
			}
			where[why] = append(where[why], groupName(a.Budget, g, a.name))
		}
		for _, why := range order {
			parts = append(parts, fmt.Sprintf("%s on %s, %s", a.name(method), joined(where[why]), why))
		}
	}
	return parts
}
