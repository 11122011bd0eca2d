package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	gonumpalette "gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/palette/moreland"
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

// colours are those of the fields of a heat map, along an axis of their values.
type colours struct {
	Axis
	palette gonumpalette.Palette
}

// share is how far up the colours a value lies, from 0 to 1.
func (c colours) share(v float64) float64 {
	low, high := c.to(c.Span[0]), c.to(c.Span[1])
	return (c.to(v) - low) / (high - low)
}

func (c colours) of(v float64) color.Color {
	return c.palette.Colors()[int(c.share(v)*(shades-1)+0.5)]
}

// bar is the colours with their numbers, and what they are.
func (c colours) bar() *plot.Plot {
	p := Panel{X: c.Axis, Y: Axis{Names: []string{""}, Span: [2]float64{-0.5, 0.5}}}.plot(columnWidth, barHeight, false)
	p.Add(colourBar{c.palette})
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

// drawNumbers prints the values of fields of a size where the widest has room.
func (s Series) drawNumbers(c *draw.Canvas, places []vg.Point, size vg.Point) {
	style := textStyle(tickSize)
	style.XAlign, style.YAlign = text.XCenter, text.YCenter
	for _, q := range s.Points {
		if style.Width(shortNumber(q.value))+3 > size.X || vg.Length(tickSize)+2 > size.Y {
			return
		}
	}
	for i, q := range s.Points {
		style.Color = inkOn(s.colours.of(q.value))
		c.FillText(style, vg.Point{X: places[i].X, Y: places[i].Y + style.FontExtents().Descent/2}, shortNumber(q.value))
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
