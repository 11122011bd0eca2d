package configs_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/configs/source"
)

// TestNoCell: values under where that no cell has are warnings, not mistakes: those
// of the grid, of a profile's grid and of a method's own sizes are known.
func TestNoCell(t *testing.T) {
	spec, err := source.Parse("spec.yaml", []byte(`
name: cut
seed: 1
repeats: 2
datasets: [{id: poly2, use: series}]
grid: {n: [100, 200], m: "min(n, 30)", r: [0.1, 0.5], rule: [uniform, rpcholesky]}
methods: [{id: nystrom, use: nystrom, n: 50, ell: 3}, {id: ekpca, use: ekpca}, {id: rules, use: nystrom, landmarks: "=rule"}]
measure: [recon_h, storage]
profiles: {smoke: {grid: {n: [20, 100], rule: bless}}}
claims:
  - {id: a, value: {of: recon_h, at_most: 1, where: {n: 77}}}
  - {id: b, value: {of: recon_h, at_most: 1, where: {n: [20, 50, 200], m: 77, r: 0.5, ell: 3}}}
  - {id: c, value: {of: recon_h, at_most: 1, where: {r: [0.1, 0.4], ell: 2}}}
  - {id: e, value: {of: recon_h, at_most: 1, where: {rule: [bless, uniform]}}}
  - {id: f, value: {of: recon_h, at_most: 1, where: {rule: unifrom}}}
  - {id: g, value: {of: recon_h, at_most: 1, where: {rule: 3}}}
budgets:
  - {id: d, of: recon_h, cost: storage_fit, where: {n: 78}}
`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range spec.Warnings {
		got = append(got, w.Error())
	}
	slices.Sort(got)
	want := []string{
		`spec.yaml:11:54: "n" of "where" of "value" of claim "a": no cell has n = 77; n is 20, 50, 100, 200`,
		`spec.yaml:13:54: "r" of "where" of "value" of claim "c": no cell has r = 0.4; r is 0.1, 0.5`,
		`spec.yaml:13:69: "ell" of "where" of "value" of claim "c": no cell has ell = 2; ell is 3`,
		`spec.yaml:15:54: "rule" of "where" of "value" of claim "f": no cell has rule = unifrom; rule is uniform, rpcholesky, bless`,
		`spec.yaml:16:54: "rule" of "where" of "value" of claim "g": no cell has rule = 3; rule is uniform, rpcholesky, bless`,
		`spec.yaml:18:53: "n" of "where" of budget "d": no cell has n = 78; n is 20, 50, 100, 200`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}
