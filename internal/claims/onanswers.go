package claims

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"mercer/configs"
	"mercer/internal/inference"
	"mercer/internal/lists"
	"mercer/results"
)

// onAnswers judges a claim on a target by its answers, group by group. An answer is an
// interval (fails, holds] of the least value; from the intervals comes one of what is
// claimed, which has every value that they allow. The claim holds where that lies inside
// the band and is violated where it lies outside: either is wrong only where an answer
// is (AnswersError).
func (j *judge) onAnswers(c configs.Claim) []Verdict {
	_, kind := c.Kind()
	name := c.Named()[0]
	own := lists.Where(j.world.Answers, func(a Answer) bool { return a.Target == name && a.in(c) })
	groups := lists.By(own, func(a Answer) results.Key { return a.Group })
	if len(groups) == 0 {
		return j.emptySelection(name, *kind.Picked(), 0)
	}
	return lists.Map(groups, func(answers []Answer) Verdict {
		v := newVerdict(answers[0].Group, name, 0, j.look)
		v.Level, v.Answers = 1-AnswersError, len(answers)
		s, cells, d := scale{what: "slope of the least values"}, []cell(nil), Doubt{}
		if c.Slope != nil {
			v.Over = c.Slope.Over.Value
			cells, d = j.slopeOfAnswers(answers, *c.Slope)
		} else {
			v.Of += " / " + c.Ratio.To.Value
			s.what = "ratio of the least values"
			cells, d = j.ratioOfAnswers(answers, *c.Ratio)
		}
		if d.Any() {
			return inconclusive(v, d)
		}
		return judgeAnswers(v, cells, s)
	})
}

// judgeAnswers puts the cells together. None has repeats of its own, and no error rate but the
// answers'.
func judgeAnswers(v Verdict, cells []cell, s scale) Verdict {
	s.show, s.counts = plainScale.show, true
	s.codes = map[Outcome]Code{Holds: "answers_hold", Violated: "answers_contradict", Inconclusive: "answers_undecided"}
	v = judgeCells(v, cells, s)
	v.Repeats, v.open = 0, false // the search for the answers adds repeats
	if v.P != nil {
		*v.P, v.Args["p"] = AnswersError, AnswersError
	}
	for i := range v.Cells {
		v.Cells[i].Repeats, v.Cells[i].P = 0, 1
	}
	if v.Over != "" {
		v.Cells = nil
	}
	return v
}

// interval has the least value inside: it is above low and at most high.
type interval struct{ low, high float64 }

// interval is that of the answer; an end that was not found is 0 or infinite.
func (a Answer) interval() interval {
	in := interval{0, math.Inf(1)}
	if a.Open {
		return in
	}
	if a.Fails != nil {
		in.low = *a.Fails
	}
	if a.Holds != nil {
		in.high = *a.Holds
	}
	return in
}

// middle is the geometric mean of the ends; NaN where one was not found.
func (in interval) middle() float64 {
	if in.low <= 0 || math.IsInf(in.high, 1) {
		return math.NaN()
	}
	return math.Sqrt(in.low * in.high)
}

// intervalTest compares an interval that is known with a band.
type intervalTest struct {
	interval
	middle float64
	band   inference.Band
}

// Estimate needs no values: its interval is all there is.
func (t intervalTest) Estimate(values []float64) inference.Estimate {
	e := inference.Estimate{Count: len(values), Mean: t.middle, Low: t.low, High: t.high, Inside: t.band.Contains(t.low, t.high), P: 1}
	if t.low > t.band.High() || t.high < t.band.Low() {
		e.P = 0
	}
	return e
}

// answerCell is a cell with an interval in place of values.
func answerCell(at results.Key, in interval, middle float64, b inference.Band) cell {
	return cell{at: at, values: []float64{in.low, in.high}, band: b, test: intervalTest{in, middle, b}}
}

// constantsOf is what targets can use: constants of the data set, and the columns that are the
// same in all answers.
func (j *judge) constantsOf(answers ...Answer) results.Constants {
	return j.At(lists.Map(answers, func(a Answer) results.Key { return a.Fixed })...)
}

// slopeOfAnswers is the exponent of the least values: that of the least-squares line
// through their logarithms, whose ends are weighted sums of ends of the answers.
func (j *judge) slopeOfAnswers(answers []Answer, s configs.Slope) ([]cell, Doubt) {
	b, d := targetOf(j.constantsOf(answers...), s.Equals, s.AtMost, s.AtLeast, s.Within)
	if !d.Any() && len(answers) < 3 {
		d = doubt("few_answers", "count", len(answers), "over", s.Over.Value)
	}
	if d.Any() {
		return nil, d
	}
	all, middle := slopes(answers)
	return []cell{answerCell(results.Key{}, all, middle, b)}, Doubt{}
}

// slopes are the exponents that the answers allow, and the exponent of their middles: each is the
// slope of the least-squares line through logarithms of least values.
func slopes(answers []Answer) (all interval, middle float64) {
	weights := lists.Map(answers, func(a Answer) float64 { return math.Log(a.At) })
	floats.AddConst(-stat.Mean(weights, nil), weights)
	floats.Scale(1/floats.Dot(weights, weights), weights)
	for i, a := range answers {
		in, w := a.interval(), weights[i]
		middle += w * math.Log(in.middle())
		if w < 0 {
			in.low, in.high = in.high, in.low
		}
		if w != 0 {
			all.low, all.high = all.low+w*math.Log(in.low), all.high+w*math.Log(in.high)
		}
	}
	return all, middle
}

// ratioOfAnswers is the ratio of two targets' least values, wherever both have an answer
// in the same group.
func (j *judge) ratioOfAnswers(answers []Answer, r configs.Ratio) (cells []cell, d Doubt) {
	slices.SortStableFunc(answers, func(a, b Answer) int { return cmp.Compare(a.At, b.At) })
	for _, top := range answers {
		at := slices.IndexFunc(j.world.Answers, func(a Answer) bool {
			return a.Target == r.To.Value && a.Over == top.Over && a.At == top.At && a.Group == top.Group
		})
		if at < 0 {
			continue
		}
		b, d := targetOf(j.constantsOf(top), nil, r.AtMost, r.AtLeast, nil)
		if d.Any() {
			return nil, d
		}
		t, u := top.interval(), j.world.Answers[at].interval()
		in := interval{t.low / u.high, t.high / u.low} // a high end of +Inf/0 is +Inf, and a low one of 0/Inf is 0
		cells = append(cells, answerCell(results.NewKey([]string{top.Over}, []results.Value{configs.NumberOf(top.At)}), in, t.middle()/u.middle(), b))
	}
	return cells, Doubt{}
}
