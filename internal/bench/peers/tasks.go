package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
	"mercer/methods/lloyd"
	"mercer/results"
)

// fit runs a method on the first n points.
func (s set) fit(start uint64, use string, set func(methods.Options), sizes methods.Sizes) (methods.Model, error) {
	options := methods.Registry[use].New()
	set(options)
	method, err := options.Method()
	if err != nil {
		return nil, err
	}
	x := s.x.Slice(0, sizes.N, 0, 784).(*mat.Dense)
	p := methods.Sample{X: x, Kernel: kernel.NewGaussian(s.gamma), Sizes: sizes}
	return method.Fit(context.Background(), p, rand.New(rand.NewPCG(1, 2+start)))
}

// eigenvalues of the Gram matrix of the first 5000 points, by a kernel PCA whose values are
// divided by n.
func (s set) eigenvalues(start uint64, use string, set func(methods.Options), m int) ([]float64, error) {
	const n = 5000
	model, err := s.fit(start, use, set, methods.Sizes{N: n, M: m, Ell: 10})
	if err != nil {
		return nil, err
	}
	values := slices.Clone(model.(*methods.Subspace).Values)
	for i := range values {
		values[i] *= n
	}
	return values, nil
}

// embed maps all points by Nyström with 1000 landmarks.
func (s set) embed(start uint64) (*mat.Dense, error) {
	n, _ := s.x.Dims()
	set := func(o methods.Options) { o.(*methods.NystromEmbeddingOptions).Rank = "full" }
	model, err := s.fit(start, "nystrom-embedding", set, methods.Sizes{N: n, M: 1000})
	if err != nil {
		return nil, err
	}
	return model.(*methods.Embedding).Map(context.Background(), s.x)
}

// cluster runs k-means from one start as KMeans does, less its tolerance's last steps.
func cluster(z *mat.Dense, start uint64) ([]float64, error) {
	r, err := lloyd.Cluster(context.Background(), z, nil, 10, asKMeans(), rand.New(rand.NewPCG(1, 2+start)))
	return []float64{r.Cost}, err
}

func asKMeans() lloyd.Options {
	o := lloyd.DefaultOptions()
	o.Init, o.Warm, o.Restarts, o.Tol = lloyd.GreedyPlusPlus, 1.0/8, 1, 1e-4
	return o
}

// features10 are the first ten components of the first n points under m random frequencies.
func (s set) features10(family string, n, m int) ([]float64, error) {
	_, err := s.fit(0, "rff", func(o methods.Options) { o.(*methods.RFFOptions).Features = family }, methods.Sizes{N: n, M: m, Ell: 10})
	return nil, err
}

func costs(ours, theirs []float64) string {
	return fmt.Sprintf("median cost %.1f, peer's %.1f", results.Median(ours), results.Median(theirs))
}

// worst is the largest relative difference of values, ten a round, from those of a round.
func worst(values, of []float64) (w float64) {
	for i, v := range values {
		w = math.Max(w, math.Abs(v-of[i%10])/of[i%10])
	}
	return w
}

// tasks are all of a set; the file shared is for features that both sides use.
func (s set) tasks(shared string) []task {
	sklearn := func(tasks ...string) (all []request) {
		for _, t := range tasks {
			all = append(all, request{"python", s.name + " " + t})
		}
		return all
	}
	center := func(o methods.Options) { o.(*methods.EKPCAOptions).Center = "v" }
	randomized := func(o methods.Options) { // as scikit-learn: seven iterations of two products
		r := o.(*methods.RandomizedOptions)
		r.Center, r.Power = "v", 14
	}
	const n, m, d, gram = 60000.0, 1000.0, 784.0, 5000.0
	var features *mat.Dense
	var exact []float64
	return []task{
		{
			name: "KernelPCA(10), 5000 " + s.name, peers: sklearn("kpca auto", "kpca arpack", "kpca randomized"),
			flops: gram * gram * d, bytes: 8 * gram * gram,
			work:  func(start uint64) ([]float64, error) { return s.eigenvalues(start, "ekpca", center, 0) },
			agree: func(ours, theirs []float64) string { return fmt.Sprintf("eigenvalues to %.0e", worst(theirs, ours)) },
		},
		{
			name: "randomised KernelPCA(10), 5000 " + s.name, peers: sklearn("kpca randomized"),
			flops: gram * gram * d, bytes: 8 * gram * gram,
			prepare: func() (err error) { exact, err = s.eigenvalues(0, "ekpca", center, 0); return err },
			work:    func(start uint64) ([]float64, error) { return s.eigenvalues(start, "randomized-kpca", randomized, 20) },
			agree: func(ours, theirs []float64) string {
				return fmt.Sprintf("eigenvalues to %.0e, peer's to %.0e", worst(ours, exact), worst(theirs, exact))
			},
		},
		{
			name: "Nystroem(1000) of 60,000 " + s.name, peers: sklearn("nystroem"),
			flops: 2*n*m*d + n*m*m + 2*m*m*d + m*m*m/3, bytes: 8 * n * (d + m),
			work: func(start uint64) ([]float64, error) { _, err := s.embed(start); return nil, err },
		},
		{
			name: "the same and KMeans(10, one start, tol 1e-4)", peers: sklearn("kmeans lloyd", "kmeans elkan"),
			work: func(start uint64) ([]float64, error) {
				z, err := s.embed(start)
				if err != nil {
					return nil, err
				}
				return cluster(z, start)
			},
			agree: costs,
		},
		{
			name: "that KMeans alone, on the same features", peers: sklearn("clusters lloyd", "clusters elkan", "clusters faiss"),
			prepare: func() (err error) {
				if features, err = s.embed(0); err != nil {
					return err
				}
				return writeRows(shared, features)
			},
			work:  func(start uint64) ([]float64, error) { return cluster(features, start) },
			agree: costs,
		},
		{
			name: "RFF(750) + PCA(10), 20,000 " + s.name, peers: sklearn("rff 20000 750 auto", "rff 20000 750 randomized"),
			flops: 2*20000*750*d + 20000*750*750, bytes: 8 * 20000 * d,
			work: func(uint64) ([]float64, error) { return s.features10("offset", 20000, 750) },
		},
		{
			name: "the same by pairs, 1500 coordinates", peers: sklearn("rff 20000 1500 auto", "rff 20000 1500 randomized", "rff 20000 750 randomized"),
			flops: 2*20000*750*d + 20000*1500*1500, bytes: 8 * 20000 * d,
			work: func(uint64) ([]float64, error) { return s.features10("fourier", 20000, 750) },
		},
		{
			name: "RFF(4000) + PCA(10), more features than points, 50 " + s.name, peers: sklearn("rff 50 4000 auto", "rff 50 4000 full"),
			work: func(uint64) ([]float64, error) { return s.features10("offset", 50, 4000) },
		},
		{
			name: "kernel PCA(10), 1000 " + s.name, peers: []request{{"R", s.name + " kpca"}},
			work: func(uint64) ([]float64, error) {
				_, err := s.fit(0, "ekpca", center, methods.Sizes{N: 1000, Ell: 10})
				return nil, err
			},
		},
		{
			name: "kernel k-means(10), 1000 " + s.name, peers: []request{{"R", s.name + " kkmeans"}},
			work: func(start uint64) ([]float64, error) {
				model, err := s.fit(start, "kernel-kmeans", func(methods.Options) {}, methods.Sizes{N: 1000, K: 10})
				if err != nil {
					return nil, err
				}
				return []float64{s.clusterCost(model.(*methods.Clustering).Labels)}, nil
			},
			agree: func(ours, theirs []float64) string {
				var labels []int
				var of []float64
				for i, label := range theirs {
					if labels = append(labels, int(label)-1); (i+1)%1000 == 0 {
						of, labels = append(of, s.clusterCost(labels)), nil
					}
				}
				return costs(ours, of)
			},
		},
	}
}

// clusterCost is that of kernel k-means: the squared distances in H to the clusters' means.
func (s set) clusterCost(labels []int) (cost float64) {
	gram := kernel.Gram(kernel.NewGaussian(s.gamma), s.x.Slice(0, len(labels), 0, 784).(*mat.Dense))
	size, within := map[int]float64{}, map[int]float64{}
	for i, a := range labels {
		size[a]++
		for j, b := range labels {
			if a == b {
				within[a] += gram.At(i, j)
			}
		}
	}
	cost = float64(len(labels)) // k(x, x) = 1
	for label, sum := range within {
		cost -= sum / size[label]
	}
	return cost
}
