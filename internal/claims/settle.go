package claims

import (
	"fmt"

	"mercer/internal/inference"
	"mercer/internal/plain"
)

// settleRepeats says how many repeats would decide, were the truth as estimated; near says
// that it may as well lie on the edge, see [inference.Estimate.Near].
func settleRepeats(count, need int, near bool) string {
	switch {
	case count < inference.MinRepeats:
		return fmt.Sprintf("at least %d repeats", inference.MinRepeats)
	case need > inference.MaxRepeats:
		return "no number of repeats: the estimate lies on the edge of what is claimed"
	case need > count && near:
		return fmt.Sprintf("about %d repeats in place of %d if the estimate is exact, but perhaps no number: it lies within its standard error of the edge of what is claimed", need, count)
	case need > count:
		return fmt.Sprintf("about %d repeats in place of %d", need, count)
	}
	return fmt.Sprintf("a few more repeats than %d", count)
}

// fewRepeats doubts a mean of fewer than MinRepeats.
func fewRepeats(count int) Doubt {
	return Doubt{plain.Count(count, "repeat gives", "repeats give") + " no confidence interval that could be relied on", settleRepeats(count, 0, false)}
}

// tooFew says in a clause why a test decides nothing, see [settleRepeats].
func tooFew(count, need int) string {
	if need > inference.MaxRepeats {
		return "the estimate lies on the edge of what is claimed"
	}
	return plain.Count(count, "repeat is", "repeats are") + " too few"
}

// settleCoverage says how many repeats of a bound would decide, in words and as a number.
func settleCoverage(c inference.Coverage, b inference.Band, at inference.Levels) (string, int) {
	seen, need := c.Inside+c.Outside, c.Needed(b, at)
	switch {
	case need == 0:
		return "no number of repeats: the coverage lies on the edge of what is claimed", inference.MaxRepeats + 1
	case c.Outside == 0:
		return fmt.Sprintf("%d repeats in place of %d, if all of them lie inside the bound", need, seen), need
	}
	return fmt.Sprintf("about %d repeats in place of %d, if as many of them lie inside the bound", need, seen), need
}

// equalDoubt doubts that equal repeats tell how far others lie.
func equalDoubt(count int) Doubt {
	return Doubt{fmt.Sprintf("all %d repeats give the same, which says nothing of the up to %.2g %% of repeats that they may have missed", count, 100*inference.Unseen(count)),
		"more repeats, until some differ; or leave out by where what is the same in every repeat"}
}
