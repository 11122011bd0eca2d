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

// Palette is ten colours that people with any common form of colour blindness can tell apart,
// in the order that keeps the first few farthest apart.
//
// Reference: Petroff, Accessible Color Sequences for Data Visualization, 2021.
// Deviation: the two greys, fourth and ninth there, come last. They look like bands and
// lines of reference.
var Palette = []string{blue, orange, red, "#832DB6", "#A96B59", "#E76300", "#B9AC70", "#92DADD", "#94A4A2", "#717581"}

const blue, orange, red = "#3F90DA", "#FFA90E", "#BD1F01"

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
