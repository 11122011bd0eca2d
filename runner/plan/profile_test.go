package plan

import (
	"slices"
	"testing"

	"mercer/configs/source"
	"mercer/runner/plan/plantest"
)

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
	spec, err := source.Under(parsed(t, plantest.Profile), "smoke")
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := Resolve(spec)
	if err != nil {
		t.Fatal(err)
	}
	small, err := Prepare(t.Context(), nil, resolved, Input{})
	if err != nil {
		t.Fatal(err)
	}
	whole := planOf(t, plantest.Profile, "")
	for id, want := range map[string][2]int{"rings": {50, 20}, "moons": {50, 50}} {
		got := [2]int{whole.Datasets[id].Support().Points, small.Datasets[id].Support().Points}
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
