package claims

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"mercer/internal/selection"
)

// cell is one cell of a claim over many: a sample over repeats and what is
// claimed of it.
type cell struct {
	at       []Coordinate
	readings []selection.Reading // that the values are of, if each is one
	values   []float64
	lost     int        // repeats without a value
	band     band       // on the scale of values
	test     sampleTest // of the values against band; nil for their mean
	exact    bool       // equal values are no accident, see judgeEqual
	problem  Doubt      // why there are no values
	need     int        // repeats that would decide it; 0 where repeats would not
}

// sampleCells are the cells of readings, each with its values over repeats; claim
// adds what is claimed of one. Cells in which all was skipped are left out.
func (j *judge) sampleCells(g selection.Group, readings []selection.Reading, claim func(selection.Environment, *cell) Doubt) ([]cell, Doubt) {
	var cells []cell
	at := j.CoordinatesWithin(g.Records)
	for _, in := range selection.Cells(readings) {
		c := cell{at: at.At(in[0].Record), readings: in, values: make([]float64, 0, len(in))}
		if d := claim(j.Environment(g.Dataset, selection.RecordsOf(in[:1])), &c); d.Any() {
			return nil, d
		}
		for _, m := range in {
			switch {
			case m.OK():
				c.values = append(c.values, m.Value)
			case !m.Skipped():
				c.lost++
			}
		}
		if len(c.values) > 0 || c.lost > 0 {
			cells = append(cells, c)
		}
	}
	return cells, Doubt{}
}

// judged is a cell with its result.
type judged struct {
	cell
	e       estimate
	outcome Outcome
	p       float64 // adjusted by Holm over the cells, and over all looks
	why     Doubt   // what keeps it from being decided, but for too few repeats
}

// scale maps the scale of a test to the reader's.
type scale struct {
	show func(float64) float64
	what string
	tail tail                                       // of samples on the scale of a test
	each bool                                       // a claim may also mean each value by itself
	clip func(low, high float64) (float64, float64) // an interval to what its quantity can be; nil for no change
}

// ends are those of the interval of an estimate.
func (s scale) ends(e estimate) (low, high float64) {
	low, high = s.show(e.low), s.show(e.high)
	if s.clip != nil {
		return s.clip(low, high)
	}
	return low, high
}

var (
	logScale   = scale{show: math.Exp, what: "ratio", tail: logTail}
	plainScale = scale{show: func(x float64) float64 { return x }, what: "mean", tail: plainTail}
)

// judgeCells tests each cell and puts the outcomes together. The claim holds
// when every cell holds; that needs no correction, since the claim's null
// hypothesis is the union of the cells' and is rejected only when each of them
// is. It is violated when one cell's p, adjusted by Holm, is below what the look allows.
func judgeCells(v Verdict, cells []cell, s scale) Verdict {
	tested := make([]judged, len(cells))
	p := make([]float64, len(cells))
	for i, c := range cells {
		tested[i] = judged{cell: c, p: 1, why: c.problem}
		p[i] = 1
		if c.problem.Any() {
			continue
		}
		if len(c.values) == 0 {
			tested[i].why = Doubt{"no repeat gives a value", runAgain}
			continue
		}
		if c.test == nil {
			tested[i].test = skewTest{meanTest{c.band, v.Level}, s.tail, c.exact}
		}
		tested[i].e = estimateOf(tested[i].test, c.values, c.lost, v.levels().violated)
		p[i] = tested[i].e.p
	}
	for i, adjusted := range Holm(p) {
		t := &tested[i]
		t.p, t.outcome = v.overLooks(adjusted), Inconclusive
		if t.why.Any() {
			continue
		}
		t.outcome = t.e.outcome(t.p, violatedP)
		switch {
		case t.outcome != Inconclusive:
		case t.e.count < MinRepeats:
			t.why, t.need = fewRepeats(t.e.count), MinRepeats
		case !t.e.decisive:
			t.why = Doubt{fmt.Sprintf("the %d repeats that failed could change the answer", t.lost), runAgain}
		default:
			t.need = max(t.test.needed(t.e, v.next(), len(cells)), 1)
			if t.e.equal {
				t.why = equalDoubt(t.e.count, t.need)
				if s.each {
					t.why.settle += "; or `each: true`, where the claim means every repeat"
				}
			}
		}
	}
	return conclude(v, tested, s)
}

// conclude makes the verdict from the cells' results.
func conclude(v Verdict, cells []judged, s scale) Verdict {
	if len(cells) == 0 {
		v.Outcome, v.Brief, v.Reason = NotApplicable, "", "no cell is left to judge"
		return v
	}
	worst := cells[worstOf(cells)]
	counts, least := map[Outcome]int{}, 1.0
	v.Repeats = math.MaxInt
	for _, c := range cells {
		least = min(least, c.p)
		counts[c.outcome]++
		v.Repeats = min(v.Repeats, len(c.values))
		v.Cells = append(v.Cells, c.result(s))
	}
	if v.Outcome = worst.outcome; v.Outcome == Violated {
		v.P = &least
	}
	r := worst.result(s)
	v.Estimate, v.Low, v.High, v.Target = r.Estimate, r.Low, r.High, r.Target
	alpha := v.levels().violated / float64(len(cells))
	switch t := worst.test.(type) {
	case skewTest:
		if t.exact || !worst.e.equal {
			v.Detectable = detectable(worst.band, t.tail, worst.e, alpha, s.show)
		}
	case lawTest:
		v.Detectable = t.detectable(worst.e.count, alpha)
	}
	v.Relation, v.Within = worst.band.relation, worst.band.within
	if s.what == logScale.what {
		v.Within = 0
	}
	v.Reason = worst.sentence(s, counts, len(cells), v.levels().violated)
	if note := worst.rests(s); note != "" {
		v.Notes = append(v.Notes, note)
	}
	if v.Outcome == Inconclusive {
		v.Brief = cmp.Or(worst.why.reason, tooFew(worst.e.count, worst.need))
		v.Settle, v.Need = settleCells(cells)
	}
	return v
}

// worstOf is the index of the cell that decides the verdict.
func worstOf(cells []judged) int {
	worst := 0
	for i, c := range cells {
		w := cells[worst]
		if d := c.outcome.severity() - w.outcome.severity(); d > 0 || d == 0 && c.badness() > w.badness() {
			worst = i
		}
	}
	return worst
}

// badness orders cells of equal outcome: those without a value first, then by
// how far the estimate lies outside of what is claimed; of those that hold, the interval.
func (c judged) badness() float64 {
	switch {
	case c.why.Any() || len(c.values) == 0:
		return math.Inf(1)
	case c.outcome == Holds:
		return max(c.band.low()-c.e.low, c.e.high-c.band.high())
	}
	return c.band.excess(c.e.mean)
}

func (c judged) result(s scale) CellOutcome {
	r := CellOutcome{Cell: c.at, Outcome: c.outcome, P: c.p, Repeats: len(c.values), Target: math.NaN(),
		Estimate: math.NaN(), Low: math.NaN(), High: math.NaN()}
	if c.band.relation != "" {
		r.Target = s.show(c.band.value)
	}
	if c.e.count > 0 {
		r.Estimate = s.show(c.e.mean)
		r.Low, r.High = s.ends(c.e)
	}
	return r
}

// sentence says why the verdict on all cells is what this, the worst, makes it.
func (c judged) sentence(s scale, counts map[Outcome]int, total int, violated float64) string {
	where := ""
	if len(c.at) > 0 {
		where = " at " + selection.Describe(c.at)
	}
	if c.why.Any() {
		return undecided(counts[Inconclusive], total, where, c.why)
	}
	low, high := s.ends(c.e)
	interval := []float64{s.show(c.e.mean), low, high}
	found := significant(s.what, interval, c.band.edges(s.show)...)
	claim := claimed(c.band, s.show, interval...)
	switch c.outcome {
	case Holds:
		if total == 1 {
			return fmt.Sprintf("%s lies %s", found, inside(claim))
		}
		return fmt.Sprintf("all %d cells lie %s; the nearest to its edge,%s, has %s", total, inside(claim), strings.TrimPrefix(where, " at"), found)
	case Violated:
		return fmt.Sprintf("%s%s contradicts %s (p = %.2g)%s", found, where, claim, c.p, share(counts[Violated], total, "violated"))
	}
	text := fmt.Sprintf("%s%s %s%s", found, where, undecidedInterval(c.band, c.e.low, c.e.high, c.p, claim), share(counts[Inconclusive], total, "undecided"))
	if t := c.e.plain; t != nil && (t.inside || t.p < violated/float64(total)) {
		text += fmt.Sprintf("; a t interval would decide, but %d repeats may hide a long tail", c.e.count)
	}
	return text
}

// share says how many of several cells came out like the one that a sentence is about.
func share(count, total int, outcome string) string {
	switch {
	case total == 1:
		return ""
	case count == 1:
		return fmt.Sprintf("; 1 of %d cells is %s", total, outcome)
	}
	return fmt.Sprintf("; %d of %d cells are %s", count, total, outcome)
}

// undecided says why a cell is, and how many are.
func undecided(count, total int, where string, why Doubt) string {
	if total == 1 {
		return "it cannot be decided" + where + ": " + why.reason
	}
	return fmt.Sprintf("%d of %d cells cannot be decided%s: %s", count, total, where, why.reason)
}

// settleCells says what would settle the undecided cells, and how many repeats they need: what
// keeps them from being judged, and the repeats of the cell that decides last.
func settleCells(cells []judged) (settle string, need int) {
	var steps []string
	var last *judged
	for i := range cells {
		switch c := &cells[i]; {
		case c.outcome != Inconclusive:
		case c.why.Any():
			need = max(need, c.need)
			if !slices.Contains(steps, c.why.settle) {
				steps = append(steps, c.why.settle)
			}
		case last == nil || c.decidesAfter(*last):
			last = c
		}
	}
	if last != nil {
		need = max(need, last.need)
		steps = append(steps, settleRepeats(last.e.count, last.need, last.e.near(last.band)))
	}
	return strings.Join(steps, "; and "), need
}

// decidesAfter says which of two undecided cells decides the claim. One cell that comes to be
// violated does; where none looks like it, all must come to hold. A cell whose estimate lies
// outside by too little for any number of repeats to tell leaves the claim open.
func (c judged) decidesAfter(other judged) bool {
	outside := c.band.excess(c.e.mean) > 0
	switch {
	case outside != (other.band.excess(other.e.mean) > 0):
		return outside
	case outside:
		return c.need < other.need
	}
	return c.need > other.need
}

// restsOn is what a verdict on a mean takes for granted and no test can tell: the value that
// 1 repeat in as many as there are would need, to move the mean to the edge of the claim.
// One that rare is missed by 37 % of runs. False where the mean lies on the edge.
func (e estimate) restsOn(b band) (far float64, beyond string, rests bool) {
	edge := b.value + b.within
	if b.relation == ">=" || b.relation == "=" && e.mean < b.value {
		edge = b.value - b.within
	}
	far = e.mean + float64(e.count)*(edge-e.mean)
	if far < e.mean {
		return far, "below", true
	}
	return far, "above", far > e.mean
}

// farthest is how many times the mean a repeat may be, if it is worth a word that none was
// seen. On a logarithmic scale what would move a mean may be beyond all numbers.
const farthest = 1e5

// rests says in words what the verdict on a mean rests on.
func (c judged) rests(s scale) string {
	test, ofMean := c.test.(skewTest)
	if !ofMean || c.outcome == Inconclusive || test.exact && equal(c.values) {
		return ""
	}
	far, beyond, moves := c.e.restsOn(c.band)
	if !moves || s.what == plainScale.what && far < 0 && slices.Min(c.values) >= 0 {
		return ""
	}
	text := fmt.Sprintf("assumes that fewer than 1 repeat in %d is %s %.3g", c.e.count, beyond, s.show(far))
	times := s.show(far) / s.show(c.e.mean)
	if times > farthest || times > 0 && times < 1/farthest {
		return ""
	}
	if times > 1 {
		text += fmt.Sprintf(" (%.3g times the mean)", times)
	}
	return text
}
