package theory

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"mercer/data"
	"mercer/internal/kernel"
	"mercer/internal/sizes"
)

// byHand are the statements as the papers print them, for a series population of
// finitely many eigenvalues: N_{C,∞} = 2N_Σ, κ = 2Σλ. Each returns the upper end at
// t, and whether the conditions allow this t.
var byHand = map[string]func(lambda []float64, s Setting, t float64) (float64, bool){
	"nyk-4.1-ii": func(lambda []float64, s Setting, t float64) (float64, bool) {
		n, d, k := float64(s.N), s.Delta/5, kappaOf(lambda)
		return 3*dimensionOf(lambda, t)*(lambda[s.Ell]+t) + 32*k*math.Log(2/d)/n, t >= 140*k/n*math.Log(16*k*n/d) && t <= lambda[0]
	},
	"nyk-4.1-iii": func(lambda []float64, s Setting, t float64) (float64, bool) {
		n, d, k := float64(s.N), s.Delta/11, kappaOf(lambda)
		return 6*dimensionOf(lambda, t)*(lambda[s.Ell]+9*t) + 32*k*math.Log(2/d)/n, landmarksAllow(lambda, s, t, d)
	},
	"nyk-4.3-ii": func(lambda []float64, s Setting, t float64) (float64, bool) {
		n, d, k := float64(s.N), s.Delta/3, kappaOf(lambda)
		return 9*dimensionOf(lambda, t)*math.Pow(lambda[s.Ell]+t, 2) + 64*k*k*math.Log(2/d)/n, t >= 140*k/n*math.Log(16*k*n/d) && t <= lambda[0]
	},
	"nyk-4.3-iii": func(lambda []float64, s Setting, t float64) (float64, bool) {
		n, m, d, k := float64(s.N), float64(s.M), s.Delta/12, kappaOf(lambda)
		l, dim := math.Log(2/d), dimensionOf(lambda, t)
		a := dim + 16*k*l/(t*m) + math.Sqrt(8*k*dim*l/(t*m))
		value := 162*a*math.Pow(lambda[s.Ell]+t, 2) + 640*k*k*l/(3*n) + 256*k*k*l/m
		return value, t >= 140*k/n*math.Log(16*k*n/d) && t >= 86*k/m*math.Log(16*k*m/d) && t <= lambda[0]/3
	},
	"nyk-4.4": func(lambda []float64, s Setting, t float64) (float64, bool) {
		n, d, k := float64(s.N), s.Delta/11, kappaOf(lambda)
		return 36*dimensionOf(lambda, t)*math.Pow(lambda[s.Ell]+9*t, 2) + 32*k*k*math.Log(2/d)/n, landmarksAllow(lambda, s, t, d)
	},
}

func kappaOf(lambda []float64) float64 {
	sum := 0.0
	for _, v := range lambda {
		sum += 2 * v
	}
	return sum
}

func dimensionOf(lambda []float64, t float64) float64 {
	sum := 0.0
	for _, v := range lambda {
		sum += v / (v + t)
	}
	return sum
}

// landmarksAllow has the condition of Lemma A.1 at n and at m, and the paper's own
// on m, both parts of it.
func landmarksAllow(lambda []float64, s Setting, t, d float64) bool {
	n, m, k := float64(s.N), float64(s.M), kappaOf(lambda)
	return t >= 140*k/n*math.Log(16*k*n/d) && t >= 9*k/n*math.Log(n/d) && t >= 140*k/m*math.Log(16*k*m/d) && t <= lambda[0] &&
		m >= math.Max(67, 10*dimensionOf(lambda, t))*math.Log(4*k/(t*d)) && m >= 140*k/t*math.Log(8/(t*d))
}

// Over a grid of 20,000 values of t, nothing allowed is below the bound, and the
// best of them is within the grid's step, 1e-3 of t, of it: of second order in a
// minimum inside, of first order at an end of the range.
func TestNykBoundsByHand(t *testing.T) {
	lambda := []float64{1, 0.1, 0.02, 0.003, 1e-3, 1e-5}
	population := finite(lambda...)
	for key, statement := range byHand {
		for _, nm := range [][2]int{{20_000, 15_000}, {1_000_000, 30_000}, {3_000_000_000, 2_000_000_000}} {
			for ell := 1; ell <= 5; ell++ {
				s := Setting{Population: population, Sizes: sizes.Sizes{N: nm[0], M: nm[1], Ell: ell}, Delta: 0.05}
				if key == "nyk-4.3-iii" {
					s.N, s.M = s.N*1000, s.M*1_000_000
				}
				b, err := Registry[key].Bound(s)
				if err != nil {
					t.Fatal(err)
				}
				least := math.Inf(1)
				for i := range 20_001 {
					if v, allowed := statement(lambda, s, math.Pow(10, -9*float64(i)/20_000)); allowed {
						least = min(least, v)
					}
				}
				if b.Applies() != !math.IsInf(least, 1) {
					// 4.3 (iii) has one more condition, on m and the tail.
					if key != "nyk-4.3-iii" || float64(s.M) > 1024*kappaOf(lambda)*kappaOf(lambda)/must(population.Tail(2, ell))*math.Log(24/s.Delta) {
						t.Errorf("%s at n = %d, m = %d: applies %v, by hand %g", key, s.N, s.M, b.Applies(), least)
					}
					continue
				}
				if b.Applies() && !(b.Upper <= least*(1+1e-12) && b.Upper >= least*(1-3e-3)) {
					t.Errorf("%s at n = %d, m = %d, ℓ = %d: bound %.10g, by hand %.10g", key, s.N, s.M, ell, b.Upper, least)
				}
			}
		}
	}
}

func TestNykLowerEnds(t *testing.T) {
	s := Setting{Population: finite(1, 0.1, 0.02), Sizes: sizes.Sizes{N: 1e9, M: 1e9, Ell: 1}, Delta: 0.02}
	for key, want := range map[string]float64{
		"nyk-4.1-ii": 0.12, "nyk-4.1-iii": 0.12, "nyk-4.3-ii": 0.0104, "nyk-4.4": 0.0104, "nyk-4.3-iii": 0.0026,
		"nyk-4.1-i": 0.12, "nyk-4.3-i": 0.0104,
	} {
		nearly(t, key, applied(t, key, s).Lower, want, 1e-14)
	}
	for _, key := range []string{"nyk-4.1-i", "nyk-4.3-i"} {
		if b := applied(t, key, s); b.Upper != b.Lower {
			t.Errorf("%s: [%g, %g]", key, b.Lower, b.Upper)
		}
	}
}

// At n = 1000 the range of t is empty; the numbers are by hand: κ = 3, so that
// 140·3/1000·log(16·11·3·1000/0.05) = 0.42·log(1.056e7) = 6.792, the same at m = 100
// is 4.2·log(1.056e6) = 58.25.
func TestNykConditionsInWords(t *testing.T) {
	s := Setting{Population: finite(1, 0.5), Sizes: sizes.Sizes{N: 1000, M: 100, Ell: 1}, Delta: 0.05}
	want := "[140κ/n·log(176(κ∨1)n/δ) = 6.792 ≤ ‖Σ‖ = 1 140κ/m·log(176(κ∨1)m/δ) = 58.25 ≤ ‖Σ‖ = 1]"
	if got := failing(t, "nyk-4.1-iii", s); got != want {
		t.Errorf("conditions\n%s, want\n%s", got, want)
	}
	s.N = 8
	if got := failing(t, "nyk-4.1-ii", s); !strings.Contains(got, "n = 8 ≥ 2log(10/δ) = 10.6") {
		t.Errorf("conditions %s", got)
	}
	s.N, s.M, s.Given = 1e9, 1e6, map[string]float64{"feature_bound": 2}
	// κ = 6 by its features: 1024·36/0.25·log(24/0.05) = 9.1e5.
	if got := failing(t, "nyk-4.3-iii", Setting{Population: s.Population, Sizes: sizes.Sizes{N: s.N, M: 900_000, Ell: 1}, Delta: 0.05, Given: s.Given}); got != "[m = 9e+05 ≥ (2 ∨ 1024κ²/Σ_{i>ℓ}λ_i²)·log(24/δ) = 9.104e+05]" {
		t.Errorf("conditions %s", got)
	}
	applied(t, "nyk-4.3-iii", s)
	s.N, s.Given = 15_000, nil // 140·3/15000·log(192·3·15000/0.05) = 0.5311
	if got := failing(t, "nyk-4.3-iii", s); got != "[140κ/n·log(192(κ∨1)n/δ) = 0.5311 ≤ ‖Σ‖/3 = 0.3333]" {
		t.Errorf("conditions %s", got)
	}
	s.N, s.Given = 1e9, map[string]float64{}
	s.Given["feature_bound"] = 0.5
	if _, err := Registry["nyk-4.3-iii"].Bound(s); err == nil || !strings.Contains(err.Error(), "feature_bound = 0.5") {
		t.Errorf("error %v", err)
	}
}

// Where eigenvalues are equal no statement on eigenspaces applies, at any size.
func TestEqualEigenvalues(t *testing.T) {
	s := Setting{Population: finite(0.5, 0.5, 0.25), Sizes: sizes.Sizes{N: 1e12, M: 1e12, Ell: 2}, Delta: 0.05}
	for _, key := range []string{"nyk-4.1-ii", "nyk-4.1-iii", "nyk-4.3-ii", "nyk-4.3-iii", "nyk-4.4", "rfk-1-i", "rfk-1-ii", "rfk-2-i", "rfk-2-ii"} {
		if got := failing(t, key, s); !strings.Contains(got, "least of δ_i = (λ_i − λ_{i+1})/2 for i ≤ ℓ = 0 > 0") {
			t.Errorf("%s: conditions %s", key, got)
		}
	}
}

func TestSettingsRefused(t *testing.T) {
	population := finite(1, 0.5)
	for _, c := range []struct {
		setting Setting
		want    string
	}{
		{Setting{Sizes: sizes.Sizes{N: 10, M: 10, Ell: 1}, Delta: 0.1}, "no population"},
		{Setting{Population: population, Sizes: sizes.Sizes{N: 10, M: 10, Ell: 1}}, "delta = 0"},
		{Setting{Population: population, Sizes: sizes.Sizes{N: 10, M: 10, Ell: 1}, Delta: 1}, "delta = 1"},
		{Setting{Population: population, Sizes: sizes.Sizes{N: 10, M: 10}, Delta: 0.1}, "ell = 0"},
		{Setting{Population: population, Sizes: sizes.Sizes{N: 10, Ell: 1}, Delta: 0.1}, "m = 0"},
		{Setting{Population: population, Sizes: sizes.Sizes{M: 10, Ell: 1}, Delta: 0.1}, "n = 0"},
	} {
		for _, key := range []string{"nyk-4.1-iii", "nyk-4.4", "nyk-4.3-iii", "rfk-2-i", "rfk-2-ii"} {
			if _, err := Registry[key].Bound(c.setting); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: error %v, want %q", key, err, c.want)
			}
		}
	}
}

// More points never hurt, and the bound stays above its lower end.
func TestNykBoundsFallInN(t *testing.T) {
	for _, population := range []data.Population{
		opened(&data.GaussianOptions{Std: 1, Sigma: 1}), opened(&data.SeriesOptions{Decay: &kernel.Decay{Power: new(2.0)}}), finite(1, 0.1, 0.02),
	} {
		for _, key := range []string{"nyk-4.1-ii", "nyk-4.1-iii", "nyk-4.3-ii", "nyk-4.4", "nyk-4.3-iii"} {
			previous := math.Inf(1)
			for n := 1_000_000_000; n <= 1_000_000_000_000_000; n *= 100 {
				b := applied(t, key, Setting{Population: population, Sizes: sizes.Sizes{N: n, M: n, Ell: 2}, Delta: 0.05})
				if !(b.Upper < previous && b.Upper > b.Lower && b.Lower > 0) {
					t.Errorf("%s, %s, n = %d: [%g, %g] after %g", population, key, n, b.Lower, b.Upper, previous)
				}
				previous = b.Upper
			}
			if key == "nyk-4.1-ii" && strings.Contains(fmt.Sprint(population), "lambda = [") { // t → 0: N_Σ → 3, the rank
				nearly(t, "limit", previous, 3*3*0.02, 1e-3)
			}
		}
	}
}

// The rates by numbers: the least over t ≥ log n/n of what the proofs bound the
// error by, between n = 10^200 and 10^260 on log-log axes, where the constants and
// the logarithms that are left out change the slope by less than 0.02.
func TestRatesByTheBoundsTheyComeFrom(t *testing.T) {
	const ln1, ln2 = 200 * math.Ln10, 260 * math.Ln10
	slope := func(f func(ln, lt float64) float64, log, gamma float64) float64 {
		least := func(ln float64) float64 {
			low, best := max(math.Log(ln)-ln, math.Log(gamma*ln)-gamma*ln), math.Inf(1)
			for i := range 100_001 {
				best = min(best, f(ln, low*float64(i)/100_000))
			}
			return best - log*math.Log(ln)
		}
		return (least(ln2) - least(ln1)) / (ln2 - ln1)
	}
	largest := func(logs ...float64) float64 { // log of a sum, as good as
		top := math.Inf(-1)
		for _, v := range logs {
			top = max(top, v)
		}
		return top
	}
	for _, alpha := range []float64{1.5, 2, 4} {
		for _, theta := range []float64{0.3, 0.55, 0.6, 0.75, 1, 1.3} {
			given := map[string]float64{"alpha": alpha, "theta": theta}
			inH := func(ln, lt float64) float64 { return largest(-lt/alpha+largest(-theta*ln, lt), -ln) }
			inL2 := func(ln, lt float64) float64 { return largest(-lt/alpha+2*largest(-theta*ln, lt), -ln) }
			for _, key := range []string{"nyk-4.2-ii", "nyk-4.2-iii", "nyk-4.5-ii", "nyk-4.5-iii"} {
				f, floor := inH, -theta*(1-1/alpha)
				if strings.HasPrefix(key, "nyk-4.5") {
					f, floor = inL2, -2*theta*(1-1/(2*alpha))
				}
				r := must(Registry[key].Rate(Setting{Given: given}))
				if got := slope(f, r.Log, 1); !r.Applies() || !(math.Abs(got-r.Exponent) < 0.02) {
					t.Errorf("%s at %v: exponent %g, by numbers %g, conditions %v", key, given, r.Exponent, got, r.Conditions)
				}
				if sharp := math.Abs(r.Exponent-floor) < 1e-12 && r.Log == 0; r.Sharp != sharp {
					t.Errorf("%s at %v: sharp %v, floor %g, exponent %g", key, given, r.Sharp, floor, r.Exponent)
				}
			}
			for _, gamma := range []float64{0.2, 0.5, 0.9} {
				f := func(ln, lt float64) float64 {
					return largest(largest(-lt/alpha, -lt-gamma*ln)+2*largest(-theta*ln, lt), -ln, -gamma*ln)
				}
				r := must(Registry["nyk-4.5-iv"].Rate(Setting{Given: map[string]float64{"alpha": alpha, "theta": theta, "gamma": gamma}}))
				if got := slope(f, 0, gamma); !r.Applies() || !(math.Abs(got-r.Exponent) < 0.02) {
					t.Errorf("nyk-4.5-iv at %v, γ = %g: exponent %g, by numbers %g", given, gamma, r.Exponent, got)
				}
			}
		}
	}
}

func TestRatesThatDoNotApply(t *testing.T) {
	for _, c := range []struct {
		key   string
		given map[string]float64
		want  string // of the failing conditions, or of the error
	}{
		{"nyk-4.2-ii", map[string]float64{"theta": 0.5}, "no power law"},
		{"nyk-4.5-iv", map[string]float64{"theta": 0.5, "gamma": 0.5}, "no power law"},
		{"nyk-4.2-ii", map[string]float64{"theta": 0.5, "alpha": 1}, "α = 1 > 1"},
		{"nyk-4.5-ii", map[string]float64{"theta": 3, "alpha": 2}, "θ = 3 ≤ α = 2"},
		{"nyk-4.5-iii", map[string]float64{"theta": 0, "alpha": 2}, "θ = 0 > 0"},
		{"nyk-4.5-iv", map[string]float64{"theta": 1, "alpha": 2, "gamma": 1}, "γ = 1 < 1 ∧ θ(2−1/α) = 1"},
		{"nyk-4.5-iv", map[string]float64{"theta": 0.5, "alpha": 2, "gamma": 1.5}, "γ = 1.5 ≤ 1"},
		{"nyk-4.2-iii", map[string]float64{"alpha": 2}, "no theta"},
		{"nyk-4.5-iv", map[string]float64{"theta": 0.5, "alpha": 2}, "no gamma"},
	} {
		r, err := Registry[c.key].Rate(Setting{Given: c.given})
		if got := fmt.Sprint(Failing(r.Conditions), err); !strings.Contains(got, c.want) || err == nil && r.Applies() {
			t.Errorf("%s of %v: %s, want %q", c.key, c.given, got, c.want)
		}
	}
}

// Errors scale with the kernel, in L² by its square, and so do the bounds of
// kernels with κ ≤ 1: there no logarithm depends on the unit.
func TestNykBoundsScaleWithTheKernel(t *testing.T) {
	of := func(key string, c float64) float64 {
		return applied(t, key, Setting{Population: finite(0.1*c, 0.05*c, 0.01*c), Sizes: sizes.Sizes{N: 1e8, M: 1e8, Ell: 1}, Delta: 0.05}).Upper
	}
	for key, power := range map[string]float64{"nyk-4.1-ii": 1, "nyk-4.1-iii": 1, "nyk-4.3-ii": 2, "nyk-4.3-iii": 2, "nyk-4.4": 2} {
		nearly(t, key, of(key, 0.01), of(key, 1)*math.Pow(0.01, power), 1e-12)
	}
}
