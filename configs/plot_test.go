package configs

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPlots(t *testing.T) {
	spec := load(t, "everything.yaml")
	point := func(text string) *Value { return &Value{Text: text} }
	want := []Plot{
		{ID: "rates", Title: "it falls", Kind: "line", X: q("n"), Y: q("recon_h / recon_h_floor"), By: words("d"), Facet: Word{Value: "theta"},
			Where: Conditions{"method": {Value: []string{"nys", "exact"}}, "n": {Value: []string{"100", "1000"}}}, Axes: Axes{X: "log", Y: Word{Value: "linear"}}, Band: "sd",
			Theory: []TheoryCurve{{Curve: Value{Text: "n^-0.5"}, Anchor: "last"},
				{Curve: Value{Text: "n^(-theta)"}, Label: "Thm 1", Anchor: "first", Where: Conditions{"method": {Value: []string{"nys"}}}},
				{Curve: Value{Text: "1/n"}, Anchor: "none"}},
			Floor: q("recon_h_floor"), Marks: []Mark{{Y: point("0.728"), Label: "paper"}, {X: point("200"), Label: "where it bends"},
				{X: point("200"), Y: point("1e-3"), Label: "a point", Where: Conditions{"theta": {Value: []string{"0.5"}}}}}},
		{ID: "course", Kind: "trajectory", X: q("time_total"), Y: q("recon_h"), Along: Word{Value: "n"}, By: words("theta"), Axes: Axes{X: "log", Y: Word{Value: "log"}}, Band: "t"},
		{ID: "costs", Kind: "pareto", X: q("time_total"), Y: q("recon_h"), Axes: Axes{X: "log", Y: Word{Value: "log"}}, Band: "none"},
		{ID: "boxes", Kind: "box", X: q("method"), Y: q("recon_h"), By: words("theta"), Facet: Word{Value: "n"}, Axes: Axes{Y: Word{Value: "log"}}},
		{ID: "bars", Kind: "bar", X: q("theta"), Y: q("recon_h"), By: words("n"), Axes: Axes{Y: Word{Value: "linear"}}, Band: "t",
			Marks: []Mark{{Y: point("1"), Label: "paper", Where: Conditions{"theta": {Value: []string{"0.5"}}}}}},
		{ID: "before-and-after", Kind: "scatter", Where: Conditions{"method": {Value: []string{"exact", "nys"}}, "n": {Value: []string{"100"}}, "theta": {Value: []string{"0.5"}}}},
	}
	if diff := cmp.Diff(want, spec.Plots, ignorePlaces); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := spec.Plots[0].Y.Pos; got.Line == 0 || spec.Plots[0].Theory[1].Where["method"].Pos.Line == 0 {
		t.Errorf("places are not kept: %v", got)
	}
	smoke, err := spec.WithProfile("smoke")
	if err != nil || len(smoke.Plots) != 2 || smoke.Plots[0].ID != "rates" || smoke.Plots[1].ID != "costs" || len(spec.Plots) != 6 {
		t.Errorf("profile smoke has %d plots, the spec %d, error %v", len(smoke.Plots), len(spec.Plots), err)
	}
}

// Curves of the theory and marks may use grid variables, constants of the datasets that
// its plot shows, and sizes that methods set; another name is reported.
func TestCheckNamesOfPlots(t *testing.T) {
	text, err := os.ReadFile("testdata/good/everything.yaml")
	if err != nil {
		t.Fatal(err)
	}
	replaced := func(old, text, by string) error {
		spec, err := Parse("x.yaml", []byte(strings.Replace(text, old, by, 1)))
		if err != nil {
			t.Fatal(err)
		}
		return spec.CheckNames(map[string][]string{"poly2": {"alpha"}, "pts": {"alpha", "N"}})
	}
	check := func(curve string) error { return replaced(`"1/n"`, string(text), `"`+curve+`"`) }
	mark := func(x string) error { return replaced("x: 200, label: where", string(text), "x: "+x+", label: where") }
	if err := mark("sqrt(n*alpha)"); err != nil {
		t.Error(err)
	}
	if err := mark("sqrt(N)"); err == nil || !strings.Contains(err.Error(), `unknown name "N"`) {
		t.Errorf("a mark with a constant that one dataset lacks: %v", err)
	}
	if err := check("m*ell*alpha/n"); err != nil {
		t.Error(err)
	}
	if err := check("alhpa/n"); err == nil || !strings.Contains(err.Error(), `unknown name "alhpa"`) {
		t.Errorf("a misspelt constant: %v", err)
	}
	if err := check("N/n"); err == nil || !strings.Contains(err.Error(), `for dataset "poly2"`) {
		t.Errorf("a constant that one dataset lacks: %v", err)
	}
}

func TestMatch(t *testing.T) {
	text := map[string]string{"dataset": "a", "kernel": "rbf", "method": "1"}
	number := func(name string) (float64, bool) {
		v, ok := map[string]float64{"n": 100, "theta": 0.1 + 0.2}[name]
		return v, ok
	}
	for _, test := range []struct {
		where Conditions
		want  bool
	}{
		{nil, true},
		{Conditions{"method": {Value: []string{"1"}}, "n": {Value: []string{"50", "100"}}}, true},
		{Conditions{"method": {Value: []string{"1.0"}}}, false}, // names are text
		{Conditions{"theta": {Value: []string{"0.3"}}}, true},
		{Conditions{"theta": {Value: []string{"0.3000001"}}}, false},
		{Conditions{"m": {Value: []string{"0"}}}, false}, // no such column
		{Conditions{"n": {Value: []string{"many"}}}, false},
		{Conditions{"dataset": {Value: []string{"a"}}, "n": {Value: []string{"50"}}}, false},
	} {
		if got := test.where.Match(text, number); got != test.want {
			t.Errorf("%v: %v", test.where, got)
		}
	}
}
