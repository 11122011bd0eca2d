package methods_test

import (
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
	"mercer/methods/landmark"
)

// threePoints are ten rows each of three points.
func threePoints() *mat.Dense {
	x := mat.NewDense(30, 1, nil)
	for i := range 30 {
		x.Set(i, 0, []float64{0.1, 0.35, 0.8}[i%3])
	}
	return x
}

// TestEmbeddingOfFewerLandmarksThanDimensions: rules that pick fewer landmarks
// than d leave an embedding into as many dimensions as there are.
func TestEmbeddingOfFewerLandmarksThanDimensions(t *testing.T) {
	again := landmark.By("uniform")
	again.Replacement = true
	for name, tt := range map[string]struct {
		rule landmark.Options
		x    *mat.Dense
	}{
		"drawn again":  {again, uniformPoints(5, 30, 2)},
		"three points": {landmark.By("rpcholesky"), threePoints()},
	} {
		options := methods.NystromEmbeddingOptions{Landmarks: tt.rule, Rank: "d"}
		p := methods.Sample{X: tt.x, Kernel: kernel.NewGaussian(8), Sizes: methods.Sizes{N: 30, M: 10, D: 10}}
		e := fit(t, &options, p, 1).(*methods.Embedding)
		rows, _ := e.Functions.(kernel.Expansion).Points.Dims()
		if rows >= 10 || e.Dim() != rows {
			t.Errorf("%s: %d dimensions of %d landmarks", name, e.Dim(), rows)
		}
		if !slices.ContainsFunc(e.Warnings, func(w string) bool { return strings.Contains(w, "is below d = 10") }) {
			t.Errorf("%s: warnings %q", name, e.Warnings)
		}
	}
}

// TestRankIsOfTheLandmarksThereAre: what is called m is the grid's.
func TestRankIsOfTheLandmarksThereAre(t *testing.T) {
	again := landmark.By("uniform")
	again.Replacement = true
	options := methods.NystromOptions{Landmarks: again, Center: "none"}
	p := methods.Sample{X: threePoints(), Kernel: kernel.NewGaussian(8), Sizes: methods.Sizes{N: 30, M: 20, Ell: 2}}
	model := fit(t, &options, p, 1).(*methods.Subspace)
	rows, _ := model.Points.Dims()
	warned := slices.ContainsFunc(model.Warnings, func(w string) bool {
		return strings.HasPrefix(w, "numerical rank") && strings.HasSuffix(w, " landmarks") && !strings.Contains(w, "m =")
	})
	if rows >= 20 || !warned {
		t.Errorf("%d landmarks, warnings %q", rows, model.Warnings)
	}
}
