package configs

// Ratio claims of(Method)/of(To) <= AtMost or >= AtLeast, paired over repeats,
// at each grid point.
type Ratio struct {
	Of      Quantity `yaml:"of" required:"true" doc:"A metric, or an expression over metrics."`
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

func (r *Ratio) values() []Value { return given(r.AtMost, r.AtLeast) }

func (r *Ratio) check(c *checker, where string) {
	if (r.AtMost == nil) == (r.AtLeast == nil) {
		c.add(r.Pos, "%s needs exactly one of at_most, at_least", where)
	}
	switch {
	case r.OfTargets && r.Method.Given():
		c.add(r.Method.Pos, "%s is the ratio of two targets, of and to; remove method", where)
	case r.OfTargets && r.Of.Text == r.To.Value:
		c.add(r.To.Pos, "%s compares target %q with itself", where, r.To.Value)
	case r.OfTargets:
	case !r.Method.Given():
		c.add(r.Pos, "missing key \"method\" in the ratio of %s", where)
	case r.Method.Value == r.To.Value:
		c.add(r.To.Pos, "%s compares method %q with itself", where, r.To.Value)
	}
}
