package configs

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"
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
		s, err := Parse("f.yaml", text)
		if err != nil {
			var problems Problems
			if !errors.As(err, &problems) || len(problems) == 0 || s != nil {
				t.Fatalf("error %v with spec %v", err, s)
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
	for _, name := range ProfileNames() {
		if _, err := s.WithProfile(name); err != nil {
			t.Errorf("Parse accepts what profile %s refuses: %v", name, err)
		}
	}
	if err := s.CheckNames(map[string][]string{s.Datasets[0].ID: {"alpha"}}); err == nil {
		if s.Grid.combinations() < 1000 {
			points, err := s.Grid.Points(constants)
			for _, m := range s.Methods {
				for i := range points.Len() {
					_, _ = m.SizesAt(points.At(i), constants)
				}
			}
			if err == nil && points.Len() == 0 {
				t.Error("no points and no error")
			}
		}
	}
	for _, list := range [][]Component{s.Datasets, s.Kernels, s.Methods} {
		for _, c := range list {
			canonical := c.Params.Canonical()
			again, err := ParamsFrom(c.Kind, c.ID, canonical)
			if err != nil || again.Canonical() != canonical {
				t.Errorf("%s does not read back: %s, error %v", canonical, again.Canonical(), err)
			}
			var o options
			_ = c.Params.Decode(&o)
		}
	}
}

// FuzzExpression: any text compiles or gives an error; what compiles has a
// finite value or gives an error, twice the same.
func FuzzExpression(f *testing.F) {
	for _, text := range []string{
		"250", "1/2", "ceil(n^(theta/alpha))", "min(n, ceil(n^theta * log(n)))", "-theta*(1-1/alpha)",
		"n > 500 ? 1 : 2", "not (n > 1) and n in [1, 2]", "recon_h / recon_h_floor", "2^3^2", "n // 2", "max(1, 2, 3)",
		`dataset == "poly2" && n <= 1000`, "all([n], # > 1)", "let x = n; x", "a?.b", "1..n", "0x1F", "1_000", "n | ceil()",
	} {
		f.Add(text)
	}
	names := []string{"n", "theta", "alpha"}
	env := map[string]float64{"n": 10, "theta": 0.5, "alpha": 2}
	f.Fuzz(func(t *testing.T, text string) {
		if e, err := compileOver(text, names...); err == nil {
			x, err := e.Eval(env)
			if err == nil && (math.IsNaN(x) || math.IsInf(x, 0)) {
				t.Errorf("%q is %v", text, x)
			}
			if y, again := e.Eval(env); x != y || (err == nil) != (again == nil) {
				t.Errorf("%q is %v (%v), then %v (%v)", text, x, err, y, again)
			}
		}
		if e, err := condition(text); err == nil {
			_, _ = e.EvalBool(env)
		}
		values := map[string]any{"n": 10.0, "dataset": "poly2"}
		if filter, err := CompileFilter(text, values); err == nil {
			_, _ = filter.Match(values)
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
		p, err := ParamsFrom("method", "nystrom", text)
		if err != nil {
			return
		}
		canonical := p.Canonical()
		again, err := ParamsFrom("method", "nystrom", canonical)
		if err != nil || again.Canonical() != canonical {
			t.Errorf("%q has the canonical text %q, which reads back as %q, error %v", text, canonical, again.Canonical(), err)
		}
		first, second := defaults(), defaults()
		err1, err2 := p.Decode(&first), again.Decode(&second)
		if (err1 == nil) != (err2 == nil) {
			t.Errorf("%q decodes with error %v, its canonical text %q with %v", text, err1, canonical, err2)
		}
	})
}

// FuzzProfile: a run profile is refused, or all that it says can be used.
func FuzzProfile(f *testing.F) {
	for _, name := range ProfileNames() {
		text, err := profileFiles.ReadFile("profiles/" + name + ".yaml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("memory: 80%")
	f.Add("memory: 1e9 GiB")
	f.Fuzz(func(t *testing.T, text string) {
		if bytes, err := ParseMemory(text, 1<<40); err == nil && bytes > 1<<62 {
			t.Errorf("%q are %d bytes", text, bytes)
		}
		p, err := parseProfile("f.yaml", []byte(text))
		if err != nil {
			return
		}
		if _, err := ParseMemory(p.Memory, 1<<30); err != nil || p.Workers < 0 || p.CellTimeout < 0 || p.MaxRepeats < 0 {
			t.Errorf("%q is accepted as %+v, %v", text, p, err)
		}
	})
}
