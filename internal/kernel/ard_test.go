package kernel

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// scalesOf are D length scales that differ by up to a factor of 8.
func scalesOf(d int) []float64 {
	scales := make([]float64, d)
	for j := range scales {
		scales[j] = 0.6 * float64(1+j*3%8)
	}
	return scales
}

// TestLengthscales: values are the kernel's at divided points, one coordinate at a time, and
// as good as a division: a point at 1e6 length scales is moved by 1e-10 of one, and no kernel
// moves by more than that.
func TestLengthscales(t *testing.T) {
	for _, d := range []int{1, 3, 9} {
		scales := scalesOf(d)
		for _, l := range []string{"about the origin", "mean 1e6"} {
			x := layout(l, 21, 257, d)
			for _, k := range instances(1) {
				of, ok := k.kernel.(ShiftInvariant)
				if !ok {
					continue
				}
				scaled := func(x []float64) []float64 {
					y := make([]float64, d)
					for j := range x {
						y[j] = x[j] / scales[j]
					}
					return y
				}
				ard := instance{k.entry, ARD{of, scales}, func(x, y []float64) float64 { return k.definition(scaled(x), scaled(y)) }, func(x, y []float64) float64 {
					return 1 + 1e-6*(math.Sqrt(inner(scaled(x), scaled(x)))+math.Sqrt(inner(scaled(y), scaled(y))))
				}}
				checkMatrices(t, ard, x)
				checkPSD(t, fmt.Sprint(ard.kernel), Gram(ard.kernel, x))
			}
		}
	}
}

// TestLengthscalesHaveFeatures: frequencies that were not divided, or multiplied, would be
// off by far more than maxZ.
func TestLengthscalesHaveFeatures(t *testing.T) {
	for i, k := range spectral {
		for _, d := range []int{1, 3} {
			ard := ARD{k, scalesOf(d)}
			seed := uint64(161 + i)
			if z := fourierDeviation(ard, NewFourier(ard, manyFeatures, d, newRand(seed)), shifts(d)); z > maxZ {
				t.Errorf("%s, D = %d: %.1f standard errors", ard, d, z)
			}
			if z := fourierDeviation(ard, NewFourier(k, manyFeatures, d, newRand(seed)), shifts(d)); z < 2*maxZ {
				t.Errorf("%s, D = %d: undivided frequencies, yet only %.1f standard errors", ard, d, z)
			}
		}
	}
}

// TestEqualLengthscalesAreSigma: D equal length scales are that sigma, in both forms of a
// Gaussian.
func TestEqualLengthscalesAreSigma(t *testing.T) {
	x := normalPoints(newRand(22), 20, 2)
	for use, keys := range map[string]string{"gaussian": ", form: sigma-squared", "laplace": "", "matern": ", nu: 5/2", "cauchy": "", "rational-quadratic": ", alpha: 0.5"} {
		narrow := must(build(t, use, "{sigma: 0.5"+keys+"}", spread{}))
		ard := must(build(t, use, "{lengthscales: [0.5, 0.5]"+keys+"}", spread{}))
		if !mat.EqualApprox(Gram(narrow, x), Gram(ard, x), 1e-14) { // a few roundings of 1
			t.Errorf("%s and %s differ", ard, narrow)
		}
	}
}
