package data

import (
	"fmt"

	"mercer/configs"
)

// PopulationOption says which distribution a data set of points is measured
// against: "self", all its points; "test", its own test part; {held_out: N}, N
// points set aside in each repeat; "none".
type PopulationOption struct {
	Kind    string
	HeldOut int
}

// DecodeNode reads one of the forms above.
func (o *PopulationOption) DecodeNode(n *configs.Node, d *configs.Decoder) {
	if n.Kind == configs.Map {
		var form struct {
			HeldOut int `yaml:"held_out" required:"true" min:"2"`
		}
		d.Decode(n, &form)
		*o = PopulationOption{Kind: "held_out", HeldOut: form.HeldOut}
	} else if kind, ok := d.Choose(n, "self (all its points), test (its test part), none, or {held_out: N}", "self", "test", "none"); ok {
		*o = PopulationOption{Kind: kind}
	}
}

// traits are those of a data set whose population is a set of points, if any.
func (o PopulationOption) traits() Traits {
	return Traits{Population: o.Kind != "none", HeldOut: o.Kind != "none", Self: o.Kind == "self"}
}

// drawn refuses the points of a data set that has none, and says why.
func (o PopulationOption) drawn(why string) error {
	if o.Kind == "self" || o.Kind == "test" {
		return fmt.Errorf("population: %s, but %s; take {held_out: N}", o.Kind, why)
	}
	return nil
}

// describe adds points of each repeat to a description of the data set.
func (o PopulationOption) describe(points string) string {
	if o.HeldOut == 0 {
		return ""
	}
	return fmt.Sprintf("; population: %d %s in each repeat", o.HeldOut, points)
}
