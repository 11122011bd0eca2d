package views

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"mercer/internal/inference"
	"mercer/report/reporttest"
	"mercer/results"
)

// competing is a contest of one cell of each method at the same place.
func competing(metric string, samples map[string]inference.Sample) *contest {
	var cells []cell
	for method, values := range samples {
		cells = append(cells, cell{at: reporttest.At("method", method, "n", "10"), values: values})
	}
	return newContest(cells, reporttest.Metrics()[metric])
}

// winners are the methods that are best somewhere.
func winners(t *contest) (names string) {
	for i, c := range t.cells {
		if t.best(i) {
			names += c.at.Text("method")
		}
	}
	return names
}

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
		if got := winners(competing(test.metric, map[string]inference.Sample{"a": test.a, "b": test.b})); got != test.want {
			t.Errorf("%s: %q; want %q", test.name, got, test.want)
		}
	}
}

// Where all methods are equal, hardly ever is one marked: at most 5 % of the places. Of 4000
// places, a share of 5 % strays by more than 0.0125, which is 3.6 standard deviations, once in
// 3000 seeds.
func TestBestFalseAlarms(t *testing.T) {
	const places, repeats = 4000, 6
	for methods, most := range map[int]float64{2: 0.0625, 4: 0.05} {
		rng := rand.New(rand.NewPCG(3, uint64(methods)))
		var cells []cell
		for place := range places {
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
				cells = append(cells, cell{at: reporttest.At("method", fmt.Sprint(m), "n", fmt.Sprint(place)), values: values})
			}
		}
		contest := newContest(cells, reporttest.Metrics()["recon_h"])
		marked := 0
		for i := range cells {
			if contest.best(i) {
				marked++
			}
		}
		share := float64(marked) / places
		if share > most {
			t.Errorf("of %d equal methods one is marked at %.4f of the places", methods, share)
		}
	}
}

// A cell competes with those that have its values in all columns that both have: not with another
// m, but with a method that has no m, which must be better than all cells with some m.
func TestBestMeets(t *testing.T) {
	sample := func(level float64) inference.Sample {
		s := inference.Sample{}
		for i := range 6 {
			s[i] = level * (1 + 0.01*reporttest.Noise(i+int(100*level)))
		}
		return s
	}
	for _, tt := range []struct {
		levels [3]float64 // of a at m = 10 and 20, and of b
		m      string     // of b
		want   string
	}{
		{[3]float64{3, 1, 2}, "", "a20"},
		{[3]float64{1, 1.5, 2}, "", "a10 a20"},
		{[3]float64{3, 2.5, 1}, "", "b"},
		{[3]float64{3, 1, 2}, "10", "b10"},
	} {
		b := reporttest.At("method", "b")
		if tt.m != "" {
			b = reporttest.At("method", "b", "m", tt.m)
		}
		places := []results.Key{reporttest.At("method", "a", "m", "10"), reporttest.At("method", "a", "m", "20"), b}
		var cells []cell
		for i, at := range places {
			cells = append(cells, cell{at: at, values: sample(tt.levels[i])})
		}
		contest := newContest(cells, reporttest.Metrics()["recon_h"])
		var got []string
		for i, c := range contest.cells {
			if contest.best(i) {
				got = append(got, c.at.Text("method")+c.at.Text("m"))
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%v: %v are best; want %s", tt, got, tt.want)
		}
	}
}
