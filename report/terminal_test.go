package report

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/report/reporttest"
	"mercer/report/views"
	"mercer/results"
)

// plainTable is a terminal of 100 columns without colour.
var plainTable = TableOptions{Width: 100}

// printed are verdicts without a run in a terminal.
func printed(verdicts []claims.Verdict, o TableOptions) string {
	return Terminal(views.New(reporttest.Empty(), verdicts, nil), o)
}

func TestTerminalGolden(t *testing.T) {
	got := Terminal(views.New(reporttest.FixedRun(), reporttest.FixedVerdicts(), nil), plainTable)
	golden(t, "table.txt", got)
	if bad := notFinite.FindString(got); bad != "" {
		t.Errorf("the terminal has %q", bad)
	}
}

// No line is wider than the terminal, but for tables with long words, and no word is lost.
func TestTerminalKeepsToItsWidth(t *testing.T) {
	verdicts := reporttest.FixedVerdicts()
	verdicts[1].Group = reporttest.At("method", strings.Repeat("é ", 40)+"é", "theta", "0.5")
	verdicts[2].Reason = strings.Repeat("words and 界世 wide ones ", 9) + "end"
	for _, width := range []int{40, 60, 80, 100, 200} {
		text := Terminal(views.New(reporttest.FixedRun(), verdicts, nil), TableOptions{Width: width})
		for line := range strings.SplitSeq(text, "\n") {
			if got := twwidth.Width(line); got > width && (width >= 200 || !strings.ContainsAny(line[:min(1, len(line))], "|+")) {
				t.Errorf("width %d: a line has %d columns: %s", width, got, line)
			}
		}
		if bare := strings.Join(strings.Fields(text), " "); !strings.Contains(bare, verdicts[2].Reason) {
			t.Errorf("width %d: a word is lost", width)
		}
	}
}

// Colour follows the outcome and moves no column; what holds and says nothing is not green.
func TestTerminalColour(t *testing.T) {
	verdicts := reporttest.FixedVerdicts()
	plain := printed(verdicts, plainTable)
	coloured := printed(verdicts, TableOptions{Width: 100, Color: true})
	if strings.Contains(plain, "\x1b") {
		t.Error("colour though nobody asked")
	}
	for _, want := range []string{"\x1b[32mholds\x1b[0m", "\x1b[31mviolated\x1b[0m", "\x1b[33minconclusive\x1b[0m", "\x1b[33mholds, vacuous\x1b[0m"} {
		if !strings.Contains(coloured, want) {
			t.Errorf("no %q", want)
		}
	}
	bare := regexp.MustCompile("\x1b\\[[0-9]+m").ReplaceAllString(coloured, "")
	if diff := cmp.Diff(plain, bare); diff != "" {
		t.Errorf("colour moves columns:\n%s", diff)
	}
}

// Checks that hold and controls that are violated are counts; others stand in the table.
func TestTerminalFoldsChecks(t *testing.T) {
	v := reporttest.FixedVerdicts()[:4]
	v[2].Check, v[3].Check = true, true // violated, holds
	text := printed(v, TableOptions{Width: 120})
	if !strings.Contains(text, "\nchecks of the code: violated 1, holds 1\n") || strings.Contains(text, "| check above-floor") || !strings.Contains(text, "| check as-good") {
		t.Error(text)
	}
	v[2].Check, v[2].Control, v[3].Check, v[3].Control = false, true, false, true
	text = printed(v, TableOptions{Width: 120})
	for _, want := range []string{"\ncontrols, which must be violated: control holds 1, control violated 1\n", "| control above-floor |", "\ncontrol holds: control above-floor (rff)\n  all rows lie"} {
		if !strings.Contains(strings.ReplaceAll(text, "records", "rows"), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// Texts of a spec steer no terminal.
func TestTerminalIsSafe(t *testing.T) {
	v := reporttest.FixedVerdicts()[:1]
	v[0].Outcome = claims.Violated
	v[0].Claim, v[0].Reason, v[0].Settle = "a\x1b[2Jb", "one\ntwo\r\x07", "\u202eback"
	text := printed(v, plainTable)
	if strings.ContainsAny(text, "\x1b\r\x07\u202e") || !strings.Contains(text, "one two") {
		t.Errorf("%q", text)
	}
}

// grownRun has two methods at each n, of which exact does not use m; each cell has the values
// 1, 2 and 3 times n. One cell failed.
func grownRun(ns ...int) results.Run {
	var rows []results.Row
	for _, n := range ns {
		for repeat := range 3 {
			r := results.Row{At: reporttest.At("dataset", "data", "method", "exact", "n", fmt.Sprint(n)), Repeat: repeat, Status: results.OK,
				Metrics: map[string]float64{"recon_h": float64(n * (repeat + 1))}}
			rows = append(rows, r)
			r.At = reporttest.At("dataset", "data", "method", "nystrom", "n", fmt.Sprint(n), "m", "5")
			rows = append(rows, r)
			r.At = r.At.With("m", configs.NumberOf(10))
			r.Status, r.Metrics, r.Reason = results.Failed, results.Metrics{}, fmt.Sprintf("no room for c[-1] of %d", n)
			rows = append(rows, r)
		}
	}
	run := reporttest.RunOf([]string{"n", "m"}, rows...)
	run.Spec.Measure = configs.Measures{Words: configs.Words{{Value: "recon"}}}
	run.Catalog.Measures = map[string][]string{"recon": {"recon_h"}}
	reporttest.Complete(&run, 0)
	return run
}

// Of 1, 2, 3 times n the mean is 2n and the half-width t(0.975, 2)/√3 n = 4.303/1.732 n = 2.484 n.
// Reasons of failures that differ in numbers alone are one line.
func TestMeansInTerminal(t *testing.T) {
	for width, want := range map[int][]string{
		120: {"| 1 | - | exact | 2.0 [0.0, 4.5] |", "| 10 | 5 | Nyström | 20 [0, 45] |", "\n6 rows failed: no room for c[-1] of 1; the first: Nyström, n=1, m=10\n"},
	} {
		text := regexp.MustCompile(` +`).ReplaceAllString(Terminal(views.New(grownRun(1, 10), nil, nil), TableOptions{Width: width}), " ")
		for _, part := range want {
			if !strings.Contains(text, regexp.MustCompile(` +`).ReplaceAllString(part, " ")) {
				t.Errorf("width %d: no %q in\n%s", width, part, text)
			}
		}
	}
}

// A measure without a value in any row says why; one that has some does not.
func TestNoValuesInTerminal(t *testing.T) {
	run := grownRun(1)
	for i := range run.Rows {
		if run.Rows[i].Status == results.OK {
			run.Rows[i].Warnings = []string{"no value of auc: three classes", "no value of recon: none"}
		}
	}
	run.Catalog.Measures["auc"] = []string{"auc"}
	if got := Terminal(views.New(run, nil, nil), plainTable); !strings.Contains(got, "\nno value of auc: three classes (6 rows)\n") || strings.Contains(got, "of recon:") {
		t.Error(got)
	}
}

// Of many cells those of the largest n are shown.
func TestMeansOfManyCells(t *testing.T) {
	got := Terminal(views.New(grownRun(1, 2, 3, 4, 5, 10), nil, nil), plainTable)
	if !strings.Contains(got, "n=10") || !strings.Contains(got, "3 of 18 cells, at the largest n that each method has") {
		t.Errorf("\n%s", got)
	}
}
