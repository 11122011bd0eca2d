package views

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/stat"

	"mercer/internal/inference"
	"mercer/internal/lists"
	"mercer/results"
)

// contest is the cells that have values of a quantity, and what decides which of them is better.
type contest struct {
	cells  []cell
	place  map[results.Key]int // of each cell
	sign   float64             // 1 where less is better, -1 where more is, 0 where neither is
	exact  []string            // methods that others approximate, which do not compete
	means  []float64           // of the cells, times sign
	varies map[string]bool     // methods whose values differ between repeats; others do not compete
	meets  func(results.Key) []int
}

// placeOf is the key by which cells of different methods meet.
func placeOf(c cell) results.Key { return c.at.Without("method") }

func newContest(cells []cell, of results.MetricInfo) *contest {
	t := &contest{place: map[results.Key]int{}, varies: map[string]bool{}}
	if !of.Part {
		t.sign = map[string]float64{"less": 1, "more": -1}[of.Better]
	}
	t.cells = lists.Where(cells, func(c cell) bool { return len(c.values) > 0 })
	for i, c := range t.cells {
		values, method := c.inOrder(), c.at.Text("method")
		t.place[c.at] = i
		t.means = append(t.means, t.sign*stat.Mean(values, nil))
		t.varies[method] = t.varies[method] || slices.Min(values) < slices.Max(values)
	}
	t.meets = results.Meeters(lists.Map(t.cells, placeOf))
	return t
}

// contest is that of the cells of the run in a metric.
func (r *Report) contest(metric string) *contest {
	if r.contests[metric] == nil {
		t := newContest(lists.Map(r.cells(), func(c results.Group) cell { return cellOf(c, ofMetric(metric)) }), r.Run.Catalog.Metrics[metric])
		if !results.IsCost(metric) {
			t.exact = r.exact
		}
		r.contests[metric] = t
	}
	return r.contests[metric]
}

// may says whether the method of a cell may be the best.
func (t *contest) may(i int) bool {
	method := t.cells[i].at.Text("method")
	return t.sign != 0 && t.varies[method] && !slices.Contains(t.exact, method)
}

// competes says whether the method of a cell may be the best, and meets one of the shown cells that
// may be too.
func (t *contest) competes(i int, shown map[results.Key]bool) bool {
	return t.may(i) && slices.ContainsFunc(t.meets(placeOf(t.cells[i])), func(k int) bool {
		return shown[t.cells[k].at] && t.may(k) && t.cells[k].at.Text("method") != t.cells[i].at.Text("method")
	})
}

// best says whether a cell is better beyond doubt than each cell of another method that it meets:
// that has the same value in every column that both have, so that a method without m is held
// against all m. Methods without spread do not compete, but must not be as good. Nor does a cell of
// which repeats failed: those that did not fail may be the easy ones. At a place all of whose
// methods are equal the chance of a best is at most 0.05.
func (t *contest) best(i int) bool {
	c := t.cells[i]
	method := c.at.Text("method")
	if !t.may(i) || c.lost {
		return false
	}
	var rivals []cell
	for _, k := range t.meets(placeOf(c)) {
		other := t.cells[k]
		name := other.at.Text("method")
		switch {
		case name == method || slices.Contains(t.exact, name) || t.varies[name] && other.lost:
		case t.means[k] <= t.means[i]:
			return false
		case t.varies[name]:
			rivals = append(rivals, other)
		}
	}
	return len(rivals) > 0 && t.beats(c, rivals)
}

// tied are the competing cells, of those given, that are not told apart from the one with the best mean, if
// there are several: Holm's p of each difference from it is 0.05 or more.
func (t *contest) tied() map[results.Key]bool {
	var rivals []int
	for i, c := range t.cells {
		if t.may(i) && !c.lost {
			rivals = append(rivals, i)
		}
	}
	if len(rivals) < 2 {
		return nil
	}
	best := slices.MinFunc(rivals, func(a, b int) int { return cmp.Compare(t.means[a], t.means[b]) })
	rivals = lists.Where(rivals, func(i int) bool { return i != best })
	p := lists.Map(rivals, func(i int) float64 {
		return inference.Comparison{Level: results.DefaultLevel}.Of(t.cells[best].values, t.cells[i].values).P
	})
	tied := map[results.Key]bool{}
	for k, adjusted := range inference.Holm(p) {
		if adjusted >= 1-results.DefaultLevel {
			tied[t.cells[best].at], tied[t.cells[rivals[k]].at] = true, true
		}
	}
	return tied
}

// beats says whether c is better than each rival, with p below 0.05 after Holm's correction, see
// inference.Comparison.
func (t *contest) beats(c cell, rivals []cell) bool {
	p := lists.Map(rivals, func(rival cell) float64 {
		d := inference.Comparison{Level: results.DefaultLevel}.Of(c.values, rival.values)
		if !(t.sign*d.Mean > 0) {
			return 1
		}
		return d.P
	})
	for k, adjusted := range inference.Holm(p) {
		// Repeats that are still missing might be the hard ones.
		if adjusted >= 1-results.DefaultLevel || len(c.values) < len(rivals[k].values) {
			return false
		}
	}
	return true
}
