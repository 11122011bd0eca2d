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
// The standard deviation of numbers with a long tail depends on a few repeats, so that limits
// allow for the tails of both methods, and are wide. Logs of such numbers are nearer to normal: a
// claim of log(metric), which compares spreads in per cent, needs fewer repeats.
//
// Reference: Miller 1968 (Jackknifing variances). The test of Pitman and Morgan, exact for
// normal numbers, is wrong in 18 % and 10 % of these cases.
func (j *judge) dispersion(c configs.Claim) ([]Verdict, error) {
	return j.paired(c, c.Dispersion.Ratio, comparison{spreadRatios, spreadScale, minSpreads})
}

var spreadScale = scale{show: math.Exp, what: "ratio of standard deviations", logs: true}

// minSpreads is the smallest number of repeats of which spreads are compared.
const minSpreads = 5

// spreadRatios are the values of a cell: the jackknife's pseudo-values of log sd(top)/sd(bottom),
// whose mean and standard error are those of the log ratio.
func spreadRatios(pairs []pair, c *cell) Doubt {
	if n := len(pairs); n < minSpreads {
		return doubt("few_for_spread", "count", n, "least", minSpreads)
	}
	var top, bottom []float64
	for _, p := range pairs {
		top, bottom = append(top, p.top), append(bottom, p.bottom)
	}
	parts := [2][]float64{inference.LogSpreads(top), inference.LogSpreads(bottom)}
	values := floats.SubTo(make([]float64, len(pairs)), parts[0], parts[1])
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return doubt("no_spread")
		}
	}
	c.values, c.parts = values, &parts
	return Doubt{}
}
