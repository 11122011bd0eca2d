package plan

import (
	"context"
	"strings"
	"testing"

	"mercer/configs/source"
)

// TestPerEll: a program has a fit of its own for each ℓ, unless it says that its
// components are nested.
func TestPerEll(t *testing.T) {
	plan := planOf(t, `
name: test
seed: 1
repeats: 1
datasets: [{id: poly2, use: series, decay: {power: 2}}]
grid: {n: [10, 20], ell: [1, 2, 3], m: [4, 5]}
methods:
  - {id: own, use: exec, command: [go], model: subspace, uses: [n, ell]}
  - {id: nested, use: exec, command: [go], model: subspace, uses: [n, ell], nested: true}
measure: [recon_h]
`, "")
	fits, cells := map[string]int{}, map[string]int{}
	for _, f := range plan.Groups[0].Fits {
		fits[f.Method]++
		cells[f.Method] += len(f.Cells)
		if f.Method == "own" {
			for _, c := range f.Cells {
				if c.Sizes.Ell != f.Sizes.Ell {
					t.Errorf("a fit at ell = %d serves ell = %d", f.Sizes.Ell, c.Sizes.Ell)
				}
			}
		}
	}
	if fits["own"] != 6 || fits["nested"] != 2 || cells["own"] != 12 || cells["nested"] != 12 {
		t.Errorf("fits %v of cells %v, want 6 and 2 of 12", fits, cells)
	}
}

// TestDimensionIsChecked: on points of too many coordinates a method is refused
// before anything runs, and where one data set of two will do, skipped on the
// other.
func TestDimensionIsChecked(t *testing.T) {
	const text = `
name: wide
seed: 1
repeats: 1
datasets:
  - {id: narrow, use: sphere, d: 3}
  - {id: wide, use: sphere, d: 1200}
kernels: [{id: rbf, use: gaussian, sigma: 1, form: two-sigma-squared}]
grid: {n: [5], m: [3], ell: [1]}
methods: [{id: rff, use: rff, features: halton}]
measure: [time]
`
	const reason = "need a sequence in 1200 coordinates; it has 1000"
	if plan := planOf(t, text, ""); len(plan.Notes) != 1 || !strings.Contains(plan.Notes[0], reason) {
		t.Errorf("notes: %q", plan.Notes)
	}
	spec, err := source.Parse("test.yaml", []byte(strings.Replace(text, "  - {id: narrow, use: sphere, d: 3}\n", "", 1)))
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := Resolve(spec)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Prepare(context.Background(), nil, resolved, Input{}); err == nil || !strings.Contains(err.Error(), reason) {
		t.Errorf("error %v, want one that says %q", err, reason)
	}
}
