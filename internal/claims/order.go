package claims

import (
	"math"
	"slices"

	"mercer/configs"
	"mercer/internal/inference"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/results"
)

// order judges neighbours along a variable: the one that should be smaller may not exceed the
// other; equal ones are in order. Repeats are paired, as for ratio. Readings that differ in
// another column at one position are lines of their own.
func (j *judge) order(c configs.Claim) ([]Verdict, error) {
	o := *c.Order
	return j.byCells(c, nil, logScale, func(v *Verdict, p part) (cells []cell, d Doubt) {
		v.Over = o.Over.Value
		across := j.across(p.readings, o.Over.Value)
		for _, line := range lists.By(p.readings, func(m results.Reading) results.Key { return m.Row.At.Only(across...) }) {
			own, d := j.neighbours(v, line, o)
			if d.Any() {
				return nil, d
			}
			for _, one := range own {
				for _, name := range across {
					one.at = one.at.With(name, line[0].Row.At.Get(name))
				}
				one.exact = followsFromSizes(p.quantity)
				cells = append(cells, one)
			}
		}
		return cells, Doubt{}
	})
}

// across lists the columns that have several values at one position.
func (j *judge) across(readings []results.Reading, over string) []string {
	vary := map[string]bool{}
	for _, line := range lists.By(readings, func(m results.Reading) results.Key { return m.Row.At.Only(over) }) {
		for _, name := range j.Varying(rowsOf(line)) {
			vary[name] = true
		}
	}
	names := lists.Map(j.Catalog.Columns, func(c results.Column) string { return c.Name })
	return slices.DeleteFunc(names, func(name string) bool { return !vary[name] })
}

// neighbours has a cell for each pair of neighbours along o.Over.
func (j *judge) neighbours(v *Verdict, readings []results.Reading, o configs.Order) (cells []cell, d Doubt) {
	c, d := j.curveOf(v, readings, o.Over.Value, o.Of.Text)
	if !d.Any() {
		d = c.notPositive(o.Of.Text, o.Over.Value)
	}
	switch {
	case d.Any():
		return nil, d
	case len(c.rounded) > 0:
		return nil, doubt("rounded_neighbour", "of", o.Of.Text, "over", o.Over.Value, "rounded", c.rounded)
	case len(c.X) < 2:
		return nil, doubt("no_neighbour", "over", o.Over.Value)
	}
	for k := range len(c.X) - 1 {
		small, large := k, k+1
		if o.Direction == "falls" {
			small, large = k+1, k
		}
		place := configs.TextOf(plain.Number(c.X[small]) + "/" + plain.Number(c.X[large]))
		n := cell{at: at(o.Over.Value, place), lost: c.lost, band: inference.Band{Relation: "<=", Slack: inference.RoundingSlack}}
		for _, row := range c.Y {
			n.values = append(n.values, math.Log(row[small])-math.Log(row[large]))
		}
		cells = append(cells, n)
	}
	return cells, Doubt{}
}
