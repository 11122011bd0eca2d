package claims

import (
	"fmt"
	"strings"

	"mercer/internal/inference"
	"mercer/internal/lists"
	"mercer/internal/plain"
)

// claimed writes a band beside an estimate and its interval; show maps its scale to the
// reader's, which these are on.
func claimed(b inference.Band, show func(float64) float64, interval ...float64) string {
	text := b.Relation + " " + plain.Claimed(show(b.Value), interval...)
	if b.Relation == "=" {
		text += " ± " + plain.Claimed(b.Within)
	}
	return text
}

// significant writes what was found, an estimate and its interval, with at least 4 digits, and
// as many as tell them from each other and from what is claimed.
func significant(what string, interval []float64, claimed ...float64) string {
	digits := plain.Digits('g', 4, interval, claimed...)
	return fmt.Sprintf("%s %.*g, interval [%.*g, %.*g]", what, digits, interval[0], digits, interval[1], digits, interval[2])
}

// inside is where that lies which is as claimed: "inside -0.5 ± 0.1", "at or below 1.1".
func inside(claimed string) string {
	return strings.NewReplacer("<= ", "at or below ", ">= ", "at or above ", "= ", "inside ").Replace(claimed)
}

// outside is where that lies which is not as claimed: "outside -0.5 ± 0.1", "above 1.1".
func outside(claimed string) string {
	return strings.NewReplacer("<= ", "above ", ">= ", "below ", "= ", "outside ").Replace(claimed)
}

// undecidedInterval says of a printed interval that neither shows a claim nor contradicts it,
// why it does not where it lies beyond.
func undecidedInterval(b inference.Band, low, high, p float64, claim string) string {
	if low > b.High() || high < b.Low() {
		return fmt.Sprintf("lies %s, but not beyond doubt: p = %.2g, and less than %g would contradict it", outside(claim), p, inference.ViolatedP)
	}
	return "neither lies " + inside(claim) + " nor contradicts it"
}

// divided says by what factor values were divided before the fit; empty without one.
func divided(over string, log float64) string {
	switch log {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(" after division by log %s", over)
	}
	return fmt.Sprintf(" after division by (log %s)^%.4g", over, log)
}

// times is the claimed factor; empty without one.
func times(over string, log float64) string {
	switch log {
	case 0:
		return ""
	case 1:
		return " times log " + over
	}
	return fmt.Sprintf(" times (log %s)^%.4g", over, log)
}

// list writes positions for a reader.
func list(values []float64) string {
	return strings.Join(lists.Map(values, plain.Number), ", ")
}
