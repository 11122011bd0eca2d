package verdicts

import (
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mercer/results"
	"mercer/runner/plan"
)

const spec = `name: facts
seed: 1
repeats: 2
datasets: [{id: b, use: csv, path: x.csv, population: self}]
kernels: [{id: rbf, use: gaussian, sigma: 1, form: two-sigma-squared}]
grid: {n: 4, ell: 1}
methods: [{id: ekpca, use: ekpca, center: u}]
measure: [recon_h]
`

func catalog(t *testing.T, dir, text string) results.Catalog {
	t.Helper()
	p, err := plan.Input{File: "facts.yaml", Spec: text, Dir: dir, Profile: "paper"}.Prepare(t.Context(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return p.Catalog()
}

// A variable that no row uses, and that skip leaves one value, is a constant of the data set:
// claims may use it.
func TestConstantsOfSkip(t *testing.T) {
	of := func(grid string) map[string]float64 {
		text := strings.Replace(spec, "{id: b, use: csv, path: x.csv, population: self}", "{id: b, use: series, decay: {power: 2}}", 1)
		text = strings.Replace(text, "kernels: [{id: rbf, use: gaussian, sigma: 1, form: two-sigma-squared}]\n", "", 1)
		return catalog(t, t.TempDir(), strings.Replace(text, "{n: 4, ell: 1}", grid, 1)).Constants("b")
	}
	constants := of(`{n: [4, 8], ell: 1, rate: [1, 2, 3], skip: ["rate != alpha"]}`)
	if _, used := constants["ell"]; constants["rate"] != 2 || constants["alpha"] != 2 || used {
		t.Errorf("constants %v: want those of the data set, and the rate", constants)
	}
	if x, one := of(`{n: [4, 8], ell: 1, rate: [1, 2, 3], skip: ["rate > alpha"]}`)["rate"]; one {
		t.Errorf("rate = %g, of two values", x)
	}
}

// Facts are of one seed, data set, content of its file and kernel: where one of them is another,
// so is the name of the population under which they are stored.
func TestPopulationsHaveNames(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	populationOf := func(text string) string {
		t.Helper()
		names := slices.Collect(maps.Keys(catalog(t, dir, text).Populations))
		if len(names) != 1 || names[0] == "" {
			t.Fatalf("populations %q", names)
		}
		return names[0]
	}
	points := "1,2\n2,1\n3,4\n4,3\n5,6\n6,5\n7,8\n8,7\n"
	write("x.csv", points)
	write("y.csv", strings.Replace(points, "8,7", "8,8", 1))
	first := populationOf(spec)
	for name, tt := range map[string]struct {
		from, to string
		same     bool
	}{
		"repeats":         {"repeats: 2", "repeats: 3", true},
		"sizes":           {"n: 4", "n: [3, 5]", true},
		"seed":            {"seed: 1", "seed: 2", false},
		"data":            {"path: x.csv", "path: y.csv", false},
		"id":              {"id: b", "id: c", false},
		"kernel":          {"sigma: 1", "sigma: 2", false},
		"kernel's family": {"use: gaussian, sigma: 1, form: two-sigma-squared", "use: laplace, sigma: 1", false},
	} {
		if other := populationOf(strings.Replace(spec, tt.from, tt.to, 1)); (other == first) != tt.same {
			t.Errorf("another %s: same is %v, want %v", name, other == first, tt.same)
		}
	}
	write("x.csv", strings.Replace(points, "1,2", "1,3", 1))
	if populationOf(spec) == first {
		t.Error("the file has changed, and the population has not")
	}
}
