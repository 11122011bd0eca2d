package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"mercer/internal/claims"
	"mercer/report/format"
	"mercer/report/reporttest"
	"mercer/results"
)

// odd are slopes whose figures are easily got wrong.
func odd() map[string][]claims.Verdict {
	narrow := reporttest.FixedSlope("0.5", -0.01, 0, claims.Holds)
	for i := range narrow.Points {
		p := &narrow.Points[i]
		p.X, p.Y, p.Low, p.High, p.Fit, p.Theory, p.Floor = 1000+float64(i), 0.5, 0.4999, 0.5001, 0.5, 0.5, nil
	}
	wide := reporttest.FixedSlope("0.5", -2, -2, claims.Holds)
	for i := range wide.Points {
		p := &wide.Points[i]
		p.X = math.Pow(10, float64(3*i))
		p.Y = math.Pow(10, float64(-60*i))
		p.Low, p.High, p.Fit, p.Theory, p.Floor = p.Y, p.Y, p.Y, p.Y, nil
	}
	single := reporttest.FixedSlope("0.5", -0.25, -0.25, claims.Inconclusive)
	single.Estimate, single.Target = math.NaN(), math.NaN()
	single.Points = single.Points[:1]
	single.Points[0].Fit, single.Points[0].Theory = math.NaN(), math.NaN()
	deep := reporttest.FixedSlope("0.5", -0.25, -0.25, claims.Holds)
	for i := range deep.Points {
		floor := 1e-14
		deep.Points[i].Floor = &floor
	}
	huge := reporttest.FixedSlope("0.5", -0.25, -0.25, claims.Holds)
	huge.Of = strings.Repeat("a very long expression over metrics / ", 10)
	huge.Points[0].High = math.MaxFloat64
	return map[string][]claims.Verdict{
		"narrow": {narrow}, "wide": {wide}, "single": {single}, "deep": {deep}, "huge": {huge},
		"combined": {reporttest.FixedSlope("0.5", -0.25, -0.25, claims.Holds), reporttest.FixedSlope("0.75", -0.4, -0.375, claims.Holds)},
	}
}

func TestSlopesAreDrawn(t *testing.T) {
	for name, verdicts := range odd() {
		c := slopeChart("a < b & c", verdicts, results.Key{})
		checkDrawing(t, name, c)
		if text, err := c.Svg(); err != nil || !strings.Contains(string(text), "<title>a &lt; b &amp; c</title>") || !strings.Contains(string(text), `role="img"`) {
			t.Errorf("%s has no title: %v, %.400s", name, err, text)
		}
	}
}

func TestManyGroupsAreSplit(t *testing.T) {
	var verdicts []claims.Verdict
	for i := range 2*maxCombined + 1 {
		v := reporttest.FixedSlope("0.5", -0.25, -0.25, claims.Holds)
		v.Group = reporttest.At("theta", format.Number(float64(i)))
		verdicts = append(verdicts, v)
	}
	single, combined := OfClaim("slopes", verdicts, map[string]bool{}, LabelsOf(reporttest.Empty()))
	if len(combined) != 3 || len(single) != len(verdicts) {
		t.Errorf("%d combined figures, %d single ones", len(combined), len(single))
	}
}

func TestDrawable(t *testing.T) {
	v := claims.Verdict{Over: "n", Points: []claims.Point{
		{X: 1, Y: 2, Low: 1, High: 3}, {X: 2, Y: math.NaN()}, {X: 0, Y: 1}, {X: 3, Y: 2, Low: -1, High: math.Inf(1)}, {X: 4, Y: math.Inf(1)},
	}}
	points, note := drawable(v)
	if len(points) != 2 {
		t.Errorf("%+v", points)
	}
	if want := "Not in the figure, since log axes have no place for it: n = 2 (value –), n = 0 (value 1), n = 4 (value –)."; note != want {
		t.Errorf("%q; want %q", note, want)
	}
}

// A claim that is not about slopes has a figure of its verdicts, or of their
// cells: those that need most attention where there are many.
func TestForest(t *testing.T) {
	var ratio, bound []claims.Verdict
	for _, v := range reporttest.FixedVerdicts() {
		switch v.Claim {
		case "as-good-as-exact":
			ratio = append(ratio, v)
		case "thm-4.1-iii":
			bound = append(bound, v)
		}
	}
	rows, more := forestRows(ratio)
	if len(rows) != 14 || more != 0 { // of 15 cells one has no estimate
		t.Errorf("%d rows and %d more", len(rows), more)
	}
	if rows[3].name != "n=103" || rows[3].Outcome != claims.Violated || rows[3].Estimate != 1.31 || rows[3].Target != 1.25 {
		t.Errorf("row 3 is %+v", rows[3])
	}
	var text string
	_, combined := OfClaim("as-good-as-exact", ratio, map[string]bool{}, LabelsOf(reporttest.Empty()))
	for _, s := range combined[0].Chart.Panels[0].Series {
		for _, q := range s.Points {
			if strings.HasPrefix(q.Text, "n=103\n") {
				text = q.Text
			}
		}
	}
	if want := "n=103\nestimate = 1.31 [1.29, 1.33]\nclaimed: ≤ 1.25\nviolated, 4 repeats"; text != want {
		t.Errorf("%q; want %q", text, want)
	}
	if rows, _ := forestRows(bound); len(rows) != 2 || rows[0].name != "nystrom, n=20000" {
		t.Errorf("of the bound: %+v", rows)
	}
	rows, more = forestRows(slices.Repeat(ratio, 3))
	violated := 0
	for _, row := range rows {
		if row.Outcome == claims.Violated {
			violated++
		}
	}
	if len(rows) != maxForest || more != 3*14-maxForest || violated != 3 {
		t.Errorf("%d rows, %d of 3 violated ones, and %d more: %+v", len(rows), violated, more, rows)
	}
}

// What holds vacuously has a mark and an entry of the legend of its own, of cells and of
// verdicts alike.
func TestForestShowsVacuous(t *testing.T) {
	whole := func(vacuous bool) claims.Verdict {
		v := reporttest.FixedVerdicts()[3]
		v.Vacuous = vacuous
		return v
	}
	cells := func(vacuous ...bool) claims.Verdict {
		v := reporttest.FixedVerdicts()[5]
		for i, vacuous := range vacuous {
			v.Cells[i].Vacuous = vacuous
		}
		return v
	}
	for _, tt := range []struct {
		verdicts []claims.Verdict
		want     string
	}{
		{[]claims.Verdict{whole(false)}, "holds 1"},
		{[]claims.Verdict{whole(false), whole(true), whole(true)}, "holds 1, holds, vacuous 2"},
		{[]claims.Verdict{cells(true, false)}, "holds 1, holds, vacuous 1"},
	} {
		c := forest("c", tt.verdicts, LabelsOf(reporttest.Empty())).Chart
		var legend []string
		for _, s := range c.Panels[0].Series {
			if s.Reach == 0 {
				legend = append(legend, fmt.Sprintf("%s %d", s.Name, len(s.Points)))
			}
		}
		if got := strings.Join(legend, ", "); got != tt.want {
			t.Errorf("drawn are %q, want %q", got, tt.want)
		}
	}
}
