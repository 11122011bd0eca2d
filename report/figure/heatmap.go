package figure

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	gonumpalette "gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
)

// fieldState is why a field has its look.
type fieldState string

const (
	valued        fieldState = "value"
	notApplicable fieldState = "not applicable" // the theorem is
	valueless     fieldState = "no value"       // in any repeat
)

// heatmap draws what verdicts say of the cells of a bound: a panel of fields for each data set, kernel
// and method. A field is a cell on two axes of names.
func (r *reader) heatmap(verdicts []claims.Verdict) (Chart, []string) {
	r.table = [][]string{{"plot", "panel", "x", "y", "value", "repeats", "state"}}
	theorem, cells := "", map[results.Key]claims.BoundCell{}
	for _, v := range verdicts {
		if v.Claim != r.Claim.Value {
			continue
		}
		theorem = cmp.Or(v.Theorem, v.Bound)
		for _, c := range v.Bounds {
			cells[c.At] = c
		}
	}
	rows := lists.Where(r.rows, func(row *results.Row) bool {
		_, judged := cells[row.At]
		return judged && row.At.Text(r.X.Text) != "" && row.At.Text(r.Y.Text) != ""
	})

	var panels []Panel
	for _, g := range r.split(rows, "dataset", "kernel", "method") {
		panels = append(panels, r.fieldPanel(g, cells))
	}
	name(panels)
	reach := math.Log10(1.1)
	for _, p := range panels {
		for _, v := range slices.Concat(p.fields.values...) {
			if z := math.Abs(math.Log10(v)); plain.Finite(z) {
				reach = max(reach, z)
			}
		}
	}
	for i := range panels {
		panels[i].fields.reach = reach
		panels[i].Title = strings.TrimSuffix(r.Of+": "+panels[i].Title, ": ")
	}

	if !slices.ContainsFunc(r.table, func(row []string) bool { return row[len(row)-1] == string(valued) }) {
		r.trouble = cmp.Or(r.trouble, fmt.Sprintf("claim %s gives no number here", plain.Text(r.Claim.Value)))
	}
	return newChart(cmp.Or(r.Title, r.ID), panels), []string{fmt.Sprintf(heatCaptions[r.Of], plain.Text(theorem), plain.Text(r.Claim.Value))}
}

// fieldPanel reads a panel. A cross marks a field without a value, a box one where the theorem does not
// apply.
func (r *reader) fieldPanel(g results.Group, cells map[results.Key]claims.BoundCell) Panel {
	xs, ys := r.valuesOf(g.Rows, r.X.Text), r.valuesOf(g.Rows, r.Y.Text)
	if _, err := strconv.ParseFloat(ys[0], 64); err == nil { // numbers rise, names begin on top
		slices.Reverse(ys)
	}
	p := Panel{
		at: g.At, fields: &fields{},
		X: Axis{Label: plain.Text(r.X.Text), Names: valueLabels(xs)}, Y: Axis{Label: plain.Text(r.Y.Text), Names: valueLabels(ys)},
	}
	for range xs {
		p.fields.values = append(p.fields.values, slices.Repeat([]float64{math.NaN()}, len(ys)))
	}
	marks := map[fieldState]*Series{
		notApplicable: {Name: "the theorem does not apply", Colour: quiet, Shape: square, Hollow: true, Radius: 2.5},
		valueless:     {Name: "no value", Colour: quiet, Shape: cross, Hollow: true, Radius: 2.5},
	}
	for _, at := range results.GroupBy(g.Rows, func(row *results.Row) results.Key { return row.At.Only(r.X.Text, r.Y.Text) }) {
		if len(results.Cells(at.Rows)) > 1 {
			r.trouble = fmt.Sprintf("several cells are at %s; fix under where in what they differ", plain.Text(format.ShortWhere(at.At.Join(g.At))))
		}
		c := cells[at.Rows[0].At]
		value, count, state := math.NaN(), len(at.Rows), valued
		shown := map[string]*float64{configs.MeasuredOverBound: c.Tightness, configs.BoundOverTrivial: c.Trivial}[r.Of]
		switch {
		case !c.Applies:
			state = notApplicable
		case shown == nil:
			count, state = 0, valueless
		}
		if shown != nil {
			value = *shown
		}
		x, y := at.At.Text(r.X.Text), at.At.Text(r.Y.Text)
		r.table = append(r.table, []string{r.ID, p.at.String(), r.X.Text + "=" + x, r.Y.Text + "=" + y, format.Value(value), fmt.Sprint(count), string(state)})

		column, row := slices.Index(xs, x), slices.Index(ys, y)
		if state == valued {
			p.fields.values[column][len(ys)-1-row] = value
		} else {
			marks[state].Points = append(marks[state].Points, Point{X: exactly(float64(column)), Y: exactly(-float64(row))})
		}
	}
	for _, state := range []fieldState{notApplicable, valueless} {
		if len(marks[state].Points) > 0 {
			p.Series = append(p.Series, *marks[state])
		}
	}
	return p
}

// heatCaptions say what is drawn, by what is shown of a bound.
var heatCaptions = map[string]string{
	configs.MeasuredOverBound: "Median over repeats of the measured value over the bound of %s (claim %s), blue below 1 and red above: near 1 the bound is tight, above 1 it fails.",
	configs.BoundOverTrivial:  "Median over repeats of the bound of %s (claim %s) over the trivial value, blue below 1 and red above: from 1 on the bound is vacuous.",
}

// valueLabels are the labels of the values of a column.
func valueLabels(values []string) []string {
	return lists.Map(values, func(v string) string {
		if x, err := strconv.ParseFloat(v, 64); err == nil {
			return tickText(x)
		}
		return plain.Text(v)
	})
}

// fields are the values of a heat map on two axes of names: by column and row, the lowest row
// first, NaN for none. They are a [plotter.GridXYZ] of their logarithms.
type fields struct {
	values [][]float64
	reach  float64 // of the colours, to either side of 0
}

func (f fields) Dims() (columns, rows int) { return len(f.values), len(f.values[0]) }

func (f fields) X(column int) float64 { return float64(column) }

func (f fields) Y(row int) float64 { return float64(row + 1 - len(f.values[0])) }

func (f fields) Z(column, row int) float64 { return math.Log10(f.values[column][row]) }

// draw adds the fields to a plot, with their numbers.
func (f fields) draw(p *plot.Plot) {
	p.Add(&plotter.HeatMap{GridXYZ: f, Palette: diverging, Min: -f.reach, Max: f.reach})
	numbers := &plotter.Labels{}
	for i, column := range f.values {
		for k, v := range column {
			if math.IsNaN(v) {
				continue
			}
			style := textStyle(tickSize)
			style.XAlign, style.YAlign, style.Color = text.XCenter, text.YCenter, inkOn(f.colour(f.Z(i, k)))
			numbers.XYs = append(numbers.XYs, plotter.XY{X: f.X(i), Y: f.Y(k)})
			numbers.Labels, numbers.TextStyle = append(numbers.Labels, tickText(format.RoundedTo(v, 2))), append(numbers.TextStyle, style)
		}
	}
	p.Add(numbers)
}

// colour is that of a value of Z.
func (f fields) colour(z float64) color.Color {
	colours := diverging.Colors()
	at := (z/f.reach + 1) / 2 * float64(len(colours)-1)
	if !plain.Finite(at) {
		return color.White
	}
	return colours[int(min(max(math.Round(at), 0), float64(len(colours)-1)))]
}

// inkOn is the ink that is told best from a colour, by their luminance: white on one below 0.179,
// where both have a contrast of 4.6.
func inkOn(c color.Color) color.Color {
	r, g, b := linear(c)
	if luminance(r, g, b) < 0.179 {
		return nearWhite
	}
	return nearBlack
}

// luminance is that of linear light.
//
// Reference: W3C, Web Content Accessibility Guidelines 2.1, relative luminance.
func luminance(r, g, b float64) float64 { return 0.2126*r + 0.7152*g + 0.0722*b }

// linear is the light of an sRGB colour, each part from 0 to 1.
func linear(c color.Color) (r, g, b float64) {
	part := func(v uint32) float64 {
		x := float64(v) / 65535
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	red, green, blue, _ := c.RGBA()
	return part(red), part(green), part(blue)
}

// nearWhite is the ink of numbers on dark fields, a shade off the white that a dark page replaces;
// nearBlack is that on light ones.
var nearWhite, nearBlack = color.NRGBA{R: 254, G: 254, B: 254, A: 255}, color.NRGBA{R: 1, G: 1, B: 1, A: 255}

// diverging goes from blue over grey to red, as light at either end.
//
// Reference: Moreland, Diverging Color Maps for Scientific Visualization, 2009.
var diverging = func() gonumpalette.Palette {
	m := moreland.SmoothBlueRed()
	m.SetMin(0)
	m.SetMax(1)
	return m.Palette(256)
}()
