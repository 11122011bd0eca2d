package configs

// Claim is one statement to check; exactly one of its kinds is set.
type Claim struct {
	_            struct{}      `oneof:"slope,ratio,dispersion,order,value,distribution,bound"`
	ID           string        `yaml:"id" required:"true" pattern:"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$" want:"letters, digits, dots, hyphens and underscores (at most 64)" doc:"Names the claim in verdicts; unique in the spec."`
	Says         string        `yaml:"says" doc:"The statement in words, for the reader."`
	Source       string        `yaml:"source" doc:"Where the statement stands; overrides the spec's source."`
	Theorem      Word          `yaml:"theorem" doc:"Key of the theorem that the claim checks, as mercer list --theorems has it; a bound names its own."`
	Control      bool          `yaml:"control" doc:"The statement is known to be false: a run must violate it, and fails where it holds."`
	Slope        *Slope        `yaml:"slope" doc:"The exponent of a power law: of ~ over^slope."`
	Ratio        *Ratio        `yaml:"ratio" doc:"The ratio of two methods, paired over repeats, at each grid point."`
	Dispersion   *Dispersion   `yaml:"dispersion" doc:"The ratio of two methods' standard deviations over repeats, paired, at each grid point."`
	Order        *Order        `yaml:"order" doc:"Monotony along a grid variable."`
	Value        *ValueClaim   `yaml:"value" doc:"The mean of a metric over repeats, the limit that a share of draws keeps, or each of its values."`
	Distribution *Distribution `yaml:"distribution" doc:"The law of a metric over repeats."`
	Bound        *Bound        `yaml:"bound" doc:"A finite-sample bound that holds with probability at least 1 - delta."`
	Check        bool          `yaml:"-"` // it stands under checks: it tests the code, not the theory
	OnTarget     bool          `yaml:"-"` // its quantity is a target of the spec: it is judged by the answers
	Pos          Pos           `yaml:"-"`
}

// Slope claims the exponent of a power law: of ~ over^slope.
// Of is a metric or an expression over metrics such as
// "recon_h / recon_h_floor". Within goes with Equals.
type Slope struct {
	_       struct{} `oneof:"equals,at_most,at_least"`
	Of      Quantity `yaml:"of" metrics:"true" required:"true" doc:"A metric, or an expression over metrics."`
	Over    Word     `yaml:"over" required:"true" names:"grid variable" doc:"The grid variable whose power is claimed."`
	Equals  *Value   `yaml:"equals" doc:"The claimed exponent; needs within."`
	AtMost  *Value   `yaml:"at_most" doc:"The exponent is at most this: the quantity falls at least as fast."`
	AtLeast *Value   `yaml:"at_least" doc:"The exponent is at least this."`
	Within  *Value   `yaml:"within" min:"0" doc:"Half-width of the band around equals."`
	Judgement
	Selection `yaml:",inline"`

	Pos Pos `yaml:"-"`
}

// Quantity is what follows the power law.
func (s *Slope) Quantity() Quantity { return s.Of }

func (s *Slope) check(d *Decoder) {
	d.numeric(s.Over)
	d.within(s.Pos, s.Within, s.Equals != nil)
	d.checkFixed(s.Selection, given(s.Equals, s.AtMost, s.AtLeast, s.Within))
}

// checkFixed reports targets that name a variable with several values inside every group
// that sel makes, which no verdict could be reached for. Where a numeric column is fixed or
// told apart, the variable may follow from it, and only the records tell.
func (d *Decoder) checkFixed(sel Selection, targets []Value) {
	for _, axis := range d.ids["grid variable"] {
		if _, fixed := sel.Where[axis]; fixed || sel.By.Has(axis) {
			return
		}
	}
	for _, target := range targets {
		for _, name := range target.Names() {
			if len(d.values[name]) > 1 {
				d.add(target.Pos, "%q of %s uses %s, which has several values in each group; tell them apart by: [%s], or fix one in where: {%s: ...}", target.Text, d.label, name, name, name)
				return
			}
		}
	}
}

// within reports a half-width that is missing or in vain.
func (d *Decoder) within(at Pos, within *Value, needed bool) {
	switch {
	case needed && within == nil:
		d.add(at, "%s has no within; say how near is equal", d.label)
	case !needed && within != nil:
		d.add(within.Pos, "%s has within, which goes with equals", d.label)
	}
}

// numeric reports a variable that is a text column where numbers are needed.
func (d *Decoder) numeric(word Word) {
	if d.texts[word.Value] == Text {
		d.add(word.Pos, "%s needs numbers, and %s is a text column", d.label, word.Value)
	}
}

// Ratio claims of(Method)/of(To) <= AtMost or >= AtLeast, paired over repeats,
// at each grid point.
type Ratio struct {
	_       struct{} `oneof:"at_most,at_least"`
	Of      Quantity `yaml:"of" metrics:"true" required:"true" doc:"A metric, or an expression over metrics."`
	Method  Word     `yaml:"method" doc:"Id of the method above the line; left out where of is a target, which is above the line itself."`
	To      Word     `yaml:"to" required:"true" doc:"Id of the method below the line; of the target below it, where of is a target."`
	AtMost  *Value   `yaml:"at_most" doc:"The ratio is at most this."`
	AtLeast *Value   `yaml:"at_least" doc:"The ratio is at least this."`
	Judgement
	Selection `yaml:",inline"`

	Pos Pos `yaml:"-"`

	OfTargets bool `yaml:"-"` // of and to are targets
}

// Quantity is what the methods' ratio is of.
func (r *Ratio) Quantity() Quantity { return r.Of }

func (r *Ratio) compared() Words {
	if r.OfTargets {
		return nil
	}
	return Words{r.Method, r.To}
}

func (r *Ratio) check(d *Decoder) {
	what, first := "method", r.Method
	if r.OfTargets = d.isTarget(r.Of.Text); r.OfTargets {
		what, first = "target", Word{r.Of.Text, r.Of.Pos}
	}
	d.lookup(what, r.To)
	switch {
	case r.OfTargets && r.Method.Given():
		d.add(r.Method.Pos, "%s is of two targets, of and to; remove method", d.label)
	case !first.Given():
		d.add(r.Pos, "missing key \"method\" in %s", d.label)
	case first.Value == r.To.Value:
		d.add(r.To.Pos, "%s compares %s %q with itself", d.label, what, r.To.Value)
	case !r.OfTargets:
		d.lookup(what, first)
	}
}

// Dispersion claims sd(Method)/sd(To) <= AtMost or >= AtLeast, sd the standard deviation
// of a quantity over repeats, at each grid point. Its keys are those of a ratio.
type Dispersion struct{ Ratio }

// Order claims that Of falls or rises along the grid variable Over, at each value of the
// variables that do not move with it.
type Order struct {
	Of        Quantity `yaml:"of" metrics:"true" required:"true" doc:"A metric, or an expression over metrics."`
	Over      Word     `yaml:"over" required:"true" names:"grid variable" doc:"The grid variable along which it goes."`
	Direction string   `yaml:"direction" required:"true" enum:"falls,rises" doc:"How the quantity goes along over."`
	Judgement
	Selection `yaml:",inline"`

	Pos Pos `yaml:"-"`
}

// Quantity is what is in order.
func (o *Order) Quantity() Quantity { return o.Of }

func (o *Order) check(d *Decoder) { d.numeric(o.Over) }

// ValueClaim claims the mean of Of over repeats to be Equals ± Within, AtMost
// or AtLeast; with Share the statement is about that share of all draws, with Each about
// every single record, without statistics. Because says why the tolerance is what it is.
type ValueClaim struct {
	_       struct{} `oneof:"equals,at_most,at_least"`
	Of      Quantity `yaml:"of" metrics:"true" required:"true" doc:"A metric, or an expression over metrics."`
	Equals  *Value   `yaml:"equals" doc:"The claimed value; needs within."`
	AtMost  *Value   `yaml:"at_most" doc:"The value is at most this."`
	AtLeast *Value   `yaml:"at_least" doc:"The value is at least this."`
	Within  *Value   `yaml:"within" min:"0" doc:"Half-width of the band around equals."`
	Share   float64  `yaml:"share" above:"0" below:"1" doc:"The statement is about at least this share of all draws, such as 0.95, and not about their mean; it goes with at_most or at_least."`
	Each    bool     `yaml:"each" doc:"The statement is about every record, without statistics."`
	Because string   `yaml:"because" doc:"Why the tolerance is what it is."`
	Judgement
	Selection `yaml:",inline"`

	Pos Pos `yaml:"-"`
}

// Quantity is what has the claimed value.
func (v *ValueClaim) Quantity() Quantity { return v.Of }

func (v *ValueClaim) check(d *Decoder) {
	d.within(v.Pos, v.Within, v.Equals != nil)
	if v.Share > 0 && (v.Equals != nil || v.Each) {
		d.add(v.Pos, "%s has a share of draws, which is at_most or at_least something; remove equals and each", d.label)
	}
}

// Distribution claims that the values of Of over repeats have the distribution
// Equals, in each cell, up to a Kolmogorov–Smirnov distance of Within: the
// largest difference of the two distribution functions. Equals is "normal", with
// Mean and SD, which are 0 and 1 when left out.
type Distribution struct {
	Of     Quantity `yaml:"of" metrics:"true" required:"true" doc:"A metric, or an expression over metrics."`
	Equals string   `yaml:"equals" required:"true" enum:"normal" doc:"The claimed distribution."`
	Mean   *Value   `yaml:"mean" doc:"Mean of the claimed distribution; 0 when left out."`
	SD     *Value   `yaml:"sd" above:"0" doc:"Standard deviation of the claimed distribution; 1 when left out."`
	Within *Value   `yaml:"within" required:"true" above:"0" below:"1" doc:"The largest difference of the two distribution functions that counts as the same, between 0 and 1."`
	Judgement
	Selection `yaml:",inline"`

	Pos Pos `yaml:"-"`
}

// Quantity is what has the claimed distribution.
func (d *Distribution) Quantity() Quantity { return d.Of }

// Bound claims that a finite-sample bound holds with probability at least 1 - Delta, in each
// cell: a bound of package theory where the theorem's conditions hold, or AtMost or AtLeast
// on Of. With gives the parameters that the bound leaves open.
type Bound struct {
	_       struct{}     `oneof:"theorem,at_most,at_least"`
	Theorem Word         `yaml:"theorem" doc:"Key of the theorem, as mercer list --theorems has it."`
	Of      Quantity     `yaml:"of" metrics:"true" doc:"What at_most or at_least bounds: a metric, or an expression over metrics; a theorem has its own."`
	AtMost  *Quantity    `yaml:"at_most" metrics:"too" doc:"A bound of your own from above: an expression over columns of numbers, metrics of the same row, the dataset's constants, delta and the parameters in with."`
	AtLeast *Quantity    `yaml:"at_least" metrics:"too" doc:"The same from below."`
	Delta   float64      `yaml:"delta" required:"true" above:"0" below:"1" doc:"The bound may fail with this probability."`
	With    Keyed[Value] `yaml:"with" doc:"Values of the parameters that the bound leaves open: numbers, or expressions over the grid and the dataset's constants."`
	Judgement
	Selection `yaml:",inline"`

	Pos Pos `yaml:"-"`
}

// Quantity is empty where a theorem says what is bounded.
func (b *Bound) Quantity() Quantity { return b.Of }

// Own is the bound that the claim states itself, and its relation, "<=" or ">="; nil where it
// names a theorem.
func (b *Bound) Own() (bound *Quantity, relation string) {
	if b.AtMost != nil {
		return b.AtMost, "<="
	}
	return b.AtLeast, ">="
}

func (b *Bound) check(d *Decoder) {
	own, _ := b.Own()
	switch {
	case own != nil && !b.Theorem.Given() && b.Of.Text == "":
		d.add(b.Pos, "%s has no of; name the metric that it bounds", d.label)
	case b.Theorem.Given() && b.Of.Text != "":
		d.add(b.Of.Pos, "%s has of, and its theorem says what it bounds; remove of", d.label)
	}
}
