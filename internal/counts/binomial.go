package counts

import (
	"math"
	"math/rand/v2"
)

// Binomial draws from the binomial law of n ≤ 2⁵³ trials with success p: about 1.2
// tries of two uniform numbers where np and nq are 10 or more, else one uniform
// number and about np steps. Logarithms of probabilities are right to 1e-7 at n =
// 2⁵³, and to rounding for small n: differences from the mode are taken by log1p,
// where log-gamma functions would lose all digits.
//
// Reference: Hörmann, The generation of binomial random variates, Journal of
// Statistical Computation and Simulation 46 (1993), algorithm BTRS.
func Binomial(n, p float64, rng *rand.Rand) float64 {
	switch {
	case n < 1 || !(p > 0):
		return 0
	case p >= 1:
		return n
	case p > 0.5:
		return n - Binomial(n, 1-p, rng)
	case n*p < 10:
		return inverted(n, p, rng)
	}
	q := 1 - p
	deviation := math.Sqrt(n * p * q)
	b := 1.15 + 2.53*deviation
	a := -0.0873 + 0.0248*b + 0.01*p
	alpha := (2.83 + 5.1/b) * deviation
	surely := 0.92 - 4.2/b
	mode, whole := math.Floor((n+1)*p), math.Floor(n*p)
	part := math.FMA(n, p, -whole)
	for {
		u, v := rng.Float64()-0.5, rng.Float64()
		side := 0.5 - math.Abs(u)
		k := whole + math.Floor((2*a/side+b)*u+part+0.5) // in parts: of large numbers halves are lost
		switch {
		case !(k >= 0 && k <= n):
		case side >= 0.07 && v <= surely, math.Log(v*alpha/(a/(side*side)+b)) <= aboveMode(n, p/q, mode, k):
			return k
		}
	}
}

// aboveMode is log P(k) − log P(mode) at odds p/q.
func aboveMode(n, odds, mode, k float64) float64 {
	d := k - mode
	a, b := math.Log1p(d/(mode+1)), math.Log1p(-d/(n-mode+1))
	slope := math.Log1p((odds*(n-mode+1) - (mode + 1)) / (mode + 1))
	return d*slope - (k+0.5)*a - (n-k+0.5)*b + stirling(mode) + stirling(n-mode) - stirling(k) - stirling(n-k)
}

// stirling is log Γ(x+1) − (x+1/2)·log(x+1) + x + 1 − log(2π)/2.
func stirling(x float64) float64 {
	if x < 16 {
		whole, _ := math.Lgamma(x + 1)
		return whole - (x+0.5)*math.Log(x+1) + x + 1 - math.Log(2*math.Pi)/2
	}
	r := 1 / (x + 1)
	return r * (1./12 - r*r*(1./360-r*r/1260))
}

// inverted counts up from 0 until the probabilities reach a uniform number.
func inverted(n, p float64, rng *rand.Rand) float64 {
	odds := p / (1 - p)
	for {
		u, at := rng.Float64(), math.Exp(n*math.Log1p(-p))
		for k := 0.0; k <= n && at > 0; k++ {
			if u < at {
				return k
			}
			u -= at
			at *= (n - k) / (k + 1) * odds
		}
	}
}

// Multinomial adds to counts those of n independent points that lie on atom j with
// probability masses[j]/Σ masses: one binomial an atom.
func Multinomial(counts []float64, n float64, masses []float64, rng *rand.Rand) {
	rest := make([]float64, len(masses)+1) // from the end, so that small sums are exact
	for j := len(masses) - 1; j >= 0; j-- {
		rest[j] = rest[j+1] + masses[j]
	}
	for j, mass := range masses {
		if n == 0 {
			return
		}
		drawn := n
		if rest[j+1] > 0 {
			drawn = Binomial(n, mass/rest[j], rng)
		}
		counts[j] += drawn
		n -= drawn
	}
}
