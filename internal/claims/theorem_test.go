package claims

import (
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"mercer/configs"
	"mercer/internal/facts"
	"mercer/internal/theory"
	"mercer/results"
)

func TestSlopeOfATheorem(t *testing.T) {
	// The toy's rate is n^(−θ/α) with α = 2, for θ ≤ 1.
	claim := func(s configs.Slope, theorem string) configs.Claim {
		c := slopeClaim(s)
		c.Slope.Of, c.Theorem = configs.Quantity{Text: "x"}, configs.Word{Value: theorem}
		return c
	}
	world := toyWorld(1)
	tests := []struct {
		name  string
		theta float64
		claim configs.Claim
		want  Outcome
		words []string
	}{
		{"agrees", 0.5, claim(configs.Slope{Equals: num("-theta/alpha")}, "rate"), Holds, nil},
		{"claims more", 0.5, claim(configs.Slope{AtMost: num("-0.3")}, "rate"), Violated, nil},
		{"holds where the theorem does not apply", 1.5, claim(configs.Slope{Equals: num("-0.25")}, "rate"), NotApplicable,
			[]string{"TOY Thm 1 does not apply here: it needs θ = 1.5 ≤ 1"}},
		{"violated where the theorem does not apply", 1.5, claim(configs.Slope{Equals: num("3")}, "rate"), NotApplicable, nil},
		{"a bound's theorem", 0.5, claim(configs.Slope{Equals: num("-0.25")}, "toy"), Holds, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.claim.Slope.AtMost != nil {
				tt.claim.Slope.Equals, tt.claim.Slope.Within = nil, nil
			}
			run := powerRun(-0.25, 0.001, 10)
			set(&run, "theta", func(results.Row) float64 { return tt.theta })
			for i, r := range run.Rows {
				run.Rows[i].Metrics.Set("x", r.Metrics["recon_h"])
			}
			v := oneIn(t, tt.claim, run, world)
			wants(t, v, tt.want, tt.words...)
			if v.Theorem != tt.claim.Theorem.Value {
				t.Errorf("theorem %q", v.Theorem)
			}
		})
	}
	run := powerRun(-0.25, 0.001, 10)
	for i, r := range run.Rows {
		run.Rows[i].Metrics.Set("x", r.Metrics["recon_h"])
	}
	v := oneIn(t, claim(configs.Slope{Equals: num("-0.25")}, "rate"), run, world)
	wants(t, v, Holds, "the conditions of TOY Thm 1 were not checked: needs alpha and theta")
	if _, err := Judge([]configs.Claim{claim(configs.Slope{Equals: num("1")}, "raet")}, powerRun(-0.25, 0.001, 10), world); err == nil || !strings.Contains(err.Error(), `did you mean "rate"?`) {
		t.Errorf("unknown theorem: %v", err)
	}
}

// Theorems that ask how sizes grow, on records whose sizes grow so or otherwise, at a
// slope that contradicts the claim throughout.
func TestTheoremsAskForGrowth(t *testing.T) {
	fixed := func(size float64) func(float64) float64 { return func(float64) float64 { return size } }
	power := func(exponent float64) func(float64) float64 {
		return func(n float64) float64 { return math.Ceil(math.Pow(n, exponent)) }
	}
	for _, tt := range []struct {
		name, theorem, use string
		theta              float64
		ell, m             func(n float64) float64
		want               Outcome
		words              []string
	}{
		{"as the corollary", "nyk-4.2-ii", "ekpca", 0.75, power(0.375), fixed(100), Violated, nil},
		{"fixed components", "nyk-4.2-ii", "ekpca", 0.75, fixed(5), fixed(100), NotApplicable,
			[]string{"NYK Cor 4.2 (ii) does not apply here: it needs exponent of ell in n, fitted 0.000, largest within rounding = 0.1755 ≥ θ/α = 0.375"}},
		{"another power", "nyk-4.2-ii", "ekpca", 0.25, power(0.6), fixed(100), NotApplicable, []string{"≤ θ/α = 0.125"}},
		{"too few landmarks", "nyk-4.2-iii", "nystrom", 0.75, power(0.375), power(0.5), NotApplicable, []string{"exponent of m in n, fitted 0.497, largest within rounding = 0.5295 ≥ θ ∧ 1 = 0.75"}},
		{"enough landmarks", "nyk-4.2-iii", "nystrom", 0.75, power(0.375), power(0.8), Violated, nil},
		{"fixed landmarks", "kkm-1", "nystrom-embedding", 0, fixed(3), fixed(16), NotApplicable, []string{"KKM Thm 1 does not apply here: it needs exponent of m in n, fitted 0.000", "≥ γ = 0.5"}},
		{"landmarks of order √n", "kkm-1", "nystrom-embedding", 0, fixed(3), power(0.5), Violated, nil},
	} {
		rng := stream(5)
		run := fake([]string{"a"}, []string{"n", "theta"}, along("n", 250, 500, 1000, 2000, 4000), 10, func(_ string, p map[string]float64, _ int) map[string]float64 {
			return map[string]float64{"x": math.Exp(0.001*rng.NormFloat64()) * p["n"]}
		})
		uses := map[string]func(float64) float64{"ell": tt.ell, "m": tt.m}
		if tt.use == "ekpca" {
			delete(uses, "m")
		}
		for size, of := range uses {
			set(&run, size, func(r results.Row) float64 { return of(number(r, "n")) })
		}
		set(&run, "theta", func(results.Row) float64 { return tt.theta })
		run.Catalog.Methods = map[string]results.MethodInfo{"a": {Use: tt.use, Uses: append([]string{"n"}, slices.Collect(maps.Keys(uses))...)}}
		v := oneIn(t, configs.Claim{ID: "c", Theorem: configs.Word{Value: tt.theorem}, Slope: &configs.Slope{
			Of: configs.Quantity{Text: "x"}, Over: configs.Word{Value: "n"}, Equals: num("-0.5"), Within: num("0.08"),
		}}, run, Context{})
		t.Log(tt.name)
		wants(t, v, tt.want, tt.words...)
	}
}

// A theorem about independent draws from the population, of claims of every kind: on
// samples that are known not to be such it does not apply.
func TestTheoremsAskForIndependentSamples(t *testing.T) {
	run := fake([]string{"a"}, []string{"n"}, along("n", 200, 400, 800), 80, func(_ string, p map[string]float64, repeat int) map[string]float64 {
		return map[string]float64{"x": 0.01 * math.Pow(p["n"], -1+0.001*float64(repeat%7)), "y": 1}
	})
	claims := map[string]configs.Claim{
		"bound": boundClaim("drawn", nil),
		"slope": {Slope: &configs.Slope{Of: configs.Quantity{Text: "x"}, Over: configs.Word{Value: "n"}, Equals: num("-1"), Within: num("0.1")}},
		"value": {Value: &configs.ValueClaim{Of: configs.Quantity{Text: "x"}, AtMost: num("1")}},
	}
	for kind, c := range claims {
		for name, population := range map[string]*facts.Population{
			"independent": facts.Of(facts.Facts{Kappa: 1, Independent: true}), "without replacement": facts.Of(facts.Facts{Kappa: 1}), "unknown": facts.Unknown(errors.New("no such file")),
		} {
			world := toyWorld(1)
			drawn := world.Theorems["toy"]
			drawn.Key, drawn.Assumes = "drawn", []string{theory.IndependentSample, "Z is normal"}
			drawn.Rate = func(theory.Setting) (theory.Rate, error) { return theory.Rate{Exponent: -1}, nil }
			world.Theorems["drawn"] = drawn
			world.Population = func(string, int) *facts.Population { return population }
			c.ID = "c"
			if kind != "bound" {
				c.Theorem = configs.Word{Value: "drawn"}
			}
			v := oneIn(t, c, run, world)
			switch {
			case name == "without replacement":
				wants(t, v, NotApplicable, "TOY Thm 1 does not apply here: it asks that the sample is drawn independently", "“sample: with_replacement”")
			case kind == "bound" && name == "unknown": // which asks κ
				wants(t, v, Inconclusive)
			default:
				wants(t, v, Holds)
				notes := strings.Join(v.Notes, "\n")
				if granted := strings.Contains(notes, "takes for granted: Z is normal"); granted != (kind != "value") || strings.Contains(notes, theory.IndependentSample) {
					t.Errorf("%s, %s: notes %q", kind, name, notes)
				}
				if upper := strings.Contains(notes, "as an upper bound alone"); upper != (kind == "slope") {
					t.Errorf("%s, %s: notes %q", kind, name, notes)
				}
			}
		}
	}
}
