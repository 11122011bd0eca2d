package methods

import (
	"context"
	"errors"
	"math/rand/v2"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/methods/lloyd"
)

var _ = register("kmeans", Entry{
	Label:     "k-means",
	Doc:       "k-means in input space by Lloyd's algorithm, the baseline of kernel methods",
	Reference: "KJL Table 2",
	Cost:      "at most 2nDk flops per iteration, 16n bytes",
	Accuracy:  "a local minimum: each iteration of Lloyd's algorithm is exact to rounding",
	Version:   "1",
	New:       func() Options { o := DefaultKMeans(); return &o },
})

// Method returns k-means in input space.
func (o *KMeansOptions) Method() (Method, error) { return kmeans{*o}, o.options().Check() }

// kmeans is k-means of the points themselves. Its distances are those of the
// input space, whatever the kernel.
type kmeans struct{ options KMeansOptions }

func (kmeans) Check(k kernel.Kernel, s Sizes) error {
	return errors.Join(kernel.CheckCoordinates(k), checkClusters(s))
}

// Cost is that of Lloyd's algorithm.
func (m kmeans) Cost(_ kernel.Kernel, s Sizes, dim float64) cost.Cost {
	return lloyd.Cost(float64(s.N), dim, float64(s.K), m.options.Restarts)
}

// Traits say which variants need points.
func (o *KMeansOptions) Traits() Traits {
	return Traits{Uses: []string{"n", "k"}, Shape: ShapeClustering, Holds: holdsNothing, NoCounts: o.noCounts()}
}

func (m kmeans) Fit(ctx context.Context, p Sample, rng *rand.Rand) (Model, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	_, d := p.X.Dims()
	return m.options.cluster(ctx, p, &Embedding{Functions: inputSpace(d)}, p.X, rng)
}
