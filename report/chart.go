package report

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A figure is as wide as a column of a two-column paper; legends of more than
// two rows make it higher than figureHeight, so that the axes keep their size.
const (
	figureWidth  = 84 * vg.Millimeter
	figureHeight = 63 * vg.Millimeter
	tickSize     = 7.0 // points; the smallest text of a figure
	labelSize    = 8.0
	legendRow    = vg.Length(10)
	legendRows   = 2 // that figureHeight has room for
	iconWidth    = vg.Length(18)
	iconGap      = vg.Length(4)
	margin       = vg.Length(3)
	hairline     = vg.Length(0.5)
)

// chart is a log–log figure made ready to be drawn.
type chart struct {
	title, describe string // for readers that cannot see it
	xLabel, yLabel  string
	x, y            span
	layers          []layer   // drawn in order
	positions       []float64 // labelled on the x axis where there is room
	legend          [][]entry // blocks below each other
}

// layer draws something in the coordinates of a chart's axes.
type layer func(c *draw.Canvas, x, y func(float64) vg.Length)

// Plot makes a layer a plotter.
func (l layer) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	l(&c, x, y)
}

// entry is a line of the legend; icon draws into a canvas of iconWidth.
type entry struct {
	icon func(c *draw.Canvas)
	text string
}

// height is that of the whole figure.
func (c chart) height() vg.Length {
	extra := len(c.rows()) - legendRows
	return figureHeight + vg.Length(max(0, extra))*legendRow
}

// svg renders the chart.
func (c chart) svg() ([]byte, error) {
	canvas := vgsvg.New(figureWidth, c.height())
	c.draw(draw.New(canvas))
	var text bytes.Buffer
	if _, err := canvas.WriteTo(&text); err != nil {
		return nil, fmt.Errorf("report: figure: %w", err)
	}
	before, after, _ := bytes.Cut(text.Bytes(), []byte("xlink\">\n"))
	named := fmt.Sprintf("xlink\"\n\trole=\"img\">\n<title>%s</title>\n<desc>%s</desc>\n",
		html.EscapeString(printable(c.title)), html.EscapeString(printable(c.describe)))
	return bytes.Join([][]byte{before, []byte(named), after}, nil), nil
}

// draw lays the chart out: the legend on top, where it hides nothing, then the
// axes with their labels.
func (c chart) draw(canvas draw.Canvas) {
	canvas.SetColor(color.White)
	canvas.Fill(canvas.Rectangle.Path())
	rows := c.rows()
	drawLegend(canvas, rows)
	label := textStyle(labelSize, false)
	side := label.Height("0") + 4
	area := draw.Crop(canvas, margin+side, -margin, margin+side, -margin-vg.Length(len(rows))*legendRow-2)
	p := c.axes()
	p.Draw(area)
	inner := p.DataCanvas(area)

	label.XAlign, label.YAlign = draw.XCenter, draw.YBottom
	depth := label.FontExtents().Descent
	center := inner.Center()
	canvas.FillText(label, vg.Point{X: center.X, Y: canvas.Min.Y + margin + depth}, fit(c.xLabel, label, inner.Size().X))
	label.Rotation = math.Pi / 2
	canvas.FillText(label, vg.Point{X: canvas.Min.X + margin + side - 4 - depth, Y: center.Y}, fit(c.yLabel, label, inner.Size().Y))
}

// axes is a plot without labels and legend.
func (c chart) axes() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = c.x.low, c.x.high, c.y.low, c.y.high
	p.X.Tick.Marker = plot.ConstantTicks(positionTicks(c.x, c.positions))
	p.Y.Tick.Marker = plot.ConstantTicks(logTicks(c.y, 6))
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Scale = plot.LogScale{}
		axis.Padding = 0
		axis.Width, axis.Tick.Width = hairline, hairline
		axis.Tick.Length = 4
		style := textStyle(tickSize, false)
		style.XAlign, style.YAlign = axis.Tick.Label.XAlign, axis.Tick.Label.YAlign
		axis.Tick.Label, axis.Label.TextStyle = style, style
	}
	grid := plotter.NewGrid()
	grid.Vertical = draw.LineStyle{Color: faint, Width: hairline}
	grid.Horizontal = grid.Vertical
	p.Add(grid)
	for _, l := range c.layers {
		p.Add(l)
	}
	return p
}

// legendStyle is that of the legend's text.
func legendStyle() draw.TextStyle {
	style := textStyle(tickSize, false)
	style.YAlign = draw.YCenter
	return style
}

// rows arranges the legend: of each block, as many entries a row as there is
// room for, in columns of equal width.
func (c chart) rows() []legendLine {
	style := legendStyle()
	var rows []legendLine
	for _, block := range c.legend {
		widest := vg.Length(0)
		for _, e := range block {
			widest = max(widest, style.Width(e.text))
		}
		columns := max(1, int((figureWidth-2*margin)/(iconWidth+iconGap+widest+iconGap)))
		for part := range slices.Chunk(block, columns) {
			rows = append(rows, legendLine{part, columns})
		}
	}
	return rows
}

// legendLine is one row of a legend's block.
type legendLine struct {
	entries []entry
	columns int // of the whole block
}

func drawLegend(canvas draw.Canvas, rows []legendLine) {
	style := legendStyle()
	for i, row := range rows {
		column := (figureWidth - 2*margin) / vg.Length(row.columns)
		top := canvas.Max.Y - margin - vg.Length(i)*legendRow
		for j, e := range row.entries {
			left := canvas.Min.X + margin + vg.Length(j)*column
			e.icon(&draw.Canvas{Canvas: canvas.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: left, Y: top - legendRow},
				Max: vg.Point{X: left + iconWidth, Y: top},
			}})
			at := vg.Point{X: left + iconWidth + iconGap, Y: top - legendRow/2 + style.FontExtents().Descent}
			canvas.FillText(style, at, fit(e.text, style, column-iconWidth-iconGap))
		}
	}
}

// fit shortens txt to a width, with an ellipsis where something is cut off.
func fit(txt string, style draw.TextStyle, width vg.Length) string {
	if style.Width(txt) <= width {
		return txt
	}
	runes := []rune(txt)
	for n := len(runes) - 1; n > 0; n-- {
		if short := strings.TrimRight(string(runes[:n]), " ") + "…"; style.Width(short) <= width {
			return short
		}
	}
	return "…"
}
