package theory

import (
	"math"
	"slices"
)

// KKM writes κ² for the supremum of k(x,x), which is κ here. Its lemmas are about the sample,
// and so is their κ, which a record has measured: that of other points, such as held-out ones,
// may be smaller. Its statements about the empirical problem have n times the operators of
// this package: γ is n·t for a level t of Σ.

// sampleKappa is the metric that is the largest k(x,x) of the sample.
const sampleKappa = "nystrom_residual_kappa"

var nystromEmbedded = []string{"nystrom-embedding"}

const (
	uniformDraw = "the lemma draws landmarks with replacement; drawing them without is no worse (Gross and Nesme 2010)"
	minimisers  = "the clusterings found are the minimisers of the empirical cost, which k-means need not find"
	excessOf    = "the rate is that of the cost less W*(μ), the least cost of any k centroids: subtract it in the claim"
)

func kkm() []Theorem {
	theorems := []Theorem{
		{
			Key: "kkm-prop-1", Reference: "KKM Prop 1",
			Says:   "the excess risk of exact kernel k-means, W(C_n, μ) − W*(μ), has a mean at most of order k/√n",
			Metric: "cluster_cost_test", Methods: []string{"kernel-kmeans"}, Assumes: []string{minimisers, excessOf}, Sizes: []string{"n"},
			Rate: func(Setting) (Rate, error) { return Rate{Exponent: -0.5}, nil },
		},
		{
			Key: "kkm-lemma-1", Reference: "KKM Lemma 1, Def 2",
			Says:   "m uniform landmarks are γ-preserving at γ = 12κn log(n/δ)/(ε²m): λ_max(K − K_nm K_mm⁺ K_mn)/n ≤ γε/((1−ε)n), smallest at ε = 1/2: 48κ log(n/δ)/m, κ the largest k(x,x) of the sample",
			Metric: "nystrom_residual", Methods: []string{"nystrom", "nystrom-embedding"}, Assumes: []string{uniformDraw},
			Uses: []string{sampleKappa}, Sizes: []string{"n", "m"},
			Bound: kkmUniform,
		},
		{
			Key: "kkm-lemma-2", Reference: "KKM Lemma 2 and its proof",
			Says:   "the extra cost of the partition found with centroids in the landmarks' span is at most kγ/((1−ε)n), which is k·nystrom_residual at the smallest γ; for the empirical minimiser it is at least W(C_{n,m}, μ_n) − W(C_n, μ_n)",
			Metric: "centroid_residual", Methods: nystromEmbedded, Uses: []string{"nystrom_residual"}, Sizes: []string{"k"},
			Bound: kkmCentroids,
		},
		{
			Key: "kkm-lemma-2-deff", Reference: "KKM Lemma 2 and its proof",
			Says:   "the same with d_eff(γ) in place of k: (γ/n + nystrom_residual)·d_eff(γ) at γ = n/r, r the dimension of the landmarks' span",
			Metric: "centroid_residual", Methods: nystromEmbedded, Uses: []string{"nystrom_residual", "effective_dimension", "effective_dimension_level"}, Sizes: []string{"n"},
			Bound: kkmByDimension,
		},
		{
			Key: "kkm-4", Reference: "KKM eq 4",
			Says:   "the points' errors are ‖φ_i − Pφ_i‖² ≤ γ/(1−ε)·φ_iᵀ(Φ_nΦ_nᵀ + γ)⁻¹φ_i, in the mean tr(K − K_nm K_mm⁺ K_mn)/n ≤ (γ/n + nystrom_residual)·d_eff(γ) at γ = n/r, r the dimension of the landmarks' span",
			Metric: "trace_residual_mean", Methods: []string{"nystrom", "nystrom-embedding"},
			Uses: []string{"nystrom_residual", "effective_dimension", "effective_dimension_level"}, Sizes: []string{"n"},
			Bound: kkmByDimension,
		},
		{
			Key: "kkm-1", Reference: "KKM Thm 1",
			Says:   "the excess risk of the minimiser over the landmarks' span is at most of order k(1/√n + γ/n), where γ/n = log(n)/m for uniform landmarks: n^(−min(1/2, gamma)) for m = n^gamma, and 1/m at fixed n",
			Metric: "cluster_cost_test", Methods: nystromEmbedded, Assumes: []string{minimisers, excessOf, uniformDraw}, Sizes: []string{"n", "m"},
			Rate: kkmExcess,
		},
		{
			Key: "kkm-2", Reference: "KKM Thm 2",
			Says:   "the mean cost with k-means++ is at most of order log(k)(k/√n + kγ/n + W*(μ)): it stays bounded in n, by a multiple of W*(μ)",
			Metric: "cluster_cost_test", Methods: nystromEmbedded, Assumes: []string{uniformDraw}, Sizes: []string{"n", "m"},
			Rate: func(Setting) (Rate, error) { return Rate{}, nil },
		},
		{
			Key: "kkm-cor-1", Reference: "KKM Cor 1",
			Says:   "if the images of the points form a manifold of dimension d, W*(μ) ≤ d·k^(−2/d), and the mean cost with k-means++ is at most of order log(k)(k/√n + d·k^(−2/d)): k^(−2/d) in k, bounded in n",
			Metric: "cluster_cost_test", Methods: nystromEmbedded, Assumes: []string{uniformDraw, "the landmarks are √n-preserving", "the support's image in H is a manifold"},
			Open:  map[string]string{"dim": "d, the dimension of the manifold"},
			Sizes: []string{"n", "k"},
			Rate:  kkmManifold,
		},
		{
			Key: "kkm-lemma-3", Reference: "KKM Lemma 3",
			Says:   "m landmarks drawn by leverage scores at γ are γ-preserving with ε² = 12(κ∨1)d_eff(γ)log(n/δ)/m: λ_max(K − K_nm K_mm⁺ K_mn)/n ≤ γε/((1−ε)n)",
			Metric: "nystrom_residual", Methods: []string{"nystrom", "nystrom-embedding"},
			Open: map[string]string{"level": "t = γ/n of the leverage scores, as the spec gives it"},
			Uses: []string{sampleKappa, "effective_dimension", "effective_dimension_level"}, Sizes: []string{"n", "m"},
			Bound: kkmLeverage,
		},
	}
	for i := range theorems {
		switch t := &theorems[i]; {
		case slices.Contains(t.Assumes, uniformDraw):
			t.Options = map[string][]string{"landmarks": {"uniform", "uniform with replacement"}, "rank": {"full"}}
		case t.Key == "kkm-lemma-3":
			t.Options = map[string][]string{"landmarks": {"leverage with replacement"}, "rank": {"full"}}
		}
	}
	return theorems
}

// kkmUniform is Lemma 1. Landmarks are γ-preserving exactly if the residual is at
// most γε/(1−ε), and any ε may be chosen: γε/(1−ε) = 12κn log(n/δ)/(m·ε(1−ε)).
func kkmUniform(s Setting) (Bound, error) {
	if err := s.check("n", "m"); err != nil {
		return Bound{}, err
	}
	kappa, err := needed(s, sampleKappa)
	if err != nil {
		return Bound{}, err
	}
	logarithm := math.Log(float64(s.N) / s.Delta)
	return atMost(48 * kappa * logarithm / float64(s.M)), nil
}

// kkmCentroids is the case of k: for γ → 0, γ/(1−ε) = γ + n·residual is the least
// for which the landmarks are γ-preserving. It is sure.
func kkmCentroids(s Setting) (Bound, error) {
	residual, err := needed(s, "nystrom_residual")
	if err != nil {
		return Bound{}, err
	}
	return Bound{Upper: float64(s.K) * residual, Lower: 0}, nil
}

// kkmByDimension is Lemma 2 in the case of d_eff(γ), and the sum of (4) over the points,
// Σ φ_iᵀ(Φ_nΦ_nᵀ + γ)⁻¹φ_i = d_eff(γ). Both are sure.
func kkmByDimension(s Setting) (Bound, error) {
	given, err := allNeeded(s, "nystrom_residual", "effective_dimension", "effective_dimension_level")
	if err != nil {
		return Bound{}, err
	}
	residual, deff, level := given[0], given[1], given[2]
	return Bound{Upper: deff * (level + residual), Lower: 0}, nil
}

// kkmLeverage is Lemma 3.
//
// Deviation: κ∨1 for the lemma's κ². Scores are in [0,1] whatever κ is, so that a
// number of landmarks that falls with κ below 1 cannot be enough. d_eff(γ) comes
// from the record's d_eff(γ'), d_eff(γ) ≤ max(1, γ'/γ)·d_eff(γ').
func kkmLeverage(s Setting) (Bound, error) {
	if err := s.check("n", "m"); err != nil {
		return Bound{}, err
	}
	given, err := allNeeded(s, "level", sampleKappa, "effective_dimension", "effective_dimension_level")
	if err != nil {
		return Bound{}, err
	}
	level, kappa := given[0], given[1]
	deff := given[2] * max(1, given[3]/level)
	most := 12 * max(kappa, 1) * deff * math.Log(float64(s.N)/s.Delta)
	epsilon := math.Sqrt(most / float64(s.M))
	return atMost(level*epsilon/(1-epsilon),
		Condition{Left: "0", Right: "level", L: 0, R: level, Relation: Less},
		Condition{Left: "12(κ∨1)d_eff(γ)log(n/δ)", Right: "m", L: most, R: float64(s.M), Relation: Less}), nil
}

// gamma is the exponent of m as a power of n, 1/2 where none is given, and the
// condition that m grows so.
func (s Setting) gamma() (float64, []Condition) {
	gamma, given := s.Given["gamma"]
	if !given {
		gamma = 0.5
	}
	return gamma, s.atLeast("m", "γ", gamma)
}

func kkmExcess(s Setting) (Rate, error) {
	gamma, conditions := s.gamma()
	r := Rate{Exponent: -min(0.5, gamma), Conditions: conditions}
	if gamma <= 0.5 {
		r.Log = 1
	}
	return r, nil
}

// kkmManifold is bounded in n; where its condition holds, the term d·k^(−2/d) leads.
func kkmManifold(s Setting) (Rate, error) {
	dim, err := needed(s, "dim")
	if err != nil {
		return Rate{}, err
	}
	n, k := float64(s.N), float64(s.K)
	return Rate{Conditions: []Condition{
		{Left: "k/√n", Right: "d·k^(−2/d)", L: k / math.Sqrt(n), R: dim * math.Pow(k, -2/dim), Relation: AtMost},
	}}, nil
}
