package plan

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mercer/methods"
)

const keysSpec = `
name: keys
title: A run
seed: 7
repeats: 2
datasets:
  - {id: mix, use: gaussian-mixture, k: 2, d: 3, population: {held_out: 20}}
  - {id: file, use: csv, path: points.csv, header: false, population: self}
kernels: [{id: k, use: gaussian, sigma: 1, form: sigma-squared}]
grid: {n: [20, 30], ell: 2, s: 5, m: s}
methods:
  - {id: a, use: nystrom}
  - {id: b, use: nystrom}
  - {id: e, use: ekpca, center: u}
measure: [recon_h, eigenvalues]
profiles:
  smoke: {repeats: 2}
`

// idsOf are the ids of the rows of each data set, by data set and method.
func idsOf(p *Plan) map[string][]string {
	ids := map[string][]string{}
	for c := range p.Cells {
		name := c.At.Text("dataset") + " " + c.At.Text("method")
		for repeat := range c.Due {
			ids[name] = append(ids[name], c.ID(repeat))
		}
	}
	return ids
}

// TestIDs: the id of a row changes with each thing that determines its numbers, and with
// nothing else.
func TestIDs(t *testing.T) {
	dir := t.TempDir()
	points := filepath.Join(dir, "points.csv")
	write := func(last string) {
		if err := os.WriteFile(points, []byte(strings.Repeat("1,2\n2,1\n3,4\n0,7\n", 10)+last), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("5,5\n")
	before := idsOf(planOf(t, keysSpec, Input{Dir: dir}))
	const all, ofMix, ofM, none = "file a, file b, file e, mix a, mix b, mix e", "mix a, mix b, mix e", "file a, file b, mix a, mix b", ""
	for _, test := range []struct{ what, old, text, changed string }{
		{"seed", "seed: 7", "seed: 8", all},
		{"id of a data set", "id: mix", "id: mixed", ofMix},
		{"parameter of a data set", "d: 3", "d: 4", ofMix},
		{"held-out points", "held_out: 20", "held_out: 21", ofMix},
		{"parameter of a kernel", "sigma: 1", "sigma: 2", all},
		{"kernel", "use: gaussian, sigma: 1, form: sigma-squared", "use: laplace, sigma: 1", all},
		{"id of a method", "id: b", "id: c", "file b, mix b"},
		{"use of a method", "{id: b, use: nystrom}", "{id: b, use: ekpca, center: u}", "file b, mix b"},
		{"parameter of a method", "{id: b, use: nystrom}", "{id: b, use: nystrom, landmarks: kmeans++}", "file b, mix b"},
		{"n", "n: [20, 30]", "n: [21, 31]", all},
		{"ell", "ell: 2", "ell: 3", all},
		{"m through a name", "s: 5", "s: 6", ofM},
		{"m of a method", "{id: b, use: nystrom}", "{id: b, use: nystrom, m: 6}", "file b, mix b"},
		{"measures", "[recon_h, eigenvalues]", "[recon_h]", all},
		{"time", "[recon_h, eigenvalues]", "[recon_h, eigenvalues, time]", all},

		{"title", "title: A run", "title: Another", none},
		{"notes and labels", "title: A run", "notes: [One]\nlabels: {mix: Mixture}", none},
		{"order of measures", "[recon_h, eigenvalues]", "[eigenvalues, recon_h]", none},
		{"name of a variable", "s: 5, m: s", "t: 5, m: t", none},
		{"a variable in place of a number", ", m: s}", ", m: 5}", none},
		{"a swept parameter", "sigma: 1", "sigma: s/5", none},
		{"the same size by the method", "{id: b, use: nystrom}", "{id: b, use: nystrom, m: s}", none},
		{"id of a kernel", "id: k,", "id: rbf,", none},
		{"another variable", "ell: 2", "ell: 2, z: [1, 2]", none},
		{"another value", "n: [20, 30]", "n: [20, 25, 30]", none},
		{"another axis", "s: 5,", "s: [5, 6],", none},
		{"another method", "measure:", "  - {id: c, use: ekpca, center: u}\nmeasure:", none},
		{"another data set", "kernels:", "  - {id: ball, use: sphere, d: 3}\nkernels:", none},
		{"another kernel", "kernels: [", "kernels: [{id: lin, use: linear}, ", none},
		{"more repeats", "repeats: 2", "repeats: 3", none},
		{"a claim", "measure:", "claims: [{id: c, order: {of: recon_h, over: n, direction: falls}}]\nmeasure:", none},
	} {
		if !strings.Contains(keysSpec, test.old) {
			t.Fatalf("%s: %q is not in the spec", test.what, test.old)
		}
		compareIDs(t, test.what, before, idsOf(planOf(t, strings.Replace(keysSpec, test.old, test.text, 1), Input{Dir: dir})), test.changed)
	}

	for what, in := range map[string]Input{"profile": {Profile: "smoke"}, "streaming": {Stream: true}, "memory": {Memory: 1 << 30}, "timing of what is not timed": {Timing: Timing{Threads: 3, Warmup: 2}}} {
		in.Dir = dir
		compareIDs(t, what, before, idsOf(planOf(t, keysSpec, in)), none)
	}
	timed := strings.Replace(keysSpec, "measure: [", "measure: [time, ", 1)
	first := idsOf(planOf(t, timed, Input{Dir: dir}))
	for what, timing := range map[string]Timing{"threads": {Threads: 2}, "warm-up": {Warmup: 1}} {
		compareIDs(t, what, first, idsOf(planOf(t, timed, Input{Dir: dir, Timing: timing})), all)
	}
	entry := methods.Registry["nystrom"]
	t.Cleanup(func() { methods.Registry["nystrom"] = entry })
	newer := entry
	newer.Version += "+"
	methods.Registry["nystrom"] = newer
	compareIDs(t, "version of a method", before, idsOf(planOf(t, keysSpec, Input{Dir: dir})), ofM)
	methods.Registry["nystrom"] = entry
	write("5,6\n")
	compareIDs(t, "data", before, idsOf(planOf(t, keysSpec, Input{Dir: dir})), "file a, file b, file e")
}

// compareIDs wants the rows of some data sets and methods to have other ids, all of them, and
// the rows of the others the same ones.
func compareIDs(t *testing.T, what string, before, after map[string][]string, changed string) {
	t.Helper()
	var now []string
	for _, ids := range after {
		now = append(now, ids...)
	}
	for name, ids := range before {
		kept := 0
		for _, id := range ids {
			if slices.Contains(now, id) {
				kept++
			}
		}
		want := len(ids)
		if strings.Contains(changed, name) {
			want = 0
		}
		if kept != want {
			t.Errorf("%s: of %s %d of %d ids stay, want %d", what, name, kept, len(ids), want)
		}
	}
}

// TestIDStays: a kept run is continued, not computed anew. This id changes with the schema,
// the measuring version, the version of ekpca and the population's fingerprint alone.
func TestIDStays(t *testing.T) {
	p := planOf(t, "name: id\nseed: 7\nrepeats: 1\ndatasets: [{id: poly2, use: series, decay: {power: 2}}]\n"+
		"grid: {n: 50, ell: 2}\nmethods: [{id: ekpca, use: ekpca, center: u}]\nmeasure: [recon_h]\n", Input{})
	if id := p.IDs()[0]; id != "2091869112076ac526c1f15645504e26" {
		t.Errorf("the id is %s", id)
	}
}
