package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	gonumpalette "gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const shades = 256

// sequential are the colours of viridis, through its tenths, with a lightness that rises
// evenly, so that equal steps look equal, in grey and to people who are colour-blind too.
//
// Reference: van der Walt & Smith, A Better Default Colormap for Matplotlib, SciPy 2015.
var sequential = shadesOf(moreland.NewLuminance([]color.Color{
	color.NRGBA{0x44, 0x01, 0x54, 255}, color.NRGBA{0x48, 0x28, 0x78, 255}, color.NRGBA{0x3E, 0x4A, 0x89, 255}, color.NRGBA{0x31, 0x68, 0x8E, 255},
	color.NRGBA{0x26, 0x82, 0x8E, 255}, color.NRGBA{0x1F, 0x9E, 0x89, 255}, color.NRGBA{0x35, 0xB7, 0x79, 255}, color.NRGBA{0x6D, 0xCD, 0x59, 255},
	color.NRGBA{0xB4, 0xDE, 0x2C, 255}, color.NRGBA{0xFD, 0xE7, 0x25, 255},
}))

// diverging goes from blue over grey to red, as light at either end.
//
// Reference: Moreland, Diverging Color Maps for Scientific Visualization, 2009.
var diverging = shadesOf(moreland.SmoothBlueRed(), nil)

func shadesOf(m gonumpalette.ColorMap, err error) gonumpalette.Palette {
	if err != nil {
		panic(err) // the colours are those above
	}
	m.SetMin(0)
	m.SetMax(1)
	return m.Palette(shades)
}

// heatField is a grid of colours: a heat map's fields, or a colour bar.
type heatField struct {
	low, high float64 // of the colours
	log       bool
	colours   gonumpalette.Palette
	values    [][]float64 // by row, the first on top, and column; NaN for none
	numbers   [][]string  // of the fields, where they have room
	readings  []Reading   // in units of the axes, around their centres
}

// share is how far up the colours a value lies, from 0 to 1.
func (h *heatField) share(v float64) float64 {
	if h.log {
		return math.Log(v/h.low) / math.Log(h.high/h.low)
	}
	return (v - h.low) / (h.high - h.low)
}

// Dims, X, Y and Z are a [plotter.GridXYZ], whose rows rise.
func (h *heatField) Dims() (columns, rows int) { return len(h.values[0]), len(h.values) }
func (h *heatField) X(column int) float64      { return float64(column) }
func (h *heatField) Y(row int) float64         { return float64(row + 1 - len(h.values)) }
func (h *heatField) Z(column, row int) float64 { return h.share(h.values[len(h.values)-1-row][column]) }
func (h *heatField) plotters() []plot.Plotter {
	return []plot.Plotter{&plotter.HeatMap{GridXYZ: h, Palette: h.colours, Min: -1e-9, Max: 1 + 1e-9}, heatNumbers{h}}
}

// bar is the colours with their numbers, and what they are.
func (h *heatField) bar(label string) *plot.Plot {
	axis := Axis{Label: label, Log: h.log, Span: [2]float64{h.low, h.high}}
	p := Panel{X: axis, Y: Axis{Names: []string{""}, Span: [2]float64{-0.5, 0.5}}}.plot(columnWidth, barHeight, false)
	p.Add(colourBar{h.colours})
	p.Y.Tick.Length, p.Y.Width = 0, 0
	return p
}

// colourBar is colours side by side.
type colourBar struct{ gonumpalette.Palette }

// Plot draws the colours, each to the end of the bar, so that none leaves a seam. It is a
// [plot.Plotter].
func (b colourBar) Plot(c draw.Canvas, _ *plot.Plot) {
	for i, colour := range b.Colors() {
		rest := draw.Crop(c, c.Size().X*vg.Length(i)/shades, 0, 0, 0)
		c.SetColor(colour)
		c.Fill(rest.Rectangle.Path())
	}
}

// heatNumbers prints the numbers of all fields where the widest has room.
type heatNumbers struct{ *heatField }

// Plot draws the numbers. It is a [plot.Plotter].
func (h heatNumbers) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	style := textStyle(tickSize)
	style.XAlign, style.YAlign = text.XCenter, text.YCenter
	for _, row := range h.numbers {
		for _, number := range row {
			if style.Width(number)+3 > x(1)-x(0) || vg.Length(tickSize)+2 > y(1)-y(0) {
				return
			}
		}
	}
	for i, row := range h.numbers {
		for j, number := range row {
			if number != "" {
				style.Color = inkOn(h.colours.Colors()[int(h.share(h.values[i][j])*(shades-1)+0.5)])
				c.FillText(style, vg.Point{X: x(float64(j)), Y: y(-float64(i)) + style.FontExtents().Descent/2}, number)
			}
		}
	}
}

// inkOn is the ink with more contrast to a colour, which is 4.5 at least. Inks are a shade off
// black and white, which a dark page replaces.
//
// Reference: Web Content Accessibility Guidelines 2.1.
func inkOn(c color.Color) color.NRGBA {
	if luminance(c) > 0.179 { // where both inks have the same contrast
		return color.NRGBA{R: 1, G: 1, B: 1, A: 255}
	}
	return color.NRGBA{R: 254, G: 254, B: 254, A: 255}
}

// luminance is the relative luminance of an sRGB colour, from 0 to 1.
func luminance(c color.Color) float64 {
	linear := func(v uint32) float64 {
		x := float64(v) / 0xFFFF
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	r, g, b, _ := c.RGBA()
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}
