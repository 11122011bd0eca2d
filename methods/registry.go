package methods

import (
	"time"

	"mercer/methods/landmark"
)

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
	Doc       string // what it computes
	Reference string // paper key and place
	Cost      string // flops and memory in n, m, D, ℓ
	Version   string // changes whenever results change
	Gram      bool   // works on the n×n Gram matrix; see UsesGram
	// Coordinates says that it works on a kernel's coordinates in place of the Gram
	// matrix, where these are few.
	Coordinates bool
	Uses        []string // sizes that the fit depends on; n, m, d, ell, k; all but ell decide which cells share a fit
	Shape       string   // of its models
	PerEll      bool     // the first ℓ components are not the fit at ℓ: each ℓ has a fit of its own
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
}

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

// Registry holds every method by the name that specs use. Those that find
// components order them, so that the first ℓ of a fit are the fit at ℓ, and one
// fit serves every ℓ; but for those whose entry says PerEll.
var Registry = map[string]Entry{
	"kpca": {
		Doc:       "population kernel PCA: the exact leading eigenspace of Σ, the lower bound of every comparison",
		Reference: "NYK §2, RFK §3.1",
		Cost:      "none beyond the population's own spectrum",
		Version:   "1",
		Uses:      []string{"ell"},
		Shape:     ShapePopulation,
		New:       func() Options { return &KPCAOptions{} },
	},
	"ekpca": {
		Doc:       "empirical kernel PCA on the n×n Gram matrix",
		Reference: "NYK Prop 3.1, RFK eq 8-12, SKP §3",
		Cost:      "n²D + O(n²ℓ) flops, 8n² bytes; with a kernel of finite rank r ≤ n/4, nr² flops, 8nr bytes",
		Version:   "2",
		Gram:      true, Coordinates: true,
		Uses:  []string{"n", "ell"},
		Holds: gramNumbers,
		Shape: ShapeSubspace,
		New:   func() Options { return &EKPCAOptions{} },
	},
	"nystrom": {
		Doc:       "Nyström kernel PCA on m landmarks",
		Reference: "NYK Prop 3.2, eq 9 and 11",
		Cost:      "nmD + 2nm² + m³/3 + O(m²ℓ) flops, 8(m² + 1024m) bytes, plus the cost of the landmark rule: none for uniform, nm² for recursive, bless and rpcholesky, n³ for leverage and kdpp (n ≤ 5000)",
		Version:   "1",
		Uses:      []string{"n", "m", "ell"},
		Shape:     ShapeSubspace,
		Streams:   always,
		Holds:     func(_ Model, s Sizes) int { return 2 * s.M * s.M },
		New: func() Options {
			return &NystromOptions{Landmarks: landmark.DefaultOptions(), Space: "full", Center: "u"}
		},
	},
	"rff": {
		Doc:       "linear PCA of m random features; m counts frequencies, of two coordinates each (offset: one), or eigenfunctions",
		Reference: "RFK eq 15-17, NYK §4.2, SKP §4",
		Cost:      "2nmD (sorf: 3nm·log₂D) + np² + O(p²ℓ) flops for p = 2m feature coordinates (offset: m; mercer: the number of distinct indices), plus 2mD·min(m,D) to draw orthogonal features; 8(p² + 1024p) bytes",
		Version:   "2",
		Uses:      []string{"n", "m", "ell"},
		Shape:     ShapeFeatures,
		Streams:   always,
		Features:  true,
		Holds:     func(m Model, _ Sizes) int { return mapDim(m) * mapDim(m) },
		New:       func() Options { return &RFFOptions{Center: "u"} },
	},
	"incomplete-cholesky": incompleteCholeskyEntry,
	"randomized-kpca":     randomizedEntry,
	"accumulation":        accumulationEntry,
	"gaussian-sketch":     gaussianSketchEntry,
	"rf-oja":              ojaEntry,
	"frequent-directions": frequentDirectionsEntry,
	"doubly-stochastic":   doublyStochasticEntry,
	"exec": {
		Doc:       "a program in any language, run once for each fit (protocol: docs/exec.md)",
		Reference: "the program's own",
		Cost:      "that of the program; p²D + npℓ flops to check functions over p points",
		Version:   "1",
		Uses:      []string{"n", "m", "d", "ell", "k"},
		Shape:     ShapeSubspace,
		NoCounts:  "a program is given points",
		New:       func() Options { return &ExecOptions{Timeout: 10 * time.Minute, Version: "1"} },
	},
	"kjl":               kjlEntry,
	"kpca-subsample":    kpcaSubsampleEntry,
	"nystrom-embedding": nystromEmbeddingEntry,
	"rff-embedding":     rffEmbeddingEntry,
	"kmeans":            kmeansEntry,
	"kernel-kmeans":     kernelKMeansEntry,
}

// inOrder is NoCounts of methods that look at points one after another.
const inOrder = "it takes points one after another, and a sample of counts has no order"

// always is Streams of fits of all sizes.
func always(Sizes) bool { return true }
