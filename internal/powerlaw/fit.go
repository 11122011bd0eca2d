package powerlaw

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"mercer/internal/inference"
	"mercer/internal/lists"
)

// Curve is a quantity along a variable: K positions, R repeats.
type Curve struct {
	X     []float64   // K, rising
	Y     [][]float64 // R×K
	Floor []float64   // K, geometric mean of the quantity's floor; nil where it is not known
}

// Fit is a straight line and a parabola through log y against log x, per
// repeat.
type Fit struct {
	LogX   []float64   // K, centred
	Mean   []float64   // K, mean of log y over repeats
	Level  float64     // mean of Mean
	Slope  float64     // mean of Slopes
	Slopes []float64   // R
	Curves []float64   // R, coefficients of square
	Steps  [][]float64 // K-1 × R, slopes from each position to the next

	square []float64 // K, lx² made orthogonal to lx and 1: lx² - tilt·lx - const
	tilt   float64
}

// FitCurve fits each repeat of c, whose values are positive and whose positions
// are at least 3. Where the exact floor is known, its deviations from a straight
// line are taken out of curvature and steps; the slope does not depend on them.
// Cost: O(R·K).
func FitCurve(c Curve) Fit {
	f := newFit(c.X)
	rounding := f.rounding(c)
	f.Mean, f.Steps = make([]float64, len(c.X)), make([][]float64, len(c.X)-1)
	for _, values := range c.Y {
		y := lists.Map(values, math.Log)
		slope, _ := f.project(y)
		floats.AddScaled(f.Mean, 1/float64(len(c.Y)), y)

		floats.Sub(y, rounding)
		_, curvature := f.project(y)
		f.Slopes, f.Curves = append(f.Slopes, slope), append(f.Curves, curvature)
		for k := range f.Steps {
			f.Steps[k] = append(f.Steps[k], (y[k+1]-y[k])/(f.LogX[k+1]-f.LogX[k]))
		}
	}
	f.Level, f.Slope = stat.Mean(f.Mean, nil), stat.Mean(f.Slopes, nil)
	return f
}

// newFit has what depends on the positions alone.
func newFit(x []float64) Fit {
	f := Fit{LogX: lists.Map(x, math.Log)}
	center(f.LogX)
	center(f.LogX) // the first time leaves the rounding error of a mean far from 0
	f.square = floats.MulTo(make([]float64, len(x)), f.LogX, f.LogX)
	f.tilt = floats.Dot(f.square, f.LogX) / floats.Dot(f.LogX, f.LogX)
	center(f.square)
	floats.AddScaled(f.square, -f.tilt, f.LogX)
	return f
}

func center(values []float64) { floats.AddConst(-stat.Mean(values, nil), values) }

// project is the least-squares slope of y and the coefficient of the parabola's
// part orthogonal to the line.
func (f Fit) project(y []float64) (slope, curvature float64) {
	return floats.Dot(f.LogX, y) / floats.Dot(f.LogX, f.LogX), floats.Dot(f.square, y) / floats.Dot(f.square, f.square)
}

// OfFloor is the slope of the floor over the positions; false without a floor that has one.
func (f Fit) OfFloor(c Curve) (slope float64, known bool) {
	if c.Floor == nil {
		return 0, false
	}
	slope, _ = f.project(lists.Map(c.Floor, math.Log))
	return slope, !math.IsNaN(slope) && !math.IsInf(slope, 0)
}

// rounding is what rounded sizes do to log y, K; 0 without a floor. Sizes such as
// ell = ceil(n^a) are whole numbers, so a floor that should be a power scatters about it, and
// the measured quantity with it, in so far as it consists of the floor.
func (f Fit) rounding(c Curve) []float64 {
	deviations := make([]float64, len(c.X))
	if c.Floor == nil {
		return deviations
	}
	y := lists.Map(c.Floor, math.Log)
	slope, _ := f.project(y)
	center(y)
	floats.AddScaledTo(deviations, y, -slope, f.LogX)

	share := 0.0
	for _, row := range c.Y {
		for k, v := range row {
			share += math.Min(1, c.Floor[k]/v) / float64(len(c.Y)*len(row))
		}
	}
	floats.Scale(share, deviations)
	return deviations
}

// Bends says that the points contradict a power of any exponent, with p below alpha.
func (f Fit) Bends(alpha float64) bool {
	return math.Abs(stat.Mean(f.Curves, nil)) > inference.HalfWidth(f.Curves, 1-alpha)
}

// Ends are the slopes of the parabolas at the first and the last position, by repeat.
func (f Fit) Ends() (first, last []float64) {
	return f.slopesAt(f.LogX[0]), f.slopesAt(f.LogX[len(f.LogX)-1])
}

func (f Fit) slopesAt(u float64) []float64 {
	slopes := make([]float64, len(f.Slopes))
	for r := range slopes {
		slopes[r] = f.Slopes[r] + f.Curves[r]*(2*u-f.tilt)
	}
	return slopes
}
