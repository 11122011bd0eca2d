package runner

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const smallerSpec = `
name: smaller
seed: 5
repeats: 1
datasets:
  - {id: rings, use: cluster-in-cluster, population: {held_out: 50}}
  - {id: moons, use: crescent-full-moon, population: {held_out: 50}}
kernels: [{id: rbf, use: gaussian, sigma: 1, form: sigma-squared}]
grid: {n: 40, ell: 2}
methods: [{id: ekpca, use: ekpca, center: u}]
measure: [recon_h]
profiles:
  smoke: {parameters: {rings: {population: {held_out: 20}}}}
`

// keysOf are the keys of a plan's records, by data set.
func keysOf(p *Plan) map[string][]string {
	keys := map[string][]string{}
	for _, g := range p.Groups {
		for _, f := range g.Fits {
			for _, c := range f.Cells {
				keys[g.Dataset] = append(keys[g.Dataset], g.Key(c))
			}
		}
	}
	return keys
}

// TestProfileChangesDatasets: a profile's parameters are those of its run, other
// records than those of the spec, and no other data set's.
func TestProfileChangesDatasets(t *testing.T) {
	spec, err := parsed(t, smallerSpec).WithProfile("smoke")
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := Resolve(spec)
	if err != nil {
		t.Fatal(err)
	}
	small, err := Prepare(t.Context(), resolved, PrepareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	whole := planOf(t, smallerSpec, "")
	for id, want := range map[string][2]int{"rings": {50, 20}, "moons": {50, 50}} {
		got := [2]int{whole.Datasets[id].(sizedPopulation).PopulationPoints(), small.Datasets[id].(sizedPopulation).PopulationPoints()}
		if got != want {
			t.Errorf("%s: %v points held out in the spec and its profile, want %v", id, got, want)
		}
	}
	before, after := keysOf(whole), keysOf(small)
	if slices.Equal(before["rings"], after["rings"]) {
		t.Error("records of the changed data set pass for those of the spec")
	}
	if !slices.Equal(before["moons"], after["moons"]) {
		t.Error("records of the other data set have changed")
	}
}

// TestNotes: notes stand in the manifest, and a run that is finished stays so
// when they change.
func TestNotes(t *testing.T) {
	dir := t.TempDir()
	first, _ := runIn(t, dir, planOf(t, smallerSpec, ""), Options{})
	text := strings.Replace(smallerSpec, "seed: 5", "notes: [one, another]\nseed: 5", 1)
	again, summary := runIn(t, dir, planOf(t, text, ""), Options{})
	if summary.Written != 0 || again.Missing() != 0 {
		t.Errorf("%d records written and %d missing after notes alone have changed", summary.Written, again.Missing())
	}
	if diff := cmp.Diff(first.Records, again.Records); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"one", "another"}, again.Manifest.Notes); diff != "" {
		t.Error(diff)
	}
}
