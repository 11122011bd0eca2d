package configs

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

// Quantity is what is in order.
func (o *Order) Quantity() Quantity { return Quantity{o.Of, o.OfPos} }

// Confidence is where the confidence level stands.
func (o *Order) Confidence() *float64 { return &o.Level }

func (o *Order) compared() []placed {
	var ids []placed
	for i, id := range o.Methods {
		ids = append(ids, placed{id, o.MethodsPos[i]})
	}
	return ids
}

func (o *Order) values() []Value { return nil }

func (o *Order) check(c *checker, _ Claim, where string) {
	c.checkOf(o.Quantity())
	c.lookup("grid variable", o.Over, o.OverPos, where, c.axes)
	if (o.Methods == nil) == (o.Over == "") {
		c.problems.Add(Errorf(o.Pos, "%s needs exactly one of methods, over", where))
	} else if (o.Over == "") != (o.Direction == "") {
		c.problems.Add(Errorf(o.Pos, "%s: over and direction go together", where))
	}
}
