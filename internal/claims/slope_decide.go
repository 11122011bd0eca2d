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
		v, v.Need = inconclusive(v, fewRepeats(s.e.Count)), inference.MinRepeats
		return v
	}
	v.Outcome, v.Shape = s.raw(), s.follows()
	v.Reason = s.sentence()
	if v.Outcome == Holds && s.f.RejectsPower() {
		v.Reason += "; so do the slopes at both ends: it " + s.shape()
	}
	v.Reason += v.Law.text(v.Over)
	if s.e.SD == 0 && !s.e.Equal {
		v.Notes = append(v.Notes, "all repeats are equal, so the interval is a point")
	}
	if v.Outcome == Inconclusive {
		v.Need = max(s.test.Needed(s.e, s.v.next(), 1), 1)
		v.Brief, v.Settle = tooFew(s.e.Count, v.Need), settleRepeats(s.e.Count, v.Need, s.e.Near(s.b))
	}
	for _, look := range []struct {
		doubt func() Doubt
		brief string
		need  int
	}{
		{s.lost, "repeats failed", 0},
		{s.wholeNumbers, "the rounding of sizes such as ℓ may decide the slope", 0},
		{s.bend, "the slope still changes with " + v.Over, 0},
		{s.steps, "the points contradict a plain power" + times(v.Over, s.c.Log), 0},
		{s.noPower, "the points contradict a plain power" + times(v.Over, s.c.Log), 0},
		{s.alternative, "another law explains the points as well", 0},
		{s.allEqual, "all repeats are equal", 2 * s.e.Count},
	} {
		if d := look.doubt(); d.Any() {
			v = inconclusive(v, d)
			v.Reason += v.Law.text(v.Over)
			v.Brief, v.Need = look.brief, look.need
			return v
		}
	}
	if v.Outcome == Violated {
		p := v.overLooks(s.e.P)
		v.P = &p
	}
	exact := s.test.Exact && s.test.Equal(s.f.Slopes)
	if far, beyond, rests := s.e.RestsOn(s.b); rests && !exact && v.Outcome != Inconclusive {
		v.Notes = append(v.Notes, fmt.Sprintf("assumes that fewer than 1 repeat in %d has a slope %s %.3g", s.e.Count, beyond, far))
	}
	return v
}
