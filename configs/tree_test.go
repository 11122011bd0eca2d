package configs_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	. "mercer/configs"
	"mercer/configs/source"
)

// again is a tree written as JSON and read back.
func again(t *testing.T, tree *Node) *Node {
	t.Helper()
	text, err := json.MarshalIndent(tree, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	read, err := FromJSON("spec.json", text)
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// TestTreeAsJSON: a spec and what a profile makes of it read back from JSON, with keys in their
// order, and give the same spec.
func TestTreeAsJSON(t *testing.T) {
	s := load(t, "everything.yaml")
	for _, profile := range ProfileNames() {
		under, err := source.Under(s, profile)
		if err != nil {
			t.Fatal(err)
		}
		read, err := Decode(again(t, under.Tree))
		if err != nil {
			t.Fatal(err)
		}
		if under.Tree.Canonical() != read.Tree.Canonical() || strings.Join(under.Grid.Names(), " ") != strings.Join(read.Grid.Names(), " ") {
			t.Errorf("%s reads back as\n%s, was\n%s", profile, read.Tree.Canonical(), under.Tree.Canonical())
		}
		under.Tree, read.Tree, under.Warnings, read.Warnings = nil, nil, nil, nil
		sameNumbers := cmp.Comparer(func(v, w Value) bool { return numberOrText(v) == numberOrText(w) })
		if diff := cmp.Diff(under, read, cmpopts.IgnoreTypes(Pos{}), sameNumbers); diff != "" {
			t.Errorf("%s (-want +got):\n%s", profile, diff)
		}
	}
	tree, err := source.Read("", []byte(`{b: 1e3, a: ["1", yes, true, null, 0x, {d: 18446744073709551615, c: "é\n\""}]}`))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(tree)
	if want := `{"b":1000,"a":["1","yes",true,null,"0x",{"d":18446744073709551615,"c":"é\n\""}]}`; err != nil || string(text) != want {
		t.Errorf("%s, error %v; want %s", text, err, want)
	}
	if want := strings.ReplaceAll(`{"a": ["1", "yes", true, null, "0x", {"c": "é\n\"", "d": 18446744073709551615}], "b": 1000}`, "\x00", ""); tree.Canonical() != want {
		t.Errorf("canonical %s", tree.Canonical())
	}
}

// numberOrText is a value, however its number is written.
func numberOrText(v Value) any {
	if x, ok := v.Number(); ok {
		return x
	}
	return v.Text
}

func TestFromJSONErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": 1, "a": 2}`: `spec.json: not valid JSON: jsontext: duplicate object member name "a"`,
		`{} {}`:            `spec.json: not valid JSON: more than one value`,
		`[1,`:              `spec.json: not valid JSON: jsontext: unexpected EOF after offset 3`,
		``:                 `spec.json: not valid JSON: EOF`,
	} {
		if _, err := FromJSON("spec.json", []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%.20s: error %v, want %s", text, err, want)
		}
	}
	_, err := Decode(again(t, load(t, "everything.yaml").Tree.At(Pos{})))
	if err != nil {
		t.Error(err)
	}
	tree, err := FromJSON("spec.json", []byte(`{"name": "x", "sed": 1}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Decode(tree); err == nil || !strings.Contains(err.Error(), `spec.json: unknown key "sed"; did you mean "seed"?`) {
		t.Errorf("error %v", err)
	}
}

// TestSet: assignments by keys, ids (with dots) and variables; the last wins.
func TestSet(t *testing.T) {
	s := load(t, "everything.yaml")
	_, err := source.Under(s, "paper", "repeats=3", "repeats=5", "grid.m=[20, 30]", "grid.theta=0.5", "methods.rff.2.m=77", "datasets.poly2.decay.power=4", "title=A: b", "claims.slope-1.slope.within=0.9")
	if err == nil || err.Error() != `--set title=A: b: "title" must be text, found a mapping` {
		t.Errorf("error %v", err)
	}
	out, err := source.Under(s, "paper", "repeats=3", "repeats=5", "grid.m=[20, 30]", "grid.theta=0.5", "methods.rff.2.m=77", "datasets.poly2.decay.power=4", "claims.slope-1.slope.within=0.9")
	if err != nil {
		t.Fatal(err)
	}
	var m []string
	v, _ := out.Grid.Variable("m")
	for _, value := range v.Values {
		m = append(m, value.Text)
	}
	got := []string{strings.Join(m, " "), out.Methods[2].Sizes["m"].Text, out.Datasets[0].Params.Canonical(), out.Claims[0].Slope.Within.Text}
	if diff := cmp.Diff([]string{"20 30", "77", `{"decay": {"power": 4}}`, "0.9"}, got); diff != "" || out.Repeats.Value != 5 {
		t.Errorf("%d repeats; (-want +got):\n%s", out.Repeats.Value, diff)
	}
	for assignment, want := range map[string]string{
		"grid.mm=1":        `--set grid.mm=1: unknown grid variable "mm"; did you mean "m"?`,
		"method.rff.2.m=1": `--set method.rff.2.m=1: unknown name "method"; did you mean "methods"?`,
		"methods.rff3.m=1": `--set methods.rff3.m=1: unknown name "rff3"`,
		"seed=-1":          `--set seed=-1: "seed" must be at least 0, found -1`,
		"grid.n=[1, n+]":   `--set grid.n=[1, n+]: expression "n+": it ends too early`,
		"measure=[recon_h": `--set measure=[recon_h: not valid YAML`,
	} {
		if _, err := source.Under(s, "paper", assignment); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngot  %v\nwant %s", assignment, err, want)
		}
	}
}
