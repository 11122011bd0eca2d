package inference

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"mercer/internal/lists"
)

// MeanTest compares the mean with the band, by its t interval.
type MeanTest struct {
	Band  Band
	Level float64
}

// Estimate works in units of a power of 2, so that squares of large values do not
// overflow and those of small ones do not vanish; other results are the same, bit for
// bit.
func (t MeanTest) Estimate(values []float64) Estimate {
	unit := unitOf(append([]float64{t.Band.Value, t.Band.Within}, values...))
	scaled := lists.Map(values, func(v float64) float64 { return v / unit })
	b := t.Band
	b.Value, b.Within, b.Slack = b.Value/unit, b.Within/unit, b.Slack/unit
	e := MeanTest{b, t.Level}.inUnits(scaled)
	e.Mean, e.Low, e.High = e.Mean*unit, e.Low*unit, e.High*unit
	e.SD = min(e.SD*unit, math.MaxFloat64)
	return e
}

// unitOf is the largest power of 2 up to the largest magnitude; 1 where that is 0.
func unitOf(values []float64) float64 {
	largest := 0.0
	for _, v := range values {
		largest = max(largest, math.Abs(v))
	}
	if largest == 0 {
		return 1
	}
	_, exponent := math.Frexp(largest)
	return math.Ldexp(1, exponent-1)
}

func (t MeanTest) inUnits(values []float64) Estimate {
	b := t.Band
	e := Estimate{Count: len(values), Mean: stat.Mean(values, nil), SD: math.NaN(), Low: math.NaN(), High: math.NaN(), P: 1}
	if e.Count < MinRepeats {
		return e
	}
	e.SD = stat.StdDev(values, nil)
	if slices.Min(values) == slices.Max(values) {
		e.Mean, e.SD = values[0], 0
	}
	se := e.SD / math.Sqrt(float64(e.Count))
	student := distuv.StudentsT{Sigma: 1, Nu: float64(e.Count - 1)}
	half := TQuantile((1+b.coverage(t.Level))/2, e.Count-1) * se
	e.Low, e.High = e.Mean-half, e.Mean+half
	e.Inside = b.Contains(e.Low, e.High)
	switch excess := b.Excess(e.Mean); {
	case excess <= 0:
	case se == 0:
		e.P = 0
	case b.Relation == "=":
		e.P = math.Min(1, 2*student.Survival(excess/se))
	default:
		e.P = student.Survival(excess / se)
	}
	return e
}
