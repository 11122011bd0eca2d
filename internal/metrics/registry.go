package metrics

import (
	"maps"
)

// Costs that several measures share.
const (
	ofMoments = "the moments of the model's ℓ functions, once for all measures of them: 2Ns(D + ℓ) + 2N²ℓ flops for functions over s points or features and N points of an empirical population, or s²(50 + 4ℓ) in closed form, sr(50 + 4ℓ) for a kernel of rank r"
	ofFit     = "nothing beside the fit"
	ofLabels  = "the clusters of the held-out points, once for all measures of them: that of embedding them, and 3dk flops a point, or for kernel-kmeans n kernel values a point"
)

// Registry holds every measure by the name that specs use. A measure stands beside its formula.
var Registry = together(reconstructionMeasures, embeddingMeasures, spectralMeasures, objectiveMeasures, liftMeasures,
	sketchMeasures, distanceMeasures, clusterMeasures, residualMeasures, matrixMeasures,
	regressionMeasures, agreementMeasures, separationMeasures, costMeasures)

// together are the measures of all files.
func together(files ...map[string]Measure) map[string]Measure {
	all := map[string]Measure{}
	for _, measures := range files {
		maps.Copy(all, measures)
	}
	return all
}

// costMeasures are the measures of what a fit costs, which the runner takes.
var costMeasures = map[string]Measure{
	"time": {
		Family:    ofAnyFit,
		Doc:       "wall time of the fit alone, and of its phases landmarks, gram (the kernel matrix, or the draw of random features), factor, sketch, embed, solve, lloyd, read (points of a method that streams) and exec (a program, with the phases that it reports); timed cells run one at a time, in an order drawn anew for each repeat, with fixed threads and nothing shared",
		Reference: "measured by this program",
		Cost:      "a fit of its own for each record, and a warm-up for each cell",
		Unit:      "s",
		Outputs: []Output{
			{"time_total", "time of the fit", Less, exact},
			{"time_landmarks", "time of picking landmarks", Less, exact},
			{"time_gram", "time of the kernel matrix", Less, exact},
			{"time_factor", "time of factoring", Less, exact},
			{"time_sketch", "time of sketching", Less, exact},
			{"time_read", "time of reading", Less, exact},
			{"time_embed", "time of embedding", Less, exact},
			{"time_solve", "time of solving", Less, exact},
			{"time_lloyd", "time of Lloyd's algorithm", Less, exact},
			{"time_exec", "time of the program", Less, exact},
		},
	},
	"transform": {
		Family:    ofMaps,
		Doc:       "wall time of mapping the n points of the sample by the fitted embedding, its different points where the fit works on counts: what fit_transform of scikit-learn adds to fit; timed as time is, after the fit, and no part of time_total",
		Reference: "measured by this program",
		Cost:      "a fit of its own for each record, as time, its map of the sample, a warm-up of both for each cell, and the n images in memory",
		Unit:      "s",
		Outputs: []Output{
			{"time_transform", "time of mapping the sample", Less, exact},
		},
	},
	"flops": {
		Family:    ofAnyFit,
		Doc:       "floating-point operations of the fit, as the method estimates them",
		Reference: "a count of this program",
		Cost:      ofFit,
		Unit:      "flop",
		Outputs: []Output{
			{"flops", "floating-point operations", Less, exact},
		},
	},
	"kernel_entries": {
		Family: ofKernelValues,
		Doc: "entries of kernel matrices that the fit reads, counted while it runs: an entry that is read twice counts twice, a kernel matrix of n points n² though half is computed; kernel_entries_landmarks are those that pick landmarks, of rpcholesky the n(m + 1) of its paper and the squares of its proposals; " +
			"0 for random features and where coordinates of a kernel of finite rank are taken instead; not for programs; kernel_passes are passes over the sample, counted too: the points that rows of kernel values or features are computed of, over n (rows of X on atoms), the points of a kernel matrix once",
		Reference: "Chen, Epperly, Tropp & Webber 2023, §1",
		Cost:      "one more fit",
		Outputs: []Output{
			{"kernel_entries", "kernel entries read", Less, exact},
			{"kernel_entries_landmarks", "kernel entries that pick landmarks", Less, exact},
			{"kernel_passes", "passes over the sample", Less, exact},
		},
		Steps: true,
	},
	"fit_memory": {
		Family:    ofArrays,
		Doc:       "memory that a fit must hold at once besides the sample, 8 bytes a number: its model and the matrices it works on, without blocks of rows; a count for the algorithm, the same on every machine; not for methods without a known count",
		Reference: "a count of this program",
		Cost:      ofFit,
		Unit:      "B",
		Outputs: []Output{
			{"fit_memory", "memory that a fit needs", Less, exact},
		},
	},
}
