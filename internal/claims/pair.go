package claims

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"mercer/internal/lists"
	"mercer/internal/selection"
	"mercer/results"
)

// pairing is what two methods give at one grid point, per repeat.
type pairing struct {
	records []*results.Record // one of each cell, of the method with more points
	pairs   []pair
	lost    []string // why pairs lack a value
}

type pair struct {
	top, bottom float64
	repeat      int
	rounded     bool // a value is nothing but rounding
}

// pairs puts the readings of method top beside those of bottom, by grid point
// and repeat. Points are compared before the methods' own sizes. Where a
// method's own sizes make several grid points one cell, which is run once, that
// cell stands for all of them. The doubt says why there are no pairs.
func (j *judge) pairs(readings []selection.Reading, top, bottom string) (out []pairing, note string, d Doubt) {
	of := func(method string) []selection.Reading {
		return slices.DeleteFunc(slices.Clone(readings), func(m selection.Reading) bool { return m.Record.Method != method })
	}
	fine, coarse := of(top), of(bottom)
	for _, method := range []string{top, bottom} {
		if len(of(method)) == 0 {
			return nil, "", Doubt{fmt.Sprintf("no record of method %s is in the selection", method), "pick it by where, or run it"}
		}
	}
	sign := 1.0
	variables := j.VariablesOf(selection.RecordsOf(readings))
	ignored, reverse := unseen(fine, coarse, variables), unseen(coarse, fine, variables)
	if len(ignored) > 0 && len(reverse) > 0 {
		return nil, "", Doubt{fmt.Sprintf("%s and %s have no grid points in common: they differ in %v and in %v", top, bottom, ignored, reverse),
			"a grid that gives both methods the same variables"}
	}
	if len(reverse) > 0 {
		fine, coarse, ignored, sign = coarse, fine, reverse, -1
	}
	if len(ignored) > 0 {
		note = fmt.Sprintf("%s has one cell for all values of %v, which stands against each of %s",
			coarse[0].Record.Method, ignored, fine[0].Record.Method)
	}
	seen := slices.DeleteFunc(slices.Clone(variables), func(name string) bool { return slices.Contains(ignored, name) })
	partners := map[string]map[int]selection.Reading{} // by point and repeat
	var repeats map[int]selection.Reading
	for k, m := range coarse {
		if k == 0 || !m.Record.SamePoint(coarse[k-1].Record) {
			id := selection.PointID(m.Record, seen)
			if repeats = partners[id]; repeats == nil {
				repeats = map[int]selection.Reading{}
				partners[id] = repeats
			}
		}
		repeats[m.Record.Repeat] = m
	}
	index := map[string]int{}
	i := 0
	for k, m := range fine {
		if k == 0 || !m.Record.SamePoint(fine[k-1].Record) {
			id, known := selection.PointID(m.Record, variables), false
			if i, known = index[id]; !known {
				i = len(out)
				index[id] = i
				out = append(out, pairing{})
			}
			repeats = partners[selection.PointID(m.Record, seen)]
		}
		partner, found := repeats[m.Record.Repeat]
		out[i].add(m, partner, found, sign)
	}
	return out, note, Doubt{}
}

// unseen lists the variables that vary freely in fine but are a function of the
// others in coarse.
func unseen(fine, coarse []selection.Reading, variables []string) []string {
	return lists.Where(variables, func(name string) bool {
		return determined(coarse, variables, name) && !determined(fine, variables, name)
	})
}

func determined(readings []selection.Reading, variables []string, name string) bool {
	others := slices.DeleteFunc(slices.Clone(variables), func(o string) bool { return o == name })
	values := map[string]float64{}
	var last *results.Record
	for _, m := range readings {
		if last != nil && last.SamePoint(m.Record) {
			continue
		}
		last = m.Record
		id := selection.PointID(m.Record, others)
		if v, known := values[id]; known && v != m.Record.Point[name] {
			return false
		}
		values[id] = m.Record.Point[name]
	}
	return true
}

// add puts a pair in; sign is -1 when m is of the method below the line.
func (p *pairing) add(m, partner selection.Reading, found bool, sign float64) {
	if n := len(p.records); n == 0 || !p.records[n-1].SameCell(m.Record) {
		p.records = append(p.records, m.Record)
	}
	both := pair{m.Value, partner.Value, m.Record.Repeat, m.Rounded || partner.Rounded}
	if sign < 0 {
		both.top, both.bottom = both.bottom, both.top
	}
	switch {
	case !found:
		p.lost = append(p.lost, "the other method has no such repeat")
	case m.Skipped() || partner.Skipped():
	case !m.OK() || !partner.OK():
		p.lost = append(p.lost, cmp.Or(m.Err, partner.Err).Error())
	default:
		p.pairs = append(p.pairs, both)
	}
}

// logRatios are those of the pairs; the doubt says which pair has none.
func logRatios(pairs []pair) (logs []float64, d Doubt) {
	for _, p := range pairs {
		switch {
		case p.rounded:
			d = Doubt{fmt.Sprintf("%g against %g in repeat %d has no log ratio, for a value is at the rounding of its measure", p.top, p.bottom, p.repeat),
				"leave this cell out by where, or claim the values by themselves"}
		case p.top == p.bottom:
			logs = append(logs, 0)
		case p.top <= 0 || p.bottom <= 0:
			d = Doubt{fmt.Sprintf("%g against %g in repeat %d has no log ratio", p.top, p.bottom, p.repeat),
				"claim a positive quantity, or leave this cell out by where"}
		default:
			logs = append(logs, math.Log(p.top)-math.Log(p.bottom))
		}
	}
	return logs, d
}
