package methods

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg"
)

var errNoVariance = errors.New("the sample's covariance is zero, or lost in rounding: all points look the same to this kernel; where they lie far from the origin, centre them (the data set's standardize: true)")

// centredRoundings is how many units of rounding an entry of a centred matrix
// may carry, relative to the entries before centring.
const centredRoundings = 8

// spectrumOf keeps the pairs above rounding and warns of what it drops or could
// not solve. Rounding is order·ε·μ_1 for a problem of the given order, or
// order·ε·8·size where that is more: size is that of the numbers whose centring
// gave the problem. It is an error if no pair is left.
func spectrumOf(top linalg.TopResult, order int, size float64) (Spectrum, error) {
	s := Spectrum{}
	if !top.Converged {
		s.Warnings = append(s.Warnings, "eigenpairs not converged: largest relative residual "+worstResidual(top))
	}
	rounding := float64(order) * epsilon * max(top.Values[0], centredRoundings*size)
	for _, mu := range top.Values {
		if !(mu > rounding) {
			break
		}
		s.Values = append(s.Values, mu)
	}
	if len(s.Values) == 0 {
		return s, errNoVariance
	}
	return s, nil
}

// pairs are up to so many leading eigenvectors, a column each, and what spectrumOf keeps of them.
// Of rows that stand for n points together eigenvalues grow with n, as the rounding of values
// does, but not that of the solution: size is times n/order.
func pairs(operator linalg.Operator, asked, order int, size float64) (*mat.Dense, Spectrum, error) {
	asked = min(asked, operator.Dim())
	top, err := linalg.Top(operator, asked, linalg.DefaultTopOptions(asked))
	if err != nil {
		return nil, Spectrum{}, err
	}
	spectrum, err := spectrumOf(top, order, size)
	if err != nil {
		return nil, Spectrum{}, err
	}
	return leading(top.Vectors, len(spectrum.Values)), spectrum, nil
}

// maxUncertainty is how uncertain a component's norm may be before a model
// warns of it.
const maxUncertainty = 1e-8

// warnOfRounding warns where the coefficients Γ of a subspace of H are so large
// that kernel values, exact to ε·size, do not determine ‖φ̂_i‖² = Γ_iᵀKΓ_i: an
// error of ε·size·‖Γ_i‖₁² is possible. Values of φ̂_i are off by its root times
// √(ε·size) only.
func (s *Spectrum) warnOfRounding(coef *mat.Dense, size float64) {
	n, ell := coef.Dims()
	sums := make([]float64, ell)
	largest := 0.0
	for i := range n {
		for j, v := range coef.RawRowView(i) {
			sums[j] += math.Abs(v)
			largest = max(largest, sums[j])
		}
	}
	if uncertainty := epsilon * size * largest * largest; uncertainty > maxUncertainty {
		s.Warnings = append(s.Warnings, fmt.Sprintf("absolute coefficients of a component sum to %.2g: rounding of kernel values leaves norms in H uncertain by %.1g", largest, uncertainty))
	}
}

func worstResidual(top linalg.TopResult) string {
	worst := 0.0
	for _, r := range top.Residuals {
		worst = math.Max(worst, r)
	}
	return fmt.Sprintf("%.1e", worst/math.Abs(top.Values[0]))
}
