package figure

import (
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
	found := OfAnswers(answers, map[string]bool{}, LabelsOf(reporttest.Empty()))
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
