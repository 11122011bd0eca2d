package configs_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	. "mercer/configs"
	"mercer/configs/source"
)

func TestParamsDecode(t *testing.T) {
	for _, test := range []struct {
		name, yaml string
		want       func(o *Options)
	}{
		{"nothing keeps the defaults", "", func(*Options) {}},
		{"zero is a value", "{ridge: 0, center: false}", func(o *Options) { o.Ridge, o.Center = 0, false }},
		{"nested structs change key by key", "decay: {power: 1}", func(o *Options) { o.Decay.Power = 1 }},
		{"lists replace", "weights: [5]", func(o *Options) { o.Weights = []float64{5} }},
		{"empty list replaces", "weights: []", func(o *Options) { o.Weights = []float64{} }},
		{"map", "names: {a: 1, b: 2.5}", func(o *Options) { o.Names = map[string]float64{"a": 1, "b": 2.5} }},
		{"whole number with exponent", "steps: 1e2", func(o *Options) { o.Steps = 100 }},
		{"duration", "budget: 1h30m", func(o *Options) { o.Budget = 90 * time.Minute }},
		{"yaml unmarshaler, word", "scale: unit", func(o *Options) { o.Scale.Sigma = 1 }},
		{"yaml unmarshaler, mapping", "scale: {sigma: 2}", func(o *Options) { o.Scale.Sigma = 2 }},
		{"expression", `rank: "n/3"`, func(o *Options) { o.Rank = &Value{Text: "n/3", Pos: Pos{"", 1, 7}} }},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := source.Params("method", "nystrom", test.yaml)
			if err != nil {
				t.Fatal(err)
			}
			got, want := Defaults(), Defaults()
			test.want(&want)
			if _, err := p.Bind(&got, nil); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("options (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParamsDecodeErrors(t *testing.T) {
	for _, test := range []struct{ yaml, want string }{
		{"landmark: first", `1:1: unknown key "landmark" in method "nystrom"; did you mean "landmarks"?`},
		{"decay: {scale: 1}", `1:8: missing key "power" in "decay" of method "nystrom"`},
		{"small: 300", `1:8: "small" of method "nystrom" is out of range: 300`},
		{"center: yes", `1:9: "center" of method "nystrom" must be true or false, found the text "yes"`},
		{"weights: [1, 2, 3, 4]", `1:10: "weights" of method "nystrom" has 4 entries; it may have at most 3`},
		{"names: [1]", `1:8: "names" of method "nystrom" must be a mapping, found a list`},
		{"budget: soon", `1:9: "budget" of method "nystrom" must be a duration such as "90s" or "1h30m", found the text "soon"`},
		{"scale: {sigma: 0}", `1:16: "sigma" of "scale" of method "nystrom" must be greater than 0, found 0`},
		{"rank: [1]", `1:7: "rank" of method "nystrom" must be a number or an expression, found a list`},
		{"ridge: .inf\nsteps: x", "1:8: \"ridge\" of method \"nystrom\" must be a finite decimal number, found .inf\n" +
			"2:8: \"steps\" of method \"nystrom\": expression \"x\": unknown name \"x\"; there are none here"},
	} {
		t.Run(test.yaml, func(t *testing.T) {
			p, err := source.Params("method", "nystrom", test.yaml)
			if err != nil {
				t.Fatal(err)
			}
			o := Defaults()
			_, err = p.Bind(&o, nil)
			if err == nil {
				t.Fatal("Decode accepts it")
			}
			if diff := cmp.Diff(test.want, err.Error()); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParamsKeepDefaultsApart(t *testing.T) {
	type decay struct {
		Power float64 `yaml:"power"`
	}
	shared := &decay{Power: 2}
	o := struct {
		Decay *decay `yaml:"decay"`
	}{shared}
	p, err := source.Params("dataset", "poly2", "decay: {power: 3}")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Bind(&o, nil); err != nil {
		t.Fatal(err)
	}
	if shared.Power != 2 || o.Decay.Power != 3 {
		t.Errorf("default is now %v, decoded %v; want 2 and 3", shared.Power, o.Decay.Power)
	}
}

// same lists texts of equal content; each group's canonical text differs from
// every other group's.
var same = [][]string{
	{"", "{}"},
	{"a: 1", "a: 1.0", "a: 1e0", "{a: 1} # one", `"a": 1`},
	{`a: "1"`, "a: '1'"},
	{"{a: 1, b: [x, {c: true}]}", "b:\n- x\n- {c: True}\na: 1"},
	{"a: 18446744073709551615"},
	{"a: 18446744073709551614"},
	{"a: 0.1", "a: 1e-1", "a: .1"},
	{"a: true"}, {"a: 'true'"}, {"a: null", "a:", "a: ~"}, {"a: ''"},
	{`a: "x\ty\u2028\U0001F600é\x07\"\\"`},
	{"a: 1000000", "a: 1e6", "a: 1000000.0"}, {"a: 1e30"}, {"a: 1e-30"}, {"a: []"}, {"a: {}"},
}

func TestParamsCanonical(t *testing.T) {
	owner := map[string]int{}
	for i, group := range same {
		for _, text := range group {
			p, err := source.Params("kernel", "k", text)
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			canonical := p.Canonical()
			if j, taken := owner[canonical]; taken && j != i {
				t.Errorf("%q has the canonical text %s of group %d", text, canonical, j)
			}
			owner[canonical] = i
			if first, _ := source.Params("kernel", "k", group[0]); p.Canonical() != first.Canonical() {
				t.Errorf("%q is %s, but %q is %s", text, canonical, group[0], first.Canonical())
			}
			again, err := source.Params("kernel", "k", canonical)
			if err != nil {
				t.Errorf("%s does not read back: %v", canonical, err)
			} else if again.Canonical() != canonical {
				t.Errorf("%s reads back as %s", canonical, again.Canonical())
			}
		}
	}
}

func TestWordForMapping(t *testing.T) {
	defaults := Worded{Rule: Rule{Name: "uniform", Level: 2}}
	for _, test := range []struct {
		yaml string
		want Rule
		err  string
	}{
		{"", Rule{Name: "uniform", Level: 2}, ""},
		{"rule: leverage", Rule{Name: "leverage", Level: 2}, ""},
		{"rule: {name: leverage}", Rule{Name: "leverage", Level: 2}, ""},
		{"rule: {level: 0}", Rule{Name: "uniform"}, ""},
		{"rule: leverge", Rule{}, `1:7: "rule" of method "nystrom": unknown value "leverge"; did you mean "leverage"?`},
		{"rule: 3", Rule{}, `1:7: "rule" of method "nystrom" must be text, found the number 3; put it in quotes`},
		{"rule: [uniform]", Rule{}, `1:7: "rule" of method "nystrom" must be a word or a mapping with name, level, found a list`},
		{"rule: {levle: 1}", Rule{}, `1:8: unknown key "levle" in "rule" of method "nystrom"; did you mean "level"?`},
		{"rule: {level: -1}", Rule{}, `1:15: "level" of "rule" of method "nystrom" must be at least 0, found -1`},
	} {
		p, err := source.Params("method", "nystrom", test.yaml)
		if err != nil {
			t.Fatal(err)
		}
		got := defaults
		if _, err := p.Bind(&got, nil); err != nil || test.err != "" {
			if err == nil || err.Error() != test.err {
				t.Errorf("%s: error %v, want %s", test.yaml, err, test.err)
			}
		} else if got.Rule != test.want {
			t.Errorf("%s: %+v, want %+v", test.yaml, got.Rule, test.want)
		}
	}
}
