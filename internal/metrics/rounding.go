package metrics

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
)

// epsilon is the unit in the last place of 1.
const epsilon = 0x1p-52

// Rounding is how far rounding may move an output: Factor times a scale, a number that an
// evaluation knows. Factor 0 stands for what it does not move, such as counts, and what varies
// by more, such as times.
type Rounding struct {
	Factor float64
	of     func(e *evaluation, ell int) (float64, error) // nil of a relative rounding
}

// ulps is a rounding of so many units in the last place of a scale that does not depend on ℓ.
func ulps(count float64, of func(e *evaluation) (float64, error)) Rounding {
	return Rounding{count * epsilon, func(e *evaluation, _ int) (float64, error) { return of(e) }}
}

// by has another factor.
func (r Rounding) by(factor float64) Rounding {
	r.Factor = factor
	return r
}

// roundingOf is that of a metric; eigenvalues share one.
func (m Measure) roundingOf(metric string) Rounding {
	return m.Outputs[max(0, slices.IndexFunc(m.Outputs, func(o Output) bool { return o.Name == metric }))].Rounding
}

// rounded names the outputs at ell that are at or below their rounding.
func (e *evaluation) rounded(m Measure, ell int, outputs Values) ([]string, error) {
	var names []string
	for name, v := range outputs {
		r := m.roundingOf(name)
		if r.Factor == 0 || r.of == nil {
			continue
		}
		size, err := r.of(e, ell)
		if err != nil {
			return nil, fmt.Errorf("rounding of %s: %w", name, err)
		}
		if most := r.Factor * size; most > 0 && math.Abs(v) <= most {
			names = append(names, name)
		}
	}
	return names, nil
}

// The roundings, in the symbols of the measures' docs. n counts rows of X, which are atoms of a
// sample of counts.
var (
	exact = Rounding{} // counts, and what is measured by a clock
	// its value
	relative = Rounding{solved, nil}
	unity    = ulps(64, func(*evaluation) (float64, error) { return 1, nil })
	// the first eigenvalue is the scale of all
	// eigenvalue_1
	firstValue = ulps(1, func(e *evaluation) (float64, error) {
		return floats.Max(append([]float64{0}, e.spectrum.Values...)), nil
	}).by(solved)

	// tr C
	traceC = ulps(resolution, func(e *evaluation) (float64, error) { return e.Population.UncentredSum(1) })
	// λ_1·tr C
	ofL2 = ulps(resolution, func(e *evaluation) (float64, error) {
		total, err := e.Population.UncentredSum(1)
		return e.lambda[0] * total, err
	})
	// ρλ_ℓ/(λ_ℓ - λ_{ℓ+1})
	ofSpace = Rounding{1, func(e *evaluation, ell int) (float64, error) {
		rho, err := e.uncertainty()
		return rho * e.lambda[ell-1] / e.gap(ell), err
	}}
	// ρ·Σ_{i≤ℓ} √λ_i/min(λ_{i-1} - λ_i, λ_i - λ_{i+1})
	overGaps = Rounding{1, func(e *evaluation, ell int) (float64, error) {
		rho, err := e.uncertainty()
		sum, before := 0.0, math.Inf(1)
		for i := range ell {
			next := e.gap(i + 1)
			sum += math.Sqrt(e.lambda[i]) / min(before, next)
			before = next
		}
		return rho * sum, err
	}}

	// mean k(z,z)
	heldOutNorm = ulps(64, func(e *evaluation) (float64, error) { return e.meanNorm(e.HeldOut, e.Masses), nil })
	// mean k(z,z)·λ_1/λ_ℓ(UᵀC_mU)
	ofLift = Rounding{64 * epsilon, func(e *evaluation, ell int) (float64, error) {
		spread, err := e.liftedSpread(ell)
		return e.meanNorm(e.HeldOut, e.Masses) * spread, err
	}}
	// ℓ·λ_1/λ_ℓ(UᵀC_mU)
	ofLiftGram = Rounding{64 * epsilon, func(e *evaluation, ell int) (float64, error) {
		spread, err := e.liftedSpread(ell)
		return float64(ell) * spread, err
	}}
	// ℓ
	dimensions = Rounding{64 * epsilon, func(_ *evaluation, ell int) (float64, error) { return float64(ell), nil }}

	// κ
	supremum = ulps(64, func(e *evaluation) (float64, error) { return e.Population.Kappa(), nil })
	// ‖C‖³
	normC = ulps(1, func(e *evaluation) (float64, error) { return e.cubed(1) }).by(1e-12)
	// ‖C‖^1.5
	rootC = ulps(64, func(e *evaluation) (float64, error) { return e.cubed(0.5) })
	// κ‖C‖³
	kappaC = ulps(64, func(e *evaluation) (float64, error) {
		cube, err := e.cubed(1)
		return e.Population.Kappa() * cube, err
	})

	// mean k(x,x)
	meanK = ulps(64, func(e *evaluation) (float64, error) { return e.meanNorm(e.X, e.Counts), nil })
	// n·mean k(x,x)
	traceK = ulps(1, func(e *evaluation) (float64, error) { return e.rows() * e.meanNorm(e.X, e.Counts), nil })
	// n, of relative errors in the trace norm
	overTrace = ulps(1, func(e *evaluation) (float64, error) { return e.rows(), nil })
	// n², which n·tr K/‖K‖ is at most
	overSpectral = ulps(1, func(e *evaluation) (float64, error) { return e.rows() * e.rows(), nil })
	// E f*², times 1e-12 on atoms
	ofRegression = ulps(64, func(e *evaluation) (float64, error) {
		if e.HeldOut != nil {
			return 1e-12, nil // a sum of squares
		}
		return 1, nil
	})
	// max |y| at the held-out points
	ofLargest = ulps(64, func(e *evaluation) (float64, error) {
		return e.Unit * max(mat.Max(e.Responses), -mat.Min(e.Responses)), nil
	})
)

// rows are those of X; 0 of a sample that is streamed.
func (e *evaluation) rows() float64 {
	if e.X == nil {
		return 0
	}
	n, _ := e.X.Dims()
	return float64(n)
}

// meanNorm is the mean of k(x,x) over points, under weights, nil for all alike; 0 of no points.
func (e *evaluation) meanNorm(x *mat.Dense, weights []float64) float64 {
	if x == nil {
		return 0
	}
	mean, _ := shared(e, "mean k(x,x)", x, func() (float64, error) { return meanBy(weights, kernel.Diagonal(e.Kernel, x)), nil })
	return mean
}

// cubed is ‖C‖³ to a power.
func (e *evaluation) cubed(power float64) (float64, error) {
	s, err := e.sketched()
	if err != nil {
		return 0, err
	}
	return math.Pow(s.limit(), power), nil
}

// liftedSpread is λ_1/λ_ℓ of the functions of a feature subspace, whose lift divides by
// these; 1 of a subspace of H.
func (e *evaluation) liftedSpread(ell int) (float64, error) {
	o, err := e.ofHeldOut()
	if err != nil || o.second == nil {
		return 1, err
	}
	most, least := 0.0, math.Inf(1)
	for i := range e.kept(ell) {
		v := max(o.second.At(i, i), vanishing*mat.Trace(o.second))
		most, least = max(most, v), min(least, v)
	}
	return most / least, nil
}
