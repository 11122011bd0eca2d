package figure

import (
	"bytes"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"sync"

	"git.sr.ht/~sbinet/gg"
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
	legendRows   = 2                  // that a figure's height has room for
	barHeight    = vg.Length(39)      // of the colour bar with one line of its label
	besideBar    = vg.Length(12)      // at its ends, for the halves of labels
	pixels       = 300                // an inch, of a figure as PNG
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

// roomIn is the room that the texts around panels take in their areas, which are of the
// same size.
func (c chart) roomIn(areas []draw.Canvas) room {
	r := c.room
	for i, p := range c.panels {
		r.y = max(r.y, len(labelLines(p.y.label, p.beside(areas[i], r).Size().Y)))
	}
	return r
}
