package claims

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"mercer/internal/powerlaw"
	"mercer/results"
)

// groupCurve is the quantity of a group of records, with the repeats that are complete over
// all positions.
type groupCurve struct {
	powerlaw.Curve
	exact   bool      // equal slopes are no accident, see inference.SkewTest
	lost    []string  // why repeats are incomplete of which a reading was lost
	rounded []float64 // positions that are left out: a reading there is nothing but rounding
}

// curveOf arranges readings along over, and notes in the verdict which positions it leaves out.
// The doubt says why they are no curve: a position that holds several cells, or no position at
// all.
func (j *judge) curveOf(v *Verdict, readings []results.Reading, over, metric string) (groupCurve, Doubt) {
	at := map[float64][]results.Reading{}
	for _, m := range readings {
		x, ok := m.Row.At.Number(over)
		if !ok {
			return groupCurve{}, doubt("no_position", "row", nameOf(m.Row), "over", over)
		}
		at[x] = append(at[x], m)
	}
	var c groupCurve
	var skipped []float64
	for _, x := range slices.Sorted(maps.Keys(at)) {
		if cells := results.Cells(rowsOf(at[x])); len(cells) > 1 {
			return c, doubt("several_cells", "over", over, "x", x, "cells", len(cells), "vary", j.Varying(rowsOf(at[x])))
		}
		switch {
		case slices.ContainsFunc(at[x], func(m results.Reading) bool { return m.Rounded }):
			c.rounded = append(c.rounded, x)
		case slices.ContainsFunc(at[x], func(m results.Reading) bool { return !m.Skipped() }):
			c.X = append(c.X, x)
		default:
			skipped = append(skipped, x)
		}
	}
	if len(skipped) > 0 {
		v.note("%s=%s is left out: skipped", over, list(skipped))
	}
	if len(c.rounded) > 0 {
		v.note("%s=%s is left out: %s is at the rounding of its measure there", over, list(c.rounded), metric)
	}
	c.fill(at, over, metric)
	return c, Doubt{}
}

// fill takes the repeats that are complete over c.X, and the floor where each
// position has one.
func (c *groupCurve) fill(at map[float64][]results.Reading, over, metric string) {
	byRepeat := map[int][]results.Reading{} // along c.X
	lost := map[int]string{}
	for _, x := range c.X {
		for _, m := range at[x] {
			repeat := m.Row.Repeat
			row := byRepeat[repeat]
			switch {
			case m.OK():
				row = append(row, m)
			case !m.Skipped() && lost[repeat] == "":
				lost[repeat] = fmt.Sprintf("at %s=%g %v", over, x, m.Err)
			}
			byRepeat[repeat] = row
		}
	}
	floors := make([][]float64, len(c.X)) // logarithms
	for _, repeat := range slices.Sorted(maps.Keys(byRepeat)) {
		readings := byRepeat[repeat]
		if lost[repeat] != "" {
			c.lost = append(c.lost, lost[repeat])
		}
		if len(readings) != len(c.X) {
			continue
		}
		row := make([]float64, len(c.X))
		for k, m := range readings {
			row[k] = m.Value
			if f, ok := m.Row.Metrics[metric+"_floor"]; ok && f > 0 {
				floors[k] = append(floors[k], math.Log(f))
			}
		}
		c.Y = append(c.Y, row)
	}
	if slices.ContainsFunc(floors, func(values []float64) bool { return len(values) == 0 }) {
		return
	}
	for _, values := range floors {
		c.Floor = append(c.Floor, math.Exp(stat.Mean(values, nil)))
	}
}

// notPositive names the first value that has no logarithm.
func (c groupCurve) notPositive(of, over string) Doubt {
	for k, x := range c.X {
		if x <= 0 {
			return doubt("no_log_position", "over", over, "x", x)
		}
		for r := range c.Y {
			if c.Y[r][k] <= 0 {
				return doubt("no_log_value", "of", of, "y", c.Y[r][k], "over", over, "x", x)
			}
		}
	}
	return Doubt{}
}

// followsFromSizes says that a quantity is the same in all repeats: sizes, and the
// operations and bytes that they count.
func followsFromSizes(q *results.Quantity) bool {
	return !slices.ContainsFunc(q.Uses, func(metric string) bool { return metric != "flops" && metric != "fit_memory" })
}
