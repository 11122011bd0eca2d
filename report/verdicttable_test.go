package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/report/reporttest"
	"mercer/results"
)

func printed(t *testing.T, verdicts []claims.Verdict, o TableOptions) string {
	t.Helper()
	return VerdictTable(verdicts, o)
}

// plainTable is a table of 100 columns without colour.
var plainTable = TableOptions{Width: 100}

func TestVerdictTableGolden(t *testing.T) {
	got := printed(t, reporttest.FixedVerdicts(), plainTable)
	golden(t, "table.txt", got)
	if bad := notFinite.FindString(got); bad != "" {
		t.Errorf("the table has %q", bad)
	}
}

func TestVerdictTableKeepsToItsWidth(t *testing.T) {
	verdicts := reporttest.FixedVerdicts()
	verdicts[0].Claim = strings.Repeat("long-", 40)
	verdicts[1].Group = reporttest.At("method", strings.Repeat("é", 300), "theta", "0.5")
	verdicts[2].Reason = strings.Repeat("x", 250) + " and 界世 wide ones"
	for _, width := range []int{20, 40, 60, 80, 100, 200} {
		text := printed(t, verdicts, TableOptions{Width: width})
		for line := range strings.SplitSeq(text, "\n") {
			if got := twwidth.Width(line); got > width {
				t.Errorf("width %d: a line has %d columns: %s", width, got, line)
			}
		}
		bare := strings.NewReplacer("\n", "", " ", "", "|", "").Replace(text)
		if !strings.Contains(bare, strings.Repeat("x", 250)) {
			t.Errorf("width %d: a long word lost something", width)
		}
	}
}

func TestVerdictTableColour(t *testing.T) {
	verdicts := reporttest.FixedVerdicts()
	plain := printed(t, verdicts, TableOptions{Width: 100})
	coloured := printed(t, verdicts, TableOptions{Width: 100, Color: true})
	if strings.Contains(plain, "\x1b") {
		t.Error("colour though nobody asked")
	}
	for _, want := range []string{"\x1b[32mholds\x1b[0m", "\x1b[31mviolated\x1b[0m", "\x1b[33minconclusive\x1b[0m"} {
		if !strings.Contains(coloured, want) {
			t.Errorf("no %q", want)
		}
	}
	bare := strings.NewReplacer("\x1b[32m", "", "\x1b[31m", "", "\x1b[33m", "", "\x1b[0m", "").Replace(coloured)
	if diff := cmp.Diff(plain, bare); diff != "" {
		t.Errorf("colour moves columns:\n%s", diff)
	}
}

// Checks that hold are one line; others stand in the table as such.
func TestVerdictTableFoldsChecks(t *testing.T) {
	v := reporttest.FixedVerdicts()[:4]
	v[0].Check, v[1].Check, v[2].Check, v[3].Check = false, false, true, true // two claims, one violated, one that holds
	text := printed(t, v, TableOptions{Width: 120})
	if !strings.Contains(text, "\n1 check of the code holds: above-floor\n") || strings.Contains(text, "| above-floor") || !strings.Contains(text, "| check as-good") {
		t.Error(text)
	}
	if text := printed(t, v[3:], TableOptions{Width: 120}); text != "1 check of the code holds: above-floor\n" {
		t.Errorf("only a check that holds: %q", text)
	}
}

// Controls that are violated are one line; one that holds is red, with its reason.
func TestVerdictTableFoldsControls(t *testing.T) {
	v := reporttest.FixedVerdicts()[2:4]
	v[0].Control, v[1].Control = true, true
	text := printed(t, v, TableOptions{Width: 120, Color: true})
	for _, want := range []string{"\n1 control is violated, as it must be: as-good-as-exact\n", "| control above-floor |", "\n\x1b[31mcontrol holds\x1b[0m: control above-floor (rff)\n  all records"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// What claims would reject is a list below the table, and part of the line where there is no table.
func TestVerdictTableNamesWhatIsRejected(t *testing.T) {
	v := reporttest.FixedVerdicts()[1:4]
	for width, want := range map[int]string{
		100: "\ntrue values that are rejected with 80 % power, at these repeats and this spread:\n  cor-4.2-iii: nystrom, theta=0.75 < −0.4951 or > −0.2549\n  as-good-as-exact: nystrom / ekpca > 1.271\n\n",
		59:  "\n  1.310 [1.290, 1.330], claimed <= 1.25; would reject with\n  80 % power: > 1.271\n",
	} {
		if text := printed(t, v, TableOptions{Width: width}); !strings.Contains(text, want) {
			t.Errorf("width %d, want %q:\n%s", width, want, text)
		}
	}
	if text := printed(t, v[2:], TableOptions{Width: 100}); strings.Contains(text, "reject") {
		t.Errorf("nothing is known of what is rejected:\n%s", text)
	}
}

// What holds and says nothing has its reason, and is not green.
func TestVerdictTableOfVacuousBounds(t *testing.T) {
	v := reporttest.FixedVerdicts()[:1]
	v[0].Vacuous, v[0].Reason = true, "the bound is twice the trivial value"
	for width, want := range map[int]string{100: "\x1b[33mholds, vacuous\x1b[0m |", 40: "\x1b[33mholds, vacuous\x1b[0m: cor-4.2-ii"} {
		text := printed(t, v, TableOptions{Width: width, Color: true})
		if !strings.Contains(text, want) || !strings.Contains(text, v[0].Reason) {
			t.Errorf("width %d, want %q:\n%s", width, want, text)
		}
	}
}

// Bounds are held against what is trivial where no other column is cut for it.
func TestVerdictTableComparesWithTheTrivial(t *testing.T) {
	all := reporttest.FixedVerdicts()
	of := func(id string) claims.Verdict {
		return all[slices.IndexFunc(all, func(v claims.Verdict) bool { return v.Claim == id })]
	}
	for _, c := range []struct {
		verdicts []claims.Verdict
		width    int
		want     bool
	}{
		{[]claims.Verdict{of("thm-4.1-ii")}, 86, true}, // no column but the names gives way
		{[]claims.Verdict{of("thm-4.1-ii")}, 85, false},
		{all, 100, false},
		{all, 140, true},
		{[]claims.Verdict{of("cor-4.2-iii")}, 140, false}, // no bound
	} {
		text := printed(t, c.verdicts, TableOptions{Width: c.width})
		row := strings.Contains(text, "| bound /   |") && strings.Contains(text, "| 1.4 to 15 |")
		if row != c.want || !c.want && strings.Contains(text, "bound /") {
			t.Errorf("width %d: the column is there: %t, want %t:\n%s", c.width, row, c.want, text)
		}
	}
}

func TestVerdictTableIsSafe(t *testing.T) {
	v := reporttest.FixedVerdicts()[:1]
	v[0].Outcome = claims.Violated
	v[0].Claim, v[0].Reason, v[0].Settle = "a\x1b[2Jb", "one\ntwo\r\x07", "\u202eback"
	text := printed(t, v, plainTable)
	if strings.ContainsAny(text, "\x1b\r\x07\u202e") {
		t.Errorf("%q", text)
	}
	if !strings.Contains(text, "one two") {
		t.Error(text)
	}
}

func TestVerdictTableOfNothing(t *testing.T) {
	if got := printed(t, nil, plainTable); got != "" {
		t.Errorf("%q", got)
	}
}

// TestVerdictTableTellsFewerRepeats: what rests on fewer repeats than the run has is named, once;
// and claims of one relation that are wrong at different rates by their names.
func TestVerdictTableTellsFewerRepeats(t *testing.T) {
	at := func(claim string, level float64, repeats int) claims.Verdict {
		v := judgedAt(t, level)
		v.Claim, v.Repeats = claim, repeats
		return v
	}
	o := plainTable
	o.repeats = 32
	text := printed(t, []claims.Verdict{at("early", 0.95, 4), at("early", 0.95, 4), at("late", 0.95, 32), at("strict", 0.99, 32)}, o)
	for _, want := range []string{
		"on fewer than the run's 32 repeats, as of the last look at each: early (4)\n",
		"\"holds\" is wrong in at most 5 % of runs for early, late, in 1 % for strict; 4 repeats can",
		" of up to 53 %, 32 repeats 8.9 %\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if text := printed(t, []claims.Verdict{at("late", 0.95, 32)}, o); strings.Contains(text, "fewer") {
		t.Errorf("nothing rests on fewer repeats:\n%s", text)
	}
}

// judgedAt is a claim of a level that holds.
func judgedAt(t *testing.T, level float64) claims.Verdict {
	t.Helper()
	var rows []results.Row
	for repeat := range 20 {
		rows = append(rows, results.Row{ID: fmt.Sprint(repeat), At: reporttest.At("method", "a"), Repeat: repeat, Status: results.OK,
			Metrics: results.NewMetrics(map[string]float64{"x": 1 + 0.01*float64(repeat%7)})})
	}
	run := reporttest.RunOf(nil, rows...)
	claim := configs.Claim{ID: "c", Value: &configs.ValueClaim{Of: configs.Quantity{Text: "x"}, AtMost: &configs.Value{Text: "2"}}}
	claim.Value.Level = level
	verdicts, err := claims.Judge([]configs.Claim{claim}, run, claims.Context{})
	if err != nil || len(verdicts) != 1 || verdicts[0].Outcome != claims.Holds {
		t.Fatal(verdicts, err)
	}
	return verdicts[0]
}
