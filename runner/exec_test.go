package runner

import "testing"

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
