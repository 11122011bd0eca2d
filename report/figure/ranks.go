package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"mercer/internal/inference"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
)

// ranked is a rank diagram: the mean rank of each solver over the problems, with bars that
// join solvers which do not differ significantly.
//
// Reference: Demšar, Statistical comparisons of classifiers over multiple data sets, JMLR 7
// (2006), with Holm's correction and signed ranks of pairs as Benavoli, Corani & Mangili,
// Should we really use post-hoc tests based on mean-ranks?, JMLR 17 (2016), ask for.
type ranked struct {
	contest
	tests []rankTests // by panel
}

// rankTests are what the tests say of a panel.
type rankTests struct {
	mean    []float64 // rank, by solver
	chi2, p float64   // Friedman's
	pairs   []rankPair
	ratios  bool    // the pairs' differences are of logarithms
	cliques [][]int // solvers of which no two differ, as large as can be
}

// rankPair is two solvers with the p of their difference, and that with Holm's correction.
type rankPair struct {
	a, b        int
	p, adjusted float64
}

// problemText says what a problem is.
const problemText = "each a data set with a kernel; its repeats are averaged first"

// rankLevel is that of all tests of a panel together.
const rankLevel = 1 - results.DefaultLevel

// ranked reads a contest over the problems on which all solvers have a mean.
func (r *plotReader) ranked() ranked {
	d := ranked{contest: r.contest()}
	for i := range d.panels {
		p := &d.panels[i]
		for k := len(p.problems) - 1; k >= 0; k-- {
			if !slices.ContainsFunc(p.means[k], math.IsNaN) {
				continue
			}
			r.note("Left out, since some method has no value: %s.", p.problem(k))
			p.problems, p.means = slices.Delete(p.problems, k, k+1), slices.Delete(p.means, k, k+1)
		}
	}
	d.panels = slices.DeleteFunc(d.panels, func(p contestPanel) bool { return len(p.problems) < 2 })
	if len(d.panels) == 0 {
		r.trouble = cmp.Or(r.trouble, "ranks need two problems on which all methods have a value; pick methods that have one under where")
	}
	if r.trouble == "" {
		for _, p := range d.panels {
			d.tests = append(d.tests, p.test())
		}
	}
	return d
}

// test makes the tests of a panel: of all solvers by Friedman's, then of all pairs by
// Wilcoxon's with Holm's correction. Pairs differ only where Friedman's test rejects.
func (p contestPanel) test() rankTests {
	var t rankTests
	t.mean, t.chi2, t.p = inference.Friedman(p.means)
	t.ratios = !slices.ContainsFunc(p.means, func(row []float64) bool { return slices.Min(row) <= 0 })
	var ps []float64
	for a := range t.mean {
		for b := range a {
			ps = append(ps, inference.Comparison{Level: results.DefaultLevel, Ranks: true}.Of(p.sample(a), p.sample(b)).P)
			t.pairs = append(t.pairs, rankPair{a: b, b: a, p: ps[len(ps)-1]})
		}
	}
	apart := make([][]bool, len(t.mean))
	for a := range apart {
		apart[a] = make([]bool, len(t.mean))
	}
	for i, adjusted := range inference.Holm(ps) {
		pair := &t.pairs[i]
		pair.adjusted = adjusted
		apart[pair.a][pair.b] = t.p < rankLevel && adjusted < rankLevel
		apart[pair.b][pair.a] = apart[pair.a][pair.b]
	}
	t.cliques = cliques(apart)
	slices.SortStableFunc(t.cliques, func(a, b []int) int { return cmp.Compare(t.best(a), t.best(b)) })
	return t
}

// sample is a solver's mean on each problem, which is the unit. Problems differ so much in how far
// methods are from each other that a test of the mean log ratio finds little: p is by ranks.
func (p contestPanel) sample(solver int) inference.Sample {
	s := inference.Sample{}
	for k, row := range p.means {
		s[k] = row[solver]
	}
	return s
}

// cliques are the largest sets of two and more, none in another, no two of whose members
// are apart. There are at most 2^maxSeries sets to look at.
func cliques(apart [][]bool) [][]int {
	members := func(mask uint) (list []int) {
		for i := range apart {
			if mask>>i&1 == 1 {
				list = append(list, i)
			}
		}
		return list
	}
	var masks []uint
	for mask := range uint(1) << len(apart) {
		all := members(mask)
		differ := slices.ContainsFunc(all, func(i int) bool {
			return slices.ContainsFunc(all, func(j int) bool { return apart[i][j] })
		})
		if !differ && len(all) > 1 {
			masks = append(masks, mask)
		}
	}
	var out [][]int
	for _, mask := range masks {
		if !slices.ContainsFunc(masks, func(other uint) bool { return other != mask && other&mask == mask }) {
			out = append(out, members(mask))
		}
	}
	return out
}

// best is the least mean rank in a clique.
func (t rankTests) best(clique []int) float64 {
	best := math.Inf(1)
	for _, solver := range clique {
		best = min(best, t.mean[solver])
	}
	return best
}

// order are the solvers by their mean rank, the best first.
func (t rankTests) order() []int {
	order := make([]int, len(t.mean))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(t.mean[a], t.mean[b]) })
	return order
}

// chart has a row for each solver, the best on top, and the bars right of the ranks.
func (d ranked) chart() Chart {
	var panels []Panel
	for i, p := range d.panels {
		panels = append(panels, d.panel(p, d.tests[i]))
	}
	return newChart(d.Size, cmp.Or(d.Title, d.ID), panels)
}

func (d ranked) panel(p contestPanel, t rankTests) Panel {
	k := float64(len(d.solvers))
	step := (k - 1) / 14
	drawn := Panel{Title: p.name, Shares: "ranks", X: Axis{Label: "mean of ranks, 1 is the best"}}
	for rank := range d.solvers {
		drawn.X.At = append(drawn.X.At, float64(rank+1))
	}
	row := make([]float64, len(d.solvers))
	means := Series{Name: "mean of ranks", Colour: Palette[0], Shape: circle, Radius: 2.6, Interval: bars}
	for i, solver := range t.order() {
		row[solver] = -float64(i)
		drawn.Y.Names = append(drawn.Y.Names, d.solvers[solver])
		text := lines(d.solvers[solver], p.name, equation("mean rank", exactly(t.mean[solver])), plain.Count(len(p.problems), "problem"))
		means.Points = append(means.Points, Point{estimate{t.mean[solver], 1, t.mean[solver]}, exactly(row[solver]), text})
	}
	drawn.Series = []Series{means}
	for i, clique := range t.cliques {
		joined := Series{Name: "joined: no significant difference", Colour: ink, Width: 2, Shape: circle, Radius: 1.9}
		clique = slices.Clone(clique)
		slices.SortFunc(clique, func(a, b int) int { return cmp.Compare(row[b], row[a]) })
		for _, solver := range clique {
			joined.Points = append(joined.Points, Point{exactly(k + step*float64(i+1)), exactly(row[solver]), lines(d.solvers[solver], "not significantly different: "+d.names(clique))})
		}
		drawn.Series = append(drawn.Series, joined)
	}
	return drawn
}

func (d ranked) names(clique []int) string {
	return strings.Join(lists.Map(clique, func(solver int) string { return d.solvers[solver] }), ", ")
}

func (d ranked) caption(l Labels) []string {
	caption := []string{fmt.Sprintf("Mean rank of each method by its mean of %s over %s, over %s (%s).", l.named(d.Y.Text), d.repeats(), d.problemCount(), problemText)}
	for i, t := range d.tests {
		where := ""
		if d.panels[i].name != "" {
			where = d.panels[i].name + ": "
		}
		caption = append(caption, fmt.Sprintf("%sFriedman's test that no method differs: χ² = %s with %d degrees of freedom, p = %s.", where, format.Number(t.chi2), len(t.mean)-1, format.Number(t.p)))
		if least := 2 * inference.LeastP(true, 1, len(d.panels[i].problems)) * float64(len(t.pairs)); least >= rankLevel {
			caption = append(caption, fmt.Sprintf("%sWith %d problems no difference of two of %d methods can be significant.", where, len(d.panels[i].problems), len(t.mean)))
		}
	}
	kind := map[bool]string{true: "ratios", false: "differences"}[d.tests[0].ratios]
	return append(caption, fmt.Sprintf("Bars join methods of which no two differ significantly: Wilcoxon's signed-rank tests of %s over problems with Holm's correction over pairs, at %s, where Friedman's test rejects.", kind, format.Percent(rankLevel)),
		"Ranks forget how much methods differ: a method may be first everywhere by a hair. They depend on the methods and on the choice of problems.")
}

// numbers has the means with their ranks, the mean ranks, and the tests of pairs.
func (d ranked) numbers() [][]string {
	rows := [][]string{{"plot", "role", "panel", "problem", "method", "other", "mean", "value", "p"}}
	for _, p := range d.panels {
		for i, means := range p.means {
			for solver, rank := range inference.RanksOf(means) {
				rows = append(rows, d.row(p, "rank", p.problem(i), d.solvers[solver], "", format.Value(means[solver]), format.Value(rank), ""))
			}
		}
	}
	for i, t := range d.tests {
		p := d.panels[i]
		for solver, mean := range t.mean {
			rows = append(rows, d.row(p, "mean rank", "", d.solvers[solver], "", "", format.Value(mean), ""))
		}
		rows = append(rows, d.row(p, "friedman", "", "", "", "", format.Value(t.chi2), format.Value(t.p)))
		for _, pair := range t.pairs {
			rows = append(rows, d.row(p, "signed rank", "", d.solvers[pair.a], d.solvers[pair.b], "", format.Value(pair.adjusted), format.Value(pair.p)))
		}
	}
	return rows
}
