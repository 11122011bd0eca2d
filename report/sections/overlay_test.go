package sections

import (
	"fmt"
	"strings"
	"testing"

	"mercer/internal/sizes"
	"mercer/results"
)

// TestOverlay: the best of each run is bold in its own columns, also where another run has the
// same values; references of each do not compete; and the page says in what the runs differ.
func TestOverlay(t *testing.T) {
	run := func(repeats, n int, version string) results.Run {
		m := results.Manifest{Experiment: "x", Spec: fmt.Sprintf("repeats: %d\nmethods: [{id: exact, use: ekpca}, {id: a}, {id: b}]\nplots: [{x: %q}]", repeats, version),
			SpecHash: fmt.Sprint(repeats, version), Repeats: repeats, Variables: []string{"n", "d"}, Versions: map[string]string{"method a": version},
			Datasets: map[string]results.DatasetInfo{"wine": {Fingerprint: "0123" + version}}}
		var records []results.Record
		for repeat := range repeats {
			for method, level := range map[string]float64{"exact": 0.5, "a": 1, "b": 2} {
				value := level + 0.01*float64((repeat*7+len(method))%5)
				records = append(records, results.Record{Dataset: "wine", Kernel: "rbf", Method: method, Repeat: repeat, Status: results.OK, Sizes: sizes.Sizes{N: n},
					Point: map[string]float64{"n": float64(n), "d": 10}, Metrics: results.NewMetrics(map[string]results.Metric{"recon_h": {Value: value}})})
			}
		}
		return results.Run{Manifest: m, Records: results.Sorted(records, m.Variables)}
	}
	for _, test := range []struct {
		name          string
		after         results.Run
		said, without []string
	}{
		{"the same", run(6, 100, "1"), []string{"All runs have the same spec.\n"}, []string{"The runs differ"}},
		{"all that may differ", run(7, 200, "2"), []string{"The runs differ in repeats (6 / 7), n (100 / 200), data of wine and version of method a (1 / 2).", "Sections of the specs that differ: `plots`, `repeats`."}, []string{"0123"}},
	} {
		overlay := Overlay([]NamedRun{{Name: "before", Run: run(6, 100, "1")}, {Name: "after", Run: test.after}}, nil, []string{"recon_h"})
		text := string(overlay.Markdown())
		for _, want := range test.said {
			if !strings.Contains(text, want) {
				t.Errorf("%s: the page lacks %q:\n%s", test.name, want, text)
			}
		}
		for _, not := range append(test.without, "`d`", "d = 10", "dataset") {
			if strings.Contains(text, not) {
				t.Errorf("%s: the page has %q:\n%s", test.name, not, text)
			}
		}
		if n := strings.Count(text, "| **1."); n != 2 {
			t.Errorf("%s: %d means of a are bold, want one in each run:\n%s", test.name, n, text)
		}
		if strings.Contains(text, "**0.5") || strings.Count(text, "(reference)") != 2 {
			t.Errorf("%s: references are not what they are:\n%s", test.name, text)
		}
	}
}
