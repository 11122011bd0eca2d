package claims

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/configs"
	"mercer/configs/source"
	"mercer/results"
)

// TestGather counts the records of a claim in runs of 2 cells and up to 4 repeats.
func TestGather(t *testing.T) {
	spec, err := source.Parse("test.yaml", []byte(`
name: test
seed: 1
repeats: 4
datasets: [{id: a, use: series, decay: {power: 2}}]
grid: {n: [10, 20], m: [5], ell: [1]}
methods: [{id: ekpca, use: ekpca}]
measure: [recon_h]
claims: [{id: c, says: R is small, value: {of: recon_h, by: [n], at_most: 1}}]
`))
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		repeats [2]int // of the cells n = 10 and n = 20
		total   int
		looks   []int
		want    Gathered
	}{
		"nothing":           {[2]int{0, 0}, 8, []int{4}, Gathered{}},
		"a cell without":    {[2]int{4, 0}, 8, []int{4}, Gathered{Records: 4, Due: 4, Cells: 1, Complete: 1, Groups: 1}},
		"one complete":      {[2]int{4, 1}, 8, []int{4}, Gathered{Records: 5, Due: 8, Cells: 2, Complete: 1, Groups: 2, OpenGroups: 1, Begun: true}},
		"all complete":      {[2]int{4, 4}, 8, []int{4}, Gathered{Records: 8, Due: 8, Cells: 2, Complete: 2, Groups: 2, Begun: true}},
		"one decided early": {[2]int{2, 4}, 6, []int{2, 4}, Gathered{Records: 6, Due: 6, Cells: 2, Complete: 2, Groups: 2, Begun: true}},
		"one extended":      {[2]int{2, 3}, 6, []int{2, 4}, Gathered{Records: 5, Due: 6, Cells: 2, Complete: 1, Groups: 2, OpenGroups: 1, Begun: true}},
	} {
		run := fake([]string{"ekpca"}, []string{"n"}, nil, 0, nil)
		run.Manifest.IDs = make([]string, test.total)
		for i, n := range []float64{10, 20} {
			for repeat := range test.repeats[i] {
				run.Rows = append(run.Rows, results.Row{At: at("dataset", configs.TextOf("a")).With("method", configs.TextOf("ekpca")).With("n", configs.NumberOf(n)), Repeat: repeat, Status: results.OK})
			}
		}
		got, err := Gather(spec.Claims, run, test.looks)
		test.want.Claim = "c"
		if diff := cmp.Diff([]Gathered{test.want}, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
		if open := got[0].Open(); open != (name != "all complete" && name != "one decided early") {
			t.Errorf("%s: open is %v", name, open)
		}
	}
}
