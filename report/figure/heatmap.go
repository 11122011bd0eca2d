package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
)

// maxFields is how many values of a column a heat map shows.
const maxFields = 60

// fieldState is why a field has its look.
type fieldState string

const (
	valued        fieldState = "value"
	notApplicable fieldState = "not applicable" // the theorem is
	valueless     fieldState = "no value"       // in any repeat
)

// bound is what a heat map shows of a claim: a number of its cells.
type bound struct {
	theorem string
	cells   map[results.Key]claims.BoundCell
}

// heatmap draws a panel of fields for each data set, kernel, method and value of the facet,
// below one colour bar. A field is a cell on two axes of names.
func (r *reader) heatmap(verdicts []claims.Verdict) (Chart, []string) {
	r.table = [][]string{{"plot", "panel", "x", "y", "value", "repeats", "state"}}
	label := "median of " + r.withUnit(r.Of.Text, r.y)
	var b bound
	if r.Claim.Value != "" {
		b, label = r.bound(verdicts), "median of "+r.Ratio()
	}
	r.rows = lists.Where(r.rows, func(row *results.Row) bool {
		there := row.At.Text(r.X.Text) != "" && row.At.Text(r.Y.Text) != ""
		if !there {
			r.note("Left out, since it has no %s or no %s: %s.", plain.Text(r.X.Text), plain.Text(r.Y.Text), plain.Text(row.Method()))
		}
		return there
	})

	var panels []Panel
	for _, same := range r.split(r.rows, columns([]string{"dataset", "kernel"}, r.X.Text, r.Y.Text)...) {
		xs, ys := r.valuesOf(same.Rows, r.X.Text), r.valuesOf(same.Rows, r.Y.Text)
		if most := max(len(xs), len(ys)); most > maxFields {
			r.trouble = cmp.Or(r.trouble, fmt.Sprintf("%d values of a column are more than %d, which a heat map has room for; pick some under where", most, maxFields))
		}
		if !named(r.Y.Text) { // numbers rise, names begin on top
			slices.Reverse(ys)
		}
		for _, g := range r.split(same.Rows, columns([]string{"dataset", "kernel", "method", r.Facet.Value}, r.X.Text, r.Y.Text)...) {
			panels = append(panels, r.fieldPanel(g, xs, ys, b))
		}
	}
	name(panels)
	scale := r.scale(panels)
	scale.Label = label
	for i := range panels {
		panels[i].fields.scale = scale
	}
	c := newChart(cmp.Or(r.Title, r.ID), panels)
	c.Bar = scale

	r.finish()
	switch drawn := func(state fieldState) bool {
		return slices.ContainsFunc(r.table, func(row []string) bool { return row[len(row)-1] == string(state) })
	}; {
	case drawn(valued):
	case drawn(notApplicable):
		r.trouble = cmp.Or(r.trouble, plain.Text(b.theorem)+" applies to no cell")
	default:
		r.trouble = cmp.Or(r.trouble, "no field has a value")
	}
	return c, []string{r.heatCaption(b)}
}

// bound picks the rows of the cells of the plot's claim.
func (r *reader) bound(verdicts []claims.Verdict) bound {
	b := bound{cells: map[results.Key]claims.BoundCell{}}
	rows := map[results.Key][]*results.Row{}
	for _, cell := range results.Cells(r.rows) {
		rows[cell.At] = cell.Rows
	}
	r.rows = nil
	judged := lists.Where(verdicts, func(v claims.Verdict) bool { return v.Claim == r.Claim.Value })
	for _, v := range judged {
		b.theorem = v.Theorem
		if len(v.Bounds) == 0 {
			r.note("Nothing is drawn of %s: %s.", cmp.Or(plain.Text(format.PlainWhere(v.Group)), "the claim"), plain.Text(v.Reason))
		}
		for _, c := range v.Bounds {
			r.rows = append(r.rows, rows[c.At]...)
			delete(rows, c.At)
			b.cells[c.At] = c
		}
	}
	switch {
	case len(judged) == 0:
		r.trouble = fmt.Sprintf("the run has no verdict on claim %s; keep it among the claims of the profile", plain.Text(r.Claim.Value))
	case len(r.rows) == 0:
		r.trouble = fmt.Sprintf("claim %s gives no number here", plain.Text(r.Claim.Value))
	}
	return b
}

// fieldPanel reads a panel with values of its columns, from left to right and from top to bottom. A
// cross marks a field without a value, a box one where the theorem does not apply.
func (r *reader) fieldPanel(g results.Group, xs, ys []string, b bound) Panel {
	p := Panel{
		at: g.At,
		X:  Axis{Label: plain.Text(r.X.Text), Names: valueLabels(xs)}, Y: Axis{Label: plain.Text(r.Y.Text), Names: valueLabels(ys)},
	}
	for range xs {
		p.fields.values = append(p.fields.values, slices.Repeat([]float64{math.NaN()}, len(ys)))
	}
	marks := map[fieldState]*Series{
		notApplicable: {Name: "the theorem does not apply", Colour: quiet, Shape: square, Hollow: true, Radius: 2.5},
		valueless:     {Name: "no value", Colour: quiet, Shape: cross, Hollow: true, Radius: 2.5},
	}
	for _, at := range results.GroupBy(g.Rows, func(row *results.Row) results.Key { return row.At.Only(r.X.Text, r.Y.Text) }) {
		value, count, state := r.field(at, b)
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

// field is the median over the repeats of a cell, or the number of a claim's cell.
func (r *reader) field(at results.Group, b bound) (value float64, count int, state fieldState) {
	cell := at.Rows[0].At
	if b.cells == nil {
		_, values := r.values(at)
		if len(values) == 0 {
			return math.NaN(), 0, valueless
		}
		value = results.Median(values)
		if !r.hasPlace(r.Axes.Color == "log", r.Of.Text, value, cell) {
			return value, len(values), valueless
		}
		return value, len(values), valued
	}

	r.checkOneCell(at)
	c := b.cells[cell]
	shown := c.Tightness
	if r.Ratio() == configs.BoundOverTrivial {
		shown = c.Trivial
	}
	switch {
	case shown != nil:
		r.repeats.count(len(at.Rows))
		value, count, state = *shown, len(at.Rows), valued
	default:
		value, state = math.NaN(), valueless
	}
	if !c.Applies {
		count, state = len(at.Rows), notApplicable
	}
	return value, count, state
}

// scale are the colours of all panels, with their ends. The trivial value of a bound is in the
// middle.
func (r *reader) scale(panels []Panel) *colours {
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range panels {
		least, most := p.fields.ends()
		low, high = min(low, least), max(high, most)
	}
	trivial := r.Ratio() == configs.BoundOverTrivial
	c := &colours{palette: sequential}
	c.Log = r.Axes.Color == "log" || r.Axes.Color == "" && low > 0 && (high >= 10*low || trivial)
	switch {
	case low > high:
		low, high = 1, 10
	case c.Log && trivial:
		high = max(1.1, high, 1/low)
		low, c.palette = 1/high, diverging
	case high-low <= 1e-8*max(math.Abs(low), math.Abs(high)):
		half := max(0.1*math.Abs(high), 1e-12)
		low, high = low-half, high+half
	}
	c.Span = [2]float64{low, high}
	return c
}

// heatCaption says what is drawn.
func (r *reader) heatCaption(b bound) string {
	over := fmt.Sprintf("for each %s and %s", r.labels.named(r.X.Text), r.labels.named(r.Y.Text))
	of := fmt.Sprintf("the bound of %s (claim %s)", plain.Text(b.theorem), plain.Text(r.Claim.Value))
	switch r.Ratio() {
	case configs.BoundOverTrivial:
		return fmt.Sprintf("Median over %s of %s, over the trivial value, %s: from 1 on the bound is vacuous.", r.repeats, of, over)
	case configs.MeasuredOverBound:
		return fmt.Sprintf("Median over %s of the measured value over %s, %s: near 1 the bound is tight, above 1 it fails.", r.repeats, of, over)
	}
	return fmt.Sprintf("Median of %s over %s, %s.", r.labels.named(r.Of.Text), r.repeats, over)
}

// named says whether a column has names, not numbers.
func named(column string) bool {
	return slices.Contains([]string{"dataset", "kernel", "method"}, column)
}

// valueLabels are the labels of the values of a column, those of large numbers as powers
// of ten.
func valueLabels(values []string) []string {
	return lists.Map(values, func(v string) string {
		if x, err := strconv.ParseFloat(v, 64); err == nil && x >= 1e6 {
			return tickText(x)
		}
		return plain.Text(v)
	})
}
