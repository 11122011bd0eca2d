package theory

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/sizes"
)

func featuresAt(n int) Setting {
	return Setting{Population: cosines{0.5, 0.2, 0.1}, Sizes: sizes.Sizes{N: n, M: 50, Ell: 1}, Delta: 0.1, Given: map[string]float64{
		"skp_feature_1": 0.5, "skp_feature_ell": 0.5, "skp_feature_next": 0.2, "skp_feature_longest": 0.9, "skp_feature_spread": 6 * 0.5 / 0.25,
	}}
}

// The bounds written out a second time, at an n where all conditions hold.
func TestSKPByHand(t *testing.T) {
	const n = 5_000_000_000
	s := featuresAt(n)
	q := func(delta float64) float64 {
		return 0.5 * 0.9 / 0.09 * math.Pow(math.Log(2*100/delta), 2)
	}
	near(t, "skp-4.4-a", bound(t, "skp-4.4-a", s).Upper, q(0.1)/n)
	distance := 0.5 / (math.Sqrt2 - 1) * 12 * math.Sqrt(q(0.05)/n)
	near(t, "skp-4.2-b", bound(t, "skp-4.2-b", s).Upper, distance)
	b := 4 / 0.3
	near(t, "skp-4.2-a", bound(t, "skp-4.2-a", s).Upper, 24*math.Sqrt((4-0.3)/50)+11*math.Log(2/0.1)*(2+b)/50+0.5*distance)
	s.Given["tau"] = 1
	b = 1 / 0.3
	near(t, "skp-4.2-a at τ = 1", bound(t, "skp-4.2-a", s).Upper, 24*math.Sqrt((1-0.3)/50)+11*math.Log(2/0.1)*(1+b)/50+0.5*distance)
}

// Mercer features of which τ²/2 = Σλ is not tr C are not orthonormal on the population.
func TestMercerFeaturesMustBeOrthonormal(t *testing.T) {
	s := featuresAt(5_000_000_000)
	s.Given["mercer"] = 1
	for tau, refused := range map[float64]bool{math.Sqrt(2 * 0.8): false, 1.265: false, math.Sqrt(2 * 0.9): true, math.Sqrt(2 * 0.7): true} {
		s.Given["tau"] = tau
		if _, err := Registry["skp-4.2-a"].Bound(s); (err != nil) != refused {
			t.Errorf("τ = %g: %v", tau, err)
		}
	}
}

func TestSKPConditions(t *testing.T) {
	for _, tt := range []struct {
		key     string
		with    func(s *Setting)
		failing int
	}{
		{"skp-4.4-a", func(s *Setting) { s.N = 10 }, 1},
		{"skp-4.4-a", func(s *Setting) { s.Given["skp_feature_next"] = 0.5 }, 1}, // no gap
		{"skp-4.2-b", func(s *Setting) { s.N = 100_000 }, 1},
		{"skp-4.2-a", func(s *Setting) { s.N = 100_000 }, 1},
		{"skp-4.2-a", func(s *Setting) { s.Population = cosines{0.5, 0.5, 0.1} }, 1},
	} {
		s := featuresAt(1_000_000_000)
		if b := bound(t, tt.key, s); !b.Applies() {
			t.Fatalf("%s does not apply: %v", tt.key, Failing(b.Conditions))
		}
		tt.with(&s)
		if b := bound(t, tt.key, s); b.Applies() || !math.IsNaN(b.Upper) || len(Failing(b.Conditions)) != tt.failing {
			t.Errorf("%s: %v, failing %v", tt.key, b.Upper, Failing(b.Conditions))
		}
		delete(s.Given, "skp_feature_longest")
		if _, err := Registry[tt.key].Bound(s); err == nil {
			t.Errorf("%s without a measured τ²", tt.key)
		}
	}
}

// Features z = (c·s, √(1−c²)·s', …) with independent signs have C_m = diag and ‖z‖ =
// 1; their empirical second moment has Gaussian-like off-diagonal entries. None of
// 200 repeats may leave the bound more often than 22 times at δ = 0.05, by chance
// 4e-4 at coverage 0.95; the seed is fixed. The bound is loose by the factor
// log²(2p/δ)/λ_2 and more.
func TestAngleCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 1))
	const n, repeats = 1500, 200
	lambda := []float64{0.7, 0.2, 0.1}
	s := Setting{Population: cosines{1}, Sizes: sizes.Sizes{N: n, M: 2, Ell: 1}, Delta: 0.05, Given: map[string]float64{
		"skp_feature_1": 0.7, "skp_feature_ell": 0.7, "skp_feature_next": 0.2, "skp_feature_longest": 1,
	}}
	b := bound(t, "skp-4.4-a", s)
	if !b.Applies() {
		t.Fatal(Failing(b.Conditions))
	}
	failures, largest := 0, 0.0
	for range repeats {
		second := mat.NewSymDense(3, nil)
		z := mat.NewVecDense(3, nil)
		for range n {
			for i, v := range lambda {
				z.SetVec(i, math.Copysign(math.Sqrt(v), rng.Float64()-0.5))
			}
			second.SymRankOne(second, 1./n, z)
		}
		var e mat.EigenSym
		e.Factorize(second, true)
		var vectors mat.Dense
		e.VectorsTo(&vectors)
		angle := 1 - math.Pow(vectors.At(0, 2), 2)
		largest = max(largest, angle)
		if angle > b.Upper {
			failures++
		}
	}
	if failures > 22 || largest < 1e-4 {
		t.Errorf("%d failures of %d, largest angle %v, bound %v", failures, repeats, largest, b.Upper)
	}
}

// C' of Mercer features from its definition: the covariance of the matrices
// z_i⊗z_i = s·E_ii under p_i = λ_i/s, as a matrix of moments over i; E⟨z,z'⟩⁴ by
// enumeration; and κ by the infimum over all h. The code's κ lies between that and
// the one whose h is shifted by one.
func TestFourthMomentOfMercerFeatures(t *testing.T) {
	for _, c := range []cosines{{0.5, 0.2, 0.1}, {1, 0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625}, {0.3, 0.29, 0.001}} {
		s, p := c.sum(1), len(c)
		second := mat.NewSymDense(p, nil)
		fourth := 0.0
		for i, v := range c {
			for j, w := range c {
				moment := -v * w // −(E C_1)⊗(E C_1)
				if i == j {
					moment += v / s * s * s
					fourth += v / s * w / s * s * s * s * s // ⟨z_i, z_j⟩ = s·1{i = j}
				}
				second.SetSym(i, j, moment)
			}
		}
		var e mat.EigenSym
		e.Factorize(second, false)
		rising := e.Values(nil)
		for ell := 1; ell < p; ell++ {
			for _, m := range []int{1, 10, 1000, 1_000_000} {
				a, err := approximation(Setting{Population: c, Sizes: sizes.Sizes{M: m, Ell: ell}, Given: map[string]float64{"mercer": 1}})
				if err != nil {
					t.Fatal(err)
				}
				b := math.Sqrt(fourth) / (c[ell-1] - c[ell])
				near(t, "B", a.b, b)
				exact, shifted := math.Inf(1), math.Inf(1)
				for h := 0; h <= p; h++ {
					tail := 0.0
					for _, v := range rising[:p-h] {
						tail += max(v, 0)
					}
					root := math.Sqrt(float64(ell) / float64(m) * tail)
					exact = min(exact, b*float64(h)/float64(m)+root)
					if shifted = min(shifted, b*float64(h+1)/float64(m)+root); h == 0 {
						shifted = min(shifted, root)
					}
				}
				if got := a.kappa(); !(got >= exact*(1-1e-9)) || !(got <= shifted*(1+1e-9)) {
					t.Errorf("%v, ℓ = %d, m = %d: κ is %v, between %v and %v", c, ell, m, got, exact, shifted)
				}
			}
		}
		trace := 0.0
		for _, v := range rising {
			trace += v
		}
		if a, _ := approximation(Setting{Population: c, Sizes: sizes.Sizes{M: 10, Ell: 1}, Given: map[string]float64{"mercer": 1}}); math.Abs(a.tails[0]-trace) > 1e-12 {
			t.Errorf("tr C' is %v, want %v", a.tails[0], trace)
		}
	}
}

// Offset Fourier features √2cos(ωx + b) on 5 points with their kernel: what is known
// of their fourth moment by |z| ≤ √2 alone is no less than the moment itself, from
// 20000 draws.
func TestFourthMomentIsBoundedByTau(t *testing.T) {
	rng := rand.New(rand.NewPCG(42, 1))
	x := []float64{-1.2, -0.3, 0.1, 0.4, 2}
	n := len(x)
	gram := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			gram.SetSym(i, j, math.Exp(-math.Pow(x[i]-x[j], 2)/2)/float64(n))
		}
	}
	var e mat.EigenSym
	e.Factorize(gram, false)
	lambda := make(cosines, n)
	for i, v := range e.Values(nil) {
		lambda[n-1-i] = v
	}
	a, err := approximation(Setting{Population: lambda, Sizes: sizes.Sizes{M: 10, Ell: 1}})
	if err != nil {
		t.Fatal(err)
	}
	draw := func() []float64 {
		omega, shift, z := rng.NormFloat64(), 2*math.Pi*rng.Float64(), make([]float64, n)
		for i := range z {
			z[i] = math.Sqrt2 * math.Cos(omega*x[i]+shift)
		}
		return z
	}
	inner := func(a, b []float64) (sum float64) {
		for i := range a {
			sum += a[i] * b[i] / float64(n)
		}
		return sum
	}
	const draws = 20_000
	fourth, square := 0.0, 0.0
	for range draws {
		z, other := draw(), draw()
		fourth += math.Pow(inner(z, other), 4) / draws
		square += math.Pow(inner(z, z), 2) / draws
	}
	if trace := square - lambda.sum(2); !(trace <= a.tails[0]) || !(trace > a.tails[0]/10) {
		t.Errorf("tr C' is %v, bounded by %v", trace, a.tails[0])
	}
	if b := math.Sqrt(fourth) / (lambda[0] - lambda[1]); !(b <= a.b) || !(b > a.b/10) {
		t.Errorf("B is %v, bounded by %v", b, a.b)
	}
}

func TestSKPRates(t *testing.T) {
	for gamma, want := range map[float64]float64{0.3: -0.3, 0.5: -0.5, 1: -0.5} {
		r, err := Registry["skp-4.3"].Rate(Setting{Given: map[string]float64{"gamma": gamma}})
		if err != nil || r.Exponent != want || r.Sharp {
			t.Errorf("gamma = %v: %v, %v", gamma, r, err)
		}
	}
	if r, err := Registry["skp-4.4-b"].Rate(Setting{}); err != nil || r.Exponent != -1 {
		t.Error(r, err)
	}
}
