package theory

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/sizes"
)

// trivialValue is the registered one of a theorem.
func trivialValue(t *testing.T, key string, s Setting) float64 {
	t.Helper()
	v, err := Registry[key].Trivial.Value(s)
	if err != nil {
		t.Fatalf("%s: %v", key, err)
	}
	return v
}

// Every theorem with a bound has one, in words and as a number.
func TestTrivialIsWhole(t *testing.T) {
	used := map[string]bool{}
	for key, theorem := range Registry {
		v := theorem.Trivial
		if known := v.Value != nil && v.Formula != ""; known != (theorem.Bound != nil) {
			t.Errorf("%s: trivial value %v", key, v.Formula)
		}
		used[theorem.Metric] = used[theorem.Metric] || theorem.Bound != nil
	}
	for metric := range trivials {
		if !used[metric] {
			t.Errorf("no theorem bounds %s", metric)
		}
	}
}

// frame are orthonormal columns, p×ℓ: the Q of a random matrix whose rows are
// stretched, so that some frames lie near each of the coordinate axes.
func frame(p, ell int, rng *rand.Rand) *mat.Dense {
	g := mat.NewDense(p, ell, nil)
	for i := range p {
		stretch := math.Exp(3 * rng.NormFloat64())
		for j := range ell {
			g.Set(i, j, stretch*rng.NormFloat64())
		}
	}
	var qr mat.QR
	qr.Factorize(g)
	var q mat.Dense
	qr.QTo(&q)
	return mat.DenseCopyOf(q.Slice(0, p, 0, ell))
}

// axes are the frame of these coordinate axes.
func axes(p int, at ...int) *mat.Dense {
	v := mat.NewDense(p, len(at), nil)
	for j, i := range at {
		v.Set(i, j, 1)
	}
	return v
}

// ofFrame has the errors of the projection VVᵀ on the population diag λ, each from its
// definition, under the keys of theorems.
func ofFrame(lambda []float64, v *mat.Dense) map[string]float64 {
	p, ell := v.Dims()
	sigma, root, leading := mat.NewDense(p, p, nil), mat.NewDense(p, p, nil), mat.NewDense(p, p, nil)
	for i, value := range lambda {
		sigma.Set(i, i, value)
		root.Set(i, i, math.Sqrt(value))
		if i < ell {
			leading.Set(i, i, value)
		}
	}
	projection := product(v, v.T())
	var rest, apart mat.Dense
	rest.Sub(axes(p, 0, 1, 2, 3, 4), projection)
	image := product(root, projection, root)
	apart.Sub(image, leading)
	functions, sum := product(root, v), 0.0
	for j := range ell {
		least := math.Inf(1)
		for _, sign := range []float64{1, -1} {
			var d mat.VecDense
			d.AddScaledVec(functions.ColView(j), sign, root.ColView(j))
			least = min(least, mat.Norm(&d, 2))
		}
		sum += least
	}
	return map[string]float64{
		"nyk-4.1-ii": mat.Trace(product(&rest, sigma, &rest)), "nyk-4.3-ii": math.Pow(mat.Norm(product(root, &rest, root), 2), 2),
		"rfk-1-i": mat.Norm(&apart, 2), "rfk-1-ii": sum,
	}
}

// No projection exceeds the trivial values, and some projection has each: the zero
// projection R and T, the next eigenfunctions the distance of eigenspaces, the same
// eigenfunctions in another order that of eigenfunctions (for ℓ ≤ 2; for ℓ = 1, the
// second one).
func TestTrivialOfProjections(t *testing.T) {
	rng := newRand(81)
	for _, lambda := range [][]float64{{1, 0.5, 0.3, 0.1, 0.05}, {1, 0.9, 0.8, 0.7, 0.6}, {1, 0.1, 1e-3, 1e-4, 1e-5}} {
		for ell := 1; ell <= 2; ell++ {
			s := Setting{Population: finite(lambda...), Sizes: sizes.Sizes{N: 100, Ell: ell}, Delta: 0.05}
			for range 2000 {
				for key, v := range ofFrame(lambda, frame(len(lambda), ell, rng)) {
					if limit := trivialValue(t, key, s); !(v <= limit*(1+1e-12)) {
						t.Fatalf("%v, ℓ = %d: %s is %v for some projection, trivial value %v", lambda, ell, key, v, limit)
					}
				}
			}
			next, order := axes(5, 1), axes(5, 1)
			if ell == 2 {
				next, order = axes(5, 2, 3), axes(5, 1, 0)
			}
			none := ofFrame(lambda, mat.NewDense(5, ell, nil))
			for key, v := range map[string]float64{
				"nyk-4.1-ii": none["nyk-4.1-ii"], "nyk-4.3-ii": none["nyk-4.3-ii"],
				"rfk-1-i": ofFrame(lambda, next)["rfk-1-i"], "rfk-1-ii": ofFrame(lambda, order)["rfk-1-ii"],
			} {
				nearly(t, key, v, trivialValue(t, key, s), 1e-12)
			}
		}
	}
}

// The zero sketch, and a sample of one point at which k(x,x) = κ, have the trivial
// values of sketches; no sample has a larger trace or norm.
func TestTrivialOfSketches(t *testing.T) {
	c, rng, nothing := cosines{0.9, 0.3, 0.02}, newRand(82), mat.NewDense(3, 3, nil)
	s := Setting{Population: c, Sizes: sizes.Sizes{N: 10, D: 7}, Delta: 0.1, Given: map[string]float64{}}
	for range 500 {
		sampled := c.sample(1+rng.IntN(4), rng)
		cubed := product(sampled, sampled, sampled)
		s.Given["kjl_sample_norm"] = norm(cubed)
		nearly(t, "kjl-prop-1", apart(nothing, cubed), trivialValue(t, "kjl-prop-1", s), 1e-12)
		if trace, stretch := mat.Trace(cubed), norm(cubed); !(trace <= trivialValue(t, "kjl-8", s)) || !(stretch <= trivialValue(t, "kjl-12", s)) {
			t.Fatalf("Σn³ of a sample has trace %v and norm %v", trace, stretch)
		}
	}
	at0 := mat.NewDense(3, 1, []float64{math.Sqrt(2 * 0.9), math.Sqrt(2 * 0.3), math.Sqrt(2 * 0.02)})
	one := product(at0, at0.T())
	nearly(t, "kjl-8", mat.Trace(product(one, one, one)), trivialValue(t, "kjl-8", s), 1e-12)
	nearly(t, "kjl-12", norm(product(one, one, one)), trivialValue(t, "kjl-12", s), 1e-12)
	for _, key := range []string{"kjl-1", "kjl-7"} {
		nearly(t, key, apart(nothing, c.cube()), trivialValue(t, key, s), 1e-12)
	}
	for _, key := range []string{"kjl-11", "kjl-13"} {
		if v := trivialValue(t, key, s); v != 0 {
			t.Errorf("%s: %v", key, v)
		}
	}
	// Θf has independent coordinates N(0, ⟨f,Σ³f⟩/d): a share δ of 40,000 draws lies
	// beyond, up to 4 standard deviations (one false alarm in 16,000 seeds).
	const draws = 40_000
	beyond, limit := 0, trivialValue(t, "kjl-2", s)
	for range draws {
		if math.Abs(math.Sqrt(math.Pow(0.9, 3)/7)*rng.NormFloat64()) > limit {
			beyond++
		}
	}
	if share := float64(beyond) / draws; math.Abs(share-0.1) > 4*math.Sqrt(0.1*0.9/draws) {
		t.Errorf("the zero sketch has a larger error than %v in %v of draws", limit, share)
	}
}

// Subspaces of a feature space of 5 coordinates, C_m and K of 8 points random or, to
// have the trivial values, of rank 1: from the definitions of math.md §2.
func TestTrivialOfFeatures(t *testing.T) {
	const p, n, ell = 5, 8, 2
	rng := newRand(83)
	for _, rank := range []int{1, 2, 8} {
		largest := 0.0
		for range 500 {
			features := product(gaussians(n, rank, rng), gaussians(rank, p, rng)) // Φ
			second := product(features.T(), features)
			lambda := falling(product(features, features.T()), n) // K = ΦΦᵀ over N
			s := Setting{Population: cosines(lambda), Sizes: sizes.Sizes{N: 100, M: p, Ell: ell}, Delta: 0.1}
			u := frame(p, ell, rng)
			distance, angle := 0.0, 0.0
			inner := product(u.T(), second, u)
			for i := range ell {
				for j := range ell {
					if g := inner.At(i, j) / math.Sqrt(inner.At(i, i)*inner.At(j, j)); i != j {
						distance += g * g
					}
				}
				for j := ell; j < p; j++ { // Φ_ℓ^⊥ of a diagonal C_m
					angle += u.At(j, i) * u.At(j, i)
				}
			}
			largest = max(largest, math.Sqrt(distance))
			objective := 0.0
			for i := range ell {
				y := product(features, mat.DenseCopyOf(u.Slice(0, p, i, i+1)))
				objective += mat.Trace(product(y.T(), features, features.T(), y)) / (n * n) / (inner.At(i, i) / n)
			}
			excess := mat.Sum(mat.NewVecDense(ell, lambda[:ell])) - objective
			for key, v := range map[string]float64{"skp-4.2-b": math.Sqrt(distance), "skp-4.4-a": angle, "skp-4.2-a": excess} {
				if limit := trivialValue(t, key, s); !(v <= limit*(1+1e-8)) { // some functions are nearly 0
					t.Fatalf("%s: %v for some features, trivial value %v", key, v, limit)
				}
			}
		}
		if limit := math.Sqrt(ell * (ell - 1)); rank == 1 && math.Abs(largest-limit) > 1e-6 {
			t.Errorf("the distance is %v for C_m of rank 1, not %v", largest, limit)
		}
	}
	s := Setting{Population: cosines{1, 0.5, 0.2}, Sizes: sizes.Sizes{N: 100, M: p, Ell: 1}, Delta: 0.1}
	if v := trivialValue(t, "skp-4.2-b", s); v != 0 {
		t.Errorf("one function is a projection, distance %v", v)
	}
	nearly(t, "skp-4.2-a", trivialValue(t, "skp-4.2-a", s), 1, 0) // that of the zero projection
}

func gaussians(rows, cols int, rng *rand.Rand) *mat.Dense {
	g := mat.NewDense(rows, cols, nil)
	g.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, g)
	return g
}

// falling are the eigenvalues of K/n.
func falling(gram *mat.Dense, n int) []float64 {
	var svd mat.SVD
	svd.Factorize(gram, mat.SVDNone)
	values := svd.Values(nil)
	for i := range values {
		values[i] /= float64(n)
	}
	return values
}

// All sets of landmarks and all partitions of 8 points into at most 3 clusters, for the
// population of these points: no residual exceeds the trivial values, which landmarks
// that see nothing have, with clusters that are the eigenvectors.
func TestTrivialOfLandmarks(t *testing.T) {
	const n, k = 8, 3
	rng := newRand(84)
	random := gaussians(n, 2, rng)
	all, smooth := partitions(n, k), mat.NewDense(n, n, nil)
	smooth.Apply(func(i, j int, _ float64) float64 {
		a, b := random.RawRowView(i), random.RawRowView(j)
		return math.Exp(-math.Pow(a[0]-b[0], 2) - math.Pow(a[1]-b[1], 2))
	}, smooth)
	groups, labels := mat.NewDense(n, n, nil), []int{0, 0, 0, 0, 1, 1, 1, 2}
	groups.Apply(func(i, j int, _ float64) float64 {
		if labels[i] == labels[j] {
			return 1
		}
		return 0
	}, groups)
	for _, gram := range []*mat.Dense{smooth, groups} {
		s := Setting{Population: cosines(falling(gram, n)), Sizes: sizes.Sizes{N: n, M: 4, K: k}, Delta: 0.1}
		single, several := trivialValue(t, "kkm-lemma-1", s), trivialValue(t, "kkm-lemma-2", s)
		s.K = 0
		whole, trace := trivialValue(t, "kkm-lemma-2-deff", s), trivialValue(t, "kkm-4", s)
		for set := 1; set < 1<<n-1; set++ {
			known, residual, _ := projected(gram, set)
			var left mat.Dense
			left.Sub(gram, known)
			extra := 0.0
			for _, labels := range all {
				extra = max(extra, captured(&left, labels, k)/n)
			}
			if lost := mat.Trace(&left) / n; !(lost <= trace+1e-12) {
				t.Fatalf("landmarks %b: the mean error is %v of %v", set, lost, trace)
			}
			if !(residual <= single+1e-12) || !(extra <= several+1e-12) || !(extra <= whole+1e-12) {
				t.Fatalf("landmarks %b: residual %v of %v, extra cost %v of %v and %v", set, residual, single, extra, several, whole)
			}
		}
		nearly(t, "without landmarks", norm(gram)/n, single, 1e-12)
		nearly(t, "the mean error without landmarks", mat.Trace(gram)/n, trace, 1e-12)
	}
	s := Setting{Population: cosines(falling(groups, n)), Sizes: sizes.Sizes{N: n, K: k}, Delta: 0.1}
	nearly(t, "groups without landmarks", captured(groups, labels, k)/n, trivialValue(t, "kkm-lemma-2", s), 1e-12)
}
