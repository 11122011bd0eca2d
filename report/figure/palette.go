package figure

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Colours of text, lines of reference and grids.
var (
	black = color.NRGBA{A: 255}
	faint = color.NRGBA{R: 0xDD, G: 0xDD, B: 0xDD, A: 255}
)

const ink, quiet = "#000000", "#555555" // as series have them

// Palette is ten colours with a contrast of 3 or more on white, which people with any common form of
// colour blindness can tell apart, in an order that keeps the first few farthest apart: of the first four
// the distance in OKLab is 0.12, of all 0.066. The greys, which look like bands and lines of reference,
// come last. A search of random colours found the fifth to the eighth.
//
// Reference: W3C, Web Content Accessibility Guidelines 2.1, 1.4.11; Machado, Oliveira & Fernandes, A
// Physiologically-based Model for Simulation of Color Vision Deficiency, 2009; Ottosson, A perceptual
// color space for image processing, 2020.
var Palette = []string{blue, orange, red, "#832DB6", "#B468AB", "#29743F", "#4765DC", "#63954A", "#999289", "#666A72"}

const blue, orange, red = "#3F90DA", "#E76300", "#BD1F01"

// Shapes of marks. Series differ by shape too, for prints without colour.
const (
	circle   = "circle"
	square   = "square"
	triangle = "triangle"
	plus     = "plus"
	cross    = "cross"
)

// glyphs are the filled and the hollow form of shapes.
var glyphs = map[string][2]draw.GlyphDrawer{
	circle:   {draw.CircleGlyph{}, draw.RingGlyph{}},
	square:   {draw.BoxGlyph{}, draw.SquareGlyph{}},
	triangle: {draw.PyramidGlyph{}, draw.TriangleGlyph{}},
	plus:     {draw.PlusGlyph{}, draw.PlusGlyph{}},
	cross:    {draw.CrossGlyph{}, draw.CrossGlyph{}},
}

// maxSeries is how many lines of a plot can be told apart.
const maxSeries = 12

// styled is a series with the colour and the mark of a number; beyond the number of colours,
// dashes differ too.
func styled(i int, name string) Series {
	round := i / len(Palette)
	return Series{
		Name: name, Colour: Palette[i%len(Palette)], Width: 1, Radius: 1.9,
		Shape: []string{circle, square, triangle}[(i+round)%3], Hollow: (i+round)%2 == 1,
		Dashes: [][]vg.Length{nil, {5, 1.5}}[round%2],
	}
}
