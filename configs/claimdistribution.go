package configs

// Distribution claims that the values of Of over repeats have the distribution
// Equals, in each cell, up to a Kolmogorov–Smirnov distance of Within: the
// largest difference of the two distribution functions. Equals is "normal", with
// Mean and SD, which are 0 and 1 when left out.
type Distribution struct {
	Of     Quantity `yaml:"of" required:"true" doc:"A metric, or an expression over metrics."`
	Equals string   `yaml:"equals" required:"true" enum:"normal" doc:"The claimed distribution."`
	Mean   *Value   `yaml:"mean" doc:"Mean of the claimed distribution; 0 when left out."`
	SD     *Value   `yaml:"sd" doc:"Standard deviation of the claimed distribution; 1 when left out."`
	Within *Value   `yaml:"within" required:"true" doc:"The largest difference of the two distribution functions that counts as the same, between 0 and 1."`
	Judgement
	Selection `yaml:",inline"`

	Pos Pos `yaml:"-"`
}

// Quantity is what has the claimed distribution.
func (d *Distribution) Quantity() Quantity { return d.Of }

func (d *Distribution) values() []Value { return given(d.Mean, d.SD, d.Within) }

// check looks at plain numbers; expressions are checked when they are evaluated.
func (d *Distribution) check(c *checker, where string) {
	if d.SD != nil {
		if x, ok := d.SD.Number(); ok && x <= 0 {
			c.add(d.SD.Pos, "\"sd\" of %s must be positive, found %s", where, d.SD.Text)
		}
	}
	if d.Within != nil {
		if x, ok := d.Within.Number(); ok && (x <= 0 || x >= 1) {
			c.add(d.Within.Pos, "\"within\" of %s must lie between 0 and 1, found %s", where, d.Within.Text)
		}
	}
}
