package inference

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// HalfWidth is that of the t interval of a mean.
func HalfWidth(values []float64, level float64) float64 {
	n := float64(len(values))
	return TQuantile((1+level)/2, len(values)-1)*stat.StdDev(values, nil)/math.Sqrt(n) + RoundingSlack
}

// TQuantile is the p quantile of Student's t with nu degrees of freedom; of many by the
// series of Abramowitz & Stegun 26.7.5, in a hundredth of the time and to 1e-7.
func TQuantile(p float64, nu int) float64 {
	if nu >= 100 {
		z, v := distuv.UnitNormal.Quantile(p), float64(nu)
		y := z * z
		return z * (1 + (y+1)/(4*v) + ((5*y+16)*y+3)/(96*v*v) + (((3*y+19)*y+17)*y-15)/(384*v*v*v) +
			((((79*y+776)*y+1482)*y-1920)*y-945)/(92160*v*v*v*v))
	}
	return studentQuantiles.at(levelAndCount{p, nu}, func() float64 {
		return distuv.StudentsT{Sigma: 1, Nu: float64(nu)}.Quantile(p)
	})
}

// studentQuantiles are those of fewer than 100 degrees.
var studentQuantiles memory[levelAndCount, float64]
