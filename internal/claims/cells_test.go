package claims

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"mercer/configs"
	"mercer/internal/inference"
	"mercer/results"
)

// factorRun has metric x: each method's factor times a level that all methods
// of a repeat share, which pairing removes, times a little noise of its own.
func factorRun(repeats int, noise float64, points []map[string]float64, factor func(method string, p map[string]float64) float64) results.Run {
	return fake([]string{"a", "b", "c"}, []string{"n", "m"}, points, repeats, func(method string, p map[string]float64, repeat int) map[string]float64 {
		shared := stream(uint64(repeat)).NormFloat64()
		own := stream(uint64(1000*repeat) + uint64(method[0]) + uint64(7*p["n"]+13*p["m"])).NormFloat64()
		return map[string]float64{"x": factor(method, p) * math.Exp(shared+noise*own)}
	})
}

func constant(f map[string]float64) func(string, map[string]float64) float64 {
	return func(method string, _ map[string]float64) float64 { return f[method] }
}

func ratioClaim(r configs.Ratio) configs.Claim {
	r.Of, r.Method, r.To = configs.Quantity{Text: "x"}, configs.Word{Value: "a"}, configs.Word{Value: "b"}
	return configs.Claim{ID: "r", Ratio: &r}
}

func TestRatioOutcomes(t *testing.T) {
	grid := along("n", 100, 200, 400)
	oneBad := func(method string, p map[string]float64) float64 {
		if method == "a" && p["n"] == 200 {
			return 2
		}
		return 1
	}
	tests := []struct {
		name  string
		claim configs.Ratio
		run   results.Run
		want  Outcome
		words []string
	}{
		{"holds", configs.Ratio{AtMost: num("1.25")}, factorRun(10, 0.02, grid, constant(map[string]float64{"a": 1.1, "b": 1, "c": 1})), Holds, []string{"all 3 cells"}},
		{"one cell violates", configs.Ratio{AtMost: num("1.25")}, factorRun(10, 0.02, grid, oneBad), Violated, []string{"at n=200 contradicts <= 1.25", "1 of 3 cells"}},
		{"cannot tell", configs.Ratio{AtMost: num("1.25")}, factorRun(5, 0.3, grid, constant(map[string]float64{"a": 1.2, "b": 1})), Inconclusive, []string{"more repeats"}},
		{"at least holds", configs.Ratio{AtLeast: num("2")}, factorRun(10, 0.02, grid, constant(map[string]float64{"a": 3, "b": 1})), Holds, nil},
		{"at least violated", configs.Ratio{AtLeast: num("alpha")}, factorRun(10, 0.02, grid, constant(map[string]float64{"a": 1.5, "b": 1})), Violated, nil},
		{"target by cell", configs.Ratio{AtMost: num("1 + 50/n")}, factorRun(10, 0.001, grid, func(m string, p map[string]float64) float64 {
			if m == "a" {
				return 1 + 40/p["n"]
			}
			return 1
		}), Holds, nil},
		{"equal pairs", configs.Ratio{AtMost: num("2")}, factorRun(70, 0, grid, constant(map[string]float64{"a": 1, "b": 1})), Inconclusive, []string{"all 70 repeats give the same, which says nothing of those"}},
		{"two repeats", configs.Ratio{AtMost: num("9")}, factorRun(2, 0, grid, constant(map[string]float64{"a": 1, "b": 1})), Inconclusive, []string{"2 repeats"}},
		{"claimed ratio not positive", configs.Ratio{AtMost: num("alpha - 2")}, factorRun(3, 0, grid, constant(map[string]float64{"a": 1, "b": 1})), Inconclusive, []string{"not positive"}},
		{"other method missing", configs.Ratio{AtMost: num("2"), Selection: configs.Selection{Where: configs.Conditions{"method": {Value: []string{"a"}}}}},
			factorRun(3, 0, grid, constant(map[string]float64{"a": 1})), Inconclusive, []string{"no record of method b"}},
		{"negative values", configs.Ratio{AtMost: num("2")}, factorRun(3, 0, grid, constant(map[string]float64{"a": -1, "b": 1})), Inconclusive, []string{"no log ratio"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := one(t, ratioClaim(tt.claim), tt.run)
			wants(t, v, tt.want, tt.words...)
			if text, err := json.Marshal(v); err != nil {
				t.Errorf("JSON: %v %s", err, text)
			}
		})
	}
	v := one(t, ratioClaim(tests[1].claim), tests[1].run)
	if math.Abs(v.Estimate-2) > 0.1 || v.Target != 1.25 || len(v.Cells) != 3 || v.Cells[1].Outcome != Violated || v.Cells[0].Outcome != Holds {
		t.Errorf("verdict %+v", v)
	}
	if got := v.Group.String(); got != "dataset=poly2 method=a/b" {
		t.Errorf("group %q", got)
	}
}

// Where failure may depend on the draw, the repeats that did not fail decide nothing.
func TestRatioWithLostRecords(t *testing.T) {
	grid := along("n", 100, 200)
	run := func() results.Run {
		return factorRun(20, 0.02, grid, constant(map[string]float64{"a": 1.1, "b": 1}))
	}
	one100 := func(r results.Row) bool { return r.Method() == "b" && number(r, "n") == 100 && r.Repeat == 3 }
	all100 := func(r results.Row) bool { return r.Method() == "b" && number(r, "n") == 100 }
	c := ratioClaim(configs.Ratio{AtMost: num("1.25")})
	wants(t, one(t, c, run()), Holds)
	wants(t, one(t, c, spoil(run(), results.Failed, one100)), Inconclusive, "1 of 2 cells cannot be decided at n=100: 1 of 20 repeats give no value: failed: no luck",
		"1 of 80 records give no value: poly2 b n=100 repeat 3")
	wants(t, one(t, c, spoil(run(), results.OOM, all100)), Inconclusive, "20 of 20 repeats give no value: oom: no luck")
	wants(t, one(t, c, spoil(run(), results.Skipped, all100)), Holds)

	// A cell without failures that contradicts the claim does so whatever the other gives.
	low := ratioClaim(configs.Ratio{AtMost: num("1.06")})
	wants(t, one(t, low, run()), Violated)
	v := one(t, low, spoil(run(), results.Timeout, one100))
	wants(t, v, Violated, "1 of 2 cells is violated")
	if v.Cells[0].P != 1 {
		t.Errorf("the p of a cell with failures is %g", v.Cells[0].P)
	}
	wants(t, one(t, low, spoil(run(), results.Timeout, func(r results.Row) bool { return r.Method() == "b" && r.Repeat == 3 })), Inconclusive)
}

// A method that sets m itself has one cell for all m of the grid: it stands
// against each.
func TestRatioOfMethodThatIgnoresAVariable(t *testing.T) {
	var points []map[string]float64
	for _, n := range []float64{100, 200} {
		for _, m := range []float64{10, 20, 40} {
			points = append(points, map[string]float64{"n": n, "m": m})
		}
	}
	for _, coarse := range []string{"a", "b"} {
		run := factorRun(15, 0.01, points, func(method string, p map[string]float64) float64 {
			if method == coarse {
				return 1
			}
			return 1 + p["m"]/100
		})
		kept := run.Rows[:0]
		for _, r := range run.Rows {
			if m := number(r, "m"); r.Method() != coarse {
				kept = append(kept, r)
			} else if m == 10 {
				r.At = r.At.Without("m")
				kept = append(kept, r)
			}
		}
		run.Rows = kept
		c := configs.Ratio{AtMost: num("1.45")}
		if coarse == "a" {
			c = configs.Ratio{AtMost: num("0.95")}
		}
		v := one(t, ratioClaim(c), run)
		wants(t, v, Holds)
		if len(v.Cells) != 6 {
			t.Errorf("%d cells, want 6", len(v.Cells))
		}
	}
}

func TestOrderOutcomes(t *testing.T) {
	grid := along("n", 100, 200, 400)
	falls := func(_ string, p map[string]float64) float64 { return 1 / p["n"] }
	bump := func(_ string, p map[string]float64) float64 {
		return map[float64]float64{100: 1, 200: 1.1, 400: 0.5}[p["n"]]
	}
	only := configs.Selection{Where: configs.Conditions{"method": {Value: []string{"a"}}}}
	tests := []struct {
		name  string
		claim configs.Order
		run   results.Run
		want  Outcome
		words []string
	}{
		{"falls", configs.Order{Over: configs.Word{Value: "n"}, Direction: "falls", Selection: only}, factorRun(10, 0.02, grid, falls), Holds, nil},
		{"falls violated", configs.Order{Over: configs.Word{Value: "n"}, Direction: "rises", Selection: only}, factorRun(10, 0.02, grid, falls), Violated, []string{"n=100/200"}},
		{"one neighbour out of order", configs.Order{Over: configs.Word{Value: "n"}, Direction: "falls", Selection: only}, factorRun(10, 0.005, grid, bump), Violated, []string{"n=200/100 contradicts", "1 of 2 cells"}},
		{"one position", configs.Order{Over: configs.Word{Value: "n"}, Direction: "falls", Selection: only}, factorRun(10, 0.02, grid[:1], falls), Inconclusive, []string{"no neighbour"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.claim.Of = configs.Quantity{Text: "x"}
			wants(t, one(t, configs.Claim{ID: "o", Order: &tt.claim}, tt.run), tt.want, tt.words...)
		})
	}
}

// A method's own size counts in what is claimed as in what is measured.
func TestTargetSeesOwnSizes(t *testing.T) {
	run := factorRun(3, 0, []map[string]float64{{"n": 100, "m": 20}}, constant(map[string]float64{"a": 1}))
	set(&run, "m", func(results.Row) float64 { return 4 }) // the method's, in place of the grid's 20
	only := configs.Selection{Where: configs.Conditions{"method": {Value: []string{"a"}}}}
	claim := configs.ValueClaim{Of: configs.Quantity{Text: "m"}, Equals: num("m"), Within: num("0"), Selection: only}
	wants(t, one(t, configs.Claim{ID: "m", Value: &claim}, run), Holds)
	claim = configs.ValueClaim{Of: configs.Quantity{Text: "m"}, AtMost: num("m/3"), Selection: only}
	wants(t, one(t, configs.Claim{ID: "m", Value: &claim}, run), Violated)
}

// A falling order over n, at two values of m: each line is judged by itself,
// and one line out of order is enough.
func TestOrderOverLines(t *testing.T) {
	var grid []map[string]float64
	for _, n := range []float64{100, 200, 400} {
		for _, m := range []float64{10, 20} {
			grid = append(grid, map[string]float64{"n": n, "m": m, "ell": math.Sqrt(n)})
		}
	}
	claim := configs.Claim{ID: "o", Order: &configs.Order{Of: configs.Quantity{Text: "x"}, Over: configs.Word{Value: "n"}, Direction: "falls", Selection: configs.Selection{Where: configs.Conditions{"method": {Value: []string{"a"}}}}}}
	run := func(f func(n, m float64) float64) results.Run {
		rng := stream(6)
		return fake([]string{"a"}, []string{"n", "m", "ell"}, grid, 10, func(_ string, p map[string]float64, _ int) map[string]float64 {
			return map[string]float64{"x": f(p["n"], p["m"]) * math.Exp(0.01*rng.NormFloat64())}
		})
	}
	wants(t, one(t, claim, run(func(n, m float64) float64 { return m / n })), Holds, "all 4 cells")
	wants(t, one(t, claim, run(func(n, m float64) float64 { return math.Pow(n, 15-m) })), Violated, "m=10", "2 of 4")
	// Variables that move with n make no lines.
	moving := run(func(n, m float64) float64 { return m / n })
	set(&moving, "m", func(r results.Row) float64 { return number(r, "m") * number(r, "n") })
	wants(t, one(t, claim, moving), Inconclusive, "has no neighbour")
}

func valueClaim(c configs.ValueClaim) configs.Claim {
	c.Of = configs.Quantity{Text: "x"}
	c.Where = configs.Conditions{"method": {Value: []string{"a"}}}
	return configs.Claim{ID: "v", Value: &c}
}

func TestValueOutcomes(t *testing.T) {
	levels := func(noise float64, repeats int, level float64) results.Run {
		rng := stream(9)
		return fake([]string{"a", "b"}, []string{"n"}, along("n", 100, 200), repeats, func(_ string, p map[string]float64, _ int) map[string]float64 {
			return map[string]float64{"x": level + p["n"]/1e4 + noise*rng.NormFloat64()}
		})
	}
	tests := []struct {
		name  string
		claim configs.ValueClaim
		run   results.Run
		want  Outcome
		words []string
	}{
		{"holds", configs.ValueClaim{Equals: num("0.7"), Within: num("0.05"), Because: "the paper prints two digits"}, levels(0.02, 20, 0.7), Holds, []string{"two digits"}},
		{"violated", configs.ValueClaim{Equals: num("0.7"), Within: num("0.05")}, levels(0.02, 20, 0.8), Violated, []string{"2 of 2 cells"}},
		{"cannot tell", configs.ValueClaim{Equals: num("0.7"), Within: num("0.05")}, levels(0.2, 5, 0.7), Inconclusive, nil},
		{"at most", configs.ValueClaim{AtMost: num("1")}, levels(0.02, 20, 0.7), Holds, nil},
		{"at most violated", configs.ValueClaim{AtMost: num("0.5")}, levels(0.02, 20, 0.7), Violated, nil},
		{"at least", configs.ValueClaim{AtLeast: num("0.5")}, levels(0.02, 20, 0.7), Holds, nil},
		{"one repeat", configs.ValueClaim{AtLeast: num("0.5")}, levels(0.02, 1, 0.7), Inconclusive, []string{"1 repeat gives"}},
		{"each holds", configs.ValueClaim{AtLeast: num("0.5"), Each: true}, levels(0.02, 1, 0.7), Holds, []string{"every record lies at or above 0.5"}},
		{"each violated", configs.ValueClaim{AtMost: num("0.715"), Each: true}, levels(0, 2, 0.7), Violated, []string{"0.72 at n=200 lies outside <= 0.715", "1 of 2 cells is violated"}},
		{"each up to rounding", configs.ValueClaim{AtMost: num("0.72*(1 - 1e-12)"), Each: true}, levels(0, 2, 0.7), Holds, nil},
		{"each with failures", configs.ValueClaim{AtMost: num("1"), Each: true},
			spoil(levels(0, 2, 0.7), results.Failed, func(r results.Row) bool { return number(r, "n") == 100 && r.Repeat == 0 }), Inconclusive, []string{"1 of 2 repeats give no value: failed: no luck"}},
		{"each violated with failures", configs.ValueClaim{AtMost: num("0.5"), Each: true},
			spoil(levels(0, 2, 0.7), results.Failed, func(r results.Row) bool { return number(r, "n") == 100 && r.Repeat == 0 }), Violated, nil},
		{"negative within", configs.ValueClaim{Equals: num("1"), Within: num("alpha - 3")}, levels(0, 3, 0.7), Inconclusive, []string{"negative"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			wants(t, one(t, valueClaim(tt.claim), tt.run), tt.want, tt.words...)
		})
	}
}

func TestJudgeErrors(t *testing.T) {
	run := factorRun(3, 0, along("n", 1, 2), constant(map[string]float64{"a": 1, "b": 1, "c": 1}))
	list := []configs.Claim{
		{ID: "column", Value: &configs.ValueClaim{Of: configs.Quantity{Text: "x"}, AtMost: num("2"), Selection: configs.Selection{By: configs.Words{{Value: "thteta"}}}}},
		{ID: "syntax", Value: &configs.ValueClaim{Of: configs.Quantity{Text: "x +"}, AtMost: num("2")}},
		{ID: "good", Value: &configs.ValueClaim{Of: configs.Quantity{Text: "x"}, AtLeast: num("0"), Each: true}},
		{ID: "theorem", Bound: &configs.Bound{Theorem: configs.Word{Value: "no-such"}}},
	}
	verdicts, err := Judge(list, run, Context{})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{`claim "column": `, "thteta", `claim "syntax": `, `claim "theorem": unknown theorem "no-such"`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error does not say %q:\n%v", want, err)
		}
	}
	if got := Counts(verdicts); got[Holds] != 3 || Worst(verdicts) != Holds {
		t.Errorf("counts %v, worst %s", got, Worst(verdicts))
	}
}

func TestWorst(t *testing.T) {
	verdicts := []Verdict{{Outcome: Holds}, {Outcome: NotApplicable}, {Outcome: Inconclusive}, {Outcome: Violated}}
	for k, v := range verdicts {
		if got := Worst(append(verdicts[:k:k], v, verdicts[0])); got != v.Outcome {
			t.Errorf("the worst up to %s is %s", v.Outcome, got)
		}
	}
	if got := Worst(nil); got != NotApplicable {
		t.Errorf("the worst of none is %s", got)
	}
}

func TestJSONHasNoNumbersThatJSONHasNot(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	v := Verdict{Claim: "c", Outcome: Inconclusive, Estimate: nan, Low: -inf, High: inf, Target: nan, Level: 0.95,
		Cells: []CellOutcome{{Estimate: nan, Low: nan, High: inf, Target: 1, P: 1}}}
	text, err := json.Marshal([]Verdict{v})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"estimate":null`, `"high":null`, `"claim":"c"`, `"target":1`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	var back []Verdict
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if back[0].Claim != "c" || !math.IsNaN(back[0].Estimate) || !math.IsNaN(back[0].Cells[0].High) || back[0].Cells[0].Target != 1 || back[0].Level != 0.95 {
		t.Errorf("came back as %+v", back[0])
	}
}

// Pairing is what makes a ratio precise: repeats share their samples. Judged
// unpaired, the same numbers could not tell 1.1 from 1.25.
func TestRatioIsPaired(t *testing.T) {
	run := factorRun(10, 0.02, along("n", 100), constant(map[string]float64{"a": 1.1, "b": 1}))
	c := ratioClaim(configs.Ratio{AtMost: num("1.25")})
	wants(t, one(t, c, run), Holds)
	for i, r := range run.Rows {
		if r.Method() == "b" {
			run.Rows[i].Repeat = (r.Repeat + 1) % 10
		}
	}
	wants(t, one(t, c, run), Inconclusive)
}

func ExampleJudge() {
	run := fake([]string{"nystrom"}, []string{"n"}, along("n", 100, 200, 400, 800), 5,
		func(_ string, p map[string]float64, repeat int) map[string]float64 {
			return map[string]float64{"recon_h": math.Pow(p["n"], -0.5+0.001*float64(repeat%2))}
		})
	claim := configs.Claim{ID: "rate", Slope: &configs.Slope{
		Of: configs.Quantity{Text: "recon_h"}, Over: configs.Word{Value: "n"}, Equals: &configs.Value{Text: "-1/alpha"}, Within: &configs.Value{Text: "0.05"}}}
	verdicts, err := Judge([]configs.Claim{claim}, run, Context{})
	if err != nil {
		panic(err)
	}
	for _, v := range verdicts {
		fmt.Printf("%s: %s; %s\n", v.Claim, v.Outcome, v.Reason)
	}
	// Output:
	// rate: holds; slope -0.4996, interval [-0.5016, -0.4963] lies inside -0.5 ± 0.05
}

// TestNearestToEdge: of cells that hold, that one is named whose estimate comes nearest to the
// edge.
func TestNearestToEdge(t *testing.T) {
	with := func(n string, mean, sd float64) cell {
		c := cell{band: inference.Band{Relation: "<=", Value: 1}, at: at("n", configs.TextOf(n))}
		for _, z := range scores(40) {
			c.values = append(c.values, mean+sd*z)
		}
		return c
	}
	v := judgeCells(newVerdict(results.Key{}, "", 0.95, inference.Look{}), []cell{with("100", 0.8, 0.01), with("200", 0.7, 0.7)}, plainScale)
	v.speak()
	wants(t, v, Holds, "the nearest to its edge, n=100, has mean 0.8")
	if v.Estimate != v.Cells[0].Estimate || v.High != v.Cells[0].High {
		t.Errorf("estimate %g, high %g, want those of n=100: %+v", v.Estimate, v.High, v.Cells[0])
	}
}
