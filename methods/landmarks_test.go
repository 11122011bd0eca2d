package methods_test

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/configs/source"
	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/methods"
	"mercer/methods/landmark"
)

// TestLandmarksInASpec: a word, or a mapping with the rule's parameters.
func TestLandmarksInASpec(t *testing.T) {
	level, blocks := landmark.By("leverage"), landmark.By("block-rpcholesky")
	level.Level, blocks.Block = 1e-3, 120
	for text, want := range map[string]landmark.Options{
		"":                              landmark.By("uniform"),
		"landmarks: first":              landmark.By("first"),
		"landmarks: kmeans++":           landmark.By("kmeans++"),
		"landmarks: {rule: rpcholesky}": landmark.By("rpcholesky"),
		"landmarks: {rule: leverage, level: 1e-3}":        level,
		"landmarks: {rule: block-rpcholesky, block: 120}": blocks,
		"landmarks: {rule: leverage, level: 1.0e-003}":    level,
	} {
		options, err := decodedNystrom(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if options.Landmarks != want {
			t.Errorf("%s: %+v, want %+v", text, options.Landmarks, want)
		}
	}
	for text, says := range map[string]string{
		"landmarks: levrage":                              `unknown value "levrage"; did you mean "leverage"?`,
		"landmarks: {rule: leverage, levle: 1}":           `unknown key "levle" in "landmarks" of method "nystrom"; did you mean "level"?`,
		"landmarks: {rule: leverage, level: -1}":          `must be at least 0, found -1`,
		"landmarks: {level: 1}":                           `landmarks: uniform has no use for level`,
		"landmarks: {rule: rpcholesky, replacement: yes}": `must be true or false`,
		"landmarks: [uniform]":                            `must be a word or a mapping with rule, level, replacement`,
	} {
		if _, err := decodedNystrom(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v, want %q", text, err, says)
		}
	}
}

func decodedNystrom(text string) (*methods.NystromOptions, error) {
	options := methods.Registry["nystrom"].New().(*methods.NystromOptions)
	params, err := source.Params("method", "nystrom", text)
	if err != nil {
		return nil, err
	}
	if _, err := params.Bind(options, nil); err != nil {
		return nil, err
	}
	_, err = options.Method()
	return options, err
}

// TestFewerLandmarksAreToldOf: a model and an embedding of fewer landmarks than m
// say so and are those of the landmarks there are.
func TestFewerLandmarksAreToldOf(t *testing.T) {
	x := mat.NewDense(30, 1, nil)
	for i := range 30 {
		x.Set(i, 0, []float64{0.1, 0.35, 0.8}[i%3])
	}
	options := methods.NystromOptions{Landmarks: landmark.By("rpcholesky"), Center: "none"}
	p := methods.Sample{X: x, Kernel: kernel.NewGaussian(8), Sizes: methods.Sizes{N: 30, M: 10, Ell: 2}}
	const says = "3 landmarks for m = 10: the others lie in their span to rounding"
	got := fit(t, &options, p, 1).(*methods.Subspace)
	if rows, _ := got.Points.Dims(); rows != 3 || got.Rank != 3 || len(got.Warnings) != 1 || got.Warnings[0] != says {
		t.Errorf("%d landmarks of rank %d, warnings %q", rows, got.Rank, got.Warnings)
	}
	// Three points hold the span of all: the estimate is the exact one.
	want := fit(t, &methods.EKPCAOptions{Center: "none"}, p, 1).(*methods.Subspace)
	for i, v := range want.Values {
		if d := got.Values[i] - v; d > 1e-12 || d < -1e-12 {
			t.Errorf("value %d is %.15g, exact %.15g", i+1, got.Values[i], v)
		}
	}
	e := embedding(t, &methods.NystromEmbeddingOptions{Landmarks: options.Landmarks, Rank: "full"}, p, 1)
	if e.Dim() != 3 || len(e.Warnings) != 2 || e.Warnings[0] != says {
		t.Errorf("embedding of dimension %d, warnings %q", e.Dim(), e.Warnings)
	}
}

// TestLandmarksCost: costs know of the rule.
func TestLandmarksCost(t *testing.T) {
	of := func(rule string) cost.Cost {
		options := &methods.NystromOptions{Landmarks: landmark.By(rule), Center: "u"}
		return costOf(options, methods.Sizes{N: 4000, M: 100, Ell: 5}, 10)
	}
	if uniform, exact := of("uniform"), of("leverage"); exact.Flops < 100*uniform.Flops || exact.Bytes < 8*4000*4000 || exact.Bytes < uniform.Bytes {
		t.Errorf("exact scores of 4000 points: %+v", exact)
	}
}
