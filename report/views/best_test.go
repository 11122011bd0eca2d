package views

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"mercer/internal/claims"
	"mercer/internal/inference"
	"mercer/report/reporttest"
	"mercer/results"
)

// best marks a winner only where the data leave no doubt.
func TestBest(t *testing.T) {
	repeats := func(values ...float64) inference.Sample {
		out := inference.Sample{}
		for i, v := range values {
			out[i] = v
		}
		return out
	}
	for _, test := range []struct {
		name, metric string
		a, b         inference.Sample
		want         string // "" for none
	}{
		{"wide intervals that overlap, but paired a is always lower", "recon_h", repeats(1, 2, 3, 4, 1, 2), repeats(1.1, 2.21, 3.31, 4.4, 1.11, 2.2), "a"},
		{"equal", "recon_h", repeats(1, 2, 3), repeats(1, 2, 3), ""},
		{"rounding apart", "recon_h", repeats(1, 2, 3), repeats(1+1e-13, 2+1e-13, 3+1e-13), ""},
		{"lower in the mean only", "recon_h", repeats(1, 2, 3), repeats(2, 1, 3.5), ""},
		{"two repeats that overlap", "recon_h", repeats(1, 2), repeats(1.1, 2.1), ""},
		{"one repeat", "recon_h", repeats(1), repeats(2), ""},
		{"lower, but with a repeat less", "recon_h", repeats(1, 2, 3), repeats(1.5, 3, 4.52, 6), ""},
		{"apart, but of no repeat in common", "recon_h", repeats(1, 1.001, 1.002), inference.Sample{7: 2, 8: 2.001, 9: 2.002}, ""},
		{"more is better", "rand", repeats(0.5, 0.6, 0.51, 0.55, 0.57), repeats(0.9, 0.95, 0.99, 0.91, 0.97), "b"},
		{"values below 0", "adjusted_rand", repeats(-0.1, 0.01, -0.05, 0.02, -0.01), repeats(0.9, 0.95, 0.99, 0.91, 0.97), "b"},
		{"a time", "time_total", repeats(1, 1.1, 1.2), repeats(2, 2.3, 2.4), "a"},
		{"a part of a time", "time_factor", repeats(1, 1.1, 1.2), repeats(2, 2.3, 2.4), ""},
		{"a metric of a program", "mine", repeats(1, 1.1, 1.2), repeats(2, 2.3, 2.4), ""},
		{"no error measure", "rank", repeats(1, 1.1, 1.2), repeats(5, 5.1, 5.2), ""},
		{"the population's own answer", "recon_h", repeats(0.5, 0.5, 0.5), repeats(1, 1.1, 1.2), ""},
		{"a floor", "recon_h_floor", repeats(1, 1.1, 1.2), repeats(5, 5.1, 5.2), ""},
		{"nothing to compare with", "recon_h", repeats(1, 1.1, 1.2), nil, ""},
	} {
		g := newGrid([]string{"a", "b"}, reporttest.Metrics()[test.metric])
		g.metric, g.points = test.metric, []results.Key{{}}
		g.set(place{0, "a"}, cell{values: test.a})
		g.set(place{0, "b"}, cell{values: test.b})
		if got := g.best(0); got != test.want {
			t.Errorf("%s: %q; want %q", test.name, got, test.want)
		}
	}
}

// Where a claim asks which of two methods is better, the table says what its verdict says.
func TestBestByClaim(t *testing.T) {
	for outcome, want := range map[claims.Outcome]string{claims.Holds: "a", claims.Inconclusive: "", claims.Violated: ""} {
		for _, factor := range []float64{1, 1.5} { // of another factor the table's own test decides
			g := newGrid([]string{"a", "b"}, reporttest.Metrics()["recon_h"])
			g.metric, g.dataset, g.kernel, g.points = "recon_h", "wine", "rbf", []results.Key{reporttest.At("n", "10")}
			a, b := inference.Sample{}, inference.Sample{}
			for i := range 9 {
				a[i] = 1 + 0.01*float64(i)
				b[i] = a[i] * (1.3 + 0.001*float64(i%3))
			}
			g.set(place{0, "a"}, cell{values: a})
			g.set(place{0, "b"}, cell{values: b})
			g.verdicts = []claims.Verdict{{Of: "recon_h", Kind: "ratio", Relation: "<=", Group: reporttest.At("dataset", "wine", "kernel", "rbf", "method", "a/b"),
				Cells: []claims.CellOutcome{{Cell: reporttest.At("n", "20"), Outcome: claims.Violated, Target: factor}, {Cell: reporttest.At("n", "10"), Outcome: outcome, Target: factor}}}}
			if factor != 1 {
				want = "a"
			}
			if got := g.best(0); got != want {
				t.Errorf("a/b <= %g %s: %q is best; want %q", factor, outcome, got, want)
			}
		}
	}
}

// Where all methods are equal, hardly ever is one marked: in at most 5 % of the rows. Of 4000
// rows, a share of 5 % strays by more than 0.0125, which is 3.6 standard deviations, once in
// 3000 seeds.
func TestBestFalseAlarms(t *testing.T) {
	const rows, repeats = 4000, 6
	for methods, most := range map[int]float64{2: 0.0625, 4: 0.05} {
		rng := rand.New(rand.NewPCG(3, uint64(methods)))
		g := newGrid(nil, reporttest.Metrics()["recon_h"])
		g.metric = "recon_h"
		for row := range rows {
			g.points = append(g.points, results.Key{})
			samples := make([]inference.Sample, methods)
			for repeat := range repeats {
				common := rng.NormFloat64()
				for m := range methods {
					if repeat == 0 {
						samples[m] = inference.Sample{}
					}
					samples[m][repeat] = math.Exp(common + 0.1*rng.NormFloat64())
				}
			}
			for m, values := range samples {
				g.set(place{row, fmt.Sprint(m)}, cell{values: values})
			}
		}
		for m := range methods {
			g.methods = append(g.methods, fmt.Sprint(m))
		}
		marked := 0
		for row := range rows {
			if g.best(row) != "" {
				marked++
			}
		}
		share := float64(marked) / rows
		if share > most {
			t.Errorf("of %d equal methods one is marked in %.4f of the rows", methods, share)
		}
	}
}

// Methods that differ in a size do not compete in a row, but in a budget.
func TestNoBestOfUnequalSizes(t *testing.T) {
	for _, unequal := range []bool{false, true} {
		g := newGrid([]string{"a", "b"}, reporttest.Metrics()["recon_h"])
		g.points, g.unequal = []results.Key{reporttest.At("m", "25")}, unequal
		g.set(place{0, "a"}, cell{at: reporttest.At("m", "100"), values: inference.Sample{0: 1, 1: 1.1, 2: 1.2}})
		g.set(place{0, "b"}, cell{at: reporttest.At("m", "25"), values: inference.Sample{0: 2, 1: 2.3, 2: 2.4}})
		if got, want := g.best(0), map[bool]string{true: "a"}[unequal]; got != want {
			t.Errorf("%q is best; want %q", got, want)
		}
	}
}
