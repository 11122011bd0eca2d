package claims

import (
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"mercer/configs"
	"mercer/internal/inference"
	"mercer/results"
)

// scores are count numbers of mean 0 and standard deviation 1 exactly.
func scores(count int) []float64 {
	z := make([]float64, count)
	for r := range z {
		z[r] = distuv.UnitNormal.Quantile((float64(r) + 0.5) / float64(count))
	}
	mean, sd := stat.MeanStdDev(z, nil)
	for r := range z {
		z[r] = (z[r] - mean) / sd
	}
	return z
}

// Several cells share a level: a cell that is called violated by itself is not
// where there are many, and its p in the verdict is Holm's.
func TestHolmOverCells(t *testing.T) {
	const repeats, sd = 20, 0.2
	z := scores(repeats)
	beyond := inference.SkewTest{Band: inference.Band{Relation: "<="}, Level: 1 - 0.004}.Estimate(z).High // the claim, in standard deviations: p = 0.004
	ten := along("n", 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000)
	run := fake([]string{"a", "b"}, []string{"n"}, ten, repeats, func(method string, p map[string]float64, repeat int) map[string]float64 {
		x, value := sd*(z[repeat]-3), sd*(z[repeat]-3) // far inside
		switch {
		case method == "b":
			x = 0
		case p["n"] == 300:
			x, value = sd*(z[repeat]+beyond), sd*(z[repeat]+beyond)
		}
		return map[string]float64{"x": math.Exp(x), "value": value}
	})
	for name, claim := range map[string]func(configs.Conditions) configs.Claim{
		"ratio": func(where configs.Conditions) configs.Claim {
			return configs.Claim{Ratio: &configs.Ratio{Of: configs.Quantity{Text: "x"}, Method: configs.Word{Value: "a"}, To: configs.Word{Value: "b"}, AtMost: num("1"), Selection: configs.Selection{Where: where}}}
		},
		"order": func(where configs.Conditions) configs.Claim {
			return configs.Claim{Order: &configs.Order{Of: configs.Quantity{Text: "x"}, Methods: configs.Words{{Value: "a"}, {Value: "b"}}, Selection: configs.Selection{Where: where}}}
		},
		"value": func(where configs.Conditions) configs.Claim {
			where = maps.Clone(where)
			where["method"] = configs.Located[[]string]{Value: []string{"a"}}
			return configs.Claim{Value: &configs.ValueClaim{Of: configs.Quantity{Text: "value"}, AtMost: num("0"), Selection: configs.Selection{Where: where}}}
		},
	} {
		wants(t, one(t, claim(configs.Conditions{"n": {Value: []string{"300"}}}), run), Violated)
		v := one(t, claim(configs.Conditions{}), run)
		wants(t, v, Inconclusive, "repeats in place of 20")
		const want = 10 * 0.004 / 0.9 // of ten cells, at a first look
		if p := v.Cells[2].P; math.Abs(p-want) > 1e-6 {
			t.Errorf("%s: adjusted p %v, want %v", name, p, want)
		}
	}
}

// With as many repeats as advised, of the same mean and standard deviation, the
// next look decides the claim; with one fewer it is not.
func TestRepeatsNeeded(t *testing.T) {
	for _, b := range []inference.Band{{Relation: "=", Value: 1, Within: 0.2}, {Relation: "<=", Value: 1}, {Relation: ">=", Value: 1}} {
		for _, mean := range []float64{0.7, 0.95, 1.05, 1.1, 1.3} {
			for _, others := range []int{0, 9} {
				verdict := func(repeats, at int) Verdict {
					cells := make([]cell, 1+others)
					for k := range cells {
						cells[k].band = b
						for _, z := range scores(repeats) {
							x := mean + 0.5*z
							if k > 0 { // far inside
								x = map[string]float64{"=": 1, "<=": -9, ">=": 9}[b.Relation] + 1e-3*z
							}
							cells[k].values = append(cells[k].values, x)
						}
					}
					return judgeCells(newVerdict(results.Key{}, "", 0.95, unplanned(at)), cells, plainScale)
				}
				v := verdict(4, 0)
				if v.Outcome != Inconclusive {
					continue // sure already
				}
				v.speak()
				var need int
				if _, err := fmt.Sscanf(v.Settle, "about %d repeats in place of 4", &need); err != nil {
					t.Errorf("%v, mean %g: %q", b, mean, v.Settle)
					continue
				}
				if at, before := verdict(need, 1).Outcome, verdict(need-1, 1).Outcome; at == Inconclusive || before != Inconclusive {
					t.Errorf("%v, mean %g, %d cells: with %d repeats %s, with one fewer %s", b, mean, 1+others, need, at, before)
				}
			}
		}
	}
	never := inference.SkewTest{Band: inference.Band{Relation: "<="}, Level: 0.95}.Needed(inference.Estimate{SD: 1}, inference.Levels{Confidence: 0.95, Violated: inference.ViolatedP}, 1)
	if got := doubt("more repeats", "count", 5, "need", never, "near", true).sentence(); !strings.HasPrefix(got, "no number of repeats") {
		t.Errorf("on the edge: %q", got)
	}
}

// Of several undecided cells, all must come to hold, or one to be violated. What failed
// comes first.
func TestSettleCells(t *testing.T) {
	b := inference.Band{Relation: "<=", Value: 1}
	with := func(mean, sd float64) cell {
		c := cell{band: b}
		for _, z := range scores(8) {
			c.values = append(c.values, mean+sd*z)
		}
		return c
	}
	needs := func(mean, sd float64, cells int) int {
		return inference.SkewTest{Band: b, Level: 0.95}.Needed(inference.Estimate{Mean: mean, SD: sd}, unplanned(1).Levels(0.95), cells)
	}
	lost := []string{"no luck"}
	for _, tt := range []struct {
		name  string
		cells []cell
		want  string
	}{
		{"outside by too little to tell", []cell{with(0.9, 0.2), with(1+1e-9, 0.5)}, "no number of repeats: the estimate lies on the edge of what is claimed"},
		{"within its standard error of the edge", []cell{with(0.9, 0.2), with(0.95, 0.2)}, fmt.Sprintf("about %d repeats in place of 8 if the estimate is exact, but perhaps no number: it lies within its standard error of the edge of what is claimed", needs(0.95, 0.2, 2))},
		{"the slowest to hold", []cell{with(0.9, 0.2), with(0.9, 0.25), with(-9, 1)}, fmt.Sprintf("about %d repeats in place of 8", needs(0.9, 0.25, 3))},
		{"the first to be violated", []cell{with(0.9, 0.5), with(1.1, 0.5), with(1.2, 0.5)}, fmt.Sprintf("about %d repeats in place of 8", needs(1.2, 0.5, 3))},
		{"one lost", []cell{with(0.9, 0.25), {band: b, lost: lost}}, lostDoubt(lost, 8).words(".next")},
		{"one that cannot be", []cell{{band: b, problem: badClaim("no")}, {band: b, lost: lost}}, badClaim("no").words(".next")},
	} {
		v := judgeCells(newVerdict(results.Key{}, "", 0.95, inference.Look{}), tt.cells, plainScale)
		v.speak()
		if v.Outcome != Inconclusive || v.Settle != tt.want {
			t.Errorf("%s: %s, %q, want %q", tt.name, v.Outcome, v.Settle, tt.want)
		}
	}
}

// TestNeed: whether repeats would decide a verdict is set where it becomes open, whatever the
// words of its advice.
func TestNeed(t *testing.T) {
	noisy := along("repeats", 1, 2)
	for _, tt := range []struct {
		name        string
		run         results.Run
		claim       configs.Claim
		least, most int
	}{
		{"a variable called repeats lacks values", factorRun(10, 0.02, noisy, constant(map[string]float64{"a": 1})),
			configs.Claim{Slope: &configs.Slope{Of: configs.Quantity{Text: "x"}, Over: configs.Word{Value: "repeats"}, AtMost: num("1")}}, 0, 0},
		{"two repeats", factorRun(2, 0, noisy, constant(map[string]float64{"a": 1, "b": 1})), ratioClaim(configs.Ratio{AtMost: num("9")}), inference.MinRepeats, inference.MinRepeats},
		{"too much noise", factorRun(5, 0.3, noisy, constant(map[string]float64{"a": 1, "b": 1})), ratioClaim(configs.Ratio{AtMost: num("1.3")}), 6, inference.MaxRepeats},
		{"few for a standard deviation", factorRun(4, 0.3, noisy, constant(map[string]float64{"a": 1, "b": 1})),
			configs.Claim{Dispersion: &configs.Dispersion{Ratio: *ratioClaim(configs.Ratio{AtMost: num("9")}).Ratio}}, minSpreads, minSpreads},
		{"equal repeats", factorRun(5, 0, noisy[:1], func(string, map[string]float64) float64 { return 1 }),
			ratioClaim(configs.Ratio{AtMost: num("1")}), 10, 10},
	} {
		t.Run(tt.name, func(t *testing.T) {
			verdicts, err := Judge([]configs.Claim{tt.claim}, tt.run, Context{})
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range verdicts {
				if n := v.Need; n < tt.least || n > tt.most || v.Open() != (tt.least > 0) {
					t.Errorf("%s, open %v, %d repeats, want %d to %d: %s", v.Outcome, v.Open(), n, tt.least, tt.most, v.Settle)
				}
			}
		})
	}
}
