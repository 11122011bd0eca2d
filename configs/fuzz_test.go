package configs_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"

	. "mercer/configs"
	"mercer/configs/source"
)

// FuzzParse: any bytes give a spec or a Problems whose every entry has the
// file's name; a spec can be expanded, checked and put under every profile
// without a panic, and its parameters have a canonical text that reads back.
func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/good/*.yaml", "testdata/bad/*.txtar"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatal("no seeds: ", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			if filepath.Ext(file) != ".txtar" {
				f.Add(text)
				continue
			}
			for _, one := range txtar.Parse(text).Files {
				if strings.HasSuffix(one.Name, ".bad.yml") {
					f.Add(one.Data)
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := source.Parse("f.yaml", text)
		if err != nil {
			var problems Problems
			if !errors.As(err, &problems) || len(problems) == 0 {
				t.Fatalf("error %v", err)
			}
			for _, p := range problems {
				if p.Pos.File != "f.yaml" || p.Msg == "" || !utf8.ValidString(p.Msg) {
					t.Errorf("problem %q at %v", p.Msg, p.Pos)
				}
			}
			return
		}
		useSpec(t, s)
	})
}

func useSpec(t *testing.T, s *Spec) {
	constants := map[string]float64{"alpha": 2}
	text, err := json.Marshal(s.Tree)
	if err != nil {
		return // a parameter is a number that JSON has not, which its owner refuses
	}
	tree, err := FromJSON("f.json", text)
	if err != nil || tree.Canonical() != s.Tree.Canonical() {
		t.Fatalf("error %v: the tree reads back from JSON as another one:\n%s", err, text)
	}
	if _, err := Decode(tree); err != nil {
		t.Errorf("what is accepted as YAML is refused as JSON: %v", err)
	}
	for _, name := range ProfileNames() {
		if _, err := source.Under(s, name); err != nil {
			t.Errorf("Parse accepts what profile %s refuses: %v", name, err)
		}
	}
	if err := s.CheckNames(map[string][]string{s.Datasets[0].ID: {"alpha"}}); err == nil {
		if Combinations(s.Grid) < 1000 {
			points, err := s.Grid.Points(constants)
			if err == nil && points.Len() == 0 {
				t.Error("no points and no error")
			}
			for i := range points.Len() {
				for _, m := range s.Methods {
					_, _ = m.SizesAt(points.At(i), constants)
				}
			}
		}
	}
	for _, list := range [][]Component{s.Datasets, s.Kernels, s.Methods} {
		for _, c := range list {
			canonical := c.Params.Canonical()
			again, err := source.Params(c.Kind, c.ID, canonical)
			if err != nil || again.Canonical() != canonical {
				t.Errorf("%s does not read back: %s, error %v", canonical, again.Canonical(), err)
			}
			var o Options
			_, _ = c.Params.Bind(&o, Numbers(constants))
		}
	}
}

// FuzzSet: an assignment gives a spec or Problems that name it.
func FuzzSet(f *testing.F) {
	for _, text := range []string{"repeats=5", "grid.m=[1, 2]", "grid.zip=[{m: [1]}]", "methods.rff.2.m=7", "datasets.poly2=3", "a.b.c=[", "profiles.smoke.repeats=2", "grid=5", "methods={}"} {
		f.Add(text)
	}
	s := load(f, "everything.yaml")
	f.Fuzz(func(t *testing.T, text string) {
		_, err := source.Under(s, "paper", text)
		var problems Problems
		if err == nil {
			return
		}
		if problems.Add(err); !strings.Contains(err.Error(), "--set "+text) && problems[0].Pos.File == "" {
			t.Errorf("%q gives error %v", text, err)
		}
	})
}

// FuzzParams: any YAML that is accepted as parameters has a canonical text that
// reads back to itself, and decodes or gives an error.
func FuzzParams(f *testing.F) {
	for _, group := range same {
		for _, text := range group {
			f.Add(text)
		}
	}
	f.Add("{landmarks: first, decay: {power: 2}, weights: [1, 2], budget: 3s, rank: n/3, scale: {sigma: 1}}")
	f.Add("&a {b: &c [1, *c]}")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := source.Params("method", "nystrom", text)
		if err != nil {
			return
		}
		canonical := p.Canonical()
		again, err := source.Params("method", "nystrom", canonical)
		if err != nil || again.Canonical() != canonical {
			t.Errorf("%q has the canonical text %q, which reads back as %q, error %v", text, canonical, again.Canonical(), err)
		}
		first, second := Defaults(), Defaults()
		env := Env{"n": NumberOf(3), "rule": TextOf("first")}
		bound, err1 := p.Bind(&first, env)
		_, err2 := again.Bind(&second, env)
		if names, err := bound.Uses(&Options{}); err1 == nil && (err != nil || len(names) > 0) {
			t.Errorf("%q is bound as %q, which still uses %v, error %v", text, bound.Canonical(), names, err)
		}
		if (err1 == nil) != (err2 == nil) {
			t.Errorf("%q decodes with error %v, its canonical text %q with %v", text, err1, canonical, err2)
		}
	})
}
