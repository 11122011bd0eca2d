package claims

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"mercer/internal/lists"
)

// law is a family of curves with an exponent. shape is the log of the curve at
// log x; it is written with u = log x centred, and centre is what was
// subtracted.
type law struct {
	text  func(over string, exponent float64) string
	shape func(u, centre, exponent, parameter float64) float64
	sizes bool                           // is meant for sizes, not for numbers about 1
	log   func(exponent float64) float64 // exponent of the logarithm; nil without one

	// Of laws with a parameter, on the whole real line, which at one of its ends
	// leaves the plain power:
	free  bool
	reach float64 // the exponent lies between the slope of the points and reach times it
	early float64 // sign of those exponents that the first points follow, not the last

	slow bool // for exponents, and slopes of the points, between -1 and 0 alone
}

// laws are the plain power, and what a straight line on log–log axes mistakes
// for another power: a quantity that levels off at a floor of noise (or, where
// it grows, starts from an overhead), one whose power has not yet come out, one
// with a second, faster term (of twice the power, or the 1/n of a mean), and those
// with the logarithms that come with rates.
var laws = []law{
	{text: pattern("%s^%.3g"), shape: func(u, _, a, _ float64) float64 { return a * u }},
	{text: pattern("%s^%.3g plus a floor"), free: true, reach: 20, early: -1, shape: func(u, _, a, p float64) float64 {
		return math.Log(math.Exp(a*u) + math.Exp(p))
	}},
	{text: pattern("(%s + a shift)^%.3g"), free: true, reach: 20, shape: func(u, _, a, p float64) float64 {
		return a * math.Log(math.Exp(u)+math.Exp(p))
	}},
	{text: pattern("%s^%.3g plus a term of twice that power"), free: true, reach: 0.75, early: 1, shape: func(u, _, a, p float64) float64 {
		return a*u + math.Log1p(math.Exp(a*u+p))
	}},
	{text: overReciprocal, sizes: true, free: true, reach: 0, slow: true, shape: func(u, _, a, p float64) float64 {
		return math.Log(math.Exp(a*u) + math.Exp(p-u))
	}},
	withLog(pattern("%s^%.3g with a factor log"), func(float64) float64 { return 1 }),
	withLog(pattern("%s^%.3g with a factor 1/log"), func(float64) float64 { return -1 }),
	withLog(logOver, math.Abs),
}

// withLog is the power with a power of the logarithm.
func withLog(text func(string, float64) string, log func(exponent float64) float64) law {
	return law{text: text, sizes: true, log: log, shape: func(u, centre, a, _ float64) float64 {
		return a*u + log(a)*math.Log(u+centre)
	}}
}

func pattern(format string) func(string, float64) string {
	return func(over string, exponent float64) string { return fmt.Sprintf(format, over, exponent) }
}

func overReciprocal(over string, exponent float64) string {
	return fmt.Sprintf("%s^%.3g plus a term 1/%s", over, exponent, over)
}

func logOver(over string, exponent float64) string {
	if exponent < 0 {
		return fmt.Sprintf("(log/%s)^%.3g", over, -exponent)
	}
	return fmt.Sprintf("(%s log)^%.3g", over, exponent)
}

// lawFit is a law fitted to the points. A repeat tells two numbers of its
// curve, its slope and its curvature, and so does a law.
type lawFit struct {
	law
	exponent, parameter float64
	curvature           float64
	matched             bool      // the law has the mean slope of the points
	gap                 []float64 // by repeat, by how much the curvature misses the law's
}

// fit takes from a law the member that has the mean slope of the points and,
// where a parameter can give it, their curvature, with the exponent nearest to
// that which lies in [low, high]. False when the law has no such member.
func (f powerFit) fit(l law, low, high float64) (lawFit, bool) {
	m := lawFit{law: l}
	if l.sizes && f.first()+f.centre < math.Ln2 {
		return m, false
	}
	if l.slow && (f.slope <= -1 || f.slope >= 0 || high <= -1 || low >= 0) {
		return m, false
	}
	exponent, ok := f.exponentOf(l)
	if l.free && !ok && math.IsInf(low, -1) && math.IsInf(high, 1) {
		return m, false // the points bend the other way
	}
	if !ok {
		exponent = f.slope
	}
	m.exponent = math.Max(low, math.Min(high, exponent))
	m.matched = m.exponent == exponent
	if l.free {
		if m.parameter, m.matched = f.parameterOf(l, m.exponent); !m.matched {
			return m, false
		}
	}
	slope, curvature := f.shapeOf(l, m.exponent, m.parameter)
	m.curvature = curvature
	gradient := f.gradient(m)
	for r := range f.slopes {
		m.gap = append(m.gap, f.curves[r]-curvature-gradient*(f.slopes[r]-slope))
	}
	return m, true
}

// exponentOf is the exponent with which a law has the mean slope of the points,
// and, where it has a parameter, their mean curvature.
func (f powerFit) exponentOf(l law) (float64, bool) {
	if !l.free {
		return root(func(a float64) float64 {
			slope, _ := f.shapeOf(l, a, 0)
			return slope - f.slope
		}, f.slope-10, f.slope+10)
	}
	return root(func(a float64) float64 {
		p, ok := f.parameterOf(l, a)
		if !ok {
			p = -parameterEnd
		}
		_, curvature := f.shapeOf(l, a, p)
		return curvature - f.bending.mean
	}, f.slope*(1+1e-6), f.slope*(1+(l.reach-1)*(1-1e-6)))
}

// parameterEnd is where a parameter has either no effect or all effect.
const parameterEnd = 40

// parameterOf is the parameter for which a law of given exponent has the mean
// slope of the points.
func (f powerFit) parameterOf(l law, exponent float64) (float64, bool) {
	return root(func(p float64) float64 {
		slope, _ := f.shapeOf(l, exponent, p)
		return slope - f.slope
	}, -parameterEnd, parameterEnd)
}

// root is a zero of g between low and high; false when the signs there do not differ.
func root(g func(float64) float64, low, high float64) (float64, bool) {
	above := g(high) > 0
	if (g(low) > 0) == above {
		return 0, false
	}
	return bisect(low, high, func(x float64) bool { return (g(x) > 0) == above }), true
}

// gradient is by how much the curvature of a law moves with its slope, along
// the one number that was fitted: its parameter, or its exponent.
func (f powerFit) gradient(m lawFit) float64 {
	const step = 1e-4
	at := func(h float64) (slope, curvature float64) {
		if m.free {
			return f.shapeOf(m.law, m.exponent, m.parameter+h)
		}
		return f.shapeOf(m.law, m.exponent+h, 0)
	}
	above, curvedAbove := at(step)
	below, curvedBelow := at(-step)
	if above == below {
		return 0
	}
	return (curvedAbove - curvedBelow) / (above - below)
}

// shapeOf is the slope and curvature that fitPower would find in a law.
func (f powerFit) shapeOf(l law, exponent, parameter float64) (slope, curvature float64) {
	return f.project(lists.Map(f.lx, func(u float64) float64 { return l.shape(u, f.centre, exponent, parameter) }))
}

// alternative returns a law that would make the claim true and that the points
// do not contradict: by a test of level f.violated of the curvature, given the
// slope, or of both where the law has no number left to match the slope with
// (each then at half that level). For "=" its exponent is the claimed one
// itself: what within allows is for the slope of the points, and is not given
// twice. A law with a parameter could explain nearly any slope where the noise
// hides all curvature, so one is believed only if the points show a bend, or if
// by it some points do follow the claim: near enough to b or to an eighth of the
// claimed exponent. Where the claim names its logarithm, a law with another is none. Nor is
// one that explains a curvature which the points themselves have the other way.
func (f powerFit) alternative(b band, log float64) (lawFit, bool) {
	if f.turned() {
		return lawFit{}, false
	}
	target := b.value
	low, high := target, target
	switch b.relation {
	case "<=":
		low = math.Inf(-1)
	case ">=":
		high = math.Inf(1)
	}
	for _, l := range laws[1:] {
		if l.free && target == 0 || l.log != nil && log != 0 {
			continue
		}
		m, ok := f.fit(l, low, high)
		if !ok || l.free && !f.bent() && !f.follows(m, b.tolerance()) {
			continue
		}
		if !f.contradicts(m) {
			return m, true
		}
	}
	return lawFit{}, false
}

// contradicts says that a law is rejected with p < f.violated.
func (f powerFit) contradicts(m lawFit) bool {
	if m.matched {
		return math.Abs(stat.Mean(m.gap, nil)) > halfWidth(m.gap, 1-f.violated)
	}
	slope, _ := f.shapeOf(m.law, m.exponent, m.parameter)
	return math.Abs(slope-f.slope) > halfWidth(f.slopes, 1-f.violated/2) ||
		math.Abs(m.curvature-f.bending.mean) > halfWidth(f.curves, 1-f.violated/2)
}

// follows says that the law's own slope, at the end where it should, is its
// exponent up to tolerance.
func (f powerFit) follows(m lawFit, tolerance float64) bool {
	u := f.last()
	if m.followsEarly() {
		u = f.first()
	}
	return math.Abs(m.slopeAt(u, f.centre)-m.exponent) <= tolerance
}

// tolerance is how near to a claimed exponent a slope counts as following it.
func (b band) tolerance() float64 { return math.Max(b.within, math.Abs(b.value)/8) }

// followsAt is the size from which on, or up to which for one that followsEarly, the law's own
// slope is its exponent up to tolerance; NaN where no size of 1 to 1e300 is.
func (f powerFit) followsAt(m lawFit, tolerance float64) float64 {
	away, end := f.first(), 300*math.Ln10-f.centre
	if m.followsEarly() {
		away, end = f.last(), -f.centre
	}
	reached := func(u float64) bool { return math.Abs(m.slopeAt(u, f.centre)-m.exponent) <= tolerance }
	if !reached(end) {
		return math.NaN()
	}
	return math.Exp(f.centre + bisect(away, end, reached))
}

// followsEarly says that the law is near its exponent at small sizes, not at large ones.
func (m lawFit) followsEarly() bool { return m.early*m.exponent > 0 }

// halfWidth is that of the t interval of a mean.
func halfWidth(values []float64, level float64) float64 {
	n := float64(len(values))
	return tQuantile((1+level)/2, len(values)-1)*stat.StdDev(values, nil)/math.Sqrt(n) + roundingSlack
}

// rejectsPower says that the points contradict a plain power, of any exponent.
func (f powerFit) rejectsPower() bool {
	m, ok := f.fit(laws[0], math.Inf(-1), math.Inf(1))
	return ok && f.contradicts(m)
}

// fits is a law, of any exponent, that the points do not contradict: one that has
// no parameter if there is such.
func (f powerFit) fits() (lawFit, bool) {
	for _, free := range []bool{false, true} {
		for _, l := range laws {
			if l.free != free {
				continue
			}
			if m, ok := f.fit(l, math.Inf(-1), math.Inf(1)); ok && !f.contradicts(m) {
				return m, true
			}
		}
	}
	return lawFit{}, false
}

// slopeAt is the law's own slope.
func (m lawFit) slopeAt(u, centre float64) float64 {
	const step = 1e-4
	rise := m.shape(u+step, centre, m.exponent, m.parameter) - m.shape(u-step, centre, m.exponent, m.parameter)
	return rise / (2 * step)
}
