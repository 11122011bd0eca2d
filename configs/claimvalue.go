package configs

// ValueClaim claims the mean of Of over repeats to be Equals ± Within, AtMost
// or AtLeast; with Each the statement is about every single record, without
// statistics. Because says why the tolerance is what it is.
type ValueClaim struct {
	Of      Quantity `yaml:"of" required:"true" doc:"A metric, or an expression over metrics."`
	Equals  *Value   `yaml:"equals" doc:"The claimed value; needs within."`
	AtMost  *Value   `yaml:"at_most" doc:"The value is at most this."`
	AtLeast *Value   `yaml:"at_least" doc:"The value is at least this."`
	Within  *Value   `yaml:"within" doc:"Half-width of the band around equals."`
	Each    bool     `yaml:"each" doc:"The statement is about every record, without statistics."`
	Because string   `yaml:"because" doc:"Why the tolerance is what it is."`
	Judgement
	Selection `yaml:",inline"`

	Pos Pos `yaml:"-"`
}

// Quantity is what has the claimed value.
func (v *ValueClaim) Quantity() Quantity { return v.Of }

func (v *ValueClaim) values() []Value { return given(v.Equals, v.AtMost, v.AtLeast, v.Within) }

func (v *ValueClaim) check(c *checker, where string) {
	c.checkTarget(v.Pos, where, v.Equals, v.AtMost, v.AtLeast, v.Within)
}
