package methods

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/kernel"
)

// Method is an estimator with its parameters.
type Method interface {
	// Check says why the method cannot be run with this kernel at these sizes;
	// nil where it can.
	Check(k kernel.Kernel, s Sizes) error
	// Fit computes the estimate. It must depend on the problem and the stream
	// alone, leave the problem as it is, and look at the context before the first
	// phase, between phases and between blocks of rows; a Gram matrix or an
	// eigenproblem once begun is finished.
	Fit(ctx context.Context, p Problem, rng *rand.Rand) (Model, error)
}

// Costed is a method whose cost depends on its options: its Work stands in for
// that of its registry entry.
type Costed interface {
	Work(s Sizes, dim float64) (flops, bytes float64)
}

// Sizes of a cell; 0 where the grid has none.
type Sizes struct {
	N, M, D, Ell int
}

// Problem is what a method works on.
type Problem struct {
	X          *mat.Dense // n×D; not to be written to
	Kernel     kernel.Kernel
	Sizes      Sizes
	Population data.Population      // for the population's own kpca only; may be nil
	Gram       func() *mat.SymDense // shared n×n kernel matrix of X, not to be written to; nil where nothing is shared
	Clock      Clock                // measures phases; nil where time is not measured
}

// Clock measures phases of a fit: landmarks, gram, factor, embed, solve.
type Clock interface {
	// Phase starts a phase and returns what ends it.
	Phase(name string) (stop func())
}

func (p Problem) phase(name string) func() {
	if p.Clock == nil {
		return func() {}
	}
	return p.Clock.Phase(name)
}

// gram is the kernel matrix of X, shared or computed.
func (p Problem) gram() *mat.SymDense {
	if p.Gram != nil {
		return p.Gram()
	}
	return kernel.Gram(p.Kernel, p.X)
}

// Model is a fitted estimator: a *Subspace, a *FeatureSubspace or an *Exact.
type Model interface {
	// Caveats are what a reader of the first ell components should know: rank
	// cut, not converged.
	Caveats(ell int) []string
}

// Shapes of models, as messages name them.
const (
	ShapeSubspace   = "subspace of H"
	ShapeFeatures   = "subspace of a feature space"
	ShapePopulation = "population eigenspace"
)

// ShapeOf names the shape of a model.
func ShapeOf(m Model) string {
	switch m.(type) {
	case *Subspace:
		return ShapeSubspace
	case *FeatureSubspace:
		return ShapeFeatures
	case *Exact:
		return ShapePopulation
	}
	return ""
}

// Spectrum is what all spectral models have.
type Spectrum struct {
	Values   []float64 // λ̂_1 ≥ λ̂_2 ≥ …, of the kept components
	Center   []float64 // ⟨φ̂_i, m̂⟩, the estimator's centre in its components; 0 for an uncentred one
	Rank     int       // numerical rank of K_mm; 0 for a method without landmarks
	Warnings []string
}

// Caveats are the warnings of the fit, and one where it has fewer than ell
// components.
func (s Spectrum) Caveats(ell int) []string {
	caveats := slices.Clone(s.Warnings)
	if kept := len(s.Values); kept < ell {
		caveats = append(caveats, fmt.Sprintf("numerical rank %d is below ell = %d: %d components kept", kept, ell, kept))
	}
	return caveats
}

// Subspace is a subspace of H: φ̂_i = Σ_j Coef_ji k(·, p_j), orthonormal. It may
// have fewer than ℓ components where the problem's rank is smaller.
type Subspace struct {
	kernel.Expansion
	Spectrum
}

// FeatureSubspace is a subspace of a feature space: orthonormal columns of Coef.
type FeatureSubspace struct {
	kernel.FeatureExpansion
	Spectrum
}

// Exact is the population's own leading eigenspace.
type Exact struct {
	Spectrum
}
