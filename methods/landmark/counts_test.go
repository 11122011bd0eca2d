package landmark

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/counts"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

// writtenOut repeats each row of x as often as it is counted, and says which row each
// point is.
func writtenOut(x *mat.Dense, times []float64) (points *mat.Dense, row []int) {
	for i, c := range times {
		row = append(row, slices.Repeat([]int{i}, int(c))...)
	}
	_, d := x.Dims()
	points = mat.NewDense(len(row), d, nil)
	for p, i := range row {
		points.SetRow(p, x.RawRowView(i))
	}
	return points, row
}

// someTimes are numbers of points between 1 and most.
func someTimes(seed uint64, n, most int) []float64 {
	rng, times := stream(seed), make([]float64, n)
	for i := range times {
		times[i] = float64(1 + rng.IntN(most))
	}
	return times
}

// countable are the rules that pick among points that stand for several, with options.
func countable() []Options {
	var all []Options
	for _, rule := range Names() {
		if o := By(rule); o.CheckCounts() == nil {
			all = append(all, o)
			if slices.Contains(Registry[rule].Params, "replacement") {
				o.Replacement = true
				all = append(all, o)
			}
		}
	}
	return all
}

// TestCountsAsPoints holds landmarks of counts to those of the points written out,
// from the same stream: the same rows in the same order, as often.
func TestCountsAsPoints(t *testing.T) {
	for _, o := range countable() {
		for seed := range uint64(5) {
			for _, m := range []int{5, 18} {
				name := fmt.Sprintf("%s, replacement %v, m = %d, seed %d", o.Rule, o.Replacement, m, seed)
				x, times := scattered(seed, 25, 2), someTimes(seed, 25, 9)
				points, row := writtenOut(x, times)
				k := kernel.NewGaussian(4)
				few, err := Pick(t.Context(), k, x, times, nil, m, stream(seed), o)
				if err != nil {
					t.Fatal(name, err)
				}
				all, err := Pick(t.Context(), k, points, nil, nil, m, stream(seed), o)
				if err != nil {
					t.Fatal(name, err)
				}
				var want []int
				seen := make([]float64, len(times))
				for _, p := range all.Indices {
					if seen[row[p]] == 0 {
						want = append(want, row[p])
					}
					seen[row[p]]++
				}
				if !slices.Equal(few.Indices, want) {
					t.Errorf("%s: rows %v, want %v", name, few.Indices, want)
				}
				if few.Times != nil {
					for place, i := range few.Indices {
						if few.Times[place] != seen[i] {
							t.Errorf("%s: row %d is %v landmarks, want %v", name, i, few.Times[place], seen[i])
						}
					}
					for at, p := range all.Indices {
						if few.Indices[few.Drawn[at]] != row[p] {
							t.Errorf("%s: landmark %d is row %d, want %d", name, at, few.Indices[few.Drawn[at]], row[p])
						}
					}
				} else if floats.Max(seen) > 1 {
					t.Errorf("%s: %v without numbers", name, seen)
				}
				if !slices.Equal(few.Warnings, all.Warnings) || math.Abs(few.Level-all.Level) > 1e-12 {
					t.Errorf("%s: %q at level %v, want %q at %v", name, few.Warnings, few.Level, all.Warnings, all.Level)
				}
				if !mat.Equal(few.Points, linalg.SelectRows(x, few.Indices)) {
					t.Errorf("%s: other points", name)
				}
			}
		}
	}
}

// TestManyCounts: of more points than are drawn one by one, numbers follow the same
// law: the first landmark by its weight, uniform ones with the moments of the
// hypergeometric law, in order or by their numbers alone.
func TestManyCounts(t *testing.T) {
	times := []float64{1e6, 1, 5e5, 2000, 3e6}
	total := floats.Sum(times)
	x := mat.NewDense(5, 1, []float64{0, 1, 2, 3, 4})
	k := kernel.NewGaussian(1e9) // K is the identity: every weight is the number of points
	for _, rule := range []string{"uniform", "leverage", "rpcholesky", "kmeans++"} {
		const draws = 3000
		seen := make([]float64, 5)
		for seed := range uint64(draws) {
			set, err := Pick(t.Context(), k, x, times, nil, 1, stream(seed), Options{Rule: rule, Level: level(rule)})
			if err != nil {
				t.Fatal(rule, err)
			}
			seen[set.Indices[0]]++
		}
		for i, c := range times { // by leverage too: at a high level scores are alike
			p := c / total
			if z := (seen[i] - draws*p) / math.Sqrt(draws*p*(1-p)+1); math.Abs(z) > 5 {
				t.Errorf("%s: row %d was drawn %v times, %.1f expected", rule, i, seen[i], draws*p)
			}
		}
	}
	for _, m := range []int{5000, 100_000} {
		set, err := Pick(t.Context(), k, x, times, nil, m, stream(1), By("uniform"))
		if err != nil {
			t.Fatal(err)
		}
		if floats.Sum(set.Times) != float64(m) || set.Drawn != nil {
			t.Errorf("%v landmarks, m = %d", set.Times, m)
		}
		for place, i := range set.Indices {
			p := times[i] / total
			if z := (set.Times[place] - float64(m)*p) / math.Sqrt(float64(m)*p*(1-p)+1); math.Abs(z) > 5 {
				t.Errorf("m = %d: row %d is %v landmarks, %.0f expected", m, i, set.Times[place], float64(m)*p)
			}
		}
	}
}

// level is one at which leverage scores are proportional to the number of points.
func level(rule string) float64 {
	if rule == "leverage" {
		return 1e6
	}
	return 0
}

func TestCountsRefused(t *testing.T) {
	x, times := scattered(1, 10, 2), someTimes(1, 10, 5)
	for rule, says := range map[string]string{"first": "take uniform", "recursive": "take leverage", "bless": "take leverage"} {
		if _, err := Pick(t.Context(), kernel.NewGaussian(1), x, times, nil, 3, stream(1), By(rule)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", rule, err, says)
		}
	}
	m := int(floats.Sum(times))
	if _, err := Pick(t.Context(), kernel.NewGaussian(1), x, times, nil, m+1, stream(1), By("uniform")); err == nil || !strings.Contains(err.Error(), "out of n") {
		t.Errorf("more landmarks than points: %v", err)
	}
	set, err := Pick(t.Context(), kernel.NewGaussian(1), x, times, nil, m, stream(1), By("uniform"))
	if err != nil || len(set.Indices) != 10 || floats.Sum(set.Times) != float64(m) || m > counts.Singly {
		t.Errorf("all points: %v, %v", set.Times, err)
	}
}
