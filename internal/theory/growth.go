package theory

import (
	"fmt"
	"math"
)

// Growth is how a size grows with n over the records that a rate is compared with, as
// n^Exponent: the slope of its logarithm by least squares. Sizes are whole numbers:
// with each of them anywhere within 1, the exponent lies anywhere from Low to High.
type Growth struct {
	Exponent, Low, High float64
}

// GrowthOf is that of sizes at the values of n beside them, in any order; false for
// fewer than 2 values of n.
func GrowthOf(n, size []int) (Growth, bool) {
	mean, spread := 0.0, 0.0
	for _, v := range n {
		mean += math.Log(float64(v)) / float64(len(n))
	}
	for _, v := range n {
		spread += math.Pow(math.Log(float64(v))-mean, 2)
	}
	g := Growth{}
	if !(spread > 1e-12) { // a single n, but for rounding
		return g, false
	}
	const least = 0.5 // of a number that is rounded to 1
	for i, v := range n {
		weight, value := (math.Log(float64(v))-mean)/spread, float64(size[i])
		less, more := weight*math.Log(max(value-1, least)), weight*math.Log(value+1)
		g.Exponent += weight * math.Log(value)
		g.Low += min(less, more)
		g.High += max(less, more)
	}
	return g, true
}

// atLeast is the condition that a size grows with n at least as n^exponent, where the
// setting says how it grows.
func (s Setting) atLeast(size, name string, exponent float64) []Condition {
	g, known := s.Growth[size]
	if !known || math.IsNaN(exponent) {
		return nil
	}
	return []Condition{{Left: g.text(size, "largest"), L: g.High, Relation: AtLeast, Right: name, R: exponent}}
}

// exactly is the condition that it grows as n^exponent.
func (s Setting) exactly(size, name string, exponent float64) []Condition {
	conditions := s.atLeast(size, name, exponent)
	if conditions != nil {
		g := s.Growth[size]
		conditions = append(conditions, Condition{Left: g.text(size, "least"), L: g.Low, Relation: AtMost, Right: name, R: exponent})
	}
	return conditions
}

func (g Growth) text(size, end string) string {
	return fmt.Sprintf("exponent of %s in n, fitted %.3f, %s within rounding", size, g.Exponent, end)
}
