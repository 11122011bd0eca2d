package inference

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"

	"mercer/internal/lists"
)

// ShareTest compares the limit that a share of all draws keeps, from below or from above as the
// band does, with the band: the quantile of that share of their law, for ">=" of the others.
//
// Repeats that are many enough have limits of it by their order, which hold under every law: 59 for
// a share of 0.95 at the level 0.95. So is the limit towards the band, and with it P, of any number.
// Fewer have a tolerance limit on the far side, of a normal law of the logarithms where all values
// are positive, and else of the values, which allows for a tail on that side that they do not show.
//
// Reference: Krishnamoorthy & Mathew, Statistical Tolerance Regions (2009), §2.2; Hahn & Meeker,
// Statistical Intervals (1991), ch. 5. Deviation: the allowance for a tail.
type ShareTest struct {
	Band  Band // "<=" or ">="
	Share float64
	Level float64
}

// What few repeats may hide of a tail: see [SkewTest]. Where they show the skewness g, their limit
// allows for shareWeight·g + shareFew/√n. The numbers were chosen by simulation: the narrowest
// limits of log-normal values whose wrong verdicts are as rare as promised under the laws of
// docs/verdicts.md.
const (
	shareWeight = 2.0
	shareFew    = 6.0
)

// Estimate has the quantile as its Mean, and no standard deviation. No limit on the far side lies
// nearer than the quantile of the repeats: where the interval is inside, so is the share of them. P is
// of the exact binomial test of that share.
func (t ShareTest) Estimate(values []float64) Estimate {
	n, sign, sorted := len(values), 1.0, slices.Sorted(slices.Values(values))
	if t.Band.Relation == ">=" {
		sign = -1
		slices.Reverse(sorted)
	}
	e := Estimate{Count: n, Mean: sorted[max(0, int(math.Ceil(t.Share*float64(n)-RoundingSlack))-1)], SD: math.NaN(), Low: math.NaN(), High: math.NaN(), P: 1}
	if n < MinRepeats {
		return e
	}
	inside := lists.Where(values, func(v float64) bool { return t.Band.Contains(v, v) })
	e.P = distuv.Binomial{N: float64(n), P: t.Share}.CDF(float64(len(inside)))

	r := shareRanks.at(shareOf{t.Share, levelAndCount{t.Level, n}}, func() ranks { return ranksOf(t.Share, t.Level, n) })
	near, far, quantile := math.Inf(-int(sign)), e.Mean, e.Mean
	if r.near >= 0 {
		near = sorted[r.near]
	}
	if r.far < n {
		far = sorted[r.far]
	} else if e.Equal = (SkewTest{}).Equal(values); e.Equal {
		return e
	} else {
		var limit float64
		quantile, limit = r.tolerance(values, sign, t.Share)
		far = sign * max(sign*limit, sign*far)
	}
	e.Low, e.High = min(near, far), max(near, far)
	e.Mean = min(max(quantile, e.Low), e.High)
	e.Inside = t.Band.Contains(e.Low, e.High)
	return e
}

// shareOf is what limits of a share depend on.
type shareOf struct {
	share float64
	levelAndCount
}

// ranks are the limits of a quantile of n values: the near one is the value at this place in their
// order, from 0, and so is the far one; or it lies factor standard deviations from the mean of normal
// values where far is n. No value is the near one where near is -1.
type ranks struct {
	near, far int
	factor    float64
}

var shareRanks memory[shareOf, ranks]

// ranksOf are the limits of a level each.
func ranksOf(share, level float64, n int) ranks {
	law, r := distuv.Binomial{N: float64(n), P: share}, ranks{near: -1, far: n}
	for i := range n { // up to i values lie below the quantile
		switch below := law.CDF(float64(i)); {
		case below <= 1-level:
			r.near = i
		case below >= level:
			r.far = min(r.far, i)
		}
	}
	if r.far == n {
		r.factor = toleranceFactor(share, inner(1-level, n), n)
	}
	return r
}

// toleranceFactor is the k of which mean + k·sd of n normal values lies below the quantile of a
// share with a probability of wrong: that of Z + zs·√n > k√n·S, S the root of χ² over its n - 1
// degrees, here by the integral over Z. √n·k is a quantile of the noncentral t law.
func toleranceFactor(share, wrong float64, n int) float64 {
	root, chi := math.Sqrt(float64(n)), distuv.ChiSquared{K: float64(n - 1)}
	z := distuv.UnitNormal.Quantile(share) * root
	x := Bisect(0, 1, func(x float64) bool { // k = x/(1 - x)
		k := x / (1 - x) * root
		return quad.Fixed(func(y float64) float64 {
			s := (z + y) / k
			return distuv.UnitNormal.Prob(y) * chi.CDF(chi.K*s*s)
		}, math.Max(-9, -z), 9, 100, nil, 0) <= wrong
	})
	return x / (1 - x)
}

// tolerance are an estimate of the quantile and its far limit; sign is -1 for the share that lies
// above it. Where the limit of normal values has the factor k, this has k + γ(k² - 1)/6, which is
// the expansion of Cornish and Fisher for a skewness γ, at least 0.
func (r ranks) tolerance(values []float64, sign, share float64) (quantile, far float64) {
	back := func(y float64) float64 { return y }
	if slices.Min(values) > 0 {
		values, back = lists.Map(values, math.Log), math.Exp
	}
	e := MeanTest{Level: 0.5}.Estimate(values)
	g := sign * skewness(values, e.Mean, e.SD)
	hidden := max(0, g, shareWeight*g+shareFew/math.Sqrt(float64(e.Count)))
	k := r.factor + hidden*max(0, r.factor*r.factor-1)/6
	return back(e.Mean + sign*e.SD*distuv.UnitNormal.Quantile(share)), back(e.Mean + sign*e.SD*k)
}
