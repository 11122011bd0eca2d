package claims

import (
	"cmp"

	"mercer/configs"
	"mercer/internal/inference"
	"mercer/results"
)

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
	by := map[string][]*results.Row{}
	for _, m := range readings {
		of[m.Row] = m
		by[m.Row.Method()] = append(by[m.Row.Method()], m.Row)
	}
	for _, method := range []string{top, bottom} {
		if len(by[method]) == 0 {
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
