package configs

// dropped are keys, and values of keys, in earlier specs, with what to use instead.
var dropped = map[string]string{
	"kind: trajectory": "kind line, with the metric as x and along: n",
	"kind: pareto":     "kind line, with the metric as x",
	"kind: bar":        "kind line, with the column of names as x, such as method, and axes: {y: linear} for an axis that is not log",
	"kind: box":        "kind line, with the column of names as x, such as method, or the values that mercer export writes in any plotting package",
	"kind: profile":    "kind ranks, or the values that mercer export writes in any package of performance profiles",
	"Plot.size":        "one panel is as wide as a column, several are as wide as a page; delete it, and scale the PDF",
	"Plot.band":        "intervals are 95 % t intervals; delete it, and take the standard deviation from the values that mercer export writes",

	"method: incomplete-cholesky": "nystrom, with landmarks: greedy",
	"method: gaussian-sketch":     "nystrom, or randomized-kpca with power: 0",
	"method: sparse-sign-sketch":  "nystrom, or randomized-kpca with power: 0",
	"method: doubly-stochastic":   "rf-oja",
	"method: frequent-directions": "rf-oja, or rff",

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
	"schedule: c/t":          "theorem-d3, whose last phase it is, or adaoja",

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
	"OjaOptions.batch":                  "each point is a step; delete it",
	"OjaOptions.t0":                     "it was of schedule c/t; use theorem-d3 or adaoja",
	"OjaOptions.b0":                     "it is 1e-5, as in the paper; delete it",

	"TheoryCurve.anchor": "a curve of theory goes through the last point of its line; delete it, and give a curve that is drawn as it is under floor",
}
