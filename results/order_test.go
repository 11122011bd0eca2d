package results

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Rows are sorted by data set and method as the spec has them, then by the columns of the
// table, where no value comes before numbers and texts are in the order of the spec, then by
// repeat, whatever their order before.
func TestSortRows(t *testing.T) {
	at := func(pairs ...any) Row { return Row{At: key(pairs...)} }
	want := []Row{
		at("dataset", "poly2", "method", "nystrom", "m", 9),
		at("dataset", "poly2", "method", "nystrom", "n", 2, "rule", "uniform", "m", 9),
		at("dataset", "poly2", "method", "nystrom", "n", 2, "rule", "rpcholesky"),
		at("dataset", "poly2", "method", "nystrom", "n", 2, "rule", "rpcholesky", "m", -2),
		at("dataset", "poly2", "method", "nystrom", "n", 2, "rule", "rpcholesky", "m", 10),
		{At: key("dataset", "poly2", "method", "nystrom", "n", 2, "rule", "rpcholesky", "m", 10), Repeat: 2},
		{At: key("dataset", "poly2", "method", "nystrom", "n", 2, "rule", "rpcholesky", "m", 10), Repeat: 10, ID: "a"},
		{At: key("dataset", "poly2", "method", "nystrom", "n", 2, "rule", "rpcholesky", "m", 10), Repeat: 10, ID: "b"},
		at("dataset", "poly2", "method", "nystrom", "n", 10),
		at("dataset", "poly2", "method", "ekpca"),
		at("dataset", "aardvark", "method", "nystrom"),
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		rows := slices.Clone(want)
		rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		for i, r := range testRun(t, rows...).Rows {
			if r.At != want[i].At || r.Repeat != want[i].Repeat || r.ID != want[i].ID {
				t.Fatalf("row %d is %s repeat %d, want %s repeat %d", i, r.At, r.Repeat, want[i].At, want[i].Repeat)
			}
		}
	}
}
