package sections

import (
	"fmt"
	"slices"
	"strings"

	"mercer/internal/claims"
	"mercer/report/format"
)

// BudgetAnswer answers in a paragraph which method is best at equal cost and how
// often, from the tests of the budgets alone: a method is called best where it is
// told from every other that is compared. name writes the name of a method, data
// set or quantity; the rest of the text is plain. It is "" for no budgets.
func BudgetAnswer(budgets []claims.Budget, name func(string) string) string {
	var sentences []string
	for _, b := range budgets {
		a := answerOf(b, name)
		head := budgetTitle(b) + ": "
		if b.Problem != "" || len(a.groups) == 0 {
			sentences = append(sentences, head+"nothing is said.")
			continue
		}
		all, clear := 0, 0
		wins := map[string]int{}
		for _, g := range a.groups {
			for _, c := range g.caps {
				if all++; c.Clear {
					clear++
					wins[c.Methods[c.Best].Method]++
				}
			}
		}
		var parts []string
		for _, method := range b.Methods {
			if n := wins[method]; n > 0 {
				parts = append(parts, fmt.Sprintf("%s is best in %d of %d cases", name(method), n, all))
			}
		}
		if clear < all {
			parts = append(parts, fmt.Sprintf("in %d of %d no method is told best", all-clear, all))
		}
		sentences = append(sentences, head+format.Joined(parts)+".")
	}
	if len(sentences) > 0 {
		sentences = append(sentences, "A case is a data set and a budget; a method is best where its error is told from that of every other.")
	}
	return strings.Join(sentences, " ")
}

// budgetDetails say where each method is best and by how much, a paragraph a
// budget, and what was not compared.
func budgetDetails(budgets []claims.Budget, name func(string) string) []string {
	var sentences, absent []string
	var inapplicable, silent together
	tests := 0
	for _, b := range budgets {
		a := answerOf(b, name)
		sentences = append(sentences, a.sentences()...)
		tests += b.Tests
		for _, g := range b.Groups {
			if text := fmt.Sprintf("%s, for %s", groupName(b, g, name), strings.TrimSuffix(format.Printable(g.Reason), ".")); g.Reason != "" && !slices.Contains(absent, text) {
				absent = append(absent, text)
			}
		}
		a.missing(notApplicable, &inapplicable)
		a.missing(noErrors, &silent)
	}
	left := absent
	if text := inapplicable.text(); text != "" {
		left = append(left, "not applicable, "+text)
	}
	if text := silent.text(); text != "" {
		left = append(left, "without an error that has a logarithm, or without a cost, "+text)
	}
	if len(left) > 0 {
		sentences = append(sentences, "Not compared: "+strings.Join(left, "; ")+".")
	}
	if tests > 0 {
		sentences = append(sentences, fmt.Sprintf("Each method stands at its costliest setting within the budget, which its cost chose and not its error; "+
			"differences are paired over repeats and told at %s over all comparisons of a budget (Holm), intervals are %s each by itself; times are those of this machine and run.",
			format.Percent(1-budgets[0].Level), format.Percent(budgets[0].Level)))
	}
	return sentences
}

// together collects methods and where they are, those of the same places under one.
type together struct{ methods, where [][]string }

func (t *together) add(method string, where []string) {
	if len(where) == 0 {
		return
	}
	i := slices.IndexFunc(t.where, func(w []string) bool { return slices.Equal(w, where) })
	if i < 0 {
		t.methods, t.where = append(t.methods, nil), append(t.where, where)
		i = len(t.where) - 1
	}
	if !slices.Contains(t.methods[i], method) {
		t.methods[i] = append(t.methods[i], method)
	}
}

func (t *together) text() string {
	var parts []string
	for i := range t.where {
		parts = append(parts, format.Joined(t.methods[i])+" on "+format.Joined(t.where[i]))
	}
	return strings.Join(parts, ", ")
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

// sometimes is the method that is best within some caps, where none is told best
// within the others; "" where there is none.
func (g groupAnswer) sometimes() string {
	best, open := "", false
	for _, c := range g.caps {
		switch m := c.Methods[c.Best].Method; {
		case !c.Clear:
			open = true
		case best == "":
			best = m
		case best != m:
			return ""
		}
	}
	if !open {
		return ""
	}
	return best
}

func (a budgetAnswer) sentences() []string {
	title := budgetTitle(a.Budget)
	head := fmt.Sprintf("%s (%s within %s): ", title, a.name(a.Of), a.name(a.Cost))
	if a.Problem != "" {
		return []string{head + "nothing is said, for " + a.Problem + "."}
	}
	if len(a.groups) == 0 {
		return []string{head + "nothing is said, for " + a.why() + "."}
	}
	var parts []string
	for _, method := range a.winners() {
		parts = append(parts, a.wins(method))
	}
	for _, method := range a.Methods {
		if text := a.winsSometimes(method); text != "" {
			parts = append(parts, text)
		}
	}
	for _, g := range a.groups {
		if g.sometimes() == "" && g.winner() == "" && !g.open() {
			parts = append(parts, fmt.Sprintf("on %s the best depends on the budget: %s", g.name, a.course(g)))
		}
	}
	for _, g := range a.groups {
		if g.open() {
			parts = append(parts, fmt.Sprintf("on %s no method is told best within any budget: least, or not told from it, are %s", g.name, format.Joined(a.candidates(g))))
		}
	}
	var late, never together
	a.missing(dearAtFirst, &late)
	a.missing(dear, &never)
	if text := late.text(); text != "" {
		parts = append(parts, "the smaller budgets are below every setting of "+text)
	}
	if text := never.text(); text != "" {
		parts = append(parts, "all budgets are below every setting of "+text)
	}
	return []string{head + strings.Join(parts, "; ") + "."}
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
	var l lead
	for _, g := range a.groups {
		if g.winner() == method {
			where = append(where, g.name)
			for _, c := range g.caps {
				l.add(a, g, c)
			}
		}
	}
	return fmt.Sprintf("%s is best within each budget on %d of %s (%s), its error %s", a.name(method), len(where), a.countGroups(), format.Joined(where), l)
}

// winsSometimes says where a method is best within some caps and none is told best
// within the others; "" for nowhere.
func (a budgetAnswer) winsSometimes(method string) string {
	var where []string
	var l lead
	for _, g := range a.groups {
		if g.sometimes() != method {
			continue
		}
		var amounts []string
		for _, c := range g.caps {
			if c.Clear {
				amounts = append(amounts, amount(c.Cap, a.CostUnit))
				l.add(a, g, c)
			}
		}
		where = append(where, fmt.Sprintf("%s (%s)", g.name, format.Joined(amounts)))
	}
	if len(where) == 0 {
		return ""
	}
	return fmt.Sprintf("%s is best within some budgets on %s, its error %s, and no method is told best within the others", a.name(method), format.Joined(where), l)
}

// lead is by how much a method leads the next, at least and at most.
type lead struct {
	count                   int
	low, high               float64
	only, farthest, closest string
}

func (l *lead) add(a budgetAnswer, g groupAnswer, c claims.BudgetCap) {
	p := next(c)
	at := fmt.Sprintf("%s times (%s, %s)", ratioText(p), g.name, amount(c.Cap, a.CostUnit))
	if l.count == 0 || p.Ratio < l.low {
		l.low, l.farthest = p.Ratio, at
	}
	if l.count == 0 || p.Ratio > l.high {
		l.high, l.closest = p.Ratio, at
	}
	l.count++
	l.only = fmt.Sprintf("%s times that of %s, the next", ratioText(p), a.name(p.To))
}

// String writes the lead as what an error is.
func (l lead) String() string {
	if l.count == 1 {
		return l.only
	}
	return fmt.Sprintf("between %s and %s that of the next", l.farthest, l.closest)
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
		return format.Count(len(a.groups), "data set")
	}
	return format.Count(len(a.groups), "case")
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

func ratioText(p claims.BudgetPair) string { return format.Interval(p.Ratio, p.Low, p.High) }

// candidates are the methods that within some cap have the least error or are not
// told from it.
func (a budgetAnswer) candidates(g groupAnswer) []string {
	var names []string
	for k, method := range a.Methods {
		if slices.ContainsFunc(g.caps, func(c claims.BudgetCap) bool {
			return k == c.Best || c.Methods[k].Compared() && !c.Methods[k].Significant
		}) {
			names = append(names, a.name(method))
		}
	}
	return names
}

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
			if i != c.Best && m.Compared() && !m.Significant {
				rivals = append(rivals, a.name(m.Method))
			}
		}
		return fmt.Sprintf("%s has the least error but is not told from %s", best, format.Joined(rivals))
	}
	for i := 0; i < len(g.caps); {
		text := said(g.caps[i])
		amounts := []string{amount(g.caps[i].Cap, a.CostUnit)}
		for i++; i < len(g.caps) && said(g.caps[i]) == text; i++ {
			amounts = append(amounts, amount(g.caps[i].Cap, a.CostUnit))
		}
		parts = append(parts, fmt.Sprintf("within %s %s", format.Joined(amounts), text))
	}
	return strings.Join(parts, ", ")
}

// Why a method is missing from some of a group's comparisons.
const (
	notApplicable = "not applicable"
	noErrors      = "no errors"
	dear          = "dear"          // within all budgets
	dearAtFirst   = "dear at first" // within the smaller ones
)

// missing adds the methods that are missing for a reason, and where.
func (a budgetAnswer) missing(why string, to *together) {
	for k, method := range a.Methods {
		var where []string
		for _, g := range a.Groups {
			if len(g.Caps) > 0 && whyMissing(g, k) == why {
				where = append(where, groupName(a.Budget, g, a.name))
			}
		}
		to.add(a.name(method), where)
	}
}

// whyMissing is why method k lacks comparisons in a group; "" where it has them all.
func whyMissing(g claims.BudgetGroup, k int) string {
	missing, first := 0, claims.BudgetMethod{}
	for _, c := range g.Caps {
		if m := c.Methods[k]; !m.Compared() {
			if missing == 0 {
				first = m
			}
			missing++
		}
	}
	switch {
	case missing == 0:
		return ""
	case first.Skipped:
		return notApplicable
	case !first.OverBudget:
		return noErrors
	case missing == len(g.Caps):
		return dear
	}
	return dearAtFirst
}
