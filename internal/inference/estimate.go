package inference

// MinRepeats is the smallest number of repeats that is judged.
const MinRepeats = 3

// Estimate is a number found over repeats, compared with a band.
type Estimate struct {
	Count     int
	Mean, SD  float64 // the number, and the standard deviation where it is a mean
	Low, High float64 // its interval, see Band.coverage
	Inside    bool    // the interval lies in the band
	P         float64 // of the hypothesis that the number lies in the band
	Equal     bool    // values that decide nothing, for all are equal
}

// Test compares one sample over repeats with a band.
type Test interface {
	// Estimate takes one value at least. With fewer than MinRepeats there is no
	// interval: Low and High are NaN, Inside is false and P is 1.
	Estimate(values []float64) Estimate
}
