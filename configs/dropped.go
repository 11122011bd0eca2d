package configs

// dropped are keys, values of keys, and names in registries, in earlier specs, with what to use instead.
var dropped = map[string]string{
	"kind: trajectory":   "kind line, with the metric as x and along: n",
	"kind: pareto":       "kind line, with the metric as x",
	"kind: bar":          "kind line, with the column of names as x, such as method, and axes: {y: linear} for an axis that is not log",
	"kind: box":          "kind line, with the column of names as x, such as method, or the values that mercer export writes in any plotting package",
	"kind: profile":      "kind ranks, or the values that mercer export writes in any package of performance profiles",
	"dataset: libsvm":       "npy, with labels, and convert the file once (docs/commands.md)",
	"CSVOptions.missing":    "fill in the missing cells, or leave out their rows, before; delete it",
	"CSVOptions.comma":      "the separator is found from the first line; delete it",
	"ArrayOptions.test_path": "join the two files, and take population: {held_out: N}",
	"massesForm.path":       "masses are uniform or {power: s}; for others give the points themselves, as csv or npy with sample: with_replacement",
	"Plot.size":          "one panel is as wide as a column, several are as wide as a page; delete it, and scale the PDF",
	"Plot.band":          "intervals are 95 % t intervals; delete it, and take the standard deviation from the values that mercer export writes",
	"TheoryCurve.anchor": "a curve of theory goes through the last point of its line; delete it, and give a curve that is drawn as it is under floor",
}
