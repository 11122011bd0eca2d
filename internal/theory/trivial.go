package theory

import "math"

// Trivial is what is known of a metric without a theorem: the value that no estimator
// exceeds, or that one that ignores the sample has. A bound that says no more is
// vacuous.
type Trivial struct {
	Formula string // "tr Σ"
	Says    string // why it is trivial
	Source  string // of the quantity, or of the inequality
	// FromBelow says that the quantity is at least Value; else it is at most that.
	FromBelow bool
	// Value is the trivial value at a setting.
	Value func(Setting) (float64, error)
}

// trivials are the trivial values of the metrics that theorems bound. Those of
// projections are for the mean of the population: with that of the sample R and T
// may be larger by ‖m_P − m̂‖², times ‖Σ‖ for T, of order 1/n; and for random
// features as m grows: with finitely many a moment is off by order 1/√m.
var trivials = map[string]Trivial{
	"recon_h": {
		Formula: "tr Σ",
		Says:    "the error of the zero projection: R = tr (I−P)Σ ≤ tr Σ for every projection P",
		Source:  "NYK eq 13-14",
		Value:   func(s Setting) (float64, error) { return s.Population.Tail(1, 0) },
	},
	"recon_l2": {
		Formula: "tr Σ²",
		Says:    "the error of the zero projection: T = ‖Σ^½(I−P)Σ^½‖²_HS and 0 ≤ Σ^½(I−P)Σ^½ ≤ Σ for every projection P",
		Source:  "NYK §4.2",
		Value:   func(s Setting) (float64, error) { return s.Population.Tail(2, 0) },
	},
	"eigenspace_l2": {
		Formula: "(Σ_{i≤2ℓ} λ_i²)^½",
		Says: "the distance of the span of the next ℓ eigenfunctions: with D = ΣP_ℓ every projection P of rank ℓ has " +
			"‖Σ^½PΣ^½ − D‖² ≤ tr D² + tr P(Σ² − 2D²), which is largest there",
		Source: "Ky Fan's maximum principle",
		Value:  trivialEigenspace,
	},
	"eigenfunction_l2": {
		Formula: "(2ℓ·Σ_{i≤ℓ} λ_i)^½, for ℓ = 1 (λ_1 + λ_2)^½",
		Says: "the squared distances of an orthonormal system sum to at most Σ_{i≤ℓ} λ_i + tr PΣ, " +
			"which the eigenfunctions in another order have",
		Source: "Ky Fan's maximum principle",
		Value:  trivialEigenfunctions,
	},
	"kjl_operator": {
		Formula: "‖Σ³‖",
		Says:    "the error of the zero sketch",
		Source:  "KJL Thm 1",
		Value:   normCubed,
	},
	"kjl_operator_sampling": {
		Formula: "‖Σ³‖",
		Says:    "the error of the zero operator in place of Σn³",
		Source:  "KJL eq 7",
		Value:   normCubed,
	},
	"kjl_operator_sketch": {
		Formula: "‖Σn³‖",
		Says:    "the error of the zero sketch",
		Source:  "KJL Lemma B.3",
		Value:   func(s Setting) (float64, error) { return needed(s, "kjl_sample_norm") },
	},
	"kjl_sample_trace": {
		Formula: "κ³",
		Says:    "the trace and the norm of Σn are at most κ, whatever the sample",
		Source:  "KJL eq 8",
		Value:   kappaCubed,
	},
	"kjl_stretch": {
		Formula: "κ³",
		Says:    "the stretch tends to ‖Σn³‖ as d grows, at most κ³ whatever the sample",
		Source:  "KJL eq 12",
		Value:   kappaCubed,
	},
	"kjl_weak_error": {
		Formula: "the 1−δ quantile of |N(0, ‖Σ‖³/d)|",
		Says:    "that of the error ⟨α, Θf⟩ of the zero sketch, f the first eigenfunction",
		Source:  "KJL Thm 2",
		Value:   trivialWeak,
	},
	"kjl_separation": {
		Formula: "0",
		Says:    "a squared distance is not negative",
		Source:  "KJL eq 11",
		Value:   zero, FromBelow: true,
	},
	"kjl_means": {
		Formula: "0",
		Says:    "a squared distance is not negative",
		Source:  "KJL eq 13",
		Value:   zero, FromBelow: true,
	},
	"skp_excess": {
		Formula: "Σ_{i≤ℓ} λ̄_i",
		Says:    "the largest objective of a projection: no objective is negative, and that of the zero projection is 0",
		Source:  "SKP eq 2",
		Value:   func(s Setting) (float64, error) { return leading(s, s.Ell) },
	},
	"skp_gram_distance": {
		Formula: "√(ℓ(ℓ−1))",
		Says:    "𝔏P̂ has the eigenvalues of an ℓ×ℓ matrix with the diagonal 1 and no entry above 1",
		Source:  "SKP Def 3.6",
		Value:   func(s Setting) (float64, error) { ell := float64(s.Ell); return math.Sqrt(ell * (ell - 1)), nil },
	},
	"skp_feature_angle": {
		Formula: "ℓ",
		Says:    "‖(Φ_ℓ^⊥)ᵀU‖²_F ≤ ‖U‖²_F = ℓ, as for U in the span of Φ_ℓ^⊥",
		Source:  "SKP Def 4.1",
		Value:   func(s Setting) (float64, error) { return float64(s.Ell), nil },
	},
	"nystrom_residual": {
		Formula: "λ_1(C)",
		Says:    "the residual without landmarks, λ_max(K)/n, tends to it, and K − K_nm K_mm⁺ K_mn ≤ K",
		Source:  "KKM Def 2",
		Value:   func(s Setting) (float64, error) { return leading(s, 1) },
	},
	"trace_residual_mean": {
		Formula: "tr C",
		Says:    "the mean error without landmarks, tr K/n, tends to it, and K_nm K_mm⁺ K_mn ≥ 0",
		Source:  "KKM eq 4",
		Value:   func(s Setting) (float64, error) { return s.Population.UncentredSum(1) },
	},
	"centroid_residual": {
		Formula: "Σ_{i≤k} λ_i(C), or tr C for any k",
		Says: "tr Hᵀ(K − K_nm K_mm⁺ K_mn)H/n ≤ tr HᵀKH/n for the n×k normalised indicators H of a partition, " +
			"and λ_i(K)/n tends to λ_i(C)",
		Source: "Ky Fan's maximum principle",
		Value:  trivialCentroids,
	},
}

func zero(Setting) (float64, error) { return 0, nil }

func kappaCubed(s Setting) (float64, error) { return math.Pow(s.Population.Kappa(), 3), nil }

// leading is the sum of the first eigenvalues of C.
func leading(s Setting, count int) (float64, error) {
	lambda, err := s.Population.UncentredEigenvalues(count)
	sum := 0.0
	for _, v := range lambda {
		sum += v
	}
	return sum, err
}

func normCubed(s Setting) (float64, error) {
	norm, err := leading(s, 1)
	return math.Pow(norm, 3), err
}

func trivialEigenspace(s Setting) (float64, error) {
	lambda, err := s.Population.Eigenvalues(2 * s.Ell)
	sum := 0.0
	for _, v := range lambda {
		sum += v * v
	}
	return math.Sqrt(sum), err
}

func trivialEigenfunctions(s Setting) (float64, error) {
	lambda, err := s.Population.Eigenvalues(s.Ell + 1)
	if err != nil {
		return 0, err
	}
	if s.Ell == 1 {
		return math.Sqrt(lambda[0] + lambda[1]), nil
	}
	sum := 0.0
	for _, v := range lambda[:s.Ell] {
		sum += v
	}
	return math.Sqrt(2 * float64(s.Ell) * sum), nil
}

func trivialWeak(s Setting) (float64, error) {
	cube, err := normCubed(s)
	return math.Sqrt2 * math.Erfinv(1-s.Delta) * math.Sqrt(cube/float64(s.D)), err
}

func trivialCentroids(s Setting) (float64, error) {
	if s.K == 0 {
		return s.Population.UncentredSum(1)
	}
	return leading(s, s.K)
}

// FromBelow says whether a bound that applies is one from below alone.
func (b Bound) FromBelow() bool { return math.IsInf(b.Upper, 1) }

// Informative says whether a bound that applies says more than the trivial value:
// less than it from above or, where it bounds from below alone, more.
func (b Bound) Informative(trivial float64) bool {
	if b.FromBelow() {
		return b.Lower > trivial
	}
	return b.Upper < trivial
}

// Ratio is bound/trivial, 1 or more where the bound is vacuous; NaN for a bound from
// below, and where the trivial value is 0.
func (b Bound) Ratio(trivial float64) float64 {
	if b.FromBelow() || trivial == 0 {
		return math.NaN()
	}
	return b.Upper / trivial
}
