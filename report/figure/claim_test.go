package figure

import (
	"math"
	"strings"
	"testing"

	"mercer/internal/claims"
	"mercer/report/reporttest"
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
	huge.Group = reporttest.At("dataset", strings.Repeat("a very long name ", 10))
	huge.Points[0].High = math.MaxFloat64
	return map[string][]claims.Verdict{
		"narrow": {narrow}, "wide": {wide}, "single": {single}, "deep": {deep}, "huge": {huge},
		"combined": {reporttest.FixedSlope("0.5", -0.25, -0.25, claims.Holds), reporttest.FixedSlope("0.75", -0.4, -0.375, claims.Holds)},
	}
}

func TestSlopesAreDrawn(t *testing.T) {
	for name, verdicts := range odd() {
		f := OfClaim("a < b & c", verdicts, map[string]bool{}, LabelsOf(reporttest.Empty()))[0]
		c := f.Chart
		if len(c.Panels) != len(verdicts) {
			t.Errorf("%s: %d panels", name, len(c.Panels))
		}
		checkDrawing(t, name, c)
		if far := strings.Contains(f.Shows, "A floor that is a decade below all marks is not drawn."); far != (name == "deep") {
			t.Errorf("%s: %s", name, f.Shows)
		}
		if text, err := c.Svg(); err != nil || !strings.Contains(string(text), "<title>a &lt; b &amp; c</title>") || !strings.Contains(string(text), `role="img"`) {
			t.Errorf("%s has no title: %v, %.400s", name, err, text)
		}
	}
}

func TestDrawable(t *testing.T) {
	v := reporttest.FixedSlope("0.5", -0.25, -0.25, claims.Holds)
	v.Points = []claims.Point{
		{X: 1, Y: 2, Low: 1, High: 3}, {X: 2, Y: math.NaN()}, {X: 0, Y: 1}, {X: 3, Y: 2, Low: -1, High: math.Inf(1)}, {X: 4, Y: math.Inf(1)},
	}
	f := OfClaim("slope", []claims.Verdict{v}, map[string]bool{}, LabelsOf(reporttest.Empty()))[0]
	series := f.Chart.Panels[0].Series
	if points := series[len(series)-1].Points; len(points) != 2 {
		t.Errorf("%+v", points)
	}
	if want := "Log axes have no place for 3 values."; !strings.HasSuffix(f.Shows, want) {
		t.Errorf("%q; want %q", f.Shows, want)
	}
}
