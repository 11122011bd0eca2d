package figure

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
)

// markStyles are the lines of reference values, by label.
var markStyles = []layer{
	{look: look{colour: black}, width: 0.7, dashes: []vg.Length{1, 1.5}},
	{look: look{colour: black}, width: 0.7, dashes: []vg.Length{6, 2}},
	{look: look{colour: black}, width: 0.7, dashes: []vg.Length{6, 1.5, 1, 1.5}},
	{look: look{colour: grey}, width: 0.7},
}

// theoryDashes are those of the theory's curves, by number.
var theoryDashes = [][]vg.Length{{3.5, 2}, {1.2, 1.5}, {6, 1.5, 1, 1.5}, {6, 2, 2, 2}}

// fewPoints is how many points of a trajectory are marked each.
const fewPoints = 12

// frontText is what the legend calls the front of a pareto plot.
const frontText = "front of the means"

// lineChart draws line, trajectory and pareto plots.
func (d plotted) lineChart() chart {
	var panels []panel
	for _, p := range d.panels {
		drawn := panel{title: p.name, shares: p.shares(), layers: d.lineLayers(p),
			x: axis{label: d.xName, log: d.Axes.X == "log", most: 6}, y: axis{label: d.yName, log: d.Axes.Y == "log", most: 6}}
		if len(d.panels) > 1 {
			drawn.x.most = 5
		}
		if d.Kind == configs.PlotLine {
			for _, s := range p.seriesOf(measured) {
				for _, q := range s.points {
					drawn.x.positions = append(drawn.x.positions, q.x.value)
				}
			}
		}
		panels = append(panels, drawn)
	}
	scale(panels, pageWidth)
	return sizedChart(d.Size, cmp.Or(d.Title, d.ID), panels, d.lineLegend(), d.keys(panels))
}

// lineLayers draw what is for comparison first, then bands, lines and marks.
func (d plotted) lineLayers(p plotPanel) []layer {
	layers := lists.Map(p.seriesOf(floor), func(s plotSeries) layer { return floorLayer(s.drawn(nil)) })
	for _, s := range p.seriesOf(mark) {
		l := d.markLayer(s.label, s.points[0])
		l.points = s.drawn(func(q plotPoint) string {
			return lines(s.label, equation(d.xName, exactly(q.x.value)), equation(d.yName, exactly(q.y.value)))
		})
		layers = append(layers, l.named(s.label))
	}
	if d.Kind == configs.PlotPareto {
		layers = append(layers, frontLayer(p).named(frontText))
	}
	for _, s := range p.seriesOf(measured) {
		if look, _ := d.look(s.number); d.Kind != configs.PlotPareto {
			layers = append(layers, layer{form: band, points: s.drawn(nil), reach: 1, look: look}.named(d.names[s.number], d.bandText()))
		}
	}
	for _, s := range p.seriesOf(theory) {
		look, _ := d.look(s.number)
		layers = append(layers, layer{points: s.drawn(nil), reach: 1, look: look, width: 0.8, dashes: theoryDashes[s.curve]}.named(d.names[s.number], d.theories[s.curve]))
	}
	for _, dashed := range []bool{false, true} { // which leaves what lies below to be seen
		for _, s := range p.seriesOf(measured) {
			if d.exact[s.number] == dashed {
				layers = append(layers, all(d.seriesLayers(p, s), d.names[s.number])...)
			}
		}
	}
	return layers
}

// seriesLayers are a line with error bars where it has no band, and its marks.
func (d plotted) seriesLayers(p plotPanel, s plotSeries) []layer {
	points := s.drawn(func(q plotPoint) string {
		where, front := "", ""
		if d.Kind != configs.PlotLine {
			where = plain.Text(format.PlainWhere(q.cell))
		}
		if q.front {
			front = "on the front"
		}
		name := d.names[s.number]
		if p.name != "" {
			name += ", " + p.name
		}
		return lines(name, where, equation(d.xName, q.x), equation(d.yName, q.y), "mean of "+plain.Count(len(q.values), "repeat"), front)
	})
	look, dashes := d.look(s.number)
	bars := layer{form: errorBars, points: points, reach: 1, look: look, width: 0.6}.named(d.bandText())
	joined := layer{points: points, look: look, width: lineWidth, dashes: dashes}
	switch {
	case d.Kind == configs.PlotPareto:
		return []layer{bars, markLayer(look, points)}
	case d.Kind == configs.PlotTrajectory && len(points) > fewPoints:
		return []layer{joined}
	case len(points) == 1:
		return []layer{bars, markLayer(look, points)}
	}
	return []layer{joined, markLayer(look, points)}
}

// frontLayer joins the points of a front by the steps of what they reach.
func frontLayer(p plotPanel) layer {
	var front []plotPoint
	for _, s := range p.seriesOf(measured) {
		for _, q := range s.points {
			if q.front {
				front = append(front, q)
			}
		}
	}
	slices.SortFunc(front, func(a, b plotPoint) int { return cmp.Compare(a.x.value, b.x.value) })
	l := layer{look: look{colour: grey}, width: 0.8, dashes: []vg.Length{2, 1.5}}
	before := math.Inf(1)
	for _, q := range front {
		l.points = append(l.points, point{x: exactly(q.x.value), y: exactly(before)}, point{x: exactly(q.x.value), y: exactly(q.y.value)})
		before = q.y.value
	}
	l.points = append(l.points, point{x: exactly(math.Inf(1)), y: exactly(before)})
	return l
}

// markReach lets axes reach for a point that a spec gives, where that does not crush
// what is measured.
const markReach = 3

// markLayer is how a reference value of a label is drawn: a cross, or a line from end
// to end of the axis.
func (d plotted) markLayer(label string, q plotPoint) layer {
	if plain.Finite(q.x.value) && plain.Finite(q.y.value) {
		return layer{form: marks, reach: markReach, look: look{black, draw.PlusGlyph{}}, radius: 3}
	}
	l := markStyles[slices.Index(d.markLabels(), label)%len(markStyles)]
	l.form, l.reach = rules, 1
	return l
}

// markLabels are those of all marks, in the plot's order.
func (d plotted) markLabels() []string {
	return lists.Once(lists.Map(d.Marks, func(m configs.Mark) string { return plain.Text(m.Label) }))
}

func (d plotted) lineLegend() []entry {
	var entries []entry
	for i, name := range d.names {
		look, dashes := d.look(i)
		icon := []layer{markLayer(look, nil)}
		if d.Kind != configs.PlotPareto {
			icon = append(icon, layer{look: look, width: lineWidth, dashes: dashes})
		}
		entries = append(entries, entry{name, icon})
	}
	return entries
}

// keys explain what else there is to know of a plot.
func (d plotted) keys(panels []panel) []entry {
	var keys []entry
	for k, label := range d.theories {
		if d.has(func(s plotSeries) bool { return s.role == theory && s.curve == k }) {
			keys = append(keys, entry{label, []layer{{look: look{colour: black}, width: 0.8, dashes: theoryDashes[k]}}})
		}
	}
	keys = append(keys, floorEntry(panels)...)
	for _, label := range d.markLabels() {
		for _, p := range d.panels {
			i := slices.IndexFunc(p.series, func(s plotSeries) bool { return s.role == mark && s.label == label })
			if i < 0 {
				continue
			}
			icon := d.markLayer(label, p.series[i].points[0])
			if icon.form == rules {
				icon.form = line
			}
			keys = append(keys, entry{label, []layer{icon}})
			break
		}
	}
	if d.Kind == configs.PlotPareto {
		keys = append(keys, entry{frontText, []layer{frontLayer(plotPanel{})}})
	}
	if text := d.bandText(); text != "" {
		icon := layer{form: band, look: look{colour: black}, width: hairline} // outlined: no series looks so
		if d.Rows() || d.Kind == configs.PlotPareto {
			icon = layer{form: errorBars, look: icon.look, width: 0.7}
		}
		keys = append(keys, entry{text, []layer{icon}})
	}
	return keys
}

// bandText says what intervals are; "" when there are none.
func (d plotted) bandText() string {
	bounded := func(q plotPoint) bool { return q.y.bounded() }
	switch {
	case !d.has(func(s plotSeries) bool { return s.role == measured && slices.ContainsFunc(s.points, bounded) }):
		return ""
	case d.Band == "sd":
		return "standard deviation"
	}
	return "95 % t interval"
}
