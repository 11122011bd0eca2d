package claims

import (
	"cmp"
	"fmt"
	"math"

	"mercer/configs"
	"mercer/internal/inference"
	"mercer/results"
)

// ratio judges of(Method)/of(To) at each grid point, paired over repeats: the
// mean log-ratio against log(at_most) or log(at_least).
func (j *judge) ratio(c configs.Claim) ([]Verdict, error) {
	return j.paired(c, *c.Ratio, logRatios, logScale)
}

// paired judges a comparison of two methods at each grid point.
func (j *judge) paired(c configs.Claim, r configs.Ratio, values valuesOf, s scale) ([]Verdict, error) {
	top, bottom := r.Method.Value, r.To.Value
	return j.byCells(c, []string{top, bottom}, s, func(v *Verdict, p part) ([]cell, Doubt) {
		v.Group = v.Group.With("method", configs.TextOf(top+"/"+bottom))
		pairs, d := j.pairs(p.readings, top, bottom)
		if d.Any() {
			return nil, d
		}
		var cells []cell
		names := j.namesWithin(p.Rows)
		for _, pairing := range pairs {
			b, d := targetOf(pairing.constants, nil, r.AtMost, r.AtLeast, nil)
			if !d.Any() && b.Value <= 0 {
				d = badClaim(fmt.Sprintf("a ratio is claimed to be %s %g, which is not positive", b.Relation, b.Value))
			}
			if d.Any() {
				return nil, d
			}
			b.Value, b.Slack = math.Log(b.Value), inference.RoundingSlack
			c := cell{at: pairing.at.Only(names...), lost: pairing.lost, band: b, exact: followsFromSizes(p.quantity)}
			if c.why = values(pairing.pairs, &c); len(pairing.pairs) > 0 || len(pairing.lost) > 0 {
				cells = append(cells, c)
			}
		}
		return cells, Doubt{}
	})
}

// valuesOf gives a cell the values of its pairs, whose mean is the log of what is claimed; the
// doubt says why there are none.
type valuesOf func([]pair, *cell) Doubt

// pairing is what two methods give at one grid point, per repeat.
type pairing struct {
	at        results.Key // where the two use different sizes it has none
	constants results.Constants
	pairs     []pair
	lost      []string // why pairs lack a value
}

type pair struct {
	top, bottom float64
	repeat      int
	rounded     bool // a value is nothing but rounding
}

// pairs puts the readings of method top beside those of bottom, see [results.Run.Pairs], by
// repeat. The doubt says why there are no pairs.
func (j *judge) pairs(readings []results.Reading, top, bottom string) (out []pairing, d Doubt) {
	of := map[*results.Row]results.Reading{}
	by := map[string]bool{}
	for _, m := range readings {
		of[m.Row] = m
		by[m.Row.Method()] = true
	}
	for _, method := range []string{top, bottom} {
		if !by[method] {
			return nil, doubt("no_method", "method", method)
		}
	}
	for _, p := range j.Pairs(rowsOf(readings), top, bottom) {
		one := pairing{at: p.At, constants: j.Constants(p.Top[:1])}
		for name, v := range p.At.All() {
			if v.Kind == configs.Number {
				one.constants[name] = v.Number
			}
			if a, b := p.Top[0].At.Get(name), p.Bottom[0].At.Get(name); a != b && a.Kind != configs.None && b.Kind != configs.None {
				one.at = one.at.Without(name)
			}
		}
		partners := results.ByRepeat(p.Bottom)
		for _, r := range p.Top {
			one.add(of[r], of[partners[r.Repeat]])
		}
		out = append(out, one)
	}
	if len(out) == 0 {
		d = doubt("no_common_points", "top", top, "bottom", bottom)
	}
	return out, d
}

// add puts a pair in; a partner that is not there has no row.
func (p *pairing) add(m, partner results.Reading) {
	switch {
	case partner.Row == nil:
		p.lost = append(p.lost, "the other method has no such repeat")
	case m.Skipped() || partner.Skipped():
	case !m.OK() || !partner.OK():
		p.lost = append(p.lost, cmp.Or(m.Err, partner.Err).Error())
	default:
		p.pairs = append(p.pairs, pair{m.Value, partner.Value, m.Row.Repeat, m.Rounded || partner.Rounded})
	}
}

// logRatios are the values of a cell, see [inference.Match]; the doubt says which pair has none.
func logRatios(pairs []pair, c *cell) (d Doubt) {
	top, bottom := inference.Sample{}, inference.Sample{}
	for _, p := range pairs {
		switch {
		case p.rounded:
			d = doubt("rounding", "top", p.top, "bottom", p.bottom, "repeat", p.repeat)
		case p.top != p.bottom && (p.top <= 0 || p.bottom <= 0):
			d = doubt("no_log_ratio", "top", p.top, "bottom", p.bottom, "repeat", p.repeat)
		default:
			top[p.repeat], bottom[p.repeat] = p.top, p.bottom
		}
	}
	c.values = inference.Match(bottom, top).Values
	return d
}
