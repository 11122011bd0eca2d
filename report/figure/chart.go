package figure

import (
	"bytes"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"math"
	"slices"
	"strings"
	"sync"

	"git.sr.ht/~sbinet/gg"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"mercer/report/format"
)

// A figure is as wide as a column of a two-column paper, one of several panels
// as a page; legends of more than two rows make it higher, so that the axes keep
// their size.
const (
	figureWidth  = 84 * vg.Millimeter
	figureHeight = 63 * vg.Millimeter
	forestWidth  = 1.5 * figureWidth
	pageWidth    = 174 * vg.Millimeter
	labelSize    = 8.0
	legendRow    = vg.Length(10)
	legendRows   = 2 // that a figure's height has room for
	iconWidth    = vg.Length(18)
	iconGap      = vg.Length(4)
	margin       = vg.Length(3)
	hairline     = vg.Length(0.5)
	titleHeight  = vg.Length(12)
	pixels       = 300 // an inch, of a figure as PNG
)

// chart is a figure made ready to be drawn: panels in rows of so many columns
// below a legend.
type chart struct {
	title, describe string // for readers that cannot see it
	width           vg.Length
	panels          []panel
	columns         int
	panelHeight     vg.Length // labels included
	legend          [][]entry // blocks below each other
}

// panel is a pair of axes with what is drawn on them in order.
type panel struct {
	title  string
	x, y   axis
	layers []layer

	readings []reading
}

// single is a chart of one panel of the usual size.
func single(title, describe string, p panel, legend [][]entry) chart {
	return chart{title: title, describe: describe, width: figureWidth, panels: []panel{p}, columns: 1, panelHeight: figureHeight, legend: legend}
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
	return c.heightWith(len(c.rows()))
}

// Class is how wide a page shows the chart.
func (c chart) Class() string {
	switch {
	case c.width > forestWidth:
		return "wide"
	case c.width > figureWidth:
		return "middle"
	}
	return ""
}

// heightWith is the height with so many rows of the legend.
func (c chart) heightWith(rows int) vg.Length {
	extra := vg.Length(max(0, c.titleRows()-1)) * titleHeight
	return vg.Length(c.panelRows())*(c.panelHeight+extra) + vg.Length(max(0, rows-legendRows))*legendRow
}

// titleRows is how many lines the longest title of a panel takes. All panels have
// room for as many, so that their axes stay in line.
func (c chart) titleRows() int {
	rows := 0
	for _, p := range c.panels {
		rows = max(rows, len(c.titleLines(p)))
	}
	return rows
}

// titleLines breaks a panel's title between its coordinates where it is wider than
// the panel.
func (c chart) titleLines(p panel) []string {
	if p.title == "" {
		return nil
	}
	style := textStyle(labelSize, false)
	room := c.width/vg.Length(c.columns) - 2*margin
	var lines []string
	for _, part := range strings.SplitAfter(p.title, ", ") {
		last := len(lines) - 1
		if last >= 0 && style.Width(strings.TrimSpace(lines[last]+part)) <= room {
			lines[last] += part
		} else {
			lines = append(lines, part)
		}
	}
	for i, line := range lines {
		lines[i] = fit(strings.TrimSpace(line), style, room)
	}
	return lines
}

func (c chart) panelRows() int { return (len(c.panels) + c.columns - 1) / c.columns }

// Svg renders the chart.
func (c chart) Svg() ([]byte, error) {
	canvas := vgsvg.New(c.width, c.height())
	c.draw(draw.New(canvas))
	var text bytes.Buffer
	if _, err := canvas.WriteTo(&text); err != nil {
		return nil, fmt.Errorf("report: figure: %w", err)
	}
	before, after, _ := bytes.Cut(text.Bytes(), []byte("xlink\">\n"))
	named := fmt.Sprintf("xlink\"\n\trole=\"img\">\n<title>%s</title>\n<desc>%s</desc>\n",
		html.EscapeString(format.Printable(c.title)), html.EscapeString(format.Printable(c.describe)))
	return bytes.Join([][]byte{before, []byte(named), after}, nil), nil
}

// PixelPool has images to be used again: those of many figures would be a good
// part of all memory that a report takes.
type PixelPool struct{ images sync.Pool }

// Png renders the chart, in pixels.
func (c chart) Png(pool *PixelPool) ([]byte, error) {
	height := c.height()
	dots := func(length vg.Length) int { return int(length.Dots(pixels) + 0.5) }
	bounds := image.Rect(0, 0, dots(c.width), dots(height))
	pixel, _ := pool.images.Get().(*image.RGBA)
	if pixel == nil || pixel.Bounds() != bounds {
		pixel = image.NewRGBA(bounds)
	}
	defer pool.images.Put(pixel)
	context := gg.NewContextForRGBA(pixel)
	context.SetLineCapButt()
	context.InvertY()
	canvas := vgimg.NewWith(vgimg.UseImageWithContext(pixel, context), vgimg.UseDPI(pixels)) // white
	c.draw(draw.NewCanvas(canvas, c.width, height))
	var file bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed} // large areas of one colour are small at any level
	if err := encoder.Encode(&file, pixel); err != nil {
		return nil, fmt.Errorf("report: figure: %w", err)
	}
	return file.Bytes(), nil
}

// draw lays the chart out: the legend on top, where it hides nothing, then the
// panels.
func (c chart) draw(canvas draw.Canvas) {
	canvas.SetColor(color.White)
	canvas.Fill(canvas.Rectangle.Path())
	rows, titleRows := c.rows(), c.titleRows()
	c.drawLegend(canvas, rows)
	for i, area := range c.areas(canvas, len(rows)) {
		c.panels[i].draw(area, c.titleLines(c.panels[i]), titleRows)
	}
}

// areas are where the panels lie on a canvas, below so many rows of the legend.
func (c chart) areas(canvas draw.Canvas, rows int) []draw.Canvas {
	below := draw.Crop(canvas, 0, 0, 0, -margin-vg.Length(rows)*legendRow-2)
	width, height := below.Size().X/vg.Length(c.columns), below.Size().Y/vg.Length(c.panelRows())
	areas := make([]draw.Canvas, len(c.panels))
	for i := range c.panels {
		row, column := i/c.columns, i%c.columns
		left, top := below.Min.X+vg.Length(column)*width, below.Max.Y-vg.Length(row)*height
		areas[i] = draw.Canvas{Canvas: below.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: left, Y: top - height}, Max: vg.Point{X: left + width, Y: top},
		}}
	}
	return areas
}

// side is the room for the label of an axis.
func side() vg.Length { return textStyle(labelSize, false).Height("0") + 4 }

// inner is a panel's canvas less its labels and so many lines of titles.
func (p panel) inner(canvas draw.Canvas, titleRows int) draw.Canvas {
	left := side()
	if p.y.rows { // the names say it
		left = 0
	}
	return draw.Crop(canvas, margin+left, -margin, margin+side(), -vg.Length(titleRows)*titleHeight)
}

// draw draws the title, the axes with their labels, and the layers.
func (p panel) draw(canvas draw.Canvas, title []string, titleRows int) {
	label := textStyle(labelSize, false)
	area := p.inner(canvas, titleRows)
	drawn := p.plot()
	drawn.Draw(area)
	inner := drawn.DataCanvas(area)

	label.XAlign, label.YAlign = draw.XCenter, draw.YBottom
	depth := label.FontExtents().Descent
	center := inner.Center()
	for i, line := range title { // above the axes, moved aside where it would leave the panel
		half := label.Width(line) / 2
		x := min(max(center.X, canvas.Min.X+margin+half), canvas.Max.X-margin-half)
		row := vg.Length(titleRows - len(title) + i + 1)
		canvas.FillText(label, vg.Point{X: x, Y: canvas.Max.Y - row*titleHeight + 3 + depth}, line)
	}
	canvas.FillText(label, vg.Point{X: center.X, Y: canvas.Min.Y + margin + depth}, fit(p.x.label, label, inner.Size().X))
	label.Rotation = math.Pi / 2
	canvas.FillText(label, vg.Point{X: canvas.Min.X + margin + side() - 4 - depth, Y: center.Y}, fit(p.y.label, label, inner.Size().Y))
}

// plot is the panel without labels and legend.
func (p panel) plot() *plot.Plot {
	drawn := plot.New()
	drawn.BackgroundColor = nil
	grid := plotter.NewGrid()
	line := draw.LineStyle{Color: faint, Width: hairline}
	for _, a := range []struct {
		axis
		to   *plot.Axis
		grid *draw.LineStyle
	}{{p.x, &drawn.X, &grid.Vertical}, {p.y, &drawn.Y, &grid.Horizontal}} {
		a.to.Min, a.to.Max = a.span.low, a.span.high
		a.to.Tick.Marker = plot.ConstantTicks(a.ticks)
		if a.log {
			a.to.Scale = plot.LogScale{}
		}
		*a.grid = line
		if a.rows { // names need neither
			a.grid.Color = nil
			a.to.Tick.Length = 0
		} else {
			a.to.Tick.Length = 4
		}
		a.to.Padding = 0
		a.to.Width, a.to.Tick.Width = hairline, hairline
		style := textStyle(tickSize, false)
		style.XAlign, style.YAlign = a.to.Tick.Label.XAlign, a.to.Tick.Label.YAlign
		a.to.Tick.Label, a.to.Label.TextStyle = style, style
	}
	drawn.Add(grid)
	for _, l := range p.layers {
		drawn.Add(l)
	}
	return drawn
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
		columns := max(1, int((c.width-2*margin)/(iconWidth+iconGap+widest+iconGap)))
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

func (c chart) drawLegend(canvas draw.Canvas, rows []legendLine) {
	style := legendStyle()
	for i, row := range rows {
		column := (c.width - 2*margin) / vg.Length(row.columns)
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

// clamped maps v, or the nearest end of the axis where it has no place for v.
func clamped(v float64, log bool, low, high vg.Length, to func(float64) vg.Length) vg.Length {
	if log && v <= 0 {
		return low
	}
	return min(max(to(v), low), high)
}

// Readings are those of all panels that lie on their axes.
func (c chart) Readings() []Placed {
	var all []Placed
	rows, titleRows := len(c.rows()), c.titleRows()
	whole := c.heightWith(rows)
	canvas := draw.New(vgsvg.New(c.width, whole))
	for i, area := range c.areas(canvas, rows) {
		p := c.panels[i]
		drawn := p.plot()
		inner := drawn.DataCanvas(p.inner(area, titleRows))
		x, y := drawn.Transforms(&inner)
		for _, r := range p.readings {
			left := clamped(r.x0, p.x.log, inner.Min.X, inner.Max.X, x)
			right := clamped(r.x1, p.x.log, inner.Min.X, inner.Max.X, x)
			bottom := clamped(r.y0, p.y.log, inner.Min.Y, inner.Max.Y, y)
			top := clamped(r.y1, p.y.log, inner.Min.Y, inner.Max.Y, y)
			left, right, bottom, top = min(left, right), max(left, right), min(bottom, top), max(bottom, top)
			all = append(all, Placed{left.Points(), (whole - top).Points(), (right - left).Points(), (top - bottom).Points(), r.text})
		}
	}
	return all
}
