package compare

import (
	"strings"

	"mercer/internal/metrics"
)

// Metric is what a comparison needs to know of a metric.
type Metric struct {
	Better    Direction
	Tolerance float64 // times that of the thresholds; below 1 counts as 1
	Scale     string  // another metric whose size counts for the rounding of this one
	Steps     bool    // rounding may tip it from one value to another, as that of a clustering
}

// Direction says which values of a metric are better.
type Direction = metrics.Better

// Directions of a metric.
const (
	Neither = metrics.Neither
	Less    = metrics.Less
	More    = metrics.More
)

// canceled is how much more a metric may differ that is a small difference of
// large numbers: between OpenBLAS and the program's own kernels such numbers differ
// by up to 2e-9 of the largest of their kind, others by at most 1e-10 of that or by
// 3e-8 of themselves.
const canceled = 10

// MetricOf is what the registry of measures says of a metric; nothing of others.
func MetricOf(name string) Metric {
	m, known := metrics.Of(name)
	if !known {
		return Metric{}
	}
	facts := Metric{Better: metrics.BetterOf(name), Steps: m.Steps, Tolerance: 1}
	if m.Cancels {
		facts.Tolerance = canceled
	}
	if strings.HasPrefix(name, "eigenvalue_") {
		facts.Scale = "eigenvalue_1"
	}
	return facts
}
