package metrics

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/lists"
)

// epsilon is the unit in the last place of 1.
const epsilon = 0x1p-52

// Rounding is how far rounding may move an output: Factor times a scale. Factor 0 stands for
// what it does not move, such as counts, and what varies by more, such as times.
type Rounding struct {
	Factor float64
	Scale  scale
}

// scale is a number that an evaluation knows, by its formula.
type scale struct {
	name string
	of   func(e *evaluation, ell int) (float64, error) // nil of a relative rounding
}

// exact is for counts, and for what is measured by a clock.
var exact = Rounding{}

// ulps is a rounding of so many units in the last place of a scale.
func ulps(count float64, s scale) Rounding { return Rounding{count * epsilon, s} }

// String is a formula: "128·2^-52·tr C".
func (r Rounding) String() string {
	count := r.Factor / epsilon
	factor := strings.Replace(fmt.Sprintf("%g", r.Factor), "e-0", "e-", 1)
	switch {
	case r.Factor == 0:
		return "none"
	case count == 1:
		factor = "2^-52"
	case count == math.Trunc(count) && count < 1e6:
		factor = fmt.Sprintf("%g·2^-52", count)
	case r.Factor == 1:
		return r.Scale.name
	}
	return strings.TrimSuffix(factor+"·"+r.Scale.name, "·")
}

// roundingOf is that of a metric; eigenvalues share one.
func (m Measure) roundingOf(metric string) Rounding {
	return m.Outputs[max(0, slices.Index(m.Metrics(), metric))].Rounding
}

// States says how far rounding may move the outputs, and what it may tip.
func (m Measure) States() string {
	formula := func(o Output) string { return o.Rounding.String() }
	parts := lists.Once(lists.Map(m.Outputs, formula))
	if len(parts) > 1 {
		parts = lists.Map(m.Outputs, func(o Output) string { return o.Name + " " + formula(o) })
	}
	if m.Steps {
		parts = append(parts, "may tip what is nearly tied")
	}
	return strings.Join(parts, "; ")
}

// rounded names the outputs at ell that are at or below their rounding.
func (e *evaluation) rounded(m Measure, ell int, outputs map[string]float64) ([]string, error) {
	var names []string
	for name, v := range outputs {
		r := m.roundingOf(name)
		if r.Factor == 0 || r.Scale.of == nil {
			continue
		}
		size, err := r.Scale.of(e, ell)
		if err != nil {
			return nil, fmt.Errorf("rounding of %s: %w", name, err)
		}
		if most := r.Factor * size; most > 0 && math.Abs(v) <= most {
			names = append(names, name)
		}
	}
	return names, nil
}

// sized is a scale that does not depend on ℓ.
func sized(name string, of func(e *evaluation) (float64, error)) scale {
	return scale{name, func(e *evaluation, _ int) (float64, error) { return of(e) }}
}

// The scales, in the symbols of the measures' docs. n counts rows of X, which are atoms of a
// sample of counts.
var (
	itself     = scale{name: "its value"}
	unity      = sized("", func(*evaluation) (float64, error) { return 1, nil })
	rowCount   = sized("n", func(e *evaluation) (float64, error) { return e.rows(), nil })
	firstValue = sized("eigenvalue_1", func(e *evaluation) (float64, error) {
		return floats.Max(append([]float64{0}, e.spectrum.Values...)), nil
	})

	traceC = sized("tr C", func(e *evaluation) (float64, error) { return e.Population.UncentredSum(1) })
	ofL2   = sized("λ_1·tr C", func(e *evaluation) (float64, error) {
		total, err := e.Population.UncentredSum(1)
		return e.lambda[0] * total, err
	})
	ofAngle = scale{"ρ/(λ_ℓ - λ_{ℓ+1})", func(e *evaluation, ell int) (float64, error) {
		rho, err := e.uncertainty()
		return rho / e.gap(ell), err
	}}
	ofSpace = scale{"ρλ_ℓ/(λ_ℓ - λ_{ℓ+1})", func(e *evaluation, ell int) (float64, error) {
		rho, err := e.uncertainty()
		return rho * e.lambda[ell-1] / e.gap(ell), err
	}}
	overGaps = scale{"ρ·Σ_{i≤ℓ} √λ_i/min(λ_{i-1} - λ_i, λ_i - λ_{i+1})", func(e *evaluation, ell int) (float64, error) {
		rho, err := e.uncertainty()
		sum, before := 0.0, math.Inf(1)
		for i := range ell {
			next := e.gap(i + 1)
			sum += math.Sqrt(e.lambda[i]) / min(before, next)
			before = next
		}
		return rho * sum, err
	}}

	heldOutNorm = sized("mean k(z,z)", func(e *evaluation) (float64, error) { return e.meanNorm(e.HeldOut, e.Masses), nil })
	ofLift      = scale{"mean k(z,z)·λ_1/λ_ℓ(UᵀC_mU)", func(e *evaluation, ell int) (float64, error) {
		spread, err := e.liftedSpread(ell)
		return e.meanNorm(e.HeldOut, e.Masses) * spread, err
	}}
	ofLiftGram = scale{"ℓ·λ_1/λ_ℓ(UᵀC_mU)", func(e *evaluation, ell int) (float64, error) {
		spread, err := e.liftedSpread(ell)
		return float64(ell) * spread, err
	}}
	dimensions = scale{"ℓ", func(_ *evaluation, ell int) (float64, error) { return float64(ell), nil }}

	supremum = sized("κ", func(e *evaluation) (float64, error) { return e.Population.Kappa(), nil })
	normC    = sized("‖C‖³", func(e *evaluation) (float64, error) { return e.cubed(1) })
	rootC    = sized("‖C‖^1.5", func(e *evaluation) (float64, error) { return e.cubed(0.5) })
	kappaC   = sized("κ‖C‖³", func(e *evaluation) (float64, error) {
		cube, err := e.cubed(1)
		return e.Population.Kappa() * cube, err
	})

	meanK  = sized("mean k(x,x)", func(e *evaluation) (float64, error) { return e.meanNorm(e.X, e.Counts), nil })
	traceK = sized("n·mean k(x,x)", func(e *evaluation) (float64, error) { return e.rows() * e.meanNorm(e.X, e.Counts), nil })
	// of relative errors of K: n·tr K/‖K‖_F and n·tr K/‖K‖ are at most these
	overFrobenius = sized("n^1.5", func(e *evaluation) (float64, error) { return math.Pow(e.rows(), 1.5), nil })
	overSpectral  = sized("n^2", func(e *evaluation) (float64, error) { return e.rows() * e.rows(), nil })
	ofBests       = sized("1e-10, above 5000 points 1e-6", func(e *evaluation) (float64, error) { return leastBest(int(e.rows())), nil })
	overLevel     = sized("n·r·mean k(x,x)", func(e *evaluation) (float64, error) {
		s, err := e.projected()
		if err != nil || s == nil {
			return 0, err
		}
		_, r := s.factor.Dims()
		return e.rows() * float64(r) * e.meanNorm(e.X, e.Counts), nil
	})
	ofRegression = sized("E f*², times 1e-12 on atoms", func(e *evaluation) (float64, error) {
		if e.HeldOut != nil {
			return 1e-12, nil // a sum of squares
		}
		return 1, nil
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
	mean, _ := shared(e, "mean k(x,x)", x, func() (float64, error) { return meanBy(weights, e.squaredNorms(x)), nil })
	return mean
}

// squaredNorms are the k(x,x) of points.
func (e *evaluation) squaredNorms(x *mat.Dense) []float64 {
	n, _ := x.Dims()
	norms := make([]float64, n)
	for i := range norms {
		norms[i] = e.Kernel.At(x.RawRowView(i), x.RawRowView(i))
	}
	return norms
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
