package landmark

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"mercer/internal/kernel"
)

// TestWholeDictionaryIsExact: with every point at weight 1 approximate scores are
// the exact ones.
func TestWholeDictionaryIsExact(t *testing.T) {
	const n, ridge = 70, 0.05
	x, k := clustered(3, n), kernel.NewGaussian(0.5)
	p := problemOf(t, k, x, 5, 1, By("bless"))
	if _, err := p.setDiagonal(); err != nil {
		t.Fatal(err)
	}
	values, vectors, err := Decompose(t.Context(), p.kernel, p.x, p.times)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.approximateScores(firstOf(n), dictionary{firstOf(n), constant(n, 1)}, ridge)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range leverageScores(values, vectors, ridge) {
		// ε·K_ii over the ridge is 4e-15, times some units of rounding.
		if math.Abs(got[i]-want) > 1e-12 {
			t.Errorf("score %d is %.14g, want %.14g", i, got[i], want)
		}
	}
}

// approximation is a problem with its exact scores.
func approximation(t *testing.T, level float64) (exact func(ridge float64) []float64, of func(seed uint64) *problem) {
	const n = 400
	x, k := clustered(4, n), kernel.NewGaussian(0.5)
	values, vectors, err := Decompose(t.Context(), k, x, nil)
	if err != nil {
		t.Fatal(err)
	}
	exact = func(ridge float64) []float64 { return leverageScores(values, vectors, ridge) }
	of = func(seed uint64) *problem {
		o := By("recursive")
		o.Level = level
		return problemOf(t, k, x, 20, seed, o)
	}
	return exact, of
}

// TestBlessScoresAreWithinAFactor: with samples three times as large as the
// default's, scores at the last level are within a factor 3 of the exact ones for
// all points at once, as [BLESS, Theorem 1] states for t = 2 with constants that
// have logarithms besides. The default's are above a quarter of the exact ones,
// and their sum is within a factor 2. 40 seeds each.
func TestBlessScoresAreWithinAFactor(t *testing.T) {
	const level = 1e-3
	exact, of := approximation(t, level)
	run := func(seed uint64, c path) (low, high, sum float64) {
		p := of(seed)
		scores, end, err := p.pathScores(c)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(end.level-level) > 1e-12 {
			t.Fatalf("the path ends at level %g", end.level)
		}
		want := exact(float64(p.n) * end.level)
		low, high = ratios(scores, want)
		return low, high, floats.Sum(scores) / floats.Sum(want)
	}
	theirs, ours := 0, 0
	for seed := range uint64(40) {
		if low, high, _ := run(seed, path{step: 2, sample: 10, oversample: 12}); low >= 1./3 && high <= 3 {
			theirs++
		}
		if low, _, sum := run(seed, defaultPath); low >= 0.25 && sum >= 0.5 && sum <= 2 {
			ours++
		}
	}
	if theirs < 38 || ours < 38 {
		t.Errorf("scores are within their bounds for %d of 40 seeds with large samples, %d by default", theirs, ours)
	}
}

// ratios are the least and the largest of scores over the exact ones.
func ratios(scores, exact []float64) (low, high float64) {
	low, high = math.Inf(1), 0
	for i, s := range scores {
		low, high = min(low, s/exact[i]), max(high, s/exact[i])
	}
	return low, high
}

// TestRecursiveScoresOverestimate: 3/2 of the recursive scores are at least the
// exact ones, and sum to at most 6·d_eff, as [RLS, Lemma 6 and Theorem 7] need and
// state: at most 3 times scores with regard to a random half, whose sum is
// 2·d_eff in expectation. Samples are twice the default's; 40 seeds.
func TestRecursiveScoresOverestimate(t *testing.T) {
	exact, of := approximation(t, 1e-3)
	over := 0
	for seed := range uint64(40) {
		p := of(seed)
		scores, ridge, err := p.recursiveScores(2 * p.oversample())
		if err != nil {
			t.Fatal(err)
		}
		want := exact(ridge)
		low, _ := ratios(scores, want)
		if 1.5*low >= 1 && 1.5*floats.Sum(scores) <= 6*floats.Sum(want) {
			over++
		} else {
			t.Logf("seed %d: least ratio %.3f, sum %.3f d_eff", seed, 1.5*low, 1.5*floats.Sum(scores)/floats.Sum(want))
		}
	}
	if over < 38 {
		t.Errorf("the bounds hold for %d of 40 seeds", over)
	}
}

// TestMatchedLevels: at the levels that recursive and bless find for m, the
// exact effective dimension is of the order of m: recursive aims at m/(2·log m)
// at most, bless at m/4 to m/2, up to the errors of their samples.
func TestMatchedLevels(t *testing.T) {
	x, k := scattered(6, 300, 2), kernel.Laplace{Sigma: 1}
	const m = 40
	values, _, err := Decompose(t.Context(), k, x, nil)
	if err != nil {
		t.Fatal(err)
	}
	for rule, bounds := range map[string][2]float64{"recursive": {m / (8 * math.Log(m)), m}, "bless": {m / 8, m}} {
		for seed := range uint64(10) {
			set := pick(t, k, x, m, seed, By(rule))
			d := effectiveDimension(values, 300*set.Level)
			if d < bounds[0] || d > bounds[1] {
				t.Errorf("%s: level %g has effective dimension %.3g, not in %.3g", rule, set.Level, d, bounds)
			}
			if len(set.Warnings) > 0 {
				t.Errorf("%s warns %q", rule, set.Warnings)
			}
		}
	}
}

// TestDictionariesStandForAll: Σ_j f_j/a_j over a dictionary is Σ_i f_i over all
// points in expectation, here for f = 1 and for a function that differs among
// points. Means of 400 draws are within 5 standard errors, estimated from the
// draws: the false-alarm rate is 4e-6 in all.
func TestDictionariesStandForAll(t *testing.T) {
	const n, draws = 60, 400
	x, k := clustered(7, n), kernel.NewGaussian(0.5)
	p := problemOf(t, k, x, 10, 5, By("bless"))
	if _, err := p.setDiagonal(); err != nil {
		t.Fatal(err)
	}
	scores := make([]float64, n)
	sums := [2]float64{n, 0} // of 1 and of f
	for i := range scores {
		scores[i] = 0.01 + float64(i%7)/20
		sums[1] += float64(i)
	}
	for name, draw := range map[string]func() dictionary{
		"recursive":         func() dictionary { return p.thinned(firstOf(n), scores, 2) },
		"bless, all points": func() dictionary { return p.redrawn(firstOf(n), scores, 25) },
		"bless, a sample": func() dictionary {
			sample := p.uniformSample(20)
			of := make([]float64, len(sample))
			for i, index := range sample {
				of[i] = scores[index]
			}
			return p.redrawn(sample, of, 25)
		},
	} {
		means, squares := [2]float64{}, [2]float64{}
		for range draws {
			d := draw()
			got := [2]float64{}
			for j, index := range d.indices {
				got[0] += 1 / d.weights[j]
				got[1] += float64(index) / d.weights[j]
			}
			for f, v := range got {
				means[f] += v / draws
				squares[f] += v * v / draws
			}
		}
		for f, mean := range means {
			if bound := 5 * math.Sqrt((squares[f]-mean*mean)/draws); math.Abs(mean-sums[f]) > bound {
				t.Errorf("%s: function %d sums to %.4g on average, over all points to %.4g; bound %.2g", name, f, mean, sums[f], bound)
			}
		}
	}
}

// TestEstimatedDimension: BLESS's estimate of the effective dimension, from
// uniform samples smaller than n, is right within a third in the mean over 40
// seeds; single ones scatter by about as much.
func TestEstimatedDimension(t *testing.T) {
	const level = 0.05 // samples of 80 of 400 points
	exact, of := approximation(t, level)
	mean := 0.0
	for seed := range uint64(40) {
		p := of(seed)
		_, end, err := p.pathScores(defaultPath)
		if err != nil {
			t.Fatal(err)
		}
		mean += end.deff / 40
	}
	if want := floats.Sum(exact(400 * level)); mean < want/1.33 || mean > 1.33*want {
		t.Errorf("the effective dimension is estimated at %.3g in the mean, it is %.3g", mean, want)
	}
}
