package methods_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/configs"
	"mercer/internal/kernel"
	"mercer/methods"
	"mercer/methods/landmark"
)

// TestMessagesNameTheMethod: methods that draw the features of rff say their own
// name.
func TestMessagesNameTheMethod(t *testing.T) {
	features := methods.FeatureOptions{Features: "fourier", Center: "none"}
	for name, options := range map[string]methods.Options{
		"rff":           &methods.RFFOptions{Features: features.Features, Center: features.Center},
		"rff-embedding": &methods.RFFEmbeddingOptions{Features: "fourier"},
		"rf-oja":        &methods.OjaOptions{FeatureOptions: features, RateOptions: methods.RateOptions{Schedule: "adaoja"}},
		"rf-rmsg":       &methods.RMSGOptions{FeatureOptions: features, Lambda: 1},
	} {
		m, err := options.Method()
		if err != nil {
			t.Fatal(err)
		}
		err = m.Check(kernel.NewGaussian(1), methods.Sizes{N: 10, D: 3, Ell: 1})
		if want := "the grid gives no m: " + name + " needs a number of features"; err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
	}
}

// TestCausesOfRankZero: an error says what is 0, and of a subspace without
// variance that it is the subspace, where the sample itself varies.
func TestCausesOfRankZero(t *testing.T) {
	linear := kernel.Polynomial{Degree: 1, Gamma: 1}
	zero := mat.NewDense(4, 1, nil)
	side := mat.NewDense(3, 2, []float64{0, 1, 1, 1, 2, 1}) // varies at right angles to the first point
	sizes := func(n int) methods.Sizes { return methods.Sizes{N: n, M: 1, Ell: 1} }
	for name, tt := range map[string]struct {
		options methods.Options
		x       *mat.Dense
		says    string
	}{
		"embedding": {&methods.NystromEmbeddingOptions{Landmarks: landmark.By("first"), Rank: "full"}, zero, "rank 0: the kernel is 0 on the landmarks"},
		"sketch":    {&methods.RandomizedOptions{Center: "u"}, zero, "rank 0: the kernel functions that the sketch combines add up to 0"},
		"landmark":  {&methods.NystromOptions{Landmarks: landmark.By("first"), Center: "u"}, zero, "rank 0: the kernel is 0 on the landmarks"},
		"span":      {&methods.NystromOptions{Landmarks: landmark.By("first"), Center: "u"}, side, "no variance in the span of the landmarks"},
	} {
		n, _ := tt.x.Dims()
		m, err := tt.options.Method()
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.Fit(context.Background(), methods.Sample{X: tt.x, Kernel: linear, Sizes: sizes(n)}, newRand(1))
		if err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: error %v, want %q", name, err, tt.says)
		}
	}
}

// In a spec a method's n, m, d, ell and k are sizes, which never reach its
// parameters.
func TestParametersAreNoSizes(t *testing.T) {
	for name, entry := range methods.Registry {
		for _, line := range configs.Describe(entry.New()) {
			key, _, _ := strings.Cut(line, ":")
			if slices.Contains([]string{"n", "m", "d", "ell", "k"}, key) {
				t.Errorf("%s has a parameter %q, which a spec cannot give: it is a size there", name, key)
			}
		}
	}
}
