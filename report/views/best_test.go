package views

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"mercer/report/reporttest"
	"mercer/results"
)

// best marks a winner only where the data leave no doubt.
func TestBest(t *testing.T) {
	repeats := func(values ...float64) (out sample) {
		for i, v := range values {
			out = append(out, repeatValue{i, v})
		}
		return out
	}
	for _, test := range []struct {
		name, metric string
		a, b         sample
		want         string // "" for none
	}{
		{"wide intervals that overlap, but paired a is always lower", "recon_h", repeats(1, 2, 3, 4), repeats(1.1, 2.1, 3.11, 4.1), "a"},
		{"equal", "recon_h", repeats(1, 2, 3), repeats(1, 2, 3), ""},
		{"rounding apart", "recon_h", repeats(1, 2, 3), repeats(1+1e-13, 2+1e-13, 3+1e-13), ""},
		{"lower in the mean only", "recon_h", repeats(1, 2, 3), repeats(2, 1, 3.5), ""},
		{"two repeats that overlap", "recon_h", repeats(1, 2), repeats(1.1, 2.1), ""},
		{"one repeat", "recon_h", repeats(1), repeats(2), ""},
		{"lower, but with a repeat less", "recon_h", repeats(1, 2, 3), repeats(1.5, 3, 4.52, 6), ""},
		{"apart, but of no repeat in common", "recon_h", repeats(1, 1.001, 1.002), sample{{7, 2}, {8, 2.001}, {9, 2.002}}, ""},
		{"more is better", "rand", repeats(0.5, 0.6, 0.71), repeats(0.9, 0.95, 0.99), "b"},
		{"values below 0", "adjusted_rand", repeats(-0.1, 0.01, -0.05), repeats(0.9, 0.95, 0.99), "b"},
		{"a time", "time_total", repeats(1, 1.1, 1.2), repeats(2, 2.3, 2.4), "a"},
		{"a part of a time", "time_factor", repeats(1, 1.1, 1.2), repeats(2, 2.3, 2.4), ""},
		{"a metric of a program", "mine", repeats(1, 1.1, 1.2), repeats(2, 2.3, 2.4), ""},
		{"no error measure", "rank", repeats(1, 1.1, 1.2), repeats(5, 5.1, 5.2), ""},
		{"the population's own answer", "recon_h", repeats(0.5, 0.5, 0.5), repeats(1, 1.1, 1.2), ""},
		{"a floor", "recon_h_floor", repeats(1, 1.1, 1.2), repeats(5, 5.1, 5.2), ""},
		{"nothing to compare with", "recon_h", repeats(1, 1.1, 1.2), nil, ""},
	} {
		g := &grid{metric: test.metric, info: reporttest.Metrics()[test.metric], methods: []string{"a", "b"}, points: []results.Key{{}},
			cells: map[place]sample{}, varies: map[string]bool{}}
		g.set(place{0, "a"}, test.a)
		g.set(place{0, "b"}, test.b)
		if got := g.best(0); got != test.want {
			t.Errorf("%s: %q; want %q", test.name, got, test.want)
		}
	}
}

// With two degrees of freedom, two-sided p is 1 - t/√(t²+2).
func TestPairedP(t *testing.T) {
	var a, b sample
	for i := range 3 {
		v := float64(i + 2)
		a, b = append(a, repeatValue{i, v * math.Exp(-float64(i+1))}), append(b, repeatValue{i, v}) // log ratios -1, -2, -3: t = 2√3
	}
	if got, want := pairedP(a, b, 1), 1-2*math.Sqrt(3)/math.Sqrt(14); math.Abs(got-want) > 1e-8 { // differences of 1e-9 count as none
		t.Errorf("p is %g; want %g", got, want)
	}
	if got := pairedP(b, a, 1); got != 1 {
		t.Errorf("the worse method has p = %g against the better", got)
	}
}

// Where all methods are equal, hardly ever is one marked: of two in 5 % of the
// rows, of more in fewer. Of 4000 rows, the share strays from 5 % by more than
// 0.0125, which is 3.6 standard deviations, once in 3000 seeds.
func TestBestFalseAlarms(t *testing.T) {
	const rows, repeats = 4000, 6
	for methods, most := range map[int]float64{2: 0.0625, 4: 0.05} {
		rng := rand.New(rand.NewPCG(3, uint64(methods)))
		g := &grid{metric: "recon_h", info: reporttest.Metrics()["recon_h"], cells: map[place]sample{}, varies: map[string]bool{}}
		for row := range rows {
			g.points = append(g.points, results.Key{})
			for repeat := range repeats {
				common := rng.NormFloat64()
				for m := range methods {
					id := place{row, fmt.Sprint(m)}
					g.cells[id] = append(g.cells[id], repeatValue{repeat, math.Exp(common + 0.1*rng.NormFloat64())})
				}
			}
		}
		for at, values := range g.cells {
			g.set(at, values)
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
		if share > most || methods == 2 && share < 0.0375 {
			t.Errorf("of %d equal methods one is marked in %.4f of the rows", methods, share)
		}
	}
}
