package configs

// dropped are keys, and values of keys, in earlier specs, with what to use instead.
var dropped = map[string]string{
	"kind: trajectory":   "kind line, with the metric as x",
	"kind: pareto":       "kind line, with the metric as x",
	"kind: bar":          "kind line, with the column of names as x, such as method, and axes: {y: linear} for an axis that is not log",
	"kind: box":          "kind line, with the column of names as x, such as method, or the values that mercer export writes in any plotting package",
	"kind: profile":      "ranks:, or the values that mercer export writes in any package of performance profiles",
	"kind: ranks":        "ranks: [{of: matrix_trace}] beside the plots, a table of mean ranks",
	"Plot.along":         "a metric as x has a mark for each cell; delete it",
	"Plot.by":            "what varies at one x tells lines apart by itself; delete it",
	"Plot.facet":         "what varies at one x tells lines apart by itself; delete it, or give a plot for each value under where",
	"Axes.color":         "colours are log; delete it",
	"Mark.x":             "a mark is a y at the points that its where picks, such as where: {m: 400}",
	"Plot.size":          "one panel is as wide as a column, several are as wide as a page; delete it, and scale the PDF",
	"Plot.band":          "intervals are 95 % t intervals; delete it, and take the standard deviation from the values that mercer export writes",
	"TheoryCurve.anchor": "a curve of theory goes through the last point of its line; delete it, and give a curve that is drawn as it is under floor",
}
