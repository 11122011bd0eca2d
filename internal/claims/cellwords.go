package claims

import (
	"fmt"
	"slices"
	"strings"

	"mercer/internal/inference"
	"mercer/results"
)

// sentence says why the verdict on all cells is what this, the worst, makes it.
func (c judged) sentence(s scale, counts map[Outcome]int, total int, violated float64) string {
	where := ""
	if c.at != (results.Key{}) {
		where = " at " + c.at.String()
	}
	if c.why.Any() {
		return undecided(counts[Inconclusive], total, where, c.why)
	}
	low, high := s.ends(c.e)
	interval := []float64{s.show(c.e.Mean), low, high}
	found := significant(s.what, interval, c.band.Edges(s.show)...)
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
	text := fmt.Sprintf("%s%s %s%s", found, where, undecidedInterval(c.band, c.e.Low, c.e.High, c.p, claim), share(counts[Inconclusive], total, "undecided"))
	if t := c.e.Plain; t != nil && (t.Inside || t.P < violated/float64(total)) {
		text += fmt.Sprintf("; a t interval would decide, but %d repeats may hide a long tail", c.e.Count)
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
		steps = append(steps, settleRepeats(last.e.Count, last.need, last.e.Near(last.band)))
	}
	return strings.Join(steps, "; and "), need
}

// decidesAfter says which of two undecided cells decides the claim. One cell that comes to be
// violated does; where none looks like it, all must come to hold. A cell whose estimate lies
// outside by too little for any number of repeats to tell leaves the claim open.
func (c judged) decidesAfter(other judged) bool {
	outside := c.band.Excess(c.e.Mean) > 0
	switch {
	case outside != (other.band.Excess(other.e.Mean) > 0):
		return outside
	case outside:
		return c.need < other.need
	}
	return c.need > other.need
}

// farthest is how many times the mean a repeat may be, if it is worth a word that none was
// seen. On a logarithmic scale what would move a mean may be beyond all numbers.
const farthest = 1e5

// rests says in words what the verdict on a mean rests on.
func (c judged) rests(s scale) string {
	test, ofMean := c.test.(inference.SkewTest)
	if !ofMean || c.outcome == Inconclusive || test.Exact && test.Equal(c.values) {
		return ""
	}
	far, beyond, moves := c.e.RestsOn(c.band)
	if !moves || s.what == plainScale.what && far < 0 && slices.Min(c.values) >= 0 {
		return ""
	}
	text := fmt.Sprintf("assumes that fewer than 1 repeat in %d is %s %.3g", c.e.Count, beyond, s.show(far))
	times := s.show(far) / s.show(c.e.Mean)
	if times > farthest || times > 0 && times < 1/farthest {
		return ""
	}
	if times > 1 {
		text += fmt.Sprintf(" (%.3g times the mean)", times)
	}
	return text
}
