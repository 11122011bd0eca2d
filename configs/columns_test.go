package configs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	. "mercer/configs"
	"mercer/configs/source"
)

// TestBind: expressions in parameters, of whatever type.
func TestBind(t *testing.T) {
	env := Env{"n": NumberOf(60), "m": NumberOf(20), "zero": NumberOf(0)}
	for text, want := range map[string]string{
		"{ridge: 1/n, steps: n/m, small: '-m', weights: [1, m]}": `{"ridge": 0.016666666666666666, "small": -20, "steps": 3, "weights": [1, 20]}`,
		"{landmarks: first, decay: {power: sqrt(n+4)}}":          `{"decay": {"power": 8}, "landmarks": "first"}`,
		"{names: {a: n^2}, steps: '100^(1/2)'}":                  `{"names": {"a": 3600}, "steps": 10}`,
		"steps: 1000^(1/3)":                                      `{"steps": 10}`,
		"steps: n/m/2":                                           `1:8: "steps" of method "x" must be a whole number, found 1.5 at m = 20, n = 60`,
		"steps: 2*n":                                             `1:8: "steps" of method "x" must be at most 100, found 120 at n = 60`,
		"ridge: zero-1":                                          `1:8: "ridge" of method "x" must be at least 0, found -1 at zero = 0`,
		"ridge: 1/zero":                                          `1:8: "ridge" of method "x": expression "1/zero": 1 / 0 is +Inf at zero = 0`,
		"ridge: nn":                                              `1:8: "ridge" of method "x": expression "nn": unknown name "nn"; did you mean "n"?`,
		"ridge: n +":                                             `1:8: "ridge" of method "x": expression "n +": it ends too early`,
		"landmarks: =rule":                                       `1:12: "landmarks" of method "x" is "=rule", and texts are no longer taken from the grid: give a data set, kernel or method for each text`,
		"{center: n, budget: n}":                                 "1:10: \"center\" of method \"x\" must be true or false, found the text \"n\"\n1:21: \"budget\" of method \"x\" must be a duration such as \"90s\" or \"1h30m\", found the text \"n\"",
	} {
		p, err := source.Params("method", "x", text)
		if err != nil {
			t.Fatal(err)
		}
		o := Defaults()
		bound, err := p.Bind(&o, env)
		got := bound.Canonical()
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s\ngot  %s\nwant %s", text, got, want)
		}
	}
}

// TestUses: before names have values, plain values and syntax are checked, and defaults stay.
func TestUses(t *testing.T) {
	p, err := source.Params("method", "x", `{ridge: lam/n, steps: 7, decay: {power: n}, scale: {sigma: "2*median"}}`)
	if err != nil {
		t.Fatal(err)
	}
	o := Defaults()
	names, err := p.Uses(&o)
	if err != nil || strings.Join(names, " ") != "lam median n" {
		t.Errorf("uses %v, error %v", names, err)
	}
	if d := Defaults(); o.Ridge != d.Ridge || o.Landmarks != d.Landmarks || o.Steps != 7 || o.Decay != d.Decay {
		t.Errorf("options %+v", o)
	}
	p, err = source.Params("method", "x", "{ridge: lam/, steps: 700}")
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Uses(&o)
	want := "1:9: \"ridge\" of method \"x\": expression \"lam/\": it ends too early\n1:22: \"steps\" of method \"x\" must be at most 100, found 700"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// TestFixed: a path keeps its leading =, and a fixed number takes no expression.
func TestFixed(t *testing.T) {
	var o struct {
		Path string `yaml:"path" fixed:"true"`
		Size int    `yaml:"size" fixed:"true"`
	}
	p, err := source.Params("dataset", "x", "{path: =rule, size: n}")
	if err != nil {
		t.Fatal(err)
	}
	names, err := p.Uses(&o)
	if o.Path != "=rule" || len(names) > 0 || err == nil || err.Error() != `1:21: "size" of dataset "x" must be a whole number, found the text "n"` {
		t.Errorf("path %q, names %v, error %v", o.Path, names, err)
	}
}

// TestPointsOfSweptConstants: constants that depend on variables are asked for once for each of
// their values, and what they depend on cannot depend on them.
func TestPointsOfSweptConstants(t *testing.T) {
	s, err := source.Parse("c.yaml", []byte(specWith("  m: \"ceil(n/alpha)\"\n  n: [12, 24]\n  power: [2, 3, \"twice/2\"]\n  twice: \"2*3\"\n")))
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	constants := func(at Env) (map[string]float64, error) {
		asked = append(asked, fmt.Sprint(len(at), at["power"]))
		return map[string]float64{"alpha": at["power"].Number}, nil
	}
	points, err := s.Grid.PointsOf([]string{"power", "elsewhere"}, constants)
	if err != nil {
		t.Fatal(err)
	}
	want := "m = 6, n = 12, power = 2, twice = 6\nm = 4, n = 12, power = 3, twice = 6\nm = 12, n = 24, power = 2, twice = 6\nm = 8, n = 24, power = 3, twice = 6"
	if diff := cmp.Diff(want, written(s.Grid, points)); diff != "" {
		t.Errorf("points (-want +got):\n%s", diff)
	}
	if strings.Join(asked, ", ") != "1 2, 1 3" {
		t.Errorf("constants asked for at %v", asked)
	}
	for i, set := range []int{0, 1, 0, 1} {
		if points.Set(i) != set {
			t.Errorf("point %d has the constants %d, not %d", i, points.Set(i), set)
		}
	}
	if _, err = s.Grid.PointsOf([]string{"m"}, constants); err == nil || err.Error() != `c.yaml:8:6: expression "ceil(n/alpha)": unknown name "alpha"; known: m, n, power, twice` {
		t.Errorf("a data set whose parameter follows from its constants: error %v", err)
	}
}
