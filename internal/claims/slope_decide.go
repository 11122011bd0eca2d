package claims

import (
	"fmt"

	"mercer/internal/inference"
)

// decide applies the two tests and then looks for what would explain their
// answer away: lost values, rounding of sizes, a bend, another law that ends in the
// claimed power.
func (s slopeVerdict) decide() Verdict {
	v := s.v
	if s.e.Count < inference.MinRepeats {
		v = inconclusive(v, doubt("few_repeats", "count", s.e.Count))
		v.Need = inference.MinRepeats
		return v
	}
	if s.e.SD == 0 && !s.e.Equal {
		v.Notes = append(v.Notes, "all repeats are equal, so the interval is a point")
	}
	s.bends = s.f.RejectsPower()
	s.first, s.last = s.test.Estimate(s.f.SlopesAt(s.f.First())), s.test.Estimate(s.f.SlopesAt(s.f.Last()))
	for _, look := range []func() Doubt{s.lost, s.wholeNumbers, s.bend, s.steps, s.noPower, s.alternative, s.allEqual} {
		if d := look(); d.Any() {
			v = inconclusive(v, d)
			if d.Code == "all_equal" {
				v.Need = 2 * s.e.Count
			}
			return v
		}
	}

	v.Outcome = s.raw()
	words := s.words(map[Outcome]Code{Holds: "slope_holds", Violated: "slope_contradicts", Inconclusive: "slope_undecided"}[v.Outcome])
	if v.Outcome == Inconclusive {
		v.Need = max(s.test.Needed(s.e, v.next(), 1), 1)
		words = words.with("count", s.e.Count, "need", v.Need, "near", s.e.Near(s.b))
	}
	v.say(words)
	if v.Outcome == Violated {
		p := v.overLooks(s.e.P)
		v.P, v.least = &p, p
	}
	exact := s.test.Exact && s.test.Equal(s.f.Slopes)
	if far, beyond, rests := s.e.RestsOn(s.b); rests && !exact && v.Outcome != Inconclusive {
		v.Notes = append(v.Notes, fmt.Sprintf("assumes that fewer than 1 repeat in %d has a slope %s %.3g", s.e.Count, beyond, far))
	}
	return v
}
