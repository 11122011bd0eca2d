package configs

// Slope claims the exponent of a power law: of ~ over^slope.
// Of is a metric or an expression over metrics such as
// "recon_h / recon_h_floor". Exactly one of Equals, AtMost, AtLeast, Law is set;
// Within goes with Equals and with Law.
type Slope struct {
	Of      Quantity `yaml:"of" required:"true" doc:"A metric, or an expression over metrics."`
	Over    Word     `yaml:"over" required:"true" doc:"The grid variable whose power is claimed."`
	Equals  *Value   `yaml:"equals" doc:"The claimed exponent; needs within."`
	AtMost  *Value   `yaml:"at_most" doc:"The exponent is at most this: the quantity falls at least as fast."`
	AtLeast *Value   `yaml:"at_least" doc:"The exponent is at least this."`
	Law     *Law     `yaml:"law" doc:"The claimed power with a factor that is a power of the logarithm, in place of equals; needs within."`
	Within  *Value   `yaml:"within" doc:"Half-width of the band around equals, or around the power of law."`
	Judgement
	Selection `yaml:",inline"`

	Pos Pos `yaml:"-"`
}

// Quantity is what follows the power law.
func (s *Slope) Quantity() Quantity { return s.Of }

func (s *Slope) values() []Value {
	values := given(s.Equals, s.AtMost, s.AtLeast, s.Within)
	if s.Law != nil {
		values = append(values, s.Law.Power, s.Law.Log)
	}
	return values
}

func (s *Slope) check(c *checker, where string) {
	c.axis(c.names["grid variable"], s.Over, where)
	c.checkFixed(s.Selection, where, s.values()...)
	if s.Law == nil {
		c.checkTarget(s.Pos, where, s.Equals, s.AtMost, s.AtLeast, s.Within)
		return
	}
	if others := given(s.Equals, s.AtMost, s.AtLeast); len(others) > 0 {
		c.add(others[0].Pos, "%s has law, which says what the power is; leave out equals, at_most and at_least", where)
	}
	if x, ok := s.Law.Log.Number(); ok && x == 0 {
		c.add(s.Law.Log.Pos, "\"log\" of %s is 0, which is a plain power; write equals in place of law", where)
	}
	if s.Within == nil {
		c.add(s.Law.Pos, "%s has law without within; say how near its power must be", where)
		return
	}
	c.checkWithin(s.Within, where)
}

// Law is a power law with a factor that is a power of the logarithm:
// of ~ over^power · (log over)^log.
type Law struct {
	Power Value `yaml:"power" required:"true" doc:"The exponent of the power."`
	Log   Value `yaml:"log" required:"true" doc:"The exponent of the logarithm: 1 for a factor log, -1 for 1/log."`

	Pos Pos `yaml:"-"`
}
