package powerlaw

import (
	"math"
	"testing"
)

// Each law is found again in points that follow it, with its exponent, and is not
// contradicted by points with noise.
func TestLawsAreRecovered(t *testing.T) {
	for _, tt := range []struct {
		law      int
		want     string
		exponent float64
		curve    func(n float64) float64
	}{
		{0, "n^-0.5", -0.5, power(-0.5)},
		{1, "n^-0.5 plus a floor", -0.5, func(n float64) float64 { return 3/math.Sqrt(n) + 0.05 }},
		{1, "n^1.5 plus a floor", 1.5, func(n float64) float64 { return math.Pow(n, 1.5) + 3e4 }},
		{2, "(n + a shift)^-0.75", -0.75, func(n float64) float64 { return math.Pow(n+700, -0.75) }},
		{2, "(n + a shift)^2", 2, func(n float64) float64 { return math.Pow(n+700, 2) }},
		{3, "n^-0.5 plus a term of twice that power", -0.5, func(n float64) float64 { return 1/math.Sqrt(n) + 9/n }},
		{3, "n^1 plus a term of twice that power", 1, func(n float64) float64 { return n + n*n/1e5 }},
		{4, "n^-0.25 plus a term 1/n", -0.25, func(n float64) float64 { return math.Pow(n, -0.25) + 20/n }},
		{5, "n^-0.5 with a factor log", -0.5, func(n float64) float64 { return math.Log(n) / math.Sqrt(n) }},
		{6, "n^-0.5 with a factor 1/log", -0.5, func(n float64) float64 { return 1 / math.Log(n) / math.Sqrt(n) }},
		{7, "(log/n)^0.5", -0.5, func(n float64) float64 { return math.Sqrt(math.Log(n) / n) }},
		{7, "(n log)^1.5", 1.5, func(n float64) float64 { return math.Pow(n*math.Log(n), 1.5) }},
	} {
		exact := FitCurve(sample(stream(1), 3, 0, tt.curve))
		m, ok := exact.fit(laws[tt.law], math.Inf(-1), math.Inf(1))
		if !ok || math.Abs(m.Exponent-tt.exponent) > 1e-5 || math.Abs(m.gap[0]) > 1e-7 {
			t.Errorf("%s: fit %v %v, gap %v", tt.want, ok, m.Exponent, m.gap)
		}
		if got := m.text("n", m.Exponent); got != tt.want {
			t.Errorf("it is called %q, want %q", got, tt.want)
		}
		noisy := FitCurve(sample(stream(2), 40, 0.002, tt.curve))
		if m, ok := noisy.fit(laws[tt.law], tt.exponent, tt.exponent); !ok || noisy.contradicts(m) {
			t.Errorf("%s with the right exponent is contradicted", tt.want)
		}
	}
}

// At which end a law follows its own exponent: a falling floor is left early, a
// growing overhead late; a shift late; a faster second term is left behind late
// where it falls, and takes over late where it grows.
func TestFollows(t *testing.T) {
	f := FitCurve(sample(stream(9), 3, 0, power(-0.5)))
	for _, tt := range []struct {
		law          int
		exponent     float64
		first, local float64 // the sign of u where it follows, and the slope in the middle
	}{{1, -0.5, -1, -0.25}, {1, 0.5, 1, 0.25}, {2, -0.5, 1, -0.25}, {2, 0.5, 1, 0.25}, {3, -0.5, 1, -0.75}, {3, 0.5, -1, 0.75}, {4, -0.5, 1, -0.75}} {
		// With parameter 0 both parts are equal in the middle; far away one rules.
		m := LawFit{law: laws[tt.law], Exponent: tt.exponent}
		if got := m.slopeAt(0, f.centre); math.Abs(got-tt.local) > 1e-6 {
			t.Errorf("law %d, exponent %g: slope %g in the middle, want %g", tt.law, tt.exponent, got, tt.local)
		}
		wide := f
		wide.LogX = []float64{-30, 0, 1}
		if got := wide.nears(m, 0.01); got != (tt.first < 0) {
			t.Errorf("law %d, exponent %g: follows at the first point: %v", tt.law, tt.exponent, got)
		}
		wide.LogX = []float64{-1, 0, 30}
		if got := wide.nears(m, 0.01); got != (tt.first > 0) {
			t.Errorf("law %d, exponent %g: follows at the last point: %v", tt.law, tt.exponent, got)
		}
	}
}
