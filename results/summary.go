package results

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// DefaultLevel is the confidence level of the intervals of tables and figures.
const DefaultLevel = 0.95

// Summary aggregates values over the repeats of one cell. A statistic that is undefined is
// NaN: SD, SE, Low and High of fewer than two values, GeoMean when a value is not positive.
type Summary struct {
	Count     int
	Mean      float64
	SD        float64 // with Count-1 in the denominator
	SE        float64 // SD/sqrt(Count)
	Low, High float64 // t confidence interval of the mean, of DefaultLevel
	Median    float64
	Min, Max  float64
	GeoMean   float64
}

// Summarize aggregates values, of which there must be one at least.
func Summarize(values []float64) Summary {
	if len(values) == 0 {
		panic("results: Summarize of no values")
	}
	sorted, nan := slices.Sorted(slices.Values(values)), math.NaN()
	s := Summary{
		Count: len(sorted), Median: middle(sorted), Min: sorted[0], Max: sorted[len(sorted)-1],
		Mean: stat.Mean(sorted, nil), SD: nan, SE: nan, Low: nan, High: nan, GeoMean: nan,
	}
	if s.Min > 0 {
		s.GeoMean = stat.GeometricMean(sorted, nil)
	}
	if s.Min == s.Max { // rounding must not give equal values another mean, or a spread
		s.Mean = s.Min
		if s.Min > 0 {
			s.GeoMean = s.Min
		}
	}
	if s.Count > 1 {
		if s.SD = stat.StdDev(sorted, nil); s.Min == s.Max {
			s.SD = 0
		}
		s.SE = s.SD / math.Sqrt(float64(s.Count))
		half := distuv.StudentsT{Sigma: 1, Nu: float64(s.Count - 1)}.Quantile((1+DefaultLevel)/2) * s.SE
		s.Low, s.High = s.Mean-half, s.Mean+half
	}
	return s
}

// Median is the value in the middle, or the mean of the two that are.
func Median(values []float64) float64 { return middle(slices.Sorted(slices.Values(values))) }

func middle(sorted []float64) float64 {
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return sorted[half-1]/2 + sorted[half]/2
}
