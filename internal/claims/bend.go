package claims

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

const (
	// bendLevel is the confidence at which a curvature counts as a bend. It is
	// lower than that of a violation, so that doubt is settled against a verdict.
	bendLevel = 0.95
	// bendReach is how far, in units of the fitted range on the log axis, a bend
	// is followed beyond the last point when asking whether it would bring the
	// slope into the band: once more the range covered.
	bendReach = 1.0
	// noiseFloor is the fraction of a quantity's scale below which it is taken
	// for rounding: some thousand units in the last place, as sums over
	// thousands of terms leave them.
	noiseFloor = 1000 * 0x1p-52
)

// powerFit is a straight line and a parabola through log y against log x, per
// repeat.
type powerFit struct {
	lx      []float64 // K, centred
	square  []float64 // K, lx² made orthogonal to lx and 1: lx² - tilt·lx - const
	tilt    float64
	centre  float64
	mean    []float64 // K, mean of log y over repeats
	slopes  []float64 // R
	curves  []float64 // R, coefficients of square
	level   float64   // mean of mean
	slope   float64   // mean of slopes
	bending estimate  // of curves against "= 0"
	plain   float64   // mean curvature with the floor's deviations in it

	violated float64 // the p below which a law contradicts the points

	floorSlope       float64 // of the exact floor, where it is known
	slopeUncertainty float64 // by how much rounding of sizes may move slope, see fitFloor
}

// fitPower fits each repeat of c, whose values are positive and whose positions
// are at least 3. Where the exact floor is known, its deviations from a straight
// line are taken out of the curvature; the slope does not depend on them.
// Cost: O(R·K).
func fitPower(c curve) powerFit {
	f := powerFit{violated: violatedP}
	var ly [][]float64
	var lx []float64
	lx, f.centre, ly = c.logs()
	f.setPositions(lx)
	f.mean = make([]float64, len(f.lx))
	floorResidual := f.fitFloor(c)
	for _, row := range ly {
		slope, _ := f.project(row)
		_, curvature := f.project(floats.SubTo(make([]float64, len(row)), row, floorResidual))
		f.slopes, f.curves = append(f.slopes, slope), append(f.curves, curvature)
		floats.AddScaled(f.mean, 1/float64(len(ly)), row)
	}
	_, f.plain = f.project(f.mean)
	f.level, f.slope = stat.Mean(f.mean, nil), stat.Mean(f.slopes, nil)
	f.bending = estimateOf(meanTest{band{relation: "=", slack: roundingSlack}, bendLevel}, f.curves, 0, violatedP)
	return f
}

// project is the least-squares slope of y and the coefficient of the parabola's
// part orthogonal to the line.
func (f powerFit) project(y []float64) (slope, curvature float64) {
	return floats.Dot(f.lx, y) / floats.Dot(f.lx, f.lx), floats.Dot(f.square, y) / floats.Dot(f.square, f.square)
}

// setPositions sets what depends on the positions alone, which are centred here
// if they are not.
func (f *powerFit) setPositions(lx []float64) {
	f.lx = slices.Clone(lx)
	floats.AddConst(-stat.Mean(lx, nil), f.lx)
	f.square = make([]float64, len(f.lx))
	floats.MulTo(f.square, f.lx, f.lx)
	f.tilt = floats.Dot(f.square, f.lx) / floats.Dot(f.lx, f.lx)
	floats.AddConst(-stat.Mean(f.square, nil), f.square)
	floats.AddScaled(f.square, -f.tilt, f.lx)
}

// fitFloor looks at the exact floor. Sizes such as ell = ceil(n^a) are whole
// numbers, so a floor that should be a power scatters about it, and the measured
// quantity with it, in so far as it consists of the floor. fitFloor returns that
// part of the deviations from a straight line, which is no bend, and sets
// slopeUncertainty to the part of two standard errors of the floor's own slope. A
// floor that bends by far more than its points scatter about a parabola is no power:
// its bend stays in the curvature.
func (f *powerFit) fitFloor(c curve) (floorResidual []float64) {
	floorResidual = make([]float64, len(f.lx))
	if c.floor == nil {
		return floorResidual
	}
	y := c.withoutFactor(c.floor)
	f.floorSlope, _ = f.project(y)
	floats.AddConst(-stat.Mean(y, nil), y)
	floats.AddScaledTo(floorResidual, y, -f.floorSlope, f.lx)
	freedom := float64(f.leaveBend(floorResidual))
	share := 0.0
	for _, row := range c.y {
		for k, v := range row {
			share += math.Min(1, c.floor[k]/v) / float64(len(c.y)*len(row))
		}
	}
	floats.Scale(share, floorResidual)
	f.slopeUncertainty = 2 * math.Sqrt(floats.Dot(floorResidual, floorResidual)/freedom/floats.Dot(f.lx, f.lx))
	return floorResidual
}

// leaveBend takes the parabola out of residuals of a straight line where a t test finds
// one in them, and returns their degrees of freedom. Five sizes or fewer can lie on a
// parabola by their rounding, such as ell = 4, 5, 6, 7, 8, so of these none is believed.
func (f *powerFit) leaveBend(residual []float64) (freedom int) {
	freedom = len(residual) - 3
	if freedom < 3 {
		return freedom + 1
	}
	_, curvature := f.project(residual)
	scatter := floats.AddScaledTo(make([]float64, len(residual)), residual, -curvature, f.square)
	sd := math.Sqrt(floats.Dot(scatter, scatter) / float64(freedom) / floats.Dot(f.square, f.square))
	if math.Abs(curvature) > tQuantile(1-violatedP/2, freedom)*sd {
		copy(residual, scatter)
		return freedom
	}
	return freedom + 1
}

// bent says that the curvature is significantly different from zero at bendLevel.
func (f powerFit) bent() bool { return f.bending.p < 1-bendLevel }

// slopeAt is the parabola's mean slope at centred log position u.
func (f powerFit) slopeAt(u float64) float64 {
	return f.slope + f.bending.mean*(2*u-f.tilt)
}

func (f powerFit) first() float64 { return f.lx[0] }
func (f powerFit) last() float64  { return f.lx[len(f.lx)-1] }
func (f powerFit) span() float64  { return f.last() - f.first() }

// turned says that the points bend one way, and the other way once the floor's deviations
// are taken out: then neither curvature tells where the slope goes.
func (f powerFit) turned() bool { return f.plain*f.bending.mean < 0 }

// leadsIn says that the bend brings a slope that lies outside b back to b, at
// the last point or within bendReach beyond it.
func (f powerFit) leadsIn(b band) bool {
	if !f.bent() || f.turned() {
		return false
	}
	reached := f.slopeAt(f.last() + bendReach*f.span())
	switch {
	case f.slope > b.high():
		return reached <= b.high()
	case f.slope < b.low():
		return reached >= b.low()
	}
	return false
}

// bendReaches is the size where the bend of leadsIn brings the slope into b.
func (f powerFit) bendReaches(b band) float64 {
	return math.Exp(f.centre + bisect(f.tilt/2, f.last()+bendReach*f.span(), func(u float64) bool { return b.excess(f.slopeAt(u)) <= 0 }))
}

// leadsOut says that the bend has taken a slope that lies in b out of it by the
// last point.
func (f powerFit) leadsOut(b band) bool {
	return f.bent() && b.excess(f.slopeAt(f.last())) > 0
}

// atRounding lists the positions where the quantity is no larger than what
// rounding leaves of it.
func (c curve) atRounding(scale float64) []float64 {
	var at []float64
	for k, x := range c.x {
		total := 0.0
		for _, row := range c.y {
			total += math.Abs(row[k])
		}
		if total <= noiseFloor*scale*float64(len(c.y)) {
			at = append(at, x)
		}
	}
	return at
}
