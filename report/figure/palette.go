package figure

import (
	"fmt"
	"image/color"
	"iter"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"mercer/results"
)

// Colours of text, lines of reference and grids.
var (
	black = color.NRGBA{A: 255}
	grey  = color.NRGBA{R: 0x55, G: 0x55, B: 0x55, A: 255}
	faint = color.NRGBA{R: 0xDD, G: 0xDD, B: 0xDD, A: 255}
)

// Ten colours that people with any common form of colour blindness can tell apart,
// in the order that keeps the first few farthest apart. Shapes differ too, for
// prints without colour.
//
// Reference: Petroff, Accessible Color Sequences for Data Visualization, 2021.
// Deviation: the two greys, fourth and ninth there, come last. They look like bands and
// lines of reference.
var (
	blue   = color.NRGBA{R: 0x3F, G: 0x90, B: 0xDA, A: 255}
	orange = color.NRGBA{R: 0xFF, G: 0xA9, B: 0x0E, A: 255}
	red    = color.NRGBA{R: 0xBD, G: 0x1F, B: 0x01, A: 255}
	silver = color.NRGBA{R: 0x94, G: 0xA4, B: 0xA2, A: 255}
	purple = color.NRGBA{R: 0x83, G: 0x2D, B: 0xB6, A: 255}
	brown  = color.NRGBA{R: 0xA9, G: 0x6B, B: 0x59, A: 255}
	rust   = color.NRGBA{R: 0xE7, G: 0x63, B: 0x00, A: 255}
	sand   = color.NRGBA{R: 0xB9, G: 0xAC, B: 0x70, A: 255}
	slate  = color.NRGBA{R: 0x71, G: 0x75, B: 0x81, A: 255}
	cyan   = color.NRGBA{R: 0x92, G: 0xDA, B: 0xDD, A: 255}
)

// look is how one series of a figure is drawn.
type look struct {
	colour color.NRGBA
	shape  draw.GlyphDrawer
}

var looks = []look{
	{blue, draw.CircleGlyph{}},
	{orange, draw.SquareGlyph{}},
	{red, draw.PyramidGlyph{}},
	{purple, draw.RingGlyph{}},
	{brown, draw.BoxGlyph{}},
	{rust, draw.TriangleGlyph{}},
	{sand, draw.CircleGlyph{}},
	{cyan, draw.SquareGlyph{}},
	{silver, draw.PyramidGlyph{}},
	{slate, draw.RingGlyph{}},
}

// maxSeries is how many lines can be distinguished by colour, shape and dashes.
const maxSeries = 12

// seriesLook tells series apart: by colour and shape, and beyond the number of colours by
// dashes too.
func seriesLook(i int) (look, []vg.Length) {
	round := i / len(looks)
	l := look{looks[i%len(looks)].colour, looks[(i+round)%len(looks)].shape}
	return l, [][]vg.Length{nil, {5, 1.5}, {1.5, 1.5}, {6, 1.5, 1.5, 1.5}}[round%4]
}

// looksOf are the looks of series. Those with a method each have the colour of its place in
// the spec, so that a method has one in all plots, also when others are added below it.
// Where methods are more than colours, or have several series, they are counted.
func looksOf(series []results.Key, methods []string) []int {
	counted, placed := make([]int, len(series)), make([]int, 0, len(series))
	for i, at := range series {
		counted[i] = i
		place := slices.Index(methods, at.Text("method"))
		if place >= 0 && place < len(looks) && !slices.Contains(placed, place) {
			placed = append(placed, place)
		}
	}
	if len(placed) < len(series) {
		return counted
	}
	return placed
}

// Tints are the colours of series with their tints, as an SVG writes them.
func Tints() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, l := range looks {
			if !yield(svgColour(l.colour), svgColour(tint(l.colour))) {
				return
			}
		}
	}
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

func svgColour(c color.NRGBA) string { return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B) }
