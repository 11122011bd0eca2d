package sections

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/report/format"
	"mercer/report/reporttest"
	"mercer/results"
)

// Texts that differ in their numbers alone are one; a digit of a word is no number.
func TestOccurrences(t *testing.T) {
	var o occurrences
	index := map[string]*occurrence{}
	for _, text := range []string{"rank is 37 of m = 60", "rank is 41.5 of m = 60", "L2 norm 1e-3", "L2 norm 5e-12", "L1 norm 1e-3", "no number", "no number"} {
		o.add(index, "", text, &results.Row{})
	}
	var got []string
	for _, one := range o {
		got = append(got, fmt.Sprintf("%s: %d", one, len(one.rows)))
	}
	want := []string{"rank is 37 of m = 60 (the numbers vary): 2", "L2 norm 1e-3 (the numbers vary): 2", "L1 norm 1e-3: 1", "no number: 2"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// best marks a winner only where the data leave no doubt.
func TestBest(t *testing.T) {
	repeats := func(values ...float64) (out sample) {
		for i, v := range values {
			out = append(out, repeatValue{i, v})
		}
		return out
	}
	for _, test := range []struct {
		name, metric string
		a, b         sample
		want         string // "" for none
	}{
		{"wide intervals that overlap, but paired a is always lower", "recon_h", repeats(1, 2, 3, 4, 1, 2), repeats(1.1, 2.21, 3.31, 4.4, 1.11, 2.2), "a"},
		{"equal", "recon_h", repeats(1, 2, 3), repeats(1, 2, 3), ""},
		{"rounding apart", "recon_h", repeats(1, 2, 3), repeats(1+1e-13, 2+1e-13, 3+1e-13), ""},
		{"lower in the mean only", "recon_h", repeats(1, 2, 3), repeats(2, 1, 3.5), ""},
		{"two repeats that overlap", "recon_h", repeats(1, 2), repeats(1.1, 2.1), ""},
		{"one repeat", "recon_h", repeats(1), repeats(2), ""},
		{"lower, but with a repeat less", "recon_h", repeats(1, 2, 3), repeats(1.5, 3, 4.52, 6), ""},
		{"apart, but of no repeat in common", "recon_h", repeats(1, 1.001, 1.002), sample{{7, 2}, {8, 2.001}, {9, 2.002}}, ""},
		{"more is better", "rand", repeats(0.5, 0.6, 0.51, 0.55, 0.57), repeats(0.9, 0.95, 0.99, 0.91, 0.97), "b"},
		{"values below 0", "adjusted_rand", repeats(-0.1, 0.01, -0.05, 0.02, -0.01), repeats(0.9, 0.95, 0.99, 0.91, 0.97), "b"},
		{"a time", "time_total", repeats(1, 1.1, 1.2), repeats(2, 2.3, 2.4), "a"},
		{"a part of a time", "time_factor", repeats(1, 1.1, 1.2), repeats(2, 2.3, 2.4), ""},
		{"a metric of a program", "mine", repeats(1, 1.1, 1.2), repeats(2, 2.3, 2.4), ""},
		{"no error measure", "rank", repeats(1, 1.1, 1.2), repeats(5, 5.1, 5.2), ""},
		{"the population's own answer", "recon_h", repeats(0.5, 0.5, 0.5), repeats(1, 1.1, 1.2), ""},
		{"a floor", "recon_h_floor", repeats(1, 1.1, 1.2), repeats(5, 5.1, 5.2), ""},
		{"nothing to compare with", "recon_h", repeats(1, 1.1, 1.2), nil, ""},
	} {
		g := &grid{metric: test.metric, info: reporttest.Metrics()[test.metric], methods: []string{"a", "b"}, points: []results.Key{{}},
			cells: map[place]sample{}, varies: map[string]bool{}}
		g.set(place{0, "a"}, test.a)
		g.set(place{0, "b"}, test.b)
		if got := g.best(0); got != test.want {
			t.Errorf("%s: %q; want %q", test.name, got, test.want)
		}
	}
}

// Where a claim asks which of two methods is better, the table says what its verdict says.
func TestBestByClaim(t *testing.T) {
	for outcome, want := range map[claims.Outcome]string{claims.Holds: "a", claims.Inconclusive: "", claims.Violated: ""} {
		for _, factor := range []float64{1, 1.5} { // of another factor the table's own test decides
			g := &grid{metric: "recon_h", dataset: "wine", kernel: "rbf", info: reporttest.Metrics()["recon_h"], methods: []string{"a", "b"},
				points: []results.Key{reporttest.At("n", "10")}, cells: map[place]sample{}, varies: map[string]bool{}}
			for i := range 9 {
				v := 1 + 0.01*float64(i)
				g.set(place{0, "a"}, append(g.cells[place{0, "a"}], repeatValue{i, v}))
				g.set(place{0, "b"}, append(g.cells[place{0, "b"}], repeatValue{i, v * (1.3 + 0.001*float64(i%3))}))
			}
			g.verdicts = []claims.Verdict{{Of: "recon_h", Kind: "ratio", Relation: "<=", Group: reporttest.At("dataset", "wine", "kernel", "rbf", "method", "a/b"),
				Cells: []claims.CellOutcome{{Cell: reporttest.At("n", "20"), Outcome: claims.Violated, Target: factor}, {Cell: reporttest.At("n", "10"), Outcome: outcome, Target: factor}}}}
			if factor != 1 {
				want = "a"
			}
			if got := g.best(0); got != want {
				t.Errorf("a/b <= %g %s: %q is best; want %q", factor, outcome, got, want)
			}
		}
	}
}

// Where all methods are equal, hardly ever is one marked: in at most 5 % of the rows. Of 4000
// rows, a share of 5 % strays by more than 0.0125, which is 3.6 standard deviations, once in
// 3000 seeds.
func TestBestFalseAlarms(t *testing.T) {
	const rows, repeats = 4000, 6
	for methods, most := range map[int]float64{2: 0.0625, 4: 0.05} {
		rng := rand.New(rand.NewPCG(3, uint64(methods)))
		g := &grid{metric: "recon_h", info: reporttest.Metrics()["recon_h"], cells: map[place]sample{}, varies: map[string]bool{}}
		for row := range rows {
			g.points = append(g.points, results.Key{})
			for repeat := range repeats {
				common := rng.NormFloat64()
				for m := range methods {
					id := place{row, fmt.Sprint(m)}
					g.cells[id] = append(g.cells[id], repeatValue{repeat, math.Exp(common + 0.1*rng.NormFloat64())})
				}
			}
		}
		for at, values := range g.cells {
			g.set(at, values)
		}
		for m := range methods {
			g.methods = append(g.methods, fmt.Sprint(m))
		}
		marked := 0
		for row := range rows {
			if g.best(row) != "" {
				marked++
			}
		}
		share := float64(marked) / rows
		if share > most {
			t.Errorf("of %d equal methods one is marked in %.4f of the rows", methods, share)
		}
	}
}

// A claim is what its worst group is.
func TestAnswer(t *testing.T) {
	verdicts := []claims.Verdict{{Claim: "a", Outcome: claims.Holds}, {Claim: "b", Says: "it is so.", Outcome: claims.Holds}, {Claim: "b", Outcome: claims.Violated}}
	var p document
	p.answer(answerOf(reporttest.Empty(), verdicts, nil, nil, nil), reporttest.Empty(), Claims(verdicts, map[string]bool{}, nil))
	if text := string(p.Markdown()); !strings.HasPrefix(text, "**Answer:** 1 of 2 claims is violated: “it is so”; 1 holds.\n\n**violated** 1 · holds 1\n\n2 claims with 3 verdicts: each claim is counted once, by its worst verdict. There are no records.\n") {
		t.Error(text)
	}
}

// The spec's sentence is taken by what became of the claims, with their numbers; a control
// that holds leaves the answer open, and a sentence of which no number is known is left out.
func TestAnswerOfTheSpec(t *testing.T) {
	run := reporttest.Answering("Yes, by {a}.", "No: {b}.", "Perhaps.")
	claim := func(id string, outcome claims.Outcome, at float64) claims.Verdict {
		return claims.Verdict{Claim: id, Outcome: outcome, Estimate: at, Low: at - 0.01, High: at + 0.01}
	}
	a, b, more := claim("a", claims.Holds, 1.25), claim("b", claims.Violated, 2), claim("b", claims.Holds, 3)
	at := func(v claims.Verdict, n string) claims.Verdict {
		v.Group = reporttest.At("dataset", "x", "n", n)
		return v
	}
	targeted := func(v claims.Verdict, target float64) claims.Verdict {
		v.Relation, v.Target = "=", target
		return v
	}
	control, unknown := claim("c", claims.Holds, 1), claim("b", claims.Violated, math.NaN())
	control.Control = true
	elsewhere := claim("b", claims.NotApplicable, math.NaN())
	for want, verdicts := range map[string][]claims.Verdict{
		"Yes, by 1.250 [1.240, 1.260].":                                                              {a},
		"No: between 2.000 and 3.000 (2 settings).":                                                  {a, b, more},
		"No: 2.000 (n = 10) and 3.000 (n = 20).":                                                     {a, at(b, "10"), at(more, "20")},
		"No: between 2.000 and 3.000 (4 values of n).":                                               {a, at(b, "10"), at(more, "20"), at(b, "30"), at(b, "40")},
		"No: 2.000 (claimed 1.9), 3.000 (claimed 2.9), 2.000 (claimed 1.9) and 3.000 (claimed 2.9).": {a, targeted(b, 1.9), targeted(more, 2.9), targeted(b, 1.9), targeted(more, 2.9)},
		"No: 2.": {a, b, b},
		"Not settled, though the claim holds, because a claim known to be false is not rejected. Perhaps.": {a, control},
		"No: 2.000 [1.990, 2.010].":                {b, elsewhere},
		"1 of 2 claims is violated: “b”; 1 holds.": {a, unknown},
	} {
		var p document
		p.answer(answerOf(run, verdicts, nil, nil, nil), run, Claims(verdicts, map[string]bool{}, nil))
		if text := string(p.Markdown()); !strings.HasPrefix(text, "**Answer:** "+want) {
			t.Errorf("want %s in\n%s", want, text)
		}
	}
}

// An open answer says how much holds and why the rest does not; a check of the code that is
// open leaves the answer as it is.
func TestOpenAnswer(t *testing.T) {
	claim := func(id string, outcome claims.Outcome, brief string) claims.Verdict {
		return claims.Verdict{Claim: id, Says: "it is " + id, Outcome: outcome, Estimate: 2, Low: 1, High: 3, Brief: brief, Reason: "of a reason: with details"}
	}
	held, few, bent := claim("held", claims.Holds, ""), claim("few", claims.Inconclusive, "5 repeats are too few"), claim("bent", claims.Inconclusive, "the slope still changes with n")
	none, check, broken := claim("none", claims.NotApplicable, ""), claim("check", claims.Inconclusive, ""), claim("check", claims.Violated, "")
	check.Check, broken.Check = true, true
	never := claim("never", claims.Violated, "")
	never.Control = true
	at := func(v claims.Verdict, theta string, brief ...string) claims.Verdict {
		v.Group, v.Brief = reporttest.At("theta", theta), strings.Join(append(brief, v.Brief)[:1], "")
		return v
	}
	vacuous := held
	vacuous.Claim, vacuous.Vacuous = "vacuous", true
	for _, test := range []struct {
		name, sentence, want string
		verdicts             []claims.Verdict
	}{
		{"nothing holds", "It is {few}.", "Not settled, because 5 repeats are too few. It is 2.0 [1.0, 3.0].|Open: “it is few”.", []claims.Verdict{few}},
		{"one of two", "It is {few}.", "Partly: 1 of 2 claims holds; 1 is open, because 5 repeats are too few. It is 2.0 [1.0, 3.0].|Open: “it is few”.|Holds: “it is held”.", []claims.Verdict{held, few}},
		{"two reasons", "It is so.", "Not settled, because 5 repeats are too few and the slope still changes with n. It is so.|Open: “it is few”, because 5 repeats are too few.|Open: “it is bent”, because the slope still changes with n.",
			[]claims.Verdict{few, bent}},
		{"a reason without a clause", "It is so.", "Not settled, because of a reason. It is so.|Open: “it is none”.", []claims.Verdict{none}},
		{"a vacuous bound", "It is so.", "Not settled, because the bound is no less than what every estimator satisfies. It is so.|Open: “it is held”.", []claims.Verdict{vacuous}},
		{"asked for", "First: {held?}. Then: {few?}; it is {few}.", "First: yes. Then: not settled, because 5 repeats are too few; it is 2.0 [1.0, 3.0].", []claims.Verdict{held, few}},
		{"another one open", "Then: {few?}.", "Then: not settled, because 5 repeats are too few.|Open: “it is bent”, because the slope still changes with n.|Holds: “it is held”.", []claims.Verdict{held, few, bent}},
		{"asked for what does not hold", "{no?} {never?} {gone?} {few}.", "no no (not measured here) 2.0 [1.0, 3.0].", []claims.Verdict{few, claim("no", claims.Violated, ""), never}},
		{"reasons of different groups", "Then: {few?}.", "Then: not settled, because 5 repeats are too few (θ = 0.5) and the slope still changes with n (θ = 1).|Open: “it is bent”, because 5 repeats are too few (θ = 0.75).|Holds: “it is held”.",
			[]claims.Verdict{held, at(few, "0.5"), at(few, "1", "the slope still changes with n"), at(bent, "0.75", "5 repeats are too few"), at(claim("bent", claims.Holds, ""), "1")}},
		{"an open check", "It is so.", "Yes.|Open checks of the code: “it is check”, because of a reason.", []claims.Verdict{held, check}},
		{"a check that is violated", "It is so.", "Not settled, though the claim holds, because a check of the code is violated. It is so.", []claims.Verdict{held, broken}},
	} {
		run := reporttest.Answering("Yes.", test.sentence, test.sentence)
		if got := strings.Join(Said(run, test.verdicts, nil, nil, nil), "|"); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

// What a claim would have detected stands beside its verdict.
func TestDetectable(t *testing.T) {
	low, high := -0.61, -0.39
	v := claims.Verdict{Claim: "a", Kind: "slope", Outcome: claims.Holds, Repeats: 8, Detectable: &claims.Detectable{Low: &low, High: &high}}
	for _, want := range []string{
		"**Detectable:** a true slope below −0.61 or above −0.39 would be rejected with 80 % power at 8 repeats of this spread.",
		"**Detectable:** a true slope above −0.39 would be rejected",
	} {
		sections := Claims([]claims.Verdict{v}, map[string]bool{}, nil)
		page := Report(reporttest.Empty(), []claims.Verdict{v}, nil, sections, nil, Answers{}, nil)
		if text := string(page.Markdown()); !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
		v.Detectable = &claims.Detectable{High: &high}
	}
	v.Detectable = nil
	if text := format.Detectable(v); text != "" {
		t.Error(text)
	}
}

// How sure a verdict is follows from its outcome, its relation and what is judged.
func TestSure(t *testing.T) {
	p := 0.002
	at := func(outcome claims.Outcome, relation string, level float64) claims.Verdict {
		return claims.Verdict{Outcome: outcome, Relation: relation, Level: level, Estimate: 1, Low: 0.9, High: 1.1}
	}
	violated, unknown, vacuous := at(claims.Violated, "<=", 0.955), at(claims.Inconclusive, "=", 0.95), at(claims.Holds, ">=", 0.95)
	violated.P, unknown.Estimate, vacuous.Vacuous = &p, math.NaN(), true
	for _, test := range []struct {
		v          claims.Verdict
		rate, says string
	}{
		{at(claims.Holds, "=", 0.955), "≤ 2.5 %", "such an interval contains the true value in 95.5 % of runs; “holds” is wrong in at most 2.5 %"},
		{at(claims.Holds, "<=", 0.95), "≤ 5 %", "the true value is above such a lower end in 95 % of runs, and below such an upper end in 95 %; “holds” is wrong in at most 5 %"},
		{violated, "≤ 1 %", "the true value is above such a lower end in 95.5 % of runs, and below such an upper end in 95.5 %; “violated” is wrong in at most 1 % (here p = 0.002)"},
		{at(claims.Inconclusive, "=", 0.95), "–", "such an interval contains the true value in 95 % of runs"},
		{at(claims.Holds, ">=", 1), "–", "every record is judged: the interval is from the least to the greatest, and says nothing about other records"},
		{vacuous, "–", "the true value is above such a lower end in 95 % of runs, and below such an upper end in 95 %"},
		{unknown, "–", ""},
	} {
		if rate, says := wrongCall(test.v), sure(test.v); rate != test.rate || says != test.says {
			t.Errorf("%q %q; want %q %q", rate, says, test.rate, test.says)
		}
	}
}

// asTheyMustBe is the heading of the folded table.
const asTheyMustBe = "## Checks and controls that are as they must be"

// Checks are counted apart: those that hold by their ids alone, the others like claims.
func TestChecks(t *testing.T) {
	verdicts := []claims.Verdict{{Claim: "a", Outcome: claims.Holds}, {Claim: "k", Outcome: claims.Holds, Check: true}, {Claim: "l", Outcome: claims.Holds, Check: true},
		{Claim: "m", Outcome: claims.Holds, Check: true}, {Claim: "m", Outcome: claims.Violated, Check: true, Reason: "it broke"}}
	page := Report(reporttest.Empty(), verdicts, nil, Claims(verdicts, map[string]bool{}, nil), nil, Answers{}, nil)
	text := string(page.Markdown())
	for _, want := range []string{
		"**Answer:** The claim holds: “a”.\n\nholds 1\n\n1 claim. There are no records.\n",
		"**Checks:** violated 1, 2 checks of the code hold.\n\n- **violated**: `m` – ",
		"| **violated** | check `m` |", "| holds | `a` |", "## Check `m`\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	before, after, _ := strings.Cut(text, asTheyMustBe)
	if strings.Contains(before, "check `k`") || strings.Contains(before, "heck `l`") || !strings.Contains(after, "| holds | check `k` |") || !strings.Contains(after, "| holds | check `l` |") {
		t.Errorf("checks that hold are not folded:\n%s", text)
	}
	if table := string(VerdictsCSV(verdicts)); strings.Count(table, ",check\n") != 5 {
		t.Errorf("4 checks and the head are not marked:\n%s", table)
	}
}

// Controls are counted apart: those that are violated by their ids alone, those that hold
// with what that means.
func TestControls(t *testing.T) {
	verdicts := []claims.Verdict{{Claim: "a", Outcome: claims.Holds}, {Claim: "k", Outcome: claims.Violated, Control: true},
		{Claim: "l", Outcome: claims.Holds, Control: true, Reason: "it agrees"}, {Claim: "o", Outcome: claims.Inconclusive, Control: true}}
	page := Report(reporttest.Empty(), verdicts, nil, Claims(verdicts, map[string]bool{}, nil), nil, Answers{}, nil)
	text := string(page.Markdown())
	for _, want := range []string{
		"**Answer:** The claim holds: “a”.\n\n- 1 control holds: “l”; known to be false, this experiment cannot tell it from what is true.\n\nholds 1\n\n1 claim. There are no records.\n",
		"**Controls:** control holds 1, inconclusive 1, 1 control is violated, as it must be.\n\n- **control holds**: `l` – it is known to be false",
		"\n- *inconclusive*: the control `o` (known to be false) was not rejected: this run is too small to tell.\n",
		"| **control holds** | control `l` |", "## Control `l`\n",
		"Over all claims: 1 verdict on a control, which must be violated: it holds.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	before, after, _ := strings.Cut(text, asTheyMustBe)
	if strings.Contains(before, "ontrol `k`") || !strings.Contains(after, "control `k` |") || strings.Contains(after, "| control `l`") {
		t.Errorf("a control that is violated is not folded:\n%s", text)
	}
	if table := string(VerdictsCSV(verdicts)); strings.Count(table, ",control,") != 4 {
		t.Errorf("3 controls and the head are not marked:\n%s", table)
	}
}

func TestLongTablesAreCut(t *testing.T) {
	var rows []results.Row
	for n := range maxRows + 5 {
		rows = append(rows, results.Row{At: reporttest.At("method", "a", "n", fmt.Sprint(n)), Status: results.OK, Metrics: results.NewMetrics(map[string]float64{"recon_h": 1})})
	}
	run := reporttest.RunOf([]string{"n"}, rows...)
	p := newDocument(run)
	p.measurements(run, false)
	if want := "… and 5 rows more in `tables/summary.csv`."; !strings.Contains(string(p.Markdown()), "\n"+want+"\n") {
		t.Errorf("no %q in\n%s", want, string(p.Markdown()))
	}
}

// A row of a table is a point of the grid: a method that has no m stands in the row of every m,
// columns of different methods are combined, and a size that a method has by itself is named in
// its column, not in the row's.
func TestRowsOfATable(t *testing.T) {
	row := func(value float64, at ...string) results.Row {
		return results.Row{At: reporttest.At(append([]string{"dataset", "x"}, at...)...), Status: results.OK, Metrics: results.NewMetrics(map[string]float64{"recon_h": value})}
	}
	table := func(rows ...results.Row) string {
		run := reporttest.RunOf([]string{"n", "m", "ell"}, rows...)
		for _, name := range []string{"n", "m", "ell"} {
			run.Spec.Grid.Factors = append(run.Spec.Grid.Factors, configs.Variables{{Name: name}})
		}
		for i, method := range run.Spec.Methods {
			if method.ID == "own" {
				run.Spec.Methods[i].Sizes = map[string]configs.Value{"m": {Text: "4*m"}}
			}
		}
		p := newDocument(run)
		p.metricTables(run, []string{"recon_h"})
		_, text, _ := strings.Cut(string(p.Markdown()), "\n\n")
		return regexp.MustCompile(`\| --:.*\n`).ReplaceAllString(strings.TrimSpace(text), "")
	}
	exact := row(1, "method", "exact", "n", "8")
	for want, rows := range map[string][]results.Row{
		"At n = 8.\n\n| `m` | `exact` | `part` | `wide` |\n| 5 | 1 | 3 | – |\n| 9 | 1 | – | 2 |": {exact, row(3, "method", "part", "n", "8", "m", "5"), row(2, "method", "wide", "n", "8", "m", "9")},
		"At n = 8.\n\n| `m` | ℓ | `exact` | `part` | `thin` |\n| 5 | 1 | 1 | 3 | 6 |\n| 5 | 2 | 1 | 3 | 7 |\n| 9 | 1 | 1 | 4 | 6 |\n| 9 | 2 | 1 | 4 | 7 |": {exact,
			row(3, "method", "part", "n", "8", "m", "5"), row(4, "method", "part", "n", "8", "m", "9"), row(6, "method", "thin", "n", "8", "ell", "1"), row(7, "method", "thin", "n", "8", "ell", "2")},
		"At n = 8.\n\n| `m` | `own` (own m) | `part` |\n| 5 | 6 | 3 |\n| 20 | 7 | 4 |\n\nA size beside a method is its own, in place of the row's.": {
			row(3, "method", "part", "n", "8", "m", "5"), row(4, "method", "part", "n", "8", "m", "20"), row(6, "method", "own", "n", "8", "m", "20"), row(7, "method", "own", "n", "8", "m", "80")},
		"At n = 8.\n\n| `m` | `own` (own m) | `part` |\n| 5 | 6 | 3 |\n| 80 | 7 | – |\n\nA size beside a method is its own, in place of the row's.": {
			row(3, "method", "part", "n", "8", "m", "5"), row(6, "method", "own", "n", "8", "m", "20"), row(7, "method", "own", "n", "8", "m", "80")},
		"At n = 8.\n\n| `m` | `exact` | `own` |\n| 20 | 1 | 6 |\n| 80 | 1 | 7 |": {exact,
			row(6, "method", "own", "n", "8", "m", "20"), row(7, "method", "own", "n", "8", "m", "80")},
	} {
		if got := table(rows...); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}
