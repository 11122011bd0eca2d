package inference

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/combin"
)

// Published critical values, one-sided: the largest rank sum of the smaller sample
// (Mann–Whitney) and of the smaller signed-rank sum at which p stays within the
// level, and so not at one more.
func TestRankTestsAgainstTables(t *testing.T) {
	for _, tt := range []struct {
		n, sum int
		level  float64
	}{{5, 0, 0.05}, {8, 5, 0.05}, {10, 10, 0.05}, {10, 8, 0.025}, {15, 30, 0.05}, {20, 60, 0.05}, {20, 43, 0.01}, {25, 100, 0.05}} {
		at := func(sum int) float64 { return SignedRank(signsWithSum(tt.n, sum)).Less }
		if within, beyond := at(tt.sum), at(tt.sum+1); within > tt.level || beyond <= tt.level {
			t.Errorf("signed ranks of %d: p(%d) = %.4f, p(%d) = %.4f about %g", tt.n, tt.sum, within, tt.sum+1, beyond, tt.level)
		}
	}
	// U of two samples: 0.05 one-sided.
	for _, tt := range []struct{ a, b, u int }{{3, 3, 0}, {5, 5, 4}, {5, 8, 8}, {8, 8, 15}, {10, 10, 27}, {6, 12, 17}} {
		at := func(u int) float64 { return RankSum(samplesWithU(tt.a, tt.b, u)).Less }
		if within, beyond := at(tt.u), at(tt.u+1); within > 0.05 || beyond <= 0.05 {
			t.Errorf("rank sum of %d and %d: p(%d) = %.4f, p(%d) = %.4f about 0.05", tt.a, tt.b, tt.u, within, tt.u+1, beyond)
		}
	}
}

// signsWithSum are the differences ±1 … ±n whose positive ranks sum to sum.
func signsWithSum(n, sum int) []float64 {
	d := make([]float64, n)
	for i := n; i > 0; i-- {
		d[i-1] = -float64(i)
		if i <= sum {
			d[i-1], sum = float64(i), sum-i
		}
	}
	return d
}

// samplesWithU are two samples with u pairs in which the value of the second is
// the greater.
func samplesWithU(a, b, u int) (first, second []float64) {
	for i := range a {
		first = append(first, float64(i))
	}
	for i := range b {
		k := min(a, u)
		second, u = append(second, float64(k)-0.5-float64(i)/1000), u-k
	}
	return first, second
}

// Exact laws against every choice of signs and of samples, with ties and zeros.
func TestRankTestsByEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range 40 {
		n := 2 + rng.IntN(8)
		d := make([]float64, n)
		for i := range d {
			d[i] = float64(rng.IntN(7) - 3) // ties and zeros are common
		}
		got, want := SignedRank(d), enumeratedSigns(d)
		if math.Abs(got.Greater-want.Greater) > 1e-12 || math.Abs(got.Less-want.Less) > 1e-12 {
			t.Errorf("trial %d: signed ranks of %v: %v, by enumeration %v", trial, d, got, want)
		}
		a, b := d[:1+rng.IntN(n-1)], []float64(nil)
		b = d[len(a):]
		got, want = RankSum(a, b), enumeratedChoices(a, b)
		if math.Abs(got.Greater-want.Greater) > 1e-12 || math.Abs(got.Less-want.Less) > 1e-12 {
			t.Errorf("trial %d: rank sum of %v and %v: %v, by enumeration %v", trial, a, b, got, want)
		}
	}
}

func enumeratedSigns(d []float64) Tails {
	d = slices.DeleteFunc(slices.Clone(d), func(x float64) bool { return x == 0 })
	sum := func(sign func(i int) bool) (s float64) {
		for i := range d {
			if sign(i) {
				less, equal := 0.0, 0.0
				for j := range d {
					switch {
					case math.Abs(d[j]) < math.Abs(d[i]):
						less++
					case math.Abs(d[j]) == math.Abs(d[i]):
						equal++
					}
				}
				s += less + (equal+1)/2
			}
		}
		return s
	}
	observed := sum(func(i int) bool { return d[i] > 0 })
	var t Tails
	for signs := range 1 << len(d) {
		s := sum(func(i int) bool { return signs>>i&1 == 1 })
		if s >= observed {
			t.Greater += 1 / float64(int(1)<<len(d))
		}
		if s <= observed {
			t.Less += 1 / float64(int(1)<<len(d))
		}
	}
	return t
}

func enumeratedChoices(a, b []float64) Tails {
	all := slices.Concat(a, b)
	wins := func(chosen []int) (u float64) {
		for _, i := range chosen {
			for j := range all {
				if slices.Contains(chosen, j) {
					continue
				}
				switch {
				case all[i] > all[j]:
					u++
				case all[i] == all[j]:
					u += 0.5
				}
			}
		}
		return u
	}
	own := make([]int, len(b))
	for i := range own {
		own[i] = len(a) + i
	}
	observed := wins(own)
	choices := combin.Combinations(len(all), len(b))
	var t Tails
	for _, chosen := range choices {
		if wins(chosen) >= observed {
			t.Greater += 1 / float64(len(choices))
		}
		if wins(chosen) <= observed {
			t.Less += 1 / float64(len(choices))
		}
	}
	return t
}

// The normal approximations meet the exact laws where they take over: within a
// tenth at p about 0.01, and above them far out, where they must not claim more.
func TestNormalApproximation(t *testing.T) {
	d := make([]float64, exactPairs)
	for _, tt := range []struct {
		least  float64 // differences from this rank on are positive
		factor float64
	}{{37, 1.1}, {1, math.Inf(1)}} {
		sum, mean, squares := 0.0, 0.0, 0.0
		for i := range d {
			rank := float64(i + 1)
			d[i] = -rank
			if rank >= tt.least && (i%2 == 0 || tt.least == 1 || rank > 47) {
				d[i] = rank
				sum += 2 * rank
			}
			mean, squares = mean+rank, squares+4*rank*rank
		}
		exact, normal := SignedRank(d).Greater, normalTails(sum, mean, math.Sqrt(squares)/2).Greater
		if normal < exact/1.1 || normal > exact*tt.factor {
			t.Errorf("least rank %g: exact p %.3g, normal p %.3g", tt.least, exact, normal)
		}
	}
}

// LeastP is what the tests give where all of one side is above the other.
func TestLeastP(t *testing.T) {
	if got, want := SignedRank([]float64{3, 1, 2, 5}).Greater, LeastP(true, 4, 4); math.Abs(got-want) > 1e-15 {
		t.Errorf("signed ranks: %g, want %g", got, want)
	}
	if got, want := RankSum([]float64{1, 2, 3}, []float64{4, 5, 6, 7}).Greater, LeastP(false, 3, 4); math.Abs(got-want) > 1e-15 {
		t.Errorf("rank sum: %g, want %g", got, want)
	}
	if got := RepeatsFor(true, 0.001); got != 10 {
		t.Errorf("2^-10 is below 0.001: %d", got)
	}
	if got := RepeatsFor(false, 0.001); got != 7 { // 1/C(12,6) = 1/924, 1/C(14,7) = 1/3432
		t.Errorf("1/C(14,7) is below 0.001: %d", got)
	}
}
