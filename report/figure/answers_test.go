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
	c := answersChart("", answers)
	var legend []string
	for _, row := range c.legend {
		for _, e := range row.entries {
			legend = append(legend, e.text)
		}
	}
	if got, want := len(c.panels), 2; got != want {
		t.Fatalf("%d panels, want %d", got, want)
	}
	for i, name := range []string{"even", "uneven"} {
		p := c.panels[i]
		curves := 0
		for _, l := range p.layers {
			if l.role == "theory" {
				curves++
			}
		}
		if p.title != name || curves != 1 || len(p.layers) != 7 {
			t.Errorf("panel %q has %d curves in %d layers, want %q, 1 in 7", p.title, curves, len(p.layers), name)
		}
		if x := p.layers[0].points; x[0].x.value != 100 || x[1].x.value != 10000 {
			t.Errorf("the points are not in order of n: %v", x)
		}
	}
	if want := []string{"uniform", "leverage", "theory, n"}; !slices.Equal(legend, want) {
		t.Errorf("legend %q, want %q", legend, want)
	}
	if a, b := c.panels[0].layers[0].look, c.panels[1].layers[0].look; a != b {
		t.Errorf("uniform looks %v in one panel and %v in the other", a, b)
	}
}
