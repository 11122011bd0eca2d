package templates

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// task is what methods are compared in, by the measure that all of them have.
type task struct {
	metric, measure, means string
	methods                map[string]string // parameters by the name that --compare takes
}

// pca is kernel PCA, and clusters k-means after an embedding.
var (
	pca = task{"recon_l2", "recon_l2", "T, the error of reconstruction and embedding in L2(P)", map[string]string{
		"ekpca":               "use: ekpca, center: u",
		"nystrom":             "use: nystrom, landmarks: uniform",
		"rff":                 "use: rff, features: fourier",
		"gaussian-sketch":     "use: gaussian-sketch",
		"sparse-sign-sketch":  "use: sparse-sign-sketch",
		"incomplete-cholesky": "use: incomplete-cholesky",
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
	"gaussian-sketch":     "Gaussian sketch",
	"sparse-sign-sketch":  "sparse sign sketch",
	"incomplete-cholesky": "incomplete Cholesky",
	"randomized-kpca":     "randomized KPCA",
	"kjl":                 "K-JL",
	"kpca-subsample":      "KPCA of a subsample",
	"kernel-kmeans":       "kernel k-means",
	"kmeans":              "k-means",
}

// Task says in words what methods are compared in, by which measure, and which of them keep it
// from being kernel PCA.
func Task(compare []string) (string, error) {
	t, err := taskOf(compare)
	if t.metric != clusters.metric {
		return "kernel PCA, by " + t.means, err
	}
	text := "clustering, by " + t.means
	if others := lacking(pca, compare); len(others) < len(compare) {
		text += fmt.Sprintf("; without %s they would be compared in kernel PCA, by %s", strings.Join(others, ", "), pca.means)
	}
	return text, err
}

// Methods are the names that can be compared.
func Methods() []string {
	names := slices.Collect(maps.Keys(pca.methods))
	for name := range clusters.methods {
		if pca.methods[name] == "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// taskOf is kernel PCA where it has all the methods, else clustering.
func taskOf(compare []string) (task, error) {
	noPCA, noClusters := lacking(pca, compare), lacking(clusters, compare)
	switch {
	case len(noPCA) == 0:
		return pca, nil
	case len(noClusters) == 0:
		return clusters, nil
	}
	return task{}, fmt.Errorf("--compare: %s and %s have no measure in common; kernel PCA has %s, clustering %s",
		strings.Join(noPCA, ", "), strings.Join(noClusters, ", "), names(pca), names(clusters))
}

// lacking are the methods that a task does not have.
func lacking(t task, compare []string) []string {
	return slices.DeleteFunc(slices.Clone(compare), func(name string) bool { return t.methods[name] != "" })
}

func names(t task) string { return strings.Join(slices.Sorted(maps.Keys(t.methods)), ", ") }

// lines are the methods of a spec.
func (t task) lines(compare []string) string {
	var b strings.Builder
	for _, name := range compare {
		fmt.Fprintf(&b, "  - {id: %s, %s}\n", name, t.methods[name])
	}
	return b.String()
}
