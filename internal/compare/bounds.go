package compare

import (
	"fmt"
	"math"

	"mercer/internal/claims"
)

// boundTolerance is the relative difference of ratios of a bound that rounding may
// make: back ends agree to 1e-14 in all of them, other processors to 1e-7 in the numbers
// that are divided.
const boundTolerance = 1e-4

// bounds holds how tight a bound is, on the same rows, to what it was: a bound that is
// 20 times as small or as large may still hold.
func (e *Experiment) bounds(b, n claims.Verdict) {
	was, is := boundRatios(b), boundRatios(n)
	for i, r := range was {
		f := Finding{Severity: Regression, Kind: Verdict, Where: changeOf(b).at(), Metric: r.name, Do: reference}
		switch now := is[i].value; {
		case r.value == nil && now == nil:
			continue
		case r.value == nil:
			f.Severity, f.Text, f.Do = Note, "new, and compared with nothing", "to watch it: make reference"
		case now == nil:
			f.Text = "is no longer known"
		case math.Abs(*now-*r.value) > boundTolerance*math.Abs(*r.value):
			f.Text = fmt.Sprintf("%s → %s (× %.4g) on the same numbers: the bound changed", number(*r.value), number(*now), *now / *r.value)
		default:
			continue
		}
		e.add(f)
		return // the others say the same
	}
}

// boundRatio is a ratio of a bound; nil where it is not known.
type boundRatio struct {
	name  string
	value *float64
}

// boundRatios are those of a verdict, in one order.
func boundRatios(v claims.Verdict) []boundRatio {
	var t claims.Trivial
	if v.Trivial != nil {
		t = *v.Trivial
	}
	return []boundRatio{{"measured/bound", v.Tightness}, {"least bound/trivial", t.Low}, {"greatest bound/trivial", t.High}}
}
