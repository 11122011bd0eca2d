package methods

import "mercer/internal/kernel"

// Options are a method's parameters in a spec.
type Options interface {
	// Method checks the parameters and returns the method.
	Method() (Method, error)
}

// Adapter is implemented by options that change what the registry says of their
// method: the shape of its models, or the sizes it uses.
type Adapter interface {
	Adapt(e Entry) Entry
}

// Entry is a method that specs can name.
type Entry struct {
	Label     string // what figures and tables call it; empty for what has no name of its own
	Doc       string // what it computes
	Reference string // paper key and place
	Cost      string // flops and memory in n, m, D, ℓ
	Accuracy  string // how far results are from exact ones, and of what
	Version   string // changes whenever results change
	Gram      bool   // works on the n×n Gram matrix; see UsesGram
	Spectrum  bool   // picks landmarks by the eigenpairs of the sample's kernel matrix
	// Coordinates says that it works on a kernel's coordinates in place of the Gram
	// matrix, where these are few.
	Coordinates bool
	Uses        []string // sizes that the fit depends on; n, m, d, ell, k; all but ell decide which cells share a fit
	Shape       string   // of its models
	PerEll      bool     // the first ℓ components are not the fit at ℓ: each ℓ has a fit of its own
	// Space is one of the constants below.
	Space string
	// OnSample says that models of components are sums over all points of the sample, and
	// not over m of them.
	OnSample bool
	// Landmarks says that m counts landmarks, which cost no more than their kernel values
	// beyond the numerical rank of the kernel matrix.
	Landmarks bool
	// Program says that it is run by a program of the user's.
	Program bool
	// Cut says whether models have the leading directions of a span alone: the first ℓ
	// components, or d dimensions of an embedding.
	Cut Cut
	// Streams says that a fit of these sizes may be given Problem.Rows in place of
	// Problem.X: it reads the sample in blocks, and its model is the same, bit for
	// bit. nil where none may.
	Streams func(s Sizes) bool
	// NoCounts is why a fit cannot be given Problem.Counts; empty where it can.
	NoCounts string
	// Features says that m counts random features, of which there may be more than
	// points.
	Features bool
	// Holds is how many numbers a fit of these sizes works on beside its model; nil
	// where it is not known. See WorkingSet.
	Holds func(m Model, s Sizes) int
	New   func() Options // options that hold the defaults
	// Plain are the parameters of a plain use, as in a spec; empty where the defaults
	// serve.
	Plain string
}

// Spaces that models put points into; empty for one of their own.
const (
	SpaceSpan    = "span"    // a span of kernel functions in H, by the projection onto it
	SpaceH       = "H"       // H itself
	SpaceAnswers = "answers" // what the answer of a program says
)

// Cut is when a model has the leading directions of a span alone.
type Cut int

// CutBySize is for what depends on whether the grid has a d.
const (
	CutNever Cut = iota
	CutAlways
	CutBySize
)

// AtAtoms are the sizes of a fit to a sample of counts on so many atoms that its cost
// and its limits depend on: rows and landmarks are at most the atoms. It leaves an m
// that no sample of n points has.
func (e Entry) AtAtoms(s Sizes, atoms int) Sizes {
	if !e.Features && s.M <= s.N {
		s.M = min(s.M, atoms)
	}
	s.N = min(s.N, atoms)
	return s
}

// With is the entry of the method with these parameters.
func (e Entry) With(o Options) Entry {
	if a, ok := o.(Adapter); ok {
		return a.Adapt(e)
	}
	return e
}

// always is Streams of fits of all sizes.
func always(Sizes) bool { return true }

// UsesGram says whether a fit to so many points works on the Gram matrix of the sample.
func (e Entry) UsesGram(k kernel.Kernel, n int) bool {
	return e.Gram && !(e.Coordinates && rankBelow(k, n) > 0)
}

// WorkingSet is how many numbers a fit of these sizes holds at once, the sample and
// blocks of rows apart, which may be as small as one likes: those of its model, and
// what the fit works on beside it:
//
//	nystrom                 K_mm and the second moment of the coordinates, 2m²
//	rff                     the second moment of p coordinates, p², or for n < p the
//	                        features with their Gram matrix, n(p + n)
//	rf-oja                  the gradient, pℓ
//	frequent-directions     the sketch, 2dp
//	nystrom-embedding       K_mm, m²
//	kjl, kpca-subsample     the subsample's kernel matrix, m²
//	their clusters          the embedded sample, nr for r coordinates
//	doubly-stochastic       nothing
//	kmeans                  nothing
//	ekpca, kernel-kmeans    the Gram matrix, n²
//
// It is a count of what the algorithm needs, and not of what this program
// allocates: copies are not in it.
// False for all other methods, for landmarks that are not uniform or the first,
// whose rules hold more, and where Numbers knows nothing.
func (e Entry) WorkingSet(model Model, s Sizes) (count int, known bool) {
	kept, known := Numbers(model, s.Ell)
	if e.Holds == nil || !known {
		return 0, false
	}
	return kept + e.Holds(model, s), true
}

// holdsNothing is Holds of a fit that works on its sample and its model alone.
func holdsNothing(Model, Sizes) int { return 0 }

// gramNumbers is Holds of a fit that works on the Gram matrix.
func gramNumbers(_ Model, s Sizes) int { return s.N * s.N }

// inOrder is NoCounts of methods that look at points one after another.
const inOrder = "it takes points one after another, and a sample of counts has no order; of use: atoms take sample: points"
