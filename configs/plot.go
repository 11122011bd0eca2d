package configs

import (
	"math"
	"slices"
	"strconv"
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
//	box         the values of Y over repeats, a row for each value of column X
//	bar         the mean of Y over repeats, a row for each value of column X
//	scatter     points of a dataset, and where each method's result puts them
type Plot struct {
	ID     string        `yaml:"id" required:"true" pattern:"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$" want:"letters, digits, dots, hyphens and underscores (at most 64)" doc:"Names the figure and its files; unique among the plots of the spec."`
	Title  string        `yaml:"title" doc:"What is to be seen, for the caption."`
	Kind   string        `yaml:"kind" required:"true" enum:"line,trajectory,pareto,box,bar,scatter" doc:"line, trajectory (a metric against a time), pareto (error against cost), box or bar (a row for each method), scatter (points before and after an embedding)."`
	X      string        `yaml:"x" doc:"line: a grid variable. trajectory, pareto: a metric, or an expression over metrics. box, bar: the column whose values are the rows, method when left out."`
	Y      string        `yaml:"y" doc:"A metric, or an expression over metrics; all kinds but scatter need it."`
	Along  string        `yaml:"along" doc:"trajectory: the grid variable in whose order the points of a line are joined; n when left out."`
	Where  Conditions    `yaml:"where" doc:"Columns fixed to one or several values: dataset, kernel, method, n, m, d, ell or a grid variable. Lines and rows keep the order of the values."`
	By     []string      `yaml:"by" unique:"true" doc:"Columns that tell lines apart, beside method."`
	Facet  string        `yaml:"facet" doc:"Column with a panel for each of its values; dataset and kernel always have one."`
	Axes   Axes          `yaml:"axes" doc:"Scales of the axes."`
	Band   string        `yaml:"band" enum:"t,sd,none" doc:"Around each mean: its 95 % t interval (the default), the standard deviation over repeats, or nothing."`
	Theory []TheoryCurve `yaml:"theory" minlen:"1" maxlen:"4" doc:"line, trajectory: curves that the theory gives, drawn with the lines."`
	Floor  string        `yaml:"floor" doc:"line, trajectory: a metric below the lines, such as recon_h_floor, or an expression over metrics."`
	Marks  []Mark        `yaml:"marks" minlen:"1" maxlen:"200" doc:"Reference values, such as those of a paper."`
	Pos    Pos           `yaml:"-"`

	IDPos    Pos            `yaml:"-"`
	XPos     Pos            `yaml:"-"`
	YPos     Pos            `yaml:"-"`
	AlongPos Pos            `yaml:"-"`
	WherePos map[string]Pos `yaml:"-"`
	ByPos    []Pos          `yaml:"-"`
	FacetPos Pos            `yaml:"-"`
	FloorPos Pos            `yaml:"-"`
}

// Axes are the scales of a plot's axes. Left out, both are log in a line,
// trajectory and pareto plot, and y is linear in a box and bar plot.
type Axes struct {
	X string `yaml:"x" enum:"log,linear" doc:"Scale of the x axis: log (the default) or linear; not in box and bar, whose rows have none."`
	Y string `yaml:"y" enum:"log,linear" doc:"Scale of the y axis: log (the default but for box and bar) or linear."`

	XPos Pos `yaml:"-"`
	YPos Pos `yaml:"-"`
}

// TheoryCurve is a function of the grid variables and the dataset's constants,
// evaluated where the lines have points. The theory that leaves a constant
// factor open is anchored: the curve goes through the first or last point.
type TheoryCurve struct {
	_        struct{}       `word:"curve"`
	Curve    Value          `yaml:"curve" required:"true" doc:"An expression over grid variables and constants of the dataset, such as n^(-theta*(1-1/alpha))."`
	Label    string         `yaml:"label" doc:"For the legend; the expression when left out."`
	Anchor   string         `yaml:"anchor" enum:"first,last,none" doc:"The point of the line through which the curve goes: last (the default) or first; none draws it as it is."`
	Where    Conditions     `yaml:"where" doc:"The lines that have such a curve; all when left out."`
	WherePos map[string]Pos `yaml:"-"`
}

// Mark is a reference value: a line across the panel at X or at Y, or with both
// a point. In a box or bar plot it has Y alone, and stands at the rows that
// Where names. An expression must have one value in all cells of a panel.
type Mark struct {
	X        *Value         `yaml:"x" doc:"A value on the x axis: a number, or an expression over grid variables and constants of the dataset, such as sqrt(n)."`
	Y        *Value         `yaml:"y" doc:"A value on the y axis: a number or an expression."`
	Label    string         `yaml:"label" required:"true" doc:"Where the value is from, for the legend."`
	Where    Conditions     `yaml:"where" doc:"The panels, and of box and bar the rows, that have the mark; all when left out."`
	WherePos map[string]Pos `yaml:"-"`
	Pos      Pos            `yaml:"-"`
}

// Kinds of plots.
const (
	PlotLine       = "line"
	PlotTrajectory = "trajectory"
	PlotPareto     = "pareto"
	PlotBox        = "box"
	PlotBar        = "bar"
	PlotScatter    = "scatter"
)

// Rows says whether the plot has a row for each value of a column.
func (p Plot) Rows() bool { return p.Kind == PlotBox || p.Kind == PlotBar }

// Quantity is a metric, or an expression over metrics, that a plot shows.
type Quantity struct {
	Text string
	Pos  Pos
}

// Quantities lists what a plot shows.
func (p Plot) Quantities() []Quantity {
	var all []Quantity
	add := func(text string, pos Pos) {
		if text != "" {
			all = append(all, Quantity{text, pos})
		}
	}
	if p.Kind == PlotTrajectory || p.Kind == PlotPareto {
		add(p.X, p.XPos)
	}
	add(p.Y, p.YPos)
	add(p.Floor, p.FloorPos)
	return all
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
	case PlotBox, PlotBar:
		set(&p.Axes.Y, "linear")
		set(&p.X, "method")
	}
	if p.Kind == PlotTrajectory {
		set(&p.Along, "n")
	}
	if p.Kind != PlotBox && p.Kind != PlotScatter {
		set(&p.Band, "t")
	}
	for i := range p.Theory {
		set(&p.Theory[i].Anchor, "last")
	}
}

// selections are all parts of a plot that pick records.
func (p Plot) selections() []Selection {
	all := []Selection{{Where: p.Where, WherePos: p.WherePos, By: p.By, ByPos: p.ByPos}}
	for _, c := range p.Theory {
		all = append(all, Selection{Where: c.Where, WherePos: c.WherePos})
	}
	for _, m := range p.Marks {
		all = append(all, Selection{Where: m.Where, WherePos: m.WherePos})
	}
	return all
}

// methodIDs lists the ids of methods that the plot names, each with its place.
func (p Plot) methodIDs() []placed {
	var ids []placed
	for _, s := range p.selections() {
		for _, id := range s.Where["method"] {
			ids = append(ids, placed{id, s.WherePos["method"]})
		}
	}
	return ids
}

// Match says whether something has one of the values that the conditions ask of
// each column: text gives its dataset, kernel and method, number its numeric
// columns, which must agree up to rounding.
func (c Conditions) Match(text map[string]string, number func(column string) (float64, bool)) bool {
	for column, words := range c {
		have, named := text[column]
		value, numeric := 0.0, false
		if !named {
			value, numeric = number(column)
		}
		if !slices.ContainsFunc(words, func(word string) bool {
			if named {
				return have == word
			}
			want, err := strconv.ParseFloat(word, 64)
			return numeric && err == nil && math.Abs(value-want) <= 1e-12*math.Abs(want)
		}) {
			return false
		}
	}
	return true
}

// checkPlots checks every plot that decoded; ids are known when all did.
func (c *checker) checkPlots(allSound bool) {
	c.plots = checkEntries(c, "plot", c.spec.Plots, func(p Plot) entry { return entry{p.ID, p.IDPos, p.Pos} }, c.checkPlot, allSound)
}

func (c *checker) checkPlot(p Plot) {
	where := "plot " + quote(p.ID)
	for _, s := range p.selections() {
		c.checkSelection(s, where)
		for _, id := range s.Where["method"] {
			c.lookup("method", id, s.WherePos["method"], where, c.methods)
		}
	}
	if p.Facet != "" {
		c.lookup("column", p.Facet, p.FacetPos, `"facet" of `+where, c.columns())
	}
	c.checkKeysOf(p, where)
	for _, q := range p.Quantities() {
		_, err := parseExpression(Value(q))
		c.problems.Add(err)
	}
	switch {
	case p.Kind == PlotLine && p.X != "":
		c.lookup("grid variable", p.X, p.XPos, `"x" of `+where, c.axes)
	case p.Kind == PlotTrajectory && p.AlongPos.Line > 0:
		c.lookup("grid variable", p.Along, p.AlongPos, `"along" of `+where, c.axes)
	case p.Kind == PlotTrajectory && c.axes != nil && !slices.Contains(c.axes, p.Along):
		c.problems.Add(Errorf(p.Pos, "%s needs along, the grid variable in whose order points are joined: the grid has no n", where))
	case p.Rows() && p.XPos.Line > 0:
		c.lookup("column", p.X, p.XPos, `"x" of `+where, c.columns())
	}
	c.checkSplit(p, where)
	for _, curve := range p.Theory {
		c.checkConstants([]Value{curve.Curve})
	}
	for _, m := range p.Marks {
		c.checkConstants(m.values())
		c.checkMark(p, m, where)
	}
}

// checkKeysOf checks that a plot has the keys that its kind needs, and no other.
func (c *checker) checkKeysOf(p Plot, where string) {
	for _, key := range []struct {
		name  string
		given bool
		kinds []string // that take the key
		needs bool     // and need it
	}{
		{"x", p.X != "", []string{PlotLine, PlotTrajectory, PlotPareto}, true},
		{"x", p.XPos.Line > 0, []string{PlotLine, PlotTrajectory, PlotPareto, PlotBox, PlotBar}, false},
		{"y", p.Y != "", []string{PlotLine, PlotTrajectory, PlotPareto, PlotBox, PlotBar}, true},
		{"y", p.YPos.Line > 0, []string{PlotLine, PlotTrajectory, PlotPareto, PlotBox, PlotBar}, false},
		{"along", p.AlongPos.Line > 0, []string{PlotTrajectory}, false},
		{"by", len(p.By) > 0, []string{PlotLine, PlotTrajectory, PlotPareto, PlotBox, PlotBar}, false},
		{"facet", p.Facet != "", []string{PlotLine, PlotTrajectory, PlotPareto, PlotBox, PlotBar}, false},
		{"axes.x", p.Axes.XPos.Line > 0, []string{PlotLine, PlotTrajectory, PlotPareto}, false},
		{"axes.y", p.Axes.YPos.Line > 0, []string{PlotLine, PlotTrajectory, PlotPareto, PlotBox, PlotBar}, false},
		{"band", p.Band != "", []string{PlotLine, PlotTrajectory, PlotPareto, PlotBar}, false},
		{"theory", len(p.Theory) > 0, []string{PlotLine, PlotTrajectory}, false},
		{"floor", p.Floor != "", []string{PlotLine, PlotTrajectory}, false},
		{"marks", len(p.Marks) > 0, []string{PlotLine, PlotTrajectory, PlotPareto, PlotBox, PlotBar}, false},
	} {
		takes := slices.Contains(key.kinds, p.Kind)
		switch {
		case key.needs && takes && !key.given:
			c.problems.Add(Errorf(p.Pos, "%s of kind %s needs %s", where, p.Kind, key.name))
		case !key.needs && !takes && key.given:
			c.problems.Add(Errorf(p.Pos, "%s of kind %s takes no %s; it is for %s", where, p.Kind, key.name, strings.Join(key.kinds, ", ")))
		}
	}
	if p.Kind == PlotBar && p.Axes.Y == "log" {
		c.problems.Add(Errorf(p.Axes.YPos, "%s: bars start at 0, which a log axis does not have; take kind box, or line over a grid variable", where))
	}
}

// checkSplit refuses columns that have two places in a plot.
func (c *checker) checkSplit(p Plot, where string) {
	seen := map[string]string{}
	use := func(column, key string, pos Pos) {
		if first, again := seen[column]; again && column != "" {
			c.problems.Add(Errorf(pos, "%s has column %q as %s and as %s; choose one", where, column, first, key))
			return
		}
		seen[column] = key
	}
	switch {
	case p.Kind == PlotLine || p.Rows():
		use(p.X, "x", p.XPos)
	case p.Kind == PlotTrajectory:
		use(p.Along, "along", p.AlongPos)
	}
	use(p.Facet, "facet", p.FacetPos)
	for i, column := range p.By {
		use(column, "by", p.ByPos[i])
	}
}

func (c *checker) checkMark(p Plot, m Mark, where string) {
	switch {
	case m.X == nil && m.Y == nil:
		c.problems.Add(Errorf(m.Pos, "mark %s of %s needs x or y, or both for a point", quote(m.Label), where))
	case m.X != nil && p.Rows():
		c.problems.Add(Errorf(m.Pos, "mark %s of %s: rows have no x; give y, and the row under where", quote(m.Label), where))
	case p.Axes.X == "log" && notPositive(m.X), p.Axes.Y == "log" && notPositive(m.Y):
		c.problems.Add(Errorf(m.Pos, "mark %s of %s is not positive and has no place on a log axis; take axes: {x: linear} or {y: linear}", quote(m.Label), where))
	}
}

// notPositive says that v is a number that a log axis has no place for.
func notPositive(v *Value) bool {
	if v == nil {
		return false
	}
	x, plain := v.Number()
	return plain && x <= 0
}

// values are those of a mark.
func (m Mark) values() []Value {
	var all []Value
	for _, v := range []*Value{m.X, m.Y} {
		if v != nil {
			all = append(all, *v)
		}
	}
	return all
}
