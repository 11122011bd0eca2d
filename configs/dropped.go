package configs

// dropped are keys, values of keys, and names in registries, in earlier specs, with what to use instead.
// A key stands under the Go type that it was a field of.
var dropped = map[string]string{
	// Of keys of a spec:
	"Plot.size":          "one panel is as wide as a column, several are as wide as a page; delete it, and scale the PDF",
	"Plot.band":          "intervals are 95 % t intervals; delete it, and take the standard deviation from the values that mercer export writes",
	"TheoryCurve.anchor": "a curve of theory goes through the last point of its line; delete it, and give a curve that is drawn as it is under floor",
	"Grid.zip":           `one variable as an expression of the other, such as ell: "n == 1e5 ? 15 : 5"`,
	"Slope.law":          "divide by the logarithm under of, such as of: \"recon_h*log(n)\" with equals: -0.5",
	"Order.methods":      "a claim of kind ratio, at_most: 1, for each pair of neighbours",
	"Order.slack":        "a claim of kind ratio, with the slack in at_most",
	"Claim.failures":     "run what failed again, or leave its place out by where",
	"Plot.along":         "a metric as x has a mark for each cell; delete it",
	"Plot.by":            "what varies at one x tells lines apart by itself; delete it",
	"Plot.facet":         "what varies at one x tells lines apart by itself; delete it, or give a plot for each value under where",
	"Axes.color":         "colours are log; delete it",
	"Mark.x":             "a mark is a y at the points that its where picks, such as where: {m: 400}",

	// Of kinds of plots:
	"kind: trajectory": "kind line, with the metric as x",
	"kind: pareto":     "kind line, with the metric as x",
	"kind: bar":        "kind line, with the column of names as x, such as method, and axes: {y: linear} for an axis that is not log",
	"kind: box":        "kind line, with the column of names as x, such as method, or the values that mercer export writes in any plotting package",
	"kind: profile":    "ranks:, or the values that mercer export writes in any package of performance profiles",
	"kind: ranks":      "ranks: [{of: matrix_trace}] beside the plots, a table of mean ranks",

	// Of measures:
	"measure: matrix_spectral_sampled":  "matrix_spectral, which is exact at every n",
	"measure: matrix_frobenius_sampled": "matrix_spectral, which is exact at every n",
	"measure: matrix_frobenius":         "matrix_trace or matrix_spectral",
	"measure: principal_angle":          "eigenspace_l2",
	"measure: memory":                   "fit_memory, the numbers that a fit must hold, or time -v for the memory of a process",

	// Of data sets:
	"dataset: libsvm":        "npy, with labels, and convert the file once (docs/commands.md)",
	"CSVOptions.missing":     "fill in the missing cells, or leave out their rows, before; delete it",
	"CSVOptions.comma":       "the separator is found from the first line; delete it",
	"ArrayOptions.test_path": "join the two files, and take population: {held_out: N}",
	"massesForm.path":        "masses are uniform or {power: s}; for others give the points themselves, as csv or npy with sample: with_replacement",

	// Of methods:
	"method: incomplete-cholesky":       "nystrom, with landmarks: greedy",
	"method: gaussian-sketch":           "nystrom, or randomized-kpca with power: 0",
	"method: sparse-sign-sketch":        "nystrom, or randomized-kpca with power: 0",
	"method: doubly-stochastic":         "rf-oja",
	"method: frequent-directions":       "rf-oja, or rff",
	"schedule: c/t":                     "theorem-d3, whose last phase it is, or adaoja",
	"NystromOptions.space":              "landmarks span the whole space of k(·,landmark); delete it",
	"NystromEmbeddingOptions.precision": "all is computed in double precision; delete it",
	"NystromKRROptions.iterations":      "the equations are solved directly; delete it",
	"KPCASubsampleOptions.scaling":      "‖α‖ = 1, as in the paper; delete it, or take nystrom-embedding, whose distances are those of projections in H",
	"RandomizedOptions.variant":         "there are power iterations alone; delete it",
	"RandomizedOptions.sketch":          "the first vectors are normal; delete it",
	"RFFOptions.pool":                   "features are drawn from the family itself; delete it",
	"RFFOptions.level":                  "it was of pool; delete it",
	"RFFKRROptions.pool":                "features are drawn from the family itself; delete it",
	"RFFKRROptions.level":               "it was of pool; delete it",
	"ExecOptions.silence":               "timeout limits a fit; delete it",
	"ExecOptions.inherit":               "the command env -i, which starts the program without mercer's variables; delete it",
	"ExecOptions.nested":                "each ell has a fit of its own; delete it",
	"OjaOptions.batch":                  "each point is a step; delete it",
	"OjaOptions.t0":                     "it was of schedule c/t; use theorem-d3 or adaoja",
	"OjaOptions.b0":                     "it is 1e-5, as in the paper; delete it",

	// Of landmarks, features and sketches:
	"rule: kdpp":             "rpcholesky, whose points repel each other too",
	"rule: adaptive":         "rpcholesky",
	"rule: kmeans":           "kmeans++, which draws points of the sample",
	"Options.derandomized":   "it was of the rule adaptive; use rpcholesky",
	"Options.iterations":     "it was of the rule kmeans; use kmeans++",
	"Options.filter":         "block-rpcholesky always filters; delete it",
	"features: sorf":         "orthogonal",
	"features: halton":       "orthogonal",
	"features: sobol":        "orthogonal",
	"features: positive":     "fourier",
	"features: tensorsketch": "the method nystrom, for a polynomial kernel",
	"sketch: sparse-sign":    "gaussian, or srht",
	"sketch: countsketch":    "gaussian, or srht",
}
