package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
)

const (
	fieldHeight   = vg.Length(17)
	lowFields     = vg.Length(9) // of many rows
	manyRows      = 20
	besideFields  = vg.Length(55) // room for the labels of rows, about
	narrowColumns = 8             // that fit a column of a page with their numbers
)

// chart draws a panel of fields for each method and facet, below one colour bar.
func (h heatmap) chart() chart {
	s := h.scale()
	rows, columns := 1, 1
	for _, p := range h.panels {
		rows, columns = max(rows, len(p.ys)), max(columns, len(p.xs))
	}
	width, across := widthOf(h.Size, len(h.panels)), 1
	switch {
	case h.Size == "" && columns > narrowColumns:
		width = pageWidth
	case width == pageWidth:
		across = min(len(h.panels), max(1, min(3, 2*narrowColumns/columns)))
	}
	height := fieldHeight
	if rows > manyRows {
		height = lowFields
	}
	panelHeight := vg.Length(rows)*height + 40
	if len(h.panels) > 1 {
		panelHeight += titleHeight
	}
	panels := lists.Map(h.panels, func(p heatPanel) panel { return h.panel(p, s, width/vg.Length(across)-besideFields) })
	c := newChart(cmp.Or(h.Title, h.ID), width, panels, across, panelHeight, h.legend())
	c.addBar(h.bar(s))
	return c
}

// scale is that of the colours of all panels.
func (h heatmap) scale() colourScale {
	e := extent{}
	for _, p := range h.panels {
		for _, f := range p.fields {
			if f.state == valued {
				e.include(f.value)
			}
		}
	}
	e.log = h.Axes.Color == "log" || h.Axes.Color == "" && e.low > 0 && (e.high >= 10*e.low || h.Ratio() == configs.BoundOverTrivial)
	if e.log && h.Ratio() == configs.BoundOverTrivial {
		end := math.Max(1.1, math.Max(e.high, 1/e.low))
		return colourScale{span{1 / end, end}, true, diverging}
	}
	if e.single() || !e.any {
		return colourScale{e.padded(0), e.log, sequential}
	}
	return colourScale{span{e.low, e.high}, e.log, sequential}
}

// panel draws fields; room is their width.
func (h heatmap) panel(p heatPanel, s colourScale, room vg.Length) panel {
	drawn := panel{title: p.name, shares: p.shares(), x: h.columnAxis(p, room), y: h.rowAxis(p)}
	coloured, hatches, crosses := layer{form: fields, width: fieldGap}, hatchLayer(), crossLayer()
	for _, f := range p.fields {
		q := point{x: slotOf(slices.Index(p.xs, f.x)), y: slotOf(h.row(p, f.y))}
		place := fmt.Sprintf("%s = %s, %s = %s", plain.Text(h.X.Text), plain.Text(f.x), plain.Text(h.Y.Text), plain.Text(f.y))
		switch f.state {
		case valued:
			fill := s.colour(f.value)
			coloured.paints = append(coloured.paints, paint{fill: fill, ink: inkOn(fill), number: shortNumber(f.value)})
			q.text = lines(p.name, place, equation(h.label, exactly(f.value)), plain.Count(f.count, "repeat"))
			coloured.points = append(coloured.points, q)
		case notApplicable:
			q.text = lines(p.name, place, "the theorem does not apply")
			hatches.points = append(hatches.points, q)
		default:
			q.text = lines(p.name, place, equation(h.label, exactly(f.value)), "no value")
			crosses.points = append(crosses.points, q)
		}
	}
	drawn.layers = []layer{coloured, hatches, crosses}
	return drawn
}

func hatchLayer() layer { return layer{form: hatched, look: look{colour: grey}, width: hairline} }

func crossLayer() layer { return layer{form: crossed, look: look{colour: grey}, width: hairline} }

// slotOf is the interval of a row or column by its number.
func slotOf(i int) estimate {
	v := float64(i)
	return estimate{v, v - 0.5, v + 0.5}
}

// row is the number of a value of y: numbers rise, names begin on top.
func (h heatmap) row(p heatPanel, y string) int {
	i := slices.Index(p.ys, y)
	if named(h.Y.Text) {
		return len(p.ys) - 1 - i
	}
	return i
}

// named says whether a column has names, not numbers.
func named(column string) bool {
	return slices.Contains([]string{"dataset", "kernel", "method"}, column)
}

// columnAxis labels as many columns as there is room for.
func (h heatmap) columnAxis(p heatPanel, room vg.Length) axis {
	style := textStyle(tickSize)
	each, widest := room/vg.Length(len(p.xs)), vg.Length(0)
	words := valueLabels(h.X.Text, p.xs)
	for i := range words {
		if named(h.X.Text) {
			words[i] = fit(words[i], style, each-2)
		}
		widest = max(widest, style.Width(words[i]))
	}
	step := max(1, int(math.Ceil(float64((widest+3)/each))))
	a := axis{label: plain.Text(h.X.Text), span: span{-0.5, float64(len(p.xs)) - 0.5}, plain: true}
	for i, word := range words {
		if i%step == 0 {
			a.ticks = append(a.ticks, plot.Tick{Value: float64(i), Label: word})
		}
	}
	return a
}

// rowAxis labels every row.
func (h heatmap) rowAxis(p heatPanel) axis {
	a := axis{label: plain.Text(h.Y.Text), span: span{-0.5, float64(len(p.ys)) - 0.5}, plain: true}
	for i, word := range valueLabels(h.Y.Text, p.ys) {
		a.ticks = append(a.ticks, plot.Tick{Value: float64(h.row(p, p.ys[i])), Label: fit(word, textStyle(tickSize), besideFields)})
	}
	return a
}

// valueLabels are the labels of the values of a column, those of large numbers as powers
// of ten.
func valueLabels(column string, values []string) []string {
	var words []string
	var numbers []float64
	for _, v := range values {
		words = append(words, plain.Text(v))
		if x, err := strconv.ParseFloat(v, 64); err == nil && !named(column) {
			numbers = append(numbers, x)
		}
	}
	if len(numbers) == len(values) && slices.Max(numbers) >= 1e6 && slices.Min(numbers) > 0 {
		return labels(numbers, true)
	}
	return words
}

// legend explains the fields without a colour.
func (h heatmap) legend() []entry {
	var entries []entry
	if h.any(func(f field) bool { return f.state == notApplicable }) {
		entries = append(entries, entry{"the theorem does not apply", []layer{hatchLayer()}})
	}
	if h.any(func(f field) bool { return f.state == valueless }) {
		entries = append(entries, entry{"no value", []layer{crossLayer()}})
	}
	return entries
}

// bar is the colour bar, as a panel.
func (h heatmap) bar(s colourScale) *panel {
	stripe := layer{form: fields}
	for i := range shades {
		low, middle, high := s.at(float64(i)/shades), s.at((float64(i)+0.5)/shades), s.at(float64(i+2)/shades) // each hides the seam of the one before
		stripe.points = append(stripe.points, point{x: estimate{middle, low, high}, y: slotOf(0)})
		stripe.paints = append(stripe.paints, paint{fill: s.colour(middle)})
	}
	bar := panel{x: axis{label: h.label, log: s.log, span: s.span, most: 6}, y: axis{names: []string{""}}, layers: []layer{stripe}}
	bar.x.fit(extent{}, figureWidth)
	bar.y.fit(extent{}, figureWidth)
	return &bar
}

// shortNumber writes v with two significant digits in as little room as there is.
func shortNumber(v float64) string {
	v = format.RoundedTo(v, 2)
	if size := math.Abs(v); v == 0 || size >= 0.001 && size < 1e4 {
		return format.Minus(strconv.FormatFloat(v, 'f', -1, 64))
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	sign := strings.TrimRight(exponent[:1], "+")
	return format.Minus(mantissa + "e" + sign + strings.TrimLeft(exponent[1:], "0"))
}
