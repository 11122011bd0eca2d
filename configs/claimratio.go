package configs

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

// Quantity is what the methods' ratio is of.
func (r *Ratio) Quantity() Quantity { return Quantity{r.Of, r.OfPos} }

// Confidence is where the confidence level stands.
func (r *Ratio) Confidence() *float64 { return &r.Level }

func (r *Ratio) compared() []placed {
	return []placed{{r.Method, r.MethodPos}, {r.To, r.ToPos}}
}

func (r *Ratio) values() []Value { return given(r.AtMost, r.AtLeast) }

func (r *Ratio) check(c *checker, _ Claim, where string) {
	c.checkOf(r.Quantity())
	if (r.AtMost == nil) == (r.AtLeast == nil) {
		c.problems.Add(Errorf(r.Pos, "%s needs exactly one of at_most, at_least", where))
	}
	if r.Method == r.To {
		c.problems.Add(Errorf(r.ToPos, "%s compares method %q with itself", where, r.To))
	}
}
