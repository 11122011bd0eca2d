package inference

import "math"

// RoundingSlack is the relative difference that is put down to rounding: a
// factor 1e-9 is far above what double precision loses in a metric and far
// below what any claim is about.
const RoundingSlack = 1e-9

// Band is what a claim allows a number to be: [Value-Within, Value+Within] for
// "=", one side of Value for "<=" and ">=".
type Band struct {
	Relation string
	Value    float64
	Within   float64
	Slack    float64 // absolute, for rounding
}

// Low is the lower end of the band, less the slack.
func (b Band) Low() float64 {
	if b.Relation == "<=" {
		return math.Inf(-1)
	}
	return b.Value - b.Within - b.Slack
}

// High is the upper end of the band, with the slack.
func (b Band) High() float64 {
	if b.Relation == ">=" {
		return math.Inf(1)
	}
	return b.Value + b.Within + b.Slack
}

// Contains says whether an interval lies in the band.
func (b Band) Contains(low, high float64) bool { return low >= b.Low() && high <= b.High() }

// Excess is how far x lies outside the band; negative inside, by the distance
// to the nearest edge.
func (b Band) Excess(x float64) float64 { return math.Max(b.Low()-x, x-b.High()) }

// coverage is that of the two-sided interval whose position decides "holds":
// for one-sided claims each of its ends is a bound at the level.
func (b Band) coverage(level float64) float64 {
	if b.Relation == "=" {
		return level
	}
	return 2*level - 1
}

// Edges are those of "=", without the slack, as show maps them to the reader's scale.
func (b Band) Edges(show func(float64) float64) []float64 {
	return []float64{show(b.Value - b.Within), show(b.Value + b.Within)}
}
