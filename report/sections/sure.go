package sections

import (
	"fmt"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/report/page"
)

// wrongCall is in what share of runs such a verdict is wrong, over all looks.
func wrongCall(v claims.Verdict) string {
	rate, calls := v.WrongCall()
	if !calls {
		return format.None
	}
	return "≤ " + format.Percent(rate)
}

// sure says what the interval of a verdict is and how often such a verdict is wrong; ""
// where there is no interval.
func sure(v claims.Verdict) string {
	if !plain.Finite(v.Estimate) || !plain.Finite(v.Low) && !plain.Finite(v.High) {
		return ""
	}
	if v.Level >= 1 {
		return "every record is judged: the interval is from the least to the greatest, and says nothing about other records"
	}
	text := fmt.Sprintf("such an interval contains the true value in %s of runs", format.Percent(v.Level))
	if v.Relation != "=" {
		text = fmt.Sprintf("the true value is above such a lower end in %[1]s of runs, and below such an upper end in %[1]s", format.Percent(v.Level))
	}
	if len(v.Cells) > 1 {
		text += ", for each cell by itself"
	}
	if rate := wrongCall(v); rate != format.None {
		text += fmt.Sprintf("; “%s” is wrong in at most %s", v.Outcome, strings.TrimPrefix(rate, "≤ "))
	}
	if v.P != nil {
		text += fmt.Sprintf(" (here p = %s)", format.Number(*v.P))
	}
	return text + format.Unseen(v)
}

// trivialText is how a bound compares with what every estimator satisfies; "" where that
// is not known.
func trivialText(v claims.Verdict) string {
	if v.Trivial == nil || v.Trivial.Low == nil {
		return ""
	}
	text := fmt.Sprintf("bound / trivial value %s is %s", page.Escape(v.Trivial.Formula), format.Number(*v.Trivial.Low))
	if *v.Trivial.High != *v.Trivial.Low {
		text += " to " + format.Number(*v.Trivial.High)
	}
	return text
}
