package inference

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"mercer/internal/plain"
)

// detectedRate is the chance with which a detectable alternative contradicts its claim.
const detectedRate = 0.8

// Detectable is nil where e has no standard deviation.
func (t SkewTest) Detectable(e Estimate, alpha float64, show func(float64) float64) *Detectable {
	b := t.Band
	if e.Count < MinRepeats || !plain.Finite(e.SD) {
		return nil
	}
	if b.Relation == "=" {
		alpha /= 2
	}
	delta := noncentralities.at(levelAndCount{alpha, e.Count}, func() float64 { return noncentrality(alpha, e.Count) })
	shift := delta * e.SD / math.Sqrt(float64(e.Count))
	return &Detectable{Low: shown(b.Low()-shift, show), High: shown(b.High()+shift, show)}
}

var noncentralities memory[levelAndCount, float64]

// noncentrality is by how many standard errors the mean of n numbers must lie beyond the
// edge for a one-sided p below alpha with chance detectedRate.
//
// The chance is E Φ(δ − c(g)s), where s² = χ²_ν/ν with ν = n−1, g is the sample skewness,
// c(g) the limit, and the three are independent for normal numbers (Basu). Here it is a
// mean over quantiles of s², and of g as if it were normal with its variance
// 6(n−2)/((n+1)(n+3)).
func noncentrality(alpha float64, n int) float64 {
	spread := make([]float64, 200)
	for i := range spread {
		chi := distuv.ChiSquared{K: float64(n - 1)}.Quantile((float64(i) + 0.5) / float64(len(spread)))
		spread[i] = math.Sqrt(chi / float64(n-1))
	}
	q, most := TQuantile(1-inner(alpha, n), n-1), 0.0
	var limits []float64
	for _, g := range skewnesses(n) {
		limit := tail{g, 1}.limit(q, n)
		most = math.Max(most, limit)
		for _, s := range spread {
			limits = append(limits, limit*s)
		}
	}
	return Bisect(0, 10+10*most, func(delta float64) bool {
		total := 0.0
		for _, limit := range limits {
			total += distuv.UnitNormal.CDF(delta - limit)
		}
		return total >= detectedRate*float64(len(limits))
	})
}

// skewnesses are quantiles of the skewness of n normal numbers.
func skewnesses(n int) []float64 {
	sd := math.Sqrt(6 * float64(n-2) / float64((n+1)*(n+3)))
	g := make([]float64, 20)
	for i := range g {
		g[i] = sd * distuv.UnitNormal.Quantile((float64(i)+0.5)/float64(len(g)))
	}
	return g
}
