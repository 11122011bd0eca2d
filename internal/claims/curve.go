package claims

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

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
	notes   []string
}

// curveOf arranges readings along over. The doubt says why they are no
// curve: a position that holds several cells, or no position at all.
func (j *judge) curveOf(readings []results.Reading, over, metric string) (groupCurve, Doubt) {
	at := map[float64][]results.Reading{}
	for _, m := range readings {
		x, ok := m.Row.At.Number(over)
		if !ok {
			return groupCurve{}, Doubt{fmt.Sprintf("%s has no value of %s", nameOf(m.Row), over), "leave out by where what has no " + over}
		}
		at[x] = append(at[x], m)
	}
	var c groupCurve
	var skipped []float64
	for _, x := range slices.Sorted(maps.Keys(at)) {
		if reason, advice := j.clash(rowsOf(at[x]), over); reason != "" {
			return c, Doubt{fmt.Sprintf("%s=%g holds %s", over, x, reason), advice}
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
		c.notes = append(c.notes, fmt.Sprintf("%s=%s is left out: skipped", over, list(skipped)))
	}
	if len(c.rounded) > 0 {
		c.notes = append(c.notes, fmt.Sprintf("%s=%s is left out: %s is at the rounding of its measure there", over, list(c.rounded), metric))
	}
	c.fill(at, over, metric)
	return c, Doubt{}
}

// clash says why rows of one method are of several cells where one is needed, and which
// columns would tell them apart; "" where they are repeats of one cell. The column over is
// known to be the same in all.
func (j *judge) clash(rows []*results.Row, over string) (reason, advice string) {
	cells := results.Cells(rows)
	if len(cells) < 2 {
		return "", ""
	}
	var vary, enough []string
	for _, c := range j.Catalog.Columns {
		values := map[results.Value]bool{}
		for _, cell := range cells {
			values[cell.At.Get(c.Name)] = true
		}
		if len(values) < 2 {
			continue
		}
		vary = append(vary, c.Name)
		if len(values) == len(cells) {
			enough = append(enough, c.Name)
		}
	}
	advice = "add " + strings.Join(vary, " and ") + " to by, or fix them in where"
	if len(enough) > 0 {
		advice = "add " + strings.Join(enough, " or ") + " to by, or fix it in where"
	}
	return fmt.Sprintf("%d different cells, which differ in %s", len(cells), strings.Join(vary, ", ")), advice
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
			if f, ok := m.Row.Metrics.Get(metric + "_floor"); ok && f > 0 {
				floors[k] = append(floors[k], math.Log(f))
			}
		}
		c.Y = append(c.Y, row)
	}
	if all := len(byRepeat); all > len(c.Y) {
		c.notes = append(c.notes, fmt.Sprintf("%d of %d repeats are incomplete and left out", all-len(c.Y), all))
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
			return Doubt{fmt.Sprintf("%s=%g has no logarithm", over, x), "leave it out by where"}
		}
		if c.Log != 0 && x < 2 {
			return Doubt{fmt.Sprintf("at %s=%g the factor of the claimed law, a power of log %s, is no size's: sizes are 2 and more", over, x, over), "leave it out by where, or claim a plain power"}
		}
		for r := range c.Y {
			if c.Y[r][k] <= 0 {
				return Doubt{fmt.Sprintf("%s is %g at %s=%g, which has no logarithm", of, c.Y[r][k], over, x),
					fmt.Sprintf("claim a positive quantity, or leave %s=%g out by where", over, x)}
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
