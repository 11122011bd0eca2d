package claims

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"mercer/internal/inference"
	"mercer/internal/powerlaw"
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

// growingSlope claims the slope of a curve.
func growingSlope(truth string, mean func(float64) float64, draw noise, b inference.Band) growing {
	return growing{"slope", claimed(b, plainScale.show), truth, 8, func(rng *rand.Rand, most int) func(Verdict, int) Outcome {
		all := simulate(rng, most, mean, draw)
		return func(v Verdict, repeats int) Outcome {
			return judgeCurve(v, groupCurve{Curve: powerlaw.Curve{X: all.X, Y: all.Y[:repeats]}}, b).Outcome
		}
	}}
}

// growingMean claims the mean of a shape.
func growingMean(kind, truth string, first int, s shape, relation string, on scale) growing {
	return growing{kind, relation + " its mean", truth, first, func(rng *rand.Rand, most int) func(Verdict, int) Outcome {
		values := make([]float64, most)
		for i := range values {
			values[i] = s.draw(rng)
		}
		b := inference.Band{Relation: relation, Value: s.mean}
		return func(v Verdict, repeats int) Outcome {
			return judgeCells(v, []cell{{band: b, values: values[:repeats]}}, on).Outcome
		}
	}}
}

// growingSpread claims that a standard deviation is at most another, at laws of these numbers.
func growingSpread(top, bottom int) growing {
	of := func(rng *rand.Rand, i int) float64 { return laws[i].draw(rng) / deviations[i] }
	return growing{"dispersion", "<= 1", "1, " + laws[top].name + " over " + laws[bottom].name, 8, func(rng *rand.Rand, most int) func(Verdict, int) Outcome {
		pairs := make([][2]float64, most)
		for i := range pairs {
			pairs[i] = [2]float64{of(rng, top), of(rng, bottom)}
		}
		return func(v Verdict, repeats int) Outcome {
			next := -1
			return spreadOutcome(v, repeats, func() (float64, float64) { next++; return pairs[next][0], pairs[next][1] })
		}
	}}
}

func growingClaims() []growing {
	edge := 2 * distuv.UnitNormal.Quantile(0.525)
	return []growing{
		growingSlope("n^-0.5, noise 0.1", power(-0.5), normal(0.1), inference.Band{Relation: "<=", Value: -0.5}),
		growingMean("value", "normal repeats", 8, shapes[0], "<=", plainScale),
		growingMean("value", "χ² with 1 degree", 8, shapes[3], "<=", plainScale),
		growingMean("value", "χ² with 1 degree", 8, shapes[3], ">=", plainScale),
		growingMean("ratio", "ratio normal after log", 8, logShapes[0], "<=", logScale),
		growingMean("ratio", "ratio to 1 of χ² with 1 degree", 8, logShapes[2], ">=", logScale),
		growingMean("order", "the same at two n", 8, logShapes[0], "<=", logScale),
		growingSpread(0, 0),
		{"distribution", "N(0, 1) within 0.05", "N(0.1254, 1), at distance 0.05", 25, func(rng *rand.Rand, most int) func(Verdict, int) Outcome {
			values := make([]float64, most)
			for i := range values {
				values[i] = edge + rng.NormFloat64()
			}
			return func(v Verdict, repeats int) Outcome {
				test := inference.DistanceTest{Law: distuv.UnitNormal, Within: 0.05, Level: v.Level}
				return judgeCells(v, []cell{{band: test.Band(), test: test, values: values[:repeats]}}, plainScale).Outcome
			}
		}},
		{"bound", "δ = 0.05", "holds with probability 0.95", 61, func(rng *rand.Rand, most int) func(Verdict, int) Outcome {
			all := make([]*boundRepeat, most)
			for i := range all {
				all[i] = &boundRepeat{Reading: results.Reading{Value: rng.Float64()}, bound: theory.Bound{Upper: 0.95, Lower: math.Inf(-1)}}
			}
			return func(v Verdict, repeats int) Outcome {
				v.Target = 0.95
				return judgeCoverage(v, []boundCell{{repeats: all[:repeats]}}).Outcome
			}
		}},
	}
}

// furtherGrowingClaims are on their edge too: other relations, laws of repeats, and several
// cells.
func furtherGrowingClaims() []growing {
	slope := inference.Band{Relation: "=", Value: -0.5, Within: 0.08}
	list := []growing{
		growingSlope("n^-0.42, noise 0.1", power(-0.42), normal(0.1), slope),
		growingSlope("n^-0.42, nested noise 0.1", power(-0.42), nested(0.1), slope),
		growingSlope("n^-0.5, skewed noise", power(-0.5), skewed(), inference.Band{Relation: "<=", Value: -0.5}),
		{"value", "= 0.3 ± 0.1", "0.2, noise 0.2", 8, func(rng *rand.Rand, most int) func(Verdict, int) Outcome {
			values := make([]float64, most)
			for i := range values {
				values[i] = 0.2 + 0.2*rng.NormFloat64()
			}
			b := inference.Band{Relation: "=", Value: 0.3, Within: 0.1}
			return func(v Verdict, repeats int) Outcome {
				return judgeCells(v, []cell{{band: b, values: values[:repeats]}}, plainScale).Outcome
			}
		}},
		{"ratio", "<= 1.25 in 10 cells", "1.25 in all", 8, func(rng *rand.Rand, most int) func(Verdict, int) Outcome {
			cells := make([]cell, 10)
			for k := range cells {
				cells[k].band = inference.Band{Relation: "<=", Value: math.Log(1.25)}
				for range most {
					cells[k].values = append(cells[k].values, math.Log(1.25)+0.2*rng.NormFloat64())
				}
			}
			return func(v Verdict, repeats int) Outcome {
				now := slices.Clone(cells)
				for k := range now {
					now[k].values = now[k].values[:repeats]
				}
				return judgeCells(v, now, logScale).Outcome
			}
		}},
	}
	for _, relation := range []string{"<=", ">="} {
		list = append(list, growingMean("value", "log-normal, σ = 1", 8, shapes[4], relation, plainScale))
		for _, i := range []int{3, 4, 6} {
			b := inference.Band{Relation: relation, Value: -0.5}
			list = append(list, growingMean("ratio", "log ratio: "+laws[i].name, 8, laws[i], relation, logScale),
				growingSlope("n^-0.5, slopes of repeats: "+laws[i].name, power(-0.5), slopeLaws(laws[i])["slopes of repeats"], b))
		}
	}
	list = append(list, growingSpread(2, 0), growingSpread(4, 0), growingSpread(0, 4), growingSpread(5, 0))
	return append(list,
		growingMean("value", "Student's t with 2 degrees", 8, shapes[1], "<=", plainScale),
		growingMean("value", "exponential repeats", 8, shapes[2], "<=", plainScale),
		growingMean("ratio", "ratio to 1 of exponentials", 8, logShapes[3], ">=", logScale))
}

// beyondGrowingClaims are those whose truth no test can tell.
func beyondGrowingClaims() []growing {
	atMost, atLeast := inference.Band{Relation: "<=", Value: -0.5}, inference.Band{Relation: ">=", Value: -0.5}
	return []growing{
		growingMean("value", noisyRare.name, 8, noisyRare, "<=", plainScale),
		growingMean("value", noisyRare.name, 8, noisyRare, ">=", plainScale),
		growingSlope(tiltedTruth, power(-0.45), tilted, atMost),
		growingSlope(tiltedTruth, power(-0.45), tilted, atLeast),
	}
}

const tiltedTruth = "n^-0.45, in 5 % of repeats n^-1.45, noise 0.1"

// tilted has another slope in 1 of 20 repeats.
func tilted(rng *rand.Rand, x []float64) []float64 {
	errors := normal(0.1)(rng, x)
	if rng.Float64() < 0.05 {
		for k := range errors {
			errors[k] -= math.Log(x[k])
		}
	}
	return errors
}

// decided is the outcome of the first look that decides a run, and its number.
func (g growing) decided(rng *rand.Rand, looks int, number func(int) inference.Look) (Outcome, int) {
	judge := g.draw(rng, g.first<<(looks-1))
	for at := range looks {
		v := newVerdict(results.Key{}, "", 0.95, number(at))
		v.Over = "n"
		if o := judge(v, g.first<<at); o != Inconclusive {
			return o, at
		}
	}
	return Inconclusive, looks
}

// rates are how often a claim is decided in up to 1, 2, … looks.
func (g growing) rates(trials, looks int, number func(int) inference.Look) (holds, violated []float64) {
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

func unplanned(number int) inference.Look { return lookAfter(number, nil) }
func planned(number int) inference.Look   { return inference.Look{Planned: number + 1} }

// plannedAfter are looks of which nobody has planned the first, and all others are.
func plannedAfter(first int) func(number int) inference.Look {
	return func(number int) inference.Look {
		if number < first {
			return unplanned(number)
		}
		return inference.Look{Left: unplanned(first).Left, Planned: number - first + 1}
	}
}

// unplannedAfter are looks that follow so many planned ones.
func unplannedAfter(first int) func(number int) inference.Look {
	return func(number int) inference.Look {
		if number < first {
			return planned(number)
		}
		return lookAfter(number-first, []results.PlannedLooks{{At: make([]int, first)}})
	}
}

// ways are those in which looks may follow each other.
var ways = map[string]func(int) inference.Look{
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

// The level of one look at each of six, which is what TestLooks is there to find: some claim
// of each kind is decided wrongly more often than is promised, by more than a standard error.
// A claim whose limits allow for a tail that its repeats do not have need not be.
func TestLooksAtOneLevel(t *testing.T) {
	found := map[string]bool{}
	for _, g := range append(growingClaims(), growingSpread(4, 4), growingSpread(5, 0)) {
		holds, violated := g.rates(1000, 6, func(int) inference.Look { return inference.Look{} })
		last := len(holds) - 1
		t.Logf("%s %s, %s: holds %.4f, violated %.4f", g.kind, g.claim, g.truth, holds[last], violated[last])
		found[g.kind] = found[g.kind] || holds[last] > 0.05+deviation(0.05, 1000) || violated[last] > 0.01+deviation(0.01, 1000)
	}
	for kind, tells := range found {
		if !tells {
			t.Errorf("%s: the simulation does not tell", kind)
		}
	}
}

// The levels of all looks add up to what is promised, and none is above that.
func TestLevelsAdd(t *testing.T) {
	const looks = 1000 // after so many, 1/1001 is left of planned ones
	for _, confidence := range []float64{0.9, 0.95, 0.99} {
		for name, number := range ways {
			hold, violate := 0.0, 0.0
			for at := range looks {
				l := number(at).Levels(confidence)
				hold, violate = hold+1-l.Confidence, violate+l.Violated
			}
			if math.Abs(hold/(1-confidence)-1) > 1.001e-3 || math.Abs(violate/0.01-1) > 1.001e-3 || hold > (1-confidence)*(1+1e-9) {
				t.Errorf("%s, confidence %g: wrong holds %v and violated %v over %d looks", name, confidence, hold, violate, looks)
			}
		}
	}
}

// lookRows are growing claims at 1, 3 and 5 planned looks, and some at looks of which not
// all are planned; the other rows have one that is not planned.
func lookRows() []characteristic {
	var rows []characteristic
	add := func(list func() []growing, right, name string, number func(int) inference.Look, counts ...int) {
		for i := range list() {
			for _, looks := range counts {
				g := list()[i] // of its own: rows run side by side
				truth := fmt.Sprintf("%s; %s: %d, from %d", g.truth, name, looks, g.first)
				rows = append(rows, characteristic{kind: g.kind, claim: g.claim, truth: truth, repeats: g.first << (looks - 1), right: right,
					trial: func(rng *rand.Rand) Outcome { o, _ := g.decided(rng, looks, number); return o }})
			}
		}
	}
	add(growingClaims, rightNeither, "planned looks", planned, 1, 3, 5)
	add(furtherGrowingClaims, rightNeither, "planned looks", planned, 3, 5)
	add(beyondGrowingClaims, rightBeyond, "planned looks", planned, 3, 5)
	some := func() []growing { g := growingClaims(); return []growing{g[0], g[1], g[3], g[4], g[len(g)-1]} }
	add(some, rightNeither, "unplanned looks", unplanned, 3, 5)
	add(some, rightNeither, "looks, of which all but the first are planned", plannedAfter(1), 3, 5)
	for _, looks := range []int{1, 3, 5} {
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
