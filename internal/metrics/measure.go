package metrics

import (
	"slices"

	"mercer/internal/cost"
	"mercer/methods"
)

// Measure is something a spec can ask for.
type Measure struct {
	Doc       string
	Reference string
	Cost      string   // in kernel values, flops or passes
	Unit      string   // of every output; empty for a dimensionless number
	Outputs   []string // names of the metrics in records; eigenvalue_1 … eigenvalue_ell for eigenvalues
	Labels    []string // of each output in figures and headings, which have room for a few words
	Better    []Better // which values of each output are better, or of all where it is one
	// Cancels says that outputs are small differences of large numbers, or functions
	// of them: they lose digits, and rounding moves them relatively more.
	Cancels bool
	// Steps says that rounding may tip outputs from one value to another: those of
	// clusterings, at near ties, and of numerical ranks.
	Steps  bool
	Shapes []string // shapes of model it is defined for
	Needs  []string // of the data set: "population", "held-out points", "classes", "a regression function"
	Matrix bool     // works on the kernel matrix of the held-out points
	Sample bool     // works on the points of the sample: the fit cannot stream them
	// Uncentred says that it works on the population's uncentred operator.
	Uncentred bool
	span      bool                   // works on the sample's coordinates in the model's span
	forms     func(l Load) cost.Cost // beside the functions' values and what measures share, where that is larger than a few times n·ℓ
	reason    string                 // why it is not defined for other shapes
	reasons   map[string]string
	// Rounding is how far rounding may move each output; further ones have the last.
	Rounding []Rounding
	eigen    bool // compares with the population's ℓ-eigenspace
	each     bool // and with each of its eigenfunctions
	// compute adds the outputs at ell to into; nil for what the runner measures.
	compute func(e *evaluation, ell int, into map[string]float64) error
}

// What a measure may need of its data set.
const (
	NeedsPopulation = "population"      // whose operators are known
	NeedsHeldOut    = "held-out points" // that an empirical population is uniform on
	NeedsClasses    = "classes"
	NeedsResponse   = "a regression function" // that is known
)

var (
	needsPopulation = []string{NeedsPopulation}
	needsHeldOut    = []string{NeedsHeldOut}
	needsClasses    = []string{NeedsClasses}
)

var (
	spectral    = []string{methods.ShapeSubspace, methods.ShapeFeatures, methods.ShapePopulation}
	ofSketch    = []string{methods.ShapeSketch, methods.ShapeGaussian}
	clusterings = []string{methods.ShapeClustering}
	assigned    = []string{methods.ShapeClustering, methods.ShapeStreamed} // of labels and held-out points alone
	embedded    = []string{methods.ShapeEmbedding, methods.ShapeSketch, methods.ShapeGaussian, methods.ShapeClustering}
	landmarked  = []string{methods.ShapeSubspace, methods.ShapeEmbedding, methods.ShapeClustering}
	// approximating have an approximation of the sample's kernel matrix.
	approximating = []string{methods.ShapeSubspace, methods.ShapeFeatures, methods.ShapeEmbedding}
	anyShape      = slices.Concat(spectral, embedded, []string{methods.ShapeStreamed, methods.ShapeRegression})
)

// Why measures are not defined for some shapes.
const (
	spectralOnly    = "it measures the components of an estimated covariance"
	noSketch        = "it does not estimate Σ³; take a Gaussian sketch of the kernel matrix (kjl), uncentred"
	noProjection    = "it is no projection onto components that could be evaluated at held-out points; take a method of kernel PCA other than the population's own"
	onlyGaussian    = "only a Gaussian sketch's coordinates are normal given the sample; take sketch: gaussian"
	noSpan          = "it spans no subspace of H by points of the sample; take nystrom or nystrom-embedding"
	noApproximation = "it approximates no kernel matrix of the sample; take nystrom, incomplete-cholesky, a sketch or rff"
	notStreamed     = "it needs the points of the sample, which are not kept; drop stream: true"
	clusteringsOnly = "it measures clusters; give the embedding a block kmeans"
)

// approximationOf says which approximation of the kernel matrix is measured.
const approximationOf = "K̂ projects the k(·,x_i) onto the landmarks' span (nystrom, incomplete-cholesky) or onto an isometric embedding, else onto the first ℓ components (ekpca; sketches, all of whose span they have at ell = m), " +
	"and is ZZᵀ for all random features Z; not for other embeddings"

// NeedsSample says that Truth.X must be there to measure models of a shape.
func (m Measure) NeedsSample(shape string) bool { return m.Sample && shape != methods.ShapeStreamed }

// Capabilities is what a data set has for measures.
type Capabilities struct {
	Population bool // one is declared
	HeldOut    bool // it is uniform on given points
	Response   bool // points have responses, of a known regression function
}

// whyNot says why a measure is not defined for a shape.
func (m Measure) whyNot(shape string) string {
	if shape == methods.ShapeStreamed && slices.Contains(m.Shapes, methods.ShapeClustering) {
		return notStreamed
	}
	if reason, ok := m.reasons[shape]; ok {
		return reason
	}
	return m.reason
}

func withArticle(shape string) string {
	if shape == methods.ShapeEmbedding {
		return "an " + shape
	}
	return "a " + shape
}

// Better says which values of a metric speak for a method.
type Better int

// Neither is for what describes and does not judge: spectra, floors, parts of
// errors, and what methods measure in spaces of their own, where no value of one
// can be held against one of another.
const (
	Neither Better = iota
	Less
	More
)

// String is "less", "more" or "neither".
func (b Better) String() string {
	return [...]string{"neither", "less", "more"}[b]
}

// Load is the size of what a model is measured on.
type Load struct {
	Shape   string  // of the model
	N, Dim  float64 // points of the sample, in R^Dim
	Support float64 // points or random features that the model's functions are sums over
	Width   float64 // functions of the model
	// Points are those of an empirical population, 0 where there is none. Closed says
	// that it has a closed form instead, under a kernel of so high a rank, 0 for none
	// that is finite, and that so many functions carry its operators.
	Points, Rank, Functions float64
	Closed                  bool
	Passes                  float64 // over the kernel matrix of the points, where it is not kept: a share of one
}

// exhausted says that the population's functions carry the kernel, all of it.
func (l Load) exhausted() bool { return l.Closed && l.Rank > 0 && l.Functions == l.Rank }

// coordinates are what the model's functions are sums over: of random features two
// each at most.
func (l Load) coordinates() float64 {
	if l.Shape == methods.ShapeFeatures {
		return 2 * l.Support
	}
	return l.Support
}

// has says whether measures of a need are defined.
func (m Measure) has(need string) bool { return slices.Contains(m.Needs, need) }
