package kernel

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// absolute is a kernel of histograms at the absolute values of all coordinates.
type absolute struct{ Kernel }

func (a absolute) At(x, y []float64) float64 {
	return a.Kernel.At(absolutes(mat.NewDense(1, len(x), x)).RawRowView(0), absolutes(mat.NewDense(1, len(y), y)).RawRowView(0))
}

func (a absolute) against(y *mat.Dense) filler {
	fill := against(a.Kernel, absolutes(y))
	return func(dst, x *mat.Dense, from int) { fill(dst, absolutes(x), from) }
}

func absolutes(x *mat.Dense) *mat.Dense {
	var abs mat.Dense
	abs.Apply(func(_, _ int, v float64) float64 { return math.Abs(v) }, x)
	return &abs
}

// TestHistogramsOnly: a negative coordinate is no histogram's. Data that have one are refused,
// and points that were not among them, such as a test part, fail.
func TestHistogramsOnly(t *testing.T) {
	for _, use := range []string{"chi2", "intersection"} {
		if _, err := build(t, use, "", spread{least: -0.5}); err == nil || !strings.Contains(err.Error(), "the data have -0.5") {
			t.Errorf("%s of data with a negative coordinate: %v", use, err)
		}
		k := must(build(t, use, "", spread{}))
		x, y := mat.NewDense(1, 2, []float64{0, 1}), mat.NewDense(1, 2, []float64{2, -1})
		mustPanic(t, use+" of a negative y", func() { Cross(k, x, y) })
		mustPanic(t, use+" of a negative x", func() { Cross(k, y, x) })
	}
}
