package configs

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
)

// Plot is one figure of the report. A figure has a panel for each dataset and kernel. What stands
// on the axes depends on Kind:
//
//	line     the mean of Y over repeats, by what X is: a column of numbers, whose points are
//	         joined, or the iteration of a solver; a column of names; or a metric, with a
//	         mark for each cell
//	scatter  points of a dataset, and where each method's result puts them
//	heatmap  what Of says of the bound of a claim, as the colour of a field, for each value of
//	         column X and of column Y; a panel for each method too
//
// A line is a method with one value of each grid variable that varies where X does not.
type Plot struct {
	ID     string        `yaml:"id" required:"true" pattern:"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$" want:"letters, digits, dots, hyphens and underscores (at most 64)" doc:"Names the figure and its files; unique among the plots of the spec."`
	Title  string        `yaml:"title" doc:"What is to be seen, for the caption."`
	Kind   string        `yaml:"kind" enum:"line,scatter,heatmap" doc:"line (means against a column or a metric; the default), scatter (points before and after an embedding) or heatmap (how tight a bound is, over two columns)."`
	X      Quantity      `yaml:"x" metrics:"true" needs:"line,heatmap" kinds:"line,heatmap" doc:"line: a column, such as n or method, or a metric, such as time_total, or an expression over metrics, or iteration for the series of a solver. heatmap: a column, such as n."`
	Y      Quantity      `yaml:"y" metrics:"true" needs:"line,heatmap" kinds:"line,heatmap" doc:"line: a metric, or an expression over metrics. heatmap: a column, such as m."`
	Of     string        `yaml:"of" needs:"heatmap" kinds:"heatmap" enum:"measured/bound,bound/trivial" doc:"heatmap: what the colours show of the bound."`
	Claim  Word          `yaml:"claim" names:"claim" needs:"heatmap" kinds:"heatmap" doc:"heatmap: the id of a claim of kind bound."`
	Where  Conditions    `yaml:"where" doc:"Columns fixed to one or several values: dataset, kernel, method, n, m, d, ell or a grid variable. Lines and rows keep the order of the values."`
	Axes   Axes          `yaml:"axes" kinds:"line" doc:"Scales of the axes."`
	Theory []TheoryCurve `yaml:"theory" kinds:"line" minlen:"1" maxlen:"4" doc:"line: curves that the theory gives, drawn with the lines."`
	Floor  Quantity      `yaml:"floor" metrics:"true" kinds:"line" doc:"line: a curve that is drawn as it is: a metric below the lines, such as recon_h_floor, or an expression over metrics and grid variables."`
	Marks  []Mark        `yaml:"marks" kinds:"line" minlen:"1" maxlen:"200" doc:"Reference values, such as those of a paper."`

	MeasuredX bool `yaml:"-"` // X is a quantity, not a column
	Pos       Pos  `yaml:"-"`
}

// Axes are the scales of a plot's axes; left out, x and y are log, but for an x of iterations.
type Axes struct {
	X string `yaml:"x" enum:"log,linear" doc:"Scale of the x axis: log (the default, but for iteration) or linear."`
	Y string `yaml:"y" enum:"log,linear" doc:"Scale of the y axis: log (the default) or linear."`
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

// Mark is a reference value, drawn as it is where the lines have points: a cross at one point and
// at names, else a line.
type Mark struct {
	Y     Value      `yaml:"y" required:"true" doc:"A number, or an expression over grid variables and constants of the dataset."`
	Label string     `yaml:"label" required:"true" doc:"Where the value is from, for the legend."`
	Where Conditions `yaml:"where" spare:"true" doc:"The points that have the mark; all when left out."`
}

// Iteration is the x of a plot over the iterations of a solver.
const Iteration = "iteration"

// Kinds of plots.
const (
	PlotLine    = "line"
	PlotScatter = "scatter"
	PlotHeatmap = "heatmap"
)

// What a heat map shows of a bound.
const (
	MeasuredOverBound = "measured/bound"
	BoundOverTrivial  = "bound/trivial"
)

// Quantities lists what a plot shows of records.
func (p Plot) Quantities() []Quantity {
	if p.Kind == PlotHeatmap {
		return nil
	}
	all := []Quantity{p.Y, p.Floor}
	if p.MeasuredX {
		all = append(all, p.X)
	}
	return slices.DeleteFunc(all, func(q Quantity) bool { return q.Text == "" })
}

// check fills in what the plot leaves out, and checks that it has the keys that its kind needs, and
// no other.
func (p *Plot) check(d *Decoder) {
	p.Kind = cmp.Or(p.Kind, PlotLine)
	if kind, _ := fieldsOf(reflect.TypeFor[Plot]()).byKey("kind"); !listsWord(kind.tag.Get("enum"), p.Kind) {
		return
	}
	for _, f := range fieldsOf(reflect.TypeFor[Plot]()) {
		value, kinds := reflect.ValueOf(*p).FieldByIndex(f.index), f.tag.Get("kinds")
		given := !value.IsZero() && (value.Kind() != reflect.Slice || value.Len() > 0)
		switch {
		case !given && listsWord(f.tag.Get("needs"), p.Kind):
			d.add(p.Pos, "%s of kind %s needs %s", d.label, p.Kind, f.key)
		case given && kinds != "" && !listsWord(kinds, p.Kind):
			d.add(p.Pos, "%s of kind %s takes no %s; it is for %s", d.label, p.Kind, f.key, strings.ReplaceAll(kinds, ",", ", "))
		}
	}

	switch p.Kind {
	case PlotLine:
		p.MeasuredX = !slices.Contains(d.ids["column"], p.X.Text)
		if p.X.Text == Iteration { // from 0 on
			p.MeasuredX, p.Axes.X = false, cmp.Or(p.Axes.X, "linear")
		}
		p.Axes.X, p.Axes.Y = cmp.Or(p.Axes.X, "log"), cmp.Or(p.Axes.Y, "log")
	case PlotHeatmap:
		d.under("x", "").lookup("column", Word{p.X.Text, p.X.Pos})
		d.under("y", "").lookup("column", Word{p.Y.Text, p.Y.Pos})
		if id := p.Claim.Value; slices.Contains(d.ids["claim"], id) && !slices.Contains(d.ids["bound"], id) {
			d.add(p.Claim.Pos, "%s needs a claim of kind bound, and claim %q is none", d.label, id)
		}
	}
}

// listsWord says whether a word is in the list of a tag.
func listsWord(list, word string) bool { return slices.Contains(strings.Split(list, ","), word) }
