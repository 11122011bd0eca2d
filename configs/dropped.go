package configs

// dropped are keys, and values of keys, in earlier specs, with what to use instead.
var dropped = map[string]string{
	"kind: trajectory":   "kind line, with the metric as x and along: n",
	"kind: pareto":       "kind line, with the metric as x",
	"kind: bar":          "kind line, with the column of names as x, such as method, and axes: {y: linear} for an axis that is not log",
	"kind: box":          "kind line, with the column of names as x, such as method, or the values that mercer export writes in any plotting package",
	"kind: profile":      "kind ranks, or the values that mercer export writes in any package of performance profiles",
	"Plot.size":          "one panel is as wide as a column, several are as wide as a page; delete it, and scale the PDF",
	"Plot.band":          "intervals are 95 % t intervals; delete it, and take the standard deviation from the values that mercer export writes",
	"Slope.law":          "divide by the logarithm under of, such as of: \"recon_h*log(n)\" with equals: -0.5",
	"Order.methods":      "a claim of kind ratio, at_most: 1, for each pair of neighbours",
	"Order.slack":        "a claim of kind ratio, with the slack in at_most",
	"Claim.failures":     "run what failed again, or leave its place out by where",
	"TheoryCurve.anchor": "a curve of theory goes through the last point of its line; delete it, and give a curve that is drawn as it is under floor",
}
