package methods

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods/lloyd"
)

// Clustered is the part of an embedding's options that asks for clusters.
type Clustered struct {
	KMeans *KMeansOptions `yaml:"kmeans" doc:"cluster the n embedded points into k by k-means with these parameters ({} for the defaults); without the block the embedding itself is the result"`
}

// lloydIterations is how many iterations an estimate of work allows a start.
const lloydIterations = 30

// adapt makes the entry one of clusterings of points in as many dimensions as
// width says, where the block kmeans is given.
func (c Clustered) adapt(e Entry, width func(s Sizes) int) Entry {
	if c.KMeans == nil {
		return e
	}
	embed := e.Work
	e.Shape, e.Uses, e.Streams = ShapeClustering, append(slices.Clone(e.Uses), "k"), nil
	e.Work = func(s Sizes, dim float64) (float64, float64) {
		flops, bytes := embed(s, dim)
		z := float64(width(s))
		// Images stand beside all points, or those of a run of rows beside clusters
		// when these assign points.
		n, k := float64(s.N), float64(s.K)
		return flops + c.KMeans.flops(s, z), bytes + 8*n*z + max(lloyd.Bytes(n, z, k), 8*min(n, mapRows)*z)
	}
	return e
}

// flops of Lloyd's algorithm on the sample in R^dim, without bounds.
func (o LloydOptions) flops(s Sizes, dim float64) float64 {
	return float64(o.Restarts) * lloydIterations * 2 * float64(s.N) * dim * float64(s.K)
}

// gridDim is d.
func gridDim(s Sizes) int { return s.D }

// method is the embedding, clustered where asked for.
func (c Clustered) method(e embedder, err error) (Method, error) {
	if c.KMeans == nil {
		return embeddingMethod{embedder: e}, err
	}
	return embeddingMethod{e, c.KMeans}, errors.Join(err, c.KMeans.check())
}

// embedder computes an embedding from a problem.
type embedder interface {
	check(k kernel.Kernel, s Sizes) error
	embedding(ctx context.Context, p Problem, rng *rand.Rand) (*Embedding, error)
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

// CheckDim is that of the embedding, where it has one.
func (e embeddingMethod) CheckDim(k kernel.Kernel, dim int) error {
	if checker, ok := e.embedder.(DimChecker); ok {
		return checker.CheckDim(k, dim)
	}
	return nil
}

func (e embeddingMethod) Fit(ctx context.Context, p Problem, rng *rand.Rand) (Model, error) {
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
	z, err := embedding.Map(ctx, p.X)
	stop()
	if err != nil {
		return nil, err
	}
	return e.kmeans.cluster(ctx, p, embedding, z, rng)
}

// cluster divides the sample, embedded as z (n×d), into clusters.
func (o KMeansOptions) cluster(ctx context.Context, p Problem, e *Embedding, z *mat.Dense, rng *rand.Rand) (*Clustering, error) {
	defer p.phase("lloyd")()
	r, err := lloyd.Cluster(ctx, z, p.Sizes.K, o.options(), rng)
	if err != nil {
		return nil, err
	}
	return &Clustering{
		Partition: &embeddedCentres{embedding: e, kernel: p.Kernel, centres: r.Centers},
		Clusters:  p.Sizes.K, Labels: r.Labels, Iterations: r.Iterations, Sampled: r.Sampled, Embedding: e,
		Warnings: slices.Concat(e.Warnings, r.Warnings),
	}, nil
}
