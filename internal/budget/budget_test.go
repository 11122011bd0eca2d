package budget

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/results"
)

// budgetRun is a complete run: each method at each m on each data set, with an
// error and a cost by law.
func budgetRun(datasets, methods []string, ms []int, repeats int, law func(dataset, method string, m, repeat int) (err, cost float64)) results.Run {
	run := results.Run{Spec: &configs.Spec{}, Manifest: results.Manifest{Repeats: repeats}, Catalog: results.Catalog{
		Metrics: map[string]results.MetricInfo{"err": {}, "time": {Unit: "s"}}, Absent: map[string]string{},
	}}
	for _, name := range []string{"dataset", "kernel", "method", "m"} {
		run.Catalog.Columns = append(run.Catalog.Columns, results.Column{Name: name})
	}
	for _, method := range methods {
		run.Spec.Methods = append(run.Spec.Methods, configs.Component{ID: method})
	}
	for _, dataset := range datasets {
		run.Spec.Datasets = append(run.Spec.Datasets, configs.Component{ID: dataset})
		for _, method := range methods {
			for _, m := range ms {
				at := results.NewKey([]string{"dataset", "kernel", "method", "m"},
					[]results.Value{configs.TextOf(dataset), configs.TextOf("rbf"), configs.TextOf(method), configs.NumberOf(float64(m))})
				for repeat := range repeats {
					e, c := law(dataset, method, m, repeat)
					run.Rows = append(run.Rows, results.Row{
						ID: fmt.Sprint(dataset, method, m, repeat), At: at, Repeat: repeat, Status: results.OK,
						Metrics: results.NewMetrics(map[string]float64{"err": e, "time": c}),
					})
				}
			}
		}
	}
	return run
}

func oneBudget(t *testing.T, spec configs.Budget, run results.Run) Comparison {
	t.Helper()
	spec.ID, spec.Of, spec.Cost = "b", configs.Quantity{Text: "err"}, configs.Quantity{Text: "time"}
	all, err := Compare([]configs.Budget{spec}, run)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d budgets, error %v", len(all), err)
	}
	return all[0]
}

// told is what a cap says: the best method, those that do not differ from it significantly, and whether
// it is clear.
func told(c Cap) string {
	if c.Best < 0 {
		return "nothing"
	}
	text := c.Methods[c.Best].Method
	for i, m := range c.Methods {
		if i != c.Best && m.Compared() && !m.Significant {
			text += "~" + m.Method
		}
	}
	return fmt.Sprint(text, " ", c.Clear)
}

// jitter is a fixed relative noise of about a hundredth, the same for all methods
// of a repeat but for a tenth of it.
func jitter(method string, m, repeat int) float64 {
	own := math.Sin(float64(len(method)*7919+int(method[0])*104729+m*31+repeat*repeat*17) * 1.7)
	return math.Exp(0.01*math.Sin(float64(repeat*repeat)*5.1) + 0.001*own)
}

func TestBudgetsFindTheBest(t *testing.T) {
	factor := map[string]map[string]float64{
		"one": {"a": 1, "b": 2, "c": 3}, // a best
		"two": {"a": 2, "b": 1, "c": 3}, // b best
		"tie": {"a": 1, "b": 1, "c": 3}, // a and b equal but for noise
	}
	run := budgetRun([]string{"one", "tie", "two"}, []string{"a", "b", "c"}, []int{10, 20}, 8, func(d, method string, m, repeat int) (float64, float64) {
		return factor[d][method] / float64(m) * jitter(method, m, repeat), float64(m)
	})
	b := oneBudget(t, configs.Budget{At: []float64{20, 10, 15}}, run)
	want := map[string]string{"one": "a true", "two": "b true"}
	for _, g := range b.Groups {
		if len(g.Caps) != 3 || g.Caps[0].Cap != 10 || g.Caps[2].Cap != 20 {
			t.Fatalf("caps %+v", g.Caps)
		}
		for _, c := range g.Caps {
			got := told(c)
			if d := g.At.Text("dataset"); d == "tie" {
				if got != "a~b false" && got != "b~a false" {
					t.Errorf("tie at %g: %s", c.Cap, got)
				}
			} else if got != want[d] {
				t.Errorf("%s at %g: %s, want %s", d, c.Cap, got, want[d])
			}
			if m := c.Methods[0]; m.Cost != map[float64]float64{10: 10, 15: 10, 20: 20}[c.Cap] || m.Exhausted != (c.Cap == 20) {
				t.Errorf("at %g method a costs %g, exhausted %v", c.Cap, m.Cost, m.Exhausted)
			}
		}
	}
	// 3 pairs on 3 data sets at m = 10 and at m = 20: within 15 the cells are those
	// within 10.
	if b.Tests != 18 || b.CostUnit != "s" || b.OfUnit != "" || b.Problem != "" {
		t.Errorf("%d tests, units %q %q, trouble %q", b.Tests, b.OfUnit, b.CostUnit, b.Problem)
	}
	p, ok := b.Groups[0].Caps[0].Against("b", "a")
	if !ok || math.Abs(p.Ratio-2) > 0.01 || !(p.Low < p.Ratio && p.Ratio < p.High) || p.High/p.Low > 1.01 {
		t.Errorf("b against a: %+v", p)
	}
}

// The costliest cell is taken though a cheaper one has less error, and of equal
// costs the last; a choice by the error would take m = 10 and 20.
func TestBudgetsChooseByCostAlone(t *testing.T) {
	run := budgetRun([]string{"d"}, []string{"a", "b"}, []int{10, 20, 40}, 5, func(_, method string, m, repeat int) (float64, float64) {
		cost := float64(m)
		if method == "b" {
			cost = 5 // whatever m is
		}
		return float64(m) * jitter(method, m, repeat), cost
	})
	c := oneBudget(t, configs.Budget{At: []float64{30}}, run).Groups[0].Caps[0]
	for i, want := range []string{"20", "40"} {
		if got := c.Methods[i].Cell; got.Text("m") != want {
			t.Errorf("method %s takes %v, want m = %s", c.Methods[i].Method, got, want)
		}
	}
	if got := told(c); got != "a true" {
		t.Error(got)
	}
}

// TestBudgetAsClaim: of the same pair at the same place, a budget and a claim on the ratio have the
// same estimate and the same interval.
func TestBudgetAsClaim(t *testing.T) {
	run := budgetRun([]string{"d"}, []string{"a", "b"}, []int{10}, 8, func(_, method string, m, repeat int) (float64, float64) {
		return float64(method[0]) * math.Exp(jitter(method, m, repeat)), 1
	})
	pair := oneBudget(t, configs.Budget{At: []float64{1}}, run).Groups[0].Caps[0].Pairs[0]
	claim := configs.Claim{Ratio: &configs.Ratio{Of: configs.Quantity{Text: "err"}, Method: configs.Word{Value: "a"}, To: configs.Word{Value: "b"}, AtMost: &configs.Value{Text: "1"}, Judgement: configs.Judgement{Level: configs.DefaultLevel}}}
	verdicts, err := claims.Judge([]configs.Claim{claim}, run, claims.Context{})
	if err != nil || len(verdicts) != 1 {
		t.Fatal(verdicts, err)
	}
	if v := verdicts[0]; v.Estimate != pair.Ratio || v.Low != pair.Low || v.High != pair.High {
		t.Errorf("the claim has %g [%g, %g], the budget %g [%g, %g]", v.Estimate, v.Low, v.High, pair.Ratio, pair.Low, pair.High)
	}
}

// Records that failed or were skipped, and methods that no cell of is cheap
// enough.
func TestBudgetsWithLosses(t *testing.T) {
	run := budgetRun([]string{"d", "e"}, []string{"a", "b", "c", "dear", "other"}, []int{10, 20}, 6, func(_, method string, m, repeat int) (float64, float64) {
		cost := float64(m)
		if method == "dear" {
			cost *= 10
		}
		return float64(method[0]-'a'+1) / float64(m) * jitter(method, m, repeat), cost
	})
	for i := range run.Rows {
		r := &run.Rows[i]
		switch {
		case r.Method() == "other": // measures something else
			r.Metrics = results.NewMetrics(map[string]float64{"rand": 1, "time": r.Metrics.Value("time")})
		case r.Dataset() == "e" && r.Method() == "b":
			r.Status, r.Reason, r.Metrics = results.Skipped, "too many features", results.Metrics{}
		case r.Dataset() == "e" && r.Method() == "c" && r.At.Text("m") == "20":
			r.Status, r.Reason, r.Metrics = results.Failed, "no convergence", results.Metrics{}
		case r.Dataset() == "d" && r.Method() == "c" && r.At.Text("m") == "20" && r.Repeat == 2:
			r.Status, r.Reason, r.Metrics = results.Failed, "no convergence", results.Metrics{}
		}
	}
	b := oneBudget(t, configs.Budget{At: []float64{20, 100}}, run)
	if !slices.Equal(b.Methods, []string{"a", "b", "c", "dear"}) {
		t.Fatalf("methods %v", b.Methods)
	}
	d, e := b.Groups[0].Caps, b.Groups[1].Caps
	if m := d[0].Methods[2]; m.Lost != 1 || m.Repeats != 5 || !m.Compared() {
		t.Errorf("c lost %d of its repeats: %+v", m.Lost, m)
	}
	if m := d[0].Methods[3]; m.Compared() || m.Reason != "no cell is within the budget" || m.Least != 100 || !math.IsNaN(m.Error) {
		t.Errorf("dear within 20: %+v", m)
	}
	if m := e[0].Methods[1]; m.Reason != "does not apply: too many features" {
		t.Errorf("b on e: %+v", m)
	}
	// Where all repeats failed there is no cell, and the next cheaper one is taken.
	if m := e[0].Methods[2]; !m.Compared() || m.Cost != 10 || !m.Exhausted {
		t.Errorf("c on e: %+v", m)
	}
	for i, want := range []string{"a~c false", "a~c false"} {
		if got := told(d[i]); got != want {
			t.Errorf("on d at %g: %s", d[i].Cap, got)
		}
	}
	// The costliest of dear is m = 10 within 100: d/10 against a/20.
	if p, ok := d[1].Against("dear", "a"); !ok || math.Abs(p.Ratio-8) > 0.05 {
		t.Errorf("dear against a: %+v", p)
	}
}

// Two methods of which a repeat failed are not told apart: the others may be the easy ones.
func TestBudgetsWithLostRepeats(t *testing.T) {
	run := budgetRun([]string{"d"}, []string{"a", "b"}, []int{10}, 8, func(_, method string, m, repeat int) (float64, float64) {
		return float64(method[0]) * jitter(method, m, repeat), 1
	})
	pair := func() Pair { return oneBudget(t, configs.Budget{At: []float64{1}}, run).Groups[0].Caps[0].Pairs[0] }
	if p := pair(); p.P > 0.01 || p.Reason != "" {
		t.Errorf("of all repeats: %+v", p)
	}
	lost := &run.Rows[len(run.Rows)-1]
	lost.Status, lost.Reason, lost.Metrics = results.Failed, "no convergence", results.Metrics{}
	if p := pair(); p.P != 1 || p.Repeats != 7 || p.Reason != "1 of 8 repeats do not give both errors, and failure may depend on the draw" {
		t.Errorf("with one lost: %+v", p)
	}
}

func TestBudgetsThatSayNothing(t *testing.T) {
	law := func(_, method string, m, repeat int) (float64, float64) {
		return float64(method[0]) * jitter(method, m, repeat), float64(m)
	}
	single := oneBudget(t, configs.Budget{}, budgetRun([]string{"d"}, []string{"a", "b"}, []int{10}, 1, law))
	if c := single.Groups[0].Caps[0]; told(c) != "a~b false" || single.Tests != 0 || c.Pairs[0].Reason != "1 repeat, and a test needs 3" {
		t.Errorf("one repeat: %+v", c)
	}
	run := budgetRun([]string{"d"}, []string{"a", "b"}, []int{10}, 6, law)
	run.Manifest.IDs = make([]string, len(run.Rows)+1)
	missing := oneBudget(t, configs.Budget{}, run)
	if missing.Problem == "" || told(missing.Groups[0].Caps[0]) != "a~b false" || missing.Tests != 0 {
		t.Errorf("an incomplete run: %q %s", missing.Problem, told(missing.Groups[0].Caps[0]))
	}
	alone := oneBudget(t, configs.Budget{}, budgetRun([]string{"d"}, []string{"a"}, []int{10}, 6, law))
	if alone.Problem == "" {
		t.Error("one method is compared with itself")
	}
	zero := oneBudget(t, configs.Budget{}, budgetRun([]string{"d"}, []string{"a", "b"}, []int{10}, 6, func(_, method string, _, _ int) (float64, float64) {
		return float64(method[0] - 'a'), 1
	}))
	if c := zero.Groups[0].Caps[0]; told(c) != "nothing" || c.Methods[0].Reason != "err is 0 in repeat 0, which has no logarithm" {
		t.Errorf("an error of 0: %+v", c)
	}
	absent := budgetRun([]string{"d", "e"}, []string{"a", "b"}, []int{10}, 6, law)
	absent.Catalog.Absent["e"] = "no source has it"
	if g := oneBudget(t, configs.Budget{}, absent).Groups; len(g) != 2 || g[1].Reason == "" || g[1].At.Text("dataset") != "e" {
		t.Errorf("absent data: %+v", g)
	}
	if _, err := Compare([]configs.Budget{{ID: "x", Of: configs.Quantity{Text: "err"}, Cost: configs.Quantity{Text: "time"}, Selection: configs.Selection{By: configs.Words{{Value: "theta"}}}}}, run); err == nil {
		t.Error("an unknown column is taken")
	}
}

// Steps go from the second least of the least costs to the second greatest of the
// greatest.
func TestChosenCaps(t *testing.T) {
	costing := func(costs ...float64) []cell {
		var cells []cell
		for _, c := range costs {
			cells = append(cells, cell{cost: c})
		}
		return cells
	}
	for _, test := range []struct {
		cells map[string][]cell
		want  []float64
	}{
		{map[string][]cell{"a": costing(1, 16), "b": costing(4, 100), "c": costing(9, 64)}, []float64{4, 16, 64}},
		{map[string][]cell{"a": costing(1, 2), "b": costing(5, 10)}, []float64{5}},
		{map[string][]cell{"a": costing(0.001234), "b": costing(0.0001)}, []float64{0.0013}},
		{map[string][]cell{"a": costing(123456), "b": costing(123456)}, []float64{130000}},
		{map[string][]cell{"a": costing(1, 2), "b": nil}, nil},
	} {
		if got := chosenCaps([]string{"a", "b", "c"}, test.cells); !slices.Equal(got, test.want) {
			t.Errorf("%v: %v, want %v", test.cells, got, test.want)
		}
	}
}

// TestBudgetsFalseAlarms simulates runs in which all three methods have the same
// law on two data sets: in at most 5 % of them any difference is told. Of 600 runs
// that is 30 ± 5.3; more than 46 has a chance below 0.2 %.
func TestBudgetsFalseAlarms(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 2025))
	alarms := 0
	for range 600 {
		run := budgetRun([]string{"d", "e"}, []string{"a", "b", "c"}, []int{10, 20}, 40, func(_, _ string, m, _ int) (float64, float64) {
			return math.Exp(0.1 * rng.NormFloat64()), float64(m)
		})
		b := oneBudget(t, configs.Budget{At: []float64{10, 20}}, run)
		any := false
		for _, g := range b.Groups {
			for _, c := range g.Caps {
				any = any || slices.ContainsFunc(c.Pairs, func(p Pair) bool { return p.significant(b.Level) })
			}
		}
		if any {
			alarms++
		}
	}
	t.Logf("%d of 600 runs tell a difference where there is none", alarms)
	if alarms > 46 || alarms == 0 {
		t.Errorf("%d of 600 runs tell a difference where there is none", alarms)
	}
}

// TestBudgetsWithErrorsOfZero: a method whose error is 0 in a repeat cannot be
// compared by logarithms, and then no other is called best.
func TestBudgetsWithErrorsOfZero(t *testing.T) {
	run := budgetRun([]string{"d"}, []string{"a", "b", "exact"}, []int{10}, 5, func(_, method string, m, repeat int) (float64, float64) {
		if method == "exact" {
			return 1e-12 * float64(repeat), 1
		}
		return map[string]float64{"a": 1, "b": 2}[method] * jitter(method, m, repeat), 1
	})
	c := oneBudget(t, configs.Budget{At: []float64{1}}, run).Groups[0].Caps[0]
	if c.Clear || !c.Methods[2].Unranked || c.Methods[2].Compared() {
		t.Errorf("clear %v, exact %+v", c.Clear, c.Methods[2])
	}
}
