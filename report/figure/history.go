package figure

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"mercer/internal/compare"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
)

// OfHistory draws one series over its runs, with the level between changes.
func OfHistory(runs []compare.Side, s compare.Series, number int) Figure {
	at := func(i int) float64 { return float64(s.Runs[i] + 1) }
	means := markLayer(looks[0], nil)
	joined := layer{look: look{colour: translucent(blue)}, width: lineWidth}
	for i, v := range s.Values {
		m := runs[s.Runs[i]].Manifest
		text := lines(fmt.Sprintf("run %g, %s", at(i), m.Started), format.Short(m.Commit), equation(s.Metric, exactly(v)))
		means.points = append(means.points, point{exactly(at(i)), exactly(v), text})
	}
	joined.points = silent(means.points)
	p := panel{layers: []layer{joined, means}}
	change := layer{form: rules, look: look{colour: red}, width: 0.8, dashes: []vg.Length{3.5, 2}}
	from := 0
	for k := range len(s.Steps) + 1 {
		to := len(s.Values)
		if k < len(s.Steps) {
			to = s.Steps[k].At
			change.points = append(change.points, point{x: exactly((at(to) + at(to-1)) / 2), y: estimate{math.Inf(1), math.Inf(-1), math.Inf(1)}})
		}
		median := exactly(results.Median(s.Values[from:to]))
		p.layers = append(p.layers, layer{look: look{colour: black}, width: lineWidth, points: []point{{x: exactly(at(from)), y: median}, {x: exactly(at(to - 1)), y: median}}})
		from = to
	}
	p.layers = append(p.layers, change)
	across := span{at(0) - 0.5, at(len(s.Runs)-1) + 0.5}
	whole := slices.DeleteFunc(across.ticks(false, nil, 8), func(t plot.Tick) bool { return t.Value != math.Trunc(t.Value) })
	p.x = axis{label: "run", span: across, ticks: whole}
	p.y = axis{label: s.Metric, log: slices.Min(s.Values) > 0, most: 6}
	if s.Unit != "" {
		p.y.label += " (" + s.Unit + ")"
	}
	panels := []panel{p}
	scale(panels, figureWidth)
	title := fmt.Sprintf("%s of %s on %s, %s", s.Metric, s.Method, s.Dataset, s.Experiment)
	describe := fmt.Sprintf("%s over %s: a mark for each run, a line at the median between changes, dashed lines at changes.", s.Metric, plain.Count(len(s.Runs), "run"))
	note := title + "; pooled over " + plain.Count(s.Records, "record")
	if s.On != "" {
		note += "; " + s.On
	}
	name := fmt.Sprintf("%s/history-%d-%s.svg", format.FiguresFolder, number+1, format.Slug(s.Experiment+" "+s.Dataset+" "+s.Method+" "+s.Metric))
	return Figure{Path: name, Alt: title, Note: note + ".", Chart: columnChart(title, describe, panels)}
}
