package figure

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"mercer/internal/compare"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
)

// HistoryGroups puts series together that one figure shows: those of one metric on one
// data set of an experiment, measured at one place, at most as many as can be told apart.
// Groups with changes are first.
func HistoryGroups(series []compare.Series) [][]compare.Series {
	type key struct{ experiment, profile, dataset, kernel, metric, on string }
	var groups [][]compare.Series
	for _, same := range lists.By(series, func(s compare.Series) key { return key{s.Experiment, s.Profile, s.Dataset, s.Kernel, s.Metric, s.On} }) {
		groups = slices.AppendSeq(groups, slices.Chunk(same, maxSeries))
	}
	calm := func(group []compare.Series) int {
		if slices.ContainsFunc(group, func(s compare.Series) bool { return len(s.Steps) > 0 }) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(groups, func(a, b []compare.Series) int { return calm(a) - calm(b) })
	return groups
}

// OfHistory draws the series of a group over the commits of their runs: each with its
// level between changes, and a line with the commit since which one has changed.
func OfHistory(runs []compare.Side, group []compare.Series, number int) Figure {
	first := group[0]
	var p panel
	var legend []entry
	var shown []int // runs of the group
	log, records := true, 0
	for i, s := range group {
		l, dashes := seriesLook(i)
		layers := historyLayers(runs, s, l, dashes)
		p.layers = append(p.layers, layers...)
		legend = append(legend, entry{s.Method, layers})
		shown = append(shown, s.Runs...)
		log, records = log && slices.Min(s.Values) > 0, records+s.Records
	}
	slices.Sort(shown)
	shown = slices.Compact(shown)
	p.layers = append(p.layers, changeLayers(runs, group)...)
	p.x = axis{label: "commit, in order of runs", span: span{position(shown[0]) - 0.5, position(shown[len(shown)-1]) + 0.5}, ticks: commitTicks(runs, shown)}
	p.y = axis{label: first.Metric, log: log, most: 6}
	if first.Unit != "" {
		p.y.label += " (" + first.Unit + ")"
	}
	panels := []panel{p}
	scale(panels, figureWidth)
	method := first.Method
	if len(group) > 1 {
		method = plain.Count(len(group), "method")
	} else {
		legend = nil
	}
	title := fmt.Sprintf("%s of %s on %s, %s", first.Metric, method, first.Dataset, first.Experiment)
	c := sizedChart("", title, panels, legend)
	c.describe = fmt.Sprintf("%s over %s: a mark for each run, a line at the median between changes, dashed lines with the commit at changes.", first.Metric, plain.Count(len(shown), "run"))
	note := title + "; pooled over " + plain.Count(records, "record")
	if first.On != "" {
		note += "; " + first.On
	}
	name := fmt.Sprintf("%s/history-%d-%s.svg", format.FiguresFolder, number+1, format.Slug(first.Experiment+" "+first.Dataset+" "+method+" "+first.Metric))
	return Figure{Path: name, Alt: title, Note: note + ".", Chart: c}
}

// position is where a run is on the axis.
func position(run int) float64 { return float64(run + 1) }

// historyLayers are a series: its values, joined, and its levels.
func historyLayers(runs []compare.Side, s compare.Series, l look, dashes []vg.Length) []layer {
	values := markLayer(l, nil)
	for i, v := range s.Values {
		m := runs[s.Runs[i]].Manifest
		text := lines(s.Method, fmt.Sprintf("run %d, %s", s.Runs[i]+1, m.Started), format.Short(m.Commit), equation(s.Metric, exactly(v)))
		values.points = append(values.points, point{exactly(position(s.Runs[i])), exactly(v), text})
	}
	joined := layer{look: look{colour: translucent(l.colour)}, width: lineWidth, points: silent(values.points)}
	layers := []layer{joined, values}
	from := 0
	for _, to := range append(stepsOf(s), len(s.Values)) {
		median := exactly(results.Median(s.Values[from:to]))
		layers = append(layers, layer{look: l, width: lineWidth, dashes: dashes,
			points: []point{{x: exactly(position(s.Runs[from])), y: median}, {x: exactly(position(s.Runs[to-1])), y: median}}})
		from = to
	}
	return layers
}

// stepsOf are the places in a series at which it changes.
func stepsOf(s compare.Series) []int {
	return lists.Map(s.Steps, func(step compare.Step) int { return step.At })
}

// changeLayers are the lines before the runs since which a series has changed, and the
// commits of these runs beside them.
func changeLayers(runs []compare.Side, group []compare.Series) []layer {
	change := layer{form: rules, look: look{colour: black}, width: 0.8, dashes: []vg.Length{3.5, 2}}
	commits := layer{form: captions, look: look{colour: black}}
	drawn := map[float64]bool{}
	for _, s := range group {
		for _, to := range stepsOf(s) {
			x := (position(s.Runs[to]) + position(s.Runs[to-1])) / 2
			if drawn[x] {
				continue
			}
			drawn[x] = true
			change.points = append(change.points, point{x: exactly(x), y: estimate{math.Inf(1), math.Inf(-1), math.Inf(1)}})
			commits.points = append(commits.points, point{x: exactly(x), y: exactly(math.Inf(1)), text: commitOf(runs, s.Runs[to])})
		}
	}
	return []layer{change, commits}
}

// commitOf is a short name of a run's commit; the number of the run where it has none.
func commitOf(runs []compare.Side, run int) string {
	if commit := runs[run].Manifest.Commit; commit != "" {
		return commit[:min(len(commit), 7)]
	}
	return fmt.Sprintf("run %d", run+1)
}

// commitTicks has a tick for each run, and a label for as many as there is room for.
func commitTicks(runs []compare.Side, shown []int) []plot.Tick {
	const most = 5
	every := (len(shown) + most - 1) / most
	var ticks []plot.Tick
	for i, run := range shown {
		t := plot.Tick{Value: position(run)}
		if i%every == 0 {
			t.Label = commitOf(runs, run)
		}
		ticks = append(ticks, t)
	}
	return ticks
}
