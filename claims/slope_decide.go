package claims

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// slopeVerdict is all that the decision on one slope needs.
type slopeVerdict struct {
	v     Verdict
	b     band
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
	if s.e.count < minRepeats {
		v.Settle = settleRepeats(s.e, s.b, v.Level)
		return inconclusive(v, fmt.Sprintf("%d repeats give no confidence interval that could be relied on", s.e.count))
	}
	v.Outcome = s.raw()
	v.Reason = s.sentence()
	if s.e.sd == 0 {
		v.Notes = append(v.Notes, "all repeats are equal, so the interval is a point")
	}
	if v.Outcome == Inconclusive {
		v.Settle = settleRepeats(s.e, s.b, v.Level)
	}
	for _, doubt := range []func() (string, string){s.lost, s.rounding, s.wholeNumbers, s.bend, s.alternative} {
		if reason, settle := doubt(); reason != "" {
			v.Settle = settle
			v = inconclusive(v, reason)
			break
		}
	}
	return v
}

// claimed says what is claimed, in words of the verdict.
func (s slopeVerdict) claimed() string { return claimed(s.b, func(x float64) float64 { return x }) }

// claimed writes a band; show maps its scale to the reader's.
func claimed(b band, show func(float64) float64) string {
	text := fmt.Sprintf("%s %.4g", b.relation, show(b.value))
	if b.relation == "=" {
		text += fmt.Sprintf(" ± %.3g", b.within)
	}
	return text
}

func (s slopeVerdict) sentence() string {
	interval := fmt.Sprintf("slope %.3f, interval [%.3f, %.3f]", s.e.mean, s.e.low, s.e.high)
	switch s.raw() {
	case Holds:
		return interval + " lies inside " + s.claimed()
	case Violated:
		return fmt.Sprintf("%s contradicts %s (p = %.2g)", interval, s.claimed(), s.e.p)
	}
	return interval + " neither lies inside " + s.claimed() + " nor contradicts it"
}

// raw is the outcome of the two tests alone.
func (s slopeVerdict) raw() Outcome { return s.e.outcome(s.e.p) }

// lost doubts outcomes that hang on readings that were not to be had.
func (s slopeVerdict) lost() (reason, settle string) {
	switch {
	case !s.e.decisive && s.raw() == Inconclusive:
		return fmt.Sprintf("%s, but the %d repeats that failed could change that", s.sentence(), s.c.lost), "run what failed again"
	case len(s.c.gone) > 0 && s.raw() == Holds:
		return fmt.Sprintf("%s, but %s=%s gave no value at all", s.sentence(), s.v.Over, list(s.c.gone)), "run what failed again"
	}
	return "", ""
}

// rounding doubts slopes through points that are nothing but rounding. Such a
// floor raises the slope of what falls, so it cannot make "<=" hold, nor ">="
// be violated.
func (s slopeVerdict) rounding() (reason, settle string) {
	at := s.c.atRounding(s.scale)
	if len(at) == 0 || (s.b.relation == "<=" && s.raw() == Holds) || (s.b.relation == ">=" && s.raw() == Violated) {
		return "", ""
	}
	return fmt.Sprintf("noise floor: at %s=%s the quantity is below %.1g of its scale %.2g, which is rounding", s.v.Over, list(at), noiseFloor, s.scale),
		fmt.Sprintf("leave these points out by where: {%s: [...]}", s.v.Over)
}

// wholeNumbers doubts what the rounding of sizes to whole numbers may have
// decided, as the exact floor shows it.
func (s slopeVerdict) wholeNumbers() (reason, settle string) {
	h := s.f.scatter
	safe := s.raw() == Inconclusive ||
		s.raw() == Holds && s.b.contains(s.e.low-h, s.e.high+h) ||
		s.raw() == Violated && s.b.excess(s.e.mean) > h
	if safe {
		return "", ""
	}
	return fmt.Sprintf("%s, but sizes rounded to whole numbers move it by up to %.3f: the exact floor itself is no straight line (its slope is %.3f)",
		s.sentence(), h, s.f.floorSlope), fmt.Sprintf("larger or more values of %s, where rounding matters less", s.v.Over)
}

// bend doubts a slope that is still changing: one that has left the band by the
// last point, or one that is on its way into it.
func (s slopeVerdict) bend() (reason, settle string) {
	end := s.f.slopeAt(s.f.last())
	trend := fmt.Sprintf("pre-asymptotic bend: the slope goes from %.3f to %.3f over the points", s.f.slopeAt(s.f.first()), end)
	switch raw := s.raw(); {
	case raw == Holds && s.f.leadsOut(s.b):
		return fmt.Sprintf("%s, out of %s, though its mean %.3f lies inside", trend, s.claimed(), s.e.mean),
			fmt.Sprintf("%s beyond %.3g, to see where the slope settles", s.v.Over, s.c.x[len(s.c.x)-1])
	case raw == Violated && s.f.leadsIn(s.b):
		edge := s.b.high()
		if s.e.mean < s.b.low() {
			edge = s.b.low()
		}
		return fmt.Sprintf("%s, towards %s, so its mean %.3f does not contradict it", trend, s.claimed(), s.e.mean),
			fmt.Sprintf("%s from about %.2g on, where the bend brings the slope into the band", s.v.Over, s.f.reaches(edge))
	}
	return "", ""
}

// alternative doubts a violation that a law which ends in the claimed power
// would show as well.
func (s slopeVerdict) alternative() (reason, settle string) {
	if s.raw() != Violated {
		return "", ""
	}
	m, found := s.f.alternative(s.b)
	if !found {
		return "", ""
	}
	reason = fmt.Sprintf("%s, but %s explains the points as well: its curvature would be %.3f, theirs is %.3f ± %.3f",
		s.sentence(), m.describe(s.v.Over, s.b.value), m.curvature, s.f.bending.mean, s.f.curvatureHalfWidth())
	settle = "larger " + s.v.Over
	z := distuv.UnitNormal.Quantile(1 - violatedP/2)
	root := z * s.f.bending.sd / math.Abs(m.curvature)
	if need := math.Ceil(root*root) + 2; need > float64(s.e.count) && need < 1e6 {
		settle += fmt.Sprintf(", or about %.0f repeats in place of %d to tell that law from a power", need, s.e.count)
	}
	return reason, settle
}
