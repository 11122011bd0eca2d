package claims

import (
	"fmt"

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

// text says what exponent of the logarithm was found; empty for a claim without a law.
func (l *Law) text(over string) string {
	if l == nil || l.Fitted == nil {
		return ""
	}
	return fmt.Sprintf("; at the power %.4g the exponent of log %s is %.3f, interval [%.3f, %.3f]", l.Power, over, *l.Fitted, *l.Low, *l.High)
}

// Factor is the factor that a slope's claim names, " times log n"; empty without a law.
func (v Verdict) Factor() string {
	if v.Law == nil {
		return ""
	}
	return "," + times(v.Over, v.Law.Log)
}
