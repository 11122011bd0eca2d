package figure

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"html"
	"image/color"
	"slices"

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
	barHeight = vg.Length(50) // of the colour bar with its label
	pixels    = 300           // an inch, of a figure as PNG
)

// Svg renders the chart. Its text is text, with fonts of equal widths for readers without
// Liberation.
func (c Chart) Svg() ([]byte, error) {
	canvas := vgsvg.New(c.Width, c.height())
	c.draw(draw.New(canvas))
	var text bytes.Buffer
	if _, err := canvas.WriteTo(&text); err != nil {
		return nil, fmt.Errorf("report: figure: %w", err)
	}
	named := fmt.Sprintf("xlink\"\n\trole=\"img\">\n<title>%s</title>\n<desc>%s</desc>\n", html.EscapeString(plain.Text(c.Title)), html.EscapeString(plain.Text(c.Describe)))
	svg := bytes.Replace(text.Bytes(), []byte("xlink\">\n"), []byte(named), 1)
	return bytes.ReplaceAll(svg, []byte("font-family:Liberation Sans;font-variant:normal;font-weight:normal;font-style:normal"),
		[]byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif")), nil
}

// Png renders the chart.
func (c Chart) Png() ([]byte, error) {
	canvas := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(c.Width, c.height()), vgimg.UseDPI(pixels))}
	c.draw(draw.New(canvas))
	var file bytes.Buffer
	if _, err := canvas.WriteTo(&file); err != nil {
		return nil, fmt.Errorf("report: figure: %w", err)
	}
	return file.Bytes(), nil
}

// legend is one column of the legend for as many as there is room for, each with every so
// manieth entry.
func (c Chart) legend() (columns []plot.Legend, height vg.Length) {
	entries := c.entries()
	style, widest := textStyle(tickSize), vg.Length(0)
	for _, e := range entries {
		widest = max(widest, style.Width(e.Name))
	}
	across := max(1, min(len(entries), int((c.Width-2*margin)/(iconWidth+widest+8))))
	columns = make([]plot.Legend, across)
	for i := range columns {
		columns[i] = plot.Legend{TextStyle: style, Top: true, Left: true, ThumbnailWidth: iconWidth, Padding: 3}
	}
	for i, e := range entries {
		columns[i%across].Add(fit(e.Name, style, c.Width-2*margin-iconWidth-4), e.thumbnails()...)
	}
	if len(entries) > 0 {
		height = columns[0].Rectangle(draw.Canvas{}).Size().Y + 2*margin
	}
	return columns, height
}

// entries are the series of the legend, curves last. A name whose series have several colours is
// black.
func (c Chart) entries() (all []Series) {
	for _, curve := range []bool{false, true} {
		for _, p := range c.Panels {
			for _, s := range p.Series {
				i := slices.IndexFunc(all, func(other Series) bool { return other.Name == s.Name })
				switch {
				case s.Name == "" || s.Curve != curve:
				case i < 0:
					all = append(all, s)
				case all[i].Colour != s.Colour:
					all[i].Colour = ink
				}
			}
		}
	}
	return all
}

func (c Chart) rows() int { return (len(c.Panels) + c.Columns - 1) / c.Columns }

func (c Chart) height() vg.Length {
	_, height := c.legend()
	height += vg.Length(c.rows())*c.PanelHeight + 2*margin
	if c.Bar != nil {
		height += barHeight
	}
	return height
}

// draw draws the legend on top, where it hides nothing, then the colour bar and the panels.
func (c Chart) draw(canvas draw.Canvas) {
	canvas.SetColor(color.White)
	canvas.Fill(canvas.Rectangle.Path())
	columns, height := c.legend()
	inside := draw.Crop(canvas, margin, -margin, margin, -margin)
	tiles := draw.Tiles{Cols: len(columns), Rows: 1}
	for i := range columns {
		columns[i].Draw(tiles.At(inside, i, 0))
	}
	if c.Bar != nil {
		area := draw.Crop(inside, 0, 0, 0, -height)
		area.Min.X, area.Min.Y, area.Max.X = area.Min.X+24, area.Max.Y-barHeight, canvas.Min.X+columnWidth-2*margin // half a label lies left of it
		c.Bar.bar().Draw(area)
	}

	plots := make([][]*plot.Plot, c.rows())
	for i := range plots {
		plots[i] = make([]*plot.Plot, c.Columns)
	}
	for i, p := range c.Panels {
		plots[i/c.Columns][i%c.Columns] = p.plot(c.Width/vg.Length(c.Columns), c.PanelHeight, i%c.Columns > 0 && p.Y.Label == c.Panels[i-1].Y.Label)
	}
	tiles = draw.Tiles{Rows: len(plots), Cols: c.Columns, PadX: 8, PadY: 8}
	below := draw.Crop(canvas, margin, -2*margin, margin, margin+vg.Length(c.rows())*c.PanelHeight-canvas.Size().Y)
	areas := plot.Align(plots, tiles, below)
	for i := range c.Panels {
		plots[i/c.Columns][i%c.Columns].Draw(areas[i/c.Columns][i%c.Columns])
	}
}

// plot is the panel as gonum/plot has it, for a place of a size; the panel left of it may have the
// label of y for both.
func (p Panel) plot(width, height vg.Length, labelled bool) *plot.Plot {
	drawn := plot.New()
	drawn.BackgroundColor = nil
	title := textStyle(labelSize)
	drawn.Title.TextStyle.Font, drawn.Title.TextStyle.Handler = title.Font, title.Handler
	drawn.Title.Text, drawn.Title.Padding = wrapped(p.Title, title, width-40), 3
	grid := plotter.NewGrid()
	grid.Vertical, grid.Horizontal = p.X.grid(), p.Y.grid()
	drawn.Add(grid)

	p.fields.draw(drawn, width/vg.Length(len(p.X.Names)+2), height/vg.Length(len(p.Y.Names)+2))
	var above []plot.Plotter
	for _, s := range p.Series { // intervals lie below all lines and marks
		intervals, marks := s.plotters(p.X, p.Y)
		drawn.Add(intervals...)
		above = append(above, marks...)
	}
	drawn.Add(above...)

	p.X.set(&drawn.X, 1, width/3, width-40)
	p.Y.set(&drawn.Y, -1, width/3, height-25)
	if labelled {
		drawn.Y.Label.Text = ""
	}
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
	small, large := textStyle(tickSize), textStyle(labelSize)
	drawn.Tick.Marker, drawn.Tick.Length = a.ticks(sign, names), 3
	drawn.Padding, drawn.Width, drawn.Tick.Width = 0, hairline, hairline
	drawn.Tick.Label.Font, drawn.Tick.Label.Handler = small.Font, small.Handler
	drawn.Label.TextStyle.Font, drawn.Label.TextStyle.Handler = large.Font, large.Handler
	drawn.Label.Text, drawn.Label.Padding = wrapped(a.Label, large, label), 2
}

// plotters are the series as gonum/plot draws it on two axes: its intervals, and its line and marks.
func (s Series) plotters(x, y Axis) (intervals, marks []plot.Plotter) {
	var at, upper, lower plotter.XYs
	var widths plotter.XErrors
	var heights plotter.YErrors
	for _, q := range s.Points {
		p := plotter.XY{X: x.to(q.X.value), Y: y.to(q.Y.value)}
		left, right := x.reach(q.X)
		down, up := y.reach(q.Y)
		at = append(at, p)
		widths, heights = append(widths, struct{ Low, High float64 }{left, right}), append(heights, struct{ Low, High float64 }{down, up})
		if q.Y.bounded() {
			upper, lower = append(upper, plotter.XY{X: p.X, Y: p.Y + up}), append(lower, plotter.XY{X: p.X, Y: p.Y - down})
		}
	}

	colour := colourOf(s.Colour)
	line := draw.LineStyle{Color: colour, Width: vg.Length(s.Width), Dashes: s.Dashes}
	whisker := draw.LineStyle{Color: colour, Width: 0.8}
	if s.Shape == "" { // a line across the panel
		whisker.Dashes = s.Dashes
	}
	switch s.Interval {
	case band:
		slices.Reverse(lower)
		intervals = append(intervals, &plotter.Polygon{XYs: []plotter.XYs{append(upper, lower...)}, Color: faded(colour, 46), LineStyle: draw.LineStyle{Color: colour}})
	case bars:
		intervals = append(intervals, &plotter.XErrorBars{XYs: at, XErrors: widths, LineStyle: whisker}, &plotter.YErrorBars{XYs: at, YErrors: heights, LineStyle: whisker})
	}
	if s.Width > 0 {
		marks = append(marks, &plotter.Line{XYs: at, LineStyle: line})
	}
	if s.Shape != "" {
		glyph := draw.GlyphStyle{Color: colour, Radius: vg.Length(s.Radius), Shape: glyphs[s.Shape][map[bool]int{true: 1}[s.Hollow]]}
		marks = append(marks, &plotter.Scatter{XYs: at, GlyphStyle: glyph})
	}
	return intervals, marks
}

// reach is how far an interval goes below and above its value along the axis, to its ends.
func (a Axis) reach(e estimate) (below, above float64) {
	if !e.bounded() {
		return 0, 0
	}
	inside := func(v float64) float64 { return a.to(min(max(v, a.Span[0]), a.Span[1])) }
	return max(0, a.to(e.value)-inside(e.low)), max(0, inside(e.high)-a.to(e.value))
}

// thumbnails draw the series in the legend.
func (s Series) thumbnails() (all []plot.Thumbnailer) {
	s.Points, s.Radius = nil, max(s.Radius, 1.9)
	intervals, marks := s.plotters(Axis{}, Axis{})
	for _, p := range append(intervals, marks...) {
		if t, has := p.(plot.Thumbnailer); has {
			all = append(all, t)
		}
	}
	return all
}

func colourOf(text string) color.NRGBA {
	rgb, err := hex.DecodeString(text[1:])
	if err != nil {
		panic(err) // it is one of this package
	}
	return color.NRGBA{rgb[0], rgb[1], rgb[2], 255}
}

func faded(c color.NRGBA, opacity uint8) color.NRGBA {
	c.A = opacity
	return c
}
