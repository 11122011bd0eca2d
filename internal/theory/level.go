package theory

import (
	"fmt"
	"math"
)

// minimum is the least value of f on [low, high]: by a grid of 256 points, even on
// a logarithmic axis, and a golden-section search between the neighbours of the
// best. Any t of the range gives a valid bound; a local minimum narrower than the
// grid, of ratio (high/low)^(1/255), may be missed.
func minimum(f func(t float64) (float64, error), low, high float64) (value float64, err error) {
	const points = 256
	at := func(i float64) float64 { // i = 0 … points−1
		return min(max(low*math.Pow(high/low, i/(points-1)), low), high)
	}
	value = math.Inf(1)
	best := 0.0
	try := func(i float64) float64 {
		v, failed := f(at(i))
		if failed != nil && err == nil {
			err = failed
		}
		if v < value {
			value, best = v, i
		}
		return v
	}
	for i := range points {
		try(float64(i))
	}
	ratio := (math.Sqrt(5) - 1) / 2
	left, right := max(best-1, 0), min(best+1, points-1)
	x, y := right-ratio*(right-left), left+ratio*(right-left)
	for fx, fy := try(x), try(y); right-left > 1e-7; {
		if fx < fy {
			right, y, fy = y, x, fx
			x = right - ratio*(right-left)
			fx = try(x)
		} else {
			left, x, fx = x, y, fy
			y = left + ratio*(right-left)
			fy = try(y)
		}
	}
	if err == nil && math.IsInf(value, 1) {
		err = fmt.Errorf("the bound is infinite for all t from %g to %g", low, high)
	}
	return value, err
}
