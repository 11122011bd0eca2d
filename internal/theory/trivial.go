package theory

import "math"

// Trivial is what is known of a metric without a theorem: the value that no estimator
// exceeds, or that one that ignores the sample has. A bound that says no more is
// vacuous.
type Trivial struct {
	Formula string // "tr Σ"
	// FromBelow says that the quantity is at least Value; else it is at most that.
	FromBelow bool
	// Value is the trivial value at a setting.
	Value func(Setting) (float64, error)
}

// trivials are the trivial values of the metrics that theorems bound. Those of
// projections are for the mean of the population: with that of the sample R and T
// may be larger by ‖m_P − m̂‖², times ‖Σ‖ for T, of order 1/n; and for random
// features as m grows: with finitely many a moment is off by order 1/√m. Above
// each stands why it is trivial, and the source of the quantity, or of the inequality.
var trivials = map[string]Trivial{
	// the error of the zero projection: R = tr (I−P)Σ ≤ tr Σ for every projection P; NYK eq 13-14
	"recon_h": {
		Formula: "tr Σ",
		Value:   func(s Setting) (float64, error) { return s.Population.Tail(1, 0) },
	},
	// the error of the zero projection: T = ‖Σ^½(I−P)Σ^½‖²_HS and 0 ≤ Σ^½(I−P)Σ^½ ≤ Σ for every
	// projection P; NYK §4.2
	"recon_l2": {
		Formula: "tr Σ²",
		Value:   func(s Setting) (float64, error) { return s.Population.Tail(2, 0) },
	},
	// the distance of the span of the next ℓ eigenfunctions: with D = ΣP_ℓ every projection P of rank
	// ℓ has ‖Σ^½PΣ^½ − D‖² ≤ tr D² + tr P(Σ² − 2D²), which is largest there; Ky Fan's maximum
	// principle
	"eigenspace_l2": {
		Formula: "(Σ_{i≤2ℓ} λ_i²)^½",
		Value:   trivialEigenspace,
	},
	// the squared distances of an orthonormal system sum to at most Σ_{i≤ℓ} λ_i + tr PΣ, which the
	// eigenfunctions in another order have; Ky Fan's maximum principle
	"eigenfunction_l2": {
		Formula: "(2ℓ·Σ_{i≤ℓ} λ_i)^½, for ℓ = 1 (λ_1 + λ_2)^½",
		Value:   trivialEigenfunctions,
	},
	// the error of the zero sketch; KJL Thm 1
	"kjl_operator": {
		Formula: "‖Σ³‖",
		Value:   normCubed,
	},
	// the error of the zero operator in place of Σn³; KJL eq 7
	"kjl_operator_sampling": {
		Formula: "‖Σ³‖",
		Value:   normCubed,
	},
	// the error of the zero sketch; KJL Lemma B.3
	"kjl_operator_sketch": {
		Formula: "‖Σn³‖",
		Value:   func(s Setting) (float64, error) { return needed(s, "kjl_sample_norm") },
	},
	// the trace and the norm of Σn are at most κ, whatever the sample; KJL eq 8
	"kjl_sample_trace": {
		Formula: "κ³",
		Value:   kappaCubed,
	},
	// the stretch tends to ‖Σn³‖ as d grows, at most κ³ whatever the sample; KJL eq 12
	"kjl_stretch": {
		Formula: "κ³",
		Value:   kappaCubed,
	},
	// that of the error ⟨α, Θf⟩ of the zero sketch, f the first eigenfunction; KJL Thm 2
	"kjl_weak_error": {
		Formula: "the 1−δ quantile of |N(0, ‖Σ‖³/d)|",
		Value:   trivialWeak,
	},
	// a squared distance is not negative; KJL eq 11
	"kjl_separation": {
		Formula: "0",
		Value:   zero, FromBelow: true,
	},
	// a squared distance is not negative; KJL eq 13
	"kjl_means": {
		Formula: "0",
		Value:   zero, FromBelow: true,
	},
	// the largest objective of a projection: no objective is negative, and that of the zero
	// projection is 0; SKP eq 2
	"skp_excess": {
		Formula: "Σ_{i≤ℓ} λ̄_i",
		Value:   func(s Setting) (float64, error) { return leading(s, s.Ell) },
	},
	// 𝔏P̂ has the eigenvalues of an ℓ×ℓ matrix with the diagonal 1 and no entry above 1; SKP Def 3.6
	"skp_gram_distance": {
		Formula: "√(ℓ(ℓ−1))",
		Value:   func(s Setting) (float64, error) { ell := float64(s.Ell); return math.Sqrt(ell * (ell - 1)), nil },
	},
	// ‖(Φ_ℓ^⊥)ᵀU‖²_F ≤ ‖U‖²_F = ℓ, as for U in the span of Φ_ℓ^⊥; SKP Def 4.1
	"skp_feature_angle": {
		Formula: "ℓ",
		Value:   func(s Setting) (float64, error) { return float64(s.Ell), nil },
	},
	// the residual without landmarks, λ_max(K)/n, tends to it, and K − K_nm K_mm⁺ K_mn ≤ K; KKM Def 2
	"nystrom_residual": {
		Formula: "λ_1(C)",
		Value:   func(s Setting) (float64, error) { return leading(s, 1) },
	},
	// the mean error without landmarks, tr K/n, tends to it, and K_nm K_mm⁺ K_mn ≥ 0; KKM eq 4
	"trace_residual_mean": {
		Formula: "tr C",
		Value:   func(s Setting) (float64, error) { return s.Population.UncentredSum(1) },
	},
	// tr Hᵀ(K − K_nm K_mm⁺ K_mn)H/n ≤ tr HᵀKH/n for the n×k normalised indicators H of a partition,
	// and λ_i(K)/n tends to λ_i(C); Ky Fan's maximum principle
	"centroid_residual": {
		Formula: "Σ_{i≤k} λ_i(C), or tr C for any k",
		Value:   trivialCentroids,
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
