package claims

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"mercer/configs"
	"mercer/internal/inference"
)

// dispersion judges sd(Method)/sd(To) over repeats at each grid point, by the jackknife
// of the log ratio.
//
// Its promised rates are those of numbers near normal, whatever their correlation. The
// standard deviation of skewed numbers depends on a few repeats, and verdicts may be wrong
// more often. Their logs are nearer to normal; a claim of log(metric) compares spreads in
// per cent.
//
// Reference: Miller 1968 (Jackknifing variances). The test of Pitman and Morgan, exact for
// normal numbers, is wrong in 18 % and 10 % of these cases.
func (j *judge) dispersion(c configs.Claim) ([]Verdict, error) {
	return j.paired(c, c.Dispersion.Ratio, comparison{spreadRatios, spreadScale, minSpreads})
}

var spreadScale = scale{show: math.Exp, what: "ratio of standard deviations", tail: inference.LogTail}

// minSpreads is the smallest number of repeats of which spreads are compared.
const minSpreads = 5

// spreadRatios are the jackknife's pseudo-values of log sd(top)/sd(bottom), whose mean and
// standard error are those of the log ratio.
func spreadRatios(pairs []pair) ([]float64, Doubt) {
	if n := len(pairs); n < minSpreads {
		return nil, doubt("few_for_spread", "count", n, "least", minSpreads)
	}
	var top, bottom []float64
	for _, p := range pairs {
		top, bottom = append(top, p.top), append(bottom, p.bottom)
	}
	values, below := inference.LogSpreads(top), inference.LogSpreads(bottom)
	floats.Sub(values, below)
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, doubt("no_spread")
		}
	}
	return values, Doubt{}
}
