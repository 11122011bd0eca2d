package claims

import (
	"fmt"
	"math"

	"mercer/internal/inference"
	"mercer/internal/plain"
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
}

// claimed says what is claimed, in words of the verdict.
func (s slopeVerdict) claimed() string {
	return claimed(s.b, plainScale.show, s.e.Mean, s.e.Low, s.e.High)
}

func (s slopeVerdict) sentence() string {
	digits := plain.Digits('f', 3, []float64{s.e.Mean, s.e.Low, s.e.High}, s.b.Edges(plainScale.show)...)
	interval := fmt.Sprintf("slope%s %.*f, interval [%.*f, %.*f]", divided(s.v.Over, s.c.Log), digits, s.e.Mean, digits, s.e.Low, digits, s.e.High)
	switch s.raw() {
	case Holds:
		return interval + " lies " + inside(s.claimed())
	case Violated:
		return fmt.Sprintf("%s contradicts %s (p = %.2g)", interval, s.claimed(), s.v.overLooks(s.e.P))
	}
	return interval + " " + undecidedInterval(s.b, s.e.Low, s.e.High, s.v.overLooks(s.e.P), s.claimed())
}

// raw is the outcome of the two tests alone.
func (s slopeVerdict) raw() Outcome { return outcomeOf(s.e, s.e.P, s.v.levels().Violated) }

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
	return equalDoubt(s.e.Count)
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
	where := "out of the band"
	if s.raw() == Violated {
		where = "into the band"
	}
	return Doubt{fmt.Sprintf("%s, but the rounding of sizes such as ℓ to whole numbers may shift it by up to %.3f, %s", s.sentence(), h, where), fmt.Sprintf("larger or more values of %s, where rounding matters less", s.v.Over)}
}

// bend doubts a slope that is still changing: one that has left the band by the
// last point, or one that is on its way into it.
func (s slopeVerdict) bend() Doubt {
	end := s.f.SlopeAt(s.f.Last())
	trend := fmt.Sprintf("pre-asymptotic bend: the slope goes from %.3f to %.3f over the points", s.f.SlopeAt(s.f.First()), end)
	switch raw := s.raw(); {
	case raw == Holds && s.f.LeadsOut(s.b):
		return Doubt{fmt.Sprintf("%s, out of %s, though its mean %.3f lies inside", trend, s.claimed(), s.e.Mean),
			fmt.Sprintf("larger %s, to see where the slope settles", s.v.Over)}
	case raw == Violated && s.f.LeadsIn(s.b):
		return Doubt{fmt.Sprintf("%s, towards %s, so its mean %.3f does not contradict it", trend, s.claimed(), s.e.Mean),
			fmt.Sprintf("larger %s, where the bend, if it goes on, brings the slope into the band", s.v.Over) + s.from(s.f.BendReaches(s.b))}
	}
	return Doubt{}
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
	reason := fmt.Sprintf("%s, but %s explains the points as well: its curvature would be %.3f, theirs is %.3f ± %.3f",
		s.sentence(), m.Name(s.v.Over)+times(s.v.Over, s.c.Log), m.Curvature, s.f.Bending.Mean, inference.HalfWidth(s.f.Curves, 1-s.v.levels().Violated))
	return Doubt{reason, s.settleLaw(m)}
}

// settleLaw says where a law follows the claim, as a power with the slope of the points does
// not, and what else would tell the two apart.
func (s slopeVerdict) settleLaw(m powerlaw.LawFit) string {
	x := s.f.FollowsAt(m, s.b)
	switch {
	case m.FollowsEarly() && s.f.RejectsPower():
		return fmt.Sprintf("smaller %s, where that law follows the claim%s", s.v.Over, s.upTo(x))
	case m.FollowsEarly():
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

// shape says how the slope, its subject, changes over the points, and which law they follow.
func (s slopeVerdict) shape() string {
	first, last := s.ends()
	return fmt.Sprintf("goes from %.3f at %s=%s to %.3f at %s%s", first.Mean, s.v.Over, plain.Number(s.c.X[0]), last.Mean, plain.Number(s.c.X[len(s.c.X)-1]), s.lawOfPoints())
}

// lawOfPoints is a further clause, which law the points follow; empty where none is found.
func (s slopeVerdict) lawOfPoints() string {
	m, found := s.f.Follows()
	if !found {
		return ""
	}
	return fmt.Sprintf("; the points follow %s%s", m.Name(s.v.Over), times(s.v.Over, s.c.Log))
}

// follows is the law that the points do not contradict.
func (s slopeVerdict) follows() string {
	if s.f.RejectsPower() {
		return "it " + s.shape()
	}
	return "a power" + times(s.v.Over, s.c.Log) + s.v.Law.text(s.v.Over)
}

// ends are the slopes of the parabola at the first and the last point.
func (s slopeVerdict) ends() (first, last inference.Estimate) {
	at := func(u float64) inference.Estimate {
		return s.test.Estimate(s.f.SlopesAt(u))
	}
	return at(s.f.First()), at(s.f.Last())
}

// noPower doubts that points which contradict a power at every exponent have the claimed
// slope: their slopes at both ends must lie inside the band too.
func (s slopeVerdict) noPower() Doubt {
	if s.raw() != Holds || !s.f.RejectsPower() {
		return Doubt{}
	}
	first, last := s.ends()
	if first.Inside && last.Inside {
		return Doubt{}
	}
	leaves := "the slope leaves the band, it"
	if s.b.Contains(min(first.Mean, last.Mean), max(first.Mean, last.Mean)) {
		leaves = "the interval of a slope at the ends leaves the band, the slope"
	}
	return Doubt{fmt.Sprintf("%s, but the points contradict a plain power%s: %s %s", s.sentence(), times(s.v.Over, s.c.Log), leaves, s.shape()), s.settlePower()}
}

// steps doubts a slope that holds on average alone: from one position to the next it
// contradicts the claim.
func (s slopeVerdict) steps() Doubt {
	if s.raw() != Holds {
		return Doubt{}
	}
	worst, at := inference.Estimate{P: 1}, 0
	for k, slopes := range s.f.Steps {
		if e := s.test.Estimate(slopes); e.P < worst.P {
			worst, at = e, k
		}
	}
	if worst.P*float64(len(s.f.Steps)) >= s.v.levels().Violated {
		return Doubt{}
	}

	return Doubt{fmt.Sprintf("%s, but the points contradict a plain power%s: from %s=%s to %s the slope is %.3f, interval [%.3f, %.3f]%s", s.sentence(), times(s.v.Over, s.c.Log),
		s.v.Over, plain.Number(s.c.X[at]), plain.Number(s.c.X[at+1]), worst.Mean, worst.Low, worst.High, s.lawOfPoints()), s.settlePower()}
}

// settlePower names the law to claim if the points follow one with a logarithm. A bend that
// rounded sizes make would come again on a new seed.
func (s slopeVerdict) settlePower() string {
	if s.f.BendsAsRounded() {
		return fmt.Sprintf("larger %s: here the rounding of sizes such as ℓ to whole numbers bends the exact floor likewise", s.v.Over)
	}
	where := fmt.Sprintf("the claimed power at those %s alone where the slope stays in the band", s.v.Over)
	m, found := s.f.Follows()
	if log, has := m.LogExponent(); found && has {
		return fmt.Sprintf("a new seed, because these records suggest what to claim: either the law %s^%.3g%s, or %s", s.v.Over, m.Exponent, times(s.v.Over, log+s.c.Log), where)
	}
	return "a new seed, because these records suggest what to claim: " + where
}
