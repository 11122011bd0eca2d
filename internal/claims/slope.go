package claims

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"mercer/configs"
	"mercer/internal/inference"
	"mercer/internal/powerlaw"
	"mercer/results"
)

// slope judges an exponent: a straight line through log(of) against log(over)
// in each repeat, the mean of the slopes over repeats, and its t interval.
//
// Noise at the positions need not be independent or equal, since only repeats
// are compared; repeats must be.
func (j *judge) slope(c configs.Claim) ([]Verdict, error) {
	verdicts, err := j.eachGroup(c, nil, func(v Verdict, g results.Group, q *results.Quantity) Verdict {
		v.Over = c.Slope.Over.Value
		return j.slopeOf(v, g, q, *c.Slope)
	})
	if c.Theorem.Value != "" {
		for i := range verdicts {
			j.checkRate(&verdicts[i], *c.Slope, j.world.Theorems[c.Theorem.Value])
		}
	}
	return verdicts, err
}

func (j *judge) slopeOf(v Verdict, g results.Group, q *results.Quantity, s configs.Slope) Verdict {
	b, log, d := targetOfSlope(j.Constants(g.Rows), s)
	if d.Any() {
		return inconclusive(v, d)
	}
	b.Slack = inference.RoundingSlack // a relative rounding error of y moves log y by as much
	v.Relation, v.Target, v.Within = b.Relation, b.Value, b.Within
	readings, ok := j.readings(&v, g, q)
	if !ok {
		return v
	}
	c, d := j.curveOf(readings, s.Over.Value, s.Of.Text)
	v.Notes = append(v.Notes, c.notes...)
	v.Repeats = len(c.Y)
	switch {
	case d.Any():
		return inconclusive(v, d)
	case len(c.X) < 3:
		return inconclusive(v, doubt("few_points", "over", s.Over.Value, "of", s.Of.Text, "x", c.X, "rounded", c.rounded))
	case len(c.Y) == 0 && len(c.lost) == 0:
		return inconclusive(v, doubt("no_complete_repeat"))
	case len(c.Y) == 0:
		return inconclusive(v, lostDoubt(c.lost, len(c.lost)))
	}
	c.Log, c.exact = log, followsFromSizes(q)
	if d := c.notPositive(s.Of.Text, s.Over.Value); d.Any() {
		return inconclusive(v, d)
	}
	return judgeCurve(v, c, b)
}

// targetOfSlope is the band of the exponent that a slope claims, and the exponent of
// the logarithm, 0 without a law.
func targetOfSlope(e results.Constants, s configs.Slope) (b inference.Band, log float64, d Doubt) {
	equals := s.Equals
	if s.Law != nil {
		equals = &s.Law.Power
	}
	b, d = targetOf(e, equals, s.AtMost, s.AtLeast, s.Within)
	if s.Law == nil || d.Any() {
		return b, 0, d
	}
	log, err := e.Eval(&s.Law.Log)
	if err != nil {
		return b, 0, badClaim(err.Error())
	}
	return b, log, Doubt{}
}

// Factor is the factor that a slope's claim names, ", times log n"; empty without a law.
func (v Verdict) Factor() string {
	if v.Law == nil {
		return ""
	}
	return "," + doubt("log factor", "over", v.Over, "log", v.Law.Log).sentence()
}

// judgeCurve judges a curve of at least 3 positions, one repeat and positive values.
func judgeCurve(v Verdict, c groupCurve, b inference.Band) Verdict {
	f := powerlaw.FitCurve(c.Curve)
	f.Violated = v.levels().Violated
	v.Points = pointsOf(c.Curve, f, b.Value, v.Level)
	if c.Log != 0 {
		v.Law = &Law{b.Value, c.Log}
	}
	if c.Floor != nil {
		v.Notes = append(v.Notes, doubt("floor_slope", "over", v.Over, "log", c.Log, "slope", f.FloorSlope).sentence())
	}
	test := inference.SkewTest{Band: b, Level: v.Level, Logs: true, Exact: c.exact}
	s := slopeFit{v: v, b: b, test: test, f: f, c: c}
	if len(f.Slopes) >= inference.MinRepeats {
		s.bends = f.RejectsPower()
		s.first, s.last = test.Estimate(f.SlopesAt(f.First())), test.Estimate(f.SlopesAt(f.Last()))
	}
	v = judgeCells(v, []cell{{values: f.Slopes, lost: c.lost, band: b, test: test, exact: c.exact}}, scale{show: plainScale.show, what: "slope", doubts: s.doubts,
		codes: map[Outcome]Code{Holds: "slope_holds", Violated: "slope_contradicts", Inconclusive: "slope_undecided"}, args: s.args})
	v.Cells = nil
	return v
}

// pointsOf describes what was fitted: geometric means over repeats with their
// t intervals, the fitted line, and the claimed slope through its centre, both times
// the claimed factor. A single repeat has no interval: Low and High are then Y.
func pointsOf(c powerlaw.Curve, f powerlaw.Fit, target, level float64) []Point {
	points := make([]Point, len(c.X))
	values := make([]float64, len(c.Y))
	factor := c.Factor()
	for k, x := range c.X {
		for r, row := range c.Y {
			values[r] = math.Log(row[k])
		}
		mean := f.Mean[k] + factor[k]
		y := finiteExp(mean)
		p := Point{X: x, Y: y, Low: y, High: y,
			Fit: finiteExp(f.Level + f.Slope*f.LogX[k] + factor[k]), Theory: finiteExp(f.Level + target*f.LogX[k] + factor[k])}
		if len(values) > 1 {
			half := inference.TQuantile((1+level)/2, len(values)-1) * stat.StdErr(stat.StdDev(values, nil), float64(len(values)))
			p.Low, p.High = finiteExp(mean-half), finiteExp(mean+half)
		}
		if c.Floor != nil {
			floor := c.Floor[k]
			p.Floor = &floor
		}
		if k > 0 {
			local := (mean - f.Mean[k-1] - factor[k-1]) / (f.LogX[k] - f.LogX[k-1])
			p.Local = &local
		}
		points[k] = p
	}
	return points
}

// finiteExp is exp(x) kept among the finite numbers.
func finiteExp(x float64) float64 { return math.Min(math.Exp(x), math.MaxFloat64) }
