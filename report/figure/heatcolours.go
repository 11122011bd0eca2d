package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/palette/moreland"

	"mercer/internal/lists"
)

// shades is how many colours a scale has.
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

func shadesOf(m palette.ColorMap, err error) []color.NRGBA {
	if err != nil {
		panic(err) // the colours are those above
	}
	m.SetMin(0)
	m.SetMax(1)
	return lists.Map(m.Palette(shades).Colors(), func(c color.Color) color.NRGBA { return color.NRGBAModel.Convert(c).(color.NRGBA) })
}

// colourScale gives values their colours, from one end of its span to the other.
type colourScale struct {
	span
	log     bool
	colours []color.NRGBA
}

// colour is that of a value in the scale's span.
func (s colourScale) colour(v float64) color.NRGBA {
	at := (v - s.low) / (s.high - s.low)
	if s.log {
		at = math.Log(v/s.low) / math.Log(s.high/s.low)
	}
	return s.colours[min(max(int(math.Round(at*(shades-1))), 0), shades-1)]
}

// at is the value at a fraction of the scale's length.
func (s colourScale) at(fraction float64) float64 {
	if s.log {
		return s.low * math.Pow(s.high/s.low, fraction)
	}
	return s.low + fraction*(s.high-s.low)
}

// Inks of numbers on a colour. They are a shade off black and white, which a dark page
// replaces.
var (
	darkInk  = color.NRGBA{R: 1, G: 1, B: 1, A: 255}
	lightInk = color.NRGBA{R: 254, G: 254, B: 254, A: 255}
)

// inkOn is the ink with more contrast to a colour, which is 4.5 at least.
func inkOn(c color.NRGBA) color.NRGBA {
	if contrast(darkInk, c) >= contrast(lightInk, c) {
		return darkInk
	}
	return lightInk
}

// contrast is that of two colours, from 1 to 21.
//
// Reference: Web Content Accessibility Guidelines 2.1.
func contrast(a, b color.NRGBA) float64 {
	x, y := luminance(a), luminance(b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

// luminance is the relative luminance of an sRGB colour, from 0 to 1.
func luminance(c color.NRGBA) float64 {
	linear := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}
