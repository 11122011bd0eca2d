package theory

import (
	"math"
	"strings"
	"testing"
)

// Sizes ⌈c·n^e⌉, ⌊c·n^e⌋ and rounded have e between Low and High, whatever c is; a size
// that stays has the exponent 0, and not 0.4. An exact power has its exponent.
func TestGrowthOf(t *testing.T) {
	n := []int{250, 500, 1000, 2000, 4000, 4000}
	sizes := func(f func(n float64) float64) []int {
		var list []int
		for _, v := range n {
			list = append(list, int(f(float64(v))))
		}
		return list
	}
	for _, e := range []float64{-0.2, 0, 0.0625, 0.25, 0.375, 0.5, 1} {
		for _, c := range []float64{1, 2, 7.3} {
			for name, round := range map[string]func(float64) float64{"ceil": math.Ceil, "floor": math.Floor, "round": math.Round} {
				size := sizes(func(n float64) float64 { return max(1, round(c*math.Pow(n, e))) })
				if c*math.Pow(4000, e) < 1 {
					continue // all are 1
				}
				g, ok := GrowthOf(n, size)
				if !ok || !(g.Low <= e+1e-12) || !(g.High >= e-1e-12) || !(g.Low < g.Exponent) || !(g.Exponent < g.High) {
					t.Errorf("%s of %g·n^%g, %v: %+v", name, c, e, size, g)
				}
			}
		}
	}
	g, _ := GrowthOf(n, sizes(func(float64) float64 { return 5 }))
	if math.Abs(g.Exponent) > 1e-15 || g.High > 0.2 || g.Low < -0.2 {
		t.Errorf("5 components: %+v", g)
	}
	g, _ = GrowthOf([]int{100, 10_000, 1_000_000}, []int{10, 100, 1000})
	nearly(t, "exponent of √n", g.Exponent, 0.5, 1e-14)
	nearly(t, "the largest, by hand", g.High, (math.Log(1001)-math.Log(9))/math.Log(1e4), 1e-14)
	nearly(t, "the least, by hand", g.Low, (math.Log(999)-math.Log(11))/math.Log(1e4), 1e-14)
	if _, ok := GrowthOf([]int{100, 100}, []int{5, 6}); ok {
		t.Error("growth at a single n")
	}
}

// Rates apply to records whose sizes grow as the theorem has it, and to none others;
// the condition has both exponents.
func TestRatesAskForGrowth(t *testing.T) {
	given := map[string]float64{"alpha": 2, "theta": 0.75, "gamma": 0.5}
	n := []int{250, 500, 1000, 2000, 4000}
	growth := func(f func(n float64) float64) Growth {
		var list []int
		for _, v := range n {
			list = append(list, int(math.Ceil(f(float64(v)))))
		}
		g, _ := GrowthOf(n, list)
		return g
	}
	power := func(c, e float64) Growth { return growth(func(n float64) float64 { return c * math.Pow(n, e) }) }
	logarithmic := growth(func(n float64) float64 { return math.Pow(n, 0.75) * math.Log(n) / 2 })
	for _, tt := range []struct {
		keys   string
		growth map[string]Growth
		fails  string // empty where it applies
	}{
		{"nyk-4.2-ii nyk-4.5-ii", map[string]Growth{"ell": power(1, 0.375)}, ""},
		{"nyk-4.2-ii nyk-4.5-ii nyk-4.5-iv", map[string]Growth{"ell": power(5, 0)}, "exponent of ell in n, fitted 0.000, largest within rounding = 0.1755 ≥ θ/α = 0.375"},
		{"nyk-4.2-ii nyk-4.5-ii nyk-4.5-iv", map[string]Growth{"ell": power(1, 0.6)}, "fitted 0.594, least within rounding = 0.5767 ≤ θ/α = 0.375"},
		{"nyk-4.2-iii nyk-4.5-iii", map[string]Growth{"ell": power(1, 0.375), "m": logarithmic}, ""},
		{"nyk-4.2-iii nyk-4.5-iii", map[string]Growth{"ell": power(1, 0.375), "m": power(1, 1)}, ""},
		{"nyk-4.2-iii nyk-4.5-iii", map[string]Growth{"ell": power(1, 0.375), "m": power(4, 0.5)}, "exponent of m in n, fitted 0."},
		{"nyk-4.5-iv", map[string]Growth{"ell": power(1, 0.375), "m": power(3, 0.5)}, ""},
		{"nyk-4.5-iv", map[string]Growth{"ell": power(1, 0.375), "m": power(1, 1)}, "exponent of m in n, fitted 1.000, least within rounding"},
		{"rfk-1-i rfk-1-ii rfk-2-i", map[string]Growth{"ell": power(1, 0)}, ""},
		{"rfk-1-i rfk-1-ii rfk-2-i", map[string]Growth{"ell": power(1, 0.375)}, "≤ 0, at fixed ℓ = 0"},
		{"rfk-2-i rfk-weak", map[string]Growth{"ell": power(1, 0), "m": power(16, 0)}, "≥ γ ∧ 1 = 0.5"},
		{"kkm-1 skp-4.3", map[string]Growth{"m": growth(func(n float64) float64 { return math.Sqrt(n) * math.Log(n) })}, ""},
		{"kkm-1 skp-4.3", map[string]Growth{"m": power(16, 0)}, "largest within rounding = 0.0"},
	} {
		for _, key := range strings.Fields(tt.keys) {
			s := Setting{Population: quadratic(), Given: given, Delta: 0.05, Growth: tt.growth}
			s.N, s.M, s.Ell = 4000, 4000, 2
			r, err := Registry[key].Rate(s)
			if err != nil {
				t.Fatal(err)
			}
			var words []string
			for _, c := range Failing(r.Conditions) {
				words = append(words, c.String())
			}
			if text := strings.Join(words, " and "); (tt.fails == "") != r.Applies() || !strings.Contains(text, tt.fails) {
				t.Errorf("%s at %v: failing %q, want %q", key, tt.growth, text, tt.fails)
			}
			s.Growth = nil
			if r, _ := Registry[key].Rate(s); !r.Applies() {
				t.Errorf("%s without records: %v", key, Failing(r.Conditions))
			}
		}
	}
}
