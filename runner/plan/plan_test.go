package plan

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"mercer/configs"
	"mercer/configs/source"
	"mercer/internal/lists"
)

var update = flag.Bool("update", false, "rewrite the .want files in testdata/bad; read what changed")

// prepared is the plan of a spec given as YAML, with its files in testdata.
func prepared(text string, in Input) (*Plan, error) {
	in.File, in.Spec = "test.yaml", text
	if in.Dir == "" {
		in.Dir = "testdata"
	}
	if in.Profile == "" {
		in.Profile = "paper"
	}
	return in.Prepare(context.Background(), io.Discard)
}

// planOf is prepared of a spec that is right.
func planOf(t *testing.T, text string, in Input) *Plan {
	t.Helper()
	p, err := prepared(text, in)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// cellsOf lists the cells of a plan, one a line, without what all of them have.
func cellsOf(p *Plan) (cells []string) {
	for c := range p.Cells {
		cells = append(cells, c.At.Without("dataset", "kernel").String())
	}
	slices.Sort(cells)
	return cells
}

// openedOf are the data sets of a plan, each with one set of parameters.
func openedOf(p *Plan) []*Dataset {
	return lists.Once(lists.Map(p.Groups, func(g *Group) *Dataset { return g.Dataset }))
}

// TestCells: a cell has the columns that its data set, kernel or method uses, itself or
// through an expression, and there is one for each different set of values.
func TestCells(t *testing.T) {
	const (
		series = "datasets: [{id: s, use: series, decay: {power: 2}}]"
		ball   = "datasets: [{id: s, use: sphere, d: 3}]\nkernels: [{id: k, use: gaussian, sigma: 1, form: sigma-squared}]"
	)
	for name, test := range map[string]struct{ data, grid, methods, want string }{
		"a size that a method does not use": {series, "{n: [20, 30], m: [5, 6], ell: 2, z: [1, 2, 3]}", "{id: a, use: ekpca, center: u}, {id: b, use: nystrom}, {id: c, use: kpca}", `
			method=a n=20 ell=2
			method=a n=30 ell=2
			method=b n=20 m=5 ell=2
			method=b n=20 m=6 ell=2
			method=b n=30 m=5 ell=2
			method=b n=30 m=6 ell=2
			method=c ell=2`},
		"derived variables, and what these use": {series, "{n: [16, 100], theta: [0.5], s: 'n^theta', m: s, ell: 2}", "{id: a, use: ekpca, center: u}, {id: b, use: nystrom}", `
			method=a n=100 ell=2
			method=a n=16 ell=2
			method=b n=100 theta=0.5 s=10 m=10 ell=2
			method=b n=16 theta=0.5 s=4 m=4 ell=2`},
		"points of an axis of expressions are told apart by value": {series, "{n: [16, 100], m: ['ceil(sqrt(n))', 4], ell: 2}", "{id: b, use: nystrom}", `
			method=b n=100 m=10 ell=2
			method=b n=100 m=4 ell=2
			method=b n=16 m=4 ell=2`},
		"a size that a method sets has the value used": {series, "{n: 30, m: [5, 6], ell: [2, 3]}", "{id: a, use: nystrom, m: '2*ell'}, {id: b, use: nystrom, m: 7, ell: 1}", `
			method=a n=30 m=4 ell=2
			method=a n=30 m=6 ell=3
			method=b n=30 m=7 ell=1`},
		"a variable that the size of a method names": {series, "{n: 30, q: [2, 3], m: 5, ell: 2}", "{id: a, use: nystrom, m: 'n/q'}, {id: b, use: nystrom}", `
			method=a n=30 q=2 m=15 ell=2
			method=a n=30 q=3 m=10 ell=2
			method=b n=30 m=5 ell=2`},
		"a row is made where one point of it is not skipped": {series, "{n: [20, 30], m: [5, 6], ell: 2, skip: 'n > 20 and m > 5 or n < 30'}", "{id: a, use: ekpca, center: u}, {id: b, use: nystrom}", `
			method=a n=30 ell=2
			method=b n=30 m=5 ell=2`},
		"a parameter of a data set is swept": {strings.Replace(series, "power: 2", "power: alpha", 1), "{n: 20, ell: 2, alpha: [2, 4]}", "{id: a, use: kpca}", `
			method=a ell=2 alpha=2
			method=a ell=2 alpha=4`},
		"a parameter of a kernel is swept, through a name": {strings.Replace(ball, "sigma: 1", "sigma: s", 1), "{n: 20, ell: 2, t: [1, 2], s: 't/2'}", "{id: a, use: ekpca, center: u}", `
			method=a n=20 ell=2 t=1 s=0.5
			method=a n=20 ell=2 t=2 s=1`},
		"parameters of a method are swept": {ball, "{n: 20, m: 5, ell: 2, rule: [uniform, kmeans++], how: [u, none]}", "{id: a, use: nystrom, landmarks: '=rule'}, {id: b, use: nystrom}, {id: c, use: nystrom, center: '=how'}", `
			method=a n=20 m=5 ell=2 rule=kmeans++
			method=a n=20 m=5 ell=2 rule=uniform
			method=b n=20 m=5 ell=2
			method=c n=20 m=5 ell=2 how=none
			method=c n=20 m=5 ell=2 how=u`},
	} {
		t.Run(name, func(t *testing.T) {
			p := planOf(t, fmt.Sprintf("name: cells\nseed: 1\nrepeats: 2\n%s\ngrid: %s\nmethods: [%s]\nmeasure: [eigenvalues]\n", test.data, test.grid, test.methods), Input{})
			want := strings.Split(strings.TrimSpace(strings.ReplaceAll(test.want, "\t", "")), "\n")
			if diff := cmp.Diff(want, cellsOf(p)); diff != "" {
				t.Errorf("cells (-want +got):\n%s", diff)
			}
			if ids := p.IDs(); len(slices.Compact(slices.Sorted(slices.Values(ids)))) != 2*len(want) {
				t.Errorf("%d different ids of %d rows", len(ids), 2*len(want))
			}
		})
	}
}

// TestGroups: what shares a sample, a population and a Gram matrix is one data set with its
// parameters under one kernel with its own; a swept data set is opened once for each value.
func TestGroups(t *testing.T) {
	p := planOf(t, `
name: groups
seed: 1
repeats: 2
datasets: [{id: mix, use: gaussian-mixture, k: 2, d: dim}, {id: ball, use: sphere, d: 3}]
kernels: [{id: a, use: gaussian, sigma: s, form: sigma-squared}, {id: b, use: linear}]
grid: {n: [20, 30], m: [5, 6], ell: "m-3", dim: [2, 4], s: [1, 2]}
methods: [{id: x, use: nystrom}]
measure: [eigenvalues]
`, Input{})
	if want := 2*(2+1) + (2 + 1); len(p.Groups) != want || len(openedOf(p)) != 3 {
		t.Errorf("%d groups, want %d, of %d opened data sets, want 3", len(p.Groups), want, len(openedOf(p)))
	}
	names := map[string]bool{}
	for _, g := range p.Groups {
		if names[g.Population] = true; len(g.Fits) != 4 || g.MaxN != 30 {
			t.Errorf("%s %s: %d fits, largest sample %d", g.Dataset.Fixed, g.KernelID, len(g.Fits), g.MaxN)
		}
	}
	if len(names) != len(p.Groups) {
		t.Errorf("%d names for %d populations", len(names), len(p.Groups))
	}
	free := map[string]bool{}
	for _, c := range p.Catalog().Columns {
		free[c.Name] = c.Free
	}
	if diff := cmp.Diff(map[string]bool{"dataset": false, "kernel": false, "method": false, "n": true, "m": true, "ell": false, "dim": true, "s": true}, free); diff != "" {
		t.Errorf("axes among the columns (-want +got):\n%s", diff)
	}
}

// TestBadSpecs holds what Prepare says of each spec against the text beside it: NAME.bad.yml
// and NAME.want.
func TestBadSpecs(t *testing.T) {
	files, err := os.ReadDir("testdata/bad")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, error %v", len(files), err)
	}
	for _, entry := range files {
		file := "testdata/bad/" + entry.Name()
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i+1 < len(archive.Files); i += 2 {
			bad, want := archive.Files[i], &archive.Files[i+1]
			_, err := Input{File: bad.Name, Spec: string(bad.Data), Dir: "testdata", Profile: "paper"}.Prepare(context.Background(), io.Discard)
			if err == nil || want.Name != strings.Replace(bad.Name, ".bad.yml", ".want", 1) {
				t.Errorf("%s is followed by %s; error %v", bad.Name, want.Name, err)
				continue
			}
			if *update {
				want.Data = []byte(err.Error() + "\n")
			}
			if diff := cmp.Diff(string(want.Data), err.Error()+"\n"); diff != "" {
				t.Errorf("%s (-want +got):\n%s", bad.Name, diff)
			}
		}
		if *update {
			if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// specOf decodes a spec.
func specOf(t *testing.T, text string) *configs.Spec {
	t.Helper()
	spec, err := source.Parse("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return spec
}
