package vector

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSincosAccuracy compares two million arguments, some of them the floats
// next to multiples of π/2, with a reference of 100 bits. The portable path
// without hardware FMA is math.Sincos and is held to an absolute bound.
func TestSincosAccuracy(t *testing.T) {
	s := newSeries()
	every(t, func(t *testing.T) {
		for _, span := range []float64{0.8, 7, 1e3, 1e5, sincosLimit} {
			rng := rand.New(rand.NewPCG(19, 23))
			n := 1 << 12
			x, sin, cos := make([]float64, n), make([]float64, n), make([]float64, n)
			worst, at := 0.0, 0.0
			for range count(100) {
				for i := range x {
					x[i] = span * (2*rng.Float64() - 1)
					if i%4 == 0 {
						x[i] = math.Round(x[i]/(math.Pi/2)) * (math.Pi / 2)
					}
				}
				Sincos(sin, cos, x)
				for i, v := range x {
					wantSin, wantCos := s.sincos(v)
					for _, e := range []float64{distance(sin[i], wantSin), distance(cos[i], wantCos)} {
						if !(e <= worst) {
							worst, at = e, v
						}
					}
				}
			}
			t.Logf("|x| ≤ %v: at most %.3f ulp, at %v", span, worst, at)
			if !(worst < 2) {
				t.Errorf("sin or cos of %v is %v ulp off", at, worst)
			}
		}
	})
}

// distance is in ulps of the result or, where math.Sincos computes, in ulps of
// 1: it reduces arguments with less care.
func distance(got float64, want pair) float64 {
	if want.high == 0 {
		return math.Abs(got) / 5e-324
	}
	if active == portable && !fusedInHardware {
		return math.Abs(got-want.high) / 0x1p-52
	}
	return ulps(got, want, 0)
}

func TestSincosEdges(t *testing.T) {
	every(t, func(t *testing.T) {
		x := []float64{0, math.Copysign(0, -1), 5e-324, -5e-324, math.Inf(1), math.Inf(-1), math.NaN(), 1 << 31, -1e300, 1e22, sincosLimit, 2 * sincosLimit}
		n := len(x)
		sin, cos := make([]float64, n), make([]float64, n)
		Sincos(sin, cos, x)
		for i, v := range x {
			wantSin, wantCos := math.Sincos(v)
			if math.Abs(v) == sincosLimit {
				continue // within bounds of TestSincosAccuracy
			}
			if !sameBits([]float64{sin[i], cos[i]}, []float64{wantSin, wantCos}) {
				t.Errorf("sin, cos of %v are %v, %v, want %v, %v", v, sin[i], cos[i], wantSin, wantCos)
			}
		}
	})
}

// TestSincosPosition is TestExpPosition for Sincos.
func TestSincosPosition(t *testing.T) {
	const lengths, offsets, guard = 68, 9, 42.0
	all := arguments(lengths+offsets, 1e4)
	every(t, func(t *testing.T) {
		sin, cos := make([]float64, len(all)), make([]float64, len(all))
		for i := range all {
			Sincos(sin[i:i+1], cos[i:i+1], all[i:i+1])
		}
		for n := range lengths {
			for offset := range offsets {
				end := offset + n
				gotSin, gotCos := slices.Repeat([]float64{guard}, n+2*offsets), slices.Repeat([]float64{guard}, n+2*offsets)
				Sincos(gotSin[offset:end], gotCos[offset:end], all[offset:end])
				if !sameBits(gotSin[offset:end], sin[offset:end]) || !sameBits(gotCos[offset:end], cos[offset:end]) {
					t.Fatalf("length %d at %d differs from single elements", n, offset)
				}
				outside := slices.Concat(gotSin[:offset], gotSin[end:], gotCos[:offset], gotCos[end:])
				if slices.ContainsFunc(outside, func(v float64) bool { return v != guard }) {
					t.Fatalf("length %d at %d: written outside", n, offset)
				}
				inSin, inCos := slices.Clone(all), slices.Clone(all)
				Sincos(inSin[offset:end], gotCos[offset:end], inSin[offset:end])
				Sincos(gotSin[offset:end], inCos[offset:end], inCos[offset:end])
				if !sameBits(inSin[offset:end], sin[offset:end]) || !sameBits(inCos[offset:end], cos[offset:end]) {
					t.Fatalf("length %d at %d in place", n, offset)
				}
			}
		}
	})
}

// TestSincosArithmetic is TestExpArithmetic for Sincos.
func TestSincosArithmetic(t *testing.T) {
	every(t, func(t *testing.T) {
		if active == portable && !fusedInHardware {
			return // math.Sincos, other bits
		}
		rng := rand.New(rand.NewPCG(29, 31))
		n := 1 << 12
		x, sin, cos := make([]float64, n), make([]float64, n), make([]float64, n)
		for round := range count(100) {
			for i := range x {
				x[i] = math.Exp2(float64(round%31)) * (2*rng.Float64() - 1)
				if i%4 == 0 {
					x[i] = math.Round(x[i]/(math.Pi/2)) * (math.Pi / 2)
				}
			}
			Sincos(sin, cos, x)
			for i, v := range x {
				if s, c := sincosFused(v); sin[i] != s || cos[i] != c {
					t.Fatalf("sin, cos of %v are %v, %v, in Go %v, %v", v, sin[i], cos[i], s, c)
				}
			}
		}
	})
}
