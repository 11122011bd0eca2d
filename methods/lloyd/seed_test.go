package lloyd

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// seedProbabilities are the exact probabilities of every sequence of k chosen
// points, by the definition of k-means++ with the given number of trials.
func seedProbabilities(x []float64, k, trials int) map[[3]int]float64 {
	out := map[[3]int]float64{}
	weights := func(chosen []int) (w []float64, total float64) {
		w = make([]float64, len(x))
		for i := range x {
			w[i] = math.Inf(1)
			for _, j := range chosen {
				w[i] = min(w[i], (x[i]-x[j])*(x[i]-x[j]))
			}
			total += w[i]
		}
		return w, total
	}
	var choose func(chosen []int, p float64)
	choose = func(chosen []int, p float64) {
		if len(chosen) == k {
			out[[3]int(chosen)] += p
			return
		}
		w, total := weights(chosen)
		var draw func(left, best int, least, q float64)
		draw = func(left, best int, least, q float64) {
			if left == 0 {
				choose(append(append([]int(nil), chosen...), best), q)
				return
			}
			for i := range x {
				if w[i] == 0 {
					continue
				}
				_, after := weights(append(append([]int(nil), chosen...), i))
				if after < least {
					draw(left-1, i, after, q*w[i]/total)
				} else {
					draw(left-1, best, least, q*w[i]/total)
				}
			}
		}
		draw(trials, -1, math.Inf(1), p)
	}
	for i := range x {
		choose([]int{i}, p0(x))
	}
	return out
}

func p0(x []float64) float64 { return 1 / float64(len(x)) }

// TestPlusPlusDistribution draws three seeds of five points on a line 40,000
// times and compares the frequencies of all sequences with their exact
// probabilities by a χ² test of false-alarm rate 1e-4 each. Cells expected fewer
// than 5 times are put together. Draws by distance instead of its square, and
// the other number of trials, must fail.
func TestPlusPlusDistribution(t *testing.T) {
	values := []float64{0, 1, 3, 7, 7.5}
	const draws = 40000
	for _, d := range []int{1, 9} {
		x := mat.NewDense(len(values), d, nil)
		for i, v := range values {
			x.Set(i, d-1, v)
		}
		p := looked(t, x)
		gram := &mat.SymDense{}
		gram.SymOuterK(1, x)
		g := gramSpace(gram, nil)
		if err := g.look(); err != nil {
			t.Fatal(err)
		}
		for _, trials := range []int{1, 3} {
			rng := stream(uint64(10*d + trials))
			seen, seenGram := map[[3]int]float64{}, map[[3]int]float64{}
			for range draws {
				for at, s := range []space{p, g} {
					chosen, err := plusPlus(context.Background(), s, 3, trials, rng)
					if err != nil {
						t.Fatal(err)
					}
					[]map[[3]int]float64{seen, seenGram}[at][[3]int(chosen)]++
				}
			}
			right, wrong := seedProbabilities(values, 3, trials), seedProbabilities(values, 3, 4-trials)
			var roots []float64 // distances whose squares are the distances
			for _, v := range values {
				roots = append(roots, math.Sqrt(v))
			}
			for name, s := range map[string]map[[3]int]float64{"points": seen, "Gram": seenGram} {
				if v := chiSquared(s, right, draws); v < 1e-4 {
					t.Errorf("d=%d, %s, %d trials: p = %.2g", d, name, trials, v)
				}
				if v := chiSquared(s, wrong, draws); v > 1e-12 {
					t.Errorf("d=%d, %s: %d trials pass for %d, p = %.2g", d, name, trials, 4-trials, v)
				}
				if v := chiSquared(s, seedProbabilities(roots, 3, trials), draws); v > 1e-12 {
					t.Errorf("d=%d, %s: passes for draws by other distances, p = %.2g", d, name, v)
				}
			}
		}
	}
}

// chiSquared is the p-value of the counts.
func chiSquared(seen, probability map[[3]int]float64, draws float64) float64 {
	statistic, cells := 0.0, -1.0
	rest, restExpected := draws, draws
	for key, p := range probability {
		if expected := p * draws; expected >= 5 {
			statistic += (seen[key] - expected) * (seen[key] - expected) / expected
			cells++
			rest -= seen[key]
			restExpected -= expected
		}
	}
	if restExpected > 1e-6*draws {
		statistic += (rest - restExpected) * (rest - restExpected) / restExpected
		cells++
	} else if rest > 0 {
		return 0 // what cannot happen has happened
	}
	return distuv.ChiSquared{K: cells}.Survival(statistic)
}

// TestSeedsAreThoseOfDifferences compares seeding by products with the definition, on
// the same stream.
func TestSeedsAreThoseOfDifferences(t *testing.T) {
	for _, apart := range []float64{0, 1, 30} {
		x, _ := mixture(2000, 9, 6, apart, 5)
		p := looked(t, x)
		for _, trials := range []int{1, 3} {
			rng := stream(7)
			s := newSeeding(p, trials)
			if err := s.choose(context.Background(), []int{3}); err != nil {
				t.Fatal(err)
			}
			for range 12 {
				var candidates []int
				for range trials {
					candidates = append(candidates, s.draw(rng))
				}
				if err := s.choose(context.Background(), candidates); err != nil {
					t.Fatal(err)
				}
			}
			for i, got := range s.distance {
				want := math.Inf(1)
				for _, j := range s.chosen {
					want = min(want, SquaredDistance(p.row(i, nil), p.row(j, nil)))
				}
				if got != coarse(want) {
					t.Fatalf("apart %v, %d trials: point %d is at %v, want %v", apart, trials, i, got, want)
				}
			}
		}
	}
}
