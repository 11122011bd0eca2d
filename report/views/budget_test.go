package views

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/report/reporttest"
	"mercer/results"
)

// budgetRun has methods a, b and c at m = 10, 20 and 40, of cost m seconds. The error of each is what
// errors says, over m.
func budgetRun(errors map[string]float64, repeats int, change func(*results.Row)) results.Run {
	var rows []results.Row
	for _, method := range []string{"a", "b", "c"} {
		for _, m := range []int{10, 20, 40} {
			for repeat := range repeats {
				e := errors[method] / float64(m) * (1 + 0.01*reporttest.Noise(m+7*repeat+100*int(method[0])))
				row := results.Row{ID: fmt.Sprint(method, m, repeat), At: reporttest.At("dataset", "x", "kernel", "rbf", "method", method, "m", fmt.Sprint(m)),
					Repeat: repeat, Status: results.OK, Metrics: map[string]float64{"err": e, "time_total": float64(m)}}
				change(&row)
				rows = append(rows, row)
			}
		}
	}
	run := reporttest.RunOf([]string{"m"}, rows...)
	run.Manifest.Repeats = repeats
	return run
}

// Within a budget each method has its costliest cell that fits, of cells of equal cost the last, and
// the best is bold: it is clearly better than all others that have a cell.
func TestBudgets(t *testing.T) {
	for name, tt := range map[string]struct {
		errors  map[string]float64
		repeats int
		at      []float64
		change  func(*results.Row)
		want    string // by amount: the cells, the best with a star
	}{
		"the best":   {map[string]float64{"a": 1, "b": 2, "c": 4}, 6, []float64{25, 10}, nil, "10: a m=10* b m=10 c m=10; 25: a m=20* b m=20 c m=20"},
		"a tie":      {map[string]float64{"a": 1, "b": 1, "c": 4}, 6, []float64{10}, nil, "10: a m=10 b m=10 c m=10"},
		"one repeat": {map[string]float64{"a": 1, "b": 2, "c": 4}, 1, []float64{10}, nil, "10: a m=10 b m=10 c m=10"},
		"by cost alone": {map[string]float64{"a": 1, "b": 8, "c": 16}, 6, []float64{40}, func(r *results.Row) {
			if m, _ := r.At.Number("m"); r.Method() == "a" {
				r.Metrics.Set("err", r.Metrics["err"]*m*m) // the cheapest cell has the least error
			}
		}, "40: a m=40 b m=40* c m=40"},
		"equal costs": {map[string]float64{"a": 1, "b": 2, "c": 8}, 6, []float64{10}, func(r *results.Row) {
			if r.Method() == "c" {
				r.Metrics.Set("time_total", 5)
			}
		}, "10: a m=10* b m=10 c m=40"},
		// a does not compete, as in the tables of measurements
		"a failed repeat": {map[string]float64{"a": 1, "b": 2, "c": 4}, 6, []float64{10}, func(r *results.Row) {
			if r.Method() == "a" && r.Repeat == 3 {
				r.Status, r.Metrics = results.Failed, results.Metrics{}
			}
		}, "10: a m=10 b m=10* c m=10"},
		"too dear": {map[string]float64{"a": 1, "b": 2, "c": 4}, 6, []float64{15}, func(r *results.Row) {
			r.Metrics.Set("time_total", r.Metrics["time_total"]*map[string]float64{"a": 1, "b": 1, "c": 2}[r.Method()])
		}, "15: a m=10* b m=10"},
		"amounts by costs": {map[string]float64{"a": 1, "b": 2, "c": 4}, 6, nil, func(r *results.Row) {
			r.Metrics.Set("time_total", r.Metrics["time_total"]*map[string]float64{"a": 1, "b": 4, "c": 16}[r.Method()])
		}, "40: a m=40* b m=10; 80: a m=40* b m=20; 160: a m=40* b m=40 c m=10"},
	} {
		change := tt.change
		if change == nil {
			change = func(*results.Row) {}
		}
		run := budgetRun(tt.errors, tt.repeats, change)
		run.Spec.Budgets = []configs.Budget{{ID: "time", Of: configs.Quantity{Text: "err"}, Cost: configs.Quantity{Text: "time_total"}, At: tt.at}}

		budget := New(run, nil, nil).Budgets()[0]
		var got []string
		for _, same := range lists.By(budget.Numbers[1:], func(row []string) string { return row[2] }) {
			cells := lists.Map(same, func(row []string) string { return row[3] + " " + row[4] + strings.Replace(row[10], "best", "*", 1) })
			got = append(got, same[0][2]+": "+strings.Join(cells, " "))
		}
		if text := strings.Join(got, "; "); text != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", name, text, tt.want)
		}
		bold := 0
		for _, row := range budget.Rows {
			if slices.ContainsFunc(row, func(c Cell) bool { return c.Mark == Best }) {
				bold++
			}
		}
		alike := lists.Where(budget.Numbers[1:], func(row []string) bool { return row[11] != "" })
		if len(alike) != strings.Count(texts(budget.Table), " ≈") || slices.ContainsFunc(alike, func(row []string) bool { return row[10] != "" }) || name == "a tie" && len(alike) != 2 || name == "the best" && len(alike) != 0 {
			t.Errorf("%s: tied are %v", name, alike)
		}
		fit := lists.Where(budget.Rows, func(row []Cell) bool { return !strings.HasPrefix(row[len(row)-2].Text, "from ") })
		if bold != budget.Told || budget.Amounts != len(got) || bold != strings.Count(strings.Join(got, ""), "*") || len(fit) != len(budget.Numbers)-1 || name == "too dear" && !strings.Contains(texts(budget.Table), "c | – | from 20 s") {
			t.Errorf("%s: the table is not as its numbers:\n%s", name, texts(budget.Table))
		}
	}
}

// A budget of what the run does not have says so, and so does one that no cell fits.
func TestNoBudget(t *testing.T) {
	run := budgetRun(map[string]float64{"a": 1, "b": 2, "c": 4}, 3, func(*results.Row) {})
	for want, cost := range map[string]string{"fewer than two methods have cells with a cost": "memory", "": "time_total"} {
		run.Spec.Budgets = []configs.Budget{{ID: "b", Of: configs.Quantity{Text: "err"}, Cost: configs.Quantity{Text: cost}}}
		if got := New(run, nil, nil).Budgets()[0].Problem; got != want {
			t.Errorf("at equal %s: %q", cost, got)
		}
	}
}

// The interval of a budget ends at the least value of the metric, as everywhere.
func TestIntervalOfABudget(t *testing.T) {
	run := budgetRun(map[string]float64{"a": 1, "b": 2, "c": 4}, 2, func(r *results.Row) {
		r.Metrics.Set("recon_h", float64(r.Repeat))
	})
	run.Spec.Budgets = []configs.Budget{{ID: "b", Of: configs.Quantity{Text: "recon_h"}, Cost: configs.Quantity{Text: "time_total"}, At: []float64{10}}}
	b := New(run, nil, nil).Budgets()[0]
	if low, text := b.Numbers[1][6], b.Rows[0][len(b.Rows[0])-1].Text; low != "0" || !strings.Contains(text, "[0.0, ") {
		t.Errorf("the interval of 0 and 1 begins at %s: %s", low, text)
	}
}
