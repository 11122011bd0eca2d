package methods_test

import (
	"testing"

	"mercer/internal/kernel"
	"mercer/methods"
	"mercer/methods/landmark"
)

// TestKernelEntries: kernel values that fits read, counted, are those of the algorithms
// in closed form, and so are the points that rows of them are of, and of features.
func TestKernelEntries(t *testing.T) {
	const n, m = 200, 7
	gaussian := kernel.NewGaussian(0.5)
	series, err := kernel.NewGridSeries([]float64{1, 0.5, 0.25}, 50)
	if err != nil {
		t.Fatal(err)
	}
	by := func(rule string) methods.Options {
		return &methods.NystromOptions{Landmarks: landmark.By(rule), Center: "u"}
	}
	for _, c := range []struct {
		name    string
		options methods.Options
		k       kernel.Kernel
		m       int
		least   int64
		most    int64 // least where it is 0
		points  int64 // read; 0 where they vary
	}{
		{"K_mm and the columns of K", by("uniform"), gaussian, m, n*m + m*m, 0, n + m},
		{"all of K", &methods.EKPCAOptions{Center: "u"}, gaussian, m, n * n, 0, n},
		{"coordinates", &methods.EKPCAOptions{Center: "u"}, series, m, 0, 0, n},
		{"frequencies", &methods.RFFOptions{Features: "fourier", Center: "u"}, gaussian, m, 0, 0, n},
		{"eigenfunctions", &methods.RFFOptions{Features: "mercer", Center: "u"}, series, m, 0, 0, n},
		{"the diagonal, a proposal, its column; and Nyström", by("rpcholesky"), gaussian, 1, n + 1 + n + (n + 1), 0, n + 1 + n + (n + 1)},
		// Up to 7 rounds of 7 proposals.
		{"more pivots", by("rpcholesky"), gaussian, m, n*(m+1) + m*m + n*m + m*m, n*(m+1) + m*m*m + n*m + m*m, 0},
		{"greedy pivots", by("greedy"), gaussian, m, n*(m+1) + m + n*m + m*m, 0, 0},
	} {
		method, err := c.options.Method()
		if err != nil {
			t.Fatal(err)
		}
		k, counter := kernel.Count(c.k)
		rng := newRand(3)
		dim := 3
		if c.k == kernel.Kernel(series) {
			dim = 1
		}
		x := uniformPoints(3, n, dim)
		p := methods.Sample{X: x, Kernel: k, Sizes: methods.Sizes{N: n, M: c.m, Ell: 1}}
		if _, err := method.Fit(t.Context(), p, rng); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := counter.Values(); got < c.least || got > max(c.least, c.most) {
			t.Errorf("%s: %d kernel values, want %d to %d", c.name, got, c.least, max(c.least, c.most))
		}
		if got := counter.Points(); c.points > 0 && got != c.points {
			t.Errorf("%s: %d points read, want %d", c.name, got, c.points)
		}
	}
}
