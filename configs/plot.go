package configs

import (
	"reflect"
	"slices"
	"strings"
)

// Plot is one figure of the report. A figure has a panel for each dataset and
// kernel and each value of Facet; in a panel, a line for each method and each
// value of the columns By. What stands on the axes depends on Kind:
//
//	line        the mean of Y over repeats against the grid variable X
//	trajectory  the mean of Y against the mean of X, a metric such as a time,
//	            joined in the order of the grid variable Along
//	pareto      the mean of Y against the mean of X, a mark for each cell, with
//	            the marks that no other is below in both
//	bar         the mean of Y over repeats, a row for each value of column X
//	scatter     points of a dataset, and where each method's result puts them
//	heatmap     the median of Of over repeats as the colour of a field, for each value of
//	            column X and of column Y; a panel for each method too
//	ranks       the mean rank of each method over the problems, by its mean of Y
//
// A problem is a dataset with a kernel: ranks has them in a panel together.
type Plot struct {
	ID     string        `yaml:"id" required:"true" pattern:"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$" want:"letters, digits, dots, hyphens and underscores (at most 64)" doc:"Names the figure and its files; unique among the plots of the spec."`
	Title  string        `yaml:"title" doc:"What is to be seen, for the caption."`
	Kind   string        `yaml:"kind" required:"true" enum:"line,trajectory,pareto,bar,scatter,heatmap,ranks" doc:"line, trajectory (a metric against a time), pareto (error against cost), bar (a row for each method), scatter (points before and after an embedding), heatmap (colours over two columns) or ranks (mean ranks of methods over data sets, with tests)."`
	X      Quantity      `yaml:"x" metrics:"true" needs:"line,trajectory,pareto,heatmap" kinds:"line,trajectory,pareto,bar,heatmap" doc:"line: a grid variable. trajectory, pareto: a metric, or an expression over metrics. bar: the column whose values are the rows, method when left out. heatmap: a column, such as n."`
	Y      Quantity      `yaml:"y" metrics:"true" needs:"line,trajectory,pareto,bar,heatmap,ranks" kinds:"line,trajectory,pareto,bar,heatmap,ranks" doc:"A metric, or an expression over metrics; all kinds but scatter need it. ranks: less must be better. heatmap: a column, such as m."`
	Of     Quantity      `yaml:"of" metrics:"true" needs:"heatmap" kinds:"heatmap" doc:"heatmap: what the colours show: a metric, or an expression over metrics. With claim: measured/bound, bound/trivial or best/proven."`
	Claim  Word          `yaml:"claim" names:"claim" kinds:"heatmap" doc:"heatmap: the id of a claim of kind bound, of which of shows measured/bound, bound/trivial, or best/proven: the least factor on the bound that still covers 1 - delta of the repeats."`
	Along  Word          `yaml:"along" kinds:"trajectory" doc:"trajectory: the grid variable in whose order the points of a line are joined; n when left out."`
	Where  Conditions    `yaml:"where" doc:"Columns fixed to one or several values: dataset, kernel, method, n, m, d, ell or a grid variable. Lines and rows keep the order of the values."`
	By     Words         `yaml:"by" kinds:"line,trajectory,pareto,bar,ranks" unique:"true" doc:"Columns that tell lines apart, beside method."`
	Facet  Word          `yaml:"facet" kinds:"line,trajectory,pareto,bar,heatmap,ranks" doc:"Column with a panel for each of its values; dataset and kernel always have one, but for ranks, whose problems they are."`
	Axes   Axes          `yaml:"axes" doc:"Scales of the axes."`
	Size   string        `yaml:"size" enum:"column,page" doc:"Width of the figure: column (84 mm), with panels below each other, or page (174 mm). Left out, one panel is as wide as a column, several are as wide as a page."`
	Band   string        `yaml:"band" kinds:"line,trajectory,pareto,bar" enum:"t,sd,none" doc:"Around each mean: its 95 % t interval (the default), the standard deviation over repeats, or nothing."`
	Theory []TheoryCurve `yaml:"theory" kinds:"line,trajectory" minlen:"1" maxlen:"4" doc:"line, trajectory: curves that the theory gives, drawn with the lines."`
	Floor  Quantity      `yaml:"floor" metrics:"true" kinds:"line,trajectory" doc:"line, trajectory: a metric below the lines, such as recon_h_floor, or an expression over metrics."`
	Marks  []Mark        `yaml:"marks" kinds:"line,trajectory,pareto,bar" minlen:"1" maxlen:"200" doc:"Reference values, such as those of a paper."`
	Pos    Pos           `yaml:"-"`
}

// Axes are the scales of a plot's axes; left out, x and y are log.
type Axes struct {
	X     string `yaml:"x" kinds:"line,trajectory,pareto" enum:"log,linear" doc:"Scale of the x axis: log (the default) or linear. Bars have a linear axis that begins at 0."`
	Y     string `yaml:"y" kinds:"line,trajectory,pareto" enum:"log,linear" doc:"Scale of the y axis: log (the default) or linear."`
	Color string `yaml:"color" kinds:"heatmap" enum:"log,linear" doc:"heatmap: scale of the colours; left out, log where the values are positive and span a factor of 10, else linear."`
}

// TheoryCurve is a function of the grid variables and the dataset's constants,
// evaluated where the lines have points. The theory that leaves a constant
// factor open is anchored: the curve goes through the first or last point.
type TheoryCurve struct {
	_      struct{}   `word:"curve"`
	Curve  Value      `yaml:"curve" required:"true" doc:"An expression over grid variables and constants of the dataset, such as n^(-theta*(1-1/alpha))."`
	Label  string     `yaml:"label" doc:"For the legend; the expression when left out."`
	Anchor string     `yaml:"anchor" enum:"first,last,none" doc:"The point of the line through which the curve goes: last (the default) or first; none draws it as it is."`
	Where  Conditions `yaml:"where" spare:"true" doc:"The lines that have such a curve; all when left out."`
}

// Mark is a reference value: a line across the panel at X or at Y, or with both
// a point. In a bar plot it has Y alone, and belongs to the rows that
// Where names. An expression must have one value in all cells of a panel.
type Mark struct {
	X     *Value     `yaml:"x" doc:"A value on the x axis: a number, or an expression over grid variables and constants of the dataset, such as sqrt(n)."`
	Y     *Value     `yaml:"y" doc:"A value on the y axis: a number or an expression."`
	Label string     `yaml:"label" required:"true" doc:"Where the value is from, for the legend."`
	Where Conditions `yaml:"where" spare:"true" doc:"The panels, and of bar the rows, that have the mark; all when left out."`
	Pos   Pos        `yaml:"-"`
}

// Kinds of plots.
const (
	PlotLine       = "line"
	PlotTrajectory = "trajectory"
	PlotPareto     = "pareto"
	PlotBar        = "bar"
	PlotScatter    = "scatter"
	PlotHeatmap    = "heatmap"
	PlotRanks      = "ranks"
)

// Sizes of figures.
const (
	SizeColumn = "column"
	SizePage   = "page"
)

// Rows says whether the plot has a row for each value of a column.
func (p Plot) Rows() bool { return p.Kind == PlotBar }

// MeasuredX says whether X is a quantity, not a column.
func (p Plot) MeasuredX() bool { return p.Kind == PlotTrajectory || p.Kind == PlotPareto }

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
	if kind, _ := fieldsOf(reflect.TypeFor[Plot]()).byKey("kind"); !listsWord(kind.tag.Get("enum"), p.Kind) {
		return
	}
	p.setDefaults()
	p.checkKeys(d, "", reflect.ValueOf(*p))
	seen := map[string]string{}
	place := func(key, what string, column Word) {
		inner := d.under(key, "")
		if column.Given() {
			inner.lookup(what, column)
		}
		if what == "grid variable" {
			inner.numeric(column)
		}
		if first, again := seen[column.Value]; again && column.Value != "" {
			d.add(column.Pos, "%s has column %q as %s and as %s; choose one", d.label, column.Value, first, key)
			return
		}
		seen[column.Value] = key
	}
	x, y := Word{p.X.Text, p.X.Pos}, Word{p.Y.Text, p.Y.Pos}
	switch {
	case p.Kind == PlotLine:
		place("x", "grid variable", x)
	case p.Kind == PlotTrajectory:
		place("along", "grid variable", p.Along)
		if !p.Along.Given() && !slices.Contains(d.ids["grid variable"], p.Along.Value) {
			d.add(p.Pos, "%s needs along, the grid variable in whose order points are joined: the grid has no n", d.label)
		}
	case p.Rows():
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
		case m.X != nil && p.Rows():
			d.add(m.Pos, "mark %s of %s: rows have no x; give y, and the row under where", quote(m.Label), d.label)
		case p.Axes.X == "log" && notPositive(m.X), p.Axes.Y == "log" && notPositive(m.Y):
			d.add(m.Pos, "mark %s of %s is not positive and has no place on a log axis; take axes: {x: linear} or {y: linear}", quote(m.Label), d.label)
		}
	}
}

// setDefaults fills in what a plot leaves out.
func (p *Plot) setDefaults() {
	set := func(v *string, standard string) {
		if *v == "" {
			*v = standard
		}
	}
	switch p.Kind {
	case PlotLine, PlotTrajectory, PlotPareto:
		set(&p.Axes.X, "log")
		set(&p.Axes.Y, "log")
	case PlotBar:
		set(&p.X.Text, "method")
	}
	if p.Kind == PlotTrajectory {
		set(&p.Along.Value, "n")
	}
	if p.Kind == PlotBar || p.MeasuredX() || p.Kind == PlotLine {
		set(&p.Band, "t")
	}
	for i := range p.Theory {
		set(&p.Theory[i].Anchor, "last")
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
