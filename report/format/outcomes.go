package format

import (
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
