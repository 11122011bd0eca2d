package sections

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/report/figure"
	"mercer/report/reporttest"
	"mercer/results"
)

// TestSaid: without claims the answer is the winner at the largest sizes, or who is tied
// there, and whether the order is another at others; with claims it is the sentence of the spec for what became of them.
func TestSaid(t *testing.T) {
	noise := []float64{0.01, -0.02, 0.015, -0.005, 0}
	// records are those of methods whose values at n are level/n and noise, the same for all
	// methods, but for own more that alternates.
	records := func(metric string, levels map[string]float64, own float64) (list []results.Row) {
		for _, n := range []float64{10, 20} {
			for _, method := range []string{"a", "exact", "nystrom", "z"} {
				for repeat, e := range noise {
					if level := levels[method]; level != 0 {
						e += own * float64(repeat%2*2-1) * float64(len(method))
						list = append(list, results.Row{At: reporttest.At("dataset", "wine", "kernel", "rbf", "method", method, "n", fmt.Sprint(n)), Repeat: repeat, Status: results.OK,
							Metrics: results.NewMetrics(map[string]float64{metric: level/n + e, "time_total": level})})
					}
				}
			}
		}
		return list
	}
	at := func(n float64, list []results.Row) []results.Row {
		return slices.DeleteFunc(list, func(r results.Row) bool { return r.At.Text("n") != fmt.Sprint(n) })
	}
	// Nyström alone has a last repeat, and there twice its values.
	more := func(list []results.Row) (all []results.Row) {
		for _, r := range list {
			if last := r.Repeat == len(noise)-1; last && r.Method() == "nystrom" {
				r.Metrics = results.NewMetrics(map[string]float64{"recon_h": 2})
			} else if last {
				continue
			}
			all = append(all, r)
		}
		return all
	}
	held := []claims.Verdict{{Claim: "rate", Outcome: claims.Holds, Estimate: -0.5, Low: -0.6, High: -0.4, Level: 0.95, Relation: "="}}
	vacuous := claims.Verdict{Claim: "bound", Check: true, Kind: "bound", Outcome: claims.Holds, Vacuous: true}
	claimed := vacuous
	claimed.Check = false
	control := claims.Verdict{Claim: "weak", Control: true, Outcome: claims.Holds}
	for _, test := range []struct {
		name     string
		rows     []results.Row
		verdicts []claims.Verdict
		want     string
	}{
		{"a winner", records("recon_h", map[string]float64{"a": 30, "nystrom": 20, "z": 24}, 0.001), nil,
			"Nyström has the least reconstruction error R at n = 20: 0.999 ± 0.010. Worse: a (1.5 times that) and z (1.2 times that), by paired tests (p < 0.05 after Holm). Nyström has the least mean at both settings of n."},
		{"tied with one", records("recon_h", map[string]float64{"a": 200, "nystrom": 20, "z": 20.01}, 0.01), nil,
			"No clear winner between Nyström and z in reconstruction error R at n = 20: Nyström has the least mean, 0.986 ± 0.082. Worse: a (10.1 times that), by paired tests (p < 0.05 after Holm). Nyström has the least mean at both settings of n."},
		{"the order changes", append(at(10, records("recon_h", map[string]float64{"a": 20, "nystrom": 30, "z": 24}, 0.001)), at(20, records("recon_h", map[string]float64{"a": 30, "nystrom": 20, "z": 24}, 0.001))...), nil,
			"Nyström has the least reconstruction error R at n = 20: 0.999 ± 0.010. Worse: a (1.5 times that) and z (1.2 times that), by paired tests (p < 0.05 after Holm). The order changes at n = 10: of 2 settings of n, the least mean is that of Nyström in 1 and a in 1."},
		{"tied, with another order elsewhere", append(at(10, records("recon_h", map[string]float64{"nystrom": 30, "z": 24}, 0.01)), at(20, records("recon_h", map[string]float64{"nystrom": 20, "z": 20.01}, 0.01))...), nil,
			"No clear winner between Nyström and z in reconstruction error R at n = 20: Nyström has the least mean, 0.986 ± 0.082. Two-sided paired tests of all pairs do not tell them apart (p < 0.05 after Holm); a claim about one pair is a sharper test."},
		{"fewer repeats", more(records("recon_h", map[string]float64{"nystrom": 20, "z": 24}, 0.001)), nil,
			"Nyström has the least reconstruction error R at n = 20: 1.20 ± 0.56. Worse: z (1.2 times that), by paired tests (p < 0.05 after Holm). Nyström has the least mean at both settings of n."},
		{"more is better", records("rand", map[string]float64{"a": 18, "nystrom": 12}, 0), nil,
			"a has the greatest Rand index, sample at n = 20: 0.900 ± 0.017. Worse: Nyström (0.667 times that), by paired tests (p < 0.05 after Holm). a has the greatest mean at both settings of n."},
		{"beside a reference", records("recon_h", map[string]float64{"exact": 10, "nystrom": 20, "z": 24}, 0.001), nil,
			"Nyström has the least reconstruction error R at n = 20: 0.999 ± 0.010. Worse: z (1.2 times that), by paired tests (p < 0.05 after Holm). The reference exact has 0.5 times that. Nyström has the least mean at both settings of n."},
		{"a reference and one", records("recon_h", map[string]float64{"exact": 10, "nystrom": 20}, 0.001), nil,
			"Nyström: reconstruction error R 0.999 ± 0.010 at n = 20. The reference exact has 0.5 times that."},
		{"a reference costs as others", records("time_total", map[string]float64{"exact": 10, "nystrom": 20}, 0.001), nil, ""},
		{"in its range", records("nmi_arithmetic", map[string]float64{"nystrom": 19.9, "z": 10}, 0.001), nil,
			"Nyström has the greatest NMI (arithmetic), sample at n = 20: 0.994 [0.983, 1.000]. Worse: z (0.503 times that), by paired tests (p < 0.05 after Holm). Nyström has the greatest mean at both settings of n."},
		{"one method", records("recon_h", map[string]float64{"a": 30}, 0), nil, ""},
		{"costs judge nobody", records("memory_total", map[string]float64{"a": 30, "z": 20}, 0), nil, ""},
		{"no records", nil, nil, ""},
		{"a sentence", nil, held, "Yes: the exponent is −0.50 [−0.60, −0.40]."},
		{"a check of a vacuous bound", nil, append(slices.Clone(held), vacuous), "Yes: the exponent is −0.50 [−0.60, −0.40]."},
		{"a claim on it", nil, append(slices.Clone(held), claimed), "1 of 2 claims holds vacuously: “bound”; 1 holds."},
		{"a control that holds", nil, append(slices.Clone(held), control), "The claim holds: “rate”. 1 control holds: “weak”; known to be false, this experiment cannot tell it from what is true."},
		{"a control that holds alone", nil, []claims.Verdict{control}, "1 control holds: “weak”; known to be false, this experiment cannot tell it from what is true."},
	} {
		run := reporttest.RunOf([]string{"n"}, test.rows...)
		reporttest.Use(&run, "a", "exact ekpca", "nystrom", "z")
		run.Spec.Answer = reporttest.Answering("Yes: the exponent is {rate}.", "", "").Spec.Answer
		if got := strings.Join(Said(run, test.verdicts, nil, nil, nil), " "); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

// TestSaidOfSearch: a run that searches for targets has no ranking of methods.
func TestSaidOfSearch(t *testing.T) {
	var records []results.Row
	for i, method := range []string{"a", "b"} {
		for repeat := range 5 {
			records = append(records, results.Row{At: reporttest.At("dataset", "d", "kernel", "k", "method", method, "n", "10"), Repeat: repeat, Status: results.OK,
				Metrics: results.NewMetrics(map[string]float64{"recon_h": float64(i) + 0.01*float64(1+repeat)})})
		}
	}
	for targets, ranks := range []bool{true, false} {
		run := reporttest.RunOf([]string{"n"}, records...)
		run.Spec.Targets = make([]configs.Target, targets)
		if said := Said(run, nil, nil, nil, nil); (len(said) > 0) != ranks {
			t.Errorf("%d targets: %q", targets, said)
		}
	}
}

// TestBestFigure: the first screen shows the claim whose number the answer names; without
// one, that which asks for most attention. Where there are no claims, the means are shown
// at once.
func TestBestFigure(t *testing.T) {
	verdict := func(id string, outcome claims.Outcome) claims.Verdict {
		return claims.Verdict{Claim: id, Says: "about " + id, Kind: "ratio", Outcome: outcome, Estimate: 1, Low: 0.9, High: 1.1, Level: 0.95, Relation: "<=", Target: 2}
	}
	all := Claims([]claims.Verdict{verdict("exact", claims.Holds), verdict("nystrom", claims.Holds), verdict("open", claims.Inconclusive)}, map[string]bool{}, nil)
	target := figure.Figure{Path: "figures/target.svg"}
	for answer, want := range map[string]string{"Yes, by {nystrom} where {exact} is exact.": "About nystrom", "Perhaps.": "About open", "By {gone}.": "About open"} {
		if got := bestFigure(nil, all, []figure.Figure{target}, answer).Says; got != want {
			t.Errorf("%q: the figure is %q, want %q", answer, got, want)
		}
	}
	if got := bestFigure(nil, nil, []figure.Figure{target}, "").Path; got != target.Path {
		t.Errorf("without plots and claims the figure is %q", got)
	}
	run := reporttest.RunOf(nil, results.Row{At: reporttest.At("method", "a"), Status: results.OK, Metrics: results.NewMetrics(map[string]float64{"recon_h": 1})})
	for folded, verdicts := range map[bool][]claims.Verdict{false: nil, true: {verdict("a", claims.Holds)}} {
		report := Report(run, verdicts, nil, Claims(verdicts, map[string]bool{}, nil), nil, Answers{}, nil)
		text, err := report.Html(nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(text), `<summary><h2 id="measurements">`); got != folded {
			t.Errorf("%d verdicts: the measurements are folded: %v", len(verdicts), got)
		}
	}
}

// TestLeastValues: of each target and group the answer at the largest n is said, before what
// claims say of it.
func TestLeastValues(t *testing.T) {
	found := func(target, dataset string, n, fails, holds float64) claims.Answer {
		return claims.Answer{Target: target, Group: reporttest.At("dataset", dataset), Over: "n", At: n, Find: "m", Fails: &fails, Holds: &holds}
	}
	run := reporttest.Answering("It grows as n to the power {rate}.", "", "")
	reporttest.Label(&run, map[string]string{"few": "few landmarks"})
	held := []claims.Verdict{{Claim: "rate", Outcome: claims.Holds, Estimate: 0.5, Low: 0.4, High: 0.6}}
	most, least := found("few", "x", 7e12, 2e6, 2.04e6), found("few", "x", 1000, 20, 30)
	most.Holds, least.Fails = nil, nil
	for _, test := range []struct {
		verdicts []claims.Verdict
		answers  []claims.Answer
		want     string
	}{
		{held, []claims.Answer{found("few", "x", 100, 2, 3), found("few", "x", 1000, 20, 30)}, "Between 20 and 30 landmarks or features at n = 1000. It grows as n to the power 0.50 [0.40, 0.60]."},
		{nil, []claims.Answer{found("few", "x", 1115664, 1115664, 2231328)}, "Between 1.1 and 2.2 million landmarks or features at n = 1.1 million."},
		{nil, []claims.Answer{found("few", "x", 1.05e6, 999999, 2e9)}, "Between 999999 and 2·10^9 landmarks or features at n = 1.1 million."},
		{nil, []claims.Answer{found("few", "x", 2e6, 1.01e6, 1.04e6)}, "Between 1010000 and 1040000 landmarks or features at n = 2 million."},
		{nil, []claims.Answer{most}, "More than 2 million landmarks or features at n = 7·10^12."},
		{nil, []claims.Answer{least}, "At most 30 landmarks or features at n = 1000."},
		{held, []claims.Answer{found("few", "x", 1000, 20, 30), found("many", "x", 1000, 40, 50), found("few", "y", 10, 1, 2), found("many", "y", 10, 1, 2)},
			"Few landmarks: between 20 and 30 at n = 1000. many: between 40 and 50 at n = 1000. Few landmarks: between 1 and 2 at n = 10. 1 further answer is below. It grows as n to the power 0.50 [0.40, 0.60]."},
	} {
		if got := strings.Join(Said(run, test.verdicts, nil, test.answers, nil), " "); got != test.want {
			t.Errorf("\n got %s\nwant %s", got, test.want)
		}
	}
}

// TestSaidOfSeveral: over several data sets the answer counts on how many each method is best.
func TestSaidOfSeveral(t *testing.T) {
	var records []results.Row
	for dataset, levels := range map[string][2]float64{"x": {1, 2}, "y": {1, 3}, "z": {3, 1}, "tie": {1, 1}} {
		for i, method := range []string{"a", "b"} {
			for repeat := range 5 {
				value := levels[i] + 0.01*float64((2*repeat+i)%5)
				records = append(records, results.Row{At: reporttest.At("dataset", dataset, "kernel", "k", "method", method, "n", "10"), Repeat: repeat, Status: results.OK,
					Metrics: results.NewMetrics(map[string]float64{"recon_h": value})})
			}
		}
	}
	of := func(datasets string) string {
		of := slices.DeleteFunc(slices.Clone(records), func(r results.Row) bool { return !strings.Contains(datasets, r.Dataset()) })
		return Said(reporttest.RunOf([]string{"n"}, of...), nil, nil, nil, nil)[0]
	}
	for datasets, want := range map[string]string{
		"x y z tie": "By reconstruction error R, a is best on 2 of 4 data sets, b is best on 1 and no method is clearly best on 1.",
		"x y":       "By reconstruction error R, a is best on 2 of 2 data sets.",
		"z":         "b has the least reconstruction error R: 1.020 ± 0.020.",
	} {
		if got := of(datasets); got != want {
			t.Errorf("%s:\n got %s\nwant %s", datasets, got, want)
		}
	}
}
