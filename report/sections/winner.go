package sections

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"mercer/configs"
	"mercer/internal/budget"
	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/figure"
	"mercer/report/format"
	"mercer/results"
)

// mostWinners is how many data sets the answer speaks of.
const mostWinners = 3

// Said is the answer to the question of a run in plain words, a sentence, and what is to be read
// after it, each by itself: which methods are best within its budgets and rank first in its
// plots of ranks, what its targets found, then the sentence of its spec or, without one, what
// became of its claims and which method is best at the largest sizes. plots also say which
// metric matters.
func Said(run results.Run, verdicts []claims.Verdict, plots []configs.Plot, answers []claims.Answer, budgets []budget.Comparison) (said []string) {
	for i, s := range answerOf(run, verdicts, plots, answers, budgets) {
		if i > 0 {
			s.said[0] = s.title + ": " + s.said[0]
		}
		said = append(said, s.said...)
	}
	return said
}

// titled is a part of an answer: a sentence, and what is to be read after it.
type titled struct {
	title string
	said  []string
}

// answerOf are the parts of [Said], of which the first is titled "Answer".
func answerOf(run results.Run, verdicts []claims.Verdict, plots []configs.Plot, answers []claims.Answer, budgets []budget.Comparison) []titled {
	p := newDocument(run)
	all := byClaim(verdicts)
	least := p.leastValues(answers)
	parts := []titled{{"At equal cost", p.budgetAnswer(budgets)}, {"Ranks", figure.Leaders(run, plots)}}
	tested := theory(all)
	own, controls := "", heldControls(all)
	if len(tested) > 0 {
		own = p.sentence(run.Spec.Answer.Sentences()[state(all)], verdicts)
	}
	if own != "" {
		said := []string{own}
		if state(all) == configs.NotAllHold {
			said = p.openly(own, asksOf(run.Spec.Answer.Open.Value), all)
		}
		said[0] = strings.Join(append(least, said[0]), " ")
		parts = append(parts, titled{"Claims", append(said, controls...)})
	} else {
		if len(tested) > 0 {
			controls = append([]string{defaultAnswer(tested)}, controls...)
		}
		parts = append(parts, titled{"Least values", least}, titled{"Claims", controls}, titled{"At equal sizes", bestMethods(run, verdicts, plots)})
	}
	parts = slices.DeleteFunc(parts, func(t titled) bool { return len(t.said) == 0 })
	if len(parts) > 0 {
		parts[0].title = "Answer"
		if open := p.openChecks(all); len(open) > 0 {
			parts = append(parts, titled{"Open checks of the code", open})
		}
	}
	return parts
}

// bestMethods says which method is best at the largest sizes, of several data sets first on
// which of them, and then what speaks for it; nothing of a run that searches for targets,
// whose answers they are: it computes only the sizes that a search comes to.
func bestMethods(run results.Run, verdicts []claims.Verdict, plots []configs.Plot) []string {
	if len(run.Spec.Targets) > 0 {
		return nil
	}
	p := newDocument(run)
	p.judged = verdicts
	metric := mainMetric(run, plots)
	var all []winner
	for _, g := range p.grids(metric) {
		if w := p.winner(g); len(w.said) > 0 {
			all = append(all, w)
		}
	}
	switch len(all) {
	case 0:
		return nil
	case 1:
		if all[0].on != "" {
			all[0].said[0] = all[0].on + ": " + all[0].said[0]
		}
		return all[0].said
	}
	said := []string{p.winners(metric, all)}
	for _, w := range all[:min(len(all), mostWinners)] {
		said = append(said, w.on+": "+strings.Join(w.said, " "))
	}
	if more := len(all) - mostWinners; more > 0 {
		said = append(said, plain.Count(more, "further data set is", "further data sets are")+" below.")
	}
	return said
}

// winner is the method that is best at the largest sizes where it is so beyond doubt, on the
// data set and kernel that on names, and the sentences that say so.
type winner struct {
	on, best string
	said     []string
}

// winners count in a sentence on how many data sets each method is best.
func (p *document) winners(metric string, all []winner) string {
	nouns := "data sets"
	switch {
	case p.several["dataset"] && p.several["kernel"]:
		nouns = "pairs of data set and kernel"
	case p.several["kernel"]:
		nouns = "kernels"
	}
	times := map[string]int{}
	for _, w := range all {
		times[w.best]++
	}
	methods := slices.SortedFunc(maps.Keys(times), func(a, b string) int {
		return cmp.Or(times[b]-times[a], cmp.Compare(b, a)) // "", no method, comes last
	})
	var parts []string
	for _, method := range methods {
		part := fmt.Sprintf("%s is best on %d", p.plainly(method), times[method])
		if method == "" {
			part = fmt.Sprintf("no method is clearly best on %d", times[""])
		}
		if len(parts) == 0 {
			part += fmt.Sprintf(" of %d %s", len(all), nouns)
		}
		parts = append(parts, part)
	}
	return fmt.Sprintf("By %s, %s.", p.plainly(metric), format.Joined(parts))
}

// mainMetric is the first that judges methods of those of the plots, else of all: no cost,
// and one of which less or more is better. "" where there is none.
func mainMetric(run results.Run, plots []configs.Plot) string {
	there := MetricsOf(run.Rows)
	var names []string
	for _, plot := range plots {
		for _, q := range plot.Quantities() {
			names = append(names, q.Names()...)
		}
	}
	for _, name := range slices.Concat(names, there) {
		if slices.Contains(there, name) && !results.IsCost(name) && run.Catalog.Metrics[name].Better != "" {
			return name
		}
	}
	return ""
}

// winner says which method is best in the last row that compares two, or which are tied, and
// how far they are from the others and from the reference; nothing where no row compares.
func (p *document) winner(g *grid) winner {
	varying := lists.Where(p.variables, func(name string) bool { return len(g.values(name)) > 1 })
	rows := g.order(varying)
	slices.Reverse(rows)
	for _, i := range rows {
		first, rest := g.compared(i)
		reference := slices.ContainsFunc(g.exact, func(method string) bool { return len(g.cells[place{i, method}]) > 0 })
		if first != "" && (len(rest) > 0 || reference) {
			w := winner{on: p.on(g), said: p.comparison(g, i, varying, first, rest)}
			if !slices.ContainsFunc(rest, func(r rival) bool { return !r.worse }) {
				w.best = first
			}
			w.said = append(w.said, p.elsewhere(g, rows, varying, first, w.best != "")...)
			return w
		}
	}
	return winner{}
}

// on says which data set and kernel g is of, as far as there are several.
func (p *document) on(g *grid) string {
	switch dataset, kernel := p.plainly(g.dataset), p.plainly(g.kernel); {
	case p.several["dataset"] && p.several["kernel"]:
		return "On " + dataset + ", " + kernel
	case p.several["dataset"]:
		return "On " + dataset
	case p.several["kernel"]:
		return "With kernel " + kernel
	}
	return ""
}

// elsewhere says how many of the rows that compare have the best mean in the same method,
// and, where the order changes, the one of these nearest to the first of rows; nothing of
// fewer than two, and of an order that is not clear to begin with.
func (p *document) elsewhere(g *grid, rows []int, varying []string, first string, clear bool) []string {
	var methods []string
	times, all, other := map[string]int{}, 0, ""
	for _, i := range rows {
		best, rest := g.compared(i)
		if len(rest) == 0 {
			continue
		}
		if best != first && other == "" {
			other = p.at(g, i, varying)
		}
		if times[best] == 0 {
			methods = append(methods, best)
		}
		times[best]++
		all++
	}
	names := lists.Map(varying, p.labels.Variable)
	switch mean := superlatives[g.info.Better] + " mean"; {
	case all < 2:
		return nil
	case len(methods) == 1:
		settings := cmp.Or(map[int]string{2: "both"}[all], fmt.Sprintf("all %d", all))
		return []string{fmt.Sprintf("%s has the %s at %s settings of %s.", p.plainly(first), mean, settings, format.Joined(names))}
	case !clear:
		return nil
	default:
		slices.SortStableFunc(methods, func(a, b string) int { return times[b] - times[a] })
		shares := lists.Map(methods, func(method string) string { return fmt.Sprintf("%s in %d", p.plainly(method), times[method]) })
		return []string{fmt.Sprintf("The order changes%s: of %d settings of %s, the %s is that of %s.", other, all, format.Joined(names), mean, format.Joined(shares))}
	}
}

// superlatives are the words for the best values.
var superlatives = map[string]string{"less": "least", "more": "greatest"}

// at says where row i is: the values of all varying variables.
func (p *document) at(g *grid, i int, varying []string) string {
	var at []string
	for _, name := range varying {
		if v := pointValue(g.points[i], name); v != "" {
			at = append(at, p.labels.Variable(name)+" = "+v)
		}
	}
	if len(at) == 0 {
		return ""
	}
	return " at " + strings.Join(at, ", ")
}

// comparison words what became of row i, and how far others are from it.
func (p *document) comparison(g *grid, i int, varying []string, first string, rest []rival) []string {
	where := p.at(g, i, varying)
	s := g.summary(place{i, first})
	tied, worse := []string{p.plainly(first)}, []string{}
	for _, r := range rest {
		if !r.worse {
			tied = append(tied, p.plainly(r.method))
			continue
		}
		name := p.plainly(r.method)
		if times := g.times(i, r.method, first); times != "" {
			name += " (" + times + ")"
		}
		worse = append(worse, name)
	}
	best := superlatives[g.info.Better]
	mean := strings.TrimSpace(format.Mean(s.Mean, s.Low, s.High) + " " + g.info.Unit)
	said := []string{fmt.Sprintf("No clear winner %s %s in %s%s: %s has the %s mean, %s.", map[bool]string{true: "between", false: "among"}[len(tied) == 2], format.Joined(tied), p.plainly(g.metric), where, tied[0], best, mean)}
	switch {
	case len(rest) == 0:
		said[0] = fmt.Sprintf("%s: %s %s%s.", tied[0], p.plainly(g.metric), mean, where)
	case len(tied) == 1:
		said[0] = fmt.Sprintf("%s has the %s %s%s: %s.", tied[0], best, p.plainly(g.metric), where, mean)
	}
	if len(worse) > 0 {
		said = append(said, fmt.Sprintf("Worse: %s, by paired tests (p < 0.05 after Holm).", format.Joined(worse)))
	}
	if len(tied) > 1 && len(worse) == 0 {
		said = append(said, "Two-sided paired tests of all pairs do not tell them apart (p < 0.05 after Holm); a claim about one pair is a sharper test.")
	}
	for _, method := range g.exact {
		if times := g.times(i, method, first); times != "" {
			said = append(said, fmt.Sprintf("The reference %s has %s.", p.plainly(method), times))
		}
	}
	return said
}

// times says how many times that of another method the mean of a method at row i is, or how
// many per cent more where that is below 5 %, over the repeats that both have; "" where
// there are none, or not both are positive.
func (g *grid) times(i int, method, of string) string {
	if !g.varies[method] {
		return ""
	}
	mine, others := inBoth(g.cells[place{i, method}], g.cells[place{i, of}])
	own, mean := stat.Mean(mine, nil), stat.Mean(others, nil)
	if len(mine) == 0 || mean <= 0 || own <= 0 {
		return ""
	}
	switch more := own/mean - 1; {
	case own == mean:
		return "as much"
	case math.Abs(more) < 0.001:
		return "less than 0.1 % " + map[bool]string{true: "more", false: "less"}[more > 0]
	case math.Abs(more) >= 0.05:
		return strconv.FormatFloat(own/mean, 'g', 3, 64) + " times that"
	case more > 0:
		return strconv.FormatFloat(100*more, 'g', 2, 64) + " % more"
	default:
		return strconv.FormatFloat(-100*more, 'g', 2, 64) + " % less"
	}
}
