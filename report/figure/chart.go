package figure

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"iter"
	"math"
	"sync"

	"git.sr.ht/~sbinet/gg"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"mercer/configs"
	"mercer/internal/plain"
)

// A figure is as wide as a column of a two-column paper, one of several panels
// as a page; legends of more than two rows make it higher, so that the axes keep
// their size.
const (
	figureWidth  = 84 * vg.Millimeter
	figureHeight = 63 * vg.Millimeter
	pageWidth    = 174 * vg.Millimeter
	pageHeight   = 84 * vg.Millimeter // of one panel as wide as a page
	labelSize    = 8.0
	legendRow    = vg.Length(10)
	legendRows   = 2 // that a figure's height has room for
	iconWidth    = vg.Length(18)
	iconGap      = vg.Length(4)
	margin       = vg.Length(3)
	hairline     = vg.Length(0.5)
	titleHeight  = vg.Length(12)
	labelRow     = vg.Length(10) // of an axis's label, below or beside the first
	pixels       = 300           // an inch, of a figure as PNG
)

// chart is a figure made ready to be drawn: panels in rows of so many columns
// below a legend.
type chart struct {
	title, describe string // for readers that cannot see it
	width, height   vg.Length
	panels          []panel
	columns         int
	blocks          [][]entry // of the legend
	legend          []legendLine
	room            room   // that the texts around each panel take
	bar             *panel // colour bar, below the legend; nil for none
}

// panel is a pair of axes with what is drawn on them in order.
type panel struct {
	title  string
	shares string // panels with the same name have the same ranges
	x, y   axis
	layers []layer
}

// points are those of layers that a condition picks.
func (p panel) points(pick func(layer) bool) iter.Seq2[layer, point] {
	return func(yield func(layer, point) bool) {
		for _, l := range p.layers {
			for _, q := range l.points {
				if pick(l) && !yield(l, q) {
					return
				}
			}
		}
	}
}

// scale gives the axes of panels their ranges and ticks. Panels that share their
// axes have the same.
func scale(panels []panel, width vg.Length) {
	type extents struct{ x, y extent }
	whole, all := map[string]extents{}, map[string]extents{}
	for _, p := range panels {
		e, known := whole[p.shares]
		if !known {
			e = extents{extent{log: p.x.log}, extent{log: p.y.log}}
		}
		for l, q := range p.points(func(l layer) bool { return l.reach == 0 }) {
			e.x.include(l.shown(q.x)...)
			e.y.include(l.shown(q.y)...)
		}
		whole[p.shares], all[p.shares] = e, e
	}
	for _, p := range panels {
		e := all[p.shares]
		for l, q := range p.points(func(l layer) bool { return l.reach > 0 }) {
			e.x.include(whole[p.shares].x.near(l.reach, l.shown(q.x))...)
			e.y.include(whole[p.shares].y.near(l.reach, l.shown(q.y))...)
		}
		all[p.shares] = e
	}
	for i := range panels {
		p, e := &panels[i], all[panels[i].shares]
		p.x.fit(e.x, width)
		p.y.fit(e.y, width)
	}
}

// floorEntry explains the floor where one is drawn, and says where it is when an axis
// does not reach down to it.
func floorEntry(panels []panel) []entry {
	above, below := false, false
	for _, p := range panels {
		for _, q := range p.points(func(l layer) bool { return l.role == floor && len(l.points) > 1 }) {
			inside := p.y.span.holds(q.y.value)
			above, below = above || inside, below || !inside
		}
	}
	text := map[bool]string{true: "floor, in part below the axis", false: "floor: below the axis"}[above]
	switch {
	case !above && !below:
		return nil
	case !below:
		text = "floor"
	}
	return []entry{{text, []layer{floorLayer(nil)}}}
}

// newChart lays panels out that are scaled, below blocks of a legend. panelHeight is
// that of one with its labels and one line of title.
func newChart(title string, width vg.Length, panels []panel, columns int, panelHeight vg.Length, legend ...[]entry) chart {
	c := chart{title: title, width: width, panels: panels, columns: columns, blocks: legend}
	c.height = c.arrange() + vg.Length(c.panelRows())*panelHeight
	return c
}

// arrange lays out the legend and the texts around panels, and gives the height that
// these and the colour bar add to the panels.
func (c *chart) arrange() vg.Length {
	c.legend, c.room = nil, room{}
	for _, block := range c.blocks {
		c.legend = append(c.legend, arranged(block, c.width)...)
	}
	width := c.width / vg.Length(c.columns)
	for _, p := range c.panels {
		c.room.title = max(c.room.title, len(labelLines(p.title, width)))
		c.room.x = max(c.room.x, len(labelLines(p.x.label, width)))
	}
	extra := vg.Length(max(0, c.room.title-1))*titleHeight + further(c.room.x)
	height := vg.Length(c.panelRows())*extra + vg.Length(max(0, len(c.legend)-legendRows))*legendRow
	if c.bar != nil {
		height += c.barHeight() + margin
	}
	return height
}

// addBar puts a colour bar below the legend.
func (c *chart) addBar(bar *panel) {
	extra := c.arrange()
	c.bar = bar
	c.height += c.arrange() - extra
}

// widthOf is the width of a figure of a size; without one, of one panel in a column and
// of several on a page.
func widthOf(size string, panels int) vg.Length {
	if size == configs.SizePage || size == "" && panels > 1 {
		return pageWidth
	}
	return figureWidth
}

// sizedChart is a chart of panels of a size: in a column they are below each other.
func sizedChart(size, title string, panels []panel, legend ...[]entry) chart {
	width, height, columns := widthOf(size, len(panels)), 56*vg.Millimeter, 3
	switch {
	case len(panels) == 1 && width == pageWidth:
		columns, height = 1, pageHeight
	case len(panels) == 1:
		columns, height = 1, figureHeight
	case width == figureWidth:
		columns = 1
	case len(panels) == 2 || len(panels) == 4:
		columns = 2
	}
	for i := range panels { // the first of its row says it
		if i%columns > 0 && panels[i].y.label == panels[i-i%columns].y.label {
			panels[i].y.label = ""
		}
	}
	return newChart(title, width, panels, columns, height, legend...)
}

// Class is how wide a page shows the chart.
func (c chart) Class() string {
	if c.width > figureWidth {
		return "wide"
	}
	return ""
}

func (c chart) panelRows() int { return (len(c.panels) + c.columns - 1) / c.columns }

// Svg renders the chart.
func (c chart) Svg() ([]byte, error) {
	canvas := vgsvg.New(c.width, c.height)
	c.draw(draw.New(canvas))
	var text bytes.Buffer
	if _, err := canvas.WriteTo(&text); err != nil {
		return nil, fmt.Errorf("report: figure: %w", err)
	}
	before, after, _ := bytes.Cut(text.Bytes(), []byte("xlink\">\n"))
	named := fmt.Sprintf("xlink\"\n\trole=\"img\">\n<title>%s</title>\n<desc>%s</desc>\n",
		html.EscapeString(plain.Text(c.title)), html.EscapeString(plain.Text(c.describe)))
	return bytes.Join([][]byte{before, []byte(named), after}, nil), nil
}

// PixelPool has images to be used again: those of many figures would be a good
// part of all memory that a report takes.
type PixelPool struct{ images sync.Pool }

// Png renders the chart, in pixels.
func (c chart) Png(pool *PixelPool) ([]byte, error) {
	dots := func(length vg.Length) int { return int(length.Dots(pixels) + 0.5) }
	bounds := image.Rect(0, 0, dots(c.width), dots(c.height))
	pixel, _ := pool.images.Get().(*image.RGBA)
	if pixel == nil || pixel.Bounds() != bounds {
		pixel = image.NewRGBA(bounds)
	}
	defer pool.images.Put(pixel)
	context := gg.NewContextForRGBA(pixel)
	context.SetLineCapButt()
	context.InvertY()
	canvas := vgimg.NewWith(vgimg.UseImageWithContext(pixel, context), vgimg.UseDPI(pixels)) // white
	c.draw(draw.NewCanvas(canvas, c.width, c.height))
	var file bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed} // large areas of one colour are small at any level
	if err := encoder.Encode(&file, pixel); err != nil {
		return nil, fmt.Errorf("report: figure: %w", err)
	}
	return file.Bytes(), nil
}

// draw draws the legend on top, where it hides nothing, then the panels.
func (c chart) draw(canvas draw.Canvas) {
	canvas.SetColor(color.White)
	canvas.Fill(canvas.Rectangle.Path())
	drawLegend(canvas, c.legend)
	if c.bar != nil {
		c.bar.draw(c.barArea(canvas), room{x: c.barLines()})
	}
	areas := c.areas(canvas)
	around := c.roomIn(areas)
	for i, area := range areas {
		c.panels[i].draw(area, around)
	}
}

// barLines is how many lines the label of the colour bar has.
func (c chart) barLines() int { return len(labelLines(c.bar.x.label, figureWidth-2*besideBar)) }

func (c chart) barHeight() vg.Length { return barHeight + further(c.barLines()) }

// barArea is where the colour bar lies, as wide as a column, with room at its ends for the
// halves of labels.
func (c chart) barArea(canvas draw.Canvas) draw.Canvas {
	top := canvas.Max.Y - 2*margin - vg.Length(len(c.legend))*legendRow
	return draw.Canvas{Canvas: canvas.Canvas, Rectangle: vg.Rectangle{
		Min: vg.Point{X: canvas.Min.X + besideBar, Y: top - c.barHeight()}, Max: vg.Point{X: canvas.Min.X + figureWidth - besideBar, Y: top},
	}}
}

// areas are where the panels lie on a canvas, below the legend and the colour bar.
func (c chart) areas(canvas draw.Canvas) []draw.Canvas {
	below := draw.Crop(canvas, 0, 0, 0, -margin-vg.Length(len(c.legend))*legendRow-2)
	if c.bar != nil {
		below.Max.Y -= c.barHeight() + margin
	}
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
func side() vg.Length { return textStyle(labelSize).Height("0") + 4 }

// draw draws the title, the axes with their labels, and the layers.
func (p panel) draw(canvas draw.Canvas, r room) {
	area := p.inner(canvas, r)
	drawn := p.plot()
	drawn.Draw(area)
	inner := drawn.DataCanvas(area)

	label := textStyle(labelSize)
	label.XAlign, label.YAlign = draw.XCenter, draw.YBottom
	depth := label.FontExtents().Descent
	center := inner.Center()
	width := canvas.Size().X
	title := labelLines(p.title, width)
	for i, line := range title {
		row := vg.Length(r.title - len(title) + i + 1)
		x := centred(label.Width(line), center.X, canvas.Min.X, canvas.Max.X)
		canvas.FillText(label, vg.Point{X: x, Y: canvas.Max.Y - row*titleHeight + 3 + depth}, line)
	}
	for i, line := range labelLines(p.x.label, width) {
		x := centred(label.Width(line), center.X, canvas.Min.X, canvas.Max.X)
		canvas.FillText(label, vg.Point{X: x, Y: canvas.Min.Y + margin + depth + further(r.x-i)}, line)
	}
	left := p.beside(canvas, r)
	beside := labelLines(p.y.label, left.Size().Y)
	label.Rotation = math.Pi / 2
	for i, line := range beside {
		y := centred(label.Width(line), center.Y, left.Min.Y, left.Max.Y)
		x := canvas.Min.X + margin + side() + further(r.y) - further(len(beside)-i) - 4 - depth
		canvas.FillText(label, vg.Point{X: x, Y: y}, line)
	}
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
		a.to.Tick.Length = 4
		switch {
		case a.names != nil: // they need neither
			a.grid.Color = nil
			a.to.Tick.Length = 0
		case a.plain:
			a.grid.Color = nil
			a.to.Tick.Length = 2
		}
		a.to.Padding = 0
		a.to.Width, a.to.Tick.Width = hairline, hairline
		style := textStyle(tickSize)
		style.XAlign, style.YAlign = a.to.Tick.Label.XAlign, a.to.Tick.Label.YAlign
		a.to.Tick.Label, a.to.Label.TextStyle = style, style
	}
	drawn.Add(grid)
	for _, l := range p.layers {
		drawn.Add(l)
	}
	return drawn
}

// Reading is a mark and the numbers that it stands for, for readers that point at it.
type Reading struct {
	x, y, width, height float64 // of the mark in the SVG, in the units of its viewBox, from its upper left corner
	text                string
}

// MarshalJSON writes an array, to a hundredth of a point.
func (r Reading) MarshalJSON() ([]byte, error) {
	round := func(v float64) float64 { return math.Round(100*v) / 100 }
	return json.Marshal([]any{round(r.x), round(r.y), round(r.width), round(r.height), r.text})
}

// Readings are those of all marks.
func (c chart) Readings() []Reading {
	var all []Reading
	canvas := draw.New(vgsvg.New(c.width, c.height))
	areas := c.areas(canvas)
	around := c.roomIn(areas)
	for i, area := range areas {
		p := c.panels[i]
		drawn := p.plot()
		inner := drawn.DataCanvas(p.inner(area, around))
		toX, toY := drawn.Transforms(&inner)
		x, y := onAxis(drawn.X, toX, inner.Min.X, inner.Max.X), onAxis(drawn.Y, toY, inner.Min.Y, inner.Max.Y)
		for l, q := range p.points(func(l layer) bool { return l.form >= marks }) {
			if q.text == "" {
				continue
			}
			fromX, toX := l.over(q.x)
			fromY, toY := l.over(q.y)
			left, right := max(x(fromX), inner.Min.X), min(x(toX), inner.Max.X)
			bottom, top := max(y(fromY), inner.Min.Y), min(y(toY), inner.Max.Y)
			all = append(all, Reading{left.Points(), (c.height - top).Points(), (right - left).Points(), (top - bottom).Points(), q.text})
		}
	}
	return all
}
