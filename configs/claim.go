package configs

import (
	"maps"
	"slices"
)

// DefaultLevel is the confidence level of a claim that gives none.
const DefaultLevel = 0.95

// Claim is one statement to check; exactly one of its kinds is set.
type Claim struct {
	ID           string        `yaml:"id" required:"true" pattern:"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$" want:"letters, digits, dots, hyphens and underscores (at most 64)" doc:"Names the claim in verdicts; unique in the spec."`
	Says         string        `yaml:"says" doc:"The statement in words, for the reader."`
	Source       string        `yaml:"source" doc:"Where the statement stands; overrides the spec's source."`
	Theorem      string        `yaml:"theorem" doc:"Key of the theorem that the claim checks, as mercer list --theorems has it; a bound names its own."`
	Slope        *Slope        `yaml:"slope" doc:"The exponent of a power law: of ~ over^slope."`
	Ratio        *Ratio        `yaml:"ratio" doc:"The ratio of two methods, paired over repeats, at each grid point."`
	Order        *Order        `yaml:"order" doc:"An order of methods, or monotony along a grid variable."`
	Value        *ValueClaim   `yaml:"value" doc:"The mean of a metric over repeats, or each of its values."`
	Distribution *Distribution `yaml:"distribution" doc:"The law of a metric over repeats."`
	Bound        *Bound        `yaml:"bound" doc:"A finite-sample bound that holds with probability at least 1 - delta."`
	Pos          Pos           `yaml:"-"`
	IDPos        Pos           `yaml:"-"`
	TheoremPos   Pos           `yaml:"-"`
}

// Kinds lists which kinds the claim sets: slope, ratio, order, value,
// distribution, bound. A claim that came through Parse has exactly one.
func (c Claim) Kinds() []string {
	var kinds []string
	for _, k := range []struct {
		name string
		set  bool
	}{
		{"slope", c.Slope != nil}, {"ratio", c.Ratio != nil}, {"order", c.Order != nil},
		{"value", c.Value != nil}, {"distribution", c.Distribution != nil}, {"bound", c.Bound != nil},
	} {
		if k.set {
			kinds = append(kinds, k.name)
		}
	}
	return kinds
}

// Conditions fix columns of records: a column's name and the values it may
// have. Numbers stand as FormatNumber writes them.
type Conditions map[string][]string

// Selection picks records. Where fixes columns (dataset, kernel, method, n, m,
// d, ell or a grid variable) to one or several values. By splits the picked
// records into groups, each of which gets its own verdict; dataset, kernel and
// (but for ratio and order over methods) method always split.
type Selection struct {
	Where Conditions `yaml:"where" doc:"Columns fixed to one or several values: dataset, kernel, method, n, m, d, ell or a grid variable."`
	By    []string   `yaml:"by" unique:"true" doc:"Columns that split the records into groups, each with its own verdict."`

	WherePos map[string]Pos `yaml:"-"`
	ByPos    []Pos          `yaml:"-"`
}

// Slope claims the exponent of a power law: of ~ over^slope.
// Of is a metric or an expression over metrics such as
// "recon_h / recon_h_floor". Exactly one of Equals, AtMost, AtLeast is set;
// Within goes with Equals.
type Slope struct {
	Of        string  `yaml:"of" required:"true" doc:"A metric, or an expression over metrics."`
	Over      string  `yaml:"over" required:"true" doc:"The grid variable whose power is claimed."`
	Equals    *Value  `yaml:"equals" doc:"The claimed exponent; needs within."`
	AtMost    *Value  `yaml:"at_most" doc:"The exponent is at most this: the quantity falls at least as fast."`
	AtLeast   *Value  `yaml:"at_least" doc:"The exponent is at least this."`
	Within    *Value  `yaml:"within" doc:"Half-width of the band around equals."`
	Level     float64 `yaml:"level" above:"0" below:"1" doc:"Confidence level; 0.95 when left out."`
	Selection `yaml:",inline"`

	OfPos   Pos `yaml:"-"`
	OverPos Pos `yaml:"-"`
	Pos     Pos `yaml:"-"`
}

// Ratio claims of(Method)/of(To) <= AtMost or >= AtLeast, paired over repeats,
// at each grid point.
type Ratio struct {
	Of        string  `yaml:"of" required:"true" doc:"A metric, or an expression over metrics."`
	Method    string  `yaml:"method" required:"true" doc:"Id of the method above the line."`
	To        string  `yaml:"to" required:"true" doc:"Id of the method below the line."`
	AtMost    *Value  `yaml:"at_most" doc:"The ratio is at most this."`
	AtLeast   *Value  `yaml:"at_least" doc:"The ratio is at least this."`
	Level     float64 `yaml:"level" above:"0" below:"1" doc:"Confidence level; 0.95 when left out."`
	Selection `yaml:",inline"`

	OfPos     Pos `yaml:"-"`
	MethodPos Pos `yaml:"-"`
	ToPos     Pos `yaml:"-"`
	Pos       Pos `yaml:"-"`
}

// Order claims that Of rises from each entry of Methods to the next, or that it
// falls or rises along the grid variable Over, at each value of the variables
// that do not move with it. Exactly one of Methods and Over is set; Direction ("falls" or "rises") goes with Over. Slack s (default 0)
// allows neighbours to be out of order by a factor 1+s.
type Order struct {
	Of        string   `yaml:"of" required:"true" doc:"A metric, or an expression over metrics."`
	Methods   []string `yaml:"methods" minlen:"2" unique:"true" doc:"Ids of methods, from the smallest value to the largest."`
	Over      string   `yaml:"over" doc:"A grid variable; needs direction."`
	Direction string   `yaml:"direction" enum:"falls,rises" doc:"How the quantity goes along over."`
	Slack     float64  `yaml:"slack" min:"0" max:"10" doc:"Neighbours may be out of order by a factor 1 + slack."`
	Level     float64  `yaml:"level" above:"0" below:"1" doc:"Confidence level; 0.95 when left out."`
	Selection `yaml:",inline"`

	OfPos      Pos   `yaml:"-"`
	OverPos    Pos   `yaml:"-"`
	MethodsPos []Pos `yaml:"-"`
	Pos        Pos   `yaml:"-"`
}

// ValueClaim claims the mean of Of over repeats to be Equals ± Within, AtMost
// or AtLeast; with Each the statement is about every single record, without
// statistics. Because says why the tolerance is what it is.
type ValueClaim struct {
	Of        string  `yaml:"of" required:"true" doc:"A metric, or an expression over metrics."`
	Equals    *Value  `yaml:"equals" doc:"The claimed value; needs within."`
	AtMost    *Value  `yaml:"at_most" doc:"The value is at most this."`
	AtLeast   *Value  `yaml:"at_least" doc:"The value is at least this."`
	Within    *Value  `yaml:"within" doc:"Half-width of the band around equals."`
	Each      bool    `yaml:"each" doc:"The statement is about every record, without statistics."`
	Because   string  `yaml:"because" doc:"Why the tolerance is what it is."`
	Level     float64 `yaml:"level" above:"0" below:"1" doc:"Confidence level; 0.95 when left out."`
	Selection `yaml:",inline"`

	OfPos Pos `yaml:"-"`
	Pos   Pos `yaml:"-"`
}

// Distribution claims that the values of Of over repeats have the distribution
// Equals, in each cell, up to a Kolmogorov–Smirnov distance of Within: the
// largest difference of the two distribution functions. Equals is "normal", with
// Mean and SD, which are 0 and 1 when left out.
type Distribution struct {
	Of        string  `yaml:"of" required:"true" doc:"A metric, or an expression over metrics."`
	Equals    string  `yaml:"equals" required:"true" enum:"normal" doc:"The claimed distribution."`
	Mean      *Value  `yaml:"mean" doc:"Mean of the claimed distribution; 0 when left out."`
	SD        *Value  `yaml:"sd" doc:"Standard deviation of the claimed distribution; 1 when left out."`
	Within    *Value  `yaml:"within" required:"true" doc:"The largest difference of the two distribution functions that counts as the same, between 0 and 1."`
	Level     float64 `yaml:"level" above:"0" below:"1" doc:"Confidence level; 0.95 when left out."`
	Selection `yaml:",inline"`

	OfPos Pos `yaml:"-"`
	Pos   Pos `yaml:"-"`
}

// Bound claims that a finite-sample bound of package theory holds with
// probability at least 1 - Delta, in each cell where the theorem's conditions
// hold. With gives the parameters that the theorem leaves open.
type Bound struct {
	Theorem   string           `yaml:"theorem" required:"true" doc:"Key of the theorem, as mercer list --theorems has it."`
	Delta     float64          `yaml:"delta" required:"true" above:"0" below:"1" doc:"The bound may fail with this probability."`
	With      map[string]Value `yaml:"with" doc:"Values of the parameters that the theorem leaves open: numbers, or expressions over the grid and the dataset's constants."`
	Level     float64          `yaml:"level" above:"0" below:"1" doc:"Confidence level; 0.95 when left out."`
	Selection `yaml:",inline"`

	TheoremPos Pos            `yaml:"-"`
	WithPos    map[string]Pos `yaml:"-"`
	Pos        Pos            `yaml:"-"`
}

// Checks is the key of the theorem that the claim checks, and where it stands;
// empty for a claim that names none.
func (c Claim) Checks() (string, Pos) {
	if c.Bound != nil {
		return c.Bound.Theorem, c.Bound.TheoremPos
	}
	return c.Theorem, c.TheoremPos
}

// values lists the numbers and expressions of a claim.
func (c Claim) values() []Value {
	var all []*Value
	switch {
	case c.Slope != nil:
		all = []*Value{c.Slope.Equals, c.Slope.AtMost, c.Slope.AtLeast, c.Slope.Within}
	case c.Ratio != nil:
		all = []*Value{c.Ratio.AtMost, c.Ratio.AtLeast}
	case c.Value != nil:
		all = []*Value{c.Value.Equals, c.Value.AtMost, c.Value.AtLeast, c.Value.Within}
	case c.Distribution != nil:
		all = []*Value{c.Distribution.Mean, c.Distribution.SD, c.Distribution.Within}
	}
	var given []Value
	for _, v := range all {
		if v != nil {
			given = append(given, *v)
		}
	}
	if c.Bound != nil {
		for _, name := range slices.Sorted(maps.Keys(c.Bound.With)) {
			given = append(given, c.Bound.With[name])
		}
	}
	return given
}

// Common is the part that all kinds share; nil for a claim without a kind.
func (c Claim) Common() *Selection {
	switch {
	case c.Slope != nil:
		return &c.Slope.Selection
	case c.Ratio != nil:
		return &c.Ratio.Selection
	case c.Order != nil:
		return &c.Order.Selection
	case c.Value != nil:
		return &c.Value.Selection
	case c.Distribution != nil:
		return &c.Distribution.Selection
	case c.Bound != nil:
		return &c.Bound.Selection
	}
	return nil
}

// methodIDs lists the ids of methods that the claim names, each with its place.
func (c Claim) methodIDs() []placed {
	var ids []placed
	if r := c.Ratio; r != nil {
		ids = append(ids, placed{r.Method, r.MethodPos}, placed{r.To, r.ToPos})
	}
	if o := c.Order; o != nil {
		for i, id := range o.Methods {
			ids = append(ids, placed{id, o.MethodsPos[i]})
		}
	}
	if s := c.Common(); s != nil {
		for _, id := range s.Where["method"] {
			ids = append(ids, placed{id, s.WherePos["method"]})
		}
	}
	return ids
}

// placed is a word and where it stands.
type placed struct {
	word string
	pos  Pos
}

// setDefaults fills in what a claim leaves out.
func (c *Claim) setDefaults() {
	for _, level := range c.levels() {
		if *level == 0 {
			*level = DefaultLevel
		}
	}
}

func (c *Claim) levels() []*float64 {
	var levels []*float64
	if c.Slope != nil {
		levels = append(levels, &c.Slope.Level)
	}
	if c.Ratio != nil {
		levels = append(levels, &c.Ratio.Level)
	}
	if c.Order != nil {
		levels = append(levels, &c.Order.Level)
	}
	if c.Value != nil {
		levels = append(levels, &c.Value.Level)
	}
	if c.Distribution != nil {
		levels = append(levels, &c.Distribution.Level)
	}
	if c.Bound != nil {
		levels = append(levels, &c.Bound.Level)
	}
	return slices.Clip(levels)
}
