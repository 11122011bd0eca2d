package vector

import "math"

// Sincos is sin[i], cos[i] = sin(x[i]), cos(x[i]). sin or cos may be x itself;
// the slices must not overlap otherwise. Sincos panics if the lengths differ.
//
// For |x| ≤ 2³⁰ the relative error is below 2 ulp, next to zeros of the
// functions too: x is reduced by π/2 in three parts of 53 bits with fused
// multiply-adds, the first of which is exact. Larger arguments go through
// math.Sincos, element by element; ±Inf and NaN give NaN. An element's results
// do not depend on where it stands in the slice or on the slice's length.
func Sincos(sin, cos, x []float64) {
	if len(sin) != len(x) || len(cos) != len(x) {
		panic(badLength)
	}
	for len(x) > 0 {
		done := len(x) - sincos(sin, cos, x)
		sin, cos, x = sin[done:], cos[done:], x[done:]
		rest := min(len(x), 8)
		for i, v := range x[:rest] {
			if math.Abs(v) <= sincosLimit {
				sincos(sin[i:i+1], cos[i:i+1], x[i:i+1])
			} else {
				sin[i], cos[i] = math.Sincos(v)
			}
		}
		sin, cos, x = sin[rest:], cos[rest:], x[rest:]
	}
}

func sincosPortable(sin, cos, x []float64) int {
	for i, v := range x {
		if !fusedInHardware {
			sin[i], cos[i] = math.Sincos(v)
			continue
		}
		if !(math.Abs(v) <= sincosLimit) {
			return len(x) - i
		}
		sin[i], cos[i] = sincosFused(v)
	}
	return 0
}

// sincosFused is the arithmetic of one lane of the assembly, for
// |x| ≤ sincosLimit.
func sincosFused(x float64) (sin, cos float64) {
	r := math.Abs(x)
	quadrant := math.FMA(r, twoOverPi, roundingShift)
	k := quadrant - roundingShift
	r = math.FMA(-k, halfPi1, r)
	r = math.FMA(-k, halfPi2, r)
	r = math.FMA(-k, halfPi3, r)
	z := r * r
	cube := z * r
	s := math.FMA(cube, horner(&sinPolynomial, z), r)
	w := math.FMA(-0.5, z, 1)
	rest := math.FMA(-0.5, z, 1-w) // what rounding w lost
	square := z * z
	c := w + math.FMA(square, horner(&cosPolynomial, z), rest)

	const signBit = 1 << 63
	n := math.Float64bits(quadrant)
	if n&1 != 0 {
		s, c = c, s
	}
	s = math.Float64frombits(math.Float64bits(s) ^ n<<62&signBit ^ math.Float64bits(x)&signBit)
	c = math.Float64frombits(math.Float64bits(c) ^ (n<<62^n<<63)&signBit)
	return s, c
}

func horner(c *[6]float64, x float64) float64 {
	p := c[5]
	for i := 4; i >= 0; i-- {
		p = math.FMA(p, x, c[i])
	}
	return p
}
