package claims

import (
	"fmt"
	"math"

	"mercer/internal/inference"
	"mercer/internal/powerlaw"
)

// slopeVerdict is all that the decision on one slope needs.
type slopeVerdict struct {
	v    Verdict
	b    inference.Band
	test inference.SkewTest
	e    inference.Estimate
	f    powerlaw.Fit
	c    groupCurve

	bends       bool               // the points contradict a power of any exponent
	first, last inference.Estimate // the slopes of the parabola at the ends
}

// raw is the outcome of the two tests alone.
func (s slopeVerdict) raw() Outcome { return outcomeOf(s.e, s.e.P, s.v.levels().Violated) }

// words are those of a code on the slope; about is what they need beside what all have.
func (s slopeVerdict) words(code Code, about ...any) Doubt {
	return Doubt{code, found('f', 3, s.b, plainScale.show, s.e.Mean, s.e.Low, s.e.High)}.with("over", s.v.Over, "log", s.c.Log,
		"raw", string(s.raw()), "p", s.v.overLooks(s.e.P), "beyond", isBeyond(s.b, s.e), "bends", s.bends,
		"first", s.first.Mean, "last", s.last.Mean, "start", s.c.X[0], "end", s.c.X[len(s.c.X)-1]).with(about...)
}

// lost doubts a slope of which a reading was lost.
func (s slopeVerdict) lost() Doubt {
	if len(s.c.lost) == 0 {
		return Doubt{}
	}
	return lostDoubt(s.c.lost, len(s.c.lost)+len(s.c.Y))
}

// allEqual doubts slopes that are equal in all of so few repeats.
func (s slopeVerdict) allEqual() Doubt {
	if !s.e.Equal || s.raw() != Inconclusive {
		return Doubt{}
	}
	return doubt("all_equal", "count", s.e.Count)
}

// wholeNumbers doubts what the rounding of sizes to whole numbers may have
// decided, as the exact floor shows it.
func (s slopeVerdict) wholeNumbers() Doubt {
	h := s.f.SlopeUncertainty
	safe := s.raw() == Inconclusive ||
		s.raw() == Holds && s.b.Contains(s.e.Low-h, s.e.High+h) ||
		s.raw() == Violated && s.b.Excess(s.e.Mean) > h
	if safe {
		return Doubt{}
	}
	return s.words("slope_by_rounded_sizes", "shift", h)
}

// bend doubts a slope that is still changing: one that has left the band by the
// last point, or one that is on its way into it.
func (s slopeVerdict) bend() Doubt {
	raw := s.raw()
	if !(raw == Holds && s.f.LeadsOut(s.b) || raw == Violated && s.f.LeadsIn(s.b)) {
		return Doubt{}
	}
	return s.words("bend", "follows", about(s.f.BendReaches(s.b)))
}

// alternative doubts a violation that a law which ends in the claimed power
// would show as well.
func (s slopeVerdict) alternative() Doubt {
	if s.raw() != Violated {
		return Doubt{}
	}
	m, found := s.f.Alternative(s.b, s.c.Log)
	if !found {
		return Doubt{}
	}
	return s.words("other_law", "law", m.Name(s.v.Over), "early", m.FollowsEarly(), "follows", about(s.f.FollowsAt(m, s.b)))
}

// about is a size to two digits; NaN where it is not known.
func about(x float64) float64 {
	if math.IsNaN(x) {
		return x
	}
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	return math.Round(x/unit) * unit
}

// noPower doubts that points which contradict a power at every exponent have the claimed
// slope: their slopes at both ends must lie inside the band too.
func (s slopeVerdict) noPower() Doubt {
	if s.raw() != Holds || !s.bends || s.first.Inside && s.last.Inside {
		return Doubt{}
	}
	return s.words("no_power", "rounded", s.f.BendsAsRounded())
}

// steps doubts a slope that holds on average alone: from one position to the next it
// contradicts the claim.
func (s slopeVerdict) steps() Doubt {
	if s.raw() != Holds {
		return Doubt{}
	}
	worst, at := inference.Estimate{P: 1}, 0
	for k, slopes := range s.f.Steps {
		// A doubt is by the t test, which contradicts more often: what is doubted does not hold.
		if e := (inference.MeanTest{Band: s.b, Level: s.v.Level}).Estimate(slopes); e.P < worst.P {
			worst, at = e, k
		}
	}
	if worst.P*float64(len(s.f.Steps)) >= s.v.levels().Violated {
		return Doubt{}
	}
	return s.words("no_power_by_a_step", "from", s.c.X[at], "to", s.c.X[at+1], "step", worst.Mean, "steplow", worst.Low, "stephigh", worst.High,
		"rounded", s.f.BendsAsRounded())
}

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
