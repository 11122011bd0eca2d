package claims

import (
	"fmt"
	"math"
	"slices"

	"mercer/internal/selection"
)

// equalShare is the share of equal repeats that must be shown for a verdict on them.
const equalShare = 0.95

// equal says that values are the same up to rounding.
func equal(values []float64) bool {
	low, high := slices.Min(values), slices.Max(values)
	return high-low <= roundingSlack*math.Max(math.Abs(low), math.Abs(high))
}

// judgeEqual judges a sample of equal values. They say nothing of how far others may lie:
// their verdict counts once they show that at least equalShare of all repeats is equal.
// Exact samples count as they stand: what follows from sizes, and comparisons and slopes that
// are equal in all repeats though the numbers compared are not.
func (t skewTest) judgeEqual(e estimate) estimate {
	if t.exact {
		return e
	}
	e.equal = true
	e.inside = e.inside && e.count >= equalsNeeded((1-t.band.coverage(t.level))/2)
	if t.band.excess(e.mean) > 0 {
		e.p = math.Pow(equalShare, float64(e.count))
	}
	return e
}

// followsFromSizes says that a quantity is the same in all repeats: sizes, and the
// operations and bytes that they count.
func followsFromSizes(q *selection.Quantity) bool {
	return !slices.ContainsFunc(q.Uses, func(metric string) bool { return metric != "flops" && metric != "fit_memory" })
}

// equalsNeeded is how many equal repeats reject, with p up to alpha, that less than
// equalShare of all is equal.
func equalsNeeded(alpha float64) int {
	return int(math.Ceil(math.Log(alpha) / math.Log(equalShare)))
}

func equalDoubt(count, need int) Doubt {
	return Doubt{fmt.Sprintf("all %d repeats give the same, which does not tell how far others may lie", count),
		settleRepeats(count, need) + ", if all are the same; or `each: true`, where a value claim means every repeat"}
}
