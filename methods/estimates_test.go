package methods_test

import (
	"math"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/methods"
)

// adaptedWork is what the entry of these options estimates.
func adaptedWork(use string, o methods.Options, s methods.Sizes) (flops, bytes float64) {
	entry := methods.Registry[use]
	if a, ok := o.(methods.Adapter); ok {
		entry = a.Adapt(entry)
	}
	return entry.Work(s, 7)
}

func TestWorkOfAllPointsDoesNotDependOnM(t *testing.T) {
	for use, o := range map[string]methods.Options{
		"kjl":            &methods.KJLOptions{Subsample: "all", Sketch: "gaussian"},
		"kpca-subsample": &methods.KPCASubsampleOptions{Subsample: "all", Scaling: "unit-alpha"},
	} {
		flops, bytes := adaptedWork(use, o, methods.Sizes{N: 1000, M: 50, D: 5})
		wantFlops, wantBytes := adaptedWork(use, o, methods.Sizes{N: 1000, D: 5})
		if flops != wantFlops || bytes != wantBytes {
			t.Errorf("%s: %g flops, %g bytes with m = 50; %g and %g without", use, flops, bytes, wantFlops, wantBytes)
		}
	}
}

// TestWorkOfClusters: Lloyd's part is restarts × 30 iterations × 2nk × the width
// of the embedding.
func TestWorkOfClusters(t *testing.T) {
	block := clustered()
	block.KMeans.Restarts = 3
	s := methods.Sizes{N: 1000, M: 50, D: 5, K: 4}
	for name, tt := range map[string]struct {
		use           string
		plain, lloyds methods.Options
		width         float64
	}{
		"nystrom-embedding d":    {"nystrom-embedding", &methods.NystromEmbeddingOptions{Rank: "d"}, &methods.NystromEmbeddingOptions{Rank: "d", Clustered: block}, 5},
		"nystrom-embedding full": {"nystrom-embedding", &methods.NystromEmbeddingOptions{Rank: "full"}, &methods.NystromEmbeddingOptions{Rank: "full", Clustered: block}, 50},
		"rff-embedding":          {"rff-embedding", &methods.RFFEmbeddingOptions{Features: "fourier"}, &methods.RFFEmbeddingOptions{Features: "fourier", Clustered: block}, 100},
		"rff-embedding offset":   {"rff-embedding", &methods.RFFEmbeddingOptions{Features: "offset"}, &methods.RFFEmbeddingOptions{Features: "offset", Clustered: block}, 50},
		"kjl":                    {"kjl", &methods.KJLOptions{Subsample: "first"}, &methods.KJLOptions{Subsample: "first", Clustered: block}, 5},
	} {
		for _, o := range []methods.Options{tt.plain, tt.lloyds} {
			if n, ok := o.(*methods.NystromEmbeddingOptions); ok {
				n.Landmarks.Rule = "uniform"
			}
		}
		without, _ := adaptedWork(tt.use, tt.plain, s)
		with, _ := adaptedWork(tt.use, tt.lloyds, s)
		if want := 3 * 30 * 2 * 1000 * 4 * tt.width; math.Abs(with-without-want) > 1e-9*with {
			t.Errorf("%s: Lloyd takes %g flops, want %g", name, with-without, want)
		}
	}
}

func TestWorkGrowsWithRestarts(t *testing.T) {
	points := func(restarts int) methods.Options {
		o := methods.DefaultKMeans()
		o.Restarts = restarts
		return &o
	}
	gram := func(restarts int) methods.Options {
		return &methods.KernelKMeansOptions{LloydOptions: methods.LloydOptions{Restarts: restarts}}
	}
	for use, options := range map[string]func(int) methods.Options{"kmeans": points, "kernel-kmeans": gram} {
		work := func(restarts int) float64 {
			flops, _ := adaptedWork(use, options(restarts), methods.Sizes{N: 1000, K: 4})
			return flops
		}
		registered, _ := methods.Registry[use].Work(methods.Sizes{N: 1000, K: 4}, 7)
		if one, two, five := work(1), work(2), work(5); one != registered || !(two > one) || math.Abs(five-one-4*(two-one)) > 1e-9*five {
			t.Errorf("%s: %g, %g, %g flops for 1, 2 and 5 starts; %g by default", use, one, two, five, registered)
		}
	}
}

// TestWorkFollowsTheFeatures: what is quadratic or linear in the coordinates is
// so in their number, one of offset and two of Fourier, and sorf multiplies by no
// matrix of frequencies.
func TestWorkFollowsTheFeatures(t *testing.T) {
	s := methods.Sizes{N: 5000, M: 200, D: 20, Ell: 10}
	rates := methods.RateOptions{Schedule: "adaoja", B0: 1}
	for use, options := range map[string]func(features string) methods.Options{
		"rff":           func(f string) methods.Options { return &methods.RFFOptions{Features: f, Center: "none"} },
		"rff-embedding": func(f string) methods.Options { return &methods.RFFEmbeddingOptions{Features: f} },
		"frequent-directions": func(f string) methods.Options {
			return &methods.FrequentDirectionsOptions{RFFOptions: methods.RFFOptions{Features: f, Center: "none"}}
		},
		"rf-oja": func(f string) methods.Options {
			return &methods.OjaOptions{RFFOptions: methods.RFFOptions{Features: f, Center: "none"}, RateOptions: rates, Batch: 1}
		},
	} {
		work := func(features string, dim float64) (float64, float64) {
			return options(features).(methods.Adapter).Adapt(methods.Registry[use]).Work(s, dim)
		}
		flops, bytes := work("fourier", 7)
		if registered, _ := methods.Registry[use].Work(s, 7); registered != flops {
			t.Errorf("%s: %g flops for Fourier features, %g registered", use, flops, registered)
		}
		for _, one := range []string{"offset", "mercer"} {
			most := 0.6 // of the bytes; frequencies and small matrices are as many for one as for two
			if use == "rff-embedding" {
				most = 1
			}
			if f, b := work(one, 7); !(f < 0.75*flops) || !(b <= most*bytes) {
				t.Errorf("%s: %g flops, %g bytes for %s, %g and %g for Fourier features", use, f, b, one, flops, bytes)
			}
		}
		dense, _ := work("fourier", 1024)
		fast, _ := work("sorf", 1024)
		if want := 5000 * 200 * (2*1024 - 3*10.); math.Abs(dense-fast-want) > 1e-9*dense {
			t.Errorf("%s: sorf saves %g flops, want %g", use, dense-fast, want)
		}
	}
}

// TestWorkOfDoublyStochasticGradients counts the flops as
// TestWorkIsWithinAFactor2 does; with ℓ much above the batch, triangular products
// are most of them.
func TestWorkOfDoublyStochasticGradients(t *testing.T) {
	const dim = 37
	t.Cleanup(linalg.UseGonum)
	linalg.UseOwn()
	count := counter{Float64: blas64.Implementation(), dim: dim, elementwise: 20, flops: &atomic.Int64{}}
	blas64.Use(count)
	for _, batch := range []int{4, 50} {
		for _, ell := range []int{5, 40} {
			o := &methods.DoublyStochasticOptions{Features: "fourier", Center: "none", C: 0.1, T0: 10, Batch: batch}
			p := methods.Problem{X: uniformPoints(3, 400, dim), Kernel: kernel.NewGaussian(0.3), Sizes: methods.Sizes{N: 400, M: 25, Ell: ell}}
			count.flops.Store(0)
			fit(t, o, p, 1)
			counted, estimate := float64(count.flops.Load()), workOf("doubly-stochastic", o, p.Sizes, dim)
			t.Logf("batch %d, ell %d: %.3g flops, estimate %.3g, ratio %.2f", batch, ell, counted, estimate, estimate/counted)
			if !(estimate <= 2*counted && estimate >= counted/2) {
				t.Errorf("batch %d, ell %d: %.3g flops, the estimate is %.3g", batch, ell, counted, estimate)
			}
		}
	}
}
