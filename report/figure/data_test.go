package figure

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/internal/claims"
	"mercer/report/reporttest"
)

// fixedCharts are the plots of the fixed run that can be drawn, and its slopes, by name.
func fixedCharts() map[string]chart {
	charts := map[string]chart{}
	taken := map[string]bool{}
	verdicts := reporttest.FixedVerdicts()
	for _, f := range OfPlots(reporttest.FixedRun(), reporttest.FixedPlots(), verdicts, taken) {
		if f.Path != "" {
			charts[f.ID] = f.Chart
		}
	}
	byClaim := map[string][]claims.Verdict{}
	for _, v := range verdicts {
		byClaim[v.Claim] = append(byClaim[v.Claim], v)
	}
	single, combined := OfClaim("cor-4.2-iii", byClaim["cor-4.2-iii"], taken, LabelsOf(reporttest.Empty()))
	charts["slope"], charts["slopes"] = single[0].Chart, combined[0].Chart
	_, forest := OfClaim("as-good-as-exact", byClaim["as-good-as-exact"], taken, LabelsOf(reporttest.Empty()))
	charts["forest"] = forest[0].Chart
	return charts
}

// A chart over two numbers has its data, whatever is toggled is in its legend, and each mark
// keeps its numbers once.
func TestData(t *testing.T) {
	charts := fixedCharts()
	for name, want := range map[string][]string{
		"rates":  {"empirical KPCA", "Nyström", "random features", "Cor 4.2", "floor", "paper", "a bend", "95 % t interval"},
		"costs":  {"random features", "empirical KPCA", "front of the means", "95 % t interval"},
		"slope":  {"geometric mean, 95 % interval", "fitted slope −0.262", "claimed slope −0.25 ± 0.08", "floor"},
		"slopes": {"θ = 0.5: slope −0.262, claimed −0.25 ± 0.08", "θ = 0.75: slope −0.360, claimed −0.375 ± 0.08", "fitted", "claimed slope", "floor"},
		"spread": nil, "bars": nil, "heat": nil, "forest": nil,
	} {
		c, known := charts[name]
		if !known {
			t.Fatalf("no chart %s", name)
		}
		d := c.Data()
		if d == nil {
			if want != nil {
				t.Errorf("%s has no data", name)
			}
			continue
		}
		var legend []string
		used := map[int]bool{}
		for _, p := range d.Panels {
			for _, l := range p.Layers {
				for _, k := range l.Keys {
					used[k] = true
				}
			}
		}
		for k, key := range d.Keys {
			legend = append(legend, key.Text)
			if !used[k] {
				t.Errorf("%s: nothing is toggled by %q", name, key.Text)
			}
		}
		if diff := cmp.Diff(want, legend); diff != "" {
			t.Errorf("%s: legend (-want +got):\n%s", name, diff)
		}
		text, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range c.Readings() {
			quoted, err := json.Marshal(r.text)
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(text), string(quoted)); n != 1 && !strings.HasPrefix(r.text, "paper\n") {
				t.Errorf("%s: %q is there %d times", name, r.text, n)
			}
		}
	}
}

// Infinite ends are null, and what is empty at the end of a point is left out.
func TestPointData(t *testing.T) {
	for want, p := range map[string]point{
		`[1,2]`:                        {x: exactly(1), y: exactly(2)},
		`[1,2,null,null,1.5]`:          {x: exactly(1), y: estimate{2, 1.5, math.Inf(1)}},
		`[1,2,null,null,1.5,3,"a\nb"]`: {x: exactly(1), y: estimate{2, 1.5, 3}, text: "a\nb"},
		`[1,null]`:                     {x: exactly(1), y: estimate{math.Inf(1), math.Inf(-1), math.Inf(1)}},
	} {
		if got, err := json.Marshal(pointData{p}); err != nil || string(got) != want {
			t.Errorf("%s (%v); want %s", got, err, want)
		}
	}
}

// The line of a course that turns back cannot be drawn over one row of x.
func TestDataOfTurningLine(t *testing.T) {
	c := chart{panels: []panel{{layers: []layer{{points: []point{{x: exactly(2), y: exactly(1)}, {x: exactly(1), y: exactly(2)}}}}}}}
	if c.Data() != nil {
		t.Error("a line that goes back has data")
	}
}
