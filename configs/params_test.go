package configs

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
)

// scale decodes from a word or a mapping.
type scale struct{ Sigma float64 }

func (s *scale) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode && n.Value == "unit" {
		s.Sigma = 1
		return nil
	}
	var m struct {
		Sigma float64 `yaml:"sigma" required:"true" above:"0"`
	}
	err := DecodeNode(n, "scale", &m)
	s.Sigma = m.Sigma
	return err
}

type decay struct {
	Power float64 `yaml:"power" required:"true" above:"0"`
	Scale float64 `yaml:"scale"`
}

type options struct {
	Landmarks string             `yaml:"landmarks" enum:"uniform,first,leverage" doc:"How landmarks are chosen."`
	Ridge     float64            `yaml:"ridge" min:"0"`
	Steps     int                `yaml:"steps" min:"1" max:"100"`
	Small     int8               `yaml:"small"`
	Center    bool               `yaml:"center"`
	Decay     decay              `yaml:"decay"`
	Weights   []float64          `yaml:"weights" maxlen:"3" min:"0"`
	Names     map[string]float64 `yaml:"names"`
	Budget    time.Duration      `yaml:"budget"`
	Scale     scale              `yaml:"scale"`
	Rank      *Value             `yaml:"rank"`
}

func defaults() options {
	return options{Landmarks: "uniform", Ridge: 1e-8, Steps: 10, Center: true, Decay: decay{Power: 2, Scale: 3}, Weights: []float64{1, 2}}
}

func TestParamsDecode(t *testing.T) {
	for _, test := range []struct {
		name, yaml string
		want       func(o *options)
	}{
		{"nothing keeps the defaults", "", func(*options) {}},
		{"zero is a value", "{ridge: 0, center: false}", func(o *options) { o.Ridge, o.Center = 0, false }},
		{"nested structs change key by key", "decay: {power: 1}", func(o *options) { o.Decay.Power = 1 }},
		{"lists replace", "weights: [5]", func(o *options) { o.Weights = []float64{5} }},
		{"empty list replaces", "weights: []", func(o *options) { o.Weights = []float64{} }},
		{"map", "names: {a: 1, b: 2.5}", func(o *options) { o.Names = map[string]float64{"a": 1, "b": 2.5} }},
		{"whole number with exponent", "steps: 1e2", func(o *options) { o.Steps = 100 }},
		{"duration", "budget: 1h30m", func(o *options) { o.Budget = 90 * time.Minute }},
		{"yaml unmarshaler, word", "scale: unit", func(o *options) { o.Scale.Sigma = 1 }},
		{"yaml unmarshaler, mapping", "scale: {sigma: 2}", func(o *options) { o.Scale.Sigma = 2 }},
		{"expression", `rank: "n/3"`, func(o *options) { o.Rank = &Value{Text: "n/3", Pos: Pos{"", 1, 7}} }},
		{"alias", "{ridge: &r 1, names: {a: *r}}", func(o *options) { o.Ridge, o.Names = 1, map[string]float64{"a": 1} }},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := ParamsFrom("method", "nystrom", test.yaml)
			if err != nil {
				t.Fatal(err)
			}
			got, want := defaults(), defaults()
			test.want(&want)
			if err := p.Decode(&got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(options{})); diff != "" {
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
		{"weights: [1, 2, 3, 4]", `1:10: "weights" of method "nystrom" has at most 3 entries, found 4`},
		{"names: [1]", `1:8: "names" of method "nystrom" must be a mapping, found a list`},
		{"budget: soon", `1:9: "budget" of method "nystrom" must be a duration such as "90s" or "1h30m", found the text "soon"`},
		{"scale: {sigma: 0}", `1:16: "sigma" of scale must be greater than 0, found 0`},
		{"rank: [1]", `1:7: "rank" of method "nystrom" must be a number or an expression, found a list`},
		{"ridge: .inf\nsteps: x", "1:8: \"ridge\" of method \"nystrom\" must be a finite decimal number, found .inf\n" +
			"2:8: \"steps\" of method \"nystrom\" must be a whole number, found the text \"x\""},
	} {
		t.Run(test.yaml, func(t *testing.T) {
			p, err := ParamsFrom("method", "nystrom", test.yaml)
			if err != nil {
				t.Fatal(err)
			}
			o := defaults()
			err = p.Decode(&o)
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
	shared := &decay{Power: 2}
	o := struct {
		Decay *decay `yaml:"decay"`
	}{shared}
	p, err := ParamsFrom("dataset", "poly2", "decay: {power: 3}")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Decode(&o); err != nil {
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
			p, err := ParamsFrom("kernel", "k", text)
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			canonical := p.Canonical()
			if j, taken := owner[canonical]; taken && j != i {
				t.Errorf("%q has the canonical text %s of group %d", text, canonical, j)
			}
			owner[canonical] = i
			if first, _ := ParamsFrom("kernel", "k", group[0]); !p.Equal(first) {
				t.Errorf("%q is %s, but %q is %s", text, canonical, group[0], first.Canonical())
			}
			again, err := ParamsFrom("kernel", "k", canonical)
			if err != nil {
				t.Errorf("%s does not read back: %v", canonical, err)
			} else if again.Canonical() != canonical {
				t.Errorf("%s reads back as %s", canonical, again.Canonical())
			}
		}
	}
}

// rule is a mapping that one word can stand for.
type rule struct {
	_     struct{} `word:"name"`
	Name  string   `yaml:"name" enum:"uniform,leverage" doc:"Which."`
	Level float64  `yaml:"level" min:"0"`
}

func TestWordForMapping(t *testing.T) {
	type options struct {
		Rule rule `yaml:"rule" doc:"How."`
	}
	defaults := options{rule{Name: "uniform", Level: 2}}
	for _, test := range []struct {
		yaml string
		want rule
		err  string
	}{
		{"", rule{Name: "uniform", Level: 2}, ""},
		{"rule: leverage", rule{Name: "leverage", Level: 2}, ""},
		{"rule: {name: leverage}", rule{Name: "leverage", Level: 2}, ""},
		{"rule: {level: 0}", rule{Name: "uniform"}, ""},
		{"rule: leverge", rule{}, `1:7: "rule" of method "nystrom": unknown value "leverge"; did you mean "leverage"?`},
		{"rule: 3", rule{}, `1:7: "rule" of method "nystrom" must be text, found the number 3; put it in quotes`},
		{"rule: [uniform]", rule{}, `1:7: "rule" of method "nystrom" must be a word or a mapping with name, level, found a list`},
		{"rule: {levle: 1}", rule{}, `1:8: unknown key "levle" in "rule" of method "nystrom"; did you mean "level"?`},
		{"rule: {level: -1}", rule{}, `1:15: "level" of "rule" of method "nystrom" must be at least 0, found -1`},
	} {
		p, err := ParamsFrom("method", "nystrom", test.yaml)
		if err != nil {
			t.Fatal(err)
		}
		got := defaults
		if err := p.Decode(&got); err != nil || test.err != "" {
			if err == nil || err.Error() != test.err {
				t.Errorf("%s: error %v, want %s", test.yaml, err, test.err)
			}
		} else if got.Rule != test.want {
			t.Errorf("%s: %+v, want %+v", test.yaml, got.Rule, test.want)
		}
	}
	want := `rule: one of uniform, leverage, or a mapping, default uniform. How.
rule.name: one of uniform, leverage, default uniform. Which.
rule.level: a number, at least 0, default 2`
	if diff := cmp.Diff(want, strings.Join(Describe(defaults), "\n")); diff != "" {
		t.Errorf("description (-want +got):\n%s", diff)
	}
	s := objectSchema(reflect.TypeFor[options](), reflect.Value{}).Properties.Get("rule")
	if len(s.AnyOf) != 2 || s.AnyOf[0].Type != "string" || s.AnyOf[1].Type != "object" || s.Description != "How." {
		t.Errorf("schema %+v, want a word or an object", s)
	}
}
