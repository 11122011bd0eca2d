package methods

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/internal/linalg/threads"
	"mercer/methods/lloyd"
)

var _ = register("kernel-kmeans", Entry{
	Label:     "kernel k-means",
	Doc:       "exact kernel k-means: Lloyd's algorithm on the n×n Gram matrix, without an embedding",
	Reference: "KKM Prop 2",
	Cost:      "n²D + n² flops; per iteration O(nk), and n for each point that moves; 8n² bytes",
	Accuracy:  "a local minimum: each iteration of Lloyd's algorithm is exact to rounding",
	Version:   "1",
	New:       func() Options { return &KernelKMeansOptions{defaultLloyd()} },
})

// KernelKMeansOptions are the parameters of exact kernel k-means.
type KernelKMeansOptions struct{ LloydOptions }

// Method returns exact kernel k-means.
func (o *KernelKMeansOptions) Method() (Method, error) {
	options := o.options()
	return kernelKMeans{options}, options.Check()
}

// Traits say that it works on the Gram matrix.
func (*KernelKMeansOptions) Traits() Traits {
	return Traits{Uses: []string{"n", "k"}, Shape: ShapeClustering, Space: SpaceH, Gram: true, Holds: gramNumbers}
}

// kernelKMeans is Lloyd's algorithm on the Gram matrix. The centres are the
// clusters' means in H, by which other points are assigned.
//
// Reference: [KKM, Prop 2].
type kernelKMeans struct{ options lloyd.Options }

func (kernelKMeans) Check(_ kernel.Kernel, s Sizes) error { return checkClusters(s) }

// Cost counts the Gram matrix and Lloyd's algorithm on it.
func (m kernelKMeans) Cost(_ kernel.Kernel, s Sizes, dim float64) cost.Cost {
	return gramValues(float64(s.N), dim).Plus(lloyd.GramCost(float64(s.N), float64(s.K), m.options.Restarts))
}

func (m kernelKMeans) Fit(ctx context.Context, p Sample, rng *rand.Rand) (Model, error) {
	gram, err := p.gram(ctx)
	if err != nil {
		return nil, err
	}
	defer p.phase("lloyd")()
	r, err := lloyd.Gram(ctx, gram, p.Counts, p.Sizes.K, m.options, rng)
	if err != nil {
		return nil, err
	}
	return &Clustering{
		Partition: newClusterMeans(p, gram, r.Labels),
		Clusters:  p.Sizes.K, Labels: r.Labels, Iterations: r.Iterations, Sampled: r.Sampled, Warnings: r.Warnings,
	}, nil
}

// clusterMeans assigns points to the means in H of clusters of the sample:
//
//	‖k(·,x) − μ_j‖² = k(x,x) − 2/n_j Σ_{r∈j} k(x,X_r) + 1/n_j² Σ_{r,s∈j} k(X_r,X_s).
//
// An empty cluster has no mean and gets no point.
type clusterMeans struct {
	kernel kernel.Kernel
	points *mat.Dense // n×D, the sample
	times  []float64  // how many points each row is
	labels []int
	count  []float64
	square []float64 // ‖μ_j‖²
}

func newClusterMeans(p Sample, gram *mat.SymDense, labels []int) *clusterMeans {
	times := p.weights().of(len(labels))
	c := &clusterMeans{kernel: p.Kernel, points: p.X, times: times, labels: labels, count: make([]float64, p.Sizes.K), square: make([]float64, p.Sizes.K)}
	within := make([]float64, len(labels)) // a row's part of its cluster's sum
	raw := gram.RawSymmetric()
	eachRow(len(labels), func(i int) {
		row := raw.Data[i*raw.Stride:][:raw.N]
		sum := times[i] * row[i] / 2
		for j := i + 1; j < raw.N; j++ {
			if labels[j] == labels[i] {
				sum += times[j] * row[j]
			}
		}
		within[i] = 2 * times[i] * sum
	})
	for i, label := range labels {
		c.count[label] += times[i]
		c.square[label] += within[i]
	}
	for j, count := range c.count {
		c.square[j] /= count * count
	}
	return c
}

// Distances says "H".
func (*clusterMeans) Distances() string { return "H" }

// assignRows is how many rows' kernel values with the whole sample are held by
// each processor.
const assignRows = 64

// Assign costs n kernel values a row.
func (c *clusterMeans) Assign(ctx context.Context, x *mat.Dense) (labels []int, squared []float64, err error) {
	rows, _ := x.Dims()
	n, _ := c.points.Dims()
	labels, squared = make([]int, rows), make([]float64, rows)
	threads.For((rows+assignRows-1)/assignRows, func(block int) {
		if ctx.Err() != nil {
			return
		}
		from := block * assignRows
		part := linalg.Rows(x, from, min(from+assignRows, rows))
		count, _ := part.Dims()
		values := mat.NewDense(count, n, nil)
		kernel.CrossTo(values, c.kernel, part, c.points)
		for i, norm := range kernel.Diagonal(c.kernel, part) {
			labels[from+i], squared[from+i] = c.nearest(norm, values.RawRowView(i))
		}
	})
	return labels, squared, ctx.Err()
}

// nearest is the mean of least squared distance to a point of norm² k(x,x) and
// kernel values with the sample, of equals the lowest.
func (c *clusterMeans) nearest(norm2 float64, values []float64) (label int, squared float64) {
	sums := make([]float64, len(c.count))
	for r, v := range values {
		sums[c.labels[r]] += c.times[r] * v
	}
	squared = math.Inf(1)
	for j, sum := range sums {
		if c.count[j] == 0 {
			continue
		}
		if s := max(0, norm2-2*sum/c.count[j]+c.square[j]); s < squared {
			label, squared = j, s
		}
	}
	return label, squared
}
