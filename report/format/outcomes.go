package format

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/plain"
)

// ClaimName is the id of a verdict's claim, and that it is a check or a control.
func ClaimName(v claims.Verdict) string {
	switch {
	case v.Check:
		return "check " + plain.Text(v.Claim)
	case v.Control:
		return "control " + plain.Text(v.Claim)
	}
	return plain.Text(v.Claim)
}

// Estimate writes the estimate of a verdict and its interval beside what it claims.
func Estimate(v claims.Verdict) string {
	return Interval(v.Estimate, v.Low, v.High, v.Target-v.Within, v.Target+v.Within)
}

// Claimed writes what a verdict claims, beside its estimate: "0.9 ± 0.05".
func Claimed(v claims.Verdict) string {
	text := Minus(plain.Claimed(v.Target, v.Estimate, v.Low, v.High))
	if v.Within > 0 {
		text += " ± " + Minus(plain.Claimed(v.Within))
	}
	return text
}

// Rejects are the true values that a claim would have been violated by, with 80 % power:
// "< −0.61 or > −0.39"; empty where that is not known.
func Rejects(v claims.Verdict) string {
	d := v.Detectable
	if d == nil {
		return ""
	}
	if d.Share != nil {
		return fmt.Sprintf("%.2g %% of rows outside", 100**d.Share)
	}
	low, high := practical(v)
	ends := joinEnds(low, high, v.Target, "< ", "> ")
	if ends == "" && (d.Low != nil || d.High != nil) {
		return "nothing within a factor of 10 of the claim"
	}
	return ends
}

func joinEnds(low, high *float64, claimed float64, below, above string) string {
	number := func(v float64) string {
		if digits := plain.Digits('g', 4, []float64{v}, claimed); digits > 4 {
			return Minus(strconv.FormatFloat(v, 'g', digits, 64))
		}
		return Minus(Number(v))
	}
	var ends []string
	if low != nil {
		ends = append(ends, below+number(*low))
	}
	if high != nil {
		ends = append(ends, above+number(*high))
	}
	return strings.Join(ends, " or ")
}

// farFactor is how many times what is claimed no effect of practical size is away.
const farFactor = 10

// practical are the detectable ends of practical size, nil where there is none: of a slope
// within farFactor times what is claimed or its tolerance, of what is positive within that
// factor, of a claim of zero all.
func practical(v claims.Verdict) (low, high *float64) {
	low, high = v.Detectable.Low, v.Detectable.High
	target, room := v.Target, farFactor*max(math.Abs(v.Target), v.Within)
	if room == 0 || !plain.Finite(room) {
		return low, high
	}
	if low != nil && (target-*low > room || v.Kind != "slope" && target > 0 && *low < target/farFactor) {
		low = nil
	}
	if high != nil && *high-target > room {
		high = nil
	}
	return low, high
}
