package claims

import (
	"math"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/inference"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/results"
)

// order judges neighbours: of methods at each grid point, or of positions along
// a variable. Of each pair, the one that should be smaller may exceed the other
// by a factor 1+Slack; equal ones are in order. Repeats are paired, as for
// ratio.
func (j *judge) order(c configs.Claim) ([]Verdict, error) {
	o := *c.Order
	return j.eachGroup(c, o.Methods.Texts(), func(v Verdict, g results.Group, q *results.Quantity) Verdict {
		if len(o.Methods) > 0 {
			v.Group = v.Group.With("method", configs.TextOf(strings.Join(o.Methods.Texts(), " <= ")))
		}
		v.Over = o.Over.Value
		return j.orderOf(v, g, q, o)
	})
}

func (j *judge) orderOf(v Verdict, g results.Group, q *results.Quantity, o configs.Order) Verdict {
	readings, ok := j.readings(&v, g, q)
	if !ok {
		return v
	}
	b := inference.Band{Relation: "<=", Value: math.Log1p(o.Slack), Slack: inference.RoundingSlack}
	var cells []cell
	var d Doubt
	if len(o.Methods) > 0 {
		cells, d = j.methodNeighbours(readings, g, o.Methods.Texts(), b)
	} else {
		var notes []string
		cells, notes, d = j.chains(readings, o, b)
		v.Notes = append(v.Notes, notes...)
	}
	if d.Any() {
		return inconclusive(v, d)
	}
	return judgeCells(v, exactly(cells, q), logScale)
}

// methodNeighbours has a cell for each grid point and pair of neighbours.
func (j *judge) methodNeighbours(readings []results.Reading, g results.Group, methods []string, b inference.Band) (cells []cell, d Doubt) {
	for i := range len(methods) - 1 {
		part, d := j.pairedCells(g, readings, methods[i], methods[i+1], logRatios, func(results.Constants) (inference.Band, Doubt) { return b, Doubt{} })
		if d.Any() {
			return nil, d
		}
		for _, c := range part {
			c.at = c.at.With("method", configs.TextOf(methods[i]+"/"+methods[i+1]))
			cells = append(cells, c)
		}
	}
	return cells, Doubt{}
}

// chains judges each line along o.Over by itself: readings that share the values
// of all variables that differ at one position. Where those move along with
// o.Over there are no such lines, and the positions must be single cells.
func (j *judge) chains(readings []results.Reading, o configs.Order, b inference.Band) (cells []cell, notes []string, d Doubt) {
	across := j.across(readings, o.Over.Value)
	lines := lists.By(readings, func(m results.Reading) results.Key { return m.Row.At.Only(across...) })
	for _, line := range lines {
		part, more, d := j.positionNeighbours(line, o, b)
		if d.Any() && len(lines) > 1 {
			_, _, d = j.positionNeighbours(readings, o, b)
		}
		if d.Any() {
			return nil, append(notes, more...), d
		}
		for i := range part {
			for _, name := range across {
				part[i].at = part[i].at.With(name, line[0].Row.At.Get(name))
			}
		}
		cells, notes = append(cells, part...), append(notes, more...)
	}
	slices.Sort(notes)
	return cells, slices.Compact(notes), Doubt{}
}

// across lists the columns that have several values at one position.
func (j *judge) across(readings []results.Reading, over string) []string {
	var names []string
	for _, line := range lists.By(readings, func(m results.Reading) results.Key { return m.Row.At.Only(over) }) {
		names = append(names, j.Varying(rowsOf(line))...)
	}
	return lists.Where(lists.Map(j.Catalog.Columns, func(c results.Column) string { return c.Name }), func(name string) bool { return slices.Contains(names, name) })
}

// positionNeighbours has a cell for each pair of neighbours along o.Over.
func (j *judge) positionNeighbours(readings []results.Reading, o configs.Order, b inference.Band) (cells []cell, notes []string, d Doubt) {
	c, d := j.curveOf(readings, o.Over.Value, o.Of.Text)
	if !d.Any() {
		d = c.notPositive(o.Of.Text, o.Over.Value)
	}
	switch {
	case d.Any():
		return nil, c.notes, d
	case len(c.rounded) > 0:
		return nil, c.notes, doubt("rounded_neighbour", "of", o.Of.Text, "over", o.Over.Value, "rounded", c.rounded)
	case len(c.X) < 2:
		return nil, c.notes, doubt("no_neighbour", "over", o.Over.Value)
	}
	for k := range len(c.X) - 1 {
		small, large := k, k+1
		if o.Direction == "falls" {
			small, large = k+1, k
		}
		n := cell{band: b, lost: c.lost, at: at(o.Over.Value, configs.TextOf(plain.Number(c.X[small])+"/"+plain.Number(c.X[large])))}
		for _, row := range c.Y {
			n.values = append(n.values, math.Log(row[small])-math.Log(row[large]))
		}
		cells = append(cells, n)
	}
	return cells, c.notes, Doubt{}
}
