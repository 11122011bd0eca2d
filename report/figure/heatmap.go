package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
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

// field is one coloured rectangle of a heat map: a cell.
type field struct {
	at    results.Key
	x, y  string  // values of the plot's columns
	value float64 // NaN where there is none
	count int     // of repeats with a value
	state fieldState
}

// fieldState is why a field has its look.
type fieldState string

const (
	valued        fieldState = "value"
	notApplicable fieldState = "not applicable" // the theorem is
	valueless     fieldState = "no value"       // in any repeat
)

// heatPanel is the fields of one data set, kernel, method and value of the facet.
type heatPanel struct {
	name   string
	at     results.Key
	xs, ys []string
	fields []field
}

// shares names the panels that have the same rows and columns.
func (p heatPanel) shares() string { return plotPanel{at: p.at}.shares() }

// heatmap is a heat map with its numbers.
type heatmap struct {
	configs.Plot
	panels  []heatPanel
	tally          // of values behind a median
	label   string // of the colour bar
	theorem string // key
	level   float64
}

// heatmap reads the fields of a heat map from rows, or from the verdicts on its claim.
func (r *plotReader) heatmap(verdicts []claims.Verdict) heatmap {
	h := heatmap{Plot: r.Plot}
	var fields []field
	if r.trouble == "" && r.Claim.Value == "" {
		fields = r.metricFields(&h)
	} else if r.trouble == "" {
		fields = r.boundFields(&h, verdicts)
	}
	if r.trouble != "" {
		return h
	}
	r.uncolour(fields)
	r.locate(&h, fields)
	names := panelNames(h.panels, func(p heatPanel) results.Key { return p.at })
	for i := range h.panels {
		h.panels[i].name = names[i]
		r.sortFields(&h, &h.panels[i])
	}
	if r.trouble == "" && !h.any(func(f field) bool { return f.state == valued }) {
		r.trouble = "no field has a value"
		if h.any(func(f field) bool { return f.state == notApplicable }) {
			r.trouble = fmt.Sprintf("%s applies to no cell", plain.Text(h.theorem))
		}
	}
	return h
}

func (h heatmap) any(is func(field) bool) bool {
	return slices.ContainsFunc(h.panels, func(p heatPanel) bool { return slices.ContainsFunc(p.fields, is) })
}

// metricFields are the medians of a quantity of the cells.
func (r *plotReader) metricFields(h *heatmap) []field {
	var err error
	if r.y, err = r.run.Quantity(r.Of); err != nil {
		r.trouble = err.Error()
		return nil
	}
	r.leaveOutUndefined()
	h.label = "median of " + r.withUnit(r.Of.Text, r.y)
	var fields []field
	for _, cell := range results.Cells(r.rows) {
		var values []float64
		for _, reading := range r.y.Read(cell.Rows) {
			if reading.OK() {
				values = append(values, reading.Value)
			}
		}
		f := field{at: cell.At, value: math.NaN(), count: len(values), state: valueless}
		if len(values) > 0 {
			f.value, f.state = results.Median(values), valued
		}
		fields = append(fields, f)
	}
	return fields
}

// boundFields are the numbers of the verdicts on the plot's claim, in all cells.
func (r *plotReader) boundFields(h *heatmap, verdicts []claims.Verdict) []field {
	h.label = "median of " + r.Ratio()
	if r.Ratio() == configs.BestOverProven {
		h.label = "best/proven factor"
	}
	judged := slices.DeleteFunc(slices.Clone(verdicts), func(v claims.Verdict) bool { return v.Claim != r.Claim.Value })
	if len(judged) == 0 {
		r.trouble = fmt.Sprintf("the run has no verdict on claim %s; keep it among the claims of the profile", plain.Text(r.Claim.Value))
		return nil
	}
	repeats := map[results.Key]int{}
	for _, row := range r.rows {
		repeats[row.At]++
	}
	var fields []field
	for _, v := range judged {
		h.theorem, h.level = v.Theorem, v.Target
		if len(v.Bounds) == 0 {
			r.note("Nothing is drawn of %s: %s.", cmp.Or(plain.Text(format.PlainWhere(v.Group)), "the claim"), plain.Text(v.Reason))
		}
		for _, c := range v.Bounds {
			if matches(c.At, r.Where) {
				fields = append(fields, boundField(c, r.Ratio(), repeats[c.At]))
			}
		}
	}
	if len(fields) == 0 {
		r.trouble = fmt.Sprintf("claim %s gives no number here", plain.Text(r.Claim.Value))
	}
	return fields
}

// boundField is what a bound says in a cell.
func boundField(c claims.BoundCell, ratio string, repeats int) field {
	f := field{at: c.At, value: math.NaN(), count: repeats, state: valueless}
	if v := map[string]*float64{configs.MeasuredOverBound: c.Tightness, configs.BoundOverTrivial: c.Trivial, configs.BestOverProven: c.Factor}[ratio]; v != nil {
		f.value, f.state = *v, valued
	}
	if !c.Applies {
		f.state = notApplicable
	}
	if f.state == valueless {
		f.count = 0
	}
	return f
}

// uncolour leaves out what a log scale that the plot asks for has no colour for.
func (r *plotReader) uncolour(fields []field) {
	for i, f := range fields {
		if r.Axes.Color == "log" && f.state == valued && f.value <= 0 {
			fields[i].state = valueless
			r.dropped = append(r.dropped, fmt.Sprintf("%s (%s)", plain.Text(format.ShortWhere(f.at)), format.Number(f.value)))
		}
	}
	r.noteDropped("a log scale has no colour")
}

// locate puts fields into their panels, one at each place.
func (r *plotReader) locate(h *heatmap, fields []field) {
	of := map[results.Key]field{}
	var cells []*results.Row // that stand for the fields
	for _, f := range fields {
		f.x, f.y = f.at.Text(r.X.Text), f.at.Text(r.Y.Text)
		if f.x == "" || f.y == "" {
			r.note("Left out, since it has no %s or no %s: %s.", plain.Text(r.X.Text), plain.Text(r.Y.Text), plain.Text(f.at.Text("method")))
			continue
		}
		if _, again := of[f.at]; !again {
			cells = append(cells, &results.Row{At: f.at})
		}
		of[f.at] = f
	}
	for _, g := range results.Meeting(cells, r.columns([]string{"dataset", "kernel", "method", r.Facet.Value}, r.X.Text, r.Y.Text)) {
		p := heatPanel{at: g.At}
		for _, cell := range g.Rows {
			f := of[cell.At]
			if k := slices.IndexFunc(p.fields, func(other field) bool { return other.x == f.x && other.y == f.y }); k >= 0 {
				reason, _ := r.clash([]*results.Row{{At: p.fields[k].at}, cell}, r.X.Text)
				r.trouble = fmt.Sprintf("%s at %s = %s and %s = %s has %s; fix them under where, or make one the facet", plain.Text(f.at.Text("method")),
					plain.Text(r.X.Text), f.x, plain.Text(r.Y.Text), f.y, reason)
				return
			}
			p.fields = append(p.fields, f)
		}
		h.panels = append(h.panels, p)
	}
	slices.SortStableFunc(h.panels, func(a, b heatPanel) int { return r.compare(a.at, b.at) })
}

// sortFields lists the values of the columns in order, those of all panels that share them.
func (r *plotReader) sortFields(h *heatmap, p *heatPanel) {
	var shared []field
	for _, other := range h.panels {
		if other.shares() == p.shares() {
			shared = append(shared, other.fields...)
		}
	}
	for _, f := range p.fields {
		if f.state == valued {
			h.count(f.count)
		}
	}
	distinct := func(column string) []string {
		slices.SortStableFunc(shared, func(a, b field) int { return r.compare(a.at.Only(column), b.at.Only(column)) })
		return slices.Compact(lists.Map(shared, func(f field) string { return f.at.Text(column) }))
	}
	p.xs, p.ys = distinct(r.X.Text), distinct(r.Y.Text)
	if most := max(len(p.xs), len(p.ys)); most > maxFields && r.trouble == "" {
		r.trouble = fmt.Sprintf("%d values of a column are more than %d, which a heat map has room for; pick some under where", most, maxFields)
	}
}

// caption says what is drawn, in sentences.
func (h heatmap) caption(l Labels) []string {
	repeats := h.repeats()
	over := fmt.Sprintf("for each %s and %s", l.named(h.X.Text), l.named(h.Y.Text))
	if h.theorem == "" {
		return []string{fmt.Sprintf("Median of %s over %s, %s.", l.named(h.Of.Text), repeats, over)}
	}
	of := fmt.Sprintf("the bound of %s (claim %s)", plain.Text(h.theorem), plain.Text(h.Claim.Value))
	switch h.Ratio() {
	case configs.BestOverProven:
		return []string{fmt.Sprintf("The least factor on %s that still covers %s of %s, %s: below 1, a smaller constant would do on these data.",
			of, format.Percent(h.level), repeats, over)}
	case configs.BoundOverTrivial:
		return []string{fmt.Sprintf("Median over %s of %s, over the trivial value, %s: from 1 on the bound is vacuous.", repeats, of, over)}
	}
	return []string{fmt.Sprintf("Median over %s of the measured value over %s, %s: near 1 the bound is tight, above 1 it fails.", repeats, of, over)}
}

// numbers has a row for each field.
func (h heatmap) numbers() [][]string {
	rows := [][]string{{"plot", "panel", "x", "y", "value", "repeats", "state"}}
	for _, p := range h.panels {
		for _, f := range p.fields {
			x, y := strings.Join([]string{h.X.Text, f.x}, "="), strings.Join([]string{h.Y.Text, f.y}, "=")
			rows = append(rows, []string{h.ID, p.at.String(), x, y, format.Value(f.value), fmt.Sprint(f.count), string(f.state)})
		}
	}
	return rows
}
