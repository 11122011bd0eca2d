package figure

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"mercer/internal/lists"
	"mercer/internal/plain"
)

const (
	hairline  = vg.Length(0.5)
	margin    = vg.Length(3)
	iconWidth = vg.Length(18)
	barHeight = vg.Length(45) // of the colour bar with its label
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
		columns[i%across].Add(fit(e.Name, style, c.Width-2*margin-iconWidth-4), e)
	}
	if len(entries) > 0 {
		height = columns[0].Rectangle(draw.Canvas{}).Size().Y + 2*margin
	}
	return columns, height
}

// entries are the series of the legend, each without points, those for comparison last. A name
// whose series have several colours is black.
func (c Chart) entries() []Series {
	var all []Series
	for _, p := range c.Panels {
		for _, s := range p.Series {
			i := slices.IndexFunc(all, func(other Series) bool { return other.Name == s.Name })
			switch {
			case s.Name == "":
			case i < 0:
				s.Points = nil
				all = append(all, s)
			case s.Reach < all[i].Reach:
				s.Points = nil
				all[i] = s
			case all[i].Colour != s.Colour:
				all[i].Colour = ink
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Series) int { return cmp.Compare(a.Reach, b.Reach) })
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
		area.Min.X, area.Min.Y, area.Max.X = area.Min.X+12, area.Max.Y-barHeight, canvas.Min.X+columnWidth-2*margin // half a label lies left of it
		c.Bar.bar().Draw(area)
	}
	plots, areas := c.areas(canvas)
	for i := range plots {
		for j, p := range plots[i] {
			if p != nil {
				p.Draw(areas[i][j])
			}
		}
	}
}

// areas are the panels in their rows, and where they lie on a canvas.
func (c Chart) areas(canvas draw.Canvas) ([][]*plot.Plot, [][]draw.Canvas) {
	plots := make([][]*plot.Plot, c.rows())
	for i := range plots {
		plots[i] = make([]*plot.Plot, c.Columns)
	}
	for i, p := range c.Panels {
		plots[i/c.Columns][i%c.Columns] = p.plot(c.Width/vg.Length(c.Columns), c.PanelHeight, i%c.Columns > 0 && p.Y.Label == c.Panels[i-1].Y.Label)
	}
	tiles := draw.Tiles{Rows: len(plots), Cols: c.Columns, PadX: 8, PadY: 8}
	below := draw.Crop(canvas, margin, -2*margin, margin, margin+vg.Length(c.rows())*c.PanelHeight-canvas.Size().Y)
	return plots, plot.Align(plots, tiles, below)
}

// plot is the panel as gonum/plot has it, for a place of a size; the panel left of it may say
// what y is.
func (p Panel) plot(width, height vg.Length, said bool) *plot.Plot {
	drawn := plot.New()
	drawn.BackgroundColor = nil
	drawn.Title.TextStyle.Font, drawn.Title.TextStyle.Handler = textStyle(labelSize).Font, plotText
	drawn.Title.Text, drawn.Title.Padding = wrapped(p.Title, textStyle(labelSize), width-40), 3
	grid := plotter.NewGrid()
	for _, a := range []struct {
		Axis
		at   *plot.Axis
		grid *draw.LineStyle
		sign float64
		room vg.Length
	}{{p.X, &drawn.X, &grid.Vertical, 1, width - 40}, {p.Y, &drawn.Y, &grid.Horizontal, -1, height - 25}} {
		a.at.Min, a.at.Max = a.to(a.Span[0]), a.to(a.Span[1])
		*a.grid = draw.LineStyle{Color: faint, Width: hairline}
		if len(a.Names) > 0 {
			a.grid.Color = nil
		}
		label := textStyle(tickSize)
		a.at.Tick.Marker, a.at.Tick.Length = a.ticks(a.sign, width/3), 3
		a.at.Padding, a.at.Width, a.at.Tick.Width = 0, hairline, hairline
		a.at.Tick.Label.Font, a.at.Tick.Label.Handler = label.Font, label.Handler
		label = textStyle(labelSize)
		a.at.Label.TextStyle.Font, a.at.Label.TextStyle.Handler = label.Font, label.Handler
		a.at.Label.Text, a.at.Label.Padding = wrapped(a.Label, label, a.room), 2
	}
	if said {
		drawn.Y.Label.Text = ""
	}
	drawn.Add(grid)

	for _, s := range p.Series { // intervals lie below all lines and marks
		s.Width, s.Shape = 0, ""
		drawn.Add(s.on(p.X, p.Y))
	}
	for _, s := range p.Series {
		s.Interval = ""
		drawn.Add(s.on(p.X, p.Y))
	}
	return drawn
}

// on is the series with its points where they lie along axes. The LogScale of gonum/plot puts
// the label of an axis into the wrong place.
func (s Series) on(x, y Axis) Series {
	along := func(a Axis, e estimate) estimate { return estimate{a.to(e.value), a.to(e.low), a.to(e.high)} }
	s.Points = lists.Map(s.Points, func(q Point) Point {
		return Point{X: along(x, q.X), Y: along(y, q.Y), value: q.value}
	})
	return s
}

// Plot draws the series. It is a [plot.Plotter].
func (s Series) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	places := lists.Map(s.Points, func(q Point) vg.Point { return vg.Point{X: toX(q.X.value), Y: toY(q.Y.value)} })
	s.drawIntervals(c, p, places)

	colour := colourOf(s.Colour)
	if s.Width > 0 {
		c.StrokeLines(draw.LineStyle{Color: colour, Width: vg.Length(s.Width), Dashes: s.Dashes}, c.ClipLinesXY(places)...)
	}
	if s.Shape != "" {
		style := draw.GlyphStyle{Color: colour, Radius: vg.Length(s.Radius), Shape: glyphs[s.Shape][map[bool]int{true: 1}[s.Hollow]]}
		for _, at := range places {
			if c.Contains(at) {
				c.DrawGlyph(style, at)
			}
		}
	}
}

// drawIntervals draws the intervals of points at some places, to the ends of the axes.
func (s Series) drawIntervals(c draw.Canvas, p *plot.Plot, places []vg.Point) {
	toX, toY := p.Transforms(&c)
	x := func(v float64) vg.Length { return toX(min(max(v, p.X.Min), p.X.Max)) }
	y := func(v float64) vg.Length { return toY(min(max(v, p.Y.Min), p.Y.Max)) }
	colour := colourOf(s.Colour)
	thin := draw.LineStyle{Color: colour, Width: 0.8}
	if s.Shape == "" {
		thin.Dashes = s.Dashes
	}
	switch s.Interval {
	case band:
		var upper, lower []vg.Point
		for i, q := range s.Points {
			if q.Y.bounded() {
				upper, lower = append(upper, vg.Point{X: places[i].X, Y: y(q.Y.high)}), append(lower, vg.Point{X: places[i].X, Y: y(q.Y.low)})
			}
		}
		slices.Reverse(lower)
		c.FillPolygon(faded(colour, 46), append(upper, lower...))
	case bars:
		for i, q := range s.Points {
			if q.Y.bounded() && c.ContainsX(places[i].X) {
				c.StrokeLine2(thin, places[i].X, y(q.Y.low), places[i].X, y(q.Y.high))
			}
			if q.X.bounded() && c.ContainsY(places[i].Y) {
				c.StrokeLine2(thin, x(q.X.low), places[i].Y, x(q.X.high), places[i].Y)
			}
		}
	case boxes:
		for _, q := range s.Points {
			box := vg.Rectangle{Min: vg.Point{X: x(0), Y: y(q.Y.low)}, Max: vg.Point{X: x(q.X.value), Y: y(q.Y.high)}}
			c.SetColor(faded(colour, 110))
			c.Fill(box.Path())
			c.SetLineStyle(thin)
			c.Stroke(box.Path())
			if q.X.bounded() {
				c.StrokeLine2(draw.LineStyle{Color: black, Width: 0.8}, x(q.X.low), y(q.Y.value), x(q.X.high), y(q.Y.value))
			}
		}
	case fields:
		for _, q := range s.Points {
			box := vg.Rectangle{Min: vg.Point{X: x(q.X.low), Y: y(q.Y.low)}, Max: vg.Point{X: x(q.X.high), Y: y(q.Y.high)}}
			c.SetColor(s.colours.of(q.value))
			c.Fill(box.Path())
		}
		s.drawNumbers(&c, places, vg.Point{X: toX(1) - toX(0), Y: toY(1) - toY(0)})
	}
}

// Thumbnail draws the series in the legend. It is a [plot.Thumbnailer].
func (s Series) Thumbnail(c *draw.Canvas) {
	unit := plot.New()
	unit.X.Min, unit.X.Max, unit.Y.Min, unit.Y.Max = 0, 1, 0, 1
	line, mark, half := s, s, estimate{0.5, 0.1, 0.9}
	line.Shape, mark.Width, mark.Radius = "", 0, max(s.Radius, 1.9)
	line.Points, mark.Points = []Point{{X: estimate{0, 0, 1}, Y: half}, {X: estimate{1, 0, 1}, Y: half}}, []Point{{X: exactly(0.5), Y: half}}
	switch {
	case s.Interval == bars && s.Shape == "" && s.Width == 0:
		line.Interval = ""
	case s.Interval == bars || s.Interval == band:
		mark.Interval = ""
		line.Interval = map[string]string{band: band}[s.Interval]
	case s.Interval == boxes:
		line.Points, mark.Points = []Point{{X: exactly(1), Y: half}}, nil
	}
	line.Plot(*c, unit)
	mark.Plot(*c, unit)
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

// Reading is a field of a heat map and its numbers, for readers that point at it.
type Reading struct {
	X, Y, Width, Height float64 // in the SVG, in the units of its viewBox, from its upper left corner
	Text                string
}

// MarshalJSON writes an array, to a hundredth of a point.
func (r Reading) MarshalJSON() ([]byte, error) {
	round := func(v float64) float64 { return math.Round(100*v) / 100 }
	return json.Marshal([]any{round(r.X), round(r.Y), round(r.Width), round(r.Height), r.Text})
}

// Readings are the fields of a heat map, where they lie.
func (c Chart) Readings() []Reading {
	var all []Reading
	height := c.height()
	plots, areas := c.areas(draw.New(vgsvg.New(c.Width, height)))
	for i, p := range c.Panels {
		drawn := plots[i/c.Columns][i%c.Columns]
		inner := drawn.DataCanvas(areas[i/c.Columns][i%c.Columns])
		x, y := drawn.Transforms(&inner)
		for _, s := range p.Series {
			for _, q := range s.Points {
				left, right, bottom, top := x(q.X.low), x(q.X.high), y(q.Y.low), y(q.Y.high)
				all = append(all, Reading{left.Points(), (height - top).Points(), (right - left).Points(), (top - bottom).Points(), q.Text})
			}
		}
	}
	return all
}
