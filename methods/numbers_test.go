package methods_test

import (
	"testing"

	"mercer/internal/kernel"
	"mercer/methods"
	"mercer/methods/landmark"
)

// TestNumbersAndWorkingSet counts by hand for n = 60, m = 20, D = 3, ℓ = 4, d = 5, k = 6:
// a model, and what its fit works on beside it.
func TestNumbersAndWorkingSet(t *testing.T) {
	s := methods.Sizes{N: 60, M: 20, D: 5, Ell: 4, K: 6}
	fourier := func(center string) methods.FeatureOptions {
		return methods.FeatureOptions{Features: "fourier", Center: center}
	}
	adaoja := methods.RateOptions{Schedule: "adaoja"}
	block := clustered()
	uniform := landmark.By("uniform")
	for name, tt := range map[string]struct {
		options     methods.Options
		model, work int
	}{
		"ekpca":             {&methods.EKPCAOptions{Center: "u"}, 60*3 + 60*4 + 4, 60 * 60},
		"nystrom":           {&methods.NystromOptions{Landmarks: uniform, Center: "u"}, 20*3 + 20*4 + 4, 2 * 20 * 20},
		"nystrom uncentred": {&methods.NystromOptions{Landmarks: uniform, Center: "none"}, 20*3 + 20*4, 2 * 20 * 20},
		"rff":               {&methods.RFFOptions{Features: "fourier", Center: "u"}, 20*3 + 40*4 + 4, 40 * 40},
		"rff offset":        {&methods.RFFOptions{Features: "offset", Center: "none"}, 20*3 + 20 + 20*4, 20 * 20},
		"rf-oja":            {&methods.OjaOptions{FeatureOptions: fourier("none"), RateOptions: adaoja}, 20*3 + 40*4, 40 * 4},
		"nystrom full":      {&methods.NystromEmbeddingOptions{Landmarks: uniform, Rank: "full", Clustered: block}, 20*3 + 20*21/2 + 6*20, 20*20 + 60*20},
		"nystrom rank d":    {&methods.NystromEmbeddingOptions{Landmarks: uniform, Rank: "d", Clustered: block}, 20*3 + 20*5 + 6*5, 20*20 + 60*5},
		"nystrom embedding": {&methods.NystromEmbeddingOptions{Landmarks: uniform, Rank: "d"}, 20*3 + 20*5, 20 * 20},
		"rff embedding":     {&methods.RFFEmbeddingOptions{Features: "fourier", Clustered: block}, 20*3 + 6*40, 60 * 40},
		"kjl":               {&methods.KJLOptions{Subsample: "uniform", Sketch: "gaussian", Clustered: block}, 20*3 + 20*5 + 6*5, 20*20 + 60*5},
		"kjl centred":       {&methods.KJLOptions{Subsample: "first", Sketch: "gaussian", Centered: true, Clustered: block}, 20*3 + 20*5 + 5 + 6*5, 20*20 + 60*5},
		"kmeans":            {block.KMeans, 6 * 3, 0},
		"kernel-kmeans":     {&methods.KernelKMeansOptions{LloydOptions: block.KMeans.LloydOptions}, 60*3 + 60 + 6 + 6, 60 * 60},
	} {
		model := fit(t, tt.options, methods.Sample{X: uniformPoints(5, s.N, 3), Kernel: kernel.NewGaussian(2), Sizes: s}, 1)
		if c, ok := model.(*methods.Clustering); ok && c.Embedding != nil && name != "kmeans" {
			if want := map[string]int{"nystrom full": 20, "rff embedding": 40}[name]; want > 0 && c.Embedding.Dim() != want {
				t.Fatalf("%s has rank %d: the points are too alike for this test", name, c.Embedding.Dim())
			}
		}
		got, known := methods.Numbers(model, s.Ell)
		if !known || got != tt.model {
			t.Errorf("%s keeps %d numbers (%v), want %d", name, got, known, tt.model)
		}
		held, known := tt.options.Traits().WorkingSet(model, s)
		if work := held - got; !known || work != tt.work {
			t.Errorf("%s works on %d numbers beside its model (%v), want %d", name, work, known, tt.work)
		}
	}
	leverage := &methods.NystromOptions{Landmarks: landmark.By("leverage"), Center: "u"}
	model := fit(t, leverage, methods.Sample{X: uniformPoints(5, s.N, 3), Kernel: kernel.NewGaussian(2), Sizes: s}, 1)
	if _, known := leverage.Traits().WorkingSet(model, s); known {
		t.Error("leverage scores hold more than is counted")
	}
	if fewer, _ := methods.Numbers(model, 2); fewer != 20*3+20*2+2 {
		t.Errorf("two components keep %d numbers", fewer)
	}
	if _, known := methods.Numbers(&methods.Exact{}, 2); known {
		t.Error("the population's eigenspace keeps no numbers that are known")
	}
}
