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
	"Grid.zip":           `one variable as an expression of the other, such as ell: "n == 1e5 ? 15 : 5"`,
	"TheoryCurve.anchor": "a curve of theory goes through the last point of its line; delete it, and give a curve that is drawn as it is under floor",
}
