package theory

import (
	"fmt"
	"math"
	"slices"
)

// SKP's k is ℓ here, its C is uncentred, with eigenvalues λ̄_i, and C_m is that of
// the features on the population, with eigenvalues λ_i, gap = λ_ℓ − λ_{ℓ+1}. Where
// the paper has log(δ/2) and log(δ/2m), which are negative, log(2/δ) and log(2m/δ)
// are meant: these are what its sources have.

var spectrumOfFeatures = []string{"skp_feature_1", "skp_feature_ell", "skp_feature_next", "skp_feature_longest"}

func skp() []Theorem {
	erm, oja := []string{"rff"}, []string{"rf-oja"}
	theorems := []Theorem{
		{
			Key: "skp-4.2-a", Reference: "SKP Thm 4.2 (a), with Cor 4.4 (a)",
			Says:   "excess risk ≤ 24κ(B_ℓ,ℓ,m) + 11 log(2/δ)(τ² + B_ℓ)/m + λ̄_1·(bound of skp-4.2-b)",
			Metric: "skp_excess", Methods: erm,
			Open: map[string]string{
				"tau":    "τ, the supremum of |z(x,ω)|: √(2k(x,x)) for Fourier features (default √2), √(2Σλ) for Mercer features of the series population",
				"mercer": "1 for Mercer features of the series population, or of atoms with equal masses, whose C' and B_ℓ are known in closed form; 0 (default) bounds both by τ",
			},
			Defaults: map[string]float64{"tau": math.Sqrt2, "mercer": 0}, MustWith: map[string][2]string{"tau": {"features", "mercer"}},
			Uses:  append([]string{"skp_feature_spread"}, spectrumOfFeatures...),
			Bound: skpExcess,
		},
		{
			Key: "skp-4.2-b", Reference: "SKP Thm 4.2 (b), Lemma C.5, with Cor 4.4 (a)",
			Says:   "d(𝔏P̂, P^ℓ) ≤ λ_1/(√2−1)·(Σ_{i≤ℓ} ((2λ_i+4λ_1)/λ_i²)²)^{1/2}·√(q/n), q = ℓλ_1τ²/gap²·log²(4p/δ) for p feature coordinates",
			Metric: "skp_gram_distance", Methods: erm,
			Uses:  append([]string{"skp_feature_spread"}, spectrumOfFeatures...),
			Bound: skpDistance,
		},
		{
			Key: "skp-4.3", Reference: "SKP Cor 4.3",
			Says:   "the excess risk is at most of order n^(−1/2), up to logarithms, with m = √n log n features; with fewer, m = n^γ, it is at most of order n^(−γ) (Lemma C.4)",
			Metric: "skp_excess", Methods: slices.Concat(erm, oja),
			Assumes: []string{"the eigenvalues of C', the fourth moment of the features, fall exponentially"},
			Rate:    skpRate,
		},
		{
			Key: "skp-4.4-a", Reference: "SKP Cor 4.4 (a), Lemmas D.1 and D.2",
			Says:   "RF-ERM: ‖(Φ_ℓ^⊥)ᵀU‖²_F ≤ ℓλ_1τ²/(gap²n)·log²(2p/δ) for p feature coordinates",
			Metric: "skp_feature_angle", Methods: erm,
			Uses:  spectrumOfFeatures,
			Bound: skpAngle,
			Rate:  func(Setting) (Rate, error) { return Rate{Exponent: -1}, nil },
		},
		{
			Key: "skp-4.4-b", Reference: "SKP Cor 4.4 (b)",
			Says:   "RF-Oja: ‖(Φ_ℓ^⊥)ᵀU‖²_F is at most of order Λ/(gap²n) up to logarithms, Λ = Σ_{i≤ℓ} λ_i",
			Metric: "skp_feature_angle", Methods: oja, Assumes: []string{"the learning rates are those of SKP Thm D.3, and its first phases have passed"},
			Rate: func(Setting) (Rate, error) { return Rate{Exponent: -1}, nil },
		},
	}
	for i := range theorems {
		t := &theorems[i]
		t.Sampled, t.Sizes, t.Options = true, []string{"n", "m", "ell"}, map[string][]string{"center": {"none"}}
		t.Assumes = append([]string{IndependentSample}, t.Assumes...)
		if t.Key == "skp-4.2-a" { // single functions: cosine and sine of one frequency are not independent
			t.Options["features"] = []string{"offset", "mercer"}
		}
	}
	return theorems
}

func skpRate(s Setting) (Rate, error) {
	gamma, conditions := s.gamma()
	return Rate{Exponent: -min(0.5, gamma), Log: 1, Conditions: conditions}, nil
}

// inFeatureSpace is what the bounds have in common at a setting.
type inFeatureSpace struct {
	n, m, ell              float64
	first, last, gap, tau2 float64 // λ_1, λ_ℓ, gap, τ²
	logarithm, q, epsilon  float64
}

// coordinates of a feature: two of a frequency, at most.
const coordinates = 2

// featureSpace is RF-ERM at failure probability δ of Lemma D.1.
//
// τ² is the largest ‖z(x)‖² of the features drawn, all that the lemma uses.
func featureSpace(s Setting, delta float64) (f inFeatureSpace, err error) {
	if err := s.check("n", "m", "ell"); err != nil {
		return f, err
	}
	f = inFeatureSpace{n: float64(s.N), m: float64(s.M), ell: float64(s.Ell)}
	given, err := allNeeded(s, spectrumOfFeatures...)
	if err != nil {
		return f, err
	}
	f.first, f.last, f.gap, f.tau2 = given[0], given[1], given[1]-given[2], given[3]
	f.logarithm = math.Log(2 * coordinates * f.m / delta)
	f.q = f.ell * f.first * f.tau2 / (f.gap * f.gap) * f.logarithm * f.logarithm
	single := f.tau2 * f.logarithm / (3 * f.n)
	f.epsilon = single + math.Sqrt(single*single+2*f.tau2*f.first*f.logarithm/f.n)
	return f, nil
}

// steps are the conditions under which q_ERM/n bounds the angle.
//
// Deviation: the corollary asks for none. Matrix Bernstein leaves ε = τ²L/3n +
// ((τ²L/3n)² + 2τ²λ_1L/n)^{1/2} with L = log(2p/δ), and Davis and Kahan
// ℓ(ε/(gap−ε))²; that this is at most q/n is taken for granted there.
func (f inFeatureSpace) steps() []Condition {
	conditions := []Condition{{Left: "ε", Right: "gap", L: f.epsilon, R: f.gap, Relation: Less}}
	if f.epsilon < f.gap {
		sine := f.epsilon / (f.gap - f.epsilon)
		conditions = append(conditions, Condition{Left: "ℓ(ε/(gap−ε))²", Right: "q/n", L: f.ell * sine * sine, R: f.q / f.n, Relation: AtMost})
	}
	return conditions
}

func skpAngle(s Setting) (Bound, error) {
	f, err := featureSpace(s, s.Delta)
	if err != nil {
		return Bound{}, err
	}
	return Bound{Upper: f.q / f.n, Lower: 0, Conditions: f.steps()}.finished(), nil
}

// distance is the bound of Lemma C.5 and its conditions.
//
// Deviation: (b) of the theorem has √(q/n) alone, which its proof does not give:
// the factor of Lemma C.5 is that of the ESL's own q. The theorem's condition on n
// has q² where C.9 and C.10 lead to 8q; both are asked.
func (f inFeatureSpace) distance(spread float64) (float64, []Condition) {
	quotient := f.first * f.first / (f.last * f.last * (math.Sqrt2 - 1))
	return f.first / (math.Sqrt2 - 1) * spread * math.Sqrt(f.q/f.n), append(f.steps(),
		Condition{Left: "2λ_1²q²/((√2−1)λ_ℓ²)", Right: "n", L: 2 * quotient * f.q * f.q, R: f.n, Relation: AtMost},
		Condition{Left: "16λ_1²q/((√2−1)λ_ℓ²)", Right: "n", L: 16 * quotient * f.q, R: f.n, Relation: AtMost})
}

func skpDistance(s Setting) (Bound, error) {
	f, err := featureSpace(s, s.Delta/2)
	if err != nil {
		return Bound{}, err
	}
	spread, err := needed(s, "skp_feature_spread")
	if err != nil {
		return Bound{}, err
	}
	upper, conditions := f.distance(spread)
	return Bound{Upper: upper, Lower: 0, Conditions: conditions}.finished(), nil
}

// skpExcess is (a), a failure probability of δ/2 for either kind of error.
//
// Deviation: the theorem has (log(2/δ) + 7B_ℓ)/m, Lemma C.3 (11τ² log(2/δ) + 7B_ℓ)/m
// and its source, Theorem C.2, 11 log(2/δ)(τ² + B_ℓ)/m, the largest, which is taken.
// In (4) both arguments of ⟨z_ω, z_ω⟩ are the same; in Theorem C.2 they are
// independent, as here.
func skpExcess(s Setting) (Bound, error) {
	f, err := featureSpace(s, s.Delta/2)
	if err != nil {
		return Bound{}, err
	}
	spread, err := needed(s, "skp_feature_spread")
	if err != nil {
		return Bound{}, err
	}
	estimation, conditions := f.distance(spread)
	a, err := approximation(s)
	if err != nil {
		return Bound{}, err
	}
	local := 24 * a.kappa()
	rest := 11 * math.Log(2/s.Delta) * (a.tau2 + a.b) / f.m
	conditions = append(conditions, Condition{Left: "0", Right: "λ̄_ℓ−λ̄_{ℓ+1}", L: 0, R: a.gap, Relation: Less})
	return atMost(local+rest+a.first*estimation, conditions...), nil
}

// fourthMoment is what κ(B_ℓ,ℓ,m) is made of.
type fourthMoment struct {
	ell, m           float64
	tau2, first, gap float64   // of L: λ̄_1 and λ̄_ℓ − λ̄_{ℓ+1}
	b                float64   // B_ℓ
	tails            []float64 // bounds of Σ_{j>h} λ_j(C'), h = 0, 1, …
}

// mostTerms bounds the h among which the infimum of κ is looked for.
const mostTerms = 10000

// orthonormality is how far τ²/2 may lie from tr C, for a τ that a spec gives in a few digits.
const orthonormality = 0.01

// approximation knows C' of Mercer features: z_i = √s·e_i with probability λ_i/s, s
// = Σλ, gives E⟨z,z'⟩⁴ = s²Σλ² and C' = s·diag(λ) − λλᵀ, whose eigenvalues lie
// below sλ_j each, tr C' = s² − Σλ². Of other features |⟨z,z'⟩| ≤ τ² and tr C' ≤ τ⁴ − Σλ̄²
// are known, and so h = 0 alone.
func approximation(s Setting) (a fourthMoment, err error) {
	tau, mercer := math.Sqrt2, s.Given["mercer"] == 1
	if v, ok := s.Given["tau"]; ok {
		tau = v
	}
	lambda, err := s.Population.UncentredEigenvalues(s.Ell + 1)
	if err != nil {
		return a, err
	}
	trace, err := s.Population.UncentredSum(1)
	if err != nil {
		return a, err
	}
	squares, err := s.Population.UncentredSum(2)
	if err != nil {
		return a, err
	}
	a = fourthMoment{ell: float64(s.Ell), m: float64(s.M), tau2: tau * tau, first: lambda[0], gap: lambda[s.Ell-1] - lambda[s.Ell]}
	if !mercer {
		a.b = a.tau2 * a.tau2 / a.gap
		a.tails = []float64{a.tau2*a.tau2 - squares}
		return a, nil
	}
	if given, ok := s.Given["tau"]; ok && math.Abs(given*given/2-trace) > orthonormality*trace {
		return a, fmt.Errorf("mercer: 1 is for eigenfunctions that are orthonormal on the population: there τ²/2 is the trace of C, but it is %.4g and the trace %.4g; take mercer: 0", given*given/2, trace)
	}
	a.b = trace * math.Sqrt(squares) / a.gap
	a.tails = []float64{trace*trace - squares}
	if most := math.Sqrt(a.ell*a.m*a.tails[0]) / a.b; most >= 1 {
		count := int(min(most, mostTerms))
		if lambda, err = s.Population.UncentredEigenvalues(count); err != nil {
			return a, err
		}
		rest := trace
		for _, v := range lambda {
			rest -= v
			a.tails = append(a.tails, max(0, trace*rest))
		}
	}
	return a, nil
}

// kappa is inf_h {B_ℓ h/m + √(ℓ/m·Σ_{j>h} λ_j(C'))}, or a bound of it.
//
// Reference: [SKP, eq 4].
func (a fourthMoment) kappa() float64 {
	least := math.Inf(1)
	for h, tail := range a.tails {
		least = min(least, a.b*float64(h)/a.m+math.Sqrt(a.ell/a.m*max(tail, 0)))
	}
	return least
}
