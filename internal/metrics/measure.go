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
	span      bool                          // works on the sample's coordinates in the model's span
	forms     func(l Load) cost.Cost        // beside the functions' values and what measures share, where that is larger than a few times n·ℓ
	reason    string                        // why it is not defined for other shapes
	lacks     func(of methods.Entry) string // why it is not defined for some methods of its shapes; "" where it is
	absent    string                        // why some of the models, or samples, that it is defined for have no value
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
	fitted        = slices.DeleteFunc(slices.Clone(anyShape), func(shape string) bool { return shape == methods.ShapePopulation })
)

// Why measures are not defined for some shapes.
const (
	spectralOnly    = "it measures the components of an estimated covariance"
	noSketch        = "it does not estimate Σ³; take a Gaussian sketch of the kernel matrix (kjl), uncentred"
	noProjection    = "it is no projection onto components that could be evaluated at held-out points; take a method of kernel PCA other than the population's own"
	onlyGaussian    = "only a Gaussian sketch's coordinates are normal given the sample; take sketch: gaussian"
	noSpan          = "it spans no subspace of H by points of the sample; take nystrom or nystrom-embedding"
	noApproximation = "it approximates no kernel matrix of the sample; take nystrom, incomplete-cholesky, a sketch, rff or an embedding"
	notFitted       = "it is the population's own, and nothing is fitted"
	ownSpace        = "the embedding does not keep the distances of H"
	noCentres       = "the program gave labels and no centres: other points cannot be assigned, and distances are not known"
	oneClass        = "all points are of one class"
	notStreamed     = "it needs the points of the sample, which are not kept; drop stream: true"
	clusteringsOnly = "it measures clusters; give the embedding a block kmeans"
)

// Why measures are not defined for some methods of their shapes.

func noDistances(of methods.Entry) string {
	known := of.Space == methods.SpaceSpan || of.Space == methods.SpaceAnswers || of.Shape == methods.ShapeSubspace
	if known {
		return ""
	}
	return "it spans no subspace of H in which distances are those of projections; take nystrom-embedding"
}

func noCount(of methods.Entry) string {
	if of.Holds != nil {
		return ""
	}
	return "the numbers that the fit holds are not counted; take memory"
}

func programs(of methods.Entry) string {
	if of.Program {
		return "a program reads its kernel values itself"
	}
	return ""
}

// approximationOf says which approximation of the kernel matrix is measured.
const approximationOf = "K̂ projects the k(·,x_i) onto the whole span in which components are sought (nystrom, incomplete-cholesky, sketches) or onto an isometric embedding, " +
	"and is ZZᵀ for all random features Z and for every other embedding Z; where the leading directions alone are taken (ekpca, space: centred and programs: ℓ components; kpca-subsample and nystrom-embedding of rank d), K̂ is another quantity, with metrics that end in _cut"

// drawnBy says which rows of K and K - K̂ are taken.
const drawnBy = "rows are drawn with replacement from a stream of the repeat, half in proportion to K̂_ii and half to (K - K̂)_ii, or for features Z to K_ii·tr K + ‖z_i‖²·‖Z‖²_F: what bounds a row, so that rare rows with large entries are seen; " +
	"a group of rows that differ from others off the diagonal alone is missed in 5 % of draws if it has 0.3 % of the probability; of 2000 simulated draws each from 6000 rows, where 0.05 to 0.1 % of the rows have all of the error, where rows come in turns and where features have uneven norms, the interval has the error in 94 to 96 %"

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
	Columns float64 // coordinates of the sample in the model's span or features
	Span    bool    // the model projects onto a span in H: K − K̂ is positive
	Width   float64 // functions of the model
	// Points are those of an empirical population, 0 where there is none. Closed says
	// that it has a closed form instead, under a kernel of so high a rank, 0 for none
	// that is finite, and that so many functions carry its operators.
	Points, Rank, Functions float64
	Closed                  bool
	Terms                   float64 // eigenfunctions that a closed form goes through; 0 for iterated kernels
	Passes                  float64 // over the kernel matrix of the points, where it is not kept: a share of one
}

// exhausted says that the population's functions carry the kernel, all of it.
func (l Load) exhausted() bool { return l.Closed && l.Rank > 0 && l.Functions == l.Rank }

// has says whether measures of a need are defined.
func (m Measure) has(need string) bool { return slices.Contains(m.Needs, need) }
