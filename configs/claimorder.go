package configs

import "slices"

// Order claims that Of rises from each entry of Methods to the next, or that it
// falls or rises along the grid variable Over, at each value of the variables
// that do not move with it. Exactly one of Methods and Over is set; Direction
// ("falls" or "rises") goes with Over. Slack s (default 0) allows neighbours to be out
// of order by a factor 1+s.
type Order struct {
	Of        Quantity `yaml:"of" required:"true" doc:"A metric, or an expression over metrics."`
	Methods   Words    `yaml:"methods" minlen:"2" unique:"true" doc:"Ids of methods, from the smallest value to the largest."`
	Over      Word     `yaml:"over" doc:"A grid variable; needs direction."`
	Direction string   `yaml:"direction" enum:"falls,rises" doc:"How the quantity goes along over."`
	Slack     float64  `yaml:"slack" min:"0" max:"10" doc:"Neighbours may be out of order by a factor 1 + slack."`
	Judgement
	Selection `yaml:",inline"`

	Pos Pos `yaml:"-"`
}

// Quantity is what is in order.
func (o *Order) Quantity() Quantity { return o.Of }

func (o *Order) compared() Words { return slices.Clone(o.Methods) }

func (o *Order) check(c *checker, where string) {
	c.axis(c.names["grid variable"], o.Over, where)
	if (o.Methods == nil) == (o.Over.Value == "") {
		c.add(o.Pos, "%s needs exactly one of methods, over", where)
	} else if (o.Over.Value == "") != (o.Direction == "") {
		c.add(o.Pos, "%s: over and direction go together", where)
	}
}
