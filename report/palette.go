package report

import (
	"image/color"

	"gonum.org/v1/plot/vg/draw"
)

// Colours of Okabe and Ito, which people with any common form of colour
// blindness tell apart. Their yellow is left out: it is too light for lines on
// white. Shapes differ too, for prints without colour.
var (
	black = color.NRGBA{A: 255}
	grey  = color.NRGBA{R: 0x55, G: 0x55, B: 0x55, A: 255}
	faint = color.NRGBA{R: 0xDD, G: 0xDD, B: 0xDD, A: 255}

	blue       = color.NRGBA{R: 0x00, G: 0x72, B: 0xB2, A: 255}
	vermillion = color.NRGBA{R: 0xD5, G: 0x5E, B: 0x00, A: 255}
	green      = color.NRGBA{R: 0x00, G: 0x9E, B: 0x73, A: 255}
	purple     = color.NRGBA{R: 0xCC, G: 0x79, B: 0xA7, A: 255}
	orange     = color.NRGBA{R: 0xE6, G: 0x9F, B: 0x00, A: 255}
	sky        = color.NRGBA{R: 0x56, G: 0xB4, B: 0xE9, A: 255}
)

// look is how one series of a figure is drawn.
type look struct {
	colour color.NRGBA
	shape  draw.GlyphDrawer
}

var looks = []look{
	{blue, draw.CircleGlyph{}},
	{vermillion, draw.SquareGlyph{}},
	{green, draw.PyramidGlyph{}},
	{purple, draw.RingGlyph{}},
	{orange, draw.BoxGlyph{}},
	{sky, draw.TriangleGlyph{}},
}

// tint is c for areas that hide what is behind them.
func tint(c color.NRGBA) color.NRGBA {
	mix := func(v uint8) uint8 { return uint8(0xFF - (0xFF-int(v))*2/5) }
	return color.NRGBA{R: mix(c.R), G: mix(c.G), B: mix(c.B), A: 0xFF}
}

// translucent is c for areas that lie under lines.
func translucent(c color.NRGBA) color.NRGBA {
	c.A = 46
	return c
}
