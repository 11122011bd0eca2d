package configs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	. "mercer/configs"
	"mercer/configs/source"
)

// textSpec has a text column, rule: two methods take it by "=rule".
const textSpec = `
name: texts
seed: 1
repeats: 2
datasets: [{id: a, use: series, path: "==x"}]
grid:
  n: [100, 200]
  rule: [uniform, k-means++, 3/2]
  m: [10, 20]
  lam: "m < 15 ? 1/n : 0.5"
  ell: "m/2"
  skip: rule == "uniform" and n > 100
methods:
  - {id: x, use: nystrom, landmarks: "=rule", ridge: "lam*N"}
measure: [recon_h]
`

// TestTextColumns: what a component takes by "=name" is a column of texts, which are never expressions.
func TestTextColumns(t *testing.T) {
	s, err := source.Parse("t.yaml", []byte(textSpec))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]Kind{"n": Number, "rule": Text, "m": Number, "lam": Number, "ell": Number}, s.Grid.Kinds()); diff != "" {
		t.Error(diff)
	}
	derived := map[string]bool{}
	for _, name := range s.Grid.Names() {
		v, _ := s.Grid.Variable(name)
		derived[name] = v.Derived
	}
	if diff := cmp.Diff(map[string]bool{"n": false, "rule": false, "m": false, "lam": true, "ell": true}, derived); diff != "" {
		t.Errorf("derived variables (-want +got):\n%s", diff)
	}
	points, err := s.Grid.Points(map[string]float64{"N": 5})
	if err != nil || points.Len() != 10 {
		t.Fatalf("%d points, error %v", points.Len(), err)
	}
	want := Env{"n": NumberOf(100), "rule": TextOf("k-means++"), "m": NumberOf(10), "lam": NumberOf(0.01), "ell": NumberOf(5)}
	if diff := cmp.Diff(want, points.At(2)); diff != "" {
		t.Errorf("point (-want +got):\n%s", diff)
	}
}

// TestTextColumnsAreRefused: where numbers are needed, and where the value is no text.
func TestTextColumnsAreRefused(t *testing.T) {
	for change, want := range map[string]string{
		`ell: "m/2"` + "\x00" + `ell: "m/rule"`:   `t.yaml:11:8: expression "m/rule": / needs a number, found a text (rule)`,
		`3/2]` + "\x00" + `3]`:                    `t.yaml:8:30: entry 3 of "rule" of "grid" must be text, found the number 3; put it in quotes`,
		`rule == "uniform"` + "\x00" + `rule > 3`: `t.yaml:12:9: expression "rule > 3 and n > 100": > needs a number, found a text (rule)`,
		"measure:" + "\x00" + "claims: [{id: c, slope: {of: recon_h, over: rule, at_most: 1}}]\nmeasure:": `t.yaml:15:45: "slope" of claim "c" needs numbers, and rule is a text column`,
		"measure:" + "\x00" + "claims: [{id: c, value: {of: recon_h*rule, at_most: rule, where: {rule: uniform}}}]\nmeasure:": "t.yaml:15:30: expression \"recon_h*rule\": * needs a number, found a text (rule)\n" +
			`t.yaml:15:53: expression "rule": this place needs a number, found a text (rule)`,
	} {
		old, text, _ := strings.Cut(change, "\x00")
		_, err := source.Parse("t.yaml", []byte(strings.Replace(textSpec, old, text, 1)))
		if err == nil || err.Error() != want {
			t.Errorf("%s\ngot  %v\nwant %s", text, err, want)
		}
	}
}

// TestBind: expressions and "=name" in parameters, of whatever type.
func TestBind(t *testing.T) {
	env := Env{"n": NumberOf(60), "m": NumberOf(20), "zero": NumberOf(0), "rule": TextOf("first"), "odd": TextOf("=x")}
	for text, want := range map[string]string{
		"{ridge: 1/n, steps: n/m, small: '-m', weights: [1, m]}": `{"ridge": 0.016666666666666666, "small": -20, "steps": 3, "weights": [1, 20]}`,
		"{landmarks: =rule, decay: {power: sqrt(n+4)}}":          `{"decay": {"power": 8}, "landmarks": "first"}`,
		"{names: {a: n^2}, steps: '100^(1/2)'}":                  `{"names": {"a": 3600}, "steps": 10}`,
		"steps: 1000^(1/3)":                                      `{"steps": 10}`,
		"steps: n/m/2":                                           `1:8: "steps" of method "x" must be a whole number, found 1.5 at m = 20, n = 60`,
		"steps: 2*n":                                             `1:8: "steps" of method "x" must be at most 100, found 120 at n = 60`,
		"ridge: zero-1":                                          `1:8: "ridge" of method "x" must be at least 0, found -1 at zero = 0`,
		"ridge: 1/zero":                                          `1:8: "ridge" of method "x": expression "1/zero": 1 / 0 is +Inf at zero = 0`,
		"ridge: nn":                                              `1:8: "ridge" of method "x": expression "nn": unknown name "nn"; did you mean "n"?`,
		"ridge: n +":                                             `1:8: "ridge" of method "x": expression "n +": it ends too early`,
		"ridge: rule":                                            `1:8: "ridge" of method "x": expression "rule": this place needs a number, found a text (rule)`,
		"ridge: =n":                                              `1:8: "ridge" of method "x" is a number: write n in place of "=n"`,
		"landmarks: =n":                                          `1:12: "landmarks" of method "x" takes a text, and n is a number`,
		"landmarks: =rul":                                        `1:12: "landmarks" of method "x": unknown name "rul"; did you mean "rule"?`,
		"landmarks: =odd":                                        `1:12: "landmarks" of method "x" at odd = =x: unknown value "=x"; known: first, leverage, uniform`,
		"landmarks: ==odd":                                       `1:12: "landmarks" of method "x": unknown value "=odd"; known: first, leverage, uniform`,
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
	p, err := source.Params("method", "x", `{ridge: lam/n, landmarks: =rule, steps: 7, decay: {power: n}, scale: {sigma: "2*median"}}`)
	if err != nil {
		t.Fatal(err)
	}
	o := Defaults()
	names, err := p.Uses(&o)
	if err != nil || strings.Join(names, " ") != "lam median n rule" {
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

// TestFixed: a path keeps its leading =, and takes no column.
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
