package claims

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// alternativeLevel is the confidence at which an alternative law must be
// contradicted before a claim is called violated in spite of it.
const alternativeLevel = 1 - violatedP

// law is a family of curves that go over into x^target but for a constant, and
// that a straight line on log–log axes mistakes for another power. shape is
// the log of the curve at log x, for a parameter on the whole real line; it is
// written with u = log x centred, and centre is what was subtracted.
type law struct {
	text  string // %s is over, %.3g the target
	free  bool   // has a parameter, to be fitted to the slope
	early bool   // follows the target at the first points, else at the last
	shape func(u, centre, target, parameter float64) float64
}

// laws are the ways in which a true claim looks violated: a quantity that
// levels off at a floor of noise (or, where it grows, starts from an overhead),
// one whose power has not yet come out, one with a second, faster term, and one
// with the logarithms that come with such rates.
var laws = []law{
	{"%s^%.3g plus a floor", true, true, func(u, _, target, p float64) float64 {
		return math.Log(math.Exp(target*u) + math.Exp(p))
	}},
	{"(%s + a shift)^%.3g", true, false, func(u, _, target, p float64) float64 {
		return target * math.Log(math.Exp(u)+math.Exp(p))
	}},
	{"%s^%.3g plus a term of twice that power", true, false, func(u, _, target, p float64) float64 {
		return target*u + math.Log1p(math.Exp(target*u+p))
	}},
	{"%s^%.3g with a factor log", false, false, func(u, centre, target, _ float64) float64 {
		return target*u + math.Log(u+centre)
	}},
	{"(log/%s)^%.3g", false, false, func(u, centre, target, _ float64) float64 {
		return target*u + math.Abs(target)*math.Log(u+centre)
	}},
}

// match is a law fitted to a slope, with the curvature that it predicts.
type match struct {
	law
	parameter float64
	curvature float64
}

// describe writes the law for a reader.
func (m match) describe(over string, target float64) string {
	if m.text == laws[4].text {
		target = math.Abs(target)
	}
	return fmt.Sprintf(m.text, over, target)
}

// alternative returns a law that the points do not contradict: it has their
// slope (exactly where it has a parameter, within the interval at
// alternativeLevel else), and its curvature lies in the interval of theirs. A
// law with a parameter could explain nearly any slope where the noise hides all
// curvature, so one is believed only if the points show a bend, or if by it
// some points do follow the claim: near enough to b or to an eighth of target.
func (f powerFit) alternative(b band) (match, bool) {
	target := b.value
	if target == 0 {
		return match{}, false
	}
	for _, l := range laws {
		if !l.free && f.first()+f.centre < math.Ln2 {
			continue // a factor log is meant for sizes, not for numbers about 1
		}
		m := match{law: l}
		if l.free {
			p, ok := f.solve(l, target)
			if !ok {
				continue
			}
			m.parameter = p
		}
		slope, curvature := f.shapeOf(l, target, m.parameter)
		m.curvature = curvature
		if !l.free && math.Abs(slope-f.slope) > halfWidth(f.slopes) {
			continue
		}
		if l.free && !f.bent() && !f.follows(m, target, math.Max(b.within, math.Abs(target)/8)) {
			continue
		}
		if math.Abs(curvature-f.bending.mean) <= f.curvatureHalfWidth() {
			return m, true
		}
	}
	return match{}, false
}

// follows says that the law's own slope, at the end where it should, is target
// up to tolerance.
func (f powerFit) follows(m match, target, tolerance float64) bool {
	u, step := f.last(), 1e-4
	if m.early {
		u = f.first()
	}
	rise := m.shape(u+step, f.centre, target, m.parameter) - m.shape(u-step, f.centre, target, m.parameter)
	return math.Abs(rise/(2*step)-target) <= tolerance
}

// curvatureHalfWidth is that of the curvature's interval at alternativeLevel.
func (f powerFit) curvatureHalfWidth() float64 { return halfWidth(f.curves) }

func halfWidth(values []float64) float64 {
	n := float64(len(values))
	return tQuantile((1+alternativeLevel)/2, len(values)-1)*stat.StdDev(values, nil)/math.Sqrt(n) + roundingSlack
}

// shapeOf is the slope and curvature that fitPower would find in a law.
func (f powerFit) shapeOf(l law, target, parameter float64) (slope, curvature float64) {
	y := make([]float64, len(f.lx))
	for k, u := range f.lx {
		y[k] = l.shape(u, f.centre, target, parameter)
	}
	return f.project(y)
}

// solve finds the parameter for which the law has the points' slope, by
// bisection; false when no parameter gives it.
func (f powerFit) solve(l law, target float64) (parameter float64, ok bool) {
	low, high := -40.0, 40.0
	gap := func(p float64) float64 {
		slope, _ := f.shapeOf(l, target, p)
		return slope - f.slope
	}
	atLow := gap(low)
	if (atLow > 0) == (gap(high) > 0) {
		return 0, false
	}
	for range 60 { // 80 halved 60 times is below rounding
		middle := (low + high) / 2
		if (gap(middle) > 0) == (atLow > 0) {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2, true
}

// project is the least-squares slope of y and the coefficient of the parabola's
// part orthogonal to the line.
func (f powerFit) project(y []float64) (slope, curvature float64) {
	return floats.Dot(f.lx, y) / floats.Dot(f.lx, f.lx), floats.Dot(f.square, y) / floats.Dot(f.square, f.square)
}
