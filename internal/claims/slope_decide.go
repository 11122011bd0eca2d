package claims

import (
	"fmt"
	"math"
	"strings"

	"mercer/internal/plain"
)

// slopeVerdict is all that the decision on one slope needs.
type slopeVerdict struct {
	v     Verdict
	b     band
	test  skewTest
	e     estimate
	f     powerFit
	c     curve
	scale float64
}

// decide applies the two tests and then looks for what would explain their
// answer away: lost values, rounding of values and of sizes, a bend, another
// law that ends in the claimed power.
func (s slopeVerdict) decide() Verdict {
	v := s.v
	if s.e.count < MinRepeats {
		v, v.Need = inconclusive(v, fewRepeats(s.e.count)), MinRepeats
		return v
	}
	v.Outcome, v.Shape = s.raw(), s.follows()
	v.Reason = s.sentence()
	if v.Outcome == Holds && s.f.rejectsPower() {
		v.Reason += "; " + map[bool]string{true: "so do the slopes at both ends: "}[s.b.relation == "="] + "it " + s.shape()
	}
	v.Reason += v.Law.text(v.Over)
	if s.e.sd == 0 {
		v.Notes = append(v.Notes, "all repeats are equal, so the interval is a point")
	}
	if v.Outcome == Inconclusive {
		v.Need = max(s.test.needed(s.e, s.v.next(), 1), 1)
		v.Brief, v.Settle = tooFew(s.e.count, v.Need), settleRepeats(s.e.count, v.Need, s.e.near(s.b))
	}
	for _, look := range []struct {
		doubt func() Doubt
		brief string
		need  int
	}{
		{s.lost, "repeats failed", 0},
		{s.rounding, "values are as small as rounding errors", 0},
		{s.wholeNumbers, "sizes rounded to whole numbers may decide the slope", 0},
		{s.bend, "the slope still changes with " + v.Over, 0},
		{s.noPower, "the points contradict a plain power" + times(v.Over, s.c.log), 0},
		{s.alternative, "another law explains the points as well", 0},
		{s.allEqual, "all repeats are equal", v.Need},
	} {
		if d := look.doubt(); d.Any() {
			v = inconclusive(v, d)
			v.Reason += v.Law.text(v.Over)
			v.Brief, v.Need = look.brief, look.need
			return v
		}
	}
	if v.Outcome == Violated {
		p := v.overLooks(s.e.p)
		v.P = &p
	}
	exact := s.test.exact && equal(s.f.slopes)
	if far, beyond, rests := s.e.restsOn(s.b); rests && !exact && v.Outcome != Inconclusive {
		v.Notes = append(v.Notes, fmt.Sprintf("assumes that fewer than 1 repeat in %d has a slope %s %.3g", s.e.count, beyond, far))
	}
	return v
}

// claimed says what is claimed, in words of the verdict.
func (s slopeVerdict) claimed() string {
	return claimed(s.b, plainScale.show, s.e.mean, s.e.low, s.e.high)
}

// inside is where that lies which is as claimed: "inside -0.5 ± 0.1", "at or below 1.1".
func inside(claimed string) string {
	return strings.NewReplacer("<= ", "at or below ", ">= ", "at or above ", "= ", "inside ").Replace(claimed)
}

// outside is where that lies which is not as claimed: "outside -0.5 ± 0.1", "above 1.1".
func outside(claimed string) string {
	return strings.NewReplacer("<= ", "above ", ">= ", "below ", "= ", "outside ").Replace(claimed)
}

// undecidedInterval says of a printed interval that neither shows a claim nor contradicts it,
// why it does not where it lies beyond.
func undecidedInterval(b band, low, high, p float64, claim string) string {
	if low > b.high() || high < b.low() {
		return fmt.Sprintf("lies %s, but not beyond doubt: p = %.2g, and less than %g would contradict it", outside(claim), p, violatedP)
	}
	return "neither lies " + inside(claim) + " nor contradicts it"
}

func (s slopeVerdict) sentence() string {
	digits := plain.Digits('f', 3, []float64{s.e.mean, s.e.low, s.e.high}, s.b.edges(plainScale.show)...)
	interval := fmt.Sprintf("slope%s %.*f, interval [%.*f, %.*f]", divided(s.v.Over, s.c.log), digits, s.e.mean, digits, s.e.low, digits, s.e.high)
	switch s.raw() {
	case Holds:
		return interval + " lies " + inside(s.claimed())
	case Violated:
		return fmt.Sprintf("%s contradicts %s (p = %.2g)", interval, s.claimed(), s.v.overLooks(s.e.p))
	}
	return interval + " " + undecidedInterval(s.b, s.e.low, s.e.high, s.v.overLooks(s.e.p), s.claimed())
}

// raw is the outcome of the two tests alone.
func (s slopeVerdict) raw() Outcome { return s.e.outcome(s.e.p, s.v.levels().violated) }

// lost doubts outcomes that depend on missing readings.
func (s slopeVerdict) lost() Doubt {
	switch {
	case !s.e.decisive && s.raw() == Inconclusive:
		return Doubt{fmt.Sprintf("%s, but the %d repeats that failed could change that", s.sentence(), s.c.lost), runAgain}
	case len(s.c.gone) > 0 && s.raw() == Holds:
		return Doubt{fmt.Sprintf("%s, but %s=%s gave no value at all", s.sentence(), s.v.Over, list(s.c.gone)), runAgain}
	}
	return Doubt{}
}

// allEqual doubts slopes that are equal in all of so few repeats.
func (s slopeVerdict) allEqual() Doubt {
	if !s.e.equal || s.raw() != Inconclusive {
		return Doubt{}
	}
	return equalDoubt(s.e.count, s.test.needed(s.e, s.v.next(), 1))
}

// rounding doubts slopes through points that are nothing but rounding. Such a
// floor raises the slope of what falls, so it cannot make "<=" hold, nor ">="
// be violated.
func (s slopeVerdict) rounding() Doubt {
	at := s.c.atRounding(s.scale)
	if len(at) == 0 || (s.b.relation == "<=" && s.raw() == Holds) || (s.b.relation == ">=" && s.raw() == Violated) {
		return Doubt{}
	}
	return Doubt{fmt.Sprintf("noise floor: at %s=%s the quantity is below %.1g of its scale %.2g, which is rounding", s.v.Over, list(at), noiseFloor, s.scale),
		fmt.Sprintf("leave these points out by where: {%s: [...]}", s.v.Over)}
}

// wholeNumbers doubts what the rounding of sizes to whole numbers may have
// decided, as the exact floor shows it.
func (s slopeVerdict) wholeNumbers() Doubt {
	h := s.f.slopeUncertainty
	safe := s.raw() == Inconclusive ||
		s.raw() == Holds && s.b.contains(s.e.low-h, s.e.high+h) ||
		s.raw() == Violated && s.b.excess(s.e.mean) > h
	if safe {
		return Doubt{}
	}
	return Doubt{fmt.Sprintf("%s, but sizes rounded to whole numbers move it by up to %.3f: the exact floor itself is no straight line (its slope is %.3f)",
		s.sentence(), h, s.f.floorSlope), fmt.Sprintf("larger or more values of %s, where rounding matters less", s.v.Over)}
}

// bend doubts a slope that is still changing: one that has left the band by the
// last point, or one that is on its way into it.
func (s slopeVerdict) bend() Doubt {
	end := s.f.slopeAt(s.f.last())
	trend := fmt.Sprintf("pre-asymptotic bend: the slope goes from %.3f to %.3f over the points", s.f.slopeAt(s.f.first()), end)
	switch raw := s.raw(); {
	case raw == Holds && s.f.leadsOut(s.b):
		return Doubt{fmt.Sprintf("%s, out of %s, though its mean %.3f lies inside", trend, s.claimed(), s.e.mean),
			fmt.Sprintf("larger %s, to see where the slope settles", s.v.Over)}
	case raw == Violated && s.f.leadsIn(s.b):
		return Doubt{fmt.Sprintf("%s, towards %s, so its mean %.3f does not contradict it", trend, s.claimed(), s.e.mean),
			fmt.Sprintf("larger %s, where the bend, if it goes on, brings the slope into the band", s.v.Over) + s.from(s.f.bendReaches(s.b))}
	}
	return Doubt{}
}

// alternative doubts a violation that a law which ends in the claimed power
// would show as well.
func (s slopeVerdict) alternative() Doubt {
	if s.raw() != Violated {
		return Doubt{}
	}
	m, found := s.f.alternative(s.b, s.c.log)
	if !found {
		return Doubt{}
	}
	reason := fmt.Sprintf("%s, but %s explains the points as well: its curvature would be %.3f, theirs is %.3f ± %.3f",
		s.sentence(), m.text(s.v.Over, m.exponent)+times(s.v.Over, s.c.log), m.curvature, s.f.bending.mean, halfWidth(s.f.curves, 1-s.v.levels().violated))
	return Doubt{reason, s.settleLaw(m)}
}

// settleLaw says where a law follows the claim, as a power with the slope of the points does
// not, and what else would tell the two apart.
func (s slopeVerdict) settleLaw(m lawFit) string {
	x := s.f.followsAt(m, s.b.tolerance())
	switch {
	case m.followsEarly() && s.f.rejectsPower():
		return fmt.Sprintf("smaller %s, where that law follows the claim%s", s.v.Over, s.upTo(x))
	case m.followsEarly():
		return fmt.Sprintf("larger %[1]s, where that law differs more from a power; or smaller %[1]s, where it follows the claim%[2]s", s.v.Over, s.upTo(x))
	}
	return fmt.Sprintf("larger %s, where that law follows the claim%s", s.v.Over, s.from(x))
}

// from and upTo say about how large or small sizes must be; "" where that is not known.
func (s slopeVerdict) from(x float64) string { return s.about(": from about %s=%s on", x) }
func (s slopeVerdict) upTo(x float64) string { return s.about(": up to about %s=%s", x) }

func (s slopeVerdict) about(format string, x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	return fmt.Sprintf(format, s.v.Over, plain.Number(math.Round(x/unit)*unit))
}
