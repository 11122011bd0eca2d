package methods

import (
	"time"

	"mercer/methods/landmark"
)

// Registry holds every method by the name that specs use. Those that find
// components order them, so that the first ℓ of a fit are the fit at ℓ, and one
// fit serves every ℓ; but for those whose entry says PerEll.
var Registry = map[string]Entry{
	"kpca": {
		Label:     "population KPCA",
		Doc:       "population kernel PCA: the exact leading eigenspace of Σ, the lower bound of every comparison",
		Reference: "NYK §2, RFK §3.1",
		Cost:      "none beyond the population's own spectrum",
		Accuracy:  "exact, to that of the population's spectrum",
		Version:   "1",
		Uses:      []string{"ell"},
		Shape:     ShapePopulation,
		New:       func() Options { return &KPCAOptions{} },
	},
	"ekpca": {
		Label:     "empirical KPCA",
		Doc:       "empirical kernel PCA on the n×n Gram matrix",
		Reference: "NYK Prop 3.1, RFK eq 8-12, SKP §3",
		Cost:      "n²D + O(n²ℓ) flops, 8n² bytes; with a kernel of finite rank r ≤ n/4, nr² flops, 8nr bytes",
		Accuracy:  "exact: residuals of eigenpairs at most 1e-12 of the largest eigenvalue",
		Version:   "2",
		Gram:      true, Coordinates: true, Cut: CutAlways,
		Uses:  []string{"n", "ell"},
		Holds: gramNumbers,
		Shape: ShapeSubspace,
		Plain: "center: u",
		New:   func() Options { return &EKPCAOptions{} },
	},
	"nystrom": {
		Label:     "Nyström",
		Doc:       "Nyström kernel PCA on m landmarks",
		Reference: "NYK Prop 3.2, eq 9 and 11",
		Cost:      "nmD + 2nm² + m³/3 + O(m²ℓ) flops, 8(m² + 1024m) bytes, plus the cost of the landmark rule: none for uniform, nm² for recursive, bless, rpcholesky and block-rpcholesky, n³ for leverage, kdpp and adaptive (n ≤ 5000)",
		Accuracy:  "approximate: the projection onto the landmarks' span, whose error trace_residual and nystrom_residual measure; eigenpairs there as those of ekpca",
		Version:   "1",
		Uses:      []string{"n", "m", "ell"},
		Shape:     ShapeSubspace,
		Space:     SpaceSpan,
		Landmarks: true,
		Streams:   always,
		Holds:     func(_ Model, s Sizes) int { return 2 * s.M * s.M },
		New: func() Options {
			return &NystromOptions{Landmarks: landmark.DefaultOptions(), Space: "full", Center: "u"}
		},
	},
	"rff": {
		Label:     "random features",
		Doc:       "linear PCA of m random features; m counts frequencies, of two coordinates each (offset: one), or eigenfunctions",
		Reference: "RFK eq 15-17, NYK §4.2, SKP §4; pool: Li, Ton, Oglic & Sejdinovic 2021, Alg 1, Bach 2017",
		Cost:      "2nmD (sorf: 3nm·log₂D) + np² + O(p²ℓ) flops for p = 2m feature coordinates (offset: m; mercer: the number of distinct indices), plus 2mD·min(m,D) to draw orthogonal features; 8(p² + 1024p) bytes; with n < p points n²p + O(npℓ) flops and 8(np + n²) bytes; before it a pool of q coordinates takes nq² + 9q³ flops (for n < q: 5n²q + 9n³) and one more pass",
		Accuracy:  "approximate: kernel values are off by about m^(-1/2); eigenpairs of the features' covariance as those of ekpca",
		Version:   "2",
		Uses:      []string{"n", "m", "ell"},
		Shape:     ShapeFeatures,
		Streams:   always,
		Features:  true,
		Holds: func(m Model, s Sizes) int {
			if p := mapDim(m); p <= s.N {
				return p * p
			}
			return s.N * (s.N + mapDim(m))
		},
		Plain: "features: fourier",
		New:   func() Options { return &RFFOptions{Center: "u"} },
	},
	"incomplete-cholesky": incompleteCholeskyEntry,
	"randomized-kpca":     randomizedEntry,
	"gaussian-sketch":     gaussianSketchEntry,
	"sparse-sign-sketch":  sparseSignEntry,
	"rf-oja":              ojaEntry,
	"rf-rmsg":             rmsgEntry,
	"frequent-directions": frequentDirectionsEntry,
	"doubly-stochastic":   doublyStochasticEntry,
	"exec": {
		Doc:       "a program in any language that serves one fit after another (protocol: docs/exec.md)",
		Reference: "the program's own",
		Cost:      "that of the program; p²D + npℓ flops to check functions over p points",
		Accuracy:  "that of the program",
		Version:   "1",
		Uses:      []string{"n", "m", "d", "ell", "k"},
		Shape:     ShapeSubspace,
		Space:     SpaceAnswers,
		Program:   true,
		NoCounts:  "a program is given points",
		Plain:     "model: embedding, command: [sh, PROGRAM]",
		New:       func() Options { return &ExecOptions{Timeout: 10 * time.Minute, Version: "1"} },
	},
	"kjl":               kjlEntry,
	"kpca-subsample":    kpcaSubsampleEntry,
	"nystrom-embedding": nystromEmbeddingEntry,
	"rff-embedding":     rffEmbeddingEntry,
	"krr":               krrEntry,
	"nystrom-krr":       nystromKRREntry,
	"rff-krr":           rffKRREntry,
	"kmeans":            kmeansEntry,
	"kernel-kmeans":     kernelKMeansEntry,
}
