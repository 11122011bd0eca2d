package configs

// Slope claims the exponent of a power law: of ~ over^slope.
// Of is a metric or an expression over metrics such as
// "recon_h / recon_h_floor". Exactly one of Equals, AtMost, AtLeast is set;
// Within goes with Equals.
type Slope struct {
	Of      Quantity `yaml:"of" required:"true" doc:"A metric, or an expression over metrics."`
	Over    Word     `yaml:"over" required:"true" doc:"The grid variable whose power is claimed."`
	Equals  *Value   `yaml:"equals" doc:"The claimed exponent; needs within."`
	AtMost  *Value   `yaml:"at_most" doc:"The exponent is at most this: the quantity falls at least as fast."`
	AtLeast *Value   `yaml:"at_least" doc:"The exponent is at least this."`
	Within  *Value   `yaml:"within" doc:"Half-width of the band around equals."`
	Judgement
	Selection `yaml:",inline"`

	Pos Pos `yaml:"-"`
}

// Quantity is what follows the power law.
func (s *Slope) Quantity() Quantity { return s.Of }

func (s *Slope) values() []Value { return given(s.Equals, s.AtMost, s.AtLeast, s.Within) }

func (s *Slope) check(c *checker, where string) {
	c.lookup("grid variable", s.Over, where, c.axes)
	c.checkTarget(s.Pos, where, s.Equals, s.AtMost, s.AtLeast, s.Within)
}
