package claims

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"mercer/configs"
)

// powerTrials and four standard errors of a frequency of 80 % in so many: with other
// seeds a right program fails one of these tests in 6e-5 of cases.
const powerTrials = 2000

var powerSlack = slack(detectedRate, powerTrials)

// A mean that truly lies at the detectable alternative of the true spread is violated
// in 80 % of runs, and one half as far from the edge in far fewer.
func TestDetectableMean(t *testing.T) {
	for _, test := range []struct {
		relation string
		repeats  int
		tail     tail
	}{
		{"<=", 3, tail{}}, {"<=", 30, tail{}}, {">=", 8, tail{}}, {"=", 8, tail{}},
		{"<=", 5, plainTail}, {">=", 8, plainTail}, {"=", 20, plainTail}, {"<=", 60, plainTail}, {"<=", 5, logTail}, {"=", 30, logTail},
	} {
		b := band{relation: test.relation, value: 2, slack: 1e-12}
		if test.relation == "=" {
			b.within = 0.5
		}
		d := detectable(b, test.tail, estimate{count: test.repeats, sd: 0.7}, violatedP, plainScale.show)
		end, edge := d.High, b.high()
		if test.relation == ">=" {
			end, edge = d.Low, b.low()
		}
		for _, at := range []struct{ truth, least, most float64 }{
			{*end, detectedRate - powerSlack, detectedRate + powerSlack}, {(*end + edge) / 2, 0, 0.5},
		} {
			if rate := violatedRate(skewTest{meanTest{b, 0.95}, test.tail, false}, test.repeats, at.truth, 0.7); rate < at.least || rate > at.most {
				t.Errorf("%s, %d repeats, %v, mean %.3f: violated in %.3f; want %.3f to %.3f", test.relation, test.repeats, test.tail, at.truth, rate, at.least, at.most)
			}
		}
	}
}

// violatedRate is how often normal numbers violate a band.
func violatedRate(test sampleTest, repeats int, mean, sd float64) float64 {
	rng, violated := stream(31), 0
	values := make([]float64, repeats)
	for range powerTrials {
		for i := range values {
			values[i] = mean + sd*rng.NormFloat64()
		}
		if estimateOf(test, values, 0, violatedP).p < violatedP {
			violated++
		}
	}
	return float64(violated) / powerTrials
}

// Slopes through judged points: the test rejects the detectable slope in 80 % of runs.
// What may explain a rejection away is left out; those verdicts tell the p in words.
func TestDetectableSlope(t *testing.T) {
	const repeats, noise = 12, 0.1
	xs := fiveSizes
	var mean, squares float64
	for _, x := range xs {
		mean += math.Log(x) / float64(len(xs))
	}
	for _, x := range xs {
		squares += (math.Log(x) - mean) * (math.Log(x) - mean)
	}
	b := band{relation: "<=", value: -0.5, slack: roundingSlack}
	truth := *detectable(b, tail{}, estimate{count: repeats, sd: noise / math.Sqrt(squares)}, violatedP, plainScale.show).High
	rng, rejected := stream(32), 0
	for range powerTrials {
		c := curve{x: xs, y: make([][]float64, repeats)}
		for r := range c.y {
			for _, x := range xs {
				c.y[r] = append(c.y[r], math.Pow(x, truth)*math.Exp(noise*rng.NormFloat64()))
			}
		}
		if estimateOf(meanTest{b, 0.95}, fitPower(c).slopes, 0, violatedP).p < violatedP {
			rejected++
		}
	}
	if rate := float64(rejected) / powerTrials; math.Abs(rate-detectedRate) > powerSlack {
		t.Errorf("slope %.4f is rejected in %.3f of runs; want 0.8", truth, rate)
	}
}

// At many repeats the t test is that of the normal law: z(1 − alpha) + z(0.8).
func TestNoncentrality(t *testing.T) {
	normal := distuv.UnitNormal.Quantile(1-violatedP) + distuv.UnitNormal.Quantile(detectedRate)
	if got := (tail{}).noncentrality(violatedP, 100_001); math.Abs(got-normal) > 0.01 {
		t.Errorf("%g; the normal law has %g", got, normal)
	}
}

// Every kind that tests a mean says what it would have detected: by cell the worst,
// at the level that Holm's correction leaves it; and nothing where it does not apply.
func TestDetectableOfVerdicts(t *testing.T) {
	v := one(t, slopeClaim(configs.Slope{AtMost: num("-0.4")}), powerRun(-0.5, 0.1, 10))
	if v.Detectable == nil || v.Detectable.Low != nil || *v.Detectable.High <= -0.4 || *v.Detectable.High > -0.2 {
		t.Errorf("slope: %s", ends(v.Detectable))
	}
	v = one(t, slopeClaim(configs.Slope{Equals: num("-0.5"), Within: num("0.1")}), powerRun(-0.5, 0.1, 10))
	if d := v.Detectable; d == nil || math.Abs(*d.Low+*d.High+1) > 1e-9 {
		t.Errorf("an interval about -0.5: %s", ends(d))
	}
	one1, many := band{relation: "<=", value: math.Log(2)}, estimate{count: 10, sd: 0.3}
	if a, b := detectable(one1, tail{}, many, violatedP, math.Exp), detectable(one1, tail{}, many, violatedP/20, math.Exp); a.Low != nil || *a.High <= 2 || *b.High <= *a.High {
		t.Errorf("ratio: %s, of 20 cells %s", ends(a), ends(b))
	}
	if d := detectable(one1, tail{}, estimate{count: 2, sd: math.NaN()}, violatedP, math.Exp); d != nil {
		t.Errorf("2 repeats: %s", ends(d))
	}
}

func ends(d *Detectable) string {
	if d == nil {
		return "none"
	}
	text := ""
	for _, end := range []*float64{d.Low, d.High} {
		if end == nil {
			text += "[none]"
		} else {
			text += fmt.Sprintf("[%g]", *end)
		}
	}
	return text
}

// Bounds, distributions and records judged one by one are violated at the detectable
// alternative in 80 % of runs, and a bound half as far from its edge in fewer; a
// distribution in 80 % or more, since a distance is not seen at its point alone. Frequencies
// of 2000 runs, as above.
func TestDetectableCounts(t *testing.T) {
	const n = 60
	rate := func(violated func(rng *rand.Rand) bool) float64 {
		rng, count := stream(33), 0
		for range powerTrials {
			if violated(rng) {
				count++
			}
		}
		return float64(count) / powerTrials
	}
	b := band{relation: ">=", value: 0.95}
	covers := func(truth float64) float64 {
		return rate(func(rng *rand.Rand) bool {
			inside := 0
			for range n {
				if rng.Float64() < truth {
					inside++
				}
			}
			return coverage{inside: inside, outside: n - inside}.p(b) < violatedP
		})
	}
	low := *detectableCoverage(b, n, violatedP).Low
	if at, half := covers(low), covers((low+b.value)/2); math.Abs(at-detectedRate) > powerSlack || half > 0.6 {
		t.Errorf("coverage %.3f is rejected in %.3f of runs, want 0.8; half as far in %.3f", low, at, half)
	}
	if d := detectableCoverage(b, 3, 1e-5); d != nil {
		t.Errorf("3 repeats contradict 95 %% at p = 1e-5: %s", ends(d))
	}

	law := lawTest{law: distuv.UnitNormal, within: 0.1, level: 0.95, known: map[int]ecdfLimits{}}
	high := *law.detectable(n, violatedP).High
	shift := 2 * distuv.UnitNormal.Quantile((1+high)/2) // of a normal law at that distance
	if at := rate(func(rng *rand.Rand) bool {
		values := make([]float64, n)
		for i := range values {
			values[i] = shift + rng.NormFloat64()
		}
		return law.estimate(values).p < violatedP
	}); at < detectedRate-powerSlack {
		t.Errorf("distance %.3f is rejected in %.3f of runs; want 0.8 or more", high, at)
	}
	if high > 0.1+2*ksQuantile(n, 1-violatedP) {
		t.Errorf("distance %.3f: no alternative near the claim", high)
	}

	share := *detectableShare(n).Share
	if at := 1 - math.Pow(1-share, n); math.Abs(at-detectedRate) > 1e-12 {
		t.Errorf("a share of %.3f is seen with chance %.3f", share, at)
	}
}
