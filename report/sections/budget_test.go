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

// answered are the budgets of a run at some caps, and what is said of them: a line for
// each case, and the notes.
func answered(t *testing.T, run results.Run, at ...float64) (string, []budget.Comparison) {
	t.Helper()
	budgets, err := budget.Compare([]configs.Budget{{ID: "time", Title: "equal time", Of: configs.Quantity{Text: "err"}, Cost: configs.Quantity{Text: "time_total"}, At: at}}, run)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, row := range winnersByBudget(budgets[0]) {
		lines = append(lines, strings.Join(row, " | "))
	}
	if len(lines) == 0 {
		lines = append(lines, whyNotCompared(budgets[0]))
	}
	var p document
	p.Para("%s", strings.Join(append(lines, budgetNotes(budgets[0])...), "; "))
	return strings.NewReplacer("`", "", "\\", "").Replace(strings.TrimSpace(string(p.Markdown()))), budgets
}

func TestBudgetAnswer(t *testing.T) {
	fail := func(f func(r *results.Record) (results.Status, string)) func(*results.Record) {
		return func(r *results.Record) {
			if status, reason := f(r); status != "" {
				r.Status, r.Reason, r.Metrics = status, reason, results.Metrics{}
			}
		}
	}
	for name, tt := range map[string]struct {
		run  results.Run
		at   []float64
		want string
	}{
		"one method best everywhere": {
			reporttest.BudgetRun(map[string]map[string]float64{"x": {"a": 1, "b": 2, "c": 4}, "y": {"a": 1, "b": 8, "c": 4}}, 6, nil), []float64{0.1, 0.4},
			"x | 100 ms | a | R b;  | 400 ms | a | R b; y | 100 ms | a | R c;  | 400 ms | a | R c",
		},
		"on one data set": {
			reporttest.BudgetRun(map[string]map[string]float64{"x": {"a": 1, "b": 2, "c": 4}}, 6, nil), []float64{0.3},
			"x | 300 ms | a | R b",
		},
		"a tie": {
			reporttest.BudgetRun(map[string]map[string]float64{"x": {"a": 1, "b": 1, "c": 4}}, 6, nil), []float64{0.1, 0.4},
			"x | 100 ms | no clear winner | tied: a and b;  | 400 ms | no clear winner | tied: a and b",
		},
		"a tie within one budget": {
			reporttest.BudgetRun(map[string]map[string]float64{"x": {"a": 1, "b": 1, "c": 4}}, 6, nil), []float64{0.1},
			"x | 100 ms | no clear winner | tied: a and b",
		},
		"the best changes with the data": {
			reporttest.BudgetRun(map[string]map[string]float64{"x": {"a": 1, "b": 2, "c": 4}, "y": {"a": 4, "b": 2, "c": 1}, "z": {"a": 4, "b": 1.5, "c": 1}}, 6, nil), []float64{0.1},
			"x | 100 ms | a | R b; y | 100 ms | c | R b; z | 100 ms | c | R b",
		},
		"the best changes with the budget, and one is too dear": {
			reporttest.BudgetRun(map[string]map[string]float64{"x": {"a": 1, "b": 4, "c": 4}}, 6, func(r *results.Record) {
				switch {
				case r.Method == "b" && r.M > 10:
					r.Metrics.Set("err", results.Metric{Value: r.Metrics.Value("err") / 20})
				case r.Method == "c":
					r.Metrics.Set("time_total", results.Metric{Value: 9, Unit: "s"})
				}
			}), []float64{0.1, 0.2, 0.4},
			"x | 100 ms | a | R b;  | 200 ms | b | R a;  | 400 ms | b | R a",
		},
		"best within one budget, and a tie within the other": {
			reporttest.BudgetRun(map[string]map[string]float64{"x": {"a": 1, "b": 2, "c": 4}}, 6, func(r *results.Record) {
				if r.Method == "b" && r.M == 20 {
					r.Metrics.Set("err", results.Metric{Value: r.Metrics.Value("err") / 2})
				}
			}), []float64{0.1, 0.2},
			"x | 100 ms | a | R b;  | 200 ms | no clear winner | tied: a and b",
		},
		"the best changes with the budget": {
			reporttest.BudgetRun(map[string]map[string]float64{"x": {"a": 1, "b": 4, "c": 5}}, 6, func(r *results.Record) {
				if r.Method == "b" && r.M > 10 {
					r.Metrics.Set("err", results.Metric{Value: r.Metrics.Value("err") / []float64{0, 0, 20, 0, 4}[r.M/10]})
				}
			}), []float64{0.1, 0.2, 0.4},
			"x | 100 ms | a | R b;  | 200 ms | b | R a;  | 400 ms | no clear winner | tied: a and b",
		},
		"failed and skipped": {
			reporttest.BudgetRun(map[string]map[string]float64{"x": {"a": 1, "b": 2, "c": 4}, "y": {"a": 1, "b": 2, "c": 4}}, 6, fail(func(r *results.Record) (results.Status, string) {
				switch {
				case r.Dataset == "y" && r.Method == "a":
					return results.Skipped, "not for this kernel"
				case r.Dataset == "x" && r.Method == "c":
					return results.Failed, "no convergence"
				}
				return "", ""
			})), []float64{0.1},
			"x | 100 ms | a | R b; y | 100 ms | b | R c; c on x: failed: no convergence.; a on y: does not apply: not for this kernel.",
		},
		"a single repeat": {
			reporttest.BudgetRun(map[string]map[string]float64{"x": {"a": 1, "b": 2, "c": 4}}, 1, nil), []float64{0.1},
			"there is 1 repeat, and a test needs 3",
		},
		"a budget below every cell": {
			reporttest.BudgetRun(map[string]map[string]float64{"x": {"a": 1, "b": 2, "c": 4}}, 6, nil), []float64{0.01},
			"no budget has two methods that fit",
		},
	} {
		got, _ := answered(t, tt.run, tt.at...)
		if diff := cmp.Diff(tt.want, ratios.ReplaceAllString(got, "R")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// An incomplete run answers nothing.
func TestBudgetAnswerOfAnIncompleteRun(t *testing.T) {
	run := reporttest.BudgetRun(map[string]map[string]float64{"x": {"a": 1, "b": 2, "c": 4}}, 6, nil)
	run.Manifest.Cells = len(run.Records) + 3
	got, budgets := answered(t, run, 0.1)
	if want := "the run is incomplete: 3 of 57 records are missing"; got != want {
		t.Errorf("got %s", got)
	}
	var p document
	p.budgets(budgets)
	if text := string(p.Markdown()); strings.Contains(text, "| **") || strings.Contains(text, "≈ 0") {
		t.Errorf("a best is marked:\n%s", text)
	}
}

// The ratio that is named is that of the next, and its interval holds it.
func TestBudgetAnswerHasTheRatio(t *testing.T) {
	got, budgets := answered(t, reporttest.BudgetRun(map[string]map[string]float64{"x": {"a": 1, "b": 2, "c": 4}}, 6, nil), 0.1)
	p := next(budgets[0].Groups[0].Caps[0])
	if p.To != "b" || math.Abs(p.Ratio-0.5) > 0.002 || !strings.Contains(got, format.Interval(p.Ratio, p.Low, p.High)+" × b") {
		t.Errorf("%+v\n%s", p, got)
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
