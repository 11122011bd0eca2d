package views

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/report/figure"
	"mercer/report/reporttest"
	"mercer/results"
)

// texts are the cells of a table, a row a line.
func texts(t Table) string {
	line := func(cells []Cell) string {
		return strings.Join(lists.Map(cells, func(c Cell) string { return c.Text }), " | ")
	}
	heads := line(lists.Map(t.Columns, func(c Column) Cell { return c.Head }))
	return strings.Join(append([]string{heads}, lists.Map(t.Rows, line)...), "\n")
}

// Texts that differ in their numbers alone are one; a digit of a word is no number.
func TestWarnings(t *testing.T) {
	var rows []results.Row
	for i, text := range []string{"rank is 37 of m = 60", "rank is 41.5 of m = 60", "L2 norm 1e-3", "L2 norm 5e-12", "L1 norm 1e-3", "no number", "no number"} {
		rows = append(rows, results.Row{At: reporttest.At("method", "a", "n", fmt.Sprint(i)), Status: results.OK, Warnings: []string{text}})
	}
	var got []string
	for _, row := range New(reporttest.RunOf([]string{"n"}, rows...), nil, nil).Warnings().Rows {
		got = append(got, row[0].Text+": "+row[1].Text)
	}
	want := []string{"rank is 37 of m = 60: 2", "L2 norm 1e-3: 2", "no number: 2", "L1 norm 1e-3: 1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// answering is a run of a spec with sentences for its outcomes.
func answering(holds, violated, open string) results.Run {
	run := reporttest.Empty()
	given := func(text string) configs.Word { return configs.Word{Value: text, Pos: configs.Pos{Line: 1}} }
	run.Spec.Answer = configs.Answer{Holds: given(holds), Violated: given(violated), Open: given(open)}
	return run
}

// The spec's sentence is taken by what became of the claims, with their numbers; a control that
// holds leaves the answer open, and a sentence of which a number is not known is left out.
func TestAnswerOfTheSpec(t *testing.T) {
	run := answering("Yes, by {a}.", "No: {b}.", "Perhaps {a}, {b?} {c?} {d?}.")
	claim := func(id string, outcome claims.Outcome, at float64) claims.Verdict {
		return claims.Verdict{Claim: id, Outcome: outcome, Estimate: at, Low: at - 0.01, High: at + 0.01}
	}
	a, b, more := claim("a", claims.Holds, 1.25), claim("b", claims.Violated, 2), claim("b", claims.Holds, 3)
	at := func(v claims.Verdict, n string) claims.Verdict {
		v.Group = reporttest.At("dataset", "x", "n", n)
		return v
	}
	control, unknown := claim("c", claims.Holds, 1), claim("b", claims.Violated, math.NaN())
	control.Control = true
	for want, verdicts := range map[string][]claims.Verdict{
		"Yes, by 1.250 [1.240, 1.260].":                      {a},
		"No: between 2.000 and 3.000 (2 groups).":            {a, b, more},
		"No: between 2.000 and 3.000 (4 groups).":            {a, at(b, "10"), at(more, "20"), at(b, "30"), at(b, "40")},
		"No: 2.000 (n=10) and 3.000 (n=20).":                 {a, at(b, "10"), at(more, "20")},
		"No: 2.000.":                                         {a, b, b},
		"Perhaps 1.250 [1.240, 1.260], not settled yes yes.": {a, claim("b", claims.Inconclusive, 1), control, claim("d", claims.Holds, 1)},
		"No: 2.000 [1.990, 2.010].":                          {b, claim("b", claims.NotApplicable, math.NaN())},
		"":                                                   {a, unknown},
	} {
		if got := New(run, verdicts, nil).Answer(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	open := New(answering("", "", "It is {b}."), []claims.Verdict{a, claim("b", claims.Inconclusive, 1), claim("c", claims.NotApplicable, 1)}, nil).Answer()
	if want := "It is 1.000 [0.990, 1.010]."; open != want {
		t.Errorf("an open answer is %s, want %s", open, want)
	}

	// A target stands for its answer at the largest value.
	least := func(n, fails, holds float64) claims.Answer {
		return claims.Answer{Target: "few", Over: "n", At: n, Find: "m", Fails: &fails, Holds: &holds}
	}
	found := New(answering("Take {few}.", "", ""), []claims.Verdict{a}, []claims.Answer{least(1000, 38, 54), least(10, 3, 4)}).Answer()
	if want := "Take 38 < m ≤ 54 at n = 1000."; found != want {
		t.Errorf("an answer with a target is %s, want %s", found, want)
	}

	// A claim counts by the groups whose data are there.
	partly := answering("Yes.", "No.", "It is open.")
	partly.Catalog.Absent = map[string]string{"mnist": "it is not here"}
	absent := claim("a", claims.NotApplicable, math.NaN())
	absent.Group = reporttest.At("dataset", "mnist")
	for want, verdicts := range map[string][]claims.Verdict{"Yes.": {a, absent}, "It is open.": {absent}} {
		r := New(partly, verdicts, nil)
		if got := r.Answer(); got != want {
			t.Errorf("with data missing the answer is %s, want %s", got, want)
		}
		if holds := r.Outcomes()[0].What == string(claims.Holds); holds != (want == "Yes.") {
			t.Errorf("with data missing the outcomes are %v", r.Outcomes())
		}
	}
}

// The first screen shows the figure of the claim that asks for most attention.
func TestBestFigure(t *testing.T) {
	verdict := func(id string, outcome claims.Outcome) claims.Verdict {
		v := reporttest.FixedSlope("0.5", -0.25, -0.25, outcome)
		v.Claim, v.Says = id, "about "+id
		return v
	}
	r := New(reporttest.Empty(), []claims.Verdict{verdict("exact", claims.Holds), verdict("open", claims.Inconclusive)}, nil)
	r.Draw(nil)
	if got := r.Best().Says; got != "About open" {
		t.Errorf("the figure is %q", got)
	}
	r = New(reporttest.Empty(), nil, nil)
	if r.Targets = []figure.Figure{{Path: "figures/target.svg"}}; r.Best().Path != r.Targets[0].Path {
		t.Errorf("without plots and claims the figure is %q", r.Best().Path)
	}
}

// How often a verdict is wrong follows from its outcome, its relation and what is judged.
func TestWrong(t *testing.T) {
	at := func(outcome claims.Outcome, relation string, level float64) claims.Verdict {
		return claims.Verdict{Outcome: outcome, Relation: relation, Level: level, Estimate: 1, Low: 0.9, High: 1.1}
	}
	vacuous := at(claims.Holds, ">=", 0.95)
	vacuous.Vacuous = true
	for _, test := range []struct {
		v    claims.Verdict
		want string
	}{
		{at(claims.Holds, "=", 0.955), "≤ 2.5 %"}, {at(claims.Holds, "<=", 0.95), "≤ 5 %"}, {at(claims.Violated, "<=", 0.955), "≤ 1 %"},
		{at(claims.Inconclusive, "=", 0.95), ""}, {at(claims.Holds, ">=", 1), ""}, {vacuous, ""},
	} {
		if got := Wrong(test.v); got != test.want {
			t.Errorf("%s %s at %g is wrong in %q, want %q", test.v.Outcome, test.v.Relation, test.v.Level, got, test.want)
		}
	}
}

// Checks that hold and controls that are violated are counted, and stand in the table of the report
// alone.
func TestFolded(t *testing.T) {
	verdicts := []claims.Verdict{{Claim: "a", Outcome: claims.Holds}, {Claim: "k", Outcome: claims.Holds, Check: true}, {Claim: "m", Outcome: claims.Holds, Check: true},
		{Claim: "m", Outcome: claims.Violated, Check: true}, {Claim: "x", Outcome: claims.Violated, Control: true}, {Claim: "y", Outcome: claims.Holds, Control: true}}
	r := New(reporttest.Empty(), verdicts, nil)
	got := fmt.Sprint(r.Outcomes(), r.Checks(), r.Controls())
	if want := "[{holds 1}] [{violated 1} {holds 1}] [{control holds 1} {control violated 1}]"; got != want {
		t.Errorf("counts are %s, want %s", got, want)
	}
	ids := func(t Table) (ids string) {
		for _, row := range t.Rows {
			ids += row[0].Text
		}
		return ids
	}
	if got, want := ids(r.Verdicts())+"; "+ids(r.Brief()), "check mcontrol yacheck kcheck mcontrol x; acheck mcheck mcontrol y"; got != want {
		t.Errorf("the tables have %s", got)
	}
	if table := string(VerdictsCSV(verdicts)); strings.Count(table, ",check,") != 4 || strings.Count(table, ",control,") != 3 {
		t.Errorf("checks, controls and the head are not marked:\n%s", table)
	}
}

// A claim has one table of the cells of all its verdicts, those that ask for most attention first.
func TestCells(t *testing.T) {
	var verdicts []claims.Verdict
	for i := range 9 {
		at := reporttest.At("k", fmt.Sprint(i), "method", "nystrom")
		v := claims.Verdict{Claim: "close", Kind: "ratio", Outcome: claims.Holds, Relation: "<=", Target: 1.1, Estimate: 1 + float64(i)/100, Low: 0.9, High: 1.09, Level: 0.955, Repeats: 5, Group: at}
		if i == 4 {
			v.Outcome = claims.Inconclusive
		}
		for m := range 2 {
			v.Cells = append(v.Cells, claims.CellOutcome{Outcome: v.Outcome, Estimate: v.Estimate, Low: v.Low, High: v.High, Target: 1.1, Repeats: 5, P: 1,
				Cell: at.Join(reporttest.At("m", fmt.Sprint(10+m)))})
		}
		verdicts = append(verdicts, v)
	}
	r := New(reporttest.Empty(), verdicts, nil)
	cells := r.Cells(r.Claims[0])
	if len(cells.Rows) != 2*len(verdicts) || cells.Rows[0][0].Text != "k=4, m=10" {
		t.Errorf("%d rows:\n%s", len(cells.Rows), texts(cells))
	}
}

// Of many rows all are counted, and the first have texts.
func TestLongTables(t *testing.T) {
	var rows []results.Row
	for n := range maxText + 5 {
		rows = append(rows, results.Row{At: reporttest.At("method", "a", "n", fmt.Sprint(n)), Status: results.OK, Metrics: map[string]float64{"recon_h": 1}})
	}
	table := New(reporttest.RunOf([]string{"n"}, rows...), nil, nil).Measurements()[0].Table
	if shown, left := len(table.Shown(maxRows)), table.Left(maxRows); shown != maxRows || left != maxText+5-maxRows || table.Left(maxText) != 5 {
		t.Errorf("%d rows are shown and %d left", shown, left)
	}
}

// A row is a cell: what all cells share stands above the table, a column that a method has not is
// empty, and methods at one place follow each other.
func TestRowsOfATable(t *testing.T) {
	row := func(value float64, at ...string) results.Row {
		return results.Row{At: reporttest.At(append([]string{"dataset", "x"}, at...)...), Status: results.OK, Metrics: map[string]float64{"recon_h": value, "rank": 2}}
	}
	run := reporttest.RunOf([]string{"n", "m"}, row(1, "method", "exact", "n", "8"), row(3, "method", "part", "n", "8", "m", "5"), row(2, "method", "wide", "n", "8", "m", "9"),
		row(4, "method", "part", "n", "8", "m", "9"))
	got := New(run, nil, nil).Measurements()
	if len(got) != 1 || got[0].At != "n=8" {
		t.Errorf("%+v", got)
	}
	if text, want := texts(got[0].Table), "m | Method | recon_h | rank\n– | exact | 1 | 2\n5 | part | 3 | 2\n9 | part | 4 | 2\n9 | wide | 2 | 2"; text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}

// Claims come before plots, and without both those measured stand in, in the spec's order, but what describes methods where
// others judge them.
func TestMainMetrics(t *testing.T) {
	run := reporttest.RunOf(nil, results.Row{Status: results.OK, Metrics: map[string]float64{
		"recon_h": 0, "recon_h_floor": 0, "recon_l2": 0, "recon_l2_floor": 0, "time_total": 0}})
	check := func(want string, verdicts ...claims.Verdict) {
		t.Helper()
		if got := fmt.Sprint(New(run, verdicts, nil).MainMetrics()); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	run.Spec.Measure = configs.Measures{Words: configs.Words{{Value: "recon_l2"}, {Value: "time"}, {Value: "recon_h"}}}
	run.Catalog.Measures = map[string][]string{"recon_l2": {"recon_l2", "recon_l2_floor"}, "recon_h": {"recon_h", "recon_h_floor"}, "time": {"time_gram", "time_total"}}
	check("[recon_l2 time_total recon_h]")
	run.Spec.Plots = []configs.Plot{{Kind: configs.PlotLine, MeasuredX: true, Y: configs.NewQuantity("recon_h"), X: configs.NewQuantity("time_total"), Floor: configs.NewQuantity("recon_h_floor")}}
	check("[recon_h time_total]")
	check("[recon_l2 recon_h time_total]", claims.Verdict{Of: "recon_l2/recon_h_floor"}, claims.Verdict{Of: "recon_l2_floor", Check: true})
}

// The means mark no method as better than every other where one without spread is better.
func TestBestOfMeans(t *testing.T) {
	for constant, want := range map[float64]string{1: "", 0.5: "close"} {
		var rows []results.Row
		for repeat := range 5 {
			for method, v := range map[string]float64{"same": constant, "close": 0.99 - 0.001*float64(repeat), "far": 0.1 + 0.01*float64(repeat)} {
				rows = append(rows, results.Row{At: reporttest.At("dataset", "x", "method", method, "n", "8"), Repeat: repeat, Status: results.OK, Metrics: map[string]float64{"rand": v}})
			}
		}
		run := reporttest.RunOf([]string{"n"}, rows...)
		run.Spec.Measure, run.Catalog.Measures = configs.Measures{Words: configs.Words{{Value: "rand"}}}, map[string][]string{"rand": {"rand"}}
		bold := ""
		for _, row := range New(run, nil, nil).Means().Rows {
			if row[len(row)-1].Mark == Best {
				bold += row[0].Text
			}
		}
		if bold != want {
			t.Errorf("beside a constant %g the best is %q, want %q", constant, bold, want)
		}
	}
}

// Of the steps that would settle what is open, the first is printed.
func TestOneNextStep(t *testing.T) {
	open := func(claim, settle string) claims.Verdict {
		return claims.Verdict{Claim: claim, Outcome: claims.Inconclusive, Reason: "r", Settle: settle}
	}
	verdicts := []claims.Verdict{open("e", ""), open("a", "fix it"), open("b", "about 40 repeats")}
	if got := New(reporttest.Empty(), verdicts, nil).Next(); got == nil || got.Claim != "a" || got.Settle != "fix it" {
		t.Errorf("got %+v; want that of claim a", got)
	}
	if got := New(reporttest.Empty(), nil, nil).Next(); got != nil {
		t.Errorf("nothing is open, and the next step is %v", got)
	}
}

// Ranks are of the means over cells and repeats on each problem, the best first; a method without any value
// is left out, and so is a problem on which another method has none.
func TestRanks(t *testing.T) {
	var rows []results.Row
	for problem := range 7 {
		for i, method := range []string{"best", "middle", "worst", "other"} {
			for n := range 2 {
				row := results.Row{At: reporttest.At("dataset", fmt.Sprint("d", problem), "kernel", "rbf", "method", method, "n", fmt.Sprint(100+n)), Status: results.OK}
				if method != "other" && (problem < 6 || method != "worst") {
					row.Metrics = map[string]float64{"recon_h": float64(i+1) + 0.01*float64(problem+n)}
				}
				rows = append(rows, row)
			}
		}
	}
	run := reporttest.RunOf([]string{"n"}, rows...)
	run.Spec.Ranks = []configs.Ranking{{Of: configs.NewQuantity("recon_h")}, {Of: configs.NewQuantity("time_total")}}
	ranks := New(run, nil, nil).Ranks()
	if ranks[0].Problems != 6 || ranks[1].Problem == "" {
		t.Errorf("%d problems; %q", ranks[0].Problems, ranks[1].Problem)
	}
	// Of 6 problems all differences have one sign with probability 2^-5, either way; there are 3 pairs.
	want := [][]Cell{Row("best", "1", ""), Row("middle", "2", "0.09375"), Row("worst", "3", "0.09375")}
	if diff := cmp.Diff(want, ranks[0].Rows); diff != "" {
		t.Error(diff)
	}
}
