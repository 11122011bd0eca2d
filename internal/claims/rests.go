package claims

import (
	"fmt"
	"math"
	"slices"
)

// rests says what a verdict on a mean takes for granted and no test can tell: the
// value that 1 repeat in as many as there are would need, to move the mean to the edge
// of the claim. One that rare is missed by 37 % of runs.
func (c judged) rests(s scale) string {
	test, ofMean := c.test.(skewTest)
	if !ofMean || c.outcome == Inconclusive || test.exact && equal(c.values) {
		return ""
	}
	edge := c.band.value + c.band.within
	if c.band.relation == ">=" || c.band.relation == "=" && c.e.mean < c.band.value {
		edge = c.band.value - c.band.within
	}
	far := c.e.mean + float64(c.e.count)*(edge-c.e.mean)
	if far == c.e.mean || s.what == plainScale.what && far < 0 && slices.Min(c.values) >= 0 {
		return ""
	}
	beyond := "above"
	if far < c.e.mean {
		beyond = "below"
	}
	text := fmt.Sprintf("rests on fewer than 1 repeat in %d being %s %.3g", c.e.count, beyond, s.show(far))
	if times := s.show(far) / s.show(c.e.mean); times > 1 && !math.IsInf(times, 1) {
		text += fmt.Sprintf(", %.3g times the mean", times)
	}
	return text
}
