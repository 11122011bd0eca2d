package powerlaw

import (
	"math"
	"testing"
)

// A parabola in log-log axes is found again: its mean slope, its bend and its slopes at both ends.
func TestFitFindsAParabola(t *testing.T) {
	c := Curve{X: []float64{250, 500, 1000, 2000, 4000}}
	for _, level := range []float64{1, 3, 7} {
		row := make([]float64, len(c.X))
		for k, x := range c.X {
			u := math.Log(x / 1000)
			row[k] = level * math.Exp(-0.5*u+0.1*u*u)
		}
		c.Y = append(c.Y, row)
	}
	f := FitCurve(c)
	first, last := f.Ends()
	reach := math.Log(4)
	for r := range c.Y {
		for name, got := range map[string][2]float64{"slope": {f.Slopes[r], -0.5}, "bend": {f.Curves[r], 0.1}, "first": {first[r], -0.5 - 0.2*reach}, "last": {last[r], -0.5 + 0.2*reach},
			"step": {f.Steps[0][r], -0.5 + 0.1*(-3*math.Ln2)}} {
			if math.Abs(got[0]-got[1]) > 1e-9 {
				t.Errorf("repeat %d: %s %v, want %v", r, name, got[0], got[1])
			}
		}
	}
	if !f.Bends(0.01) {
		t.Error("the bend is not seen")
	}
}

// A floor whose sizes are rounded scatters about a power, and so does what lies on it: with the
// floor beside it the points do not bend.
func TestFitTakesRoundingOut(t *testing.T) {
	c := Curve{X: []float64{250, 500, 1000, 2000, 4000}}
	for _, x := range c.X {
		c.Floor = append(c.Floor, 1/math.Ceil(math.Pow(x, 0.3)))
	}
	c.Y = [][]float64{c.Floor, c.Floor, c.Floor}
	if f := FitCurve(c); f.Bends(0.01) || math.Abs(f.Steps[1][0]-f.Slope) > 1e-9 {
		t.Errorf("curvature %v, step %v beside the slope %v", f.Curves, f.Steps[1], f.Slope)
	}
	c.Floor = nil
	if !FitCurve(c).Bends(0.01) {
		t.Error("without the floor nothing tells the bend from that of the quantity")
	}
}
