package claims

import (
	"strings"
	"testing"

	"mercer/configs"
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
		name    string
		theta   float64
		claim   configs.Claim
		want    Outcome
		words   []string
		without string
	}{
		{"agrees", 0.5, claim(configs.Slope{Equals: num("-theta/alpha")}, "sharp"), Holds, []string{"taken for granted: "}, "claimed is a slope"},
		{"claims another exponent", 0.5, claim(configs.Slope{Equals: num("-0.251")}, "sharp"), Holds, []string{"claimed is a slope = -0.251; TOY Thm 1 gives the exponent -0.25"}, ""},
		{"claims the rate from both sides", 0.5, claim(configs.Slope{Equals: num("-theta/alpha")}, "rate"), Holds, []string{"as an upper bound alone"}, ""},
		{"claims less", 0.5, claim(configs.Slope{AtMost: num("-0.1")}, "rate"), Holds, nil, "claimed is a slope"},
		{"claims more", 0.5, claim(configs.Slope{AtMost: num("-0.3")}, "rate"), Violated, []string{"claimed is a slope <= -0.3"}, ""},
		{"holds where the theorem does not apply", 1.5, claim(configs.Slope{Equals: num("-0.25")}, "rate"), NotApplicable,
			[]string{"TOY Thm 1 does not apply here: θ = 1.5 ≤ 1 fails", "what was measured nevertheless: slope"}, "claimed is"},
		{"violated where the theorem does not apply", 1.5, claim(configs.Slope{Equals: num("3")}, "rate"), NotApplicable, nil, ""},
		{"a bound's theorem", 0.5, claim(configs.Slope{Equals: num("-0.25")}, "toy"), Holds, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.claim.Slope.AtMost != nil {
				tt.claim.Slope.Equals, tt.claim.Slope.Within = nil, nil
			}
			run := powerRun(-0.25, 0.001, 10)
			for i, r := range run.Records {
				run.Records[i].Point = map[string]float64{"n": r.Point["n"], "theta": tt.theta}
				run.Records[i].Metrics.Set("x", results.Metric{Value: r.Metrics.Value("recon_h")})
			}
			v := oneIn(t, tt.claim, run, world)
			wants(t, v, tt.want, tt.words...)
			if all := strings.Join(v.Notes, "\n"); tt.without != "" && strings.Contains(all, tt.without) {
				t.Errorf("notes say %q:\n%s", tt.without, all)
			}
			if v.Theorem != tt.claim.Theorem.Value {
				t.Errorf("theorem %q", v.Theorem)
			}
			if rate := tt.claim.Theorem.Value != "toy"; rate != (v.Conditions != nil) {
				t.Errorf("conditions %+v", v.Conditions)
			}
		})
	}
	run := powerRun(-0.25, 0.001, 10)
	for i, r := range run.Records {
		run.Records[i].Metrics.Set("x", results.Metric{Value: r.Metrics.Value("recon_h")})
	}
	v := oneIn(t, claim(configs.Slope{Equals: num("-0.25")}, "rate"), run, world)
	wants(t, v, Holds, "the conditions of TOY Thm 1 were not checked: needs alpha and theta")
	for _, r := range run.Records {
		r.Point["theta"], r.Point["m"] = 0.5, r.Point["n"]
	}
	v = oneIn(t, claim(configs.Slope{Equals: num("-0.251"), Over: configs.Word{Value: "m"}}, "sharp"), run, world)
	if wants(t, v, Holds); strings.Contains(strings.Join(v.Notes, ""), "claimed is") { // the theorem's exponent is that of n
		t.Errorf("notes %q", v.Notes)
	}
	if _, err := Judge([]configs.Claim{claim(configs.Slope{Equals: num("1")}, "raet")}, powerRun(-0.25, 0.001, 10), world); err == nil || !strings.Contains(err.Error(), `did you mean "rate"?`) {
		t.Errorf("unknown theorem: %v", err)
	}
}
