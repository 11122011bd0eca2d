package runner

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
)

const streamsSpec = `
name: streams
seed: 11
repeats: 4
datasets:
  - {id: here, use: gaussian-mixture, k: 1, d: 10, spread: 0, population: {held_out: 400}}
  - {id: there, use: gaussian-mixture, k: 1, d: 10, spread: 0, population: {held_out: 400}}
kernels: [{id: rbf, use: gaussian, sigma: 1, form: sigma-squared}]
grid: {n: [400], m: [20], ell: [2]}
methods:
  - {id: few, use: nystrom}
  - {id: same, use: nystrom}
  - {id: features, use: rff, features: fourier}
measure: [recon_h]
`

// TestStreamsOfARun: what a run draws is uncorrelated between methods, repeats and data
// sets, and so are a sample and its held-out points: the normal numbers that each
// method's generator gives first, and the coordinates of points, which are independent
// and normal about 0. A correlation of N = 4000 such pairs, times √N, is about
// standard normal; one of the 40·39/2 = 780 exceeds 6 with probability 780·2e-9 =
// 1.5e-6. The seed is fixed.
func TestStreamsOfARun(t *testing.T) {
	const length, most = 4000, 6.0
	drawn := drawnBy(t, length)
	if want := 2 * 4 * 5; len(drawn) != want {
		t.Fatalf("%d kinds of numbers, want %d", len(drawn), want)
	}
	for a, x := range drawn {
		for b, y := range drawn {
			if z := stat.Correlation(x, y, nil) * math.Sqrt(length); a < b && !(math.Abs(z) <= most) {
				t.Errorf("%s and %s are correlated: %.1f standard errors", a, b, z)
			}
		}
	}
}

// drawnBy is what the groups and fits of a run draw, by name.
func drawnBy(t *testing.T, length int) map[string][]float64 {
	p := planOf(t, streamsSpec, "")
	c := newComputation(p, 0)
	drawn := map[string][]float64{}
	for i := range 4 * len(p.Groups) {
		g, repeat := p.Groups[i/4], i%4
		w, err := c.draw(g, repeat)
		if err != nil {
			t.Fatal(err)
		}
		at := fmt.Sprintf("%s, repeat %d, ", g.Dataset.ID, repeat)
		held, _ := w.draws.HeldOut()
		drawn[at+"sample"], drawn[at+"held out"] = slices.Clone(w.x.RawMatrix().Data), slices.Clone(held.RawMatrix().Data)
		for _, f := range g.Fits {
			rng, numbers := w.rng(f), make([]float64, length)
			for i := range numbers {
				numbers[i] = rng.NormFloat64()
			}
			drawn[at+"method "+f.Method.ID] = numbers
		}
	}
	return drawn
}
