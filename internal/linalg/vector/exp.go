package vector

import (
	"math"
	"runtime"
)

// fusedInHardware says that math.FMA is one instruction, so that the portable
// code can afford the arithmetic of the assembly and gives its bits.
const fusedInHardware = runtime.GOARCH == "arm64" || runtime.GOARCH == "ppc64le" ||
	runtime.GOARCH == "riscv64" || runtime.GOARCH == "s390x" || runtime.GOARCH == "loong64"

// mathExpOverflow is where math.Exp in assembly is +Inf too early: at 709.7,
// while exp(709.78) is still finite.
const mathExpOverflow = 709

// ExpScaled is dst[i] = exp(scale·x[i]), the product being rounded once. dst may be x
// itself; it must not overlap it otherwise. It panics if the lengths differ.
//
// The error is below 1.1 ulp, and below 2 ulp where math.Exp computes (no fused
// multiply-add), for every product, results below the normal range included;
// exp(−Inf) = 0, what exceeds the largest float64 is +Inf, and NaN
// gives NaN. An element's result does not depend on where it stands in the
// slice or on the slice's length.
func ExpScaled(dst, x []float64, scale float64) {
	if len(dst) != len(x) {
		panic(badLength)
	}
	expScaled(dst, x, scale)
}

func expPortable(dst, x []float64, scale float64) {
	if fusedInHardware {
		for i, v := range x {
			dst[i] = expFused(v, scale)
		}
		return
	}
	for i, v := range x {
		if scale*v > mathExpOverflow {
			dst[i] = expFused(v, scale)
		} else {
			dst[i] = math.Exp(scale * v)
		}
	}
}

// expFused is the arithmetic of one lane of the assembly.
func expFused(x, scale float64) float64 {
	v := scale * x
	if v > expHighest {
		v = expHighest
	} else if v < expLowest {
		v = expLowest
	}
	// v = k·ln 2 + r, |r| ≤ ln 2/2. The first FMA is exact.
	shifted := math.FMA(v, log2E, roundingShift)
	k := shifted - roundingShift
	r := math.FMA(-k, ln2Low, math.FMA(-k, ln2High, v))
	p := expPolynomial[len(expPolynomial)-1]
	for i := len(expPolynomial) - 2; i >= 0; i-- {
		p = math.FMA(p, r, expPolynomial[i])
	}
	square := r * r
	p = 1 + math.FMA(square, p, r)
	// 2^k in two factors, neither of which over- or underflows by itself.
	first := math.FMA(k, 0.5, roundingShift)
	second := k - (first - roundingShift) + roundingShift
	return p * powerOf2(first) * powerOf2(second)
}

// powerOf2 is 2^k for shifted = k + roundingShift.
func powerOf2(shifted float64) float64 {
	return math.Float64frombits(math.Float64bits(shifted)<<52 + math.Float64bits(1))
}
