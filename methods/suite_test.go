package methods_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"mercer/data"
	"mercer/internal/kernel"
	"mercer/methods"
)

// The conformance suite, which every method must pass.
//
//  1. A Subject is a method with what is promised of it: the shape of its
//     models, its centring, whether its stream matters.
//  2. runSuite holds it to every check, one subtest each, on point sets that cover
//     one dimension and many, few points and many, duplicates, bandwidths from
//     tiny to huge, and constant data.
//  3. failuresOf returns which of some checks a subject fails, for tests of the
//     suite itself: a method made wrong on purpose must be found out.
//
// Whatever the estimator, its models obey the same identities, and the suite
// checks these by loops over kernel values, without the code that they test:
//
//	⟨φ̂_i, φ̂_j⟩ = 1{i = j}                         components are orthonormal
//	Cov_n(φ̂_i(X), φ̂_j(X)) = λ̂_i 1{i = j}          and uncorrelated, λ̂_i their variances
//	⟨φ̂_i, m̂⟩ = (1/n)Σ_j φ̂_i(X_j)                  Spectrum.Center
//
// with Cov_n as the method's center has it. Estimates of one pass (Subject.Streamed)
// are orthonormal with that centre, but not the sample's eigenvectors; every
// streaming method must give in one pass what it gives at each n. That the λ̂_i are the largest ones
// is not among these: each method's own tests hold it against brute force.

// Subject is a method and what is promised of it.
type Subject struct {
	Method methods.Method
	methods.Traits
	// Center is how it estimates a covariance: "u", "v" or "none". Of no
	// meaning for the population's own eigenspace.
	Center string
	// Random says that another stream gives another model. Of no meaning for
	// clusterings, whose seeds are always drawn.
	Random bool
	// Streamed says that its models are estimates of one pass: orthonormal and
	// centred, but not the sample's eigenvectors, in an order in which values may
	// rise, and ℓ of them whatever the rank.
	Streamed bool
	// D is the d that every sample asks for; 0 for the suite's own.
	D int
	// Isometric says that an embedding keeps the distances of projections in H,
	// and the clusters in it their distances.
	Isometric bool
	// Kernel that the method is bound to, on points of [0,1]; nil for a method
	// of all shift-invariant kernels at least.
	Kernel kernel.Kernel
	// Isotropic says that it takes kernels of the Euclidean distance only.
	Isotropic bool
	// Population whose eigenspace the method hands over; nil for methods that
	// work on the sample.
	Population data.Population
	// Cubic says that a fit takes n³ operations: the largest sample is left out.
	Cubic bool
	// Refused are sizes that Check must refuse, and words of its reason.
	Refused []Refusal

	// kept are the models of seed 1 by sample: checks that only look at one share it.
	kept map[string]methods.Model
}

// Refusal is a cell that a method cannot run.
type Refusal struct {
	Sizes methods.Sizes
	Says  string
}

// kind is what the suite can say of a model by its shape.
type kind int

const (
	anything   kind = iota
	components      // of an estimated covariance, or of the population's own
	embeds
	clusters
	regressions
)

func (s Subject) kind() kind {
	switch s.Shape {
	case methods.ShapeEmbedding, methods.ShapeSketch, methods.ShapeGaussian:
		return embeds
	case methods.ShapeClustering:
		return clusters
	case methods.ShapeRegression:
		return regressions
	}
	return components
}

// check is one promise. It returns what is broken, nil if nothing is.
type check struct {
	name   string
	of     kind // of what kind of model it is
	sample bool // only for methods that work on the sample
	run    func(Subject) error
}

var checks = []check{
	{"models have the promised shape and size", components, false, checkShapes},
	{"components are orthonormal", components, false, onEachCase(orthonormal)},
	{"values fall and are not negative", components, false, onEachCase(falling)},
	{"values are the variances of uncorrelated components", components, true, onEachCase(uncorrelated)},
	{"center is the mean of the components over the sample", components, true, onEachCase(centre)},
	{"a population's eigenspace has its eigenvalues", components, false, checkPopulation},
	{"embeddings have the promised shape and size", embeds, true, onEachModel(embeddingShape)},
	{"images are those of single points", embeds, true, onEachModel(imagesOfPoints)},
	{"an isometric embedding is a projection", embeds, true, onEachModel(projection)},
	{"equal points have equal images", embeds, true, checkEqualImages},
	{"clusterings have the promised shape and size", clusters, true, onEachModel(clusteringShape)},
	{"sample points are assigned to their own clusters", clusters, true, onEachModel(ownClusters)},
	{"distances are those to the nearest mean", clusters, true, onEachModel(distancesToMeans)},
	{"equal points have equal labels", clusters, true, checkEqualLabels},
	{"assigning stops with its context", clusters, true, checkAssignCancelled},
	{"regressions satisfy their normal equations", regressions, true, onEachModel(normalEquations)},
	{"same stream, same bits", anything, false, onEachSample(sameStream)},
	{"another stream matters only where the method is random", anything, false, checkOtherStream},
	{"neither the order of fits nor concurrency matters", anything, false, checkOrder},
	{"inputs are left as they are", anything, false, onEachSample(inputs)},
	{"a shared Gram matrix serves as well as an own one", anything, true, onEachSample(sharedGram)},
	{"counting kernel values changes nothing", anything, true, onEachSample(counting)},
	{"the first components of a fit are the smaller fit", components, false, onEachSample(nested)},
	{"constant data has no component but the mean", components, true, onConstant(constantComponent)},
	{"constant data has one image", embeds, true, onConstant(oneImage)},
	{"constant data is one cluster", clusters, true, onConstant(oneCluster)},
	{"rank below ell keeps fewer components and warns", components, true, checkRankCut},
	{"rank below d keeps fewer dimensions and warns", embeds, true, checkDimensionCut},
	{"sizes that cannot be met are refused with a reason", anything, false, checkRefusals},
	{"no sample, no number: NaN is an error", anything, true, checkNaN},
	{"a context that ends stops the fit", anything, false, checkCancelled},
	{"phases are started by their names and stopped", anything, false, checkPhases},
	{"features average to the kernel", components, true, checkFeatures},
	{"one pass gives the fit at every n", components, true, checkStreaming},
	{"points read in blocks give the same model", anything, true, checkRows},
	{"a fit to counts is the fit to the points", anything, true, checkCounts},
}

// appliesTo says whether a check is of the subject's kind.
func (c check) appliesTo(s Subject) bool { return c.of == anything || c.of == s.kind() }

// runSuite holds a method to every check, one subtest each. It takes about a second.
func runSuite(t *testing.T, s Subject) {
	t.Helper()
	s.kept = map[string]methods.Model{}
	for _, c := range checks {
		if !c.appliesTo(s) || c.sample && s.Population != nil { // which is not an estimate
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			if err := guarded(c, s); err != nil {
				t.Error(err)
			}
		})
	}
}

// failuresOf returns which of the named checks s fails, each with its reason; an
// unknown name fails too.
func failuresOf(s Subject, names ...string) map[string]error {
	failed := map[string]error{}
	s.kept = map[string]methods.Model{}
	for _, name := range names {
		i := slices.IndexFunc(checks, func(c check) bool { return c.name == name })
		if i < 0 {
			failed[name] = errors.New("no such check")
		} else if err := guarded(checks[i], s); err != nil {
			failed[name] = err
		}
	}
	return failed
}

// guarded turns a panic of a check into its failure.
func guarded(c check, s Subject) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	return c.run(s)
}

func checkRefusals(s Subject) error {
	var broken []string
	for _, r := range s.Refused {
		k := s.kernelOr(kernel.NewGaussian(1))
		err := s.Method.Check(k, r.Sizes)
		switch {
		case err == nil:
			broken = append(broken, fmt.Sprintf("%+v is not refused", r.Sizes))
		case !strings.Contains(err.Error(), r.Says):
			broken = append(broken, fmt.Sprintf("%+v is refused with %q, want a reason that says %q", r.Sizes, err, r.Says))
		}
	}
	return joined(broken)
}

func (s Subject) kernelOr(k kernel.Kernel) kernel.Kernel {
	if s.Kernel != nil {
		return s.Kernel
	}
	return k
}

// joined is an error of all lines, nil if there are none.
func joined(lines []string) error {
	if len(lines) == 0 {
		return nil
	}
	slices.Sort(lines)
	return fmt.Errorf("%s", strings.Join(lines, "\n"))
}
