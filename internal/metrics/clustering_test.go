package metrics

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
	"mercer/methods/landmark"
)

// classedTruth are points of three classes, and held-out points.
type classedTruth struct{ Truth }

// classed has more points than a tile, so that tiles join, and clusters that
// overlap.
func classed(t *testing.T) classedTruth {
	t.Helper()
	draw := func(n int, seed uint64) (*mat.Dense, []int) {
		rng := newRand(seed)
		x, labels := mat.NewDense(n, 3, nil), make([]int, n)
		for i := range n {
			labels[i] = rng.IntN(3)
			for c := range 3 {
				x.Set(i, c, rng.NormFloat64())
			}
			x.Set(i, labels[i], x.At(i, labels[i])+2.5)
		}
		return x, labels
	}
	c := classedTruth{Truth{Kernel: kernel.NewGaussian(0.3)}}
	c.X, c.Labels = draw(tileRows+77, 11)
	c.HeldOut, c.HeldOutLabels = draw(90, 12)
	return c
}

func defaultKMeans() *methods.KMeansOptions {
	o := methods.DefaultKMeans()
	return &o
}

// cluster fits a method with three clusters, 12 points of a subsample and four
// dimensions.
func (c classedTruth) cluster(t *testing.T, o methods.Options) methods.Model {
	t.Helper()
	method, err := o.Method()
	if err != nil {
		t.Fatal(err)
	}
	n, _ := c.X.Dims()
	p := methods.Sample{X: c.X, Kernel: c.Kernel, Sizes: methods.Sizes{N: n, M: 12, D: 4, K: 3}}
	if err := method.Check(p.Kernel, p.Sizes); err != nil {
		t.Fatal(err)
	}
	model, err := method.Fit(t.Context(), p, newRand(5))
	if err != nil {
		t.Fatal(err)
	}
	return model
}

func (c classedTruth) clusterings(t *testing.T) map[string]*methods.Clustering {
	block := methods.Clustered{KMeans: defaultKMeans()}
	all := map[string]*methods.Clustering{}
	for name, o := range map[string]methods.Options{
		"kmeans":          defaultKMeans(),
		"kernel-kmeans":   &methods.KernelKMeansOptions{LloydOptions: methods.DefaultKMeans().LloydOptions},
		"nystrom, rank 4": &methods.NystromEmbeddingOptions{Landmarks: landmark.By("uniform"), Rank: "d", Clustered: block},
		"nystrom, full":   &methods.NystromEmbeddingOptions{Landmarks: landmark.By("uniform"), Rank: "full", Clustered: block},
		"kjl":             &methods.KJLOptions{Subsample: "uniform", Sketch: "gaussian", Centered: true, Clustered: block},
		"kpca":            &methods.KPCASubsampleOptions{Subsample: "first", Clustered: block},
		"rff":             &methods.RFFEmbeddingOptions{Features: "fourier", Clustered: block},
	} {
		all[name] = c.cluster(t, o).(*methods.Clustering)
	}
	return all
}

// inH is ‖k(·,x) − Σ_r w_r k(·,X_r)‖² by loops over kernel values.
func (c classedTruth) inH(x []float64, members []int, square float64) float64 {
	sum := 0.0
	for _, r := range members {
		sum += c.Kernel.At(x, c.X.RawRowView(r))
	}
	return c.Kernel.At(x, x) - 2*sum/float64(len(members)) + square
}

// TestPartitionCostByLoops computes the means of the clusters in H point by
// point. Sums of a thousand numbers of size 1 leave 1e-13.
func TestPartitionCostByLoops(t *testing.T) {
	truth := classed(t)
	all := truth.clusterings(t)
	all["one cluster, larger than a tile"] = &methods.Clustering{Clusters: 1, Labels: make([]int, tileRows+77)}
	for name, c := range all {
		values, _, err := Evaluate(t.Context(), truth.Truth, c, []int{0}, []string{"partition_cost"})
		if err != nil {
			t.Fatal(err)
		}
		members := make([][]int, c.Clusters)
		for i, label := range c.Labels {
			members[label] = append(members[label], i)
		}
		square := make([]float64, c.Clusters)
		for j, rows := range members {
			for _, r := range rows {
				for _, s := range rows {
					square[j] += truth.Kernel.At(truth.X.RawRowView(r), truth.X.RawRowView(s))
				}
			}
			square[j] /= float64(len(rows) * len(rows))
		}
		train, test := 0.0, 0.0
		for i, label := range c.Labels {
			train += truth.inH(truth.X.RawRowView(i), members[label], square[label]) / float64(len(c.Labels))
		}
		held, _ := truth.HeldOut.Dims()
		for i := range held {
			nearest := math.Inf(1)
			for j := range members {
				nearest = min(nearest, truth.inH(truth.HeldOut.RawRowView(i), members[j], square[j]))
			}
			test += nearest / float64(held)
		}
		for metric, want := range map[string]float64{"partition_cost": train, "partition_cost_test": test} {
			if got := values[0][metric]; !(math.Abs(got-want) <= 1e-12) {
				t.Errorf("%s: %s is %.15g, by loops %.15g", name, metric, got, want)
			}
		}
	}
}

// TestClusterCostByLoops: in H the cost is at least that of the labels' own
// means, and equal to it for exact kernel k-means once labels settle; in an
// embedding it is the mean squared distance of the images to their means, up to
// tol, which lets the centres be those before the last assignment.
func TestClusterCostByLoops(t *testing.T) {
	truth := classed(t)
	inH := []string{"kernel-kmeans", "nystrom, rank 4", "nystrom, full"}
	for name, c := range truth.clusterings(t) {
		values, _, err := Evaluate(t.Context(), truth.Truth, c, []int{0}, []string{"cluster_cost", "partition_cost"})
		if err != nil {
			t.Fatal(err)
		}
		v := values[0]
		if slices.Contains(inH, name) {
			cost, own := v["cluster_cost_train"], v["partition_cost"]
			if !(cost >= own-1e-12) || !(cost <= own+0.2) || v["cluster_cost_test"] == 0 {
				t.Errorf("%s: cost %v, of the means in H %v", name, cost, own)
			}
			if name == "kernel-kmeans" && (math.Abs(cost-own) > 1e-12 || math.Abs(v["cluster_cost_test"]-v["partition_cost_test"]) > 1e-12) {
				t.Errorf("%s: costs %v, of the means in H %v", name, v, own)
			}
			continue
		}
		z := c.Embedding.Eval(truth.X)
		want, count := 0.0, make([]float64, c.Clusters)
		_, d := z.Dims()
		centres := mat.NewDense(c.Clusters, d, nil)
		for i, label := range c.Labels {
			floats.Add(centres.RawRowView(label), z.RawRowView(i))
			count[label]++
		}
		for i, label := range c.Labels {
			for a, v := range z.RawRowView(i) {
				want += math.Pow(v-centres.At(label, a)/count[label], 2) / float64(len(c.Labels))
			}
		}
		if got := v["cluster_cost_embedding_train"]; !(got >= want*(1-1e-12)) || !(got <= want*1.001) {
			t.Errorf("%s: cost %v, by loops %v", name, got, want)
		}
	}
}

// TestClustersAreCounted: three clusters of which one is empty.
func TestClustersAreCounted(t *testing.T) {
	c := &methods.Clustering{Clusters: 4, Labels: []int{0, 0, 3, 1, 0}, Iterations: 6, Sampled: 9}
	values, _, err := Evaluate(t.Context(), Truth{}, c, []int{0, 7}, []string{"clusters"})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"smallest_cluster": 1, "largest_cluster": 3, "empty_clusters": 1, "lloyd_iterations": 6, "lloyd_iterations_sample": 9}
	for i := range values {
		if fmt.Sprint(values[i]) != fmt.Sprint(want) {
			t.Errorf("%v, want %v", values[i], want)
		}
	}
}

// TestEmptyClustersHaveNoMean: the costs of a partition with an empty cluster are
// those without it.
func TestEmptyClustersHaveNoMean(t *testing.T) {
	truth := classed(t)
	c := truth.clusterings(t)["kernel-kmeans"]
	want, _, err := Evaluate(t.Context(), truth.Truth, c, []int{0}, []string{"partition_cost"})
	if err != nil {
		t.Fatal(err)
	}
	c.Clusters++
	got, _, err := Evaluate(t.Context(), truth.Truth, c, []int{0}, []string{"partition_cost"})
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

func TestClusterMeasuresStop(t *testing.T) {
	truth := classed(t)
	all := truth.clusterings(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, name := range []string{"cluster_cost", "partition_cost", "nmi", "separation"} {
		e := evaluation{Truth: truth.Truth, ctx: ended, model: all["kernel-kmeans"], shared: map[sharedKey]any{}}
		if err := Registry[name].compute(&e, 0, map[string]float64{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v, want %v", name, err, context.Canceled)
		}
	}
}

// labelsAlone is a partition that other points cannot be assigned to.
type labelsAlone struct{}

func (labelsAlone) Assign(context.Context, *mat.Dense) ([]int, []float64, error) {
	return nil, nil, methods.ErrNoCenters
}

func (labelsAlone) Distances() string { return "" }

// TestLabelsAloneAreMeasuredOnTheSample: clusters without centres agree with
// classes, and have a cost in H; what needs their centres is left out.
func TestLabelsAloneAreMeasuredOnTheSample(t *testing.T) {
	truth := classed(t)
	clusters := *truth.cluster(t, defaultKMeans()).(*methods.Clustering)
	clusters.Partition, clusters.Embedding = labelsAlone{}, nil
	values, _, err := Evaluate(t.Context(), truth.Truth, &clusters, []int{0}, []string{"cluster_cost", "rand", "partition_cost"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"partition_cost", "partition_cost_test", "rand"}
	if got := slices.Sorted(maps.Keys(values[0])); !slices.Equal(got, want) {
		t.Errorf("metrics %v, want %v", got, want)
	}
}
