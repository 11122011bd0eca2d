package claims

import (
	"math"
	"math/rand/v2"
	"testing"
)

const trials = 2000

// above and below allow for the simulation's own error: four standard
// deviations of a binomial frequency over the trials. A rate that is truly as
// stated is found outside with probability below 1e-4 (seeds are fixed, so this
// is how lucky a seed would have to be); a rate twice as high as a stated 2.5 %
// or 5 % is found out almost surely.
func above(rate float64) float64 { return rate + 4*math.Sqrt(rate*(1-rate)/trials) }

func normal(sd float64) func(*rand.Rand) float64 {
	return func(rng *rand.Rand) float64 { return sd * rng.NormFloat64() }
}

// skewed is the log of 1 + 0.3·χ²: the mean part of a reconstruction error
// fluctuates like that.
func skewed(rng *rand.Rand) float64 {
	z := rng.NormFloat64()
	return math.Log1p(0.3 * z * z)
}

func simulate(rng *rand.Rand, repeats int, mean func(x float64) float64, noise func(*rand.Rand) float64) curve {
	c := curve{x: []float64{250, 500, 1000, 2000, 4000}}
	for range repeats {
		row := make([]float64, len(c.x))
		for k, x := range c.x {
			row[k] = mean(x) * math.Exp(noise(rng))
		}
		c.y = append(c.y, row)
	}
	return c
}

func power(exponent float64) func(float64) float64 {
	return func(x float64) float64 { return math.Pow(x, exponent) }
}

// The operating characteristic of slope claims: n = 250 ... 4000 doubling, the
// claim -0.5 ± 0.08 or <= -0.5. The measured rates of holds and violated stand
// beside each row. Wherever "holds" is wrong it must be at most 2.5 % ("=") or
// 5 % ("<="), wherever "violated" is wrong at most 1 %.
func TestSlopeCharacteristic(t *testing.T) {
	equals := band{relation: "=", value: -0.5, within: 0.08, slack: roundingSlack}
	atMost := band{relation: "<=", value: -0.5, slack: roundingSlack}
	tests := []struct {
		name                     string
		truth                    func(float64) float64
		noise                    func(*rand.Rand) float64
		repeats                  int
		band                     band
		maxHolds, maxViolated    float64 // rates that may not be exceeded
		leastHolds, leastViolate float64 // power that is expected
	}{
		{"exact", power(-0.5), normal(0.1), 30, equals, 1, 0.01, 0.98, 0},                      // 0.99, 0
		{"off by 0.05, still inside", power(-0.45), normal(0.1), 30, equals, 1, 0.01, 0.85, 0}, // 0.91, 0
		{"on the upper edge", power(-0.42), normal(0.1), 30, equals, 0.025, 0.01, 0, 0},        // 0.026, 0.001
		{"on the lower edge", power(-0.58), normal(0.1), 30, equals, 0.025, 0.01, 0, 0},        // 0.026, 0.002
		{"off by 0.1", power(-0.4), normal(0.1), 30, equals, 0.025, 1, 0, 0.03},                // 0, 0.06: only 0.02 outside of the band
		{"off by 0.1, precise", power(-0.4), normal(0.05), 30, equals, 0.025, 1, 0, 0.7},       // 0, 0.81
		{"off by 0.2", power(-0.3), normal(0.1), 30, equals, 0.025, 1, 0, 0.9},                 // 0, 0.95
		{"off by -0.2", power(-0.7), normal(0.1), 30, equals, 0.025, 1, 0, 0.9},                // 0, 0.97
		{"exact, 3 repeats", power(-0.5), normal(0.05), 3, equals, 1, 0.01, 0.5, 0},            // 0.76, 0
		{"edge, 3 repeats", power(-0.42), normal(0.05), 3, equals, 0.025, 0.01, 0, 0},          // 0.018, 0
		{"exact, skewed noise", power(-0.5), skewed, 30, equals, 1, 0.01, 0.7, 0},              // 0.85, 0
		{"edge, skewed noise", power(-0.42), skewed, 30, equals, 0.025, 0.01, 0, 0},            // 0.019, 0
		{"one-sided, on the edge", power(-0.5), normal(0.1), 30, atMost, 0.05, 0.01, 0, 0},     // 0.051, 0
		{"one-sided, faster", power(-0.6), normal(0.1), 30, atMost, 1, 0.01, 0.95, 0},          // 1, 0
		{"one-sided, slower", power(-0.3), normal(0.1), 30, atMost, 0.05, 1, 0, 0.9},           // 0, 0.96

		{"noise floor", func(x float64) float64 { return 1/math.Sqrt(x) + 0.01 }, normal(0.1), 30, equals, 0.025, 0.01, 0, 0},                // 0, 0.008
		{"high noise floor, precise", func(x float64) float64 { return 1/math.Sqrt(x) + 0.05 }, normal(0.05), 30, equals, 0.025, 0.01, 0, 0}, // 0, 0.009
		{"log factor", func(x float64) float64 { return math.Log(x) / math.Sqrt(x) }, normal(0.05), 30, equals, 0.025, 0.01, 0, 0},           // 0, 0.011
		{"shift", func(x float64) float64 { return 1 / math.Sqrt(x+1000) }, normal(0.1), 30, equals, 0.025, 0.01, 0, 0},                      // 0, 0.001
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := rates(trials, func(rng *rand.Rand) Outcome {
				return judgeCurve(Verdict{Level: 0.95}, simulate(rng, tt.repeats, tt.truth, tt.noise), tt.band, 1).Outcome
			}, uint64(i))
			t.Logf("holds %.4f, violated %.4f, inconclusive %.4f", got[Holds], got[Violated], got[Inconclusive])
			if got[Holds] > above(tt.maxHolds) || got[Violated] > above(tt.maxViolated) {
				t.Errorf("holds %.4f, at most %g is right; violated %.4f, at most %g", got[Holds], tt.maxHolds, got[Violated], tt.maxViolated)
			}
			if got[Holds] < tt.leastHolds || got[Violated] < tt.leastViolate {
				t.Errorf("holds %.4f, at least %g is expected; violated %.4f, at least %g", got[Holds], tt.leastHolds, got[Violated], tt.leastViolate)
			}
		})
	}
}

// The operating characteristic of claims over cells: 10 cells, the claim that
// each mean log-ratio is at most log 1.25, noise of 20 % in each pair.
func TestCellsCharacteristic(t *testing.T) {
	edge := math.Log(1.25)
	b := band{relation: "<=", value: edge, slack: roundingSlack}
	within := func(first, others float64) []float64 {
		means := []float64{first}
		for range 9 {
			means = append(means, others)
		}
		return means
	}
	tests := []struct {
		name                     string
		means                    []float64
		repeats                  int
		maxHolds, maxViolated    float64
		leastHolds, leastViolate float64
	}{
		{"one cell on the edge", within(edge, 0), 20, 0.05, 0.01, 0.03, 0},        // 0.047, 0.001: holds as often as intersection–union allows
		{"all cells on the edge", within(edge, edge), 20, 0.05, 0.01, 0, 0.001},   // 0, 0.011: violated as often as Holm allows
		{"all on the edge, 3 repeats", within(edge, edge), 3, 0.05, 0.01, 0, 0},   // 0, 0.012
		{"all inside", within(0, 0), 20, 1, 0.01, 0.95, 0},                        // 0.99, 0
		{"one cell outside", within(edge+0.2, 0), 20, 0.05, 1, 0, 0.8},            // 0, 0.80
		{"one cell a little outside", within(edge+0.02, 0), 20, 0.05, 1, 0, 0},    // 0.023, 0.001
		{"all a little outside", within(edge+0.1, edge+0.1), 20, 0.05, 1, 0, 0.5}, // 0, 0.76
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := rates(trials, func(rng *rand.Rand) Outcome {
				cells := make([]cell, len(tt.means))
				for k, mean := range tt.means {
					cells[k] = cell{band: b}
					for range tt.repeats {
						cells[k].values = append(cells[k].values, mean+0.2*rng.NormFloat64())
					}
				}
				return judgeCells(Verdict{Level: 0.95}, cells, logScale).Outcome
			}, uint64(100+i))
			t.Logf("holds %.4f, violated %.4f, inconclusive %.4f", got[Holds], got[Violated], got[Inconclusive])
			if got[Holds] > above(tt.maxHolds) || got[Violated] > above(tt.maxViolated) {
				t.Errorf("holds %.4f, at most %g is right; violated %.4f, at most %g", got[Holds], tt.maxHolds, got[Violated], tt.maxViolated)
			}
			if got[Holds] < tt.leastHolds || got[Violated] < tt.leastViolate {
				t.Errorf("holds %.4f, at least %g is expected; violated %.4f, at least %g", got[Holds], tt.leastHolds, got[Violated], tt.leastViolate)
			}
		})
	}
}

// The two-sided band of a value: 0.3 ± 0.1 with noise 0.2.
func TestValueCharacteristic(t *testing.T) {
	b := band{relation: "=", value: 0.3, within: 0.1, slack: 1e-9}
	for i, tt := range []struct {
		mean                  float64
		maxHolds, maxViolated float64
		leastHolds, least     float64
	}{
		{0.3, 1, 0.01, 0.7, 0},    // 0.76, 0
		{0.4, 0.025, 0.005, 0, 0}, // 0.026, 0.003
		{0.2, 0.025, 0.005, 0, 0}, // 0.024, 0.005
		{0.6, 0.025, 1, 0, 0.95},  // 0, 1
		{0.45, 0.025, 1, 0, 0.1},  // 0.001, 0.14
	} {
		got := rates(trials, func(rng *rand.Rand) Outcome {
			c := cell{band: b}
			for range 40 {
				c.values = append(c.values, tt.mean+0.2*rng.NormFloat64())
			}
			return judgeCells(Verdict{Level: 0.95}, []cell{c}, plainScale).Outcome
		}, uint64(200+i))
		t.Logf("mean %g: holds %.4f, violated %.4f", tt.mean, got[Holds], got[Violated])
		if got[Holds] > above(tt.maxHolds) || got[Violated] > above(tt.maxViolated) || got[Holds] < tt.leastHolds || got[Violated] < tt.least {
			t.Errorf("mean %g: %v", tt.mean, got)
		}
	}
}

// Values that were lost are imputed at either extreme; what that could change
// is not decided.
func TestEstimateWithLostValues(t *testing.T) {
	b := band{relation: "<=", value: 0}
	tests := []struct {
		name     string
		values   []float64
		lost     int
		want     Outcome
		decisive bool
	}{
		{"holds", []float64{-1, -1.1, -0.9, -1, -1.2}, 0, Holds, true},
		{"holds whatever was lost", []float64{-1, -1.1, -0.9, -1, -1.2}, 2, Holds, true},
		{"would hold", []float64{-1, -0.1, -1, -0.9, -1.1, -1.2}, 0, Holds, true},
		{"would no longer hold", []float64{-1, 0.5, -1, -0.9, -1.1, -1.2}, 6, Inconclusive, false},
		{"violated", []float64{1, 1.1, 0.9, 1, 1.2}, 0, Violated, true},
		{"violated whatever was lost", []float64{1, 1.1, 0.9, 1, 1.2}, 2, Violated, true},
		{"barely violated", []float64{1, -0.1, 1, 0.9, 1.1, 1.2}, 0, Violated, true},
		{"no longer violated", []float64{1, -0.1, 1, 0.9, 1.1, 1.2}, 6, Inconclusive, false},
		{"too few", []float64{-1, -1}, 0, Inconclusive, true},
	}
	for _, tt := range tests {
		e := estimateOf(meanTest{b, 0.95}, tt.values, tt.lost)
		if got := e.outcome(e.p); got != tt.want || e.decisive != tt.decisive {
			t.Errorf("%s: %s (decisive %v), want %s (%v); %+v", tt.name, got, e.decisive, tt.want, tt.decisive, e)
		}
	}
}
