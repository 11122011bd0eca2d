package configs

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
)

// Plot is one figure of the report. A figure has a panel for each dataset and
// kernel and each value of Facet; in a panel, a line for each method and each
// value of the columns By. What stands on the axes depends on Kind:
//
//	line     the mean of Y over repeats, by what X is: a column of numbers, whose points are
//	         joined; a column of names; or a metric, with a mark for each cell, or joined
//	         in the order of the column Along
//	scatter  points of a dataset, and where each method's result puts them
//	heatmap  the median of Of over repeats as the colour of a field, for each value of
//	         column X and of column Y; a panel for each method too
//	ranks    the mean rank of each method over the problems, by its mean of Y
//
// A problem is a dataset with a kernel: ranks has them in a panel together.
type Plot struct {
	ID     string        `yaml:"id" required:"true" pattern:"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$" want:"letters, digits, dots, hyphens and underscores (at most 64)" doc:"Names the figure and its files; unique among the plots of the spec."`
	Title  string        `yaml:"title" doc:"What is to be seen, for the caption."`
	Kind   string        `yaml:"kind" enum:"line,scatter,heatmap,ranks" doc:"line (means against a column or a metric; the default), scatter (points before and after an embedding), heatmap (colours over two columns) or ranks (mean ranks of methods over data sets, with tests)."`
	X      Quantity      `yaml:"x" metrics:"true" needs:"line,heatmap" kinds:"line,heatmap" doc:"line: a column, such as n or method, or a metric, such as time_total, or an expression over metrics. heatmap: a column, such as n."`
	Y      Quantity      `yaml:"y" metrics:"true" needs:"line,heatmap,ranks" kinds:"line,heatmap,ranks" doc:"A metric, or an expression over metrics; all kinds but scatter need it. ranks: less must be better. heatmap: a column, such as m."`
	Of     Quantity      `yaml:"of" metrics:"true" needs:"heatmap" kinds:"heatmap" doc:"heatmap: what the colours show: a metric, or an expression over metrics. With claim: measured/bound or bound/trivial."`
	Claim  Word          `yaml:"claim" names:"claim" kinds:"heatmap" doc:"heatmap: the id of a claim of kind bound, of which of shows measured/bound or bound/trivial."`
	Along  Word          `yaml:"along" kinds:"line" doc:"line, where x is a metric: the grid variable in whose order the points of a line are joined; left out, a mark for each cell."`
	Where  Conditions    `yaml:"where" doc:"Columns fixed to one or several values: dataset, kernel, method, n, m, d, ell or a grid variable. Lines and rows keep the order of the values."`
	By     Words         `yaml:"by" kinds:"line,ranks" unique:"true" doc:"Columns that tell lines apart, beside method."`
	Facet  Word          `yaml:"facet" kinds:"line,heatmap,ranks" doc:"Column with a panel for each of its values; dataset and kernel always have one, but for ranks, whose problems they are."`
	Axes   Axes          `yaml:"axes" doc:"Scales of the axes."`
	Theory []TheoryCurve `yaml:"theory" kinds:"line" minlen:"1" maxlen:"4" doc:"line: curves that the theory gives, drawn with the lines."`
	Floor  Quantity      `yaml:"floor" metrics:"true" kinds:"line" doc:"line: a curve that is drawn as it is: a metric below the lines, such as recon_h_floor, or an expression over metrics and grid variables."`
	Marks  []Mark        `yaml:"marks" kinds:"line" minlen:"1" maxlen:"200" doc:"Reference values, such as those of a paper."`
	Pos    Pos           `yaml:"-"`
}

// Axes are the scales of a plot's axes; left out, x and y are log.
type Axes struct {
	X     string `yaml:"x" kinds:"line" enum:"log,linear" doc:"Scale of the x axis: log (the default) or linear."`
	Y     string `yaml:"y" kinds:"line" enum:"log,linear" doc:"Scale of the y axis: log (the default) or linear."`
	Color string `yaml:"color" kinds:"heatmap" enum:"log,linear" doc:"heatmap: scale of the colours; left out, log where the values are positive and span a factor of 10, else linear."`
}

// TheoryCurve is a function of the grid variables and the dataset's constants,
// evaluated where the lines have points. The theory leaves a constant
// factor open: the curve goes through the last point.
type TheoryCurve struct {
	_     struct{}   `word:"curve"`
	Curve Value      `yaml:"curve" required:"true" doc:"An expression over grid variables and constants of the dataset, such as n^(-theta*(1-1/alpha))."`
	Label string     `yaml:"label" doc:"For the legend; the expression when left out."`
	Where Conditions `yaml:"where" spare:"true" doc:"The lines that have such a curve; all when left out."`
}

// Mark is a reference value: a line across the panel at X or at Y, or with both
// a point. Where X of the plot is a column of names it has Y alone, and belongs to the names that
// Where picks. An expression must have one value in all cells of a panel.
type Mark struct {
	X     *Value     `yaml:"x" doc:"A value on the x axis: a number, or an expression over grid variables and constants of the dataset, such as sqrt(n)."`
	Y     *Value     `yaml:"y" doc:"A value on the y axis: a number or an expression."`
	Label string     `yaml:"label" required:"true" doc:"Where the value is from, for the legend."`
	Where Conditions `yaml:"where" spare:"true" doc:"The panels, and the names on x, that have the mark; all when left out."`
	Pos   Pos        `yaml:"-"`
}

// Kinds of plots.
const (
	PlotLine    = "line"
	PlotScatter = "scatter"
	PlotHeatmap = "heatmap"
	PlotRanks   = "ranks"
)

// MeasuredX says whether X is a quantity, not a column.
func (p Plot) MeasuredX() bool { return p.Kind == PlotLine && p.X.Text != p.Along.Value }

// Quantities lists what a plot shows of records.
func (p Plot) Quantities() []Quantity {
	if p.Kind == PlotHeatmap {
		if p.Claim.Value != "" {
			return nil
		}
		return []Quantity{p.Of}
	}
	all := []Quantity{p.Y, p.Floor}
	if p.MeasuredX() {
		all = append(all, p.X)
	}
	return slices.DeleteFunc(all, func(q Quantity) bool { return q.Text == "" })
}

// check fills in what the plot leaves out, and checks that it has what its kind needs.
func (p *Plot) check(d *Decoder) {
	if p.Kind == "" {
		p.Kind = PlotLine
	}
	if kind, _ := fieldsOf(reflect.TypeFor[Plot]()).byKey("kind"); !listsWord(kind.tag.Get("enum"), p.Kind) {
		return
	}
	p.checkKeys(d, "", reflect.ValueOf(*p))
	if p.Kind == PlotLine {
		p.setDefaults(d)
	}
	seen := map[string]string{}
	place := func(key, what string, column Word) {
		if column.Given() {
			d.under(key, "").lookup(what, column)
		}
		if first, again := seen[column.Value]; again && column.Value != "" {
			d.add(column.Pos, "%s has column %q as %s and as %s; choose one", d.label, column.Value, first, key)
			return
		}
		seen[column.Value] = key
	}
	x, y := Word{p.X.Text, p.X.Pos}, Word{p.Y.Text, p.Y.Pos}
	switch {
	case p.MeasuredX():
		place("along", "grid variable", p.Along)
	case p.Kind == PlotLine:
		place("x", "column", x)
	case p.Kind == PlotHeatmap:
		place("x", "column", x)
		place("y", "column", y)
		p.checkBound(d)
	}
	place("facet", "column", p.Facet)
	for _, by := range p.By {
		place("by", "column", by)
	}
	for _, m := range p.Marks {
		switch {
		case m.X == nil && m.Y == nil:
			d.add(m.Pos, "mark %s of %s needs x or y, or both for a point", quote(m.Label), d.label)
		case m.X != nil && d.texts[p.X.Text] == Text:
			d.add(m.Pos, "mark %s of %s: names have no x; give y, and the name under where", quote(m.Label), d.label)
		case p.Axes.X == "log" && notPositive(m.X), p.Axes.Y == "log" && notPositive(m.Y):
			d.add(m.Pos, "mark %s of %s is not positive and has no place on a log axis; take axes: {x: linear} or {y: linear}", quote(m.Label), d.label)
		}
	}
}

// setDefaults fills in what a line leaves out. Points are joined along x where it is a column.
func (p *Plot) setDefaults(d *Decoder) {
	p.Axes.X, p.Axes.Y = cmp.Or(p.Axes.X, "log"), cmp.Or(p.Axes.Y, "log")
	isColumn := slices.Contains(d.ids["column"], p.X.Text)
	switch {
	case isColumn && p.Along.Given() && p.Along.Value != p.X.Text:
		d.add(p.Along.Pos, "%s is along column %s already; along is for an x that is a metric", d.label, p.X.Text)
	case isColumn:
		p.Along.Value = p.X.Text
	}
}

// checkKeys checks that a plot has the keys that its kind needs, and no other: v is the
// plot, or a struct under one of its keys.
func (p Plot) checkKeys(d *Decoder, prefix string, v reflect.Value) {
	for _, f := range fieldsOf(v.Type()) {
		value, kinds := v.FieldByIndex(f.index), f.tag.Get("kinds")
		given := !value.IsZero() && (value.Kind() != reflect.Slice || value.Len() > 0)
		switch {
		case f.typ == reflect.TypeFor[Axes]():
			p.checkKeys(d, f.key+".", value)
		case !given && listsWord(f.tag.Get("needs"), p.Kind):
			d.add(p.Pos, "%s of kind %s needs %s", d.label, p.Kind, f.key)
		case given && kinds != "" && !listsWord(kinds, p.Kind):
			d.add(p.Pos, "%s of kind %s takes no %s; it is for %s", d.label, p.Kind, prefix+f.key, strings.ReplaceAll(kinds, ",", ", "))
		}
	}
}

// listsWord says whether a word is in the list of a tag.
func listsWord(list, word string) bool { return slices.Contains(strings.Split(list, ","), word) }

// notPositive says that v is a number that a log axis has no place for.
func notPositive(v *Value) bool {
	if v == nil {
		return false
	}
	x, plain := v.Number()
	return plain && x <= 0
}
