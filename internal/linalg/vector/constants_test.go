package vector

import (
	"math"
	"math/big"
	"slices"
	"testing"
)

// TestConstants derives the numbers of constants.go: those of mathematics to 400 bits, and
// polynomials by interpolation.
func TestConstants(t *testing.T) {
	ln2, pi := exactLn2(), exactPi()
	high, _ := ln2.Float64()
	low, _ := new(big.Float).Sub(ln2, number(high)).Float64()
	log2e, _ := new(big.Float).Quo(number(1), ln2).Float64()
	half := new(big.Float).Quo(pi, number(2))
	overHalfPi, _ := new(big.Float).Quo(number(1), half).Float64()
	var parts [3]float64
	rest := half
	for i := range parts {
		cut := new(big.Float).SetPrec(53).SetMode(big.ToZero).Set(rest)
		parts[i], _ = cut.Float64()
		rest = new(big.Float).SetPrec(precision).Sub(rest, cut)
	}
	// |r| ≤ ln 2/2 and r² ≤ (π/4)², and a little more for the rounding of the
	// quotient.
	const slack = 1.0001
	a, b := slack*math.Ln2/2, slack*math.Pi*math.Pi/16
	for _, c := range []struct {
		name      string
		got, want []float64
	}{
		{"ln 2 and 1/ln 2", []float64{ln2High, ln2Low, log2E}, []float64{high, low, log2e}},
		{"π/2 and 2/π", []float64{halfPi1, halfPi2, halfPi3, twoOverPi}, append(parts[:], overHalfPi)},
		{"exp", expPolynomial[:], interpolate(9, -a, a, func(j int) *big.Float { return inverseFactorial(j+2, 1) })},
		{"sin", sinPolynomial[:], interpolate(5, 0, b, func(j int) *big.Float { return inverseFactorial(2*j+3, 1-2*((j+1)%2)) })},
		{"cos", cosPolynomial[:], interpolate(5, 0, b, func(j int) *big.Float { return inverseFactorial(2*j+4, 1-2*(j%2)) })},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: %x, want %x", c.name, c.got, c.want)
		}
	}
}

// precision is the number of bits in which constants are computed; the
// interpolation loses a few dozen of them.
const precision = 400

func number(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

// exactLn2 is Σ 1/(k·2^k).
func exactLn2() *big.Float {
	sum, power := number(0), number(1)
	for k := 1; k < precision; k++ {
		power = new(big.Float).Quo(power, number(2))
		sum.Add(sum, new(big.Float).Quo(power, number(float64(k))))
	}
	return sum
}

// exactPi is 16·atan(1/5) − 4·atan(1/239).
func exactPi() *big.Float {
	atan := func(inverse float64) *big.Float {
		sum, power := number(0), new(big.Float).Quo(number(1), number(inverse))
		for k := 1; k < precision; k += 2 {
			sum.Add(sum, new(big.Float).Quo(power, number(float64(k))))
			power.Quo(power, number(-inverse*inverse))
		}
		return sum
	}
	p := new(big.Float).Mul(number(16), atan(5))
	return p.Sub(p, new(big.Float).Mul(number(4), atan(239)))
}

// inverseFactorial is sign/n!.
func inverseFactorial(n, sign int) *big.Float {
	f := number(float64(sign))
	for i := 2; i <= n; i++ {
		f.Quo(f, number(float64(i)))
	}
	return f
}

// interpolate returns the coefficients, in ascending powers, of the polynomial
// of the given degree that equals Σ taylor(j)·xʲ at the Chebyshev nodes of
// [low, high]; its error is within a small factor of the best possible.
func interpolate(degree int, low, high float64, taylor func(j int) *big.Float) []float64 {
	x, f := make([]*big.Float, degree+1), make([]*big.Float, degree+1)
	for i := range x {
		node := math.Cos(math.Pi * (float64(i) + 0.5) / float64(degree+1))
		x[i], f[i] = number(low+(high-low)*(node+1)/2), number(0)
		for j := 60; j >= 0; j-- {
			f[i].Add(f[i].Mul(f[i], x[i]), taylor(j))
		}
	}
	for k := 1; k <= degree; k++ { // divided differences in place
		for i := degree; i >= k; i-- {
			f[i].Quo(f[i].Sub(f[i], f[i-1]), new(big.Float).Sub(x[i], x[i-k]))
		}
	}
	c := make([]*big.Float, degree+1)
	for i := range c {
		c[i] = number(0)
	}
	for k := degree; k >= 0; k-- { // c ← c·(x − x[k]) + f[k]
		for i := degree; i > 0; i-- {
			c[i].Sub(c[i-1], new(big.Float).Mul(c[i], x[k]))
		}
		c[0].Sub(f[k], new(big.Float).Mul(c[0], x[k]))
	}
	rounded := make([]float64, degree+1)
	for i := range c {
		rounded[i], _ = c[i].Float64()
	}
	return rounded
}
