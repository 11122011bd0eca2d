package results

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Summary aggregates values over the repeats of one cell. A statistic that is undefined is
// NaN: SD, SE, Low and High of fewer than two values, GeoMean when a value is not positive.
type Summary struct {
	Count     int
	Mean      float64
	SD        float64 // with Count-1 in the denominator
	SE        float64 // SD/sqrt(Count)
	Low, High float64 // t confidence interval of the mean
	Level     float64
	Median    float64
	Min, Max  float64
	GeoMean   float64
}

// DefaultLevel is the confidence level of the intervals of tables and figures.
const DefaultLevel = 0.95

// Summarize aggregates values, of which there must be one at least, with a t
// interval of the given level. Only the statistics are filled in.
func Summarize(values []float64, level float64) Summary {
	s := Summarizer{Level: level}
	return s.Summarize(values)
}

// Summarizer aggregates many samples with t intervals of one level: it takes the
// quantile for each number of values once. Not for several goroutines at a time.
type Summarizer struct {
	Level    float64
	quantile map[int]float64 // by degrees of freedom
}

// Summarize is as the function [Summarize].
func (z *Summarizer) Summarize(values []float64) Summary { return z.sorting(slices.Clone(values)) }

// Median is the value in the middle, or the mean of the two that are.
func Median(values []float64) float64 { return middle(slices.Sorted(slices.Values(values))) }

func middle(sorted []float64) float64 {
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return sorted[half-1]/2 + sorted[half]/2
}

// sorting sorts the values in their place.
func (z *Summarizer) sorting(sorted []float64) Summary {
	if len(sorted) == 0 {
		panic("results: Summarize of no values")
	}
	slices.Sort(sorted)
	nan := math.NaN()
	s := Summary{
		Count: len(sorted), Level: z.Level,
		Mean: stat.Mean(sorted, nil), SD: nan, SE: nan, Low: nan, High: nan, GeoMean: nan,
		Min: sorted[0], Max: sorted[len(sorted)-1],
	}
	s.Median = middle(sorted)
	if s.Min > 0 {
		s.GeoMean = stat.GeometricMean(sorted, nil)
	}
	if s.Min == s.Max { // rounding must not give equal values a spread
		s.Mean = s.Min
		if s.Min > 0 {
			s.GeoMean = s.Min
		}
	}
	if n := float64(len(sorted)); n > 1 {
		s.SD = stat.StdDev(sorted, nil)
		if s.Min == s.Max {
			s.SD = 0
		}
		s.SE = s.SD / math.Sqrt(n)
		t, known := z.quantile[len(sorted)-1]
		if !known {
			t = distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile((1 + z.Level) / 2)
			if z.quantile == nil {
				z.quantile = map[int]float64{}
			}
			z.quantile[len(sorted)-1] = t
		}
		s.Low, s.High = s.Mean-t*s.SE, s.Mean+t*s.SE
	}
	return s
}
