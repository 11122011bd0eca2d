package counts

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// falseAlarm is the chance that a test of a right sampler fails: seeds are fixed, so
// that a pass is a pass for ever.
const falseAlarm = 1e-4

func stream(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 3)) }

// fits fails where a chi-square test refuses frequencies of draws for probabilities.
// Cells of fewer than 10 expected draws are joined with the next.
func fits(t *testing.T, seen, probability []float64) {
	t.Helper()
	draws := floats.Sum(seen)
	var have, want []float64
	s, p := 0.0, 0.0
	for i := range seen {
		s, p = s+seen[i], p+probability[i]
		if p*draws >= 10 {
			have, want = append(have, s), append(want, p*draws)
			s, p = 0, 0
		}
	}
	have[len(have)-1] += s
	want[len(want)-1] += p * draws
	statistic := stat.ChiSquare(have, want)
	law := distuv.ChiSquared{K: float64(len(have) - 1)}
	if tail := law.Survival(statistic); !(tail > falseAlarm) {
		t.Errorf("chi-square %.1f on %d cells: probability %.2g", statistic, len(have), tail)
	}
}

// TestBinomial holds draws against the law's probabilities, on both sides of every
// choice of algorithm.
func TestBinomial(t *testing.T) {
	for i, test := range []struct{ n, p float64 }{
		{1, 0.3}, {12, 0.5}, {30, 0.02}, {100, 0.099}, {100, 0.101}, {40, 0.7}, {1000, 0.2}, {1000, 0.999}, {1e6, 1e-6}, {5000, 0.4},
	} {
		t.Run(fmt.Sprint(test), func(t *testing.T) {
			rng, law := stream(uint64(i)), distuv.Binomial{N: test.n, P: test.p}
			last := int(math.Min(test.n, test.n*test.p+12*math.Sqrt(test.n*test.p+1)))
			seen, probability := make([]float64, last+2), make([]float64, last+2)
			for range 200_000 {
				seen[min(int(Binomial(test.n, test.p, rng)), last+1)]++
			}
			for k := range last + 1 {
				probability[k] = law.Prob(float64(k))
			}
			probability[last+1] = max(0, 1-floats.Sum(probability))
			fits(t, seen, probability)
		})
	}
}

// TestBinomialOfHugeN compares with the normal law, whose distance from the
// binomial, 1/√(npq), is far below what 200,000 draws show.
func TestBinomialOfHugeN(t *testing.T) {
	for i, test := range []struct{ n, p float64 }{{1e10, 0.001}, {1 << 53, 0.3}, {1 << 53, 5e-4}, {1 << 53, 0.5}} {
		t.Run(fmt.Sprint(test), func(t *testing.T) {
			rng := stream(uint64(100 + i))
			deviation := math.Sqrt(test.n * test.p * (1 - test.p))
			const cells = 100
			seen, probability := make([]float64, cells), slices.Repeat([]float64{1. / cells}, cells)
			odd := 0.0
			for range 200_000 {
				k := Binomial(test.n, test.p, rng)
				if k != math.Trunc(k) || k < 0 || k > test.n {
					t.Fatalf("drew %v", k)
				}
				odd += math.Mod(k, 2)
				z := (k - test.n*test.p) / deviation
				seen[min(int(cells*distuv.UnitNormal.CDF(z)), cells-1)]++
			}
			fits(t, seen, probability)
			fits(t, []float64{odd, 200_000 - odd}, []float64{0.5, 0.5})
		})
	}
}

func TestBinomialEdges(t *testing.T) {
	rng := stream(1)
	for _, test := range []struct{ n, p, want float64 }{{0, 0.5, 0}, {10, 0, 0}, {10, 1, 10}, {1 << 53, 1, 1 << 53}, {10, -1e-20, 0}} {
		if got := Binomial(test.n, test.p, rng); got != test.want {
			t.Errorf("Binomial(%v, %v) = %v", test.n, test.p, got)
		}
	}
}

// TestMultinomial looks at the counts of each atom alone and of pairs together.
func TestMultinomial(t *testing.T) {
	masses := []float64{0, 3, 0.5, 1, 0, 5.5, 0}
	rng, n := stream(7), 50.0
	const draws = 100_000
	seen := make([][]float64, len(masses))
	pair := make([]float64, int(n)+1) // atoms 1 and 5 together
	for j := range seen {
		seen[j] = make([]float64, int(n)+1)
	}
	for range draws {
		c := make([]float64, len(masses))
		Multinomial(c, n, masses, rng)
		if floats.Sum(c) != n {
			t.Fatalf("%v do not add up to %v", c, n)
		}
		for j, v := range c {
			seen[j][int(v)]++
		}
		pair[int(c[1]+c[5])]++
	}
	against := func(seen []float64, p float64) {
		law, probability := distuv.Binomial{N: n, P: p}, make([]float64, len(seen))
		for k := range probability {
			probability[k] = law.Prob(float64(k))
		}
		fits(t, seen, probability)
	}
	for j, mass := range masses {
		if mass == 0 {
			if seen[j][0] != draws {
				t.Errorf("points on atom %d, of mass 0", j)
			}
			continue
		}
		against(seen[j], mass/10)
	}
	against(pair, 0.85)
}

// hypergeometric is the law of how many of m points out of n are among c.
func hypergeometric(n, c, m float64) []float64 {
	p := make([]float64, int(m)+1)
	for k := range p {
		x := float64(k)
		if x > c || m-x > n-c {
			continue
		}
		p[k] = math.Exp(choose(c, x) + choose(n-c, m-x) - choose(n, m))
	}
	return p
}

func choose(n, k float64) float64 {
	a, _ := math.Lgamma(n + 1)
	b, _ := math.Lgamma(k + 1)
	c, _ := math.Lgamma(n - k + 1)
	return a - b - c
}

// TestSubset covers draws one by one, those of binomials with what mends their sum,
// and those of the points that are left.
func TestSubset(t *testing.T) {
	for i, test := range []struct {
		counts []float64
		m      float64
	}{
		{[]float64{4, 0, 1, 7, 8}, 9},
		{[]float64{4, 0, 1, 7, 8}, 17},
		{[]float64{300, 9000, 1, 40_000}, 6000},
		{[]float64{300, 9000, 1, 40_000}, 43_000},
	} {
		t.Run(fmt.Sprint(test.counts, test.m), func(t *testing.T) {
			rng, n := stream(uint64(20+i)), floats.Sum(test.counts)
			seen := make([][]float64, len(test.counts))
			for j := range seen {
				seen[j] = make([]float64, int(test.m)+1)
			}
			for range 20_000 {
				taken := Subset(test.counts, test.m, rng)
				if floats.Sum(taken) != test.m {
					t.Fatalf("%v are not %v points", taken, test.m)
				}
				for j, v := range taken {
					if v < 0 || v > test.counts[j] {
						t.Fatalf("%v of %v", taken, test.counts)
					}
					seen[j][int(v)]++
				}
			}
			for j, c := range test.counts {
				if c == 0 {
					continue
				}
				fits(t, seen[j], hypergeometric(n, c, test.m))
			}
		})
	}
}

// TestSubsetOfHugeN: the moments of a draw of 10^12 of 10^15 points.
func TestSubsetOfHugeN(t *testing.T) {
	counts, rng := []float64{7e14, 2e14, 1e14}, stream(31)
	const n, m, draws = 1e15, 1e12, 4000
	sums, squares := make([]float64, 3), make([]float64, 3)
	for range draws {
		for j, v := range Subset(counts, m, rng) {
			share := counts[j] / n
			z := (v - m*share) / math.Sqrt(m*share*(1-share)*(n-m)/(n-1))
			sums[j] += z
			squares[j] += z * z
		}
	}
	for j := range sums { // 4.5 standard deviations: one false alarm in 30,000 a number
		if z := sums[j] / math.Sqrt(draws); math.Abs(z) > 4.5 {
			t.Errorf("atom %d: the mean is off by %.1f standard deviations", j, z)
		}
		if z := (squares[j] - draws) / math.Sqrt(2*draws); math.Abs(z) > 4.5 {
			t.Errorf("atom %d: the variance is off by %.1f standard deviations", j, z)
		}
	}
}

// TestSequence compares the order of weighted draws with the chance of each order of
// the atoms, by the definition.
func TestSequence(t *testing.T) {
	counts, weights := []float64{2, 1, 3}, []float64{1, 4, 0.5}
	const m, draws = 4, 100_000
	probability := map[string]float64{}
	var walk func(left []float64, path []int, p float64)
	walk = func(left []float64, path []int, p float64) {
		if len(path) == m {
			probability[fmt.Sprint(path)] = p
			return
		}
		total := floats.Dot(left, weights)
		for j, c := range left {
			if c > 0 {
				next := slices.Clone(left)
				next[j]--
				walk(next, append(slices.Clone(path), j), p*c*weights[j]/total)
			}
		}
	}
	walk(counts, nil, 1)
	seen, rng := map[string]float64{}, stream(41)
	for range draws {
		seen[fmt.Sprint(Sequence(counts, weights, m, rng))]++
	}
	var have, want []float64
	for path, p := range probability {
		have, want = append(have, seen[path]), append(want, p)
		delete(seen, path)
	}
	if len(seen) > 0 {
		t.Errorf("impossible draws: %v", seen)
	}
	fits(t, have, want)
	if got := Sequence(counts, []float64{0, 1, 0}, 5, rng); !slices.Equal(got, []int{1}) {
		t.Errorf("of one point with a weight: %v", got)
	}
	if all := Sequence(counts, nil, 9, rng); len(all) != 6 {
		t.Errorf("%d of 6 points", len(all))
	}
	few := Sequence(counts, weights, 3, stream(5))
	if many := Sequence(counts, weights, 6, stream(5)); !slices.Equal(few, many[:3]) {
		t.Errorf("%v and %v: the first draws depend on how many follow", few, many)
	}
}

func TestAt(t *testing.T) {
	sums := []float64{2, 2, 3, 6}
	var atoms []int
	for i := range 6 {
		atoms = append(atoms, At(sums, i))
	}
	if want := []int{0, 0, 2, 3, 3, 3}; !slices.Equal(atoms, want) {
		t.Errorf("points lie on %v, want %v", atoms, want)
	}
}
