package theory

import "math"

// eigen is what statements on the ℓ-eigenspace ask of a setting, checked.
type eigen struct {
	Setting
	n, m   float64
	kappa  float64
	lambda []float64 // λ_1 … λ_{ℓ+1}
}

func newEigen(s Setting, sizes ...string) (eigen, error) {
	if err := s.check(sizes...); err != nil {
		return eigen{}, err
	}
	lambda, err := s.Population.Eigenvalues(s.Ell + 1)
	return eigen{s, float64(s.N), float64(s.M), s.Population.Kappa(), lambda}, err
}

// norm is ‖Σ‖ = λ_1.
func (e eigen) norm() float64 { return e.lambda[0] }

// next is λ_{ℓ+1}.
func (e eigen) next() float64 { return e.lambda[e.Ell] }

// gaps are δ_1 … δ_ℓ, δ_i = (λ_i − λ_{i+1})/2.
func (e eigen) gaps() []float64 {
	gaps := make([]float64, e.Ell)
	for i := range gaps {
		gaps[i] = (e.lambda[i] - e.lambda[i+1]) / 2
	}
	return gaps
}

// leastGap is min_{i≤ℓ} δ_i, which is also min_{i≤ℓ} ρ_i.
func (e eigen) leastGap() float64 {
	least := math.Inf(1)
	for _, gap := range e.gaps() {
		least = min(least, gap)
	}
	return least
}

// neighbours are ρ_1 … ρ_ℓ, ρ_i = δ_i ∧ δ_{i−1} with δ_0 = ∞: half the distance of
// λ_i from the nearest other eigenvalue.
func (e eigen) neighbours() []float64 {
	gaps := e.gaps()
	rho := make([]float64, len(gaps))
	for i := range rho {
		rho[i] = gaps[i]
		if i > 0 {
			rho[i] = min(rho[i], gaps[i-1])
		}
	}
	return rho
}

// simple is the condition that the first ℓ eigenvalues are simple and positive.
func (e eigen) simple() Condition {
	return Condition{Left: "least of δ_i = (λ_i − λ_{i+1})/2 for i ≤ ℓ", L: e.leastGap(), Relation: More, Right: "0"}
}
