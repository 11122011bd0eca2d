package methods_test

import (
	"strings"
	"testing"

	"mercer/configs/source"
	"mercer/internal/kernel"
	"mercer/methods"
	"mercer/methods/landmark"
)

// TestKMeansBlockIsDecodedOverDefaults: zero is a value, and a block that is not
// given is none.
func TestKMeansBlockIsDecodedOverDefaults(t *testing.T) {
	settled := methods.DefaultKMeans()
	settled.Tol, settled.MiniBatch = 0, 100
	standard := methods.DefaultKMeans()
	for text, want := range map[string]*methods.KMeansOptions{
		"":                                  nil,
		"kmeans: {}":                        &standard,
		"kmeans: {tol: 0, mini_batch: 1e2}": &settled,
	} {
		for _, use := range []string{"kjl", "kpca-subsample", "nystrom-embedding", "rff-embedding"} {
			if use == "rff-embedding" {
				text += "\nfeatures: fourier"
			}
			options := decoded(t, use, text, "")
			var got *methods.KMeansOptions
			switch o := options.(type) {
			case *methods.KJLOptions:
				got = o.KMeans
			case *methods.KPCASubsampleOptions:
				got = o.KMeans
			case *methods.NystromEmbeddingOptions:
				got = o.KMeans
			case *methods.RFFEmbeddingOptions:
				got = o.KMeans
			}
			if (got == nil) != (want == nil) || got != nil && *got != *want {
				t.Errorf("%s with %q: %+v, want %+v", use, text, got, want)
			}
		}
	}
}

// decoded are a method's options from YAML; says is part of the error that is
// wanted, from decoding or from Method.
func decoded(t *testing.T, use, text, says string) methods.Options {
	t.Helper()
	params, err := source.Params("method", use, text)
	if err != nil {
		t.Fatal(err)
	}
	options := methods.Registry[use].New()
	if _, err = params.Bind(options, nil); err == nil {
		_, err = options.Method()
	}
	switch {
	case says == "" && err != nil, says != "" && (err == nil || !strings.Contains(err.Error(), says)):
		t.Errorf("%s with %q: error %v, want %q", use, text, err, says)
	}
	return options
}

func TestEmbeddingParametersAreChecked(t *testing.T) {
	for _, tt := range []struct{ use, text, says string }{
		{"kmeans", "restarts: 0", `"restarts" of method "kmeans" must be at least 1, found 0`},
		{"kmeans", "tol: -1", `"tol" of method "kmeans" must be at least 0`},
		{"kmeans", "init: plusplus", `unknown value "plusplus"; did you mean "plus-plus"?`},
		{"kernel-kmeans", "mini_batch: 5", `unknown key "mini_batch" in method "kernel-kmeans"`},
		{"kjl", "kmeans: {restart: 3}", `unknown key "restart" in "kmeans" of method "kjl"; did you mean "restarts"?`},
		{"kjl", "kmeans: 3", `"kmeans" of method "kjl" must be a mapping`},
		{"kjl", "sketch: hadamard", `"sketch" of method "kjl": unknown value "hadamard"`},
		{"kpca-subsample", "subsample: some", `unknown value "some"`},
		{"rff-embedding", "", `missing key "features"`},
		{"nystrom-embedding", "rank: 3", `"rank" of method "nystrom-embedding"`},
	} {
		decoded(t, tt.use, tt.text, tt.says)
	}
	// Options made in Go are checked as well.
	for says, o := range map[string]methods.Options{
		`subsample "": must be uniform`:           &methods.KJLOptions{Sketch: "gaussian"},
		`sketch "": must be gaussian or srht`:     &methods.KJLOptions{Subsample: "all"},
		`rank "": must be d or full`:              &methods.NystromEmbeddingOptions{Landmarks: landmark.By("first")},
		`landmarks "": must be`:                   &methods.NystromEmbeddingOptions{Rank: "d"},
		`features "": must be`:                    &methods.RFFEmbeddingOptions{},
		`init "": must be plus-plus`:              &methods.KernelKMeansOptions{},
		`restarts 0: at least 1 start is needed`:  &methods.KJLOptions{Subsample: "all", Sketch: "srht", Clustered: methods.Clustered{KMeans: &methods.KMeansOptions{}}},
		`mini_batch -1: must not be negative`:     &methods.KMeansOptions{MiniBatch: -1},
		`tol -1: must be finite and not negative`: &methods.KMeansOptions{LloydOptions: methods.LloydOptions{Tol: -1}},
	} {
		if _, err := o.Method(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: error %v, want %s", o, err, says)
		}
	}
}

// TestWarmSaysWhatIsWrong: 1 is outside by the schema too, and mini-batches are
// another matter than the share.
func TestWarmSaysWhatIsWrong(t *testing.T) {
	decoded(t, "kmeans", "warm: 1", "less than 1")
	decoded(t, "kmeans", "{warm: 0.5, mini_batch: 100}", "warm 0.5 with mini_batch 100")
	decoded(t, "kmeans", "warm: 0.5", "")
	o := methods.DefaultKMeans()
	o.Warm = 1
	if _, err := o.Method(); err == nil || strings.Contains(err.Error(), "mini_batch") || !strings.Contains(err.Error(), "in [0, 1)") {
		t.Errorf("warm 1: error %v", err)
	}
}

// TestSampledIterationsAreCounted: those of kmeans.warm are beside the others, and
// without it there are none.
func TestSampledIterationsAreCounted(t *testing.T) {
	for _, warm := range []float64{0, 0.5} {
		o := methods.DefaultKMeans()
		o.Warm = warm
		m := method(t, &methods.NystromEmbeddingOptions{Landmarks: landmark.By("first"), Rank: "d", Clustered: methods.Clustered{KMeans: &o}})
		p := methods.Sample{X: uniformPoints(3, 60, 2), Kernel: kernel.NewGaussian(1), Sizes: methods.Sizes{N: 60, M: 10, D: 2, K: 3}}
		model, err := m.Fit(t.Context(), p, newRand(1))
		if err != nil {
			t.Fatal(err)
		}
		if c := model.(*methods.Clustering); (c.Sampled > 0) != (warm > 0) || c.Iterations < 1 {
			t.Errorf("warm %v: %d iterations on a sample, %d on all", warm, c.Sampled, c.Iterations)
		}
	}
}
