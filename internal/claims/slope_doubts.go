package claims

import (
	"maps"
	"math"

	"mercer/internal/inference"
	"mercer/internal/powerlaw"
)

// slopeFit is a fitted slope beside what is claimed of it.
type slopeFit struct {
	v    Verdict
	b    inference.Band
	test inference.SkewTest
	f    powerlaw.Fit
	c    groupCurve

	bends       bool               // the points contradict a power of any exponent
	first, last inference.Estimate // the slopes of the parabola at the ends
}

// args are what the words on a slope are about.
func (s slopeFit) args(t judged) Args {
	args := found('f', 3, s.b, plainScale.show, t.e.Mean, t.e.Low, t.e.High)
	maps.Copy(args, Args{"over": s.v.Over, "log": s.c.Log, "raw": string(t.outcome), "p": t.p, "bends": s.bends,
		"first": s.first.Mean, "last": s.last.Mean, "start": s.c.X[0], "end": s.c.X[len(s.c.X)-1]})
	return args
}

// doubt doubts the outcome of a slope, about what all words on one need and more.
func (s slopeFit) doubt(t judged, code Code, about ...any) Doubt {
	return Doubt{code, s.args(t)}.with(about...)
}

// doubts look for what would explain an outcome away: rounding of sizes, a bend, another law
// that ends in the claimed power.
func (s slopeFit) doubts(t judged) Doubt {
	for _, look := range []func(judged) Doubt{s.wholeNumbers, s.bend, s.steps, s.noPower, s.alternative} {
		if d := look(t); d.Any() {
			return d
		}
	}
	return Doubt{}
}

// wholeNumbers doubts what the rounding of sizes to whole numbers may have
// decided, as the exact floor shows it.
func (s slopeFit) wholeNumbers(t judged) Doubt {
	h := s.f.SlopeUncertainty
	if t.outcome == Holds && s.b.Contains(t.e.Low-h, t.e.High+h) || t.outcome == Violated && s.b.Excess(t.e.Mean) > h {
		return Doubt{}
	}
	return s.doubt(t, "slope_by_rounded_sizes", "shift", h)
}

// bend doubts a slope that is still changing: one that has left the band by the
// last point, or one that is on its way into it.
func (s slopeFit) bend(t judged) Doubt {
	if !(t.outcome == Holds && s.f.LeadsOut(s.b) || t.outcome == Violated && s.f.LeadsIn(s.b)) {
		return Doubt{}
	}
	return s.doubt(t, "bend", "follows", about(s.f.BendReaches(s.b)))
}

// alternative doubts a violation that a law which ends in the claimed power
// would show as well.
func (s slopeFit) alternative(t judged) Doubt {
	if t.outcome != Violated {
		return Doubt{}
	}
	m, found := s.f.Alternative(s.b, s.c.Log)
	if !found {
		return Doubt{}
	}
	return s.doubt(t, "other_law", "law", m.Name(s.v.Over), "early", m.FollowsEarly(), "follows", about(s.f.FollowsAt(m, s.b)))
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
func (s slopeFit) noPower(t judged) Doubt {
	if t.outcome != Holds || !s.bends || s.first.Inside && s.last.Inside {
		return Doubt{}
	}
	return s.doubt(t, "no_power", "rounded", s.f.BendsAsRounded())
}

// steps doubts a slope that holds on average alone: from one position to the next it
// contradicts the claim.
func (s slopeFit) steps(t judged) Doubt {
	if t.outcome != Holds {
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
	return s.doubt(t, "no_power_by_a_step", "from", s.c.X[at], "to", s.c.X[at+1], "step", worst.Mean, "steplow", worst.Low, "stephigh", worst.High,
		"rounded", s.f.BendsAsRounded())
}
