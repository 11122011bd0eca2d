package templates

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// task is what methods are compared in, by the measure that all of them have.
type task struct {
	Metric, Measure, Means string
	Methods                map[string]string // parameters by the name that --compare takes
}

// pca is kernel PCA, and clusters k-means after an embedding.
var (
	pca = task{"recon_l2", "recon_l2", "T, the error of reconstruction and embedding in L2(P)", map[string]string{
		"ekpca":               "use: ekpca, center: u",
		"nystrom":             "use: nystrom, landmarks: uniform",
		"rff":                 "use: rff, features: fourier",
		"randomized-kpca":     "use: randomized-kpca",
	}}
	clusters = task{"partition_cost_test", "partition_cost", "the k-means cost in H of the clusters, on held-out points", map[string]string{
		"nystrom":        "use: nystrom-embedding, rank: full, kmeans: {restarts: 5}",
		"rff":            "use: rff-embedding, features: fourier, kmeans: {restarts: 5}",
		"kjl":            "use: kjl, centered: true, kmeans: {restarts: 5}",
		"kpca-subsample": "use: kpca-subsample, kmeans: {restarts: 5}",
		"kernel-kmeans":  "use: kernel-kmeans, restarts: 5",
		"kmeans":         "use: kmeans, restarts: 5",
	}}
)

// labels are what the methods are called in figures and tables.
var labels = map[string]string{
	"ekpca":               "exact KPCA",
	"nystrom":             "Nyström",
	"rff":                 "random features",
	"randomized-kpca":     "randomized KPCA",
	"kjl":                 "K-JL",
	"kpca-subsample":      "KPCA of a subsample",
	"kernel-kmeans":       "kernel k-means",
	"kmeans":              "k-means",
}

// Methods are the names that can be compared.
func Methods() []string { return slices.Sorted(maps.Keys(labels)) }

func (t task) names() string { return strings.Join(slices.Sorted(maps.Keys(t.Methods)), ", ") }

// lacks are the methods that a task does not have.
func (t task) lacks(compare []string) (others []string) {
	for _, name := range compare {
		if t.Methods[name] == "" {
			others = append(others, name)
		}
	}
	return others
}

// taskOf is kernel PCA where it has all the methods, else clustering. A note says it in words.
func taskOf(compare []string) (t task, note string, err error) {
	noPCA, noClusters, named := pca.lacks(compare), clusters.lacks(compare), strings.Join(compare, ", ")
	switch {
	case len(noPCA) == 0:
		return pca, fmt.Sprintf("%s: compared in kernel PCA, by %s", named, pca.Means), nil
	case len(noClusters) > 0:
		return t, "", fmt.Errorf("--compare: %s and %s have no measure in common; kernel PCA has %s, clustering %s",
			strings.Join(noPCA, ", "), strings.Join(noClusters, ", "), pca.names(), clusters.names())
	}
	note = fmt.Sprintf("%s: compared in clustering, by %s", named, clusters.Means)
	if len(noPCA) < len(compare) {
		note += fmt.Sprintf("; without %s they would be compared in kernel PCA, by %s", strings.Join(noPCA, ", "), pca.Means)
	}
	return clusters, note, nil
}
