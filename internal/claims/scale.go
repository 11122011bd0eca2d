package claims

import (
	"math"

	"mercer/internal/inference"
)

// scale maps the scale of a test to the reader's.
type scale struct {
	show func(float64) float64
	what string
	logs bool                                       // the scale of the test is logarithmic
	each bool                                       // a claim may also mean each value by itself
	clip func(low, high float64) (float64, float64) // an interval to what its quantity can be; nil for no change
}

// ends are those of the interval of an estimate.
func (s scale) ends(e inference.Estimate) (low, high float64) {
	low, high = s.show(e.Low), s.show(e.High)
	if s.clip != nil {
		return s.clip(low, high)
	}
	return low, high
}

var (
	logScale   = scale{show: math.Exp, what: "ratio", logs: true}
	plainScale = scale{show: func(x float64) float64 { return x }, what: "mean"}
)
