package claims

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/internal/selection"
)

// curve is a group's quantity along a variable: K positions, R repeats that are
// complete over all of them.
type curve struct {
	x     []float64   // K, rising
	y     [][]float64 // R×K
	floor []float64   // K, geometric mean of the metric's floor; nil where it is not known
	log   float64     // of the law that is claimed: the fit is of y/(log x)^log
	exact bool        // equal slopes are no accident, see judgeEqual
	lost  int         // repeats that are incomplete because a reading was lost
	gone  []float64   // positions where every reading was lost
	notes []string
}

// curveOf arranges readings along over. The doubt says why they are no
// curve: a position that holds several cells, or no position at all.
func (j *judge) curveOf(readings []selection.Reading, over, metric string) (curve, Doubt) {
	at := map[float64][]selection.Reading{}
	for _, m := range readings {
		x, ok := selection.Axis(m.Record, over)
		if !ok {
			return curve{}, Doubt{fmt.Sprintf("%s has no value of %s", j.Name(m.Record), over), "leave out by where what has no " + over}
		}
		at[x] = append(at[x], m)
	}
	var c curve
	for _, x := range slices.Sorted(maps.Keys(at)) {
		if reason, advice := j.Clash(selection.RecordsOf(at[x]), over); reason != "" {
			return c, Doubt{fmt.Sprintf("%s=%g holds %s", over, x, reason), advice}
		}
		switch {
		case slices.ContainsFunc(at[x], selection.Reading.OK):
			c.x = append(c.x, x)
		case !slices.ContainsFunc(at[x], func(m selection.Reading) bool { return !m.Skipped() }):
			c.notes = append(c.notes, fmt.Sprintf("%s=%g is left out: skipped", over, x))
		default:
			c.gone = append(c.gone, x)
			c.notes = append(c.notes, fmt.Sprintf("%s=%g is left out: no repeat gives a value there", over, x))
		}
	}
	c.fill(at, metric)
	return c, Doubt{}
}

// fill takes the repeats that are complete over c.x, and the floor where each
// position has one.
func (c *curve) fill(at map[float64][]selection.Reading, metric string) {
	byRepeat := map[int][]selection.Reading{} // along c.x
	for _, x := range c.x {
		for _, m := range at[x] {
			row := byRepeat[m.Record.Repeat]
			if m.OK() {
				row = append(row, m)
			}
			byRepeat[m.Record.Repeat] = row
		}
	}
	floors := make([][]float64, len(c.x)) // logarithms
	for _, repeat := range slices.Sorted(maps.Keys(byRepeat)) {
		readings := byRepeat[repeat]
		if len(readings) != len(c.x) {
			c.lost++
			continue
		}
		row := make([]float64, len(c.x))
		for k, m := range readings {
			row[k] = m.Value
			if f, ok := m.Record.Metrics.Get(metric + "_floor"); ok && f.Value > 0 {
				floors[k] = append(floors[k], math.Log(f.Value))
			}
		}
		c.y = append(c.y, row)
	}
	if c.lost > 0 {
		c.notes = append(c.notes, fmt.Sprintf("%d of %d repeats are incomplete and left out", c.lost, c.lost+len(c.y)))
	}
	if slices.ContainsFunc(floors, func(values []float64) bool { return len(values) == 0 }) {
		return
	}
	for _, values := range floors {
		c.floor = append(c.floor, math.Exp(stat.Mean(values, nil)))
	}
}

// varies says that repeats differ, though their slopes may be the same.
func (c curve) varies() bool {
	return slices.ContainsFunc(c.y, func(row []float64) bool { return !equal([]float64{row[0], c.y[0][0]}) })
}

// notPositive names the first value that has no logarithm.
func (c curve) notPositive(of, over string) Doubt {
	for k, x := range c.x {
		if x <= 0 {
			return Doubt{fmt.Sprintf("%s=%g has no logarithm", over, x), "leave it out by where"}
		}
		if c.log != 0 && x < 2 {
			return Doubt{fmt.Sprintf("at %s=%g the factor of the claimed law, a power of log %s, is no size's: sizes are 2 and more", over, x, over), "leave it out by where, or claim a plain power"}
		}
		for r := range c.y {
			if c.y[r][k] <= 0 {
				return Doubt{fmt.Sprintf("%s is %g at %s=%g, which has no logarithm", of, c.y[r][k], over, x),
					fmt.Sprintf("claim a positive quantity, or leave %s=%g out by where", over, x)}
			}
		}
	}
	return Doubt{}
}

// logs returns log x centred at its mean, that mean, and log y less the claimed
// factor, R×K.
func (c curve) logs() (lx []float64, centre float64, ly [][]float64) {
	lx = logarithms(c.x)
	centre = stat.Mean(lx, nil)
	for k := range lx {
		lx[k] -= centre
	}
	for _, row := range c.y {
		ly = append(ly, c.withoutFactor(row))
	}
	return lx, centre, ly
}

// withoutFactor is log y less log·log log x.
func (c curve) withoutFactor(y []float64) []float64 {
	out := logarithms(y)
	floats.Sub(out, c.factor())
	return out
}

// factor is log·log log x, K: the logarithm of the claimed factor.
func (c curve) factor() []float64 {
	out := make([]float64, len(c.x))
	if c.log == 0 {
		return out
	}
	for k, x := range c.x {
		out[k] = c.log * math.Log(math.Log(x))
	}
	return out
}

func logarithms(values []float64) []float64 {
	return lists.Map(values, math.Log)
}

// list writes positions for a reader.
func list(values []float64) string {
	return strings.Join(lists.Map(values, plain.Number), ", ")
}
