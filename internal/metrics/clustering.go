package metrics

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/internal/lists"
	"mercer/methods"
)

// clusterMeasures are the measures of clusters.
var clusterMeasures = map[string]Measure{
	"cluster_cost": {
		Family:    ofCosts,
		Doc:       "k-means cost W(C, μ) of the centres found, mean over the sample and over held-out points: in H, including the residual of a projection; cluster_cost_embedding_… for embeddings that do not keep the distances of H, and for kmeans in its input space",
		Reference: "KKM §2",
		Cost:      ofLabels,
		Outputs: []Output{
			{"cluster_cost_train", "k-means cost W, sample", Less, meanK},
			{"cluster_cost_test", "k-means cost W, held out", Less, heldOutNorm},
			{"cluster_cost_embedding_train", "k-means cost, embedding, sample", Neither, relative},
			{"cluster_cost_embedding_test", "k-means cost, embedding, held out", Neither, relative},
		},
		Steps:   true,
		compute: clusterCost,
	},
	"partition_cost": {
		Family:    ofPartitions,
		Doc:       "kernel k-means cost of the clusters' means in H, for clusters of any method, mean over the sample; for held-out points the mean squared distance to the nearest of these means",
		Reference: "KKM Prop 2",
		Cost:      "Σ_j |C_j|²/2 kernel values for clusters C_j, and n for each held-out point",
		Outputs: []Output{
			{"partition_cost", "cost of the clusters, sample", Less, meanK},
			{"partition_cost_test", "cost of the clusters, held out", Less, heldOutNorm},
		},
		Steps:   true,
		compute: partitionCost,
	},
	"clusters": {
		Family:    ofClusters,
		Doc:       "points in the smallest non-empty cluster and in the largest, number of empty clusters, Lloyd iterations on all points, and before these on the sample of kmeans.warm (lloyd_iterations_sample)",
		Reference: "a count of this program",
		Cost:      ofFit,
		Outputs: []Output{
			{"smallest_cluster", "points in the smallest cluster", Neither, exact},
			{"largest_cluster", "points in the largest cluster", Neither, exact},
			{"empty_clusters", "empty clusters", Neither, exact},
			{"lloyd_iterations", "iterations of Lloyd's algorithm", Neither, exact},
			{"lloyd_iterations_sample", "Lloyd's iterations on the sample", Neither, exact},
		},
		Steps:   true,
		compute: clusters,
	},
}

// assignment is what a partition says of some points.
type assignment struct {
	labels  []int
	squared []float64
}

// assigned asks the model's partition, once for each set of points.
func (e *evaluation) assigned(x *mat.Dense) (assignment, error) {
	return shared(e, "assigned", x, func() (assignment, error) {
		labels, squared, err := e.model.(*methods.Clustering).Assign(e.ctx, x)
		return assignment{labels, squared}, err
	})
}

// clusterCost is W(C, μ) = E min_j ‖k(·,X) − c_j‖² over the sample and over the
// held-out points, in H where the partition measures there; the name says where
// it does not.
//
// Reference: [KKM, §2].
func clusterCost(e *evaluation, _ int, into Values) error {
	c, name := e.model.(*methods.Clustering), "cluster_cost"
	switch c.Distances() {
	case "":
		return nil // labels without centres have no such cost
	case "H":
	default:
		name = embeddingCost
	}
	train := assignment{squared: c.Squared}
	if train.squared == nil {
		var err error
		if train, err = e.assigned(e.X); err != nil {
			return err
		}
	}
	into[name+"_train"] = meanBy(e.Counts, train.squared)
	if e.HeldOut == nil {
		return nil
	}
	test, err := e.assigned(e.HeldOut)
	if err == nil {
		into[name+"_test"] = meanBy(e.Masses, test.squared)
	}
	return err
}

// meanBy is the mean under weights, nil for all alike.
func meanBy(weights, values []float64) float64 {
	if weights == nil {
		return floats.Sum(values) / float64(len(values))
	}
	return floats.Dot(weights, values) / floats.Sum(weights)
}

// clusters are sizes and iterations.
func clusters(e *evaluation, _ int, into Values) error {
	c := e.model.(*methods.Clustering)
	count := make([]float64, c.Clusters)
	for i, label := range c.Labels {
		if e.Counts != nil {
			count[label] += e.Counts[i]
		} else {
			count[label]++
		}
	}
	smallest, empty := math.Inf(1), 0.0
	for _, n := range count {
		if n == 0 {
			empty++
		} else {
			smallest = min(smallest, n)
		}
	}
	into["smallest_cluster"], into["largest_cluster"], into["empty_clusters"] = smallest, floats.Max(count), empty
	into["lloyd_iterations"], into["lloyd_iterations_sample"] = float64(c.Iterations), float64(c.Sampled)
	return nil
}

// partitionCost is the kernel k-means cost of the labels, whatever found them:
//
//	(1/n)[Σ_i k(x_i,x_i) − Σ_j 1/|C_j| Σ_{i,i'∈C_j} k(x_i,x_i')],
//
// the mean squared distance in H to the means μ_j of the clusters; and for the
// held-out points E min_j ‖k(·,X) − μ_j‖². It costs Σ_j |C_j|²/2 kernel values,
// and n for each held-out point, of which tileRows² are held at a time.
//
// Reference: [KKM, Prop 2].
func partitionCost(e *evaluation, _ int, into Values) error {
	m, err := e.clusterMeans()
	if err != nil {
		return err
	}
	cost := 0.0
	for j, points := range m.members {
		if points == nil {
			continue
		}
		trace := 0.0
		for i, norm := range kernel.Diagonal(e.Kernel, points) {
			trace += m.times[j][i] * norm
		}
		cost += max(0, trace-m.within[j]/m.count(j))
	}
	into["partition_cost"] = cost / floats.Sum(e.times())
	if e.HeldOut == nil {
		return nil
	}
	var squared []float64
	err = tiles(e.ctx, e.HeldOut, func(_ int, rows *mat.Dense) error {
		nearest, err := m.nearest(e.ctx, rows)
		squared = append(squared, nearest...)
		return err
	})
	into["partition_cost_test"] = meanBy(e.Masses, squared)
	return err
}

// tileRows is how many points' kernel values with as many others are held at
// once.
const tileRows = 1024

// means are those of clusters in H.
type means struct {
	kernel  kernel.Kernel
	members []*mat.Dense // of each cluster; nil for an empty one
	times   [][]float64  // how many points of the sample each stands for
	within  []float64    // Σ_{i,i'∈C_j} k(x_i,x_i')
}

// clusterMeans are those of the model's clusters, computed once.
func (e *evaluation) clusterMeans() (*means, error) {
	return shared(e, "means", 0, func() (*means, error) {
		c, times := e.model.(*methods.Clustering), e.times()
		rows := make([][]int, c.Clusters)
		for i, label := range c.Labels {
			rows[label] = append(rows[label], i)
		}
		m := &means{kernel: e.Kernel, members: make([]*mat.Dense, c.Clusters), times: make([][]float64, c.Clusters), within: make([]float64, c.Clusters)}
		for j, members := range rows {
			if len(members) == 0 {
				continue
			}
			m.members[j] = linalg.SelectRows(e.X, members)
			m.times[j] = lists.Map(members, func(i int) float64 { return times[i] })
			var err error
			if m.within[j], err = m.sumWithin(e.ctx, m.members[j], m.times[j]); err != nil {
				return nil, err
			}
		}
		return m, nil
	})
}

// count is how many points of the sample a cluster has.
func (m *means) count(j int) float64 { return floats.Sum(m.times[j]) }

// tiles calls f with runs of tileRows rows of x, until it fails or the context
// ends.
func tiles(ctx context.Context, x *mat.Dense, f func(from int, tile *mat.Dense) error) error {
	n, _ := x.Dims()
	for from := 0; from < n; from += tileRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := f(from, linalg.Rows(x, from, min(from+tileRows, n))); err != nil {
			return err
		}
	}
	return nil
}

// sumWithin is the sum of all kernel values among some points that stand for so many.
func (m *means) sumWithin(ctx context.Context, x *mat.Dense, times []float64) (sum float64, err error) {
	n, _ := x.Dims()
	err = tiles(ctx, x, func(from int, rows *mat.Dense) error {
		count, _ := rows.Dims()
		own := kernel.Gram(m.kernel, rows)
		here := times[from:][:count]
		for i, c := range here {
			sum += c * c * own.At(i, i)
			for j := i + 1; j < count; j++ {
				sum += 2 * c * here[j] * own.At(i, j)
			}
		}
		if from+count == n {
			return nil
		}
		return tiles(ctx, linalg.Rows(x, from+count, n), func(beyond int, columns *mat.Dense) error {
			values := kernel.Cross(m.kernel, rows, columns)
			for i, c := range here {
				row := values.RawRowView(i)
				sum += 2 * c * floats.Dot(row, times[from+count+beyond:][:len(row)])
			}
			return nil
		})
	})
	return sum, err
}

// nearest are the squared distances of points to the nearest mean.
func (m *means) nearest(ctx context.Context, rows *mat.Dense) ([]float64, error) {
	count, _ := rows.Dims()
	squared := make([]float64, count)
	for i := range squared {
		squared[i] = math.Inf(1)
	}
	for j, members := range m.members {
		if members == nil {
			continue
		}
		sums, size := make([]float64, count), m.count(j)
		err := tiles(ctx, members, func(from int, columns *mat.Dense) error {
			values := kernel.Cross(m.kernel, rows, columns)
			for i := range sums {
				row := values.RawRowView(i)
				sums[i] += floats.Dot(row, m.times[j][from:][:len(row)])
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		norms := kernel.Diagonal(m.kernel, rows)
		for i, sum := range sums {
			squared[i] = min(squared[i], max(0, norms[i]-2*sum/size+m.within[j]/size/size))
		}
	}
	return squared, nil
}
