package figure

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"mercer/internal/compare"
	"mercer/report/format"
	"mercer/results"
)

// OfHistory draws one series over its runs, with the level between changes.
func OfHistory(runs []compare.Side, s compare.Series, number int) Figure {
	log := slices.Min(s.Values) > 0
	y := extentOf{log: log}
	y.include(s.Values...)
	var p panel
	levels := func(c *draw.Canvas, x, y func(float64) vg.Length) {
		var marks []vg.Point
		for i, v := range s.Values {
			at := vg.Point{X: x(float64(s.Runs[i] + 1)), Y: y(v)}
			marks = append(marks, at)
			c.DrawGlyph(draw.GlyphStyle{Color: looks[0].colour, Radius: radius, Shape: looks[0].shape}, at)
		}
		c.StrokeLines(draw.LineStyle{Color: translucent(looks[0].colour), Width: lineWidth}, marks)
		from := 0
		for k := range len(s.Steps) + 1 {
			to := len(s.Values)
			if k < len(s.Steps) {
				to = s.Steps[k].At
				between := x(float64(s.Runs[to]+1+s.Runs[to-1]+1) / 2)
				c.StrokeLine2(draw.LineStyle{Color: red, Width: 0.8, Dashes: dashes}, between, c.Min.Y, between, c.Max.Y)
			}
			level := results.Summarize(s.Values[from:to], results.DefaultLevel).Median
			c.StrokeLine2(draw.LineStyle{Color: black, Width: lineWidth}, x(float64(s.Runs[from]+1)), y(level), x(float64(s.Runs[to-1]+1)), y(level))
			from = to
		}
	}
	p.layers = []layer{levels}
	for i, v := range s.Values {
		r := runs[s.Runs[i]]
		p.readings = append(p.readings, readingAt(float64(s.Runs[i]+1), v, fmt.Sprintf("run %d, %s", s.Runs[i]+1, r.Manifest.Started), format.Short(r.Manifest.Commit),
			equation(s.Metric, v, math.NaN(), math.NaN())))
	}
	first, last := float64(s.Runs[0]+1), float64(s.Runs[len(s.Runs)-1]+1)
	across := span{first - 0.5, last + 0.5}
	whole := slices.DeleteFunc(linearTicks(across, nil, 8), func(t plot.Tick) bool { return t.Value != math.Trunc(t.Value) })
	p.x = axis{label: "run", span: across, ticks: whole}
	unit := s.Metric
	if s.Unit != "" {
		unit += " (" + s.Unit + ")"
	}
	up := y.span()
	if log {
		p.y = axis{label: unit, span: up.pad(0.08), log: true, ticks: logTicks(up.pad(0.08), 6)}
	} else {
		room := math.Max(0.08*(up.high-up.low), 1e-12)
		up = span{up.low - room, up.high + room}
		p.y = axis{label: unit, span: up, ticks: linearTicks(up, nil, 6)}
	}
	title := fmt.Sprintf("%s of %s on %s, %s", s.Metric, s.Method, s.Dataset, s.Experiment)
	describe := fmt.Sprintf("%s over %s: a mark for each run, a line at the median between changes, dashed lines at changes.", s.Metric, format.Count(len(s.Runs), "run"))
	note := title + "; pooled over " + format.Count(s.Records, "record")
	if s.On != "" {
		note += "; " + s.On
	}
	name := fmt.Sprintf("%s/history-%d-%s.svg", format.FiguresFolder, number+1, format.Slug(s.Experiment+" "+s.Dataset+" "+s.Method+" "+s.Metric))
	return Figure{Path: name, Alt: title, Note: note + ".", Chart: single(title, describe, p, nil)}
}
