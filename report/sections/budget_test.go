package sections

import (
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/configs"
	"mercer/internal/budget"
	"mercer/report/format"
	"mercer/report/reporttest"
	"mercer/results"
)

// ratios finds a ratio with its interval.
var ratios = regexp.MustCompile(`[0-9.e-]+ \[[0-9.e-]+, [0-9.e-]+\] ×`)

// answered is a budget of a run at some caps and what is said of it: who wins in each
// case, or why nothing is compared, and the notes.
func answered(t *testing.T, run results.Run, at ...float64) (string, budget.Comparison) {
	t.Helper()
	budgets, err := budget.Compare([]configs.Budget{{ID: "time", Title: "equal time", Of: configs.Quantity{Text: "err"}, Cost: configs.Quantity{Text: "time_total"}, At: at}}, run)
	if err != nil {
		t.Fatal(err)
	}
	p := newDocument(run)
	var lines []string
	for _, g := range budgets[0].Groups {
		for _, c := range comparedCaps(g) {
			best, against := p.bestWithin(c)
			lines = append(lines, p.groupName(budgets[0], g)+" "+amount(c.Cap, "s")+" "+best+" "+against)
		}
	}
	if len(lines) == 0 {
		lines = append(lines, whyNotCompared(budgets[0]))
	}
	p.Para("%s", strings.Join(append(lines, p.budgetNotes(budgets[0])...), "; "))
	return strings.NewReplacer("`", "", "\\", "").Replace(strings.TrimSpace(string(p.Markdown()))), budgets[0]
}

func TestBudgetWinners(t *testing.T) {
	one := map[string]map[string]float64{"x": {"a": 1, "b": 2, "c": 4}}
	for name, tt := range map[string]struct {
		errors  map[string]map[string]float64 // by data set and method
		repeats int
		change  func(*results.Row)
		at      []float64
		want    string
	}{
		"one method best everywhere": {map[string]map[string]float64{"x": {"a": 1, "b": 2, "c": 4}, "y": {"a": 1, "b": 8, "c": 4}}, 6, nil, []float64{0.1, 0.4},
			"dataset x 100 ms a R b; dataset x 400 ms a R b; dataset y 100 ms a R c; dataset y 400 ms a R c"},
		"a tie": {map[string]map[string]float64{"x": {"a": 1, "b": 1, "c": 4}}, 6, nil, []float64{0.1}, "dataset x 100 ms no clear winner not told apart: a and b"},
		"the best changes with the budget, and one is too dear": {map[string]map[string]float64{"x": {"a": 1, "b": 4, "c": 4}}, 6, func(r *results.Row) {
			switch {
			case r.Method() == "b" && r.At.Get("m").Number > 10:
				r.Metrics.Set("err", r.Metrics.Value("err")/[]float64{0, 0, 20, 0, 4}[int(r.At.Get("m").Number)/10])
			case r.Method() == "c":
				r.Metrics.Set("time_total", 9)
			}
		}, []float64{0.1, 0.2, 0.4}, "dataset x 100 ms a R b; dataset x 200 ms b R a; dataset x 400 ms no clear winner not told apart: a and b"},
		"failed and skipped": {map[string]map[string]float64{"x": {"a": 1, "b": 2, "c": 4}, "y": {"a": 1, "b": 2, "c": 4}}, 6, func(r *results.Row) {
			switch {
			case r.Dataset() == "y" && r.Method() == "a":
				r.Status, r.Reason, r.Metrics = results.Skipped, "not for this kernel", results.Metrics{}
			case r.Dataset() == "x" && r.Method() == "c":
				r.Status, r.Reason, r.Metrics = results.Failed, "no convergence", results.Metrics{}
			}
		}, []float64{0.1}, "dataset x 100 ms a R b; dataset y 100 ms b R c; c on dataset x: failed: no convergence.; a on dataset y: does not apply: not for this kernel."},
		"a single repeat":           {one, 1, nil, []float64{0.1}, "there is 1 repeat, and a test needs 3"},
		"a budget below every cell": {one, 6, nil, []float64{0.01}, "no budget has two methods that fit"},
	} {
		got, _ := answered(t, reporttest.BudgetRun(tt.errors, tt.repeats, tt.change), tt.at...)
		if diff := cmp.Diff(tt.want, ratios.ReplaceAllString(got, "R")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	// The ratio that is named is that of the next, and its interval holds it.
	run := reporttest.BudgetRun(one, 6, nil)
	got, b := answered(t, run, 0.1)
	p := next(b.Groups[0].Caps[0])
	if p.To != "b" || math.Abs(p.Ratio-0.5) > 0.002 || !strings.Contains(got, format.Interval(p.Ratio, p.Low, p.High)+" × b") {
		t.Errorf("%+v\n%s", p, got)
	}
	// An incomplete run answers nothing.
	reporttest.Complete(&run, 3)
	got, b = answered(t, run, 0.1)
	if want := "the run is incomplete: 3 of 57 rows are missing"; got != want {
		t.Errorf("got %s", got)
	}
	page := newDocument(run)
	page.budgets([]budget.Comparison{b})
	if text := string(page.Markdown()); strings.Contains(text, "| **") || strings.Contains(text, "≈ 0") {
		t.Errorf("a best is marked:\n%s", text)
	}
}

// TestBudgetAnswer: where no case has a winner, one sentence says so of all budgets together;
// what is not compared is said last.
func TestBudgetAnswer(t *testing.T) {
	run := reporttest.BudgetRun(map[string]map[string]float64{"x": {"a": 1, "b": 1, "c": 1}}, 6, nil)
	_, tied := answered(t, run, 0.1, 0.9)
	_, low := answered(t, run, 0.01)
	p := newDocument(run)
	want := "No clear winner at equal cost in any of 4 cases (data set and budget). A winner is a method whose error is significantly smaller than every other's. " +
		"Equal time: not compared, no budget has two methods that fit."
	if diff := cmp.Diff(want, ratios.ReplaceAllString(strings.Join(p.budgetAnswer([]budget.Comparison{tied, low, tied}), " "), "R")); diff != "" {
		t.Error(diff)
	}
}

func TestAmount(t *testing.T) {
	for _, tt := range []struct {
		v    float64
		unit string
		want string
	}{
		{0.0123456, "s", "12.3 ms"}, {1.2, "s", "1.2 s"}, {123.456, "s", "123 s"}, {0.9999, "s", "1 s"}, {4.5e-6, "s", "4.5 µs"}, {0, "s", "0 s"},
		{1234567, "B", "1.23 MB"}, {999.9, "B", "1 kB"}, {88, "B", "88 B"}, {2.5e9, "B", "2.5 GB"}, {1e5, "flop", "100000 flop"}, {0.25, "", "0.25"},
	} {
		if got := amount(tt.v, tt.unit); got != tt.want {
			t.Errorf("%g %s: %s, want %s", tt.v, tt.unit, got, tt.want)
		}
	}
}
