package configs_test

import (
	"os"
	"strings"
	"testing"

	. "mercer/configs"
	"mercer/configs/source"
)

// Curves of the theory and marks may use grid variables, constants of the datasets that
// its plot shows, and sizes that methods set; another name is reported.
func TestCheckNamesOfPlots(t *testing.T) {
	text, err := os.ReadFile("testdata/good/everything.yaml")
	if err != nil {
		t.Fatal(err)
	}
	replaced := func(old, text, by string) error {
		spec, err := source.Parse("x.yaml", []byte(strings.Replace(text, old, by, 1)))
		if err != nil {
			t.Fatal(err)
		}
		return spec.CheckNames(map[string][]string{"poly2": {"alpha"}, "pts": {"alpha", "N"}})
	}
	check := func(curve string) error { return replaced(`"1/n"`, string(text), `"`+curve+`"`) }
	mark := func(x string) error { return replaced("y: 1e-3/theta", string(text), "y: "+x) }
	if err := mark("sqrt(n*alpha)"); err != nil {
		t.Error(err)
	}
	if err := check("m*ell*alpha/n"); err != nil {
		t.Error(err)
	}
	if err := check("alhpa/n"); err == nil || !strings.Contains(err.Error(), `unknown name "alhpa"`) {
		t.Errorf("a misspelt constant: %v", err)
	}
}

func TestMatch(t *testing.T) {
	row := Env{"dataset": TextOf("a"), "kernel": TextOf("rbf"), "method": TextOf("1"), "n": NumberOf(100), "theta": NumberOf(0.1 + 0.2), "rule": TextOf("uniform"), "k": {}}
	column := func(name string) (Scalar, bool) { v, known := row[name]; return v, known }
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
		{Conditions{"k": {Value: []string{"3"}}}, true},  // not used
		{Conditions{"rule": {Value: []string{"first", "uniform"}}}, true},
		{Conditions{"rule": {Value: []string{"unifor"}}}, false},
		{Conditions{"n": {Value: []string{"many"}}}, false},
		{Conditions{"dataset": {Value: []string{"a"}}, "n": {Value: []string{"50"}}}, false},
	} {
		if got := test.where.Match(column); got != test.want {
			t.Errorf("%v: %v", test.where, got)
		}
	}
}

// An x of iterations is no metric, and begins at 0, for which a log axis has no place.
func TestIterationIsAnX(t *testing.T) {
	const text = "name: a\nseed: 1\nrepeats: 1\ndatasets: [{id: a, use: series}]\ngrid: {n: 10}\nmethods: [{id: krr, use: krr, ridge: 1}]\nmeasure: [excess_risk]\n"
	spec, err := source.Parse("a.yaml", []byte(text+"plots: [{id: p, x: iteration, y: excess_risk}, {id: q, x: n, y: excess_risk}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	if p := spec.Plots[0]; p.MeasuredX || p.Axes != (Axes{X: "linear", Y: "log"}) || len(p.Quantities()) != 1 || spec.Plots[1].Axes.X != "log" {
		t.Errorf("%+v", spec.Plots)
	}
	if _, err := source.Parse("a.yaml", []byte(strings.Replace(text, "n: 10", "n: 10, iteration: 3", 1))); err == nil || !strings.Contains(err.Error(), "iteration") {
		t.Errorf("a variable of this name: error %v", err)
	}
}
