package views

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"mercer/configs"
	"mercer/internal/inference"
	"mercer/internal/lists"
	"mercer/report/format"
	"mercer/results"
)

// Ranking is the mean rank of each method over problems, the best first, with the p of its difference
// from the best. A problem is a data set with a kernel; its cells and their repeats are averaged
// first. Methods with one label are one, such as random features of two kernels.
//
// Reference: Demšar, Statistical comparisons of classifiers over multiple data sets, JMLR 7
// (2006), with signed ranks of pairs as Benavoli, Corani & Mangili, Should we really use post-hoc
// tests based on mean-ranks?, JMLR 17 (2016), ask for, and Bonferroni's correction over all pairs.
type Ranking struct {
	configs.Ranking
	Table
	Problems int     // on which all methods have a value
	P        float64 // of Friedman's test that no method differs
	Problem  string  // why there is no table
}

// Ranks are those of the spec.
func (r *Report) Ranks() []Ranking { return lists.Map(r.Run.Spec.Ranks, r.ranking) }

func (r *Report) ranking(spec configs.Ranking) Ranking {
	t := Ranking{Ranking: spec}
	t.Columns = columns("Method", ">Mean rank", ">p against the best")
	of, err := r.Run.Quantity(spec.Of)
	rows, noRow := r.Run.Select(spec.Where)
	if err = cmp.Or(err, noRow); err != nil {
		t.Problem = err.Error()
		return t
	}

	problems, names, values := []results.Key{}, []string{}, map[results.Key]map[string][]float64{}
	for _, row := range rows {
		at, name := row.At.Only("dataset", "kernel"), cmp.Or(r.Names.Label(row.Method()), row.Method())
		if values[at] == nil {
			problems, values[at] = append(problems, at), map[string][]float64{}
		}
		if v, err := of.Value(row); err == nil {
			names, values[at][name] = append(names, name), append(values[at][name], v)
		}
	}
	names = lists.Once(names)
	means := lists.Map(problems, func(at results.Key) []float64 {
		return lists.Map(names, func(name string) float64 { return stat.Mean(values[at][name], nil) })
	})
	means = slices.DeleteFunc(means, func(row []float64) bool { return slices.ContainsFunc(row, math.IsNaN) })
	if t.Problems = len(means); t.Problems < 2 || len(names) < 2 {
		t.Problem = "ranks need two methods, and two problems on which all have a value"
		return t
	}
	t.fill(names, means)
	return t
}

// fill adds a row for each method, from its mean on each problem.
func (t *Ranking) fill(names []string, means [][]float64) {
	sample := func(method int) inference.Sample {
		s := inference.Sample{}
		for problem, row := range means {
			s[problem] = row[method]
		}
		return s
	}
	ranks, _, friedman := inference.Friedman(means)
	t.P = friedman
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ranks[a], ranks[b]) })
	pairs := float64(len(names)*(len(names)-1)) / 2
	for i, method := range order {
		row := Row(names[method], format.Number(ranks[method]), "")
		if i > 0 {
			p := inference.Comparison{Level: results.DefaultLevel, Ranks: true}.Of(sample(order[0]), sample(method)).P
			row[2].Text = format.Number(min(1, p*pairs))
		}
		t.Rows = append(t.Rows, row)
	}
}
