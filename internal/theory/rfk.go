package theory

import (
	"fmt"
	"math"
)

// The theorems of RFK on eigenspaces in L²(P). With τ = log(4/δ) for Theorem 1 and
// log(8/δ) for Theorem 2 they hold with probability 1 − δ.
//
// Deviations, all to the safe side:
//
//   - ρ_i = δ_i ∧ δ_{i−1} throughout, δ_0 = ∞. Theorem 2 defines ρ_i by the larger of
//     both, but its proof takes ρ_i from Theorem A.2, which needs the smaller, as in
//     Theorem 1.
//   - Theorem 2 (ii) ends in (56κ/α)√(κτ/n). Its proof sums ℓ such terms, of which
//     each is at most that: here the term is multiplied by ℓ. The condition on m has
//     τ + ℓ as in the statement, where τ + log ℓ would do.
//   - The simple eigenvalues of (A2) are checked as far as λ_{ℓ+1}; the ranks n − 1
//     and m − 1 of (A3) and (A5), which the proofs do without, are not.
//
// The α of Theorem 2, here a, is free below δ_ℓ, or below the least δ_i in (ii). The
// bound falls in a, and so is given at the largest that the condition on m allows,
// which is the limit of those with which the condition is strict.
func rfk() []Theorem {
	theorems := []Theorem{
		{
			Key: "rfk-1-i", Reference: "RFK Thm 1 (i)", Metric: "eigenspace_l2", Methods: []string{"ekpca"},
			Says:  "the ℓ-eigenspace of empirical kernel PCA has distance at most 14κ²/δ_ℓ·√(2τ/n) from that of the population, in L²(P)",
			Bound: rfkEigenspace, Rate: rfkRate,
		},
		{
			Key: "rfk-1-ii", Reference: "RFK Thm 1 (ii)", Metric: "eigenfunction_l2", Methods: []string{"ekpca"},
			Says:  "the distances of the first ℓ eigenfunctions of empirical kernel PCA from those of the population sum to at most 28κ(Σ 1/ρ_i)√(κτ/n), in L²(P)",
			Bound: rfkEigenfunctions, Rate: rfkRate,
		},
		{
			Key: "rfk-2-i", Reference: "RFK Thm 2 (i)", Metric: "eigenspace_l2", Methods: []string{"rff"},
			Says: "the ℓ-eigenspace of kernel PCA on m random features has a distance of order (m ∧ n)^(−1/2) from that of the population, in L²(P)",
			Open: featureBound, Defaults: featureDefault, MustWith: featureMust,
			Bound: rfkFeatureEigenspace, Rate: rfkFeatureRate,
		},
		{
			Key: "rfk-2-ii", Reference: "RFK Thm 2 (ii)", Metric: "eigenfunction_l2", Methods: []string{"rff"},
			Says: "the distances of the first ℓ eigenfunctions of kernel PCA on m random features from those of the population sum to order (m ∧ n)^(−1/2), in L²(P)",
			Open: featureBound, Defaults: featureDefault, MustWith: featureMust,
			Bound: rfkFeatureEigenfunctions, Rate: rfkFeatureRate,
		},
		{
			Key: "rfk-weak", Reference: "RFK §4, open question", Metric: "recon_l2", Methods: []string{"rff"},
			Says: "weak consistency, open in the paper: at fixed ℓ the excess of T of kernel PCA on m = n^γ random features over its floor falls at least as fast as n^(−(γ ∧ 1)), with fewer features than points",
			Rate: rfkWeakRate,
		},
	}
	for i := range theorems {
		t := &theorems[i]
		t.Sampled, t.Assumes, t.Sizes = true, []string{IndependentSample}, []string{"n", "m", "ell"}
		if t.Methods[0] == "ekpca" {
			t.Sizes = []string{"n", "ell"}
		}
		t.Options = map[string][]string{"center": {"u", "v"}, "features": independentFeatures}
	}
	return theorems
}

// rfkRate is the law of the bounds of Theorem 1 at fixed ℓ, n^(−1/2).
func rfkRate(s Setting) (Rate, error) {
	s.Delta = 0.5 // of no account here
	e, err := newEigen(s, "n", "ell")
	if err != nil {
		return Rate{}, err
	}
	return Rate{Exponent: -0.5, Conditions: append(s.exactly("ell", "0, at fixed ℓ", 0), e.simple())}, nil
}

// rfkFeatureRate is that of Theorem 2, (m ∧ n)^(−1/2). With m below n it falls in n
// as n^(−γ/2) for m = n^γ, and without a γ nothing is said of how it falls.
func rfkFeatureRate(s Setting) (Rate, error) {
	r, err := rfkRate(s)
	if gamma, ok := s.Given["gamma"]; ok {
		r.Exponent *= min(1, gamma)
		r.Conditions = append(r.Conditions, s.atLeast("m", "γ ∧ 1", min(1, gamma))...)
	} else if s.M < s.N {
		r.Exponent = math.NaN()
	}
	return r, err
}

// rfkWeakRate is what RFK leaves open, that the reconstruction error is consistent with
// m = n^γ below n: its excess over the floor is of second order in the errors of Theorem 2,
// n^(−1) and m^(−1). No proof of the paper has it.
func rfkWeakRate(s Setting) (Rate, error) {
	r, err := rfkFeatureRate(s)
	r.Exponent *= 2
	return r, err
}

// rfkEigenspace is Theorem 1 (i).
func rfkEigenspace(s Setting) (Bound, error) {
	e, err := newEigen(s, "n", "ell")
	if err != nil {
		return Bound{}, err
	}
	tau, gap := math.Log(4/s.Delta), e.gaps()[s.Ell-1]
	return atMost(14*e.kappa*e.kappa/gap*math.Sqrt(2*tau/e.n), e.simple(), enoughPoints(e, tau, gap, "δ_ℓ", "4")), nil
}

// rfkEigenfunctions is Theorem 1 (ii).
func rfkEigenfunctions(s Setting) (Bound, error) {
	e, err := newEigen(s, "n", "ell")
	if err != nil {
		return Bound{}, err
	}
	tau, inverse := math.Log(4/s.Delta), 0.0
	for _, rho := range e.neighbours() {
		inverse += 1 / rho
	}
	return atMost(28*e.kappa*inverse*math.Sqrt(e.kappa*tau/e.n), e.simple(), enoughPoints(e, tau, e.leastGap(), "min ρ_i", "4")), nil
}

// rfkFeatureEigenspace is Theorem 2 (i).
func rfkFeatureEigenspace(s Setting) (Bound, error) {
	e, err := newFeatureEigen(s)
	if err != nil {
		return Bound{}, err
	}
	tau, weighted := math.Log(8/s.Delta), 0.0
	for i, rho := range e.neighbours() {
		weighted += e.lambda[i] / rho
	}
	conditions, a := e.separated(tau, tau, e.gaps()[s.Ell-1], "δ_ℓ", "τ")
	approximation := 8 * e.kappa * (math.Sqrt(float64(s.Ell)) + 2*weighted) * math.Sqrt(2*tau/e.m)
	estimation := 14 * e.kappa * e.kappa / a * math.Sqrt(2*tau/e.n)
	return atMost(approximation+estimation, conditions...), nil
}

// rfkFeatureEigenfunctions is Theorem 2 (ii).
func rfkFeatureEigenfunctions(s Setting) (Bound, error) {
	e, err := newFeatureEigen(s)
	if err != nil {
		return Bound{}, err
	}
	tau, ell := math.Log(8/s.Delta), float64(s.Ell)
	inverse, weighted := 0.0, 0.0
	for i, rho := range e.neighbours() {
		inverse += 1 / e.lambda[i]
		weighted += math.Sqrt(e.lambda[i]) / rho
	}
	conditions, a := e.separated(tau, tau+ell, e.leastGap(), "min δ_i", "(τ+ℓ)")
	approximation := 8 * e.kappa * (math.Sqrt(inverse) + 2*weighted) * math.Sqrt(2*tau/e.m)
	estimation := 56 * e.kappa * ell / a * math.Sqrt(e.kappa*tau/e.n)
	return atMost(approximation+estimation, conditions...), nil
}

// enoughPoints is n > 8τ ∨ 392κ²τ/gap².
func enoughPoints(e eigen, tau, gap float64, name, events string) Condition {
	return Condition{
		Left: "n", L: e.n, Relation: More,
		Right: fmt.Sprintf("8τ ∨ 392κ²τ/(%s)² with τ = log(%s/δ)", name, events),
		R:     max(8*tau, 392*e.kappa*e.kappa*tau/(gap*gap)),
	}
}

// separated are the conditions of Theorem 2, and the largest a that they allow:
// gap − κ√(32(ℓ+1)σ/m), σ being τ or τ+ℓ, positive from some m on. Below that m
// the condition on n is shown at its best, a = gap.
func (e eigen) separated(tau, sigma, gap float64, name, sigmaName string) ([]Condition, float64) {
	crowd, square := 32*float64(e.Ell+1)*sigma, e.kappa*e.kappa
	a := gap - e.kappa*math.Sqrt(crowd/e.m)
	reach, shown := a, fmt.Sprintf("%s − κ√(32(ℓ+1)%s/m)", name, sigmaName)
	if !(a > 0) {
		reach, shown = gap, name
	}
	rho := e.leastGap()
	return []Condition{
		e.simple(),
		{Left: "m", L: e.m, Relation: More, Right: "8τ ∨ 512κ²τ/(min ρ_i)² with τ = log(8/δ)", R: max(8*tau, 512*square*tau/(rho*rho))},
		{Left: "m", L: e.m, Relation: More, Right: fmt.Sprintf("32κ²(ℓ+1)%s/(%s)²", sigmaName, name), R: crowd * square / (gap * gap)},
		enoughPoints(e, tau, reach, shown, "8"),
	}, a
}
