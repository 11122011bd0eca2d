package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"mercer/configs"
	"mercer/internal/inference"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
)

// rankLevel is that of all tests of a panel together.
const rankLevel = 1 - results.DefaultLevel

// ranks draws the mean rank of each method over the problems, each a data set with a kernel, and
// tells those apart that differ significantly from the best.
//
// Reference: Demšar, Statistical comparisons of classifiers over multiple data sets, JMLR 7
// (2006), with Holm's correction and signed ranks of pairs as Benavoli, Corani & Mangili,
// Should we really use post-hoc tests based on mean-ranks?, JMLR 17 (2016), ask for.
func (r *reader) ranks() (Chart, []string) {
	r.table = [][]string{{"plot", "role", "panel", "problem", "method", "other", "mean", "value", "p"}}
	if r.run.Catalog.Metrics[r.Y.Text].Better == "more" {
		r.trouble = fmt.Sprintf("more of %s is better, and ranks take the least as the best; write 1 - %s", plain.Text(r.Y.Text), plain.Text(r.Y.Text))
		return Chart{}, nil
	}
	methods := lists.Once(lists.Map(r.split(r.rows, r.seriesColumns()...), func(g results.Group) string { return r.method(g.At) }))
	var panels []Panel
	var tests [][]string // which follow in the table
	var says []string
	var problems tally
	for _, g := range r.split(r.rows, columns([]string{r.Facet.Value}, r.By.Texts()...)...) {
		if means := r.problems(g, methods); len(means) > 1 {
			p, found, text := r.rankPanel(g.At, methods, means)
			panels, tests, says = append(panels, p), append(tests, found...), append(says, text)
			problems.count(len(means))
		}
	}
	r.table = append(r.table, tests...)

	r.finish()
	switch {
	case len(methods) > maxSeries:
		r.trouble = cmp.Or(r.trouble, fmt.Sprintf("%d methods cannot be told apart; pick up to %d under where", len(methods), maxSeries))
	case len(methods) < 2:
		r.trouble = cmp.Or(r.trouble, "there is one method, and nothing to compare it with")
	case len(panels) == 0:
		r.trouble = cmp.Or(r.trouble, "ranks need two problems on which all methods have a value; pick methods that have one under where")
	}
	first := fmt.Sprintf("Mean rank of each method by its mean of %s over %s, over %s (each a data set with a kernel; its repeats are averaged first).", r.labels.named(r.Y.Text), r.repeats, problems.of("problem"))
	says = append(append([]string{first}, says...),
		fmt.Sprintf("Methods with a hollow mark differ significantly from the best: Wilcoxon's signed-rank tests over problems, of ratios where all means are positive and else of differences, with Holm's correction over all pairs, at %s, where Friedman's test rejects. The table has all pairs.", format.Percent(rankLevel)),
		"Ranks forget how much methods differ: a method may be first everywhere by a hair. They depend on the methods and on the choice of problems.")
	return newChart(cmp.Or(r.Title, r.ID), panels), says
}

// method names what is compared. Methods to which the spec gives one label are one, such as
// random features of two kernels, and have the name of the first.
func (r *reader) method(at results.Key) string {
	labels := r.run.Spec.Labels
	label := labels[at.Text("method")].Value
	for _, method := range r.run.Spec.Methods {
		if label != "" && labels[method.ID].Value == label {
			return short(at.With("method", configs.TextOf(method.ID)))
		}
	}
	return short(at)
}

// problems are the means of all methods on each problem of a panel on which all have one.
func (r *reader) problems(g results.Group, methods []string) (all [][]float64) {
	problems := r.split(g.Rows, columns([]string{"dataset", "kernel"}, append(r.By.Texts(), r.Facet.Value)...)...)
	common := format.Common(lists.Map(problems, func(p results.Group) results.Key { return p.At }))
	for _, problem := range problems {
		name := cmp.Or(short(format.Without(problem.At, common)), short(problem.At))
		means := slices.Repeat([]float64{math.NaN()}, len(methods))
		for _, s := range r.split(problem.Rows, r.seriesColumns()...) {
			i := slices.Index(methods, r.method(s.At))
			_, values := r.values(results.Group{At: problem.At.Join(s.At), Rows: s.Rows})
			if len(values) > 0 && plain.Finite(means[i]) {
				r.trouble = cmp.Or(r.trouble, fmt.Sprintf("%s has two methods with this label on %s; fix one under where", methods[i], name))
			}
			if len(values) > 0 {
				means[i] = stat.Mean(values, nil)
			}
		}
		if slices.ContainsFunc(means, math.IsNaN) {
			r.note("Left out, since some method has no value: %s.", name)
			continue
		}
		all = append(all, means)
		for i, rank := range inference.RanksOf(means) {
			r.table = append(r.table, []string{r.ID, "rank", g.At.String(), name, methods[i], "", format.Value(means[i]), format.Value(rank), ""})
		}
	}
	return all
}

// rankPanel has a row for each method, the best on top. It makes the tests of a panel, with
// their rows of the table and what they say.
func (r *reader) rankPanel(at results.Key, methods []string, means [][]float64) (p Panel, tests [][]string, says string) {
	p = Panel{Title: plain.Text(format.PlainWhere(at)), X: Axis{Label: "mean of ranks, 1 is the best"}}
	add := func(role, method, other string, value, p float64) {
		tests = append(tests, []string{r.ID, role, at.String(), "", method, other, "", format.Value(value), format.Value(p)})
	}
	ranks, chi2, friedman := inference.Friedman(means)
	order := make([]int, len(methods))
	for i, rank := range ranks {
		order[i] = i
		add("mean rank", methods[i], "", rank, math.NaN())
	}
	add("friedman", "", "", chi2, friedman)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ranks[a], ranks[b]) })

	pairs, ps := comparePairs(means)
	differ := map[int]bool{} // from the best
	for i, adjusted := range inference.Holm(ps) {
		a, b := pairs[i][0], pairs[i][1]
		add("signed rank", methods[a], methods[b], adjusted, ps[i])
		for _, pair := range [][2]int{{a, b}, {b, a}} {
			differ[pair[1]] = differ[pair[1]] || pair[0] == order[0] && friedman < rankLevel && adjusted < rankLevel
		}
	}

	near := Series{Name: "best, or not significantly different from it", Colour: Palette[0], Shape: circle, Radius: 2.6}
	far := Series{Name: "significantly different from the best", Colour: Palette[0], Shape: circle, Hollow: true, Radius: 2.6}
	for i, method := range order {
		to := &near
		if differ[method] {
			to = &far
		}
		p.Y.Names = append(p.Y.Names, methods[method])
		text := joined(methods[method], p.Title, equation("mean rank", exactly(ranks[method])), plain.Count(len(means), "problem"), to.Name)
		to.Points = append(to.Points, Point{X: exactly(ranks[method]), Y: exactly(-float64(i)), Text: text})
	}
	p.Series = []Series{near, far}

	where := strings.TrimPrefix(p.Title+": ", ": ")
	says = fmt.Sprintf("%sFriedman's test that no method differs: χ² = %s with %d degrees of freedom, p = %s.", where, format.Number(chi2), len(methods)-1, format.Number(friedman))
	if least := 2 * inference.LeastP(true, 1, len(means)) * float64(len(pairs)); least >= rankLevel {
		says += fmt.Sprintf(" %sWith %d problems no difference of two of %d methods can be significant.", where, len(means), len(methods))
	}
	return p, tests, says
}

// comparePairs are the p of all pairs of methods by Wilcoxon's test. A problem is the unit. Problems
// differ so much in how far methods are from each other that a test of the mean log ratio finds
// little: p is by ranks.
func comparePairs(means [][]float64) (pairs [][2]int, ps []float64) {
	sample := func(method int) inference.Sample {
		s := inference.Sample{}
		for k, row := range means {
			s[k] = row[method]
		}
		return s
	}
	for b := range means[0] {
		for a := range b {
			pairs = append(pairs, [2]int{a, b})
			ps = append(ps, inference.Comparison{Level: results.DefaultLevel, Ranks: true}.Of(sample(b), sample(a)).P)
		}
	}
	return pairs, ps
}
