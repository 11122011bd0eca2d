package figure

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"html"
	"image/color"
	"io"
	"regexp"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"mercer/internal/plain"
)

const (
	hairline  = vg.Length(0.5)
	margin    = vg.Length(3)
	iconWidth = vg.Length(18)
	pixels    = 300 // an inch, of a figure as PNG
)

// Svg renders the chart. Its text is text, and keeps its width in the fonts of readers without Liberation.
func (c Chart) Svg() ([]byte, error) {
	canvas := vgsvg.New(c.Width, c.height())
	text, err := c.drawn(canvas, canvas)
	named := fmt.Sprintf("xlink\"\n\trole=\"img\">\n<title>%s</title>\n", html.EscapeString(plain.Text(c.Title)))
	text = bytes.Replace(text, []byte("xlink\">\n"), []byte(named), 1)
	text = bytes.ReplaceAll(text, []byte("font-family:Liberation Sans;font-variant:normal;font-weight:normal;font-style:normal"),
		[]byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif"))
	return svgText.ReplaceAllFunc(text, func(element []byte) []byte {
		parts := svgText.FindSubmatch(element)
		size, _ := strconv.ParseFloat(string(parts[2]), 64)
		width := textStyle(size).Width(html.UnescapeString(string(parts[3])))
		return fmt.Appendf(nil, `%s textLength="%.5g" lengthAdjust="spacingAndGlyphs">%s<`, parts[1], width.Points(), parts[3])
	}), err
}

// svgText is the start of a text, with its size and what it says.
var svgText = regexp.MustCompile(`(<text [^>]*font-size:([0-9.]+)px[^>]*)>([^<]+)<`)

// Png renders the chart.
func (c Chart) Png() ([]byte, error) {
	canvas := vgimg.NewWith(vgimg.UseWH(c.Width, c.height()), vgimg.UseDPI(pixels))
	return c.drawn(canvas, vgimg.PngCanvas{Canvas: canvas})
}

// drawn is the file that a canvas writes of the chart.
func (c Chart) drawn(canvas vg.CanvasSizer, writer io.WriterTo) ([]byte, error) {
	c.draw(draw.New(canvas))
	var file bytes.Buffer
	if _, err := writer.WriteTo(&file); err != nil {
		return nil, fmt.Errorf("report: figure: %w", err)
	}
	return file.Bytes(), nil
}

// legend is the legend, a row an entry, and its height.
func (c Chart) legend() (legend plot.Legend, height vg.Length) {
	legend = plot.Legend{TextStyle: textStyle(tickSize), Top: true, Left: true, ThumbnailWidth: iconWidth, Padding: 3}
	entries := c.entries()
	for _, e := range entries {
		legend.Add(fit(e.Name, legend.TextStyle, c.Width-2*margin-iconWidth-4), e.thumbnails()...)
	}
	if len(entries) > 0 {
		height = legend.Rectangle(draw.Canvas{}).Size().Y + 2*margin
	}
	return legend, height
}

// entries are the series of the legend, curves last.
func (c Chart) entries() (all []Series) {
	var curves []Series
	for _, p := range c.Panels {
		for _, s := range p.Series {
			to := &all
			if s.Curve {
				to = &curves
			}
			if s.Name != "" && !slices.ContainsFunc(*to, func(other Series) bool { return other.Name == s.Name }) {
				*to = append(*to, s)
			}
		}
	}
	return append(all, curves...)
}

func (c Chart) rows() int { return (len(c.Panels) + c.Columns - 1) / c.Columns }

func (c Chart) height() vg.Length {
	_, height := c.legend()
	return height + vg.Length(c.rows())*c.PanelHeight + 2*margin
}

// draw draws the legend on top, where it hides nothing, then the panels.
func (c Chart) draw(canvas draw.Canvas) {
	canvas.SetColor(color.White)
	canvas.Fill(canvas.Rectangle.Path())
	legend, height := c.legend()
	legend.Draw(draw.Crop(canvas, margin, -margin, margin, -margin))

	plots := make([][]*plot.Plot, c.rows())
	for i := range plots {
		plots[i] = make([]*plot.Plot, c.Columns)
	}
	for i, p := range c.Panels {
		plots[i/c.Columns][i%c.Columns] = p.plot(c.Width/vg.Length(c.Columns), c.PanelHeight)
	}
	tiles := draw.Tiles{Rows: len(plots), Cols: c.Columns, PadX: 8, PadY: 8}
	areas := plot.Align(plots, tiles, draw.Crop(canvas, margin, -2*margin, margin, -margin-height))
	for i := range c.Panels {
		plots[i/c.Columns][i%c.Columns].Draw(areas[i/c.Columns][i%c.Columns])
	}
}

// plot is the panel as gonum/plot has it, for a place of a size.
func (p Panel) plot(width, height vg.Length) *plot.Plot {
	drawn := plot.New()
	drawn.BackgroundColor = nil
	drawn.Title.TextStyle.Font, drawn.Title.TextStyle.Handler = textStyle(labelSize).Font, plotText
	drawn.Title.Text, drawn.Title.Padding = wrapped(p.Title, textStyle(labelSize), width-40), 3
	grid := plotter.NewGrid()
	grid.Vertical, grid.Horizontal = p.X.grid(), p.Y.grid()
	drawn.Add(grid)

	if p.fields != nil {
		p.fields.draw(drawn)
	}
	for _, s := range p.Series {
		for _, q := range s.plotters(p.X, p.Y) {
			drawn.Add(struct{ plot.Plotter }{q}) // without the boxes of its marks: spans have room for them
		}
	}
	p.X.set(&drawn.X, 1, width/3, width-40)
	p.Y.set(&drawn.Y, -1, width/3, height-25-drawn.Title.TextStyle.Rectangle(drawn.Title.Text).Size().Y)
	return drawn
}

// grid is the lines behind a panel, of which an axis of names has none.
func (a Axis) grid() draw.LineStyle {
	if len(a.Names) > 0 {
		return draw.LineStyle{}
	}
	return draw.LineStyle{Color: faint, Width: hairline}
}

// set makes an axis of gonum/plot like a. Names begin at 0 in the direction of a sign. The
// LogScale of gonum/plot puts the label of an axis into the wrong place, so it has logarithms.
func (a Axis) set(drawn *plot.Axis, sign float64, names, label vg.Length) {
	drawn.Min, drawn.Max = a.to(a.Span[0]), a.to(a.Span[1])
	drawn.Tick.Marker, drawn.Tick.Length = a.ticks(sign, names), 3
	drawn.Padding, drawn.Width, drawn.Tick.Width = 0, hairline, hairline
	drawn.Tick.Label.Font, drawn.Tick.Label.Handler = textStyle(tickSize).Font, plotText
	drawn.Label.TextStyle.Font, drawn.Label.TextStyle.Handler = textStyle(labelSize).Font, plotText
	drawn.Label.Text, drawn.Label.Padding = wrapped(a.Label, textStyle(labelSize), label), 2
}

// plotters are the series as gonum/plot draws it on two axes.
func (s Series) plotters(x, y Axis) (all []plot.Plotter) {
	var at plotter.XYs
	var widths plotter.XErrors
	var heights plotter.YErrors
	for _, q := range s.Points {
		at = append(at, plotter.XY{X: x.to(q.X.value), Y: y.to(q.Y.value)})
		widths, heights = append(widths, x.reach(q.X)), append(heights, y.reach(q.Y))
	}

	colour := rgb(s.Colour)
	whisker := draw.LineStyle{Color: colour, Width: 0.8}
	if s.Bars {
		all = append(all, &plotter.XErrorBars{XYs: at, XErrors: widths, LineStyle: whisker}, &plotter.YErrorBars{XYs: at, YErrors: heights, LineStyle: whisker})
	}
	if s.Width > 0 {
		all = append(all, &plotter.Line{XYs: at, LineStyle: draw.LineStyle{Color: colour, Width: vg.Length(s.Width), Dashes: s.Dashes}})
	}
	if s.Shape != "" {
		glyph := draw.GlyphStyle{Color: colour, Radius: vg.Length(s.Radius), Shape: glyphs[s.Shape][map[bool]int{true: 1}[s.Hollow]]}
		all = append(all, &plotter.Scatter{XYs: at, GlyphStyle: glyph})
	}
	return all
}

// rgb is a colour of this package.
func rgb(name string) color.NRGBA {
	parts, err := hex.DecodeString(name[1:])
	if err != nil {
		panic(err)
	}
	return color.NRGBA{parts[0], parts[1], parts[2], 255}
}

// reach is how far an interval goes below and above its value along the axis, to its ends.
func (a Axis) reach(e estimate) (ends struct{ Low, High float64 }) {
	if e.bounded() {
		inside := func(v float64) float64 { return a.to(min(max(v, a.Span[0]), a.Span[1])) }
		ends.Low, ends.High = max(0, a.to(e.value)-inside(e.low)), max(0, inside(e.high)-a.to(e.value))
	}
	return ends
}

// thumbnails draw the series in the legend.
func (s Series) thumbnails() (all []plot.Thumbnailer) {
	s.Points, s.Radius = nil, max(s.Radius, 1.9)
	for _, p := range s.plotters(Axis{}, Axis{}) {
		if t, has := p.(plot.Thumbnailer); has {
			all = append(all, t)
		}
	}
	return all
}
