package theory

import (
	"fmt"
	"math"
)

// In these statements Σ is the uncentred covariance operator, written C
// elsewhere in the package, and n counts the points whose kernel matrix is
// sketched: the m of a subsample, where the grid gives one. They are about a
// Gaussian sketch that is not centred.

const constantOfGaussianCovariance = "the universal constant 𝔠 of the covariance of Gaussian functions (Koltchinskii and Lounici), which no source gives; bounds are linear in it"

// The measures of a sketch are for one that is not centred.
var gaussianSketch = map[string][]string{"sketch": {"gaussian"}}

func kjl() []Theorem {
	open := map[string]string{"c": constantOfGaussianCovariance}
	theorems := []Theorem{
		{
			Key: "kjl-prop-1", Reference: "KJL Prop 1 and Lemma B.3",
			Says:   "‖S*V̂V̂ᵀS − Σn³‖_op ≤ 𝔠(√(tr Σn³·‖Σn³‖/d) + ‖Σn³‖√(τ/d)): given the sample, V̂ᵀS is the operator Θ of Σn, to which Proposition 1 applies",
			Metric: "kjl_operator_sketch", Open: open,
			Uses: []string{"kjl_sample_trace", "kjl_sample_norm"}, Sizes: []string{"d"},
			Bound: kjlSketch,
		},
		{
			Key: "kjl-1", Reference: "KJL Thm 1",
			Says:   "‖S*V̂V̂ᵀS − Σ³‖_op ≤ 3𝔠‖Σ‖³(√(2s_Σ³) + √τ)/√d + 28‖Σ‖^{5/2}√(2κs_Στ/n)",
			Metric: "kjl_operator", Open: open, Sizes: []string{"n", "d"},
			Bound: kjlOperator,
		},
		{
			Key: "kjl-7", Reference: "KJL eq 7",
			Says:   "‖Σn³ − Σ³‖_op ≤ 28‖Σ‖²√(2κ tr Σ τ/n)",
			Metric: "kjl_operator_sampling", Sizes: []string{"n"},
			Bound: kjlSampling,
		},
		{
			Key: "kjl-8", Reference: "KJL eq 8",
			Says:   "tr Σn³ ≤ tr Σ³ + 28‖Σ‖²_HS √(2κ tr Σ τ/n)",
			Metric: "kjl_sample_trace", Sizes: []string{"n"},
			Bound: kjlTrace,
		},
		{
			Key: "kjl-2", Reference: "KJL Thm 2",
			Says:   "|⟨α, V̂ᵀSf⟩ − ⟨α, Θf⟩| ≤ 16√(2τ)‖α‖‖f‖(‖Σ‖^{3/2} ∨ ‖Σ‖^{5/4})/√d, for unit α and f",
			Metric: "kjl_weak_error", Sizes: []string{"n", "d"},
			Bound: kjlWeak,
		},
		{
			Key: "kjl-3", Reference: "KJL Thm 3",
			Says:   "V̂ᵀSf → Θf in distribution as n grows, at fixed d: √d(V̂ᵀSf)_1/⟨f,Σ³f⟩^{1/2} → N(0,1)",
			Metric: "kjl_projection", Sizes: []string{"n", "d"},
		},
		{
			Key: "kjl-11", Reference: "KJL eq 11",
			Says:   "classes at squared distance Δ in H stay separate: ‖V̂ᵀS(f−g)‖² ≥ max_k λ_k³(Δ − 4ε_kκ) − 4κ·(bound of Theorem 1)",
			Metric: "kjl_separation", Open: open,
			Uses: []string{"kjl_separation_limit"}, Sizes: []string{"n", "d"},
			Bound: kjlSeparation,
		},
		{
			Key: "kjl-12", Reference: "KJL eq 12",
			Says:   "‖V̂ᵀSh‖² ≤ λ_1³ + (bound of Theorem 1) for all unit h in H",
			Metric: "kjl_stretch", Open: open, Sizes: []string{"n", "d"},
			Bound: kjlStretch,
		},
		{
			Key: "kjl-13", Reference: "KJL eq 13",
			Says:   "the means of two classes stay separate: ‖V̂ᵀS(μ_1−μ_2)‖² ≥ λ_1³(‖μ_1−μ_2‖² − σ/π_1π_2) − ‖μ_1−μ_2‖²·(bound of Theorem 1)",
			Metric: "kjl_means", Open: open,
			Uses: []string{"kjl_means_h", "kjl_means_limit"}, Sizes: []string{"n", "d"},
			Bound: kjlMeans,
		},
	}
	for i := range theorems {
		t := &theorems[i]
		t.Methods = []string{"kjl"}
		if t.Key != "kjl-prop-1" { // given the sample
			t.Sampled, t.Assumes = true, []string{IndependentSample}
		}
		if t.Key != "kjl-7" && t.Key != "kjl-8" { // of the sample alone
			t.Options = gaussianSketch
		}
	}
	return theorems
}

// allNeeded are numbers that the setting must give.
func allNeeded(s Setting, names ...string) ([]float64, error) {
	values := make([]float64, len(names))
	for i, name := range names {
		v, ok := s.Given[name]
		if !ok {
			return values, fmt.Errorf("no value of %s is given", name)
		}
		values[i] = v
	}
	return values, nil
}

// needed is a number that the setting must give.
func needed(s Setting, name string) (float64, error) {
	values, err := allNeeded(s, name)
	return values[0], err
}

// sketched is what the statements have in common at a setting.
type sketched struct {
	n, d, kappa, tau float64
	norm             float64    // ‖Σ‖
	sums             [3]float64 // tr Σ, tr Σ², tr Σ³
	size             string     // that counts the sketched points
	s                Setting
}

// kjlAt holds with probability 1 − events·e^{−τ} for τ = log(events/δ).
func kjlAt(s Setting, events float64) (f sketched, err error) {
	if err := s.check("n"); err != nil {
		return f, err
	}
	f = sketched{n: float64(s.N), d: float64(s.D), kappa: s.Population.Kappa(), tau: math.Log(events / s.Delta), size: "n", s: s}
	if s.M > 0 {
		f.n, f.size = float64(s.M), "m"
	}
	lambda, err := s.Population.UncentredEigenvalues(1)
	if err != nil {
		return f, err
	}
	f.norm = lambda[0]
	for i := range f.sums {
		if f.sums[i], err = s.Population.UncentredSum(i + 1); err != nil {
			return f, err
		}
	}
	return f, nil
}

// effective is s_Σ = tr Σ/‖Σ‖, and of Σ³ tr Σ³/‖Σ‖³.
func (f sketched) effective(power int) float64 {
	return f.sums[power-1] / math.Pow(f.norm, float64(power))
}

// deviation is 4√(2κ tr Σ τ/n), which ‖Σn − Σ‖_HS does not exceed with
// probability 1 − 2e^{−τ}.
//
// Reference: [KJL, Lemma B.2].
func (f sketched) deviation() float64 {
	return 4 * math.Sqrt(2*f.kappa*f.sums[0]*f.tau/f.n)
}

func (f sketched) sampling() float64 { return 7 * f.norm * f.norm * f.deviation() }

func (f sketched) enough(formula string, least float64) Condition {
	return Condition{Left: formula, Right: f.size, L: least, R: f.n, Relation: AtMost}
}

// points is n ≥ 32κs_Στ/‖Σ‖, where ‖Σn − Σ‖_HS ≤ ‖Σ‖.
func (f sketched) points() Condition {
	return f.enough("32κs_Στ/‖Σ‖", 32*f.kappa*f.effective(1)*f.tau/f.norm)
}

func largeTau(tau float64) Condition {
	return Condition{Left: "τ", Right: "1", L: tau, R: 1, Relation: AtLeast}
}

// kjlSketch is Lemma B.3. Deviation: a factor 1/n² in the last line of its proof is
// a slip; the lemma itself has none.
func kjlSketch(s Setting) (Bound, error) {
	if err := s.check("d"); err != nil {
		return Bound{}, err
	}
	given, err := allNeeded(s, "c", "kjl_sample_trace", "kjl_sample_norm")
	if err != nil {
		return Bound{}, err
	}
	c, trace, norm, d, tau := given[0], given[1], given[2], float64(s.D), math.Log(1/s.Delta)
	bias, spread := math.Sqrt(trace*norm/d), norm*math.Sqrt(tau/d)
	return atMost(c*(bias+spread), largeTau(tau),
		Condition{Left: "tr Σn³/‖Σn³‖ ∨ τ", Right: "d", L: max(trace/norm, tau), R: d, Relation: AtMost}), nil
}

// kjlSampling holds with probability 1 − 2e^{−τ}: with E = Σn − Σ, ‖E‖ ≤ ‖Σ‖ leaves
// ‖E‖³ + 3‖E‖²‖Σ‖ + 3‖E‖‖Σ‖² ≤ 7‖E‖‖Σ‖².
func kjlSampling(s Setting) (Bound, error) {
	f, err := kjlAt(s, 2)
	if err != nil {
		return Bound{}, err
	}
	return atMost(f.sampling(), f.points()), nil
}

func kjlTrace(s Setting) (Bound, error) {
	f, err := kjlAt(s, 2)
	if err != nil {
		return Bound{}, err
	}
	return atMost(f.sums[2]+7*f.sums[1]*f.deviation(), f.points()), nil
}

// theorem1 is the bound of Theorem 1 with probability 1 − 5e^{−τ}: its two terms and
// its conditions.
//
// Deviation: the theorem as printed asks nothing of d. Its proof takes Lemma B.3
// and with it d ≥ tr Σn³/(‖Σ³‖ − ‖Σn³ − Σ³‖) ∨ τ; (7), (8) and the condition on n
// leave ‖Σ‖³/2 for either difference, and so d ≥ (2s_Σ³ + 1) ∨ τ.
func (f sketched) theorem1() (c, sketch, sampling float64, conditions []Condition, err error) {
	if err = f.s.check("d"); err == nil {
		c, err = needed(f.s, "c")
	}
	if err != nil {
		return 0, 0, 0, nil, err
	}
	cube, s1 := math.Pow(f.norm, 3), f.effective(1)
	sketch = 3 * cube * (math.Sqrt(2*f.effective(3)) + math.Sqrt(f.tau)) / math.Sqrt(f.d)
	sampling = f.sampling()
	conditions = []Condition{
		largeTau(f.tau),
		f.enough("6272κs_Σ⁵τ/‖Σ‖", 6272*f.kappa*math.Pow(s1, 5)*f.tau/f.norm),
		{Left: "(2s_Σ³+1) ∨ τ", Right: "d", L: max(2*f.effective(3)+1, f.tau), R: f.d, Relation: AtMost},
	}
	return c, sketch, sampling, conditions, nil
}

// byTheorem1 turns the bound of Theorem 1, c·sketch + sampling, into another.
func byTheorem1(s Setting, bound func(f sketched, error1 float64) (Bound, error)) (Bound, error) {
	f, err := kjlAt(s, 5)
	if err != nil {
		return Bound{}, err
	}
	c, sketch, sampling, conditions, err := f.theorem1()
	if err != nil {
		return Bound{}, err
	}
	b, err := bound(f, c*sketch+sampling)
	if err != nil {
		return Bound{}, err
	}
	b.Conditions = append(conditions, b.Conditions...)
	return b.finished(), nil
}

// kjlOperator is Theorem 1.
func kjlOperator(s Setting) (Bound, error) {
	return byTheorem1(s, func(_ sketched, error1 float64) (Bound, error) {
		return atMost(error1), nil
	})
}

// kjlWeak is Theorem 2 for unit α and f; it holds with probability 1 − 4e^{−τ}.
func kjlWeak(s Setting) (Bound, error) {
	f, err := kjlAt(s, 4)
	if err != nil {
		return Bound{}, err
	}
	if err := s.check("d"); err != nil {
		return Bound{}, err
	}
	size := max(math.Pow(f.norm, 1.5), math.Pow(f.norm, 1.25))
	return atMost(16*math.Sqrt(2*f.tau/f.d)*size, f.enough("κs_Στ(32/‖Σ‖ ∨ 1)", f.kappa*f.effective(1)*f.tau*max(32/f.norm, 1))), nil
}

// kjlSeparation is (11) with the error of Theorem 1 for C_2√(τ/(n∧d)): squared
// distances of kernel functions are at most 4κ.
//
// Deviation: the equation has 2εκ where its proof gives 4εκ, and 1 − e^{−τ} where
// Theorem 1 has 1 − 5e^{−τ}. Assumption 1 is taken at the points, with η = 0.
func kjlSeparation(s Setting) (Bound, error) {
	return byTheorem1(s, func(f sketched, error1 float64) (Bound, error) {
		limit, err := needed(s, "kjl_separation_limit")
		return Bound{Upper: math.Inf(1), Lower: limit - 4*f.kappa*error1}, err
	})
}

// kjlStretch is (12) with the error of Theorem 1 for C_2√(τ/(n∧d)).
//
// Deviation: for unit h; (12) has a term that does not scale with f−g, though it is
// to hold for all f and g.
func kjlStretch(s Setting) (Bound, error) {
	return byTheorem1(s, func(f sketched, error1 float64) (Bound, error) {
		return atMost(math.Pow(f.norm, 3) + error1), nil
	})
}

// centredPopulation is the share of tr Σ that the mean embedding may have: it is
// taken as the difference of two traces.
const centredPopulation = 1e-12

// kjlMeans is (13) with the error of Theorem 1 for C_2√(τ/(n∧d)).
//
// Deviation: the mean embedding is 0 in Assumption 1, and (13) needs it: its proof
// takes μ_2 = −(π_1/π_2)μ_1, printed without the sign.
func kjlMeans(s Setting) (Bound, error) {
	return byTheorem1(s, func(f sketched, error1 float64) (Bound, error) {
		given, err := allNeeded(s, "kjl_means_limit", "kjl_means_h")
		if err != nil {
			return Bound{}, err
		}
		centred, err := s.Population.Tail(1, 0)
		if err != nil {
			return Bound{}, err
		}
		return Bound{
			Upper: math.Inf(1), Lower: given[0] - given[1]*error1,
			Conditions: []Condition{{Left: "‖E k(·,X)‖²", Right: "0, to rounding", L: f.sums[0] - centred, R: centredPopulation * f.sums[0], Relation: AtMost}},
		}, nil
	})
}
