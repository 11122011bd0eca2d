package methods

import (
	"time"

	"mercer/internal/linalg"
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
	Doc       string   // what it computes
	Reference string   // paper key and place
	Cost      string   // flops and memory in n, m, D, ℓ
	Version   string   // changes whenever results change
	Gram      bool     // works on the n×n Gram matrix
	Uses      []string // sizes that the fit depends on; n, m, d, ell, k; all but ell decide which cells share a fit
	Shape     string   // of its models
	PerEll    bool     // the first ℓ components are not the fit at ℓ: each ℓ has a fit of its own
	// Streams says that a fit of these sizes may be given Problem.Rows in place of
	// Problem.X: it reads the sample in blocks, and its model is the same, bit for
	// bit. nil where none may.
	Streams func(s Sizes) bool
	// Work estimates the flops of a fit to n points in R^dim with the default
	// options, and the bytes that it holds at its peak: beside the sample and its
	// Gram matrix, and without garbage.
	Work func(s Sizes, dim float64) (flops, bytes float64)
	// Factored is Work, the Gram matrix's part included, for kernels of finite
	// rank far below n, of which the fit uses n×rank coordinates in place of the
	// Gram matrix; nil for methods that do not.
	Factored func(s Sizes, rank float64) (flops, bytes float64)
	New      func() Options // options that hold the defaults
}

// Registry holds every method by the name that specs use. Those that find
// components order them, so that the first ℓ of a fit are the fit at ℓ, and one
// fit serves every ℓ; but for those whose entry says PerEll.
var Registry = map[string]Entry{
	"kpca": {
		Doc:       "population kernel PCA: the exact leading eigenspace of Σ, the floor of every comparison",
		Reference: "NYK §2, RFK §3.1",
		Cost:      "none beyond the population's own spectrum",
		Version:   "1",
		Uses:      []string{"ell"},
		Shape:     ShapePopulation,
		Work:      func(Sizes, float64) (float64, float64) { return 0, 0 },
		New:       func() Options { return &KPCAOptions{} },
	},
	"ekpca": {
		Doc:       "empirical kernel PCA on the n×n Gram matrix",
		Reference: "NYK Prop 3.1, RFK eq 8-12, SKP §3",
		Cost:      "n²D + O(n²ℓ) flops, 8n² bytes; with a kernel of finite rank r ≤ n/4, nr² flops, 8nr bytes",
		Version:   "2",
		Gram:      true,
		Uses:      []string{"n", "ell"},
		Work: func(s Sizes, dim float64) (float64, float64) {
			n, ell := float64(s.N), float64(s.Ell)
			return n*n*(dim+20) + topFlops(n, ell), linalg.TopBytes(n, ell) + 40*n*ell
		},
		Factored: func(s Sizes, rank float64) (float64, float64) {
			n, ell := float64(s.N), float64(s.Ell)
			return n*rank*(20+rank+2*ell) + topFlops(rank, ell), 8*n*(rank+2*ell) + linalg.SymBytes(rank) + linalg.TopBytes(rank, ell)
		},
		Shape: ShapeSubspace,
		New:   func() Options { return &EKPCAOptions{} },
	},
	"nystrom": {
		Doc:       "Nyström kernel PCA on m landmarks",
		Reference: "NYK Prop 3.2, eq 9 and 11",
		Cost:      "nmD + 2nm² + m³/3 + O(m²ℓ) flops, 8(m² + 1024m) bytes, and what the rule of its landmarks costs: none for uniform, nm² for recursive, bless and rpcholesky, n³ for leverage and kdpp (n ≤ 5000)",
		Version:   "1",
		Uses:      []string{"n", "m", "ell"},
		Shape:     ShapeSubspace,
		Streams:   always,
		Work:      nystrom{landmarks: landmark.DefaultOptions()}.work,
		Factored:  nystrom{landmarks: landmark.DefaultOptions()}.factored,
		New: func() Options {
			return &NystromOptions{Landmarks: landmark.DefaultOptions(), Space: "full", Center: "u"}
		},
	},
	"rff": {
		Doc:       "linear PCA of m random features; m counts frequencies, of two coordinates each but for offset, or eigenfunctions",
		Reference: "RFK eq 15-17, NYK §4.2, SKP §4",
		Cost:      "2nmD (sorf: 3nm·log₂D) + np² + O(p²ℓ) flops for p = 2m feature coordinates (offset: m; mercer: as many as there are different indices), and 2mD·min(m,D) of the draw for orthogonal; 8(p² + 1024p) bytes",
		Version:   "2",
		Uses:      []string{"n", "m", "ell"},
		Shape:     ShapeFeatures,
		Streams:   always,
		Work:      rffWork("fourier"),
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
		Doc:       "a program in any language, run once a fit: docs/exec.md has the protocol",
		Reference: "the program's own",
		Cost:      "the program's own; p²D + npℓ flops to check functions over p points",
		Version:   "1",
		Uses:      []string{"n", "m", "d", "ell", "k"},
		Work: func(s Sizes, dim float64) (float64, float64) {
			n, functions := float64(s.N), float64(max(s.Ell, s.D, s.K))
			return n * n * (dim + functions), 16 * n * functions // as many coefficients, and values to check them by
		},
		Shape: ShapeSubspace,
		New:   func() Options { return &ExecOptions{Timeout: 10 * time.Minute, Version: "1"} },
	},
	"kjl":               kjlEntry,
	"kpca-subsample":    kpcaSubsampleEntry,
	"nystrom-embedding": nystromEmbeddingEntry,
	"rff-embedding":     rffEmbeddingEntry,
	"kmeans":            kmeansEntry,
	"kernel-kmeans":     kernelKMeansEntry,
}

// always is Streams of fits of all sizes.
func always(Sizes) bool { return true }

// krylovFactor is how many vectors, in multiples of ℓ, a top-ℓ solve applies its
// matrix to, roughly.
const krylovFactor = 8

// topFlops are those of the ell leading pairs of a matrix of the given order as
// linalg.Top finds them by default: all pairs where the order is small, else a
// Krylov basis, its orthogonality and its projected matrix.
func topFlops(order, ell float64) float64 {
	o := linalg.DefaultTopOptions(int(ell))
	if order <= float64(o.DenseBelow) || ell+2*float64(o.Block) > order/2 {
		return 9 * order * order * order
	}
	basis := min(order, krylovFactor*(ell+16))
	return 2*order*order*basis + 6*order*basis*basis + 9*basis*basis*basis
}
