package theory

import (
	"fmt"
	"math"
)

// The theorems of NYK on the reconstruction error.
//
// δ' is the δ of the paper's statements. Formulas in conditions are written with
// the δ of the Setting, the probability of failure as a whole.
//
// Deviations, all to the safe side, and what the proofs say of doubtful places:
//
//   - κ in Lemma A.1 is sup ‖ν‖² (the lemma has no square): t has its unit.
//   - log(16κn/δ') depends on the unit of the kernel and would be negative for a
//     small κ, while all else scales with k. For κ < 1 it is taken at the rescaled
//     kernel, of κ = 1: log(16(κ∨1)n/δ').
//   - m ≥ (140κ/t)·log(8/(tδ')) is meant to give Lemma A.1 at m points, and does so
//     only where 280κ²·log(8/(tδ')) ≤ 1. The condition of the lemma itself,
//     t ≥ (140κ/m)·log(16(κ∨1)m/δ'), takes its place. It implies this one, and the
//     other one on m too, m ≥ (67 ∨ 5N_{C,∞}(t))·log(4κ/(tδ')), because N_{C,∞}(t) ≤
//     κ/t and 1 ≤ κ/t.
//   - 9κ/n·log(n/δ') ≤ t follows from 140κ/n·log(16(κ∨1)n/δ') ≤ t, and t ≤ ‖C‖ from
//     t ≤ ‖Σ‖, because C = Σ + m_P⊗m_P: both are left out.
//   - The lower end of Theorem 4.3 (ii) is Σ_{i>ℓ} λ_i², as in (i); i ≥ ℓ is a
//     misprint.
//   - The mean term of Theorem 4.1 has κ, that of 4.3 and 4.4 κ²: ‖m_P − m̂‖² ≤
//     32κ·log(2/δ')/n, and in L²(P) a further ‖Σ‖ ≤ κ (4.3 uses 2κ).
//   - Of Assumptions 2 to 4 the simple eigenvalues λ_1 > … > λ_{ℓ+1} are checked.
//     The ranks n − 1 of Σ̂ and m of K̃H_n are not: the proofs do without them.
func nyk() []Theorem {
	theorems := []Theorem{
		nykFloor("nyk-4.1-i", "NYK Thm 4.1 (i)", "recon_h", 1),
		{
			Key: "nyk-4.1-ii", Reference: "NYK Thm 4.1 (ii)", Metric: "recon_h", Methods: []string{"ekpca"},
			Says:  "R of empirical kernel PCA is at most 3N_Σ(t)(λ_{ℓ+1} + t) plus a term of order 1/n for the mean",
			Bound: reconstruction{parts: 5, power: 1, factor: 3, stretch: 1, mean: 32}.bound,
		},
		{
			Key: "nyk-4.1-iii", Reference: "NYK Thm 4.1 (iii)", Metric: "recon_h", Methods: []string{"nystrom"},
			Says:  "R of Nyström kernel PCA is at most 6N_Σ(t)(λ_{ℓ+1} + 9t) plus a term of order 1/n for the mean, with enough landmarks",
			Bound: reconstruction{parts: 11, power: 1, factor: 6, stretch: 9, mean: 32, landmarks: true}.bound,
		},
		{
			Key: "nyk-4.2-ii", Reference: "NYK Cor 4.2 (ii)", Metric: "recon_h", Methods: []string{"ekpca"},
			Says: "with ℓ = n^(θ/α) components R of empirical kernel PCA falls as n^(−θ(1−1/α)) for θ < 1, as fast as its floor; for θ ≥ 1 it falls at least as fast as (log n/n)^(1−1/α)",
			Rate: nykRateH,
		},
		{
			Key: "nyk-4.2-iii", Reference: "NYK Cor 4.2 (iii)", Metric: "recon_h", Methods: []string{"nystrom"},
			Says:    "R of Nyström kernel PCA falls at the rate of empirical kernel PCA, with enough landmarks",
			Assumes: []string{"m is at least of the order n^θ log n for θ < 1, and (n/log n)·log(n/log n) beyond, with a constant that the theorem leaves open"},
			Rate:    nykRateH,
		},
		nykFloor("nyk-4.3-i", "NYK Thm 4.3 (i)", "recon_l2", 2),
		{
			Key: "nyk-4.3-ii", Reference: "NYK Thm 4.3 (ii)", Metric: "recon_l2", Methods: []string{"ekpca"},
			Says:  "T of empirical kernel PCA is at most 9N_Σ(t)(λ_{ℓ+1} + t)² plus a term of order 1/n for the mean",
			Bound: reconstruction{parts: 3, power: 2, factor: 9, stretch: 1, mean: 64}.bound,
		},
		{
			Key: "nyk-4.3-iii", Reference: "NYK Thm 4.3 (iii)", Metric: "recon_l2", Methods: []string{"rff"},
			Says: "T of kernel PCA on random features is at most 162A(t)(λ_{ℓ+1} + t)² plus terms of order 1/n and 1/m",
			Open: featureBound, Defaults: featureDefault, MustWith: featureMust,
			Bound: nykFeatures,
		},
		{
			Key: "nyk-4.4", Reference: "NYK Thm 4.4", Metric: "recon_l2", Methods: []string{"nystrom"},
			Says:  "T of Nyström kernel PCA is at most 36N_Σ(t)(λ_{ℓ+1} + 9t)² plus a term of order 1/n for the mean, with enough landmarks",
			Bound: reconstruction{parts: 11, power: 2, factor: 36, stretch: 9, mean: 32, landmarks: true}.bound,
		},
		{
			Key: "nyk-4.5-ii", Reference: "NYK Cor 4.5 (ii)", Metric: "recon_l2", Methods: []string{"ekpca"},
			Says: "with ℓ = n^(θ/α) components T of empirical kernel PCA falls as n^(−2θ(1−1/(2α))) for θ ≤ α/(2α−1), as fast as its floor; for larger θ it falls at least as fast as 1/n",
			Rate: nykRateL2,
		},
		{
			Key: "nyk-4.5-iii", Reference: "NYK Cor 4.5 (iii)", Metric: "recon_l2", Methods: []string{"nystrom"},
			Says:    "T of Nyström kernel PCA falls at the rate of empirical kernel PCA, with enough landmarks",
			Assumes: []string{"m is at least of the order n^(θ ∧ α/(2α−1)) log n, with a constant that the theorem leaves open"},
			Rate:    nykRateL2,
		},
		{
			Key: "nyk-4.5-iv", Reference: "NYK Cor 4.5 (iv)", Metric: "recon_l2", Methods: []string{"rff"},
			Says: "with ℓ = n^(θ/α) components of m = n^γ random features T falls at the rate of empirical kernel PCA for γ ≥ θ(2−1/α); for smaller γ it falls at least as fast as n^(−γ)",
			Rate: nykRateFeatures,
		},
	}
	for i := range theorems {
		t := &theorems[i]
		t.Sizes = []string{"n", "ell"}
		if t.Methods[0] == "nystrom" || t.Methods[0] == "rff" {
			t.Sizes = []string{"n", "m", "ell"}
		}
		if t.Rate != nil {
			t.Assumes = append(t.Assumes, "n is large enough")
		}
		if t.Methods[0] == "kpca" {
			t.Sizes = []string{"ell"}
		} else {
			t.Sampled, t.Assumes = true, append(t.Assumes, IndependentSample)
			t.Options = map[string][]string{"center": {"u", "v"}, "landmarks": {"uniform"}, "features": independentFeatures}
		}
	}
	return theorems
}

// nykFloor is the error of the population's own ℓ-eigenspace, Σ_{i>ℓ} λ_i^power:
// an equality, both ends of the bound.
func nykFloor(key, reference, metric string, power int) Theorem {
	exponent := map[int]string{1: "", 2: "²"}[power]
	return Theorem{
		Key: key, Reference: reference, Metric: metric, Methods: []string{"kpca"},
		Says: fmt.Sprintf("the error of the population's own ℓ-eigenspace is Σ_{i>ℓ} λ_i%s", exponent),
		Bound: func(s Setting) (Bound, error) {
			if err := s.check("ell"); err != nil {
				return Bound{}, err
			}
			floor, err := s.Population.Tail(power, s.Ell)
			return Bound{Upper: floor, Lower: floor}, err
		},
	}
}

// reconstruction is the form of Theorems 4.1 (ii) and (iii), 4.3 (ii) and 4.4: with
// probability 1 − parts·δ', the error lies between Σ_{i>ℓ} λ_i^power and
//
//	factor·N_Σ(t)·(λ_{ℓ+1} + stretch·t)^power + mean·κ^power·log(2/δ')/n.
type reconstruction struct {
	parts, factor, stretch, mean float64
	power                        int
	landmarks                    bool // with conditions on their number
}

func (r reconstruction) bound(s Setting) (Bound, error) {
	sizes := []string{"n", "ell"}
	if r.landmarks {
		sizes = append(sizes, "m")
	}
	e, err := newEigen(s, sizes...)
	if err != nil {
		return Bound{}, err
	}
	floor, err := s.Population.Tail(r.power, s.Ell)
	if err != nil {
		return Bound{}, err
	}
	delta := s.Delta / r.parts
	low := sampleLevel(140, e.kappa, e.n, delta)
	b := Bound{Conditions: []Condition{
		e.simple(),
		{Left: "n", L: e.n, Relation: AtLeast, Right: fmt.Sprintf("2log(%g/δ)", 2*r.parts), R: 2 * math.Log(2/delta)},
		{Left: levelFormula(140, "n", r.parts), L: low, Relation: AtMost, Right: "‖Σ‖", R: e.norm()},
	}}
	if r.landmarks {
		byLandmarks := sampleLevel(140, e.kappa, e.m, delta)
		b.Conditions = append(b.Conditions, Condition{Left: levelFormula(140, "m", r.parts), L: byLandmarks, Relation: AtMost, Right: "‖Σ‖", R: e.norm()})
		low = max(low, byLandmarks)
	}
	if !b.Applies() {
		return b.finished(), nil
	}
	projection := func(t float64) (float64, error) {
		dimension, err := s.Population.EffectiveDimension(t)
		return r.factor * dimension * math.Pow(e.next()+r.stretch*t, float64(r.power)), err
	}
	value, err := minimum(projection, low, e.norm())
	if err != nil {
		return Bound{}, err
	}
	mean := r.mean * math.Pow(e.kappa, float64(r.power)) * math.Log(2/delta) / e.n
	b.Lower, b.Upper = floor, value+mean
	return b, nil
}

// sampleLevel is the least t at which Lemma A.1 holds for a sample of the given
// size: factor·κ/size·log(16(κ∨1)size/δ').
func sampleLevel(factor, kappa, size, delta float64) float64 {
	return factor * kappa / size * math.Log(16*max(kappa, 1)*size/delta)
}

func levelFormula(factor float64, size string, parts float64) string {
	return fmt.Sprintf("%gκ/%s·log(%g(κ∨1)%s/δ)", factor, size, 16*parts, size)
}

// IndependentSample is what P means for the sample, among [Theorem.Assumes]: errors are measured against the
// law that it is drawn from.
const IndependentSample = "the sample is drawn independently from the population that errors are measured against"

// The bound on features is open: the papers take one κ for k and for φ.
const featureParameter = "feature_bound"

var (
	independentFeatures = []string{"fourier", "offset", "mercer"}

	featureMust    = map[string][2]string{featureParameter: {"features", "offset"}}
	featureBound   = map[string]string{featureParameter: "sup φ(x,θ)² as a multiple of κ: 1 for pairs of cosine and sine and for Mercer features, 2 for cosines with a random offset"}
	featureDefault = map[string]float64{featureParameter: 1}
)

// newFeatureEigen has κ raised to the bound of the random features.
func newFeatureEigen(s Setting) (eigen, error) {
	e, err := newEigen(s, "n", "m", "ell")
	factor, given := s.Given[featureParameter]
	if !given {
		factor = featureDefault[featureParameter]
	}
	if err == nil && (!(factor >= 1) || math.IsInf(factor, 1)) {
		err = fmt.Errorf("%s = %v: E φ² = k, so that sup φ² is at least κ", featureParameter, factor)
	}
	e.kappa *= factor
	return e, err
}

// nykFeatures is Theorem 4.3 (iii), quoted there from elsewhere and so not checked
// against a proof. Deviation: κ∨1 in logarithms, as in nyk; κ bounds φ² as well.
func nykFeatures(s Setting) (Bound, error) {
	e, err := newFeatureEigen(s)
	if err != nil {
		return Bound{}, err
	}
	floor, err := s.Population.Tail(2, s.Ell)
	if err != nil {
		return Bound{}, err
	}
	const parts = 12
	delta, high := s.Delta/parts, e.norm()/3
	log := math.Log(2 / delta)
	bySample, byFeatures := sampleLevel(140, e.kappa, e.n, delta), sampleLevel(86, e.kappa, e.m, delta)
	b := Bound{Conditions: []Condition{
		e.simple(),
		{Left: "n", L: e.n, Relation: AtLeast, Right: "2log(24/δ)", R: 2 * log},
		{Left: "m", L: e.m, Relation: AtLeast, Right: "(2 ∨ 1024κ²/Σ_{i>ℓ}λ_i²)·log(24/δ)", R: max(2, 1024*e.kappa*e.kappa/floor) * log},
		{Left: levelFormula(140, "n", parts), L: bySample, Relation: AtMost, Right: "‖Σ‖/3", R: high},
		{Left: levelFormula(86, "m", parts), L: byFeatures, Relation: AtMost, Right: "‖Σ‖/3", R: high},
	}}
	if !b.Applies() {
		return b.finished(), nil
	}
	projection := func(t float64) (float64, error) {
		dimension, err := s.Population.EffectiveDimension(t)
		ratio := e.kappa * log / (t * e.m)
		return 162 * (dimension + 16*ratio + math.Sqrt(8*dimension*ratio)) * math.Pow(e.next()+t, 2), err
	}
	value, err := minimum(projection, max(bySample, byFeatures), high)
	if err != nil {
		return Bound{}, err
	}
	mean, approximation := 640*e.kappa*e.kappa*log/(3*e.n), 256*e.kappa*e.kappa*log/e.m
	b.Lower, b.Upper = floor/4, value+mean+approximation
	return b, nil
}
