package powerlaw

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"mercer/internal/inference"
	"mercer/internal/lists"
)

// LawFit is a law fitted to the points. A repeat tells two numbers of its
// curve, its slope and its curvature, and so does a law.
type LawFit struct {
	law
	Exponent, parameter float64
	Curvature           float64
	matched             bool      // the law has the mean slope of the points
	gap                 []float64 // by repeat, by how much the curvature misses the law's
}

// Name is the law in words.
func (m LawFit) Name(over string) string { return m.text(over, m.Exponent) }

// fit takes from a law the member that has the mean slope of the points and,
// where a parameter can give it, their curvature, with the exponent nearest to
// that which lies in [low, high]. False when the law has no such member.
func (f Fit) fit(l law, low, high float64) (LawFit, bool) {
	m := LawFit{law: l}
	if l.sizes && f.First()+f.centre < math.Ln2 {
		return m, false
	}
	if l.slow && (f.Slope <= -1 || f.Slope >= 0 || high <= -1 || low >= 0) {
		return m, false
	}
	exponent, ok := f.exponentOf(l)
	if !ok {
		exponent = f.Slope
	}
	m.Exponent = math.Max(low, math.Min(high, exponent))
	m.matched = m.Exponent == exponent
	if l.free {
		if m.parameter, m.matched = f.parameterOf(l, m.Exponent); !m.matched {
			return m, false
		}
	}
	slope, curvature := f.shapeOf(l, m.Exponent, m.parameter)
	m.Curvature = curvature
	gradient := f.gradient(m)
	for r := range f.Slopes {
		m.gap = append(m.gap, f.Curves[r]-curvature-gradient*(f.Slopes[r]-slope))
	}
	return m, true
}

// exponentOf is the exponent with which a law has the mean slope of the points,
// and, where it has a parameter, their mean curvature.
func (f Fit) exponentOf(l law) (float64, bool) {
	if !l.free {
		return root(func(a float64) float64 {
			slope, _ := f.shapeOf(l, a, 0)
			return slope - f.Slope
		}, f.Slope-10, f.Slope+10)
	}
	return root(func(a float64) float64 {
		p, ok := f.parameterOf(l, a)
		if !ok {
			p = -parameterEnd
		}
		_, curvature := f.shapeOf(l, a, p)
		return curvature - f.Bending.Mean
	}, f.Slope*(1+1e-6), f.Slope*(1+(l.reach-1)*(1-1e-6)))
}

// parameterEnd is where a parameter has either no effect or all effect.
const parameterEnd = 40

// parameterOf is the parameter for which a law of given exponent has the mean
// slope of the points.
func (f Fit) parameterOf(l law, exponent float64) (float64, bool) {
	return root(func(p float64) float64 {
		slope, _ := f.shapeOf(l, exponent, p)
		return slope - f.Slope
	}, -parameterEnd, parameterEnd)
}

// root is a zero of g between low and high; false when the signs there do not differ.
func root(g func(float64) float64, low, high float64) (float64, bool) {
	above := g(high) > 0
	if (g(low) > 0) == above {
		return 0, false
	}
	return inference.Bisect(low, high, func(x float64) bool { return (g(x) > 0) == above }), true
}

// gradient is by how much the curvature of a law moves with its slope, along
// the one number that was fitted: its parameter, or its exponent.
func (f Fit) gradient(m LawFit) float64 {
	const step = 1e-4
	at := func(h float64) (slope, curvature float64) {
		if m.free {
			return f.shapeOf(m.law, m.Exponent, m.parameter+h)
		}
		return f.shapeOf(m.law, m.Exponent+h, 0)
	}
	above, curvedAbove := at(step)
	below, curvedBelow := at(-step)
	if above == below {
		return 0
	}
	return (curvedAbove - curvedBelow) / (above - below)
}

// shapeOf is the slope and curvature that FitCurve would find in a law.
func (f Fit) shapeOf(l law, exponent, parameter float64) (slope, curvature float64) {
	return f.project(lists.Map(f.LogX, func(u float64) float64 { return l.shape(u, f.centre, exponent, parameter) }))
}

// Alternative is a law that would make the claim true and that the points
// do not contradict: by a test of level f.Violated of the curvature, given the
// slope, or of both where the law has no number left to match the slope with
// (each then at half that level). For "=" its exponent is the claimed one
// itself: what within allows is for the slope of the points, and is not given
// twice. A law with a parameter could explain nearly any slope where the noise
// hides all curvature, so one is believed only if the points show a bend, or if
// by it some points do follow the claim: near enough to b or to an eighth of the
// claimed exponent. Where the claim names its logarithm, a law with another is none. Nor is
// one that explains a curvature which the points themselves have the other way.
func (f Fit) Alternative(b inference.Band, log float64) (LawFit, bool) {
	if f.turned() {
		return LawFit{}, false
	}
	target := b.Value
	low, high := target, target
	switch b.Relation {
	case "<=":
		low = math.Inf(-1)
	case ">=":
		high = math.Inf(1)
	}
	for _, l := range laws[1:] {
		if l.free && target == 0 || l.logs && log != 0 {
			continue
		}
		m, ok := f.fit(l, low, high)
		if !ok || l.free && !f.bent() && !f.nears(m, tolerance(b)) {
			continue
		}
		if !f.contradicts(m) {
			return m, true
		}
	}
	return LawFit{}, false
}

// contradicts says that a law is rejected with p < f.Violated.
func (f Fit) contradicts(m LawFit) bool {
	if m.matched {
		return math.Abs(stat.Mean(m.gap, nil)) > inference.HalfWidth(m.gap, 1-f.Violated)
	}
	slope, _ := f.shapeOf(m.law, m.Exponent, m.parameter)
	return math.Abs(slope-f.Slope) > inference.HalfWidth(f.Slopes, 1-f.Violated/2) ||
		math.Abs(m.Curvature-f.Bending.Mean) > inference.HalfWidth(f.Curves, 1-f.Violated/2)
}

// nears says that the law's own slope, at the end where it should, is its
// exponent up to tolerance.
func (f Fit) nears(m LawFit, tolerance float64) bool {
	u := f.Last()
	if m.FollowsEarly() {
		u = f.First()
	}
	return math.Abs(m.slopeAt(u, f.centre)-m.Exponent) <= tolerance
}

// tolerance is how near to a claimed exponent a slope counts as following it.
func tolerance(b inference.Band) float64 { return math.Max(b.Within, math.Abs(b.Value)/8) }

// FollowsAt is the size from which on, or up to which for one that FollowsEarly, the law's own
// slope is its exponent up to the tolerance of b; NaN where no size of 1 to 1e300 is.
func (f Fit) FollowsAt(m LawFit, b inference.Band) float64 {
	away, end := f.First(), 300*math.Ln10-f.centre
	if m.FollowsEarly() {
		away, end = f.Last(), -f.centre
	}
	reached := func(u float64) bool { return math.Abs(m.slopeAt(u, f.centre)-m.Exponent) <= tolerance(b) }
	if !reached(end) {
		return math.NaN()
	}
	return math.Exp(f.centre + inference.Bisect(away, end, reached))
}

// FollowsEarly says that the law is near its exponent at small sizes, not at large ones.
func (m LawFit) FollowsEarly() bool { return m.early*m.Exponent > 0 }

// RejectsPower says that the points contradict a plain power, of any exponent.
func (f Fit) RejectsPower() bool {
	m, ok := f.fit(laws[0], math.Inf(-1), math.Inf(1))
	return ok && f.contradicts(m)
}

// slopeAt is the law's own slope.
func (m LawFit) slopeAt(u, centre float64) float64 {
	const step = 1e-4
	rise := m.shape(u+step, centre, m.Exponent, m.parameter) - m.shape(u-step, centre, m.Exponent, m.parameter)
	return rise / (2 * step)
}
