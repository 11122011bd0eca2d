package methods

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/methods/lloyd"
)

// Clustered is the part of an embedding's options that asks for clusters.
type Clustered struct {
	KMeans *KMeansOptions `yaml:"kmeans" doc:"cluster the n embedded points into k by k-means with these parameters ({} for the defaults); without the block the embedding itself is the result"`
}

// traits are those of an embedding, or of clusterings, which hold the embedded sample, where
// the block kmeans is given.
func (c Clustered) traits(t Traits) Traits {
	if c.KMeans == nil {
		return t
	}
	t.Shape, t.Uses, t.Streams = ShapeClustering, append(slices.Clone(t.Uses), "k"), nil
	t.NoCounts = cmp.Or(c.KMeans.noCounts(), t.NoCounts)
	if embedding := t.Holds; embedding != nil {
		t.Holds = func(m Model, s Sizes) int {
			return embedding(m, s) + s.N*m.(*Clustering).Embedding.Dim()
		}
	}
	return t
}

// method is the embedding, clustered where asked for.
func (c Clustered) method(e embedder, err error) (Method, error) {
	if c.KMeans != nil {
		err = errors.Join(err, c.KMeans.options().Check())
	}
	return embeddingMethod{e, c.KMeans}, err
}

// embedder computes an embedding from a sample.
type embedder interface {
	check(k kernel.Kernel, s Sizes) error
	embedding(ctx context.Context, p Sample, rng *rand.Rand) (*Embedding, error)
	// cost is that of the map and of the images of the sample, of which blocks are
	// held.
	cost(k kernel.Kernel, s Sizes, dim float64) cost.Cost
	width(s Sizes) int // of the images
}

// embeddingMethod is an embedding, and where kmeans is not nil k-means of the
// embedded sample.
type embeddingMethod struct {
	embedder
	kmeans *KMeansOptions
}

func (e embeddingMethod) Check(k kernel.Kernel, s Sizes) error {
	if err := e.check(k, s); err != nil || e.kmeans == nil {
		return err
	}
	return checkClusters(s)
}

// Cost is that of the embedding, and of clusters of the images: these stand beside
// all points, or those of a run of rows beside clusters when these assign points.
func (e embeddingMethod) Cost(k kernel.Kernel, s Sizes, dim float64) cost.Cost {
	c := e.cost(k, s, dim)
	if e.kmeans == nil {
		return c
	}
	n, z := float64(s.N), float64(e.width(s))
	clusters := lloyd.Cost(n, z, float64(s.K), e.kmeans.Restarts)
	return c.Plus(cost.Numbers(n * z)).Plus(clusters.Then(cost.Numbers(min(n, mapRows) * z)))
}

func (e embeddingMethod) Fit(ctx context.Context, p Sample, rng *rand.Rand) (Model, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	embedding, err := e.embedding(ctx, p, rng)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	if e.kmeans == nil {
		return embedding, nil
	}
	stop := p.phase("embed")
	if _, ok := embedding.Functions.(featureFunctions); ok {
		kernel.CountPoints(p.Kernel, p.X.RawMatrix().Rows)
	}
	z, err := embedding.Map(ctx, p.X)
	stop()
	if err != nil {
		return nil, err
	}
	return e.kmeans.cluster(ctx, p, embedding, z, rng)
}

// cluster divides the sample, embedded as z (n×d), into clusters.
func (o KMeansOptions) cluster(ctx context.Context, p Sample, e *Embedding, z *mat.Dense, rng *rand.Rand) (*Clustering, error) {
	defer p.phase("lloyd")()
	r, err := lloyd.Cluster(ctx, z, p.Counts, p.Sizes.K, o.options(), rng)
	if err != nil {
		return nil, err
	}
	return clusteringIn(e, p, r), nil
}

// clusteringIn is a division of the sample by centres in an embedding.
func clusteringIn(e *Embedding, p Sample, r lloyd.Result) *Clustering {
	return &Clustering{
		Partition: &embeddedCentres{embedding: e, kernel: p.Kernel, centres: r.Centers},
		Clusters:  p.Sizes.K, Labels: r.Labels, Iterations: r.Iterations, Sampled: r.Sampled, Embedding: e,
		Warnings: slices.Concat(e.Warnings, r.Warnings),
	}
}
