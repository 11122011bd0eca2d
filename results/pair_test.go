package results

import (
	"slices"
	"testing"

	"mercer/configs"
)

// With m: 4*m a cell stands beside the one whose m is a quarter of its own, and with m: 2*ell
// beside all of its ell; a method without m stands beside every m.
func TestPairsOfOwnSizes(t *testing.T) {
	run := testRun(t)
	run.Spec.Methods = []configs.Component{{ID: "nystrom"}, {ID: "ekpca"}, {ID: "more", Sizes: map[string]configs.Value{"m": {Text: "4*m"}}}, {ID: "same", Sizes: map[string]configs.Value{"m": {Text: "4*m"}}}, {ID: "few", Sizes: map[string]configs.Value{"m": {Text: "2*n"}}}}
	var rows []*Row
	for _, at := range []Key{
		key("dataset", "poly2", "method", "nystrom", "n", 8, "m", 25), key("dataset", "poly2", "method", "nystrom", "n", 8, "m", 100),
		key("dataset", "poly2", "method", "ekpca", "n", 8), key("dataset", "poly2", "method", "ekpca", "n", 9),
		key("dataset", "poly2", "method", "more", "n", 8, "m", 100), key("dataset", "poly2", "method", "more", "n", 8, "m", 400),
		key("dataset", "poly2", "method", "same", "n", 8, "m", 100), key("dataset", "poly2", "method", "same", "n", 8, "m", 400),
		key("dataset", "poly2", "method", "few", "n", 8, "m", 16),
	} {
		rows = append(rows, &Row{At: at})
	}
	for _, test := range []struct {
		top, bottom string
		want        []string // m of both
	}{
		{"nystrom", "ekpca", []string{"25 ", "100 "}},
		{"ekpca", "nystrom", []string{" 25", " 100"}},
		{"more", "nystrom", []string{"100 25", "400 100"}},
		{"nystrom", "more", []string{"25 100", "100 400"}},
		{"few", "nystrom", []string{"16 25", "16 100"}},
		{"more", "same", []string{"100 100", "400 400"}},
		{"more", "ekpca", []string{"100 ", "400 "}},
	} {
		var got []string
		for _, p := range run.Pairs(rows, test.top, test.bottom) {
			got = append(got, p.Top[0].At.Text("m")+" "+p.Bottom[0].At.Text("m"))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s to %s: %q, want %q", test.top, test.bottom, got, test.want)
		}
	}
}
