package claims

import (
	"maps"
	"math"

	"gonum.org/v1/gonum/stat"

	"mercer/configs"
	"mercer/internal/inference"
	"mercer/internal/powerlaw"
)

// slope judges an exponent: a straight line through log(of) against log(over)
// in each repeat, and the mean of the slopes over repeats.
//
// Noise at the positions need not be independent or equal, since only repeats
// are compared; repeats must be.
func (j *judge) slope(c configs.Claim) ([]Verdict, error) {
	verdicts, err := j.eachGroup(c, nil, func(v Verdict, p part) Verdict { return j.slopeOf(v, p, *c.Slope) })
	if c.Theorem.Value != "" {
		for i := range verdicts {
			j.checkRate(&verdicts[i], *c.Slope, j.world.Theorems[c.Theorem.Value])
		}
	}
	return verdicts, err
}

func (j *judge) slopeOf(v Verdict, p part, s configs.Slope) Verdict {
	v.Over = s.Over.Value
	b, d := targetOf(j.Constants(p.Rows), s.Equals, s.AtMost, s.AtLeast, s.Within)
	if d.Any() {
		return inconclusive(v, d)
	}
	b.Slack = inference.RoundingSlack // a relative rounding error of y moves log y by as much
	v.Relation, v.Target, v.Within = b.Relation, b.Value, b.Within
	c, d := j.curveOf(&v, p.readings, s.Over.Value, s.Of.Text)
	v.Repeats = len(c.Y)
	switch {
	case d.Any():
	case len(c.X) < 3:
		d = doubt("few_points", "over", s.Over.Value, "of", s.Of.Text, "x", c.X, "rounded", c.rounded)
	case len(c.Y) == 0 && len(c.lost) == 0:
		d = doubt("no_complete_repeat")
	case len(c.Y) == 0:
		d = lostDoubt(c.lost, len(c.lost))
	default:
		d = c.notPositive(s.Of.Text, s.Over.Value)
	}
	if d.Any() {
		return inconclusive(v, d)
	}
	c.exact = followsFromSizes(p.quantity)
	return judgeCurve(v, c, b)
}

// judgeCurve judges a curve of at least 3 positions, one repeat and positive values.
func judgeCurve(v Verdict, c groupCurve, b inference.Band) Verdict {
	f := powerlaw.FitCurve(c.Curve)
	v.Points = pointsOf(c.Curve, f, b.Value, v.Level)
	if slope, known := f.OfFloor(c.Curve); known {
		v.note("the floor has slope %.3f over the same %s", slope, v.Over)
	}
	test := inference.SkewTest{Band: b, Level: v.Level, Logs: true, Exact: c.exact}
	s := scale{show: plainScale.show, what: "slope", format: 'f', digits: 3,
		codes: map[Outcome]Code{Holds: "slope_holds", Violated: "slope_contradicts", Inconclusive: "slope_undecided"}}
	s.doubts = func(t judged) Doubt {
		d := noPower(t.outcome, v, c, f, test)
		if d.Any() {
			maps.Copy(d.Args, found('f', 3, b, plainScale.show, t.e.Mean, t.e.Low, t.e.High))
		}
		return d
	}
	v = judgeCells(v, []cell{{values: f.Slopes, lost: c.lost, band: b, test: test, exact: c.exact}}, s)
	v.Cells = nil
	return v
}

// bendAgainst is the p below which a bend is seen where that speaks against "violated": noise that
// is skewed and largest at the first sizes moves the slope and bends the points alike.
const bendAgainst = 0.1

// noPower doubts that points have a slope throughout. It does not hold if from one position to the
// next it contradicts the claim. Where the curvature contradicts a power of any exponent, it holds
// only if the slopes at both ends lie inside the band, and is violated only if both lie outside.
func noPower(outcome Outcome, v Verdict, c groupCurve, f powerlaw.Fit, test inference.SkewTest) Doubt {
	worst, at := inference.Estimate{P: 1}, 0
	for k, slopes := range f.Steps {
		// A doubt is by the t test, which contradicts more often: what is doubted does not hold.
		if e := (inference.MeanTest{Band: test.Band, Level: v.Level}).Estimate(slopes); e.P < worst.P {
			worst, at = e, k
		}
	}
	violated := v.levels().Violated
	if outcome == Holds && worst.P*float64(len(f.Steps)) < violated {
		return doubt("no_power_by_a_step", "over", v.Over, "from", c.X[at], "to", c.X[at+1], "step", worst.Mean)
	}
	bent := violated
	if outcome == Violated {
		bent = bendAgainst
	}
	if !f.Bends(bent) {
		return Doubt{}
	}
	atFirst, atLast := f.Ends()
	first, last := test.Estimate(atFirst), test.Estimate(atLast)
	agree := first.Inside && last.Inside
	if outcome == Violated {
		agree = test.Band.Excess(first.Mean) > 0 && test.Band.Excess(last.Mean) > 0
	}
	if agree {
		return Doubt{}
	}
	return doubt("no_power", "over", v.Over, "start", c.X[0], "end", c.X[len(c.X)-1], "first", first.Mean, "firstLow", first.Low, "firstHigh", first.High,
		"last", last.Mean, "lastLow", last.Low, "lastHigh", last.High, "violated", outcome == Violated,
		"inside", test.Band.Excess(first.Mean) <= 0 && test.Band.Excess(last.Mean) <= 0)
}

// pointsOf describes what was fitted: geometric means over repeats with their
// t intervals, the fitted line, and the claimed slope through its centre. A single repeat has no
// interval: Low and High are then Y.
func pointsOf(c powerlaw.Curve, f powerlaw.Fit, target, level float64) []Point {
	points := make([]Point, len(c.X))
	values := make([]float64, len(c.Y))
	for k, x := range c.X {
		for r, row := range c.Y {
			values[r] = math.Log(row[k])
		}
		mean := f.Mean[k]
		y := finiteExp(mean)
		p := Point{X: x, Y: y, Low: y, High: y, Fit: finiteExp(f.Level + f.Slope*f.LogX[k]), Theory: finiteExp(f.Level + target*f.LogX[k])}
		if len(values) > 1 {
			half := inference.TQuantile((1+level)/2, len(values)-1) * stat.StdErr(stat.StdDev(values, nil), float64(len(values)))
			p.Low, p.High = finiteExp(mean-half), finiteExp(mean+half)
		}
		if c.Floor != nil {
			floor := c.Floor[k]
			p.Floor = &floor
		}
		if k > 0 {
			local := (mean - f.Mean[k-1]) / (f.LogX[k] - f.LogX[k-1])
			p.Local = &local
		}
		points[k] = p
	}
	return points
}

// finiteExp is exp(x) kept among the finite numbers.
func finiteExp(x float64) float64 { return math.Min(math.Exp(x), math.MaxFloat64) }
