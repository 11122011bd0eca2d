package methods_test

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
)

// takenApart is a model taken apart.
type takenApart struct {
	methods.Spectrum
	points   *mat.Dense        // of a subspace of H
	kernel   kernel.Kernel     // of a subspace of H
	features kernel.FeatureMap // of a subspace of a feature space
	coef     *mat.Dense        // nil for the population's eigenspace
}

func open(model methods.Model) takenApart {
	switch m := model.(type) {
	case *methods.Subspace:
		return takenApart{Spectrum: m.Spectrum, points: m.Points, kernel: m.Kernel, coef: m.Coef}
	case *methods.FeatureSubspace:
		return takenApart{Spectrum: m.Spectrum, features: m.Map, coef: m.Coef}
	case *methods.Regression:
		switch f := m.Functions.(type) {
		case kernel.Expansion:
			return takenApart{points: f.Points, kernel: f.Kernel, coef: f.Coef}
		case kernel.FeatureExpansion:
			return takenApart{features: f.Map, coef: f.Coef}
		}
	case *methods.Exact:
		return takenApart{Spectrum: m.Spectrum}
	}
	panic(fmt.Sprintf("a model of type %T", model))
}

// at is the n×ℓ matrix of the components at the rows of x, point by point.
func (f takenApart) at(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	_, l := f.coef.Dims()
	values := mat.NewDense(n, l, nil)
	for i := range n {
		basis := f.basisAt(x, i)
		for j := range l {
			values.Set(i, j, floats.Dot(basis, mat.Col(nil, j, f.coef)))
		}
	}
	return values
}

// basisAt are the functions that the components combine, at one point.
func (f takenApart) basisAt(x *mat.Dense, i int) []float64 {
	_, d := x.Dims()
	if f.features != nil {
		row := mat.NewDense(1, f.features.Dim(), nil)
		f.features.Transform(row, x.Slice(i, i+1, 0, d).(*mat.Dense))
		return row.RawRowView(0)
	}
	p, _ := f.points.Dims()
	values := make([]float64, p)
	for j := range values {
		values[j] = f.kernel.At(x.RawRowView(i), f.points.RawRowView(j))
	}
	return values
}

// inner is the ℓ×ℓ matrix of inner products in H or in the feature space.
func (f takenApart) inner() *mat.Dense {
	var gram mat.Dense
	if f.features != nil {
		gram.Mul(f.coef.T(), f.coef)
		return &gram
	}
	gram.Mul(f.coef.T(), f.at(f.points))
	return &gram
}

func checkShapes(s Subject) error {
	return onEachCase(func(s Subject, c sample, f takenApart) error {
		var broken []string
		model, err := s.model(c)
		if err != nil {
			return err
		}
		if shape := methods.ShapeOf(model); shape != s.Shape {
			broken = append(broken, fmt.Sprintf("the model is a %s, want a %s", shape, s.Shape))
		}
		kept := len(f.Values)
		if kept < 1 || kept > c.sizes.Ell {
			broken = append(broken, fmt.Sprintf("%d components, want 1 to %d", kept, c.sizes.Ell))
		}
		if len(f.Center) != kept {
			broken = append(broken, fmt.Sprintf("%d centres of %d components", len(f.Center), kept))
		}
		if f.coef == nil {
			return joined(broken)
		}
		rows, columns := f.coef.Dims()
		want := 0
		if f.features != nil {
			want = f.features.Dim()
		} else {
			want, _ = f.points.Dims()
		}
		if rows != want || columns != kept {
			broken = append(broken, fmt.Sprintf("coefficients are %d×%d, want %d×%d", rows, columns, want, kept))
		}
		return joined(broken)
	})(s)
}

// orthonormal holds the components' inner products to 1 and 0. Kernel values
// are exact to a few ε·κ, which leaves ‖φ̂_i‖² uncertain by ε·κ·‖Γ_i‖₁²: the
// tolerance grows by 4 of these, and where that is more than unwarned the model
// must have said so.
func orthonormal(_ Subject, c sample, f takenApart) error {
	const unwarned = 1e-7
	if f.coef == nil {
		return nil
	}
	tolerance := max(c.tolerance, 4*f.uncertainty())
	gram := f.inner()
	worst, at := 0.0, [2]int{}
	for i := range len(f.Values) {
		for j := range len(f.Values) {
			want := 0.0
			if i == j {
				want = 1
			}
			if off := math.Abs(gram.At(i, j) - want); !(off <= worst) {
				worst, at = off, [2]int{i + 1, j + 1}
			}
		}
	}
	if !(worst <= tolerance) {
		return fmt.Errorf("the inner product of components %d and %d is off by %.2g, tolerance %.1g", at[0], at[1], worst, tolerance)
	}
	says := func(w string) bool { return strings.Contains(w, "norms in H uncertain") }
	if f.uncertainty() > unwarned && !slices.ContainsFunc(f.Warnings, says) {
		return fmt.Errorf("norms in H are uncertain by %.1g, and no warning of %q says so", f.uncertainty(), f.Warnings)
	}
	return nil
}

// uncertainty is ε·κ·max_i ‖Γ_i‖₁², κ over the points; 0 in a feature space.
func (f takenApart) uncertainty() float64 {
	if f.features != nil {
		return 0
	}
	p, l := f.coef.Dims()
	size, largest := 0.0, 0.0
	for i := range p {
		size = max(size, f.kernel.At(f.points.RawRowView(i), f.points.RawRowView(i)))
	}
	for j := range l {
		largest = max(largest, floats.Norm(mat.Col(nil, j, f.coef), 1))
	}
	return 0x1p-52 * size * largest * largest
}

func falling(s Subject, _ sample, f takenApart) error {
	previous := math.Inf(1)
	for i, v := range f.Values {
		if !(v >= 0 && v <= previous) {
			return fmt.Errorf("value %d is %g after %g", i+1, v, previous)
		}
		if !s.Streamed {
			previous = v
		}
	}
	return nil
}

// uncorrelated compares the covariance of the components over the sample with
// diag(λ̂), to the tolerance relative to λ̂_1, or 4 roundings of the components'
// values, which are off by ε·κ·‖Γ_i‖₁.
func uncorrelated(s Subject, c sample, f takenApart) error {
	if s.Streamed {
		return nil
	}
	values := f.at(c.x)
	n, l := values.Dims()
	mean := make([]float64, l)
	if s.Center != "none" {
		mean = means(values)
	}
	divisor := float64(n)
	if s.Center == "u" {
		divisor--
	}
	for i := range l {
		for j := range l {
			sum := 0.0
			for k := range n {
				sum += (values.At(k, i) - mean[i]) * (values.At(k, j) - mean[j])
			}
			want := 0.0
			if i == j {
				want = f.Values[i]
			}
			if got := sum / divisor; !(math.Abs(got-want) <= f.valueTolerance(c)*f.Values[0]) {
				return fmt.Errorf("components %d and %d have covariance %.15g over the sample, want %.15g", i+1, j+1, got, want)
			}
		}
	}
	return nil
}

// valueTolerance is the sample's, or 4·ε·√κ·‖Γ‖₁ for values of components whose
// size is √κ.
func (f takenApart) valueTolerance(c sample) float64 {
	return max(c.tolerance, 4*math.Sqrt(0x1p-52*f.uncertainty()))
}

func means(values *mat.Dense) []float64 {
	n, l := values.Dims()
	mean := make([]float64, l)
	for i := range l {
		mean[i] = floats.Sum(mat.Col(nil, i, values)) / float64(n)
	}
	return mean
}

func centre(s Subject, c sample, f takenApart) error {
	want := make([]float64, len(f.Values))
	if s.Center != "none" {
		want = means(f.at(c.x))
	}
	for i, got := range f.Center {
		if !(math.Abs(got-want[i]) <= f.valueTolerance(c)) {
			return fmt.Errorf("⟨φ̂_%d, m̂⟩ is %.15g, want %.15g", i+1, got, want[i])
		}
	}
	return nil
}

func checkPopulation(s Subject) error {
	if s.Population == nil {
		return nil
	}
	return onEachCase(func(s Subject, c sample, f takenApart) error {
		want, err := s.Population.Eigenvalues(c.sizes.Ell)
		if err != nil {
			return err
		}
		for i, v := range f.Values {
			if v != want[i] || f.Center[i] != 0 {
				return fmt.Errorf("component %d has value %g and centre %g, want %g and 0", i+1, v, f.Center[i], want[i])
			}
		}
		return nil
	})(s)
}
