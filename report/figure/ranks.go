package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"mercer/configs"
	"mercer/internal/inference"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
)

// contest is the methods of a panel on its problems, each a data set with a kernel.
type contest struct {
	at       results.Key
	problems []string
	means    [][]float64 // by problem and method, over repeats

	ranks   []float64 // the mean over problems, by method
	chi2, p float64   // Friedman's
	pairs   []rankPair
	ratios  bool // the pairs' differences are of logarithms
}

// rankPair is two methods with the p of their difference, and that with Holm's correction.
type rankPair struct {
	methods     [2]int
	p, adjusted float64
}

// rankLevel is that of all tests of a panel together.
const rankLevel = 1 - results.DefaultLevel

// ranks draws the mean rank of each method over the problems, and tells those apart that differ
// significantly from the best.
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
	var contests []contest
	for _, g := range r.split(r.rows, columns([]string{r.Facet.Value}, r.By.Texts()...)...) {
		if c := r.contest(g, methods); len(c.problems) > 1 {
			contests = append(contests, c)
		}
	}
	r.finish()
	switch {
	case len(methods) > maxSeries:
		r.trouble = cmp.Or(r.trouble, fmt.Sprintf("%d methods cannot be told apart; pick up to %d under where", len(methods), maxSeries))
	case len(methods) < 2:
		r.trouble = cmp.Or(r.trouble, "there is one method, and nothing to compare it with")
	case len(contests) == 0:
		r.trouble = cmp.Or(r.trouble, "ranks need two problems on which all methods have a value; pick methods that have one under where")
	}
	if r.trouble != "" {
		return Chart{}, nil
	}

	for i := range contests {
		contests[i].test()
	}
	r.writeRanks(contests, methods)
	panels := lists.Map(contests, func(c contest) Panel { return c.panel(methods) })
	return newChart(r.Size, cmp.Or(r.Title, r.ID), panels), r.rankCaption(contests)
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

// contest reads the means of a panel, of the problems on which all methods have one.
func (r *reader) contest(g results.Group, methods []string) contest {
	c := contest{at: g.At}
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
		c.problems, c.means = append(c.problems, name), append(c.means, means)
	}
	return c
}

// test compares all methods by Friedman's test, then all pairs by Wilcoxon's with Holm's
// correction. A problem is the unit. Problems differ so much in how far methods are from each
// other that a test of the mean log ratio finds little: p is by ranks.
func (c *contest) test() {
	c.ranks, c.chi2, c.p = inference.Friedman(c.means)
	c.ratios = !slices.ContainsFunc(c.means, func(row []float64) bool { return slices.Min(row) <= 0 })
	samples := make([]inference.Sample, len(c.ranks))
	for i := range samples {
		samples[i] = inference.Sample{}
		for k, row := range c.means {
			samples[i][k] = row[i]
		}
	}
	var ps []float64
	for a := range samples {
		for b := range a {
			ps = append(ps, inference.Comparison{Level: results.DefaultLevel, Ranks: true}.Of(samples[a], samples[b]).P)
			c.pairs = append(c.pairs, rankPair{methods: [2]int{b, a}, p: ps[len(ps)-1]})
		}
	}
	for i, adjusted := range inference.Holm(ps) {
		c.pairs[i].adjusted = adjusted
	}
}

// differ says whether two methods differ significantly. No pair does unless Friedman's test
// rejects.
func (c contest) differ(a, b int) bool {
	return c.p < rankLevel && slices.ContainsFunc(c.pairs, func(pair rankPair) bool {
		return pair.methods == [2]int{min(a, b), max(a, b)} && pair.adjusted < rankLevel
	})
}

// panel has a row for each method, the best on top.
func (c contest) panel(methods []string) Panel {
	p := Panel{Title: plain.Text(format.PlainWhere(c.at)), X: Axis{Label: "mean of ranks, 1 is the best"}}
	order := make([]int, len(methods))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.ranks[a], c.ranks[b]) })

	near := Series{Name: "best, or not significantly different from it", Colour: Palette[0], Shape: circle, Radius: 2.6, Interval: bars}
	far := Series{Name: "significantly different from the best", Colour: Palette[0], Shape: circle, Hollow: true, Radius: 2.6, Interval: bars}
	for i, method := range order {
		to := &near
		if c.differ(order[0], method) {
			to = &far
		}
		p.Y.Names = append(p.Y.Names, methods[method])
		text := lines(methods[method], p.Title, equation("mean rank", exactly(c.ranks[method])), plain.Count(len(c.problems), "problem"), to.Name)
		to.Points = append(to.Points, Point{X: estimate{c.ranks[method], 1, c.ranks[method]}, Y: exactly(-float64(i)), Text: text})
	}
	p.Series = []Series{near, far}
	return p
}

// writeRanks fills the table with the means and their ranks, the mean ranks, and the tests.
func (r *reader) writeRanks(contests []contest, methods []string) {
	add := func(c contest, role string, rest ...string) {
		r.table = append(r.table, append([]string{r.ID, role, c.at.String()}, rest...))
	}
	for _, c := range contests {
		for i, means := range c.means {
			for method, rank := range inference.RanksOf(means) {
				add(c, "rank", c.problems[i], methods[method], "", format.Value(means[method]), format.Value(rank), "")
			}
		}
	}
	for _, c := range contests {
		for method, rank := range c.ranks {
			add(c, "mean rank", "", methods[method], "", "", format.Value(rank), "")
		}
		add(c, "friedman", "", "", "", "", format.Value(c.chi2), format.Value(c.p))
		for _, pair := range c.pairs {
			add(c, "signed rank", "", methods[pair.methods[0]], methods[pair.methods[1]], "", format.Value(pair.adjusted), format.Value(pair.p))
		}
	}
}

// rankCaption says what is drawn, in sentences.
func (r *reader) rankCaption(contests []contest) []string {
	counts := lists.Map(contests, func(c contest) int { return len(c.problems) })
	problems := plain.Count(slices.Max(counts), "problem")
	if least := slices.Min(counts); least < slices.Max(counts) {
		problems = strconv.Itoa(least) + " to " + problems
	}
	caption := []string{fmt.Sprintf("Mean rank of each method by its mean of %s over %s, over %s (each a data set with a kernel; its repeats are averaged first).", r.labels.named(r.Y.Text), r.repeats, problems)}
	for _, c := range contests {
		where := ""
		if title := plain.Text(format.PlainWhere(c.at)); title != "" {
			where = title + ": "
		}
		caption = append(caption, fmt.Sprintf("%sFriedman's test that no method differs: χ² = %s with %d degrees of freedom, p = %s.", where, format.Number(c.chi2), len(c.ranks)-1, format.Number(c.p)))
		if least := 2 * inference.LeastP(true, 1, len(c.problems)) * float64(len(c.pairs)); least >= rankLevel {
			caption = append(caption, fmt.Sprintf("%sWith %d problems no difference of two of %d methods can be significant.", where, len(c.problems), len(c.ranks)))
		}
	}
	kind := map[bool]string{true: "ratios", false: "differences"}[contests[0].ratios]
	return append(caption, fmt.Sprintf("Methods with a hollow mark differ significantly from the best: Wilcoxon's signed-rank tests of %s over problems with Holm's correction over all pairs, at %s, where Friedman's test rejects. The table has all pairs.", kind, format.Percent(rankLevel)),
		"Ranks forget how much methods differ: a method may be first everywhere by a hair. They depend on the methods and on the choice of problems.")
}
