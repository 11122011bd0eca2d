package claims

import (
	"mercer/internal/inference"
	"mercer/internal/powerlaw"
)

// lawOf is the claimed law beside the exponent of the logarithm that the points have.
func lawOf(c powerlaw.Curve, power, level float64) *Law {
	law := &Law{Power: power, Log: c.Log}
	if len(c.Y) >= inference.MinRepeats {
		mean, half := powerlaw.LogExponent(c, power, level)
		low, high := mean-half, mean+half
		law.Fitted, law.Low, law.High = &mean, &low, &high
	}
	return law
}

// Factor is the factor that a slope's claim names, ", times log n"; empty without a law.
func (v Verdict) Factor() string {
	if v.Law == nil {
		return ""
	}
	return "," + doubt("log factor", "over", v.Over, "log", v.Law.Log).sentence()
}
