//go:build system && unix

package cmd

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"mercer/results"
)

// TestStartCostsNoBudget runs the example of docs/budgets.md. A program that is ready after
// 2 s costs less in every repeat than one whose fits take 1 s, and is within the budget of
// 1 s, which the other exceeds. No clock of this test is read: what a fit of some
// milliseconds costs would have to be 1 s for a false alarm.
func TestStartCostsNoBudget(t *testing.T) {
	text, err := os.ReadFile("../docs/budgets.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Programs\n")
	dir := t.TempDir()
	spec, out := filepath.Join(dir, "start.yaml"), filepath.Join(dir, "out")
	if err := os.WriteFile(spec, []byte(found(t, "(?s)```yaml\n(.*?)```", section)), 0o600); err != nil {
		t.Fatal(err)
	}
	succeeds(t, "run", spec, "--quiet", "--out", out)

	run, err := results.Load(out)
	if err != nil {
		t.Fatal(err)
	}
	cost := map[string]map[int]float64{"slow-start": {}, "slow-fit": {}}
	for _, r := range run.Records {
		m, ok := r.Metrics.Get("time_total")
		if !ok {
			t.Fatalf("%s, repeat %d: no time_total: %s", r.Method, r.Repeat, r.Reason)
		}
		cost[r.Method][r.Repeat] = m.Value
	}
	if len(cost["slow-start"]) != 3 {
		t.Errorf("costs %v, want three repeats", cost)
	}
	for repeat, start := range cost["slow-start"] {
		if fit := cost["slow-fit"][repeat]; start >= fit {
			t.Errorf("repeat %d: the program that starts slowly costs %g s, the one that fits slowly %g s", repeat, start, fit)
		}
	}
	for method, want := range map[string][2]bool{"slow-start": {true, true}, "slow-fit": {false, true}} {
		if got := comparedWithin(t, filepath.Join(out, "report", "tables", "budget-time.csv"), method); got != want {
			t.Errorf("%s: compared within 1 s and within 10 s: %v, want %v", method, got, want)
		}
	}
}

// comparedWithin says, for the budgets of 1 s and of 10 s, whether a method has a cell within.
func comparedWithin(t *testing.T, path, method string) (compared [2]bool) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	for _, row := range rows[1:] {
		if row[column["role"]] != "method" || row[column["method"]] != method {
			continue
		}
		limit, err := strconv.ParseFloat(row[column["cap"]], 64)
		if err != nil {
			t.Fatal(err)
		}
		if row[column["cell"]] != "" {
			compared[map[float64]int{1: 0, 10: 1}[limit]] = true
		}
	}
	return compared
}
