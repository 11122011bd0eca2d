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
