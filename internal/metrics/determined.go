package metrics

import (
	"fmt"
	"math"
)

// solved is the residual, relative to the largest eigenvalue, up to which populations and
// fits solve for eigenpairs.
const solved = 1e-12

// centring is how many units in the last place of tr C an eigenvalue of Σ, and its trace, may
// be off: kernel values cancel as they are centred.
const centring = 8

// doubtful is how many times its rounding a number must be to be good to four digits.
const doubtful = 1e4

// notTied says where measures by the population's eigenfunctions are not defined.
var notTied = fmt.Sprintf("not defined where λ_ℓ - λ_{ℓ+1} is at most ρ = %g·λ_1 + %d·2^-52·tr C, the rounding of eigenvalues, C the uncentred covariance, and with a warning up to %g·ρ", solved, centring, doubtful)

// uncertainty is ρ: eigenvalues of Σ that lie no further apart are tied to rounding.
func (e *evaluation) uncertainty() (float64, error) {
	total, err := e.Population.UncentredSum(1)
	return solved*e.lambda[0] + centring*epsilon*total, err
}

// gap is λ_i − λ_{i+1}, i from 1.
func (e *evaluation) gap(i int) float64 { return e.lambda[i-1] - e.lambda[i] }

// tied says whether a measure at ell is not defined, with a note why: the population's
// eigenfunctions that it compares with are not determined, because eigenvalues are tied to
// rounding. A warning says that they nearly are.
func (e *evaluation) tied(name string, ell int) (bool, error) {
	rho, err := e.uncertainty()
	each, at := Registry[name].each, ell
	for i := 1; i < ell && each; i++ {
		if e.gap(i) < e.gap(at) {
			at = i
		}
	}
	gap, what := e.gap(at), fmt.Sprintf("eigenspace of dimension %d is", ell)
	if each {
		what = "eigenfunctions are"
	}
	switch {
	case err != nil:
	case gap <= rho:
		e.notes.Undefined[name] = fmt.Sprintf("λ_%d = λ_%d to rounding, so that the population's %s not determined", at, at+1, what)
	case gap <= doubtful*rho:
		e.notes.Warnings = append(e.notes.Warnings, fmt.Sprintf("%s is uncertain: the population's λ_%d and λ_%d differ by %.1g of λ_1, %.0f times rounding", name, at, at+1, gap/e.lambda[0], gap/rho))
	}
	return gap <= rho, err
}

// centred is an error if nothing is left of the population's covariance but rounding, and a
// caveat if little is.
func (e *evaluation) centred() (caveat string, err error) {
	trace, err := e.Population.Tail(1, 0)
	if err != nil {
		return "", err
	}
	total, err := e.Population.UncentredSum(1)
	const wayOut = "centre the points (the data set's standardize: true), or take a narrower kernel"
	switch least := centring * epsilon * total; {
	case err != nil:
		return "", err
	case trace <= least:
		return "", fmt.Errorf("the population's covariance is lost in rounding: kernel values of %.2g cancel as they are centred, and leave a trace of %.2g; %s", total, trace, wayOut)
	case trace <= doubtful*least:
		caveat = fmt.Sprintf("kernel values of %.2g cancel as they are centred, and leave the population a trace of %.2g, good to %.0f digits; %s", total, trace, math.Log10(trace/least), wayOut)
	}
	return caveat, nil
}
