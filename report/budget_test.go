package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mercer/configs"
	"mercer/internal/budget"
	"mercer/report/reporttest"
	"mercer/results"
)

// TestWriteBudgets: the tables stand right after the verdicts, with their
// numbers beside; the table marks the best, what does not differ from it significantly, and what is
// not compared.
func TestWriteBudgets(t *testing.T) {
	run := reporttest.BudgetRun(map[string]map[string]float64{"x": {"a": 1, "b": 1, "c": 4}, "y": {"a": 1, "b": 2, "c": 4}}, 6, func(r *results.Row) {
		if r.Method() == "c" && r.Dataset() == "y" {
			r.Status, r.Reason, r.Metrics = results.Skipped, "c does not like | y", results.Metrics{}
		}
	})
	run.Catalog.Absent, run.Spec.Datasets = map[string]string{"z": "nobody has it"}, []configs.Component{{ID: "x"}, {ID: "y"}, {ID: "z"}}
	budgets, err := budget.Compare([]configs.Budget{{ID: "time", Title: "equal time", Of: configs.Quantity{Text: "err"}, Cost: configs.Quantity{Text: "time_total"}, At: []float64{0.1, 0.9}}}, run)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files, err := Write(dir, run, reporttest.FixedVerdicts(), nil, nil, budgets...)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(files.Report)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"## At equal cost\n\n### Equal time\n\n| Data | Budget | Best | Error against the next [interval] | `a` | `b` | `c` |",
		"| dataset x | 100 ms | a = b | – | ", "|  | 900 ms | ", "(m = 40, 400 ms †) |", "≈ 0.", "| – |",
		"- c on dataset y: does not apply: c does not like \\| y.", "- dataset z: its data are missing.", "[Numbers](tables/budget-time.csv)",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	if verdicts, answer := strings.Index(string(text), "## Verdicts"), strings.Index(string(text), "## At equal cost"); !(verdicts > 0 && verdicts < answer) {
		t.Errorf("the answer is at %d, the verdicts are at %d", answer, verdicts)
	}
	table, err := os.ReadFile(filepath.Join(dir, "tables", "budget-time.csv"))
	if err != nil {
		t.Fatal(err)
	}
	// For each cap, methods and pairs: x has 3 of each, y 3 methods and 1 pair; z one row.
	if lines := strings.Count(string(table), "\n"); lines != 1+2*(3+3)+2*(3+1)+1 {
		t.Errorf("%d lines:\n%s", lines, table)
	}
	if _, err := Write(dir, run, reporttest.FixedVerdicts(), nil, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "tables", "budget-time.csv")); err == nil {
		t.Error("the table of a budget that is gone is still there")
	}
}
