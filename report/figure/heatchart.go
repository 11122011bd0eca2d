package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

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
	narrowColumns = 8 // that fit a column of a page with their numbers
)

// chart draws a panel of fields for each method and facet, below one colour bar.
func (h heatmap) chart() Chart {
	colours := h.colours()
	c := newChart(h.Size, cmp.Or(h.Title, h.ID), lists.Map(h.panels, func(p heatPanel) Panel { return h.panel(p, *colours) }))
	rows, columns := 1, 1
	for _, p := range h.panels {
		rows, columns = max(rows, len(p.ys)), max(columns, len(p.xs))
	}
	if h.Size == "" && columns > narrowColumns {
		c.Width = pageWidth
	}
	c.Columns = 1
	if c.Width == pageWidth {
		c.Columns = min(len(h.panels), max(1, min(3, 2*narrowColumns/columns)))
	}
	height := fieldHeight
	if rows > manyRows {
		height = lowFields
	}
	c.PanelHeight = vg.Length(rows)*height + 42
	if len(h.panels) > 1 {
		c.PanelHeight += 12
	}
	c.Bar, c.BarLabel = colours, h.label
	return c
}

// colours are the colours of all panels, with their ends.
func (h heatmap) colours() *heatField {
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range h.panels {
		for _, f := range p.fields {
			if f.state == valued {
				low, high = min(low, f.value), max(high, f.value)
			}
		}
	}
	trivial := h.Ratio() == configs.BoundOverTrivial
	c := &heatField{low: low, high: high, colours: sequential}
	c.log = h.Axes.Color == "log" || h.Axes.Color == "" && low > 0 && (high >= 10*low || trivial)
	switch {
	case low > high:
		c.low, c.high = 1, 10
	case c.log && trivial:
		end := max(1.1, high, 1/low)
		c.low, c.high, c.colours = 1/end, end, diverging
	case high-low <= 1e-8*max(math.Abs(low), math.Abs(high)):
		half := max(0.1*math.Abs(high), 1e-12)
		c.low, c.high = low-half, high+half
	}
	return c
}

// panel draws fields. A cross marks one without a value, a box one where the theorem does not
// apply.
func (h heatmap) panel(p heatPanel, colours heatField) Panel {
	ys, position := slices.Clone(p.ys), func(y string) int { return slices.Index(p.ys, y) }
	if !named(h.Y.Text) { // numbers rise, names begin on top
		slices.Reverse(ys)
		position = func(y string) int { return len(ys) - 1 - slices.Index(p.ys, y) }
	}
	colours.values, colours.numbers = make([][]float64, len(ys)), make([][]string, len(ys))
	for i := range ys {
		colours.values[i], colours.numbers[i] = slices.Repeat([]float64{math.NaN()}, len(p.xs)), make([]string, len(p.xs))
	}
	empty := map[fieldState]*Series{
		notApplicable: {Name: "the theorem does not apply", Colour: quiet, Shape: square, Hollow: true, Radius: 2.5},
		valueless:     {Name: "no value", Colour: quiet, Shape: cross, Hollow: true, Radius: 2.5},
	}
	for _, f := range p.fields {
		x, y := slices.Index(p.xs, f.x), position(f.y)
		place := fmt.Sprintf("%s = %s, %s = %s", plain.Text(h.X.Text), plain.Text(f.x), plain.Text(h.Y.Text), plain.Text(f.y))
		text := lines(p.name, place, equation(h.label, exactly(f.value)))
		if s := empty[f.state]; s != nil {
			s.Points = append(s.Points, Point{X: exactly(float64(x)), Y: exactly(-float64(y))})
			text = lines(text, s.Name)
		} else {
			colours.values[y][x], colours.numbers[y][x] = f.value, shortNumber(f.value)
			text = lines(text, plain.Count(f.count, "repeat"))
		}
		colours.readings = append(colours.readings, Reading{X: float64(x), Y: -float64(y), Text: text})
	}
	drawn := Panel{Title: p.name, Shares: p.shares(), Heat: &colours, X: Axis{Label: plain.Text(h.X.Text), Names: valueLabels(h.X.Text, p.xs)}, Y: Axis{Label: plain.Text(h.Y.Text), Names: valueLabels(h.Y.Text, ys)}}
	for _, state := range []fieldState{notApplicable, valueless} {
		if len(empty[state].Points) > 0 {
			drawn.Series = append(drawn.Series, *empty[state])
		}
	}
	return drawn
}

// named says whether a column has names, not numbers.
func named(column string) bool {
	return slices.Contains([]string{"dataset", "kernel", "method"}, column)
}

// valueLabels are the labels of the values of a column, those of large numbers as powers
// of ten.
func valueLabels(column string, values []string) []string {
	var numbers []float64
	for _, v := range values {
		if x, err := strconv.ParseFloat(v, 64); err == nil && !named(column) {
			numbers = append(numbers, x)
		}
	}
	if len(numbers) < len(values) || slices.Max(numbers) < 1e6 || slices.Min(numbers) <= 0 {
		return lists.Map(values, plain.Text)
	}
	var labels []string
	for _, t := range labelled(numbers, true) {
		labels = append(labels, t.Label)
	}
	return labels
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
