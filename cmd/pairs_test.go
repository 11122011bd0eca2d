package cmd

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mercer/internal/metrics"
	"mercer/methods"
	"mercer/results"
)

// pairsProgram answers by its first argument.
const pairsProgram = `
import sys
import numpy as np
from mercer import serve

def fit(p):
    kind, first = sys.argv[1], np.arange(3)
    if kind == "subspace":
        return {"indices": first[:1], "coef": [[1.0]], "values": [0.5]}
    if kind == "embedding":
        return {"indices": first, "coef": np.eye(3)}
    if kind == "map":
        return {"map": lambda x: x[:, :1]}
    if kind == "labels":
        return {"labels": np.arange(p.n) % p.k}
    if kind == "assign":
        assign = lambda x: (x[:, 0] > 0).astype(int)
        return {"labels": assign(p.X), "assign": assign}
    return {"indices": first, "coef": np.ones((3, 1))}

serve(fit)
`

// TestEveryPairSaysSomething walks all methods and all measures on a file, a series and
// atoms: each pair gives a number in every row, or is refused or noted by validate, or
// the row has a warning; and what is noted gives no number.
func TestEveryPairSaysSomething(t *testing.T) {
	var plain []string
	for _, use := range slices.Sorted(maps.Keys(methods.Registry)) {
		entry := methods.Registry[use]
		traits := entry.New().Traits()
		if traits.Program != "" {
			continue
		}
		options := strings.Trim(fmt.Sprintf("use: %s, %s", use, entry.Plain), ", ")
		plain = append(plain, fmt.Sprintf("{id: %s, %s}", use, options))
		if slices.Contains([]string{methods.ShapeEmbedding, methods.ShapeSketch, methods.ShapeGaussian}, traits.Shape) {
			plain = append(plain, fmt.Sprintf("{id: %s-clusters, %s, kmeans: {}}", use, options))
		}
	}
	for name, c := range map[string]struct{ dataset, kernels string }{
		"points": {"{id: d, use: csv, path: cls40.csv, label: y, population: {held_out: 10}}", "kernels: [{id: g, use: gaussian, form: two-sigma-squared, sigma: 1}]"},
		"series": {"{id: d, use: series, decay: {power: 2}, response: {smoothness: 0.5, noise: 0.5}}", ""},
		"atoms":  {"{id: d, use: atoms, atoms: 101, decay: {power: 2}, response: {smoothness: 0.5, noise: 0.5}}", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := pairs{dir: t.TempDir(), dataset: c.dataset, kernels: c.kernels}
			classes, err := os.ReadFile("testdata/cls40.csv")
			if err != nil {
				t.Fatal(err)
			}
			p.write(t, "cls40.csv", string(classes))
			p.walk(t, plain)
		})
	}
	t.Run("programs", func(t *testing.T) {
		pythonWithNumpy(t)
		p := pairs{dir: t.TempDir(), dataset: "{id: d, use: csv, path: cls40.csv, label: y, population: {held_out: 10}}", kernels: "kernels: [{id: g, use: gaussian, form: two-sigma-squared, sigma: 1}]"}
		classes, err := os.ReadFile("testdata/cls40.csv")
		if err != nil {
			t.Fatal(err)
		}
		p.write(t, "cls40.csv", string(classes))
		p.write(t, "mercer.py", succeeds(t, "init", "--exec", "py"))
		p.write(t, "program.py", pairsProgram)
		var programs []string
		for kind, model := range map[string]string{"subspace": "subspace", "embedding": "embedding", "map": "embedding", "labels": "clustering", "assign": "clustering"} {
			programs = append(programs, fmt.Sprintf(`{id: %s, use: exec, command: [python3, "{dir}/program.py", %s], model: %s}`, kind, kind, model))
		}
		for _, r := range p.walk(t, slices.Sorted(slices.Values(programs))) {
			_, scored := r.Metrics["rand_test"]
			warned := slices.ContainsFunc(r.Warnings, func(w string) bool {
				return strings.HasPrefix(w, "no value of rand at held-out points: the program gave labels and no centres")
			})
			if scored != (r.Method() == "assign") || warned != (r.Method() == "labels") {
				t.Errorf("%s: rand_test is there: %v; warnings %q", r.Method(), scored, r.Warnings)
			}
		}
	})
}

// pairs are methods and measures on a data set.
type pairs struct{ dir, dataset, kernels string }

func (p pairs) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// validate writes a spec and returns what validate says of it.
func (p pairs) validate(t *testing.T, methods, measures []string) (code int, said string) {
	t.Helper()
	p.write(t, "spec.yaml", fmt.Sprintf("name: pairs\nseed: 3\nrepeats: 1\ndatasets: [%s]\n%s\ngrid: {n: 20, ell: 1, m: 6, k: 2, d: 4}\nmethods:\n  - %s\nmeasure: [%s]\n",
		p.dataset, p.kernels, strings.Join(methods, "\n  - "), strings.Join(measures, ", ")))
	code, out, said := mercer("validate", filepath.Join(p.dir, "spec.yaml"))
	return code, said + out
}

var (
	idOf    = regexp.MustCompile(`id: ([a-z0-9-]+)`)
	refused = regexp.MustCompile(`measure "(\w+)" is defined for no method`)
	noted   = regexp.MustCompile(`measure "(\w+)" is not taken of method "([^"]+)" on dataset`)
)

// walk checks all pairs and returns the rows.
func (p pairs) walk(t *testing.T, all []string) []results.Row {
	t.Helper()
	var able []string
	for _, method := range all {
		if p.kernels == "" {
			method = strings.ReplaceAll(method, "features: fourier", "features: mercer")
		}
		if code, _ := p.validate(t, []string{method}, []string{"flops"}); code == 0 {
			able = append(able, method)
		}
	}
	if len(able) < 5 {
		t.Fatalf("only %q can be run", able)
	}
	measures, said := metrics.Names(), map[[2]string]string{}
	if p.kernels == "" { // validate refuses a spec whose data have no classes
		measures = slices.DeleteFunc(measures, func(name string) bool { return slices.Contains(metrics.Registry[name].Needs, metrics.NeedsClasses) })
	}
	code, text := p.validate(t, able, measures)
	if code != 0 {
		for _, match := range refused.FindAllStringSubmatch(text, -1) {
			measures = slices.DeleteFunc(measures, func(name string) bool { return name == match[1] })
		}
		if code, text = p.validate(t, able, measures); code != 0 {
			t.Fatal(text)
		}
	}
	for _, match := range noted.FindAllStringSubmatch(text, -1) {
		said[[2]string{match[2], match[1]}] = "a note"
	}

	out := filepath.Join(p.dir, "out")
	if code, _, complaints := mercer("run", filepath.Join(p.dir, "spec.yaml"), "--quiet", "--out", out); code != 0 {
		t.Errorf("run exits with %d: %s", code, complaints)
	}
	run, err := results.Load(out)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, r := range run.Rows {
		seen[r.Method()] = true
		if r.Status != results.OK {
			t.Errorf("%s: %s: %s", r.Method(), r.Status, r.Reason)
			continue
		}
		numbers := map[string]bool{}
		for _, name := range results.MetricNames([]results.Row{r}) {
			numbers[metrics.MeasureOf(name)] = true
		}
		for _, measure := range measures {
			warned := slices.ContainsFunc(r.Warnings, func(w string) bool {
				return strings.HasPrefix(w, "no value of "+measure+":") || measure == "memory" && strings.HasPrefix(w, "the fit's memory")
			})
			switch note := said[[2]string{r.Method(), measure}]; {
			case note == "" && !numbers[measure] && !warned:
				t.Errorf("%s, %s: neither a number nor a word", r.Method(), measure)
			case note != "" && (numbers[measure] || warned):
				t.Errorf("%s, %s: a note that it is not taken, and %q", r.Method(), measure, r.Warnings)
			}
		}
	}
	for _, method := range able {
		if id := idOf.FindStringSubmatch(method)[1]; !seen[id] {
			t.Errorf("%s has no row", id)
		}
	}
	t.Logf("%d methods, %d measures", len(able), len(measures))
	return run.Rows
}
