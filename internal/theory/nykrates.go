package theory

import (
	"fmt"
	"math"
)

// powerLaw are the exponents of a rate: λ_i ~ i^(−α), ℓ = n^(θ/α).
type powerLaw struct {
	alpha, theta float64
	conditions   []Condition
}

// newPowerLaw takes alpha and theta from what is given. Without an alpha the
// eigenvalues follow no power law: a condition that fails. Without a theta
// nothing can be said of ℓ: an error.
func newPowerLaw(s Setting) (powerLaw, error) {
	theta, ok := s.Given["theta"]
	if !ok {
		return powerLaw{}, fmt.Errorf("no theta: the rate is that at ℓ = n^(θ/α)")
	}
	p := powerLaw{alpha: math.NaN(), theta: theta, conditions: []Condition{{Left: "θ", L: theta, Relation: More, Right: "0"}}}
	if p.alpha, ok = s.Given["alpha"]; !ok {
		p.alpha = math.NaN()
		p.conditions = append(p.conditions, Condition{Left: "α (the eigenvalues follow no power law)", L: math.NaN(), Relation: More, Right: "1", R: 1})
		return p, nil
	}
	p.conditions = append(p.conditions,
		Condition{Left: "α", L: p.alpha, Relation: More, Right: "1", R: 1},
		Condition{Left: "θ", L: theta, Relation: AtMost, Right: "α", R: p.alpha})
	p.conditions = append(p.conditions, s.exactly("ell", "θ/α", theta/p.alpha)...)
	return p, nil
}

// elbow is the θ from which on T falls no faster than 1/n.
func (p powerLaw) elbow() float64 { return p.alpha / (2*p.alpha - 1) }

// nykRateH is Corollary 4.2 (ii) and (iii).
func nykRateH(s Setting) (Rate, error) {
	p, err := newPowerLaw(s)
	r := Rate{Exponent: -p.theta * (1 - 1/p.alpha), Sharp: true,
		Conditions: append(p.conditions, s.atLeast("m", "θ ∧ 1", min(p.theta, 1))...)}
	if p.theta >= 1 {
		r.Exponent, r.Log, r.Sharp = -(1 - 1/p.alpha), 1-1/p.alpha, false
	}
	return r, err
}

// nykRateL2 is Corollary 4.5 (ii) and (iii).
func nykRateL2(s Setting) (Rate, error) {
	p, err := newPowerLaw(s)
	r := Rate{Exponent: -2 * p.theta * (1 - 1/(2*p.alpha)), Sharp: true,
		Conditions: append(p.conditions, s.atLeast("m", "θ ∧ α/(2α−1)", min(p.theta, p.elbow()))...)}
	if p.theta > p.elbow() {
		r.Exponent, r.Sharp = -1, false
	}
	return r, err
}

// nykRateFeatures is Corollary 4.5 (iv), for m = n^γ.
func nykRateFeatures(s Setting) (Rate, error) {
	p, err := newPowerLaw(s)
	if err != nil {
		return Rate{}, err
	}
	gamma, ok := s.Given["gamma"]
	if !ok {
		return Rate{}, fmt.Errorf("no gamma: the rate is that at m = n^γ")
	}
	enough := p.theta * (2 - 1/p.alpha)
	p.conditions = append(p.conditions,
		Condition{Left: "γ", L: gamma, Relation: More, Right: "0"},
		Condition{Left: "γ", L: gamma, Relation: AtMost, Right: "1", R: 1})
	p.conditions = append(p.conditions, s.exactly("m", "γ", gamma)...)
	if gamma >= enough && p.theta < p.elbow() {
		return Rate{Exponent: -enough, Sharp: true, Conditions: p.conditions}, nil
	}
	if !math.IsNaN(p.alpha) {
		p.conditions = append(p.conditions, Condition{Left: "γ", L: gamma, Relation: Less, Right: "1 ∧ θ(2−1/α)", R: min(1, enough)})
	}
	return Rate{Exponent: -gamma, Conditions: p.conditions}, nil
}
