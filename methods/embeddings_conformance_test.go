package methods_test

import (
	"maps"
	"slices"
	"testing"

	"mercer/methods"
	"mercer/methods/landmark"
)

// TestEmbeddingConformance runs the suite over variants of the methods
// that embed or cluster, on one back end: what depends on the back end they
// share with the methods of TestConformance.
func TestEmbeddingConformance(t *testing.T) {
	all := embeddings(t)
	maps.Copy(all, clusterings())
	tested := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		s := all[name].build(t)
		t.Run(name, func(t *testing.T) { runSuite(t, s) })
		tested[all[name].use+" as "+s.Traits.Shape] = true
	}
	for _, v := range own { // which TestConformance runs
		tested[v.use+" as "+v.options.Traits().Shape] = true
	}

	for name, entry := range methods.Registry {
		switch entry.New().Traits().Shape {
		case methods.ShapeEmbedding, methods.ShapeSketch, methods.ShapeGaussian:
			if !tested[name+" as "+methods.ShapeClustering] {
				t.Errorf("method %q has no variant with clusters: every embedding must pass the suite with them too; add one to own", name)
			}
		}
	}
}

// embeddings are variants of the methods whose models are embeddings.
func embeddings(t *testing.T) map[string]variant {
	refuse := func(s methods.Sizes, says string) Refusal { return Refusal{Sizes: s, Says: says} }
	noD := refuse(methods.Sizes{N: 50, M: 20}, "the grid gives no d")
	large := refuse(methods.Sizes{N: 10, M: 11, D: 2}, "m = 11")
	kjl := []Refusal{noD, large}
	kpca := []Refusal{noD, large, refuse(methods.Sizes{N: 50, M: 10, D: 10}, "rank at most 9 (m = 10)")}
	few := refuse(methods.Sizes{N: 50, D: 2}, "the grid gives no m")
	return map[string]variant{
		"kjl": {"kjl", &methods.KJLOptions{Subsample: "uniform", Sketch: "gaussian"},
			Subject{Random: true, Refused: kjl}},
		"kjl first centred": {"kjl", &methods.KJLOptions{Subsample: "first", Sketch: "gaussian", Centered: true},
			Subject{Random: true, Refused: kjl}},
		"kjl all srht": {"kjl", &methods.KJLOptions{Subsample: "all", Sketch: "srht"},
			Subject{Random: true, Refused: []Refusal{noD, refuse(methods.Sizes{N: 50, M: 200, D: 65}, "order 64 (m = 50)")}}},
		"kjl all": {"kjl", &methods.KJLOptions{Subsample: "all", Sketch: "gaussian"},
			Subject{Random: true, Refused: []Refusal{noD}}},
		"kjl uniform srht centred": {"kjl", &methods.KJLOptions{Subsample: "uniform", Sketch: "srht", Centered: true},
			Subject{Random: true, Refused: append(kjl[:2:2], refuse(methods.Sizes{N: 50, M: 20, D: 33}, "order 32 (m = 20)"))}},
		"kpca-subsample": {"kpca-subsample", &methods.KPCASubsampleOptions{Subsample: "uniform"},
			Subject{Random: true, Refused: kpca}},
		"kpca-subsample all": {"kpca-subsample", &methods.KPCASubsampleOptions{Subsample: "all"},
			Subject{Refused: []Refusal{noD, refuse(methods.Sizes{N: 10, M: 5, D: 10}, "rank at most 9 (m = 10)")}}},
		"nystrom-embedding": {"nystrom-embedding", &methods.NystromEmbeddingOptions{Landmarks: landmark.By("uniform"), Rank: "d"},
			Subject{Random: true, Isometric: true, Refused: []Refusal{few, large, refuse(methods.Sizes{N: 50, M: 10, D: 11}, "span of at most 10")}}},
		"nystrom-embedding leverage": {"nystrom-embedding", &methods.NystromEmbeddingOptions{Landmarks: landmark.By("leverage"), Rank: "d"},
			Subject{Random: true, Isometric: true, Refused: []Refusal{few, large}}},
		"nystrom-embedding rpcholesky": {"nystrom-embedding", &methods.NystromEmbeddingOptions{Landmarks: landmark.By("rpcholesky"), Rank: "d"},
			Subject{Random: true, Isometric: true, Refused: []Refusal{few, large}}},
		"nystrom-embedding first full": {"nystrom-embedding", &methods.NystromEmbeddingOptions{Landmarks: landmark.By("first"), Rank: "full"},
			Subject{Isometric: true, Refused: []Refusal{few, large}}},
		"rff-embedding": {"rff-embedding", &methods.RFFEmbeddingOptions{Features: "fourier"},
			Subject{Random: true, Refused: []Refusal{few}}},
		"rff-embedding mercer": {"rff-embedding", &methods.RFFEmbeddingOptions{Features: "mercer"},
			Subject{Random: true, Kernel: quarterSeries(t), Refused: []Refusal{few}}},
	}
}

// clusterings are variants of the methods whose models are clusterings. They
// stop only when no label changes, so that centres are the means of the labels.
func clusterings() map[string]variant {
	settled := methods.DefaultKMeans()
	settled.Tol = 0
	block := methods.Clustered{KMeans: &settled}
	subject := func(isometric bool) Subject {
		return Subject{Isometric: isometric, Refused: []Refusal{
			{Sizes: methods.Sizes{N: 50, M: 20, D: 2}, Says: "the grid gives no k"},
			{Sizes: methods.Sizes{N: 5, M: 4, D: 2, K: 6}, Says: "k = 6 clusters of n = 5 points"},
		}}
	}
	return map[string]variant{
		"kmeans":        {"kmeans", &settled, subject(false)},
		"kernel-kmeans": {"kernel-kmeans", &methods.KernelKMeansOptions{LloydOptions: settled.LloydOptions}, subject(true)},
		"kjl clustered": {"kjl", &methods.KJLOptions{Subsample: "uniform", Sketch: "gaussian", Centered: true, Clustered: block}, subject(false)},
		"kpca-subsample clustered": {"kpca-subsample", &methods.KPCASubsampleOptions{Subsample: "all", Clustered: block},
			subject(false)},
		"nystrom-embedding clustered": {"nystrom-embedding", &methods.NystromEmbeddingOptions{Landmarks: landmark.By("uniform"), Rank: "d", Clustered: block},
			subject(true)},
		"nystrom-embedding full clustered": {"nystrom-embedding", &methods.NystromEmbeddingOptions{Landmarks: landmark.By("uniform"), Rank: "full", Clustered: block},
			subject(true)},
		"rff-embedding clustered": {"rff-embedding", &methods.RFFEmbeddingOptions{Features: "fourier", Clustered: block}, subject(false)},
	}
}
