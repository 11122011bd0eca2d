package claims

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"mercer/internal/plain"
)

// lawOf fits, in each repeat, log y − power·log x by a line in log log x. Its slope is
// the exponent of the logarithm.
func lawOf(c curve, power, level float64) *Law {
	law := &Law{Power: power, Log: c.log}
	if len(c.y) < MinRepeats {
		return law
	}
	lx := logarithms(c.x)
	loglog := logarithms(lx)
	floats.AddConst(-stat.Mean(loglog, nil), loglog)
	logs := make([]float64, len(c.y))
	for r, row := range c.y {
		rest := logarithms(row)
		floats.AddScaled(rest, -power, lx)
		logs[r] = floats.Dot(loglog, rest) / floats.Dot(loglog, loglog)
	}
	mean, half := stat.Mean(logs, nil), halfWidth(logs, level)
	low, high := mean-half, mean+half
	law.Fitted, law.Low, law.High = &mean, &low, &high
	return law
}

// text says what exponent of the logarithm was found; empty for a claim without a law.
func (l *Law) text(over string) string {
	if l == nil || l.Fitted == nil {
		return ""
	}
	return fmt.Sprintf("; at the power %.4g the exponent of log %s is %.3f, interval [%.3f, %.3f]", l.Power, over, *l.Fitted, *l.Low, *l.High)
}

// divided says by what factor values were divided before the fit; empty without one.
func divided(over string, log float64) string {
	switch log {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(" after division by log %s", over)
	}
	return fmt.Sprintf(" after division by (log %s)^%.4g", over, log)
}

// shape says how the slope, its subject, changes over the points, and which law they follow.
func (s slopeVerdict) shape() string {
	first, last := s.ends()
	text := fmt.Sprintf("goes from %.3f at %s=%s to %.3f at %s", first.mean, s.v.Over, plain.Number(s.c.x[0]), last.mean, plain.Number(s.c.x[len(s.c.x)-1]))
	if m, found := s.f.fits(); found {
		text += fmt.Sprintf("; the points follow %s%s", m.text(s.v.Over, m.exponent), times(s.v.Over, s.c.log))
	}
	return text
}

// follows is the law that the points do not contradict.
func (s slopeVerdict) follows() string {
	if s.f.rejectsPower() {
		return "it " + s.shape()
	}
	return "a power" + times(s.v.Over, s.c.log) + s.v.Law.text(s.v.Over)
}

// times is the claimed factor; empty without one.
func times(over string, log float64) string {
	switch log {
	case 0:
		return ""
	case 1:
		return " times log " + over
	}
	return fmt.Sprintf(" times (log %s)^%.4g", over, log)
}

// Factor is the factor that a slope's claim names, " times log n"; empty without a law.
func (v Verdict) Factor() string {
	if v.Law == nil {
		return ""
	}
	return "," + times(v.Over, v.Law.Log)
}

// ends are the slopes of the parabola at the first and the last point.
func (s slopeVerdict) ends() (first, last estimate) {
	at := func(u float64) estimate {
		slopes := make([]float64, len(s.f.slopes))
		for r := range slopes {
			slopes[r] = s.f.slopes[r] + s.f.curves[r]*(2*u-s.f.tilt)
		}
		return estimateOf(s.test, slopes, 0, s.v.levels().violated)
	}
	return at(s.f.first()), at(s.f.last())
}

// noPower doubts that points which contradict the claimed law at every exponent have its
// slope: their slopes at both ends must lie inside the band too. A one-sided claim is not
// about a plain power; where its slope ends is for bend.
func (s slopeVerdict) noPower() Doubt {
	if s.raw() != Holds || s.b.relation != "=" || !s.f.rejectsPower() {
		return Doubt{}
	}
	first, last := s.ends()
	if first.inside && last.inside {
		return Doubt{}
	}
	leaves := "the slope leaves the band, it"
	if s.b.contains(min(first.mean, last.mean), max(first.mean, last.mean)) {
		leaves = "the interval of a slope at the ends leaves the band, the slope"
	}
	return Doubt{fmt.Sprintf("%s, but the points contradict a plain power%s: %s %s", s.sentence(), times(s.v.Over, s.c.log), leaves, s.shape()), s.settlePower()}
}

// settlePower names the law to claim if the points follow one with a logarithm.
func (s slopeVerdict) settlePower() string {
	where := fmt.Sprintf("a claim about those %s alone at which the slope stays in the band", s.v.Over)
	if m, found := s.f.fits(); found && m.log != nil {
		return fmt.Sprintf("a claim of the law %s^%.3g%s, on a new seed, because these records suggested it; or %s", s.v.Over, m.exponent, times(s.v.Over, m.log(m.exponent)+s.c.log), where)
	}
	return where
}
