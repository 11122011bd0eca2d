package methods_test

import (
	"math"
	"testing"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/methods"
)

func TestCostOfAllPointsDoesNotDependOnM(t *testing.T) {
	for use, o := range map[string]methods.Options{
		"kjl":            &methods.KJLOptions{Subsample: "all", Sketch: "gaussian"},
		"kpca-subsample": &methods.KPCASubsampleOptions{Subsample: "all"},
	} {
		got, want := costOf(o, methods.Sizes{N: 1000, M: 50, D: 5}, 7), costOf(o, methods.Sizes{N: 1000, D: 5}, 7)
		if got != want {
			t.Errorf("%s: %+v with m = 50; %+v without", use, got, want)
		}
	}
}

// TestSharedGramIsNotCounted: a subsample of as many points as the sample has its own
// kernel matrix, the sample itself one that others have too.
func TestSharedGramIsNotCounted(t *testing.T) {
	s := methods.Sizes{N: 1000, M: 1000, D: 5}
	own := costOf(&methods.KJLOptions{Subsample: "first", Sketch: "gaussian"}, s, 7)
	shared := costOf(&methods.KJLOptions{Subsample: "all", Sketch: "gaussian"}, s, 7)
	if got, want := own.Bytes-shared.Bytes, cost.Symmetric(1000).Bytes; got != want {
		t.Errorf("%g bytes more, want %g", got, want)
	}
}

// TestCostOfClusters: Lloyd's part is restarts × 30 iterations × 2nk × the width
// of the embedding.
func TestCostOfClusters(t *testing.T) {
	block := clustered()
	block.KMeans.Restarts = 3
	s := methods.Sizes{N: 1000, M: 50, D: 5, K: 4}
	for name, tt := range map[string]struct {
		plain, lloyds methods.Options
		width         float64
	}{
		"nystrom-embedding d":    {&methods.NystromEmbeddingOptions{Rank: "d"}, &methods.NystromEmbeddingOptions{Rank: "d", Clustered: block}, 5},
		"nystrom-embedding full": {&methods.NystromEmbeddingOptions{Rank: "full"}, &methods.NystromEmbeddingOptions{Rank: "full", Clustered: block}, 50},
		"streamed":               {&methods.NystromEmbeddingOptions{Rank: "full"}, &methods.NystromEmbeddingOptions{Rank: "full", Stream: true, Clustered: block}, 50},
		"rff-embedding":          {&methods.RFFEmbeddingOptions{Features: "fourier"}, &methods.RFFEmbeddingOptions{Features: "fourier", Clustered: block}, 100},
		"rff-embedding offset":   {&methods.RFFEmbeddingOptions{Features: "offset"}, &methods.RFFEmbeddingOptions{Features: "offset", Clustered: block}, 50},
		"kjl":                    {&methods.KJLOptions{Subsample: "first"}, &methods.KJLOptions{Subsample: "first", Clustered: block}, 5},
	} {
		for _, o := range []methods.Options{tt.plain, tt.lloyds} {
			if n, ok := o.(*methods.NystromEmbeddingOptions); ok {
				n.Landmarks.Rule = "uniform"
			}
		}
		without, with := costOf(tt.plain, s, 7).Flops, costOf(tt.lloyds, s, 7).Flops
		if want := 3 * 30 * 2 * 1000 * 4 * tt.width; math.Abs(with-without-want) > 1e-9*with {
			t.Errorf("%s: Lloyd takes %g flops, want %g", name, with-without, want)
		}
	}
}

func TestCostGrowsWithRestarts(t *testing.T) {
	points := func(restarts int) methods.Options {
		o := methods.DefaultKMeans()
		o.Restarts = restarts
		return &o
	}
	gram := func(restarts int) methods.Options {
		return &methods.KernelKMeansOptions{LloydOptions: methods.LloydOptions{Restarts: restarts}}
	}
	for use, options := range map[string]func(int) methods.Options{"kmeans": points, "kernel-kmeans": gram} {
		flops := func(restarts int) float64 { return costOf(options(restarts), methods.Sizes{N: 1000, K: 4}, 7).Flops }
		if one, two, five := flops(1), flops(2), flops(5); !(two > one) || math.Abs(five-one-4*(two-one)) > 1e-9*five {
			t.Errorf("%s: %g, %g, %g flops for 1, 2 and 5 starts", use, one, two, five)
		}
	}
}

// TestCostOfFiniteRank: with a kernel of finite rank far below n methods that take
// its coordinates need neither the Gram matrix nor its flops; others need both, and
// all do with more than a quarter of n.
func TestCostOfFiniteRank(t *testing.T) {
	k := quarterSeries(t)
	rank := k.Rank()
	for use, tt := range map[string]struct {
		options     methods.Options
		coordinates bool
	}{
		"ekpca":         {&methods.EKPCAOptions{Center: "u"}, true},
		"kjl":           {&methods.KJLOptions{Subsample: "all", Sketch: "gaussian"}, true},
		"kjl srht":      {&methods.KJLOptions{Subsample: "all", Sketch: "srht"}, false},
		"kernel-kmeans": {&methods.KernelKMeansOptions{LloydOptions: methods.LloydOptions{Restarts: 1}}, false},
	} {
		m, _ := tt.options.Method() // some parameters are missing
		for _, n := range []int{4*rank - 1, 1000} {
			s, far := methods.Sizes{N: n, D: 3, Ell: 2, K: 2}, tt.coordinates && n == 1000
			if fewer := m.Cost(k, s, 1).Flops < m.Cost(nil, s, 1).Flops; fewer != far {
				t.Errorf("%s, n = %d: %+v, %+v for any kernel", use, n, m.Cost(k, s, 1), m.Cost(nil, s, 1))
			}
			if tt.options.Traits().UsesGram(k, n) == far {
				t.Errorf("%s, n = %d: uses the Gram matrix: %v", use, n, !far)
			}
		}
	}
}

// TestCostFollowsTheFeatures: what is quadratic or linear in the coordinates is
// so in their number, one of offset and two of Fourier.
func TestCostFollowsTheFeatures(t *testing.T) {
	s := methods.Sizes{N: 5000, M: 200, D: 20, Ell: 10}
	rates := methods.RateOptions{Schedule: "adaoja"}
	for use, options := range map[string]func(features string) methods.Options{
		"rff":           func(f string) methods.Options { return &methods.RFFOptions{Features: f, Center: "none"} },
		"rff-embedding": func(f string) methods.Options { return &methods.RFFEmbeddingOptions{Features: f} },
		"rf-oja": func(f string) methods.Options {
			return &methods.OjaOptions{FeatureOptions: methods.FeatureOptions{Features: f, Center: "none"}, RateOptions: rates}
		},
	} {
		fourier := costOf(options("fourier"), s, 7)
		for _, one := range []string{"offset", "mercer"} {
			most := 0.6 // of the bytes; frequencies and small matrices are as many for one as for two
			if use == "rff-embedding" {
				most = 1
			}
			if c := costOf(options(one), s, 7); !(c.Flops < 0.75*fourier.Flops) || !(c.Bytes <= most*fourier.Bytes) {
				t.Errorf("%s: %+v for %s, %+v for Fourier features", use, c, one, fourier)
			}
		}
	}
}

// draw is the flops that take as long as a random number, see drawFlops.
const draw = 500

// TestNormalsOfASketchCost: on coordinates the normals of a K-JL sketch take nearly all of its
// time, and are counted.
func TestNormalsOfASketchCost(t *testing.T) {
	k, err := kernel.NewFiniteSeries([]float64{1, 0.5})
	if err != nil {
		t.Fatal(err)
	}
	method, err := (&methods.KJLOptions{Subsample: "all", Sketch: "gaussian"}).Method()
	if err != nil {
		t.Fatal(err)
	}
	of := func(d int) float64 { return method.Cost(k, methods.Sizes{N: 1000, D: d}, 1).Flops }
	if added := of(30) - of(20); !(added > draw*1000*10 && added < 1.1*draw*1000*10) {
		t.Errorf("10 more coordinates of 1000 points add %g flops", added)
	}
}

// TestMercerFeaturesCostTheirRank: of a kernel of finite rank a million features take
// flops for their draws alone beside those of as many as it has eigenfunctions, and the bytes
// of their indices.
func TestMercerFeaturesCostTheirRank(t *testing.T) {
	k, err := kernel.NewFiniteSeries([]float64{1, 0.5, 0.2})
	if err != nil {
		t.Fatal(err)
	}
	method, err := (&methods.RFFOptions{Features: "mercer", Center: "none"}).Method()
	if err != nil {
		t.Fatal(err)
	}
	few := method.Cost(k, methods.Sizes{N: 10, M: 3, Ell: 2}, 1)
	many := method.Cost(k, methods.Sizes{N: 10, M: 1_000_000, Ell: 2}, 1)
	if many.Flops-few.Flops != draw*1_000_000 || many.Bytes-few.Bytes != 8*(1_000_000-3) {
		t.Errorf("%+v for 3 features, %+v for a million", few, many)
	}
	if other := method.Cost(nil, methods.Sizes{N: 10, M: 1000, Ell: 2}, 1); !(other.Flops > 100*few.Flops) {
		t.Errorf("%+v for a kernel of no known rank", other)
	}
}
