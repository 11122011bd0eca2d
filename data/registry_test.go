package data

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sbinet/npyio"
	"gonum.org/v1/gonum/mat"

	"mercer/configs/source"
	"mercer/data/fetch"
)

// Every entry is decoded, and opened where it needs no network. Published data
// sets are decoded only; package fetch has their tests.
func TestEveryEntryDecodesAndOpens(t *testing.T) {
	c := table(t, 10)
	idx(t, c, "images", 6, 4)
	file := must(os.Create(filepath.Join(c.Dir, "x.npy")))
	if err := npyio.Write(file, mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})); err != nil {
		t.Fatal(err)
	}
	file.Close()
	save(t, c, "K.npy", mat.NewDense(2, 2, []float64{2, 1, 1, 3}))
	tried := map[string]bool{}
	type attempt struct{ use, parameters, describe string }
	attempts := []attempt{
		{"series", "decay: {power: 2}", "uniform on [0,1], series lambda_i = i^-2"},
		{"series", "eigenvalues: [1, 0.5]", "uniform on [0,1], series lambda = [1 0.5]"},
		{"atoms", "{atoms: 5, eigenvalues: [1, 0.5], masses: {power: 1}}", "5 atoms, series lambda = [1 0.5], tabulated at 5 atoms, masses falling as j^-1"},
		{"gaussian", "{sigma: 2, std: 3}", "normal with standard deviation 3, gaussian exp(-0.125*d^2)"},
		{"csv", "{path: points.csv, label: -1}", "points.csv, 10 points in R^2, 3 classes"},
		{"csv", "{path: points.csv, label: -1, population: self}", "points.csv, 10 points in R^2, 3 classes; population: these points"},
		{"csv", "{path: points.csv, label: -1, population: {held_out: 4}}", "points.csv, 10 points in R^2, 3 classes; population: 4 points held out in each repeat"},
		{"idx", "{path: images, scale: true}", "images, 6 points in R^4"},
		{"npy", "path: x.npy", "x.npy, 2 points in R^3"},
		{"precomputed", "{path: K.npy, population: self}", "indices of the kernel matrix K.npy, 2 points in R^1; population: these points"},
		{"mnist", "{sample: first, population: test}", ""},
		{"infinite-mnist", "population: {held_out: 100}", ""},
		{"gaussian-mixture", "{k: 2, d: 2, centers: [[0, 0], [1, 1]], population: {held_out: 5}}",
			`gaussian-mixture {"k":2,"d":2,"spread":4,"sigma":1,"centers":[[0,0],[1,1]],"center_seed":1}; population: 5 points drawn in each repeat`},
		{"cluster-in-cluster", "", `cluster-in-cluster {"core":1,"inner":3,"outer":4,"share":0.5,"noise":0.1}`},
		{"crescent-full-moon", "", `crescent-full-moon {"full":5,"inner":10,"outer":15,"share":0.25,"noise":0}`},
		{"smile", "", `smile {"mouth":0.1,"eyes":0.02}`},
		{"exec", "{command: [sh], dim: 3, draws: 9, population: {held_out: 5}}", `exec ["sh"], 9 points in R^3 in each repeat, and 5 held out`},
		{"sphere", "d: 2", `sphere {"d":2,"radius":1}`},
	}
	for _, set := range fetch.All() {
		attempts = append(attempts, attempt{set.Name, "{sample: first, population: {held_out: 100}}", ""})
	}
	for _, test := range attempts {
		tried[test.use] = true
		if test.describe == "" {
			p := must(source.Params("dataset", test.use, test.parameters))
			if _, err := p.Bind(Registry[test.use].New(), nil); err != nil {
				t.Errorf("%s: %v", test.use, err)
			}
			continue
		}
		d, err := open(test.use, test.parameters, c)
		if err != nil {
			t.Errorf("%s %s: %v", test.use, test.parameters, err)
			continue
		}
		if got := d.Describe(); got != test.describe && !(strings.HasSuffix(test.describe, "{") && strings.HasPrefix(got, test.describe)) {
			t.Errorf("%s %s is %q, want %q", test.use, test.parameters, got, test.describe)
		}
		if own := d.Kernel() != nil; own != Registry[test.use].Population {
			t.Errorf("%s: brings its own kernel %v, the Registry says %v", test.use, own, Registry[test.use].Population)
		}
		if own := d.Distances() == nil; own != (Registry[test.use].Population || test.use == "exec") {
			t.Errorf("%s: has no distances: %v", test.use, own)
		}
	}
	for name, entry := range Registry {
		if !tried[name] {
			t.Errorf("data set %q of the Registry is not tried here", name)
		}
		if entry.Doc == "" || !slices.Contains(entry.Constants, "D") {
			t.Errorf("data set %q: doc %q, constants %v", name, entry.Doc, entry.Constants)
		}
	}
}

func TestOptionsSayWhetherThereIsAPopulation(t *testing.T) {
	for _, test := range []struct {
		use, parameters string
		want            bool
		points          int
	}{
		{"csv", "{path: points.csv, label: 2}", false, 0},
		{"csv", "{path: points.csv, label: 2, population: self}", true, 10},
		{"csv", "{path: points.csv, label: 2, population: {held_out: 3}}", true, 3},
		{"sphere", "", false, 0},
		{"sphere", "population: {held_out: 3}", true, 3},
	} {
		options := Registry[test.use].New()
		p := must(source.Params("dataset", test.use, test.parameters))
		if _, err := p.Bind(options, nil); err != nil {
			t.Fatal(err)
		}
		if got := options.Traits().Population; got != test.want {
			t.Errorf("%s %s: populated %v", test.use, test.parameters, got)
		}
		d := must(open(test.use, test.parameters, table(t, 10)))
		if got := d.Support().Points; got != test.points {
			t.Errorf("%s %s: %d points of a population, want %d", test.use, test.parameters, got, test.points)
		}
	}
}
