package claims

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"mercer/internal/plain"
)

// detectedRate is the chance with which a detectable alternative contradicts its claim.
const detectedRate = 0.8

// Detectable is what a claim could tell apart from the truth, at the repeats and the
// spread that were seen: true values below Low or above High give a p that makes the
// claim violated, in 80 % of runs or more. An end that is nil, no value passes.
//
// It is that of the t test of one mean. Of a slope, a bend or another law that explains
// the points may still make the verdict inconclusive.
type Detectable struct {
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
}

// detectable is the alternative that a test with the p alpha tells from a band, were the
// standard deviation that of e; show maps the test's scale to the reader's. It is nil
// where e has no standard deviation.
func detectable(b band, e estimate, alpha float64, show func(float64) float64) *Detectable {
	if e.count < MinRepeats || !plain.Finite(e.sd) {
		return nil
	}
	if b.relation == "=" {
		alpha /= 2
	}
	shift := noncentrality(alpha, e.count-1) * e.sd / math.Sqrt(float64(e.count))
	return &Detectable{shown(b.low()-shift, show), shown(b.high()+shift, show)}
}

// shown is an end on the reader's scale; nil where it is not finite, there or here.
func shown(end float64, show func(float64) float64) *float64 {
	x := show(end)
	if !plain.Finite(end) || !plain.Finite(x) {
		return nil
	}
	return &x
}

// noncentrality is by how many standard errors the mean must lie beyond the edge for a t
// test with nu degrees of freedom to give a one-sided p below alpha with chance detectedRate.
//
// The chance is E Φ(δ − t s), s² = χ²_ν/ν, here a mean over 400 quantiles of χ²: the
// survival of the noncentral t. The error of δ is below 1e-2.
func noncentrality(alpha float64, nu int) float64 {
	critical := tQuantile(1-alpha, nu)
	spread := make([]float64, 400)
	for i := range spread {
		chi := distuv.ChiSquared{K: float64(nu)}.Quantile((float64(i) + 0.5) / float64(len(spread)))
		spread[i] = critical * math.Sqrt(chi/float64(nu))
	}
	return bisect(0, 10+10*critical, func(delta float64) bool {
		total := 0.0
		for _, s := range spread {
			total += distuv.UnitNormal.CDF(delta - s)
		}
		return total >= detectedRate*float64(len(spread))
	})
}
