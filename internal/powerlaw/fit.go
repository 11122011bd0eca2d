package powerlaw

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"mercer/internal/inference"
)

const (
	// bendLevel is the confidence at which a curvature counts as a bend. It is
	// lower than that of a violation, so that doubt is settled against a verdict.
	bendLevel = 0.95
	// bendReach is how far, in units of the fitted range on the log axis, a bend
	// is followed beyond the last point when asking whether it would bring the
	// slope into the band: once more the range covered.
	bendReach = 1.0
)

// Fit is a straight line and a parabola through log y against log x, per
// repeat.
type Fit struct {
	LogX    []float64 // K, centred
	square  []float64 // K, lx² made orthogonal to lx and 1: lx² - tilt·lx - const
	tilt    float64
	centre  float64
	Mean    []float64          // K, mean of log y over repeats
	Slopes  []float64          // R
	Steps   [][]float64        // K-1 × R, slopes from each position to the next, less the floor's deviations
	Curves  []float64          // R, coefficients of square
	Level   float64            // mean of mean
	Slope   float64            // mean of slopes
	Bending inference.Estimate // of curves against "= 0"
	plain   float64            // mean curvature with the floor's deviations in it

	Violated float64 // the p below which a law contradicts the points

	FloorSlope       float64 // of the exact floor, where it is known
	SlopeUncertainty float64 // by how much rounding of sizes may move slope, see fitFloor
}

// FitCurve fits each repeat of c, whose values are positive and whose positions
// are at least 3. Where the exact floor is known, its deviations from a straight
// line are taken out of the curvature; the slope does not depend on them.
// Cost: O(R·K).
func FitCurve(c Curve) Fit {
	f := Fit{Violated: inference.ViolatedP}
	var ly [][]float64
	var lx []float64
	lx, f.centre, ly = c.logs()
	f.setPositions(lx)
	f.Mean, f.Steps = make([]float64, len(f.LogX)), make([][]float64, len(f.LogX)-1)
	floorResidual := f.fitFloor(c)
	for _, row := range ly {
		slope, _ := f.project(row)
		own := floats.SubTo(make([]float64, len(row)), row, floorResidual)
		_, curvature := f.project(own)
		f.Slopes, f.Curves = append(f.Slopes, slope), append(f.Curves, curvature)
		for k := range f.Steps {
			f.Steps[k] = append(f.Steps[k], (own[k+1]-own[k])/(f.LogX[k+1]-f.LogX[k]))
		}
		floats.AddScaled(f.Mean, 1/float64(len(ly)), row)
	}
	_, f.plain = f.project(f.Mean)
	f.Level, f.Slope = stat.Mean(f.Mean, nil), stat.Mean(f.Slopes, nil)
	f.Bending = inference.MeanTest{Band: inference.Band{Relation: "=", Slack: inference.RoundingSlack}, Level: bendLevel}.Estimate(f.Curves)
	return f
}

// project is the least-squares slope of y and the coefficient of the parabola's
// part orthogonal to the line.
func (f Fit) project(y []float64) (slope, curvature float64) {
	return floats.Dot(f.LogX, y) / floats.Dot(f.LogX, f.LogX), floats.Dot(f.square, y) / floats.Dot(f.square, f.square)
}

// setPositions sets what depends on the positions alone, which are centred here
// if they are not.
func (f *Fit) setPositions(lx []float64) {
	f.LogX = slices.Clone(lx)
	floats.AddConst(-stat.Mean(lx, nil), f.LogX)
	f.square = make([]float64, len(f.LogX))
	floats.MulTo(f.square, f.LogX, f.LogX)
	f.tilt = floats.Dot(f.square, f.LogX) / floats.Dot(f.LogX, f.LogX)
	floats.AddConst(-stat.Mean(f.square, nil), f.square)
	floats.AddScaled(f.square, -f.tilt, f.LogX)
}

// fitFloor looks at the exact floor. Sizes such as ell = ceil(n^a) are whole
// numbers, so a floor that should be a power scatters about it, and the measured
// quantity with it, in so far as it consists of the floor. fitFloor returns that
// part of the deviations from a straight line, which is no bend, and sets
// SlopeUncertainty to the part of two standard errors of the floor's own slope. A
// floor that bends by far more than its points scatter about a parabola is no power:
// its bend stays in the curvature.
func (f *Fit) fitFloor(c Curve) (floorResidual []float64) {
	floorResidual = make([]float64, len(f.LogX))
	if c.Floor == nil {
		return floorResidual
	}
	y := c.withoutFactor(c.Floor)
	f.FloorSlope, _ = f.project(y)
	floats.AddConst(-stat.Mean(y, nil), y)
	floats.AddScaledTo(floorResidual, y, -f.FloorSlope, f.LogX)
	freedom := float64(f.leaveBend(floorResidual))
	share := 0.0
	for _, row := range c.Y {
		for k, v := range row {
			share += math.Min(1, c.Floor[k]/v) / float64(len(c.Y)*len(row))
		}
	}
	floats.Scale(share, floorResidual)
	f.SlopeUncertainty = 2 * math.Sqrt(floats.Dot(floorResidual, floorResidual)/freedom/floats.Dot(f.LogX, f.LogX))
	return floorResidual
}

// leaveBend takes the parabola out of residuals of a straight line where a t test finds
// one in them, and returns their degrees of freedom. Five sizes or fewer can lie on a
// parabola by their rounding, such as ell = 4, 5, 6, 7, 8, so of these none is believed.
func (f *Fit) leaveBend(residual []float64) (freedom int) {
	freedom = len(residual) - 3
	if freedom < 3 {
		return freedom + 1
	}
	_, curvature := f.project(residual)
	scatter := floats.AddScaledTo(make([]float64, len(residual)), residual, -curvature, f.square)
	sd := math.Sqrt(floats.Dot(scatter, scatter) / float64(freedom) / floats.Dot(f.square, f.square))
	if math.Abs(curvature) > inference.TQuantile(1-inference.ViolatedP/2, freedom)*sd {
		copy(residual, scatter)
		return freedom
	}
	return freedom + 1
}

// bent says that the curvature is significantly different from zero at bendLevel.
func (f Fit) bent() bool { return f.Bending.P < 1-bendLevel }

// SlopesAt are the parabolas' slopes at centred log position u, by repeat.
func (f Fit) SlopesAt(u float64) []float64 {
	slopes := make([]float64, len(f.Slopes))
	for r := range slopes {
		slopes[r] = f.Slopes[r] + f.Curves[r]*(2*u-f.tilt)
	}
	return slopes
}

// SlopeAt is the parabola's mean slope at centred log position u.
func (f Fit) SlopeAt(u float64) float64 {
	return f.Slope + f.Bending.Mean*(2*u-f.tilt)
}

func (f Fit) First() float64 { return f.LogX[0] }

func (f Fit) Last() float64 { return f.LogX[len(f.LogX)-1] }

func (f Fit) span() float64 { return f.Last() - f.First() }

// turned says that the points bend one way, and the other way once the floor's deviations
// are taken out: then neither curvature tells where the slope goes.
func (f Fit) turned() bool { return f.plain*f.Bending.Mean < 0 }

// BendsAsRounded says that at least half of the points' bend is that of the exact floor, which
// rounded sizes bend.
func (f Fit) BendsAsRounded() bool {
	rounded := f.plain - f.Bending.Mean
	return rounded*f.plain > 0 && math.Abs(rounded) >= math.Abs(f.plain)/2
}

// LeadsIn says that the bend brings a slope that lies outside b back to b, at
// the last point or within bendReach beyond it.
func (f Fit) LeadsIn(b inference.Band) bool {
	if !f.bent() || f.turned() {
		return false
	}
	reached := f.SlopeAt(f.Last() + bendReach*f.span())
	switch {
	case f.Slope > b.High():
		return reached <= b.High()
	case f.Slope < b.Low():
		return reached >= b.Low()
	}
	return false
}

// BendReaches is the size where the bend of LeadsIn brings the slope into b.
func (f Fit) BendReaches(b inference.Band) float64 {
	return math.Exp(f.centre + inference.Bisect(f.tilt/2, f.Last()+bendReach*f.span(), func(u float64) bool { return b.Excess(f.SlopeAt(u)) <= 0 }))
}

// LeadsOut says that the bend has taken a slope that lies in b out of it by the
// last point.
func (f Fit) LeadsOut(b inference.Band) bool {
	return f.bent() && b.Excess(f.SlopeAt(f.Last())) > 0
}
