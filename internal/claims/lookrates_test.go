package claims

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"mercer/internal/selection"
	"mercer/internal/theory"
	"mercer/results"
)

// growing is a claim of a kind whose truth lies on its very edge, judged on more and more
// repeats of one run.
type growing struct {
	kind, claim, truth string
	first              int // repeats of the first look; each further look has twice as many
	// draw makes as many repeats as there may be. The first of them are judged at a look.
	draw func(rng *rand.Rand, most int) (judge func(v Verdict, repeats int) Outcome)
}

// growingMean claims the mean of a shape.
func growingMean(kind, truth string, first int, s shape, relation string, on scale) growing {
	return growing{kind, relation + " its mean", truth, first, func(rng *rand.Rand, most int) func(Verdict, int) Outcome {
		values := make([]float64, most)
		for i := range values {
			values[i] = s.draw(rng)
		}
		b := band{relation: relation, value: s.mean}
		return func(v Verdict, repeats int) Outcome {
			return judgeCells(v, []cell{{band: b, values: values[:repeats]}}, on).Outcome
		}
	}}
}

func growingClaims() []growing {
	known := map[float64]map[int]ecdfLimits{} // by level
	edge := 2 * distuv.UnitNormal.Quantile(0.525)
	return []growing{
		{"slope", "<= -0.5", "n^-0.5, noise 0.1", 8, func(rng *rand.Rand, most int) func(Verdict, int) Outcome {
			all := simulate(rng, most, power(-0.5), normal(0.1))
			return func(v Verdict, repeats int) Outcome {
				c := curve{x: all.x, y: all.y[:repeats]}
				return judgeCurve(v, c, band{relation: "<=", value: -0.5}, 1).Outcome
			}
		}},
		growingMean("value", "normal repeats", 8, shapes[0], "<=", plainScale),
		growingMean("value", "χ² with 1 degree", 8, shapes[3], "<=", plainScale),
		growingMean("value", "χ² with 1 degree", 8, shapes[3], ">=", plainScale),
		growingMean("ratio", "ratio normal after log", 8, logShapes[0], "<=", logScale),
		growingMean("ratio", "ratio to 1 of χ² with 1 degree", 8, logShapes[2], ">=", logScale),
		growingMean("order", "the same at two n", 8, logShapes[0], "<=", logScale),
		{"dispersion", "<= 1", "1, independent", 8, func(rng *rand.Rand, most int) func(Verdict, int) Outcome {
			pairs := make([]pair, most)
			for i := range pairs {
				pairs[i] = pair{top: rng.NormFloat64(), bottom: rng.NormFloat64()}
			}
			return func(v Verdict, repeats int) Outcome {
				values, problem := spreadRatios(pairs[:repeats])
				return judgeCells(v, []cell{{values: values, problem: problem, band: band{relation: "<="}}}, spreadScale).Outcome
			}
		}},
		{"distribution", "N(0, 1) within 0.05", "N(0.1254, 1), at distance 0.05", 25, func(rng *rand.Rand, most int) func(Verdict, int) Outcome {
			values := make([]float64, most)
			for i := range values {
				values[i] = edge + rng.NormFloat64()
			}
			return func(v Verdict, repeats int) Outcome {
				if known[v.Level] == nil {
					known[v.Level] = map[int]ecdfLimits{}
				}
				test := lawTest{law: distuv.UnitNormal, within: 0.05, level: v.Level, known: known[v.Level]}
				return judgeCells(v, []cell{{band: test.band(), test: test, values: values[:repeats]}}, plainScale).Outcome
			}
		}},
		{"bound", "δ = 0.05", "holds with probability 0.95", 61, func(rng *rand.Rand, most int) func(Verdict, int) Outcome {
			inside := evaluation{&theory.Setting{}, answer{bound: theory.Bound{Upper: 0.95, Lower: math.Inf(-1)}}}
			all := boundCell{readings: make([]selection.Reading, most), evaluations: slices.Repeat([]evaluation{inside}, most)}
			for i := range most {
				all.readings[i].Value = rng.Float64()
			}
			return func(v Verdict, repeats int) Outcome {
				v.Target = 0.95
				return judgeCoverage(v, []boundCell{{readings: all.readings[:repeats], evaluations: all.evaluations[:repeats]}}).Outcome
			}
		}},
	}
}

// decided is the outcome of the first look that decides a run, and its number.
func (g growing) decided(rng *rand.Rand, looks int, number func(int) look) (Outcome, int) {
	judge := g.draw(rng, g.first<<(looks-1))
	for at := range looks {
		v := newVerdict(nil, "", 0.95, number(at))
		v.Over = "n"
		if o := judge(v, g.first<<at); o != Inconclusive {
			return o, at
		}
	}
	return Inconclusive, looks
}

// rates are how often a claim is decided in up to 1, 2, … looks.
func (g growing) rates(trials, looks int, number func(int) look) (holds, violated []float64) {
	rng := rand.New(rand.NewPCG(7, 11))
	holds, violated = make([]float64, looks), make([]float64, looks)
	for range trials {
		o, at := g.decided(rng, looks, number)
		for ; at < looks; at++ {
			switch o {
			case Holds:
				holds[at] += 1 / float64(trials)
			case Violated:
				violated[at] += 1 / float64(trials)
			}
		}
	}
	return holds, violated
}

const lookTrials = 2000

func unplanned(number int) look { return lookAfter(number, nil) }
func planned(number int) look   { return look{planned: number + 1} }

// plannedAfter are looks of which nobody has planned the first, and all others are.
func plannedAfter(first int) func(number int) look {
	return func(number int) look {
		if number < first {
			return unplanned(number)
		}
		return look{unplanned(first).left, number - first + 1}
	}
}

// unplannedAfter are looks that follow so many planned ones.
func unplannedAfter(first int) func(number int) look {
	return func(number int) look {
		if number < first {
			return planned(number)
		}
		return lookAfter(number-first, []results.PlannedLooks{{At: make([]int, first)}})
	}
}

// ways are those in which looks may follow each other.
var ways = map[string]func(int) look{
	"planned": planned, "unplanned": unplanned, "one unplanned, then planned": plannedAfter(1),
	"two unplanned, then planned": plannedAfter(2), "two planned, then unplanned": unplannedAfter(2),
}

// However many looks there are, verdicts of every kind are wrong no more often than is
// promised, up to two standard errors of 2000 runs: 0.97 % and 0.45 %. A rate that is as
// promised exceeds that in 2.3 % of seeds; first looks have 0.9 times what is promised, and
// looks are dependent, so that it lies lower.
func TestLooks(t *testing.T) {
	const looks = 6
	for i, g := range growingClaims() {
		t.Run(g.kind+" "+g.claim+" "+g.truth, func(t *testing.T) {
			t.Parallel()
			for name, number := range ways {
				if i > 0 && name != "planned" && name != "one unplanned, then planned" {
					continue // the others spend less after the first look
				}
				holds, violated := g.rates(lookTrials, looks, number)
				for k := range looks {
					if holds[k] > 0.05+2*math.Sqrt(0.05*0.95/lookTrials) || violated[k] > 0.01+2*math.Sqrt(0.01*0.99/lookTrials) {
						t.Errorf("%d looks, %s: holds %.4f, at most 0.05 is right; violated %.4f, at most 0.01", k+1, name, holds[k], violated[k])
					}
				}
			}
		})
	}
}

// The level of one look at each of six, which is what TestLooks is there to find.
func TestLooksAtOneLevel(t *testing.T) {
	g := growingClaims()[0]
	holds, violated := g.rates(500, 6, func(int) look { return look{} })
	if last := len(holds) - 1; holds[last] < 0.1 && violated[last] < 0.02 {
		t.Errorf("holds %.4f, violated %.4f: the simulation does not tell", holds[last], violated[last])
	}
}

// The levels of all looks add up to what is promised, and none is above that.
func TestLevelsAdd(t *testing.T) {
	const looks = 1000 // after so many, 1/1001 is left of planned ones
	for _, confidence := range []float64{0, 0.9, 0.95} {
		for name, number := range ways {
			whole, hold, violate := confidence, 0.0, 0.0
			if whole == 0 {
				whole = 0.95
			}
			for at := range looks {
				l := number(at).levels(confidence)
				hold, violate = hold+1-l.confidence, violate+l.violated
			}
			if math.Abs(hold/(1-whole)-1) > 1.001e-3 || math.Abs(violate/0.01-1) > 1.001e-3 || hold > (1-whole)*(1+1e-9) {
				t.Errorf("%s, confidence %g: wrong holds %v and violated %v over %d looks", name, confidence, hold, violate, looks)
			}
		}
	}
}

// lookRows are growing claims at 1, 2, 4 and 6 planned looks; the other rows have one that is not planned.
func lookRows() []characteristic {
	var rows []characteristic
	for i := range growingClaims() {
		for _, looks := range []int{1, 2, 4, 6} {
			g := growingClaims()[i] // of its own: rows run side by side
			truth := fmt.Sprintf("%s; planned looks: %d, from %d", g.truth, looks, g.first)
			rows = append(rows, characteristic{kind: g.kind, claim: g.claim, truth: truth, repeats: g.first << (looks - 1), right: rightNeither,
				trial: func(rng *rand.Rand) Outcome { o, _ := g.decided(rng, looks, planned); return o }})
		}
	}
	for _, looks := range []int{1, 2, 4, 6} {
		off := shapes[0] // by half a standard deviation from what is claimed
		off.mean = 0.5
		rows = append(rows, characteristic{kind: "value", claim: "<= its mean +0.5", truth: fmt.Sprintf("normal repeats; planned looks: %d, from 8", looks), repeats: 8 << (looks - 1), right: rightHolds,
			trial: func(rng *rand.Rand) Outcome {
				o, _ := growingMean("value", "", 8, off, "<=", plainScale).decided(rng, looks, planned)
				return o
			}})
	}
	return rows
}
