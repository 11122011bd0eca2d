package claims

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/combin"
	"gonum.org/v1/gonum/stat/distuv"

	"mercer/configs"
	"mercer/internal/selection"
)

// distribution judges the law of a quantity over repeats, in each cell: the
// Kolmogorov–Smirnov distance sup|F - F0| of its distribution function F to the
// claimed F0 against within.
func (j *judge) distribution(c configs.Claim) ([]Verdict, error) {
	return j.eachGroup(c, nil, func(v Verdict, g selection.Group, q *selection.Quantity) Verdict {
		return j.distributionOf(v, g, q, *c.Distribution)
	})
}

func (j *judge) distributionOf(v Verdict, g selection.Group, q *selection.Quantity, c configs.Distribution) Verdict {
	readings, ok := j.readings(&v, g, q)
	if !ok {
		return v
	}
	known := map[int]ecdfLimits{}
	cells, d := j.sampleCells(g, readings, func(e selection.Environment, one *cell) Doubt {
		test, err := lawTestOf(c, e, v.Level, known)
		if err != nil {
			return Doubt{err.Error(), correct}
		}
		one.band, one.test = test.band(), test
		return Doubt{}
	})
	if d.Any() {
		return inconclusive(v, d)
	}
	return judgeCells(v, cells, scale{show: plainScale.show, what: "KS distance"})
}

// lawTestOf evaluates what a claim says of one cell.
func lawTestOf(c configs.Distribution, e selection.Environment, level float64, known map[int]ecdfLimits) (lawTest, error) {
	t := lawTest{law: distuv.UnitNormal, level: level, known: known}
	for _, p := range []struct {
		from *configs.Value
		to   *float64
	}{{c.Mean, &t.law.Mu}, {c.SD, &t.law.Sigma}, {c.Within, &t.within}} {
		if p.from == nil {
			continue
		}
		var err error
		if *p.to, err = e.Eval(p.from); err != nil {
			return t, err
		}
	}
	switch {
	case t.law.Sigma <= 0:
		return t, fmt.Errorf("sd is %g, which is not positive", t.law.Sigma)
	case t.within <= 0 || t.within >= 1:
		return t, fmt.Errorf("within is %g, which does not lie between 0 and 1", t.within)
	}
	return t, nil
}

// lawTest compares the Kolmogorov–Smirnov distance Δ = sup|F - law| with within.
//
// The estimate is D, the distance of the empirical distribution function. Its
// upper limit is the largest distance of law to the pointwise Clopper–Pearson
// limits of F: were Δ at least within, there would be one point where F is that
// far from law, and there alone the limit must fail. So it fails with
// probability at most 1-level, without a price for the many points; it is about
// 0.6 times as far from D as the Dvoretzky–Kiefer–Wolfowitz inequality, which
// holds at all points at once. Its lower limit, and the p of "Δ <= within", come
// from D <= Δ + sup|Fn - F| and the exact law of the latter (for a continuous F;
// ties make it smaller, which is on the safe side).
type lawTest struct {
	law    distuv.Normal
	within float64
	level  float64
	known  map[int]ecdfLimits // by the number of values
}

func (t lawTest) band() band { return band{relation: "<=", value: t.within} }

func (t lawTest) estimate(values []float64) estimate {
	n := len(values)
	e := estimate{count: n, sd: math.NaN(), low: math.NaN(), high: math.NaN(), p: 1}
	f := make([]float64, n+2) // law at the ordered values, between 0 and 1
	for i, x := range slices.Sorted(slices.Values(values)) {
		f[i+1] = t.law.CDF(x)
	}
	f[n+1] = 1
	for i := range n + 1 {
		share := float64(i) / float64(n)
		e.mean = max(e.mean, share-f[i], f[i+1]-share)
	}
	if n < MinRepeats {
		return e
	}
	limits := t.limits(n)
	e.high = 0
	for i, at := range limits.pointwise { // i values lie below any point between values i and i+1
		e.high = max(e.high, at.high-f[i], f[i+1]-at.low)
	}
	e.low = max(0, e.mean-limits.uniform)
	e.inside = e.high <= t.within
	if e.mean > t.within {
		e.p = ksSurvival(n, e.mean-t.within)
	}
	return e
}

// lostP: a share of lost values moves the empirical distribution function by no
// more than that share, anywhere.
func (t lawTest) lostP(e estimate, lost int) float64 {
	all := e.count + lost
	return ksSurvival(all, e.mean-float64(lost)/float64(all)-t.within)
}

// ecdfLimits are the limits of a distribution function that do not depend on the
// values: pointwise where i = 0 ... n of n values lie below, and uniform.
type ecdfLimits struct {
	pointwise []struct{ low, high float64 }
	uniform   float64
}

// limits computes the limits for n values once.
func (t lawTest) limits(n int) ecdfLimits {
	if l, known := t.known[n]; known {
		return l
	}
	l := ecdfLimits{uniform: ksQuantile(n, t.level)}
	for i := range n + 1 {
		l.pointwise = append(l.pointwise, struct{ low, high float64 }{lowerLimit(i, n, t.level), upperLimit(i, n, t.level)})
	}
	t.known[n] = l
	return l
}

// needed takes the distance for what it is where the sample contradicts law, and
// else for chance, which falls with the root of the number of repeats n. The
// upper limit is taken at the median, where it is widest: z/(2√n) away, and 1/n
// for the step of the empirical distribution function. The p comes from the
// inequality of Dvoretzky, Kiefer and Wolfowitz.
func (t lawTest) needed(e estimate, at levels, cells int) int {
	z := distuv.UnitNormal.Quantile(at.confidence) / 2
	room := t.within
	switch {
	case ksSurvival(e.count, e.mean) > 1-at.confidence:
		z += e.mean * math.Sqrt(float64(e.count))
	case e.mean <= t.within:
		room -= e.mean
	default:
		return int(math.Min(math.Ceil(math.Log(2*float64(cells)/at.violated)/2/math.Pow(e.mean-t.within, 2)), maxRepeats+1))
	}
	root := (z + math.Sqrt(z*z+4*room)) / (2 * room) // of room = z/√n + 1/n
	return int(math.Min(math.Ceil(root*root), maxRepeats+1))
}

// ksSurvival is the probability that the empirical distribution function of n
// independent values from a continuous law is farther than d from it: twice that
// of being too far above it, which counts runs that are too far on both sides
// double. For the small p that decide, of which that is p⁴/8, it is exact. O(n).
//
// Reference: Birnbaum & Tingey, One-sided confidence contours for probability
// distribution functions, Ann. Math. Statist. 22 (1951), eq 2.2.
func ksSurvival(n int, d float64) float64 {
	if d <= 0 {
		return 1
	}
	if d >= 1 {
		return 0
	}
	size := float64(n)
	sum := 0.0
	for k := 0; float64(k) < size*(1-d); k++ {
		at := d + float64(k)/size
		sum += math.Exp(combin.LogGeneralizedBinomial(size, float64(k)) +
			float64(k-1)*math.Log(at) + float64(n-k)*math.Log1p(-at))
	}
	return math.Min(1, 2*d*sum)
}

// ksQuantile is the distance that ksSurvival gives 1-level.
func ksQuantile(n int, level float64) float64 {
	return bisect(0, 1, func(d float64) bool { return ksSurvival(n, d) <= 1-level })
}

// detectable is the distance above which the p of the test of n values is below alpha with
// chance detectedRate or more. At the point where F is that far from law, the empirical
// distribution function has a standard deviation of at most 1/(2√n).
func (t lawTest) detectable(n int, alpha float64) *Detectable {
	if n < MinRepeats {
		return nil
	}
	high := t.within + ksQuantile(n, 1-alpha) + distuv.UnitNormal.Quantile(detectedRate)/2/math.Sqrt(float64(n))
	if high >= 1 {
		return nil
	}
	return &Detectable{High: &high}
}
