package figure

import (
	"math"
	"slices"
	"testing"

	"mercer/internal/claims"
	"mercer/report/reporttest"
)

// Answers of two data sets have a panel each, in which a rule looks the same; a law of theory
// that all have is drawn once in each and explained once.
func TestAnswersChart(t *testing.T) {
	number := func(x float64) *float64 { return &x }
	var answers []claims.Answer
	for _, data := range []string{"even", "uneven"} {
		for _, rule := range []string{"uniform", "leverage"} {
			for _, n := range []float64{10000, 100} {
				answers = append(answers, claims.Answer{
					Target: rule, Group: reporttest.At("dataset", data, "kernel", "atoms"),
					Find: "m", Over: "n", At: n, Fails: number(n / 10), Holds: number(n / 5), Theory: number(n), Curve: "n",
				})
			}
		}
	}
	found := OfAnswers(answers, nil, map[string]bool{}, LabelsOf(reporttest.Empty()))
	if len(found) != 1 {
		t.Fatalf("%d figures, want 1", len(found))
	}
	c := found[0].Chart
	if got, want := len(c.Panels), 2; got != want {
		t.Fatalf("%d panels, want %d", got, want)
	}
	for i, name := range []string{"even", "uneven"} {
		p := c.Panels[i]
		curves := 0
		for _, s := range p.Series {
			if s.Curve {
				curves++
			}
		}
		if p.Title != name || curves != 1 || len(p.Series) != 3 {
			t.Errorf("panel %q has %d curves in %d series, want %q, 1 in 3", p.Title, curves, len(p.Series), name)
		}
		if x := p.Series[1].Points; x[0].X.value != 100 || x[1].X.value != 10000 || x[0].Y.low != 10 || x[0].Y.high != 20 {
			t.Errorf("the points are not in order of n: %v", x)
		}
	}
	if got, want := legendOf(c), []string{"uniform", "leverage", "theory, n"}; !slices.Equal(got, want) {
		t.Errorf("legend %q, want %q", got, want)
	}
	if a, b := c.Panels[0].Series[1], c.Panels[1].Series[1]; a.Name != "uniform" || a.Colour != b.Colour || a.Shape != b.Shape {
		t.Errorf("uniform looks %v in one panel and %v in the other", a, b)
	}
}

// A claimed slope of the least values, or a fitted one, is a line through the centre of the answers that
// the verdict is on, in their colour; a law of theory goes through the last of them. A control has no line.
func TestAnswersHaveSlopes(t *testing.T) {
	number := func(x float64) *float64 { return &x }
	var answers []claims.Answer
	for i, target := range []string{"uniform", "leverage"} {
		for k, n := range []float64{100, 1000, 10000} {
			holds := math.Pow(2, float64(2+i+k))
			answers = append(answers, claims.Answer{Target: target, Find: "m", Over: "n", At: n, Fails: number(holds / 4), Holds: &holds, Theory: number(n), Curve: target})
		}
	}
	slope := claims.Verdict{Kind: "slope", Of: "uniform", Over: "n", Answers: 3, Estimate: math.Log10(2), Target: 1}
	control, few, unknown := slope, slope, slope
	control.Control, few.Answers, unknown.Estimate = true, 2, math.NaN()
	f := OfAnswers(answers, []claims.Verdict{slope, control, few, unknown}, map[string]bool{}, LabelsOf(reporttest.Empty()))[0]
	checkDrawing(t, "answers", f.Chart)
	heights := map[string][]float64{}
	for _, s := range f.Chart.Panels[0].Series {
		for _, q := range s.Points {
			heights[s.Name] = append(heights[s.Name], q.Y.value)
		}
	}
	for name, want := range map[string][]float64{
		"uniform": {2, 4, 8}, "uniform, fitted": {2, 4, 8}, "uniform, claimed slope": {0.4, 4, 40}, "theory, uniform": {0.08, 0.8, 8},
		"leverage": {4, 8, 16}, "theory, leverage": {0.16, 1.6, 16},
	} {
		if len(heights[name]) != len(want) {
			t.Fatalf("%s: %v, want %v", name, heights[name], want)
		}
		for i, y := range heights[name] {
			near(t, name, y, want[i])
		}
	}
	if want := []string{"uniform, fitted", "uniform, claimed slope", "uniform", "leverage", "theory, uniform", "theory, leverage"}; !slices.Equal(legendOf(f.Chart), want) {
		t.Errorf("legend %q, want %q", legendOf(f.Chart), want)
	}
}
