package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/report/reporttest"
	"mercer/results"
)

func means(t *testing.T, run results.Run, names []string, width int) string {
	t.Helper()
	table := MeansTable(run, names, TableOptions{Width: width})
	for _, line := range strings.Split(table, "\n") {
		if len(line) > width {
			t.Errorf("width %d: %q", width, line)
		}
	}
	return table
}

// grownRun has two methods at each n, of which exact does not use m; each cell has the values
// 1, 2 and 3 times n. One cell failed.
func grownRun(ns ...int) results.Run {
	var rows []results.Row
	for _, n := range ns {
		for repeat := range 3 {
			r := results.Row{At: reporttest.At("dataset", "data", "method", "exact", "n", fmt.Sprint(n)), Repeat: repeat, Status: results.OK,
				Metrics: results.NewMetrics(map[string]float64{"recon_h": float64(n * (repeat + 1))})}
			rows = append(rows, r)
			r.At = reporttest.At("dataset", "data", "method", "nystrom", "n", fmt.Sprint(n), "m", "5")
			rows = append(rows, r)
			r.At = r.At.With("m", configs.NumberOf(10))
			r.Status, r.Metrics, r.Reason = results.Failed, results.Metrics{}, fmt.Sprintf("no room for %d", n)
			rows = append(rows, r)
		}
	}
	run := reporttest.RunOf([]string{"n", "m"}, rows...)
	reporttest.Complete(&run, 0)
	return run
}

// TestMeansTable: of 1, 2, 3 times n the mean is 2n and the half-width t(0.975, 2)/sqrt(3) n
// = 4.303/1.732 n = 2.484 n.
func TestMeansTable(t *testing.T) {
	want := `mean +/- half-width of its 95 % t interval, 3 repeats
recon_h: reconstruction error R
+---------------+-----------+
| method        | recon_h   |
+---------------+-----------+
| exact, n=1    | 2.0 [0.0, 4.5] |
| Nyström, n=1, m=5 | 2.0 [0.0, 4.5] |
| Nyström, n=1, m=10 | failed |
| exact, n=10 | 20 [0, 45] |
| Nyström, n=10, m=5 | 20 [0, 45] |
| Nyström, n=10, m=10 | failed |
`
	squeeze := func(s string) string {
		s = regexp.MustCompile(`[+]-.*\n`).ReplaceAllString(s, "")
		return regexp.MustCompile(` +`).ReplaceAllString(s, " ")
	}
	if got := means(t, grownRun(1, 10), []string{"recon_h"}, 80); squeeze(got) != squeeze(want) {
		t.Errorf("\n%s, want\n%s", got, want)
	}
	narrow := means(t, grownRun(1, 10), []string{"recon_h"}, 40)
	if !strings.Contains(narrow, "Nyström, n=10, m=5\n  recon_h 20 [0, 45]\n") {
		t.Errorf("at 40 columns:\n%s", narrow)
	}
}

// TestMeansOfManyCells: those of the largest n are left, and the table says so.
func TestMeansOfManyCells(t *testing.T) {
	got := means(t, grownRun(1, 2, 3, 4, 5, 10), []string{"recon_h"}, 80)
	if strings.Contains(got, "n=") || !strings.Contains(got, "repeats; n = 10\n") || !strings.Contains(got, "3 of 18 cells") {
		t.Errorf("\n%s", got)
	}
	// Cells of many data sets have the same sizes: those of the first are shown.
	for most, want := range map[int]string{
		5:  "\nthe first 12 of 16 cells; the report has all\n",
		10: "\nthe first 12 of the 16 cells with the largest sizes, of 24 in all; the report has all\n",
	} {
		run := grownRun(1)
		run.Rows = slices.DeleteFunc(run.Rows, func(r results.Row) bool { return r.At.Get("m").Number > float64(most) })
		one := run.Rows
		for i := range 7 {
			for _, r := range one {
				r.At = r.At.With("dataset", configs.TextOf(r.Dataset()+fmt.Sprint(i)))
				run.Rows = append(run.Rows, r)
			}
		}
		if got := means(t, run, []string{"recon_h"}, 120); !strings.Contains(got, want) {
			t.Errorf("the table lacks %q:\n%s", want, got)
		}
	}
	if empty := means(t, reporttest.Empty(), []string{"recon_h"}, 80); empty != "" {
		t.Errorf("no records have a table:\n%s", empty)
	}
}

// TestMainMetrics: claims come before plots, what judges methods before what describes
// them, and the first of each measure stands in for both.
func TestMainMetrics(t *testing.T) {
	run := reporttest.RunOf(nil, results.Row{Status: results.OK, Metrics: results.NewMetrics(map[string]float64{
		"recon_h": 0, "recon_h_floor": 0, "recon_l2": 0, "recon_l2_floor": 0, "time_total": 0})})
	run.Catalog.Measures = map[string][]string{"recon_h": {"none", "recon_h", "recon_h_floor"}, "recon_l2": {"recon_l2", "recon_l2_floor"}}
	spec := &configs.Spec{Measure: configs.Words{{Value: "recon_l2"}, {Value: "recon_h"}}}
	if got := fmt.Sprint(MainMetrics(run, spec, nil)); got != "[recon_l2 recon_h]" {
		t.Errorf("measures: %s", got)
	}
	spec.Plots = []configs.Plot{{Kind: configs.PlotTrajectory, Y: configs.NewQuantity("recon_h"), X: configs.NewQuantity("time_total"), Floor: configs.NewQuantity("recon_h_floor")}}
	if got := fmt.Sprint(MainMetrics(run, spec, nil)); got != "[recon_h time_total]" {
		t.Errorf("plots: %s", got)
	}
	verdicts := []claims.Verdict{{Of: "recon_l2/recon_h_floor"}, {Of: "recon_l2_floor", Check: true}}
	if got := fmt.Sprint(MainMetrics(run, spec, verdicts)); got != "[recon_l2 recon_h time_total]" {
		t.Errorf("claims and plots: %s", got)
	}
}

// TestFailureLines: reasons that differ in numbers alone are one line.
func TestFailureLines(t *testing.T) {
	for width, want := range map[int]string{200: "6 records failed: no room for 1 (the numbers vary); 2 cells: method nystrom; n = 1, 10; m = 10\n", 40: "6 records failed: no room for 1 (the\n"} {
		if got := FailureLines(grownRun(1, 10), TableOptions{Width: width}); !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := FailureLines(reporttest.FixedRun(), plainTable); strings.Contains(got, "skipped") {
		t.Errorf("%q", got)
	}
}
