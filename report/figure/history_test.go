package figure

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mercer/internal/compare"
	"mercer/results"
)

// TestHistory: methods of a metric share a figure, whose ticks are commits; a change of one
// of them has its line, with the commit since which it is there.
func TestHistory(t *testing.T) {
	var runs []compare.Side
	var places []int
	for i := range 12 {
		runs = append(runs, compare.Side{Manifest: results.Manifest{Commit: strings.Repeat(fmt.Sprintf("c%02d", i), 13)}})
		places = append(places, i)
	}
	runs[9].Manifest.Commit = ""
	series := func(method, metric string, steps ...int) compare.Series {
		s := compare.Series{Experiment: "e", Group: compare.Group{Dataset: "d", Method: method}, Metric: metric, Runs: places, Values: make([]float64, len(places)), Records: 3}
		for i := range s.Values {
			s.Values[i] = 1
		}
		for _, at := range steps {
			s.Steps = append(s.Steps, compare.Step{At: at, Before: 1, After: 1})
		}
		return s
	}
	all := []compare.Series{series("calm", "other"), series("a", "error", 5), series("b", "error", 5, 9), series("c", "error")}
	for i := range maxSeries {
		all = append(all, series(fmt.Sprint("many", i), "other"))
	}
	groups := HistoryGroups(all)
	var sizes []int
	for _, g := range groups {
		sizes = append(sizes, len(g))
	}
	if !slices.Equal(sizes, []int{3, maxSeries, 1}) || groups[0][0].Method != "a" {
		t.Fatalf("groups of %v series, the first of %s; want that with changes first, and none of more than %d", sizes, groups[0][0].Method, maxSeries)
	}
	f := OfHistory(runs, groups[0], 0)
	var methods, labels, captioned []string
	for _, e := range f.Chart.blocks[0] {
		methods = append(methods, e.text)
	}
	p := f.Chart.panels[0]
	for _, tick := range p.x.ticks {
		if tick.Label != "" {
			labels = append(labels, tick.Label)
		}
	}
	for _, q := range p.points(func(l layer) bool { return l.form == captions }) {
		captioned = append(captioned, fmt.Sprint(q.text, " at ", q.x.value))
	}
	if want := []string{"a", "b", "c"}; !slices.Equal(methods, want) {
		t.Errorf("the legend has %v, want %v", methods, want)
	}
	if want := []string{"c00c00c", "c03c03c", "c06c06c", "run 10"}; !slices.Equal(labels, want) || len(p.x.ticks) != 12 {
		t.Errorf("%d ticks, with labels %v, want 12 with %v", len(p.x.ticks), labels, want)
	}
	if want := []string{"c05c05c at 5.5", "run 10 at 9.5"}; !slices.Equal(captioned, want) {
		t.Errorf("changes %v, want %v", captioned, want)
	}
	if _, err := f.Chart.Svg(); err != nil {
		t.Error(err)
	}
	if alone := OfHistory(runs, groups[2], 2); len(alone.Chart.legend) != 0 {
		t.Error("a legend of one series")
	}
}
