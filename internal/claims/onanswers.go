package claims

import (
	"math"
	"slices"

	"mercer/configs"
	"mercer/internal/inference"
	"mercer/internal/lists"
	"mercer/internal/plain"
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
	verdicts := make([]Verdict, len(groups))
	for i, answers := range groups {
		slices.SortStableFunc(answers, func(a, b Answer) int { return int(math.Copysign(1, a.At-b.At)) })
		v := newVerdict(answers[0].Group, name, 0, j.look)
		v.Level, v.Answers = 1-AnswersError, len(answers)
		switch {
		case c.Slope != nil:
			verdicts[i] = j.slopeOfAnswers(v, answers, *c.Slope)
		case c.Ratio != nil:
			verdicts[i] = j.ratioOfAnswers(v, answers, *c.Ratio)
		default:
			verdicts[i] = j.valueOfAnswers(v, answers, *c.Value)
		}
	}
	return verdicts
}

// interval has the least value inside: it is above low and at most high.
type interval struct{ low, high float64 }

// interval is that of the answer; an end that was not found is 0 or infinite.
func (a Answer) interval() interval {
	in := interval{0, math.Inf(1)}
	if a.Open || len(a.Against) > 0 {
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

// claimedOfAnswers is what is claimed of an answer, or of all of a group.
type claimedOfAnswers struct {
	at       results.Key
	in       interval
	estimate float64
	band     inference.Band
	uses     []Answer
}

// constantsOf is what targets can use: constants of the data set, and the columns that are the
// same in all answers.
func (j *judge) constantsOf(answers []Answer) results.Constants {
	return j.At(lists.Map(answers, func(a Answer) results.Key { return a.Fixed })...)
}

// slopeOfAnswers judges the exponent of the least values: that of the least-squares line
// through their logarithms, whose ends are weighted sums of ends of the answers.
func (j *judge) slopeOfAnswers(v Verdict, answers []Answer, s configs.Slope) Verdict {
	v.Over = s.Over.Value
	b, log, d := targetOfSlope(j.constantsOf(answers), s)
	switch {
	case d.Any():
		return inconclusive(v, d)
	case len(answers) < 3:
		return inconclusive(v, doubt("few_answers", "count", len(answers), "over", v.Over))
	}
	x, lines := make([]float64, len(answers)), make([]interval, len(answers))
	for i, a := range answers {
		in, factor := a.interval(), 0.0
		if log != 0 {
			factor = log * math.Log(math.Log(a.At))
		}
		x[i], lines[i] = math.Log(a.At), interval{math.Log(in.low) - factor, math.Log(in.high) - factor}
	}
	in, middle := slopesWithin(x, lines)
	v = judgeAnswers(v, []claimedOfAnswers{{in: in, estimate: middle, band: b, uses: answers}}, "slope"+doubt("divided", "over", v.Over, "log", log).sentence())
	if log != 0 {
		v.Law = &Law{Power: b.Value, Log: log}
	}
	if plain.Finite(middle) {
		v.Points = pointsOfAnswers(answers, x, middle, b.Value, log)
	}
	if v.Outcome == Holds && !onLine(x, lines) {
		v.say(Doubt{v.Code, v.Args}.with("bent", true))
	}
	return v
}

// slopesWithin are the slopes of least-squares lines through one value of each interval,
// and that through their middles.
func slopesWithin(x []float64, y []interval) (all interval, middle float64) {
	mean, spread := 0.0, 0.0
	for _, one := range x {
		mean += one / float64(len(x))
	}
	for _, one := range x {
		spread += (one - mean) * (one - mean)
	}
	for i, in := range y {
		w := (x[i] - mean) / spread
		switch {
		case w > 0:
			all.low, all.high = all.low+w*in.low, all.high+w*in.high
		case w < 0:
			all.low, all.high = all.low+w*in.high, all.high+w*in.low
		}
		middle += w * (in.low + in.high) / 2
	}
	return all, middle
}

// onLine says whether one straight line has a value in every interval: whether there is a
// slope that no two of them exclude.
func onLine(x []float64, y []interval) bool {
	low, high := math.Inf(-1), math.Inf(1)
	for i := range x {
		for k := range x {
			if dx := x[k] - x[i]; dx > 0 {
				low, high = math.Max(low, (y[k].low-y[i].high)/dx), math.Min(high, (y[k].high-y[i].low)/dx)
			}
		}
	}
	return low <= high
}

// pointsOfAnswers are the answers as a figure of slopes draws them, with the lines of two
// slopes through their centre.
func pointsOfAnswers(answers []Answer, x []float64, slope, claimed, log float64) []Point {
	points := make([]Point, len(answers))
	center, level := 0.0, 0.0
	factor := func(i int) float64 {
		if log == 0 {
			return 0
		}
		return log * math.Log(x[i])
	}
	for i, a := range answers {
		center += x[i] / float64(len(x))
		level += (math.Log(a.interval().middle()) - factor(i)) / float64(len(x))
	}
	for i, a := range answers {
		in := a.interval()
		line := func(slope float64) float64 { return finiteExp(level + slope*(x[i]-center) + factor(i)) }
		points[i] = Point{X: a.At, Y: in.middle(), Low: in.low, High: in.high, Fit: line(slope), Theory: line(claimed)}
	}
	return points
}

// ratioOfAnswers judges the ratio of two targets' least values, wherever both have an answer
// in the same group.
func (j *judge) ratioOfAnswers(v Verdict, answers []Answer, r configs.Ratio) Verdict {
	v.Of += " / " + r.To.Value
	var list []claimedOfAnswers
	for _, top := range answers {
		at := slices.IndexFunc(j.world.Answers, func(a Answer) bool {
			return a.Target == r.To.Value && a.Over == top.Over && a.At == top.At && a.Group == top.Group
		})
		if at < 0 {
			continue
		}
		bottom := j.world.Answers[at]
		b, d := targetOf(j.constantsOf([]Answer{top}), nil, r.AtMost, r.AtLeast, nil)
		if d.Any() {
			return inconclusive(v, d)
		}
		t, u := top.interval(), bottom.interval()
		in := interval{t.low / u.high, t.high / u.low}
		if u.low == 0 {
			in.high = math.Inf(1)
		}
		list = append(list, claimedOfAnswers{top.where(), in, t.middle() / u.middle(), b, []Answer{top, bottom}})
	}
	v.Answers = 2 * len(list)
	return judgeAnswers(v, list, "ratio")
}

// valueOfAnswers judges each least value of a group.
func (j *judge) valueOfAnswers(v Verdict, answers []Answer, c configs.ValueClaim) Verdict {
	var list []claimedOfAnswers
	for _, a := range answers {
		b, d := targetOf(j.constantsOf([]Answer{a}), c.Equals, c.AtMost, c.AtLeast, c.Within)
		if d.Any() {
			return inconclusive(v, d)
		}
		list = append(list, claimedOfAnswers{a.where(), a.interval(), a.interval().middle(), b, []Answer{a}})
	}
	v = judgeAnswers(v, list, "least "+answers[0].Find)
	if c.Because != "" {
		v.Notes = append(v.Notes, "tolerance: "+c.Because)
	}
	return v
}

func (a Answer) where() results.Key { return at(a.Over, configs.NumberOf(a.At)) }

// outcome is that of an interval held against its band.
func (c claimedOfAnswers) outcome() Outcome {
	switch {
	case math.IsNaN(c.in.low) || math.IsNaN(c.in.high):
		return Inconclusive
	case c.band.Contains(c.in.low, c.in.high):
		return Holds
	case c.in.low > c.band.High() || c.in.high < c.band.Low():
		return Violated
	}
	return Inconclusive
}

// judgeAnswers puts the outcomes together: the claim holds where all do, and is violated
// where one is.
func judgeAnswers(v Verdict, list []claimedOfAnswers, what string) Verdict {
	if len(list) == 0 {
		v.Outcome = NotApplicable
		v.say(doubt("no_answer"))
		return v
	}
	worst := 0
	for i, c := range list {
		w := list[worst]
		if more := c.outcome().severity() - w.outcome().severity(); more > 0 || more == 0 && c.band.Excess(c.in.high) > w.band.Excess(w.in.high) {
			worst = i
		}
		if c.at != (results.Key{}) {
			v.Cells = append(v.Cells, CellOutcome{Cell: c.at, Outcome: c.outcome(), Estimate: c.estimate, Low: c.in.low, High: c.in.high, Target: c.band.Value, P: 1})
		}
	}
	w := list[worst]
	v.Outcome, v.Estimate, v.Low, v.High = w.outcome(), w.estimate, w.in.low, w.in.high
	v.Relation, v.Target, v.Within = w.band.Relation, w.band.Value, w.band.Within
	ends := []float64{w.in.low, w.in.high}
	words := Doubt{"answers_undecided", found('g', 4, w.band, plainScale.show, ends...)}.with("what", what, "at", w.at,
		"any", (w.in.low == 0 || math.IsInf(w.in.low, -1)) && math.IsInf(w.in.high, 1))
	switch v.Outcome {
	case Holds:
		words.Code = "answers_hold"
	case Violated:
		p := AnswersError
		v.P, words.Code = &p, "answers_contradict"
	default:
		words = words.with(stepFor(w.uses)...)
	}
	v.say(words)
	return v
}

// stepFor is the one next step that narrows the answers most, as its words need it.
func stepFor(answers []Answer) []any {
	widest := answers[0]
	step := func(name string, a Answer, end float64) []any {
		return []any{"step", name, "over", a.Over, "x", a.At, "find", a.Find, "answer", a.Interval(), "end", end}
	}
	for _, a := range answers {
		switch {
		case a.Open:
			return step("open", a, 0)
		case len(a.Against) > 0:
			return step("against", a, 0)
		case a.Holds == nil && a.Fails != nil && *a.Fails == a.Most:
			return step("larger", a, a.Most)
		case a.Fails == nil && a.Holds != nil && *a.Holds == a.Least:
			return step("smaller", a, a.Least)
		}
		if in, most := a.interval(), widest.interval(); in.high*most.low > most.high*in.low {
			widest = a
		}
	}
	return step("narrower", widest, 0)
}
