package theory

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/metrics"
	"mercer/internal/sizes"
	"mercer/methods"
)

// partitions of n points into at most k clusters, each once.
func partitions(n, k int) [][]int {
	var all [][]int
	var extend func(labels []int, used int)
	extend = func(labels []int, used int) {
		if len(labels) == n {
			all = append(all, slices.Clone(labels))
			return
		}
		for label := range min(used+1, k) {
			extend(append(labels, label), max(used, label+1))
		}
	}
	extend(nil, 0)
	return all
}

// captured is Σ_j s_jᵀ A s_j/n_j, s_j the indicator of cluster j.
func captured(a *mat.Dense, labels []int, k int) float64 {
	sums, counts := make([]float64, k), make([]float64, k)
	for i, l := range labels {
		counts[l]++
		for j, other := range labels {
			if l == other {
				sums[l] += a.At(i, j)
			}
		}
	}
	total := 0.0
	for l, s := range sums {
		if counts[l] > 0 {
			total += s / counts[l]
		}
	}
	return total
}

// Lemma 2 by exhaustion: 8 points, all 1094 partitions into at most 3 clusters (127
// into 2 and 1), all 254 sets of landmarks, the minimisers exact. The bound must
// hold everywhere, and must not be so large that nothing could exceed it.
func TestLemma2ByExhaustion(t *testing.T) {
	const n = 8
	rng, closest := rand.New(rand.NewPCG(31, 1)), map[string]float64{}
	for _, width := range []float64{0.3, 1, 4} {
		x := make([]float64, n)
		for i := range x {
			x[i] = 3 * rng.NormFloat64()
		}
		gram := mat.NewDense(n, n, nil)
		gram.Apply(func(i, j int, _ float64) float64 { d := x[i] - x[j]; return math.Exp(-d * d / (2 * width * width)) }, gram)
		for k := 2; k <= 3; k++ {
			all := partitions(n, k)
			best := func(a *mat.Dense) float64 { // (tr K − max captured)/n
				most := 0.0
				for _, labels := range all {
					most = max(most, captured(a, labels, k))
				}
				return (mat.Trace(gram) - most) / n
			}
			exact := best(gram)
			for set := 1; set < 1<<n-1; set++ {
				known, residual, rank := projected(gram, set)
				loss := best(known) - exact
				level := 1 / float64(rank)
				s := Setting{Sizes: sizes.Sizes{N: n, K: k}, Delta: 0.5, Given: map[string]float64{
					"nystrom_residual": residual, "effective_dimension": deff(gram, n*level), "effective_dimension_level": level,
				}}
				for _, key := range []string{"kkm-lemma-2", "kkm-lemma-2-deff"} {
					upper := bound(t, key, s).Upper
					if !(loss <= upper+1e-9) {
						t.Fatalf("%s, landmarks %b, k = %d: the loss is %v, the bound %v", key, set, k, loss, upper)
					}
					if upper > 1e-6 {
						closest[key] = max(closest[key], loss/upper)
					}
				}
			}
		}
	}
	if closest["kkm-lemma-2"] < 0.3 || closest["kkm-lemma-2-deff"] < 0.05 {
		t.Errorf("the loss comes no closer to the bounds than %v", closest)
	}
}

// Equation 4 summed over the points, for all 254 sets of landmarks of 8 points and at
// every level γ, not the theorem's alone: tr(K − K̃)/n is at most the bound, and comes
// near it. For K = I both are known: (n−r)/n, and 1.
func TestTraceByExhaustion(t *testing.T) {
	const n = 8
	rng, closest := rand.New(rand.NewPCG(34, 1)), 0.0
	at := func(gram *mat.Dense, set int, level float64) (loss, upper float64, rank int) {
		known, residual, rank := projected(gram, set)
		if level == 0 {
			level = 1 / float64(rank)
		}
		s := Setting{Sizes: sizes.Sizes{N: n}, Delta: 0.5, Given: map[string]float64{
			"nystrom_residual": residual, "effective_dimension": deff(gram, n*level), "effective_dimension_level": level,
		}}
		return (mat.Trace(gram) - mat.Trace(known)) / n, bound(t, "kkm-4", s).Upper, rank
	}
	for _, width := range []float64{0.3, 1, 4} {
		x := gaussians(n, 1, rng)
		gram := mat.NewDense(n, n, nil)
		gram.Apply(func(i, j int, _ float64) float64 {
			d := x.At(i, 0) - x.At(j, 0)
			return math.Exp(-d * d / (2 * width * width))
		}, gram)
		for set := 1; set < 1<<n-1; set++ {
			for _, level := range []float64{0, 1e-3, 0.1, 10} {
				loss, upper, _ := at(gram, set, level)
				if !(loss <= upper+1e-9) {
					t.Fatalf("landmarks %b, γ/n = %v: tr(K − K̃)/n is %v, the bound %v", set, level, loss, upper)
				}
				if upper > 1e-6 {
					closest = max(closest, loss/upper)
				}
			}
		}
	}
	if closest < 0.5 {
		t.Errorf("the trace comes no closer to the bound than %v", closest)
	}
	for set := 1; set < 1<<n-1; set++ {
		loss, upper, rank := at(axes(n, 0, 1, 2, 3, 4, 5, 6, 7), set, 0)
		nearly(t, "tr(K − K̃)/n of K = I", loss, float64(n-rank)/n, 1e-12)
		nearly(t, "its bound", upper, 1, 1e-12)
	}
}

// The same through the estimator and the measures that records come from; the bound says
// more than the trivial value.
func TestTraceByTheMeasures(t *testing.T) {
	x, k := gaussians(300, 2, newRand(35)), kernel.NewGaussian(0.5)
	for _, m := range []int{5, 30, 120} {
		size := sizes.Sizes{N: 300, M: m, Ell: 2}
		method := must(methods.Registry["nystrom"].New().Method())
		model := must(method.Fit(t.Context(), methods.Sample{X: x, Kernel: k, Sizes: size}, newRand(36)))
		measures := []string{"trace_residual", "nystrom_residual", "effective_dimension"}
		values := measured(metrics.Truth{X: x, Kernel: k}, model, 2, measures...)
		upper := bound(t, "kkm-4", Setting{Sizes: size, Delta: 0.5, Given: values}).Upper
		if v := values["trace_residual_mean"]; !(v <= upper) || !(upper < 1) { // tr K/n
			t.Errorf("m = %d: tr(K − K̃)/n is %v, the bound %v", m, v, upper)
		}
	}
}

// projected is K_nm K_mm⁺ K_mn for a set of landmarks, λ_max of what it leaves over
// n, and its rank.
func projected(gram *mat.Dense, set int) (*mat.Dense, float64, int) {
	n, _ := gram.Dims()
	var rows []int
	for i := range n {
		if set>>i&1 == 1 {
			rows = append(rows, i)
		}
	}
	m := len(rows)
	kmm, knm := mat.NewSymDense(m, nil), mat.NewDense(n, m, nil)
	for a, r := range rows {
		for b := a; b < m; b++ {
			kmm.SetSym(a, b, gram.At(r, rows[b]))
		}
		for i := range n {
			knm.Set(i, a, gram.At(i, r))
		}
	}
	var e mat.EigenSym
	e.Factorize(kmm, true)
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	inverse, rank := mat.NewDense(m, m, nil), 0
	for i, v := range e.Values(nil) {
		if v > 1e-10 {
			inverse.Set(i, i, 1/v)
			rank++
		}
	}
	known := product(knm, &vectors, inverse, vectors.T(), knm.T())
	return known, apart(gram, known) / float64(n), rank
}

// deff is tr K(K+γ)⁻¹.
func deff(gram *mat.Dense, gamma float64) float64 {
	n, _ := gram.Dims()
	regular := mat.DenseCopyOf(gram)
	for i := range n {
		regular.Set(i, i, regular.At(i, i)+gamma)
	}
	var inverse mat.Dense
	if err := inverse.Inverse(regular); err != nil {
		panic(err)
	}
	return mat.Trace(product(gram, &inverse))
}

// Any ε in (0,1) may be chosen: the bound is the least over a grid of them, to the
// grid's 1e-6.
func TestLemma1IsLeastOverEpsilon(t *testing.T) {
	c := cosines{0.7, 0.1}
	s := Setting{Population: c, Sizes: sizes.Sizes{N: 3000, M: 900}, Delta: 0.01, Given: map[string]float64{sampleKappa: 1.6}}
	least := math.Inf(1)
	for i := 1; i < 1000; i++ {
		epsilon := float64(i) / 1000
		gamma := 12 * 1.6 * 3000 / 900. * math.Log(3000/0.01) / (epsilon * epsilon)
		least = min(least, gamma*epsilon/(1-epsilon)/3000)
	}
	if got := bound(t, "kkm-lemma-1", s).Upper; !(got <= least*(1+1e-12)) || !(got >= least*(1-1e-6)) {
		t.Errorf("bound %v, least over ε %v", got, least)
	}
}

// groups are points of which those of a group have the same kernel function, and
// others orthogonal ones: λ_max(K − K̃)/n is the share of the largest group without
// a landmark. κ = 1.
type groups []int

func (g groups) missed(drawn map[int]bool) float64 {
	largest, n := 0, 0
	for group, count := range g {
		n += count
		if !drawn[group] {
			largest = max(largest, count)
		}
	}
	return float64(largest) / float64(n)
}

type boundedByOne struct{ cosines }

func (boundedByOne) Kappa() float64 { return 1 }

// 300 draws each of uniform landmarks and of leverage scores on 40 groups of very
// different sizes, δ = 0.05: more than 30 failures have a probability of 3e-4 at
// coverage 0.95; the seed is fixed. Some uniform draw misses a group, so that the
// residual is not 0 throughout.
func TestLandmarksPreserve(t *testing.T) {
	var g groups
	n := 0
	for i := range 40 {
		g = append(g, 4+i*i*i/3)
		n += g[i]
	}
	rng := rand.New(rand.NewPCG(33, 1))
	draw := func(m int, weight func(count float64) float64) float64 {
		total, drawn := 0.0, map[int]bool{}
		for _, count := range g {
			total += weight(float64(count))
		}
		for range m {
			u := total * rng.Float64()
			for group, count := range g {
				if u -= weight(float64(count)); u < 0 {
					drawn[group] = true
					break
				}
			}
		}
		return g.missed(drawn)
	}
	const level = 0.02
	gamma, at := level*float64(n), 0.0
	for _, count := range g {
		at += float64(count) / (float64(count) + gamma)
	}
	for _, tt := range []struct {
		key    string
		m      int
		weight func(count float64) float64
	}{
		{"kkm-lemma-1", 1200, func(count float64) float64 { return count }},
		{"kkm-lemma-3", 4500, func(count float64) float64 { return count / (count + gamma) }},
	} {
		s := Setting{Population: boundedByOne{cosines{1}}, Sizes: sizes.Sizes{N: n, M: tt.m}, Delta: 0.05, Given: map[string]float64{
			"level": level, sampleKappa: 1, "effective_dimension": at, "effective_dimension_level": level,
		}}
		b := bound(t, tt.key, s)
		if !b.Applies() || !(b.Upper < 1) {
			t.Fatalf("%s: %v, %v", tt.key, b.Upper, Failing(b.Conditions))
		}
		failures, largest := 0, 0.0
		for range 300 {
			v := draw(tt.m, tt.weight)
			largest = max(largest, v)
			if v > b.Upper {
				failures++
			}
		}
		if failures > 30 {
			t.Errorf("%s fails %d times of 300", tt.key, failures)
		}
		if tt.key == "kkm-lemma-1" && largest == 0 {
			t.Errorf("%s: nothing is ever missed", tt.key)
		}
	}
}

// d_eff at one γ from that at another, as Lemma 3 takes it, against its definition;
// and the lemma's conditions.
func TestLemma3TakesTheLevelOfItsScores(t *testing.T) {
	lambda := []float64{30, 8, 3, 0.5, 0.1}
	at := func(gamma float64) float64 {
		sum := 0.0
		for _, v := range lambda {
			sum += v / (v + gamma)
		}
		return sum
	}
	const n = 100
	for _, level := range []float64{0.001, 0.01, 0.1} {
		for _, known := range []float64{0.0005, 0.01, 0.5} {
			s := Setting{Population: boundedByOne{cosines{1}}, Sizes: sizes.Sizes{N: n, M: 1_000_000}, Delta: 0.1, Given: map[string]float64{
				"level": level, sampleKappa: 1, "effective_dimension": at(n * known), "effective_dimension_level": known,
			}}
			b := bound(t, "kkm-lemma-3", s)
			epsilon := b.Upper / (level + b.Upper)
			taken := epsilon * epsilon * 1e6 / (12 * math.Log(n/0.1))
			if !(taken >= at(n*level)*(1-1e-12)) || level == known && !(taken <= at(n*level)*(1+1e-12)) {
				t.Errorf("level %v from %v: d_eff is taken as %v, and is %v", level, known, taken, at(n*level))
			}
			s.M = int(12 * taken * math.Log(n/0.1))
			if b := bound(t, "kkm-lemma-3", s); b.Applies() || !math.IsNaN(b.Upper) {
				t.Errorf("ε ≥ 1: %v", b)
			}
		}
	}
}

func TestKKMRates(t *testing.T) {
	rate := func(key string, s Setting) Rate {
		t.Helper()
		r, err := Registry[key].Rate(s)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for gamma, want := range map[float64]float64{0.25: -0.25, 0.5: -0.5, 0.8: -0.5} {
		if r := rate("kkm-1", Setting{Given: map[string]float64{"gamma": gamma}}); r.Exponent != want || r.Sharp {
			t.Errorf("kkm-1 at gamma = %v: %v", gamma, r)
		}
	}
	if r := rate("kkm-prop-1", Setting{}); r.Exponent != -0.5 {
		t.Error(r)
	}
	if r := rate("kkm-2", Setting{}); r.Exponent != 0 {
		t.Error(r)
	}
	s := Setting{Sizes: sizes.Sizes{N: 1_000_000, K: 16}, Given: map[string]float64{"dim": 2}}
	if r := rate("kkm-cor-1", s); r.Exponent != 0 || !r.Applies() {
		t.Error(r)
	}
	if s.N = 1000; rate("kkm-cor-1", s).Applies() {
		t.Error("k/√n leads at n = 1000")
	}
	if _, err := Registry["kkm-cor-1"].Rate(Setting{}); err == nil {
		t.Error("no dimension was given")
	}
}
