package metrics

import (
	"cmp"
	"slices"
	"strings"

	"mercer/internal/lists"
	"mercer/methods"
)

// Family is what measures of one kind have in common: for which models they are defined, why
// not for others, and what they work on.
type Family struct {
	Shapes []string // of the models
	Needs  []string // of the data set: "population", "held-out points", "classes", "a regression function"

	Matrix    bool // works on the kernel matrix of the held-out points
	Sample    bool // works on the points of the sample: the fit cannot stream them
	Uncentred bool // works on the population's uncentred operator
	span      bool // works on the sample's coordinates in the model's span
	fixed     bool // does not depend on ℓ

	reason  string                         // why it is not defined for other shapes
	reasons map[string]string              // or for one of them
	lacks   func(of methods.Traits) string // why not for some methods of its shapes; "" where it is
	absent  string                         // why some of the models, or samples, that it is defined for have no value
}

// What a measure may need of its data set.
const (
	NeedsPopulation = "population"      // whose operators are known
	NeedsHeldOut    = "held-out points" // that an empirical population is uniform on
	NeedsClasses    = "classes"
	NeedsResponse   = "a regression function" // that is known
	NeedsResponses  = "responses"             // that were measured
	NeedsPredicted  = "classes that regression predicts"
)

var (
	spectral    = []string{methods.ShapeSubspace, methods.ShapeFeatures, methods.ShapePopulation}
	sketches    = []string{methods.ShapeSketch, methods.ShapeGaussian}
	clusterings = []string{methods.ShapeClustering}
	assigned    = []string{methods.ShapeClustering, methods.ShapeStreamed} // of labels and held-out points alone
	embedded    = slices.Concat([]string{methods.ShapeEmbedding}, sketches, clusterings)
	anyShape    = slices.Concat(spectral, embedded, []string{methods.ShapeStreamed, methods.ShapeRegression})
	fitted      = slices.DeleteFunc(slices.Clone(anyShape), func(shape string) bool { return shape == methods.ShapePopulation })
)

// Families of measures of a subspace.
var (
	ofComponents = Family{Shapes: spectral, reason: "it measures the components of an estimated covariance"}
	ofFunctions  = Family{Shapes: spectral, Needs: []string{NeedsPopulation}, reason: ofComponents.reason}
	ofSubspaces  = Family{
		Shapes: []string{methods.ShapeSubspace, methods.ShapePopulation}, Needs: ofFunctions.Needs,
		reason:  ofFunctions.reason,
		reasons: map[string]string{methods.ShapeFeatures: "a subspace of the feature space is no subspace of H; measure recon_l2"},
	}
	ofProjections = Family{
		Shapes: []string{methods.ShapeSubspace, methods.ShapeFeatures}, Needs: []string{NeedsHeldOut}, Matrix: true,
		reason: "it is no projection onto components that could be evaluated at held-out points; take a method of kernel PCA other than the population's own",
	}
	ofFeatures = Family{
		Shapes: []string{methods.ShapeFeatures}, Needs: []string{NeedsHeldOut}, Matrix: true,
		reason:  "it is not found in a feature space; take rff",
		reasons: map[string]string{methods.ShapeSubspace: "its components are orthonormal in H, so that it is a projection and no lift of a feature space; measure skp_objective"},
	}
)

// Families of measures of a sketch.
var (
	ofSketches = Family{
		Shapes: sketches, Needs: []string{NeedsPopulation}, Uncentred: true,
		reason: "it does not estimate Σ³; take a Gaussian sketch of the kernel matrix (kjl), uncentred",
	}
	ofGaussians = Family{
		Shapes: []string{methods.ShapeGaussian}, Needs: ofSketches.Needs, Uncentred: true,
		reason:  ofSketches.reason,
		reasons: map[string]string{methods.ShapeSketch: "only a Gaussian sketch's coordinates are normal given the sample; take sketch: gaussian"},
		absent:  "the sketch has one coordinate",
	}
	ofSeparations = Family{
		Shapes: sketches, Needs: []string{NeedsPopulation, NeedsClasses}, Uncentred: true, Sample: true,
		reason: ofSketches.reason, absent: oneClass,
	}
	ofMeansOfClasses = Family{
		Shapes: sketches, Needs: []string{NeedsHeldOut, NeedsClasses},
		reason: ofSketches.reason, absent: "the held-out points are not of two classes",
	}
)

// Families of measures of the sample's kernel matrix, or of a span in H as the sample sees it.
var (
	ofMatrices = Family{
		Shapes: []string{methods.ShapeSubspace, methods.ShapeFeatures, methods.ShapeEmbedding}, Sample: true, span: true,
		reason: "it approximates no kernel matrix of the sample; take nystrom, randomized-kpca, rff or an embedding",
	}
	ofSpans = Family{
		Shapes: []string{methods.ShapeSubspace, methods.ShapeEmbedding, methods.ShapeClustering}, Sample: true, span: true, fixed: true,
		reason: "it spans no subspace of H by points of the sample; take nystrom or nystrom-embedding",
		lacks:  noDistances, absent: ownSpace,
	}
	ofCentroids = Family{
		Shapes: clusterings, Sample: true, span: true,
		reason: ofClusters.reason, lacks: noDistances, absent: ownSpace,
	}
)

// Families of measures of clusters, of a regression, and of any fit.
var (
	ofClusters   = Family{Shapes: assigned, reason: "it measures clusters; give the embedding a block kmeans"}
	ofCosts      = Family{Shapes: assigned, Sample: true, reason: ofClusters.reason, absent: noCentres}
	ofPartitions = Family{Shapes: clusterings, Sample: true, reason: ofClusters.reason, absent: noCentres}
	ofClasses    = Family{Shapes: assigned, Needs: []string{NeedsClasses}, reason: ofClusters.reason, absent: noCentres}
	ofImages     = Family{
		Shapes: embedded, Needs: []string{NeedsClasses}, Sample: true,
		reason: "it looks at the images of points in an embedding", absent: oneClass + ", or no class has two different points",
	}
	ofRegressions = Family{Shapes: []string{methods.ShapeRegression}, Needs: []string{NeedsResponse}, reason: "it is no regression; take krr, nystrom-krr or rff-krr"}
	ofResponses   = Family{
		Shapes: ofRegressions.Shapes, Needs: []string{NeedsHeldOut, NeedsResponses}, reason: ofRegressions.reason,
		absent: "the responses of the held-out points are all equal",
	}
	ofPredictedClasses = Family{
		Shapes: ofRegressions.Shapes, Needs: []string{NeedsHeldOut, NeedsPredicted}, reason: ofRegressions.reason,
		absent: "there are more than two classes, or the held-out points are all of one",
	}
	ofSolvers      = Family{Shapes: ofRegressions.Shapes, reason: ofRegressions.reason, lacks: direct}
	ofChoices      = Family{Shapes: ofRegressions.Shapes, reason: ofRegressions.reason, absent: "the method has no key choose"}
	ofMaps         = Family{Shapes: []string{methods.ShapeEmbedding}, Sample: true, span: true, reason: "it is no embedding alone; take nystrom-embedding or rff-embedding without a block kmeans"}
	ofAnyFit       = Family{Shapes: anyShape}
	ofKernelValues = Family{Shapes: anyShape, lacks: programs}
	ofModels       = Family{Shapes: fitted, reason: "it is the population's own, and nothing is fitted", absent: "the program evaluates its model itself, or gave no centres"}
	ofArrays       = Family{Shapes: fitted, reason: ofModels.reason, lacks: noCount}
)

// Why measures are not defined for some shapes, or have no value.
const (
	ownSpace    = "the embedding does not keep the distances of H"
	noCentres   = "the program gave labels and no centres: other points cannot be assigned, and distances are not known"
	oneClass    = "all points are of one class"
	notStreamed = "it needs the points of the sample, which are not kept; drop stream: true"
)

// Why measures are not defined for some methods of their shapes.

func noDistances(of methods.Traits) string {
	known := of.Space == methods.SpaceSpan || of.Space == methods.SpaceAnswers || of.Shape == methods.ShapeSubspace
	if known {
		return ""
	}
	return "it spans no subspace of H in which distances are those of projections; take nystrom-embedding"
}

func noCount(of methods.Traits) string {
	if of.Holds != nil {
		return ""
	}
	return "the numbers that the fit holds are not counted; take memory"
}

func direct(of methods.Traits) string {
	if of.Iterates > 0 {
		return ""
	}
	return "it has no iterations; take krr-pcg, or nystrom-krr with a preconditioner"
}

func programs(of methods.Traits) string {
	if of.Program != "" {
		return "a program reads its kernel values itself"
	}
	return ""
}

// has says whether measures of a need are defined.
func (f Family) has(need string) bool { return slices.Contains(f.Needs, need) }

// NeedsSample says that Truth.X must be there to measure models of a shape.
func (f Family) NeedsSample(shape string) bool { return f.Sample && shape != methods.ShapeStreamed }

// whyNot says why measures are not defined for a shape.
func (f Family) whyNot(shape string) string {
	if shape == methods.ShapeStreamed && slices.Contains(f.Shapes, methods.ShapeClustering) {
		return notStreamed
	}
	if reason, ok := f.reasons[shape]; ok {
		return reason
	}
	return cmp.Or(f.reason, "it measures "+strings.Join(lists.Map(f.Shapes, withArticle), " or "))
}
