package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

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
	level   float64
	cells   map[results.Key]claims.BoundCell
}

// heatmap draws a panel of fields for each data set, kernel, method and value of the facet,
// below one colour bar. A field is a cell: a box on two axes of names.
func (r *reader) heatmap(verdicts []claims.Verdict) (Chart, []string) {
	r.table = [][]string{{"plot", "panel", "x", "y", "value", "repeats", "state"}}
	label := "median of " + r.withUnit(r.Of.Text, r.y)
	var b bound
	if r.Claim.Value != "" {
		b = r.bound(verdicts)
		if label = "median of " + r.Ratio(); r.Ratio() == configs.BestOverProven {
			label = "best/proven factor"
		}
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
		for _, g := range r.split(same.Rows, columns([]string{"dataset", "kernel", "method", r.Facet.Value}, r.X.Text, r.Y.Text)...) {
			panels = append(panels, r.fields(g, xs, ys, label, b))
		}
	}
	name(panels)
	c := heatChart(r.Plot, label, panels)

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
	return c, r.heatCaption(b)
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
		b.theorem, b.level = v.Theorem, v.Target
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

// fields reads a panel with values of its columns. A cross marks a field without a value, a box
// one where the theorem does not apply.
func (r *reader) fields(g results.Group, xs, ys []string, label string, b bound) Panel {
	rows := ys
	if !named(r.Y.Text) { // numbers rise, names begin on top
		rows = slices.Clone(ys)
		slices.Reverse(rows)
	}
	p := Panel{
		at: g.At,
		X:  Axis{Label: plain.Text(r.X.Text), Names: valueLabels(r.X.Text, xs)}, Y: Axis{Label: plain.Text(r.Y.Text), Names: valueLabels(r.Y.Text, rows)},
	}
	states := []fieldState{valued, notApplicable, valueless}
	series := []Series{
		{Colour: ink, Interval: fields},
		{Name: "the theorem does not apply", Colour: quiet, Shape: square, Hollow: true, Radius: 2.5},
		{Name: "no value", Colour: quiet, Shape: cross, Hollow: true, Radius: 2.5},
	}
	for _, at := range results.GroupBy(g.Rows, func(row *results.Row) results.Key { return row.At.Only(r.X.Text, r.Y.Text) }) {
		value, count, state := r.field(at, b)
		s := &series[slices.Index(states, state)]
		x, y := at.At.Text(r.X.Text), at.At.Text(r.Y.Text)
		r.table = append(r.table, []string{r.ID, p.at.String(), r.X.Text + "=" + x, r.Y.Text + "=" + y, format.Value(value), fmt.Sprint(count), string(state)})

		text := lines(fmt.Sprintf("%s = %s, %s = %s", plain.Text(r.X.Text), plain.Text(x), plain.Text(r.Y.Text), plain.Text(y)), equation(label, exactly(value)), s.Name)
		if state == valued {
			text = lines(text, plain.Count(count, "repeat"))
		}
		column, row := float64(slices.Index(xs, x)), -float64(slices.Index(rows, y))
		s.Points = append(s.Points, Point{X: estimate{column, column - 0.5, column + 0.5}, Y: estimate{row, row - 0.5, row + 0.5}, Text: text, value: value})
	}
	p.Series = lists.Where(series, func(s Series) bool { return len(s.Points) > 0 })
	return p
}

// field is the median over the repeats of a cell, or the number of a claim's cell.
func (r *reader) field(at results.Group, b bound) (value float64, count int, state fieldState) {
	cell := at.Rows[0].At
	value, state = math.NaN(), valueless
	if b.cells == nil {
		if _, values := r.values(at); len(values) > 0 {
			value, count, state = results.Median(values), len(values), valued
		}
		if state == valued && !r.hasPlace(r.Axes.Color, r.Of.Text, value, cell) {
			state = valueless
		}
		return value, count, state
	}

	r.checkOneCell(at)
	c := b.cells[cell]
	if v := map[string]*float64{configs.MeasuredOverBound: c.Tightness, configs.BoundOverTrivial: c.Trivial, configs.BestOverProven: c.Factor}[r.Ratio()]; v != nil {
		value, count, state = *v, len(at.Rows), valued
		r.repeats.count(count)
	}
	if !c.Applies {
		count, state = len(at.Rows), notApplicable
	}
	return value, count, state
}

// heatChart colours panels of fields.
func heatChart(plot configs.Plot, label string, panels []Panel) Chart {
	scale := scaleOf(plot, panels)
	scale.Label = label
	for i, p := range panels {
		for s, q := range points(panels[i : i+1]) {
			s.colours, q.Text = scale, lines(p.Title, q.Text)
		}
	}

	c := newChart(plot.Size, cmp.Or(plot.Title, plot.ID), panels)
	c.Bar = scale
	return c
}

// scaleOf are the colours of all panels, with their ends.
func scaleOf(plot configs.Plot, panels []Panel) *colours {
	low, high := math.Inf(1), math.Inf(-1)
	for s, q := range points(panels) {
		if s.Interval == fields {
			low, high = min(low, q.value), max(high, q.value)
		}
	}
	trivial := plot.Ratio() == configs.BoundOverTrivial
	c := &colours{palette: sequential}
	c.Log = plot.Axes.Color == "log" || plot.Axes.Color == "" && low > 0 && (high >= 10*low || trivial)
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

// heatCaption says what is drawn, in sentences.
func (r *reader) heatCaption(b bound) []string {
	over := fmt.Sprintf("for each %s and %s", r.labels.named(r.X.Text), r.labels.named(r.Y.Text))
	of := fmt.Sprintf("the bound of %s (claim %s)", plain.Text(b.theorem), plain.Text(r.Claim.Value))
	text := fmt.Sprintf("Median of %s over %s, %s.", r.labels.named(r.Of.Text), r.repeats, over)
	switch r.Ratio() {
	case configs.BestOverProven:
		text = fmt.Sprintf("The least factor on %s that still covers %s of %s, %s: below 1, a smaller constant would do on these data.", of, format.Percent(b.level), r.repeats, over)
	case configs.BoundOverTrivial:
		text = fmt.Sprintf("Median over %s of %s, over the trivial value, %s: from 1 on the bound is vacuous.", r.repeats, of, over)
	case configs.MeasuredOverBound:
		text = fmt.Sprintf("Median over %s of the measured value over %s, %s: near 1 the bound is tight, above 1 it fails.", r.repeats, of, over)
	}
	return []string{text}
}

// named says whether a column has names, not numbers.
func named(column string) bool {
	return slices.Contains([]string{"dataset", "kernel", "method"}, column)
}

// valueLabels are the labels of the values of a column, those of large numbers as powers
// of ten.
func valueLabels(column string, values []string) []string {
	var numbers []float64
	for _, v := range values {
		if x, err := strconv.ParseFloat(v, 64); err == nil && !named(column) {
			numbers = append(numbers, x)
		}
	}
	if len(numbers) < len(values) || slices.Max(numbers) < 1e6 || slices.Min(numbers) <= 0 {
		return lists.Map(values, plain.Text)
	}
	var labels []string
	for _, t := range labelled(numbers, true) {
		labels = append(labels, t.Label)
	}
	return labels
}

// shortNumber writes v with two significant digits in as little room as there is.
func shortNumber(v float64) string {
	v = format.RoundedTo(v, 2)
	if size := math.Abs(v); v == 0 || size >= 0.001 && size < 1e4 {
		return format.Minus(strconv.FormatFloat(v, 'f', -1, 64))
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	sign := strings.TrimRight(exponent[:1], "+")
	return format.Minus(mantissa + "e" + sign + strings.TrimLeft(exponent[1:], "0"))
}
