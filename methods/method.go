package methods

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/internal/sizes"
)

// Method is an estimator with its parameters.
type Method interface {
	// Check says why the method cannot be run with this kernel at these sizes; nil where it
	// can.
	Check(k kernel.Kernel, s Sizes) error
	// Cost is that of a fit to n points in R^dim at sizes that passed Check. Beside the
	// sample and its Gram matrix, whose kernel values count and whose bytes do not: the
	// group shares them. With a kernel of finite rank far below n it is that of the
	// coordinates where the fit takes these; k is nil for the cost under any kernel.
	Cost(k kernel.Kernel, s Sizes, dim float64) cost.Cost
	// Fit computes the estimate. It must depend on the sample and the stream
	// alone, leave the sample as it is, and look at the context before the first
	// phase, between phases and between blocks of rows; a Gram matrix or an
	// eigenproblem once begun is finished.
	Fit(ctx context.Context, p Sample, rng *rand.Rand) (Model, error)
}

// Sizes of a cell; 0 where the grid has none.
type Sizes = sizes.Sizes

// Cost is what a fit takes, as far as a method can count it.
type Cost = cost.Cost

// Streaming is a method whose single pass over the sample gives its estimate at
// every n.
type Streaming interface {
	Method
	// FitEach calls found with the model of the first n points, for each n of
	// sizes, which ascend; p.X or p.Rows, and p.Sizes, hold the largest. Each model is the one that Fit
	// gives at that n and the same ℓ, which may be more than Check allows there, with
	// the same stream, bit for bit, and is not changed afterwards.
	//
	// Where Fit fails at one n and need not at larger ones, found gets its error
	// with no model, and the pass goes on: no n's outcome depends on the others of
	// sizes. An error that Fit gives at this n and all larger ones may end the pass.
	// An error of found ends it and is returned.
	FitEach(ctx context.Context, p Sample, sizes []int, rng *rand.Rand, found func(n int, m Model, err error) error) error
}

// Model is a fitted estimator: a *Subspace, a *FeatureSubspace, an *Exact, an
// *Embedding, a *Clustering or a *Regression.
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
	ShapeEmbedding  = "embedding"
	ShapeSketch     = "sketch of Σ³"
	ShapeGaussian   = "Gaussian sketch of Σ³"
	ShapeClustering = "clustering"
	ShapeStreamed   = "clustering of streamed points"
	ShapeRegression = "regression"
)

// ShapeOf names the shape of a model.
func ShapeOf(m Model) string {
	switch m := m.(type) {
	case *Subspace:
		return ShapeSubspace
	case *FeatureSubspace:
		return ShapeFeatures
	case *Exact:
		return ShapePopulation
	case *Clustering:
		if m.Squared != nil {
			return ShapeStreamed
		}
		return ShapeClustering
	case *Regression:
		return ShapeRegression
	case *Embedding:
		switch {
		case m.Sketch && m.Gaussian:
			return ShapeGaussian
		case m.Sketch:
			return ShapeSketch
		}
		return ShapeEmbedding
	}
	return ""
}

// Spectrum is what all spectral models have.
type Spectrum struct {
	// Values are λ̂_1 ≥ λ̂_2 ≥ …, of the kept components. Oja's estimates may rise: these components are in the order in which they were found,
	// so that the first ℓ are those of a fit at ℓ.
	Values   []float64
	Center   []float64 // ⟨φ̂_i, m̂⟩, the estimator's centre in its components; 0 for an uncentred one
	Rank     int       // numerical rank of K_mm or of a sketch SᵀKS; 0 for a method without any
	Warnings []string
	// Residuals are ‖A·v − μ·v‖/(μ_1·‖v‖) of the empirical problem A·v = μ·v, for
	// a method that does not solve it to rounding; nil for the others.
	Residuals []float64
	Converged bool // the last residual is as small as was asked for
}

// mostResidual is the residual of an eigenpair beyond which it is a caveat.
const mostResidual = 1e-2

// Caveats are the warnings of the fit, and those of the first ell components:
// fewer were found, or their residuals are too large.
func (s Spectrum) Caveats(ell int) []string {
	caveats := slices.Clone(s.Warnings)
	if first := s.Residuals[:min(ell, len(s.Residuals))]; len(first) > 0 && slices.Max(first) > mostResidual {
		caveats = append(caveats, fmt.Sprintf("eigenpairs not converged: largest relative residual %.1e of the first %d, more than %.1g", slices.Max(first), len(first), mostResidual))
	}
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
	// Landmarks says that the components were looked for in all of the span of the
	// k(·, p_j), and not among some combinations of them.
	Landmarks bool
	// Span are the coordinates (n×r) of the sample's k(·, x_i) in an orthonormal basis of
	// the combinations that the components were looked for among, with what a context's
	// end says; nil where Landmarks holds, and where there are none beside the components.
	Span func(ctx context.Context) (*mat.Dense, error)
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

// Embedding is a map x ↦ z(x) = f(x) − offset of the input space into R^d.
type Embedding struct {
	Functions kernel.Functions // f, d functions
	Offset    []float64        // nil for none
	// Counts are how many points of the subsample each point of a sketch stands for;
	// nil for one each.
	Counts []float64
	// Isometric says that z(x) are coordinates of the projection of k(·,x) onto a
	// subspace of H in an orthonormal basis: distances are those of H there, and
	// k(x,x) − ‖z(x)‖² ≥ 0 is what the projection leaves.
	Isometric bool
	// Cut says that these are the leading directions of a larger span.
	Cut bool
	// Sketch says that Σ_a f_a⊗f_a estimates Σ³ (uncentred).
	Sketch bool
	// Gaussian says that given their points the functions are independent and
	// normal.
	Gaussian bool
	Warnings []string
}

// Dim is d.
func (e *Embedding) Dim() int { return e.Functions.Len() }

// Eval returns the n×d images of the rows of x (n×D), by row blocks.
func (e *Embedding) Eval(x *mat.Dense) *mat.Dense { return e.minusOffset(e.Functions.Eval(x)) }

// minusOffset takes the offset off the functions' values, in place.
func (e *Embedding) minusOffset(z *mat.Dense) *mat.Dense {
	if e.Offset != nil {
		linalg.SubtractRow(z, e.Offset)
	}
	return z
}

// Caveats are the warnings of the fit.
func (e *Embedding) Caveats(int) []string { return e.Warnings }

// Regression is a function f̂ for each of q responses, an estimate of E[Y|X = x]: f̂ minimises
// (1/n)Σ_i (f(X_i) − Y_i)² + λ‖f‖² over some functions.
type Regression struct {
	kernel.Functions         // the q functions f̂ alone
	Lambda           float64 // λ; 0 where a program does not say what f̂ minimises
	// Iterates are the q functions of each iteration of a solver, from 0 to the last, which
	// are f̂, and Residuals those of their systems, relative to the one of 0; nil where there
	// are no iterations.
	Iterates  kernel.Functions
	Residuals []float64
	Converged bool // the last residual is as small as was asked for
	Warnings  []string
	Chosen    *Choice // nil where nothing was
}

// Predict are the values (n×q) of f̂ at the rows of x (n×D).
func (r *Regression) Predict(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	values, err := valuesOf(ctx, r.Functions, x)
	if err != nil {
		return nil, err
	}
	return values, ctx.Err()
}

// Caveats are the warnings of the fit.
func (r *Regression) Caveats(int) []string { return r.Warnings }

// Clustering is a division of the sample into clusters that other points can be
// assigned to.
type Clustering struct {
	Partition
	Clusters int   // asked for; some may be empty
	Labels   []int // of the sample points, the rows of Sample.X, in [0, Clusters)
	// Squared are the sample points' squared distances as Assign gives them, of a
	// sample that was streamed and cannot be assigned again; nil for others.
	Squared    []float64
	Iterations int        // of Lloyd's algorithm on all points
	Sampled    int        // iterations before these, on a sample of the points
	Embedding  *Embedding // in which the centres lie; nil for clusters of a Gram matrix
	Warnings   []string
}

// Partition assigns points to clusters.
type Partition interface {
	// Assign returns the cluster of each row of x (n×D), the nearest centre's, of
	// equals the lowest, and the squared distance to that centre: in H, with what
	// a projection leaves, where Distances says "H"; else in the embedding.
	Assign(ctx context.Context, x *mat.Dense) (labels []int, squared []float64, err error)
	// Distances says where Assign's distances are measured: "H" or "embedding";
	// empty for a clustering without centres, whose Assign is ErrNoCenters or has no
	// distances.
	Distances() string
}

// Caveats are the warnings of the fit.
func (c *Clustering) Caveats(int) []string { return c.Warnings }
