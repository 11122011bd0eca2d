package claims

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"mercer/internal/plain"
)

// TestExtrapolation in runner/adaptive simulates what these promise.
const (
	MostFactor         = 32   // at the largest over the largest size that was searched
	MostWidth          = 10   // high/low of an interval that is of use
	ExtrapolationError = 0.05 // share of extrapolations, at most, that have no value in common with a search there
)

// Extrapolate is what the least value is at a size beyond the answers to one target in one group,
// in any order: above Fails and at most Holds. It uses those at the three largest sizes.
//
// It takes for granted that the least value does not fall as the size grows: it stays above the
// last Fails. And that it grows no faster than before: from the last Holds on at most as a power of the
// size, whose slope is halfway between the slope of the answers' middles and the largest that their ends
// allow. Sizes near each other allow very different slopes, and give a wide interval.
//
// Of a search that has not ended the ends that it has found count: they are as right as those of one
// that has.
//
// The error says why nothing can be said, and the way out.
func Extrapolate(answers []Answer, at float64) (Answer, error) {
	if len(answers) < 3 {
		return Answer{}, fmt.Errorf("%s cannot be extrapolated: search at 3 sizes or more", plain.Count(len(answers), "answer"))
	}
	seen := slices.SortedFunc(slices.Values(answers), func(a, b Answer) int { return cmp.Compare(a.At, b.At) })[len(answers)-3:]
	for i := range seen {
		seen[i].Open = false
	}
	all, middle := slopes(seen)
	first, _ := slopes(seen[:2])
	second, _ := slopes(seen[1:])
	a, last := seen[2], seen[2].interval()
	a.At, a.Factor, a.Tested, a.Theory, a.Wrong = at, at/a.At, 0, nil, ExtrapolationError
	low, high := last.low, last.high*math.Pow(a.Factor, max(0, (middle+all.high)/2))
	if last.high == math.Trunc(last.high) {
		high = math.Ceil(high)
	}
	a.Fails, a.Holds = &low, &high
	why := ""
	switch {
	case !(a.Factor > 1):
		why = fmt.Sprintf("%s = %s was searched: take a larger one", a.Over, plain.Six(seen[2].At))
	case a.Factor > MostFactor:
		why = fmt.Sprintf("it is more than %d times %s, the largest that was searched: search at larger ones", MostFactor, plain.Six(seen[2].At))
	case math.IsNaN(middle):
		why = "an answer lacks an end: give its search more repeats, or more values of " + a.Find
	case all.high < 0:
		why = "the answers fall: search at larger " + a.Over
	case second.low > first.high:
		why = "the answers grow faster and faster: search at larger " + a.Over
	case !(high <= MostWidth*low): // of equal sizes NaN
		why = fmt.Sprintf("%s is all that is known: search at sizes nearer to it, with more values of %s or more repeats", a.Interval(), a.Find)
	default:
		return a, nil
	}
	return Answer{}, fmt.Errorf("%s at %s = %s cannot be extrapolated: %s", a.Find, a.Over, plain.Six(at), why)
}
