package claims

import (
	"maps"
	"math"
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
		"value": func(where configs.Conditions) configs.Claim {
			where = maps.Clone(where)
			where["method"] = configs.Located[[]string]{Value: []string{"a"}}
			return configs.Claim{Value: &configs.ValueClaim{Of: configs.Quantity{Text: "value"}, AtMost: num("0"), Selection: configs.Selection{Where: where}}}
		},
	} {
		wants(t, one(t, claim(configs.Conditions{"n": {Value: []string{"300"}}}), run), Violated)
		v := one(t, claim(configs.Conditions{}), run)
		wants(t, v, Inconclusive, "more repeats")
		const want = 10 * 0.004 / 0.9 // of ten cells, at a first look
		if p := v.Cells[2].P; math.Abs(p-want) > 1e-6 {
			t.Errorf("%s: adjusted p %v, want %v", name, p, want)
		}
	}
}

// TestOpen: whether repeats would decide a verdict is set where it becomes open, whatever the
// words of its advice. What failed comes first.
func TestOpen(t *testing.T) {
	noisy := along("repeats", 1, 2)
	for _, tt := range []struct {
		name  string
		run   results.Run
		claim configs.Claim
		open  bool
	}{
		{"a variable called repeats lacks values", factorRun(10, 0.02, noisy, constant(map[string]float64{"a": 1})),
			configs.Claim{Slope: &configs.Slope{Of: configs.Quantity{Text: "x"}, Over: configs.Word{Value: "repeats"}, AtMost: num("1")}}, false},
		{"two repeats", factorRun(2, 0, noisy, constant(map[string]float64{"a": 1, "b": 1})), ratioClaim(configs.Ratio{AtMost: num("9")}), true},
		{"too much noise", factorRun(5, 0.3, noisy, constant(map[string]float64{"a": 1, "b": 1})), ratioClaim(configs.Ratio{AtMost: num("1.3")}), true},
		{"few for a standard deviation", factorRun(4, 0.3, noisy, constant(map[string]float64{"a": 1, "b": 1})),
			configs.Claim{Dispersion: &configs.Dispersion{Ratio: *ratioClaim(configs.Ratio{AtMost: num("9")}).Ratio}}, true},
		{"equal repeats", factorRun(5, 0, noisy[:1], func(string, map[string]float64) float64 { return 1 }),
			ratioClaim(configs.Ratio{AtMost: num("1")}), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			verdicts, err := Judge([]configs.Claim{tt.claim}, tt.run, Context{})
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range verdicts {
				if v.Open() != tt.open {
					t.Errorf("%s, open %v: %s", v.Outcome, v.Open(), v.Settle)
				}
			}
		})
	}
	b := inference.Band{Relation: "<=", Value: 1}
	for what, cells := range map[string][]cell{"one lost": {{band: b, lost: []string{"no luck"}}}, "one that cannot be": {{band: b, why: badClaim("no")}, {band: b, lost: []string{"no luck"}}}} {
		if v := judgeCells(newVerdict(results.Key{}, "", 0.95, inference.Look{}), cells, plainScale); v.Outcome != Inconclusive || v.Open() {
			t.Errorf("%s: %s, open %v", what, v.Outcome, v.Open())
		}
	}
}
