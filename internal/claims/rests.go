package claims

import (
	"fmt"
	"slices"
)

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
const farthest = 1e6

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
	text := fmt.Sprintf("rests on fewer than 1 repeat in %d being %s %.3g", c.e.count, beyond, s.show(far))
	times := s.show(far) / s.show(c.e.mean)
	if times > farthest {
		return ""
	}
	if times > 1 {
		text += fmt.Sprintf(", %.3g times the mean", times)
	}
	return text
}
