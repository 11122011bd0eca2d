package configs_test

import (
	"strings"
	"testing"

	"mercer/configs/source"
)

// TestTooLargeIsNotExpanded: a spec with too many records says so, and its grid is
// marked, so that the checks that follow do not expand it.
func TestTooLargeIsNotExpanded(t *testing.T) {
	spec, err := source.Parse("huge.yaml", []byte(`
name: huge
seed: 1
repeats: 1000000
datasets: [{id: p, use: series}]
grid: {n: [10, 20, 30, 40, 50], ell: [1, 2, 3]}
methods: [{id: kpca, use: kpca}]
measure: [recon_h]
`))
	if err == nil || !strings.Contains(err.Error(), "huge.yaml:4:10: 1000000 repeats of 15 records") {
		t.Errorf("error %v", err)
	}
	if spec == nil || !spec.Incomplete["grid"] {
		t.Error("the grid counts as one that can be expanded")
	}
}
