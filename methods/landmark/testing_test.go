package landmark

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"mercer/internal/kernel"
)

func stream(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x1234)) }

// scattered draws n normal points of R^dim.
func scattered(seed uint64, n, dim int) *mat.Dense {
	rng, x := stream(seed), mat.NewDense(n, dim, nil)
	x.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, x)
	return x
}

// clustered draws n points of the plane from seven clusters of spread 0.1, the
// first of which has nine tenths of them.
func clustered(seed uint64, n int) *mat.Dense {
	rng, x := stream(seed), mat.NewDense(n, 2, nil)
	for i := range n {
		angle, radius := 0.0, 0.0
		if i%10 == 9 {
			angle, radius = 2*math.Pi*float64(i/10%6)/6, 4
		}
		x.Set(i, 0, radius*math.Cos(angle)+0.1*rng.NormFloat64())
		x.Set(i, 1, radius*math.Sin(angle)+0.1*rng.NormFloat64())
	}
	return x
}

func pick(t *testing.T, k kernel.Kernel, x *mat.Dense, m int, seed uint64, o Options) Set {
	t.Helper()
	set, err := Pick(t.Context(), k, x, nil, nil, m, stream(seed), o)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// problemOf is a call of Pick that a test takes apart.
func problemOf(t *testing.T, k kernel.Kernel, x *mat.Dense, m int, seed uint64, o Options) *problem {
	n, _ := x.Dims()
	spectrum := func(ctx context.Context) ([]float64, *mat.Dense, error) { return Decompose(ctx, k, x, nil) }
	return &problem{ctx: t.Context(), kernel: k, x: x, spectrum: spectrum, n: n, total: n, m: m, rng: stream(seed), Options: o}
}

// gramOf is K, entry by entry.
func gramOf(k kernel.Kernel, x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	g := mat.NewDense(n, n, nil)
	g.Apply(func(i, j int, _ float64) float64 { return k.At(x.RawRowView(i), x.RawRowView(j)) }, g)
	return g
}

// falseAlarm is how often a test of a law fails by chance: seeds are fixed, so
// that this is the share of seeds at which it would.
const falseAlarm = 1e-6

// obeys holds frequencies of outcomes, each a list of indices, to their
// probabilities by Pearson's χ²; every outcome is expected at least 5 times, or
// must not happen at all.
func obeys(t *testing.T, law map[string]float64, draws int, draw func() []int) {
	t.Helper()
	counts := map[string]int{}
	for range draws {
		counts[fmt.Sprint(draw())]++
	}
	total, statistic, freedom := 0.0, 0.0, -1.0
	for outcome, p := range law {
		total += p
		expected := p * float64(draws)
		if p == 0 {
			continue
		}
		if expected < 5 {
			t.Fatalf("outcome %s is expected %.2g times: too few for χ²", outcome, expected)
		}
		statistic += (float64(counts[outcome]) - expected) * (float64(counts[outcome]) - expected) / expected
		freedom++
	}
	if math.Abs(total-1) > 1e-9 {
		t.Fatalf("the probabilities sum to %.12g", total)
	}
	for outcome, count := range counts {
		if law[outcome] == 0 {
			t.Errorf("outcome %s, which is impossible, happened %d times", outcome, count)
		}
	}
	if p := (distuv.ChiSquared{K: freedom}).Survival(statistic); p < falseAlarm {
		t.Errorf("χ² is %.1f at %.0f degrees of freedom: p = %.1g", statistic, freedom, p)
	}
}

// sequences calls f with every sequence of count different indices below n.
func sequences(n, count int, f func(s []int)) {
	var extend func(s []int)
	extend = func(s []int) {
		if len(s) == count {
			f(s)
			return
		}
		for i := range n {
			if !slices.Contains(s, i) {
				extend(append(slices.Clone(s), i))
			}
		}
	}
	extend(nil)
}

// chained is the law of a sequence whose next index is drawn by weights that
// depend on those before.
func chained(n, count int, weights func(before []int) []float64) map[string]float64 {
	law := map[string]float64{}
	sequences(n, count, func(s []int) {
		p := 1.0
		for j := range s {
			w := weights(s[:j])
			total := 0.0
			for _, v := range w {
				total += v
			}
			p *= w[s[j]] / total
		}
		law[fmt.Sprint(s)] = p
	})
	return law
}
