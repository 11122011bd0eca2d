package figure

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	gonumpalette "gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"mercer/report/format"
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

// of is the colour of a value.
func (c colours) of(v float64) color.Color {
	low, high := c.to(c.Span[0]), c.to(c.Span[1])
	return c.palette.Colors()[int((c.to(v)-low)/(high-low)*(shades-1)+0.5)]
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

// fields are the values of a heat map on two axes of names: values by column and row, the lowest row
// first, NaN for none. They are a [plotter.GridXYZ] of values along the scale.
type fields struct {
	values [][]float64
	scale  *colours
}

func (f fields) Dims() (columns, rows int) { return len(f.values), len(f.values[0]) }

func (f fields) X(column int) float64 { return float64(column) }

func (f fields) Y(row int) float64 { return float64(row + 1 - len(f.values[0])) }

func (f fields) Z(column, row int) float64 { return f.scale.to(f.values[column][row]) }

// draw adds the fields to a plot, with their numbers where the widest has room in one.
func (f fields) draw(p *plot.Plot, width, height vg.Length) {
	if f.scale == nil {
		return
	}
	p.Add(&plotter.HeatMap{GridXYZ: f, Palette: f.scale.palette, Min: f.scale.to(f.scale.Span[0]), Max: f.scale.to(f.scale.Span[1])})

	numbers, widest := &plotter.Labels{}, vg.Length(0)
	for i, column := range f.values {
		for k, v := range column {
			if math.IsNaN(v) {
				continue
			}
			style, number := textStyle(tickSize), tickText(format.RoundedTo(v, 2))
			style.XAlign, style.YAlign, style.Color = text.XCenter, text.YCenter, inkOn(f.scale.of(v))
			numbers.XYs = append(numbers.XYs, plotter.XY{X: f.X(i), Y: f.Y(k)})
			numbers.Labels, numbers.TextStyle = append(numbers.Labels, number), append(numbers.TextStyle, style)
			widest = max(widest, style.Width(number))
		}
	}
	if widest+3 <= width && tickSize+2 <= height {
		p.Add(numbers)
	}
}

// ends are the least and the greatest value.
func (f fields) ends() (least, most float64) {
	all := slices.DeleteFunc(slices.Concat(f.values...), math.IsNaN)
	if len(all) == 0 {
		return math.Inf(1), math.Inf(-1)
	}
	return slices.Min(all), slices.Max(all)
}

// inkOn is the ink with more contrast to a colour. Inks are a shade off black and white, which a dark
// page replaces.
func inkOn(c color.Color) color.NRGBA {
	if color.GrayModel.Convert(c).(color.Gray).Y > 104 {
		return color.NRGBA{R: 1, G: 1, B: 1, A: 255}
	}
	return color.NRGBA{R: 254, G: 254, B: 254, A: 255}
}
