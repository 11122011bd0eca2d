package methods

import "mercer/internal/kernel"

// Traits are what others have to know of a method with its parameters. The zero value is a
// method that takes counts, and works on all points at once.
type Traits struct {
	Uses   []string // sizes that the fit depends on; n, m, d, ell, k; all but ell decide which cells share a fit
	Shape  string   // of its models
	PerEll bool     // the first ℓ components are not the fit at ℓ: each ℓ has a fit of its own
	// Gram says that it works on the n×n Gram matrix, and Coordinates that it works on a
	// kernel's coordinates in place of that where these are few; see UsesGram.
	Gram, Coordinates bool
	Spectrum          bool // picks landmarks by the eigenpairs of the sample's kernel matrix
	// Features says that m counts random features, of which there may be more than
	// points.
	Features bool
	// Distinct is how many of m features are different at most, whose coordinates alone
	// models have; nil where all are.
	Distinct func(k kernel.Kernel, m int) int
	// OnSample says that models are sums over all points of the sample, and
	// not over m of them.
	OnSample bool
	// Program ends the version of what a program of the user's fits, e.g. ".2"; empty for all
	// other methods.
	Program string
	// Iterates is how many a regression has at most; 0 for one without.
	Iterates int
	Space    string // one of the constants below
	// Cut says whether models have the leading directions of a span alone: the first ℓ
	// components, or d dimensions of an embedding.
	Cut Cut
	// Streams says that a fit of these sizes may be given Sample.Rows in place of
	// Sample.X: it reads the sample in blocks, and its model is the same, bit for
	// bit. nil where none may.
	Streams func(s Sizes) bool
	// NoCounts is why a fit cannot be given Sample.Counts; empty where it can.
	NoCounts string
	// Holds is how many numbers a fit of these sizes works on beside its model; nil
	// where it is not known. See WorkingSet.
	Holds func(m Model, s Sizes) int
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
func (t Traits) AtAtoms(s Sizes, atoms int) Sizes {
	if !t.Features && s.M <= s.N {
		s.M = min(s.M, atoms)
	}
	s.N = min(s.N, atoms)
	return s
}

// UsesGram says whether a fit to so many points works on the Gram matrix of the sample.
func (t Traits) UsesGram(k kernel.Kernel, n int) bool {
	return t.Gram && !(t.Coordinates && rankBelow(k, n) > 0)
}

// WorkingSet is how many numbers a fit of these sizes holds at once, the sample and
// blocks of rows apart, which may be as small as one likes: those of its model, and
// what the fit works on beside it:
//
//	nystrom                 K_mm and the second moment of the coordinates, 2m²
//	rff                     the second moment of p coordinates, p², or for n < p the
//	                        features with their Gram matrix, n(p + n)
//	rf-oja                  the gradient, pℓ
//	nystrom-embedding       K_mm, m²
//	kjl, kpca-subsample     the subsample's kernel matrix, m²
//	their clusters          the embedded sample, nr for r coordinates
//	kmeans                  nothing
//	ekpca, kernel-kmeans    the Gram matrix, n²
//
// It is a count of what the algorithm needs, and not of what this program
// allocates: copies are not in it.
// False for all other methods, for landmarks that are not uniform or the first,
// whose rules hold more, and where Numbers knows nothing.
func (t Traits) WorkingSet(model Model, s Sizes) (count int, known bool) {
	kept, known := Numbers(model, s.Ell)
	if t.Holds == nil || !known {
		return 0, false
	}
	return kept + t.Holds(model, s), true
}

// holdsNothing is Holds of a fit that works on its sample and its model alone.
func holdsNothing(Model, Sizes) int { return 0 }

// gramNumbers is Holds of a fit that works on the Gram matrix.
func gramNumbers(_ Model, s Sizes) int { return s.N * s.N }

// always is Streams of fits of all sizes.
func always(Sizes) bool { return true }

// inOrder is NoCounts of methods that look at points one after another.
const inOrder = "it takes points one after another, and a sample of counts has no order; of use: atoms take sample: points"
