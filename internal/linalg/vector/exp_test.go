package vector

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestExpAccuracy compares two million arguments, over the whole range and
// over those of kernel functions, with a reference of 100 bits. The bounds are
// those that ExpScaled documents.
func TestExpAccuracy(t *testing.T) {
	s := newSeries()
	every(t, func(t *testing.T) {
		for _, span := range []struct{ low, high float64 }{{-746, 709.79}, {-20, 0}, {-1, 1}, {-745.14, -708}, {709, 709.79}} {
			rng := rand.New(rand.NewPCG(3, 5))
			x, y := make([]float64, 1<<12), make([]float64, 1<<12)
			worst, at := 0.0, 0.0
			for range count(100) {
				for i := range x {
					x[i] = span.low + (span.high-span.low)*rng.Float64()
				}
				ExpScaled(y, x, 1)
				for i, v := range x {
					want, k := s.exp(v)
					if e := ulps(y[i], want, k); !(e <= worst) {
						worst, at = e, v
					}
				}
			}
			t.Logf("[%v, %v]: at most %.3f ulp, at %v", span.low, span.high, worst, at)
			bound := 1.1
			if active == portable && !fusedInHardware {
				bound = 2
			}
			if !(worst < bound) {
				t.Errorf("exp(%v) is %v ulp off", at, worst)
			}
		}
	})
}

// count scales the number of repetitions down in short runs.
func count(n int) int {
	if testing.Short() {
		return max(1, n/20)
	}
	return n
}

func TestExpEdges(t *testing.T) {
	const greatest, smallest = 709.782712893384, -745.1332191019411
	inf := math.Inf(1)
	every(t, func(t *testing.T) {
		for _, c := range []struct{ x, want float64 }{
			{0, 1}, {math.Copysign(0, -1), 1}, {5e-324, 1}, {-5e-324, 1},
			{inf, inf}, {-inf, 0}, {710, inf}, {1e300, inf}, {math.MaxFloat64, inf},
			{-746, 0}, {-1e300, 0}, {-math.MaxFloat64, 0},
			{math.Nextafter(greatest, inf), inf}, {math.Nextafter(smallest, -inf), 0},
			{smallest, 5e-324},
		} {
			y := []float64{42}
			if ExpScaled(y, []float64{c.x}, 1); y[0] != c.want {
				t.Errorf("exp(%v) = %v, want %v", c.x, y[0], c.want)
			}
		}
		y := []float64{0, 0}
		if ExpScaled(y, []float64{greatest, math.NaN()}, 1); math.IsInf(y[0], 1) || y[0] < 1.797e308 || !math.IsNaN(y[1]) {
			t.Errorf("exp of the greatest argument and NaN is %v", y)
		}
		if ExpScaled(y, []float64{inf, 3}, 0); !math.IsNaN(y[0]) || y[1] != 1 {
			t.Errorf("exp(0·Inf), exp(0·3) is %v", y)
		}
	})
}

// arguments has ordinary and special numbers in a fixed order.
func arguments(n int, scale float64) []float64 {
	rng := rand.New(rand.NewPCG(7, 11))
	special := []float64{0, math.Inf(1), math.NaN(), -1e9, 1e9, math.Inf(-1), 5e-324, 4e9, -3e18}
	x := make([]float64, n)
	for i := range x {
		x[i] = scale * rng.NormFloat64()
		if i%7 == 3 {
			x[i] = special[i/7%len(special)]
		}
	}
	return x
}

// sameBits compares slices; NaN equals NaN.
func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool {
		return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y
	})
}

// TestExpPosition computes slices of every length at every offset, in place
// and not, and wants the bits of single elements and no write outside.
func TestExpPosition(t *testing.T) {
	const lengths, offsets, guard = 68, 9, 42.0
	all := arguments(lengths+offsets, 100)
	every(t, func(t *testing.T) {
		for _, scale := range []float64{1, -1.0 / 104} {
			single := make([]float64, len(all))
			for i := range all {
				ExpScaled(single[i:i+1], all[i:i+1], scale)
			}
			for n := range lengths {
				for offset := range offsets {
					dst := slices.Repeat([]float64{guard}, n+2*offsets)
					ExpScaled(dst[offset:offset+n], all[offset:offset+n], scale)
					if !sameBits(dst[offset:offset+n], single[offset:offset+n]) {
						t.Fatalf("length %d at %d differs from single elements", n, offset)
					}
					if slices.ContainsFunc(slices.Concat(dst[:offset], dst[offset+n:]), func(v float64) bool { return v != guard }) {
						t.Fatalf("length %d at %d: written outside", n, offset)
					}
					inPlace := slices.Clone(all)
					ExpScaled(inPlace[offset:offset+n], inPlace[offset:offset+n], scale)
					if !sameBits(inPlace[offset:offset+n], single[offset:offset+n]) || !sameBits(inPlace[offset+n:], all[offset+n:]) {
						t.Fatalf("length %d at %d in place", n, offset)
					}
				}
			}
		}
	})
}

// TestExpArithmetic holds the assembly to its description in Go: all paths
// with fused multiply-adds give the same bits.
func TestExpArithmetic(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 17))
	every(t, func(t *testing.T) {
		if active == portable && !fusedInHardware {
			return // math.Exp, other bits
		}
		x, y := make([]float64, 1<<12), make([]float64, 1<<12)
		for range count(100) {
			for i := range x {
				x[i] = 800 * (2*rng.Float64() - 1)
			}
			ExpScaled(y, x, 0.97)
			for i, v := range x {
				if want := expFused(v, 0.97); y[i] != want {
					t.Fatalf("exp(0.97·%v) = %v, in Go %v", v, y[i], want)
				}
			}
		}
	})
}

func TestLengths(t *testing.T) {
	two, three := make([]float64, 2), make([]float64, 3)
	for name, f := range map[string]func(){
		"ExpScaled":  func() { ExpScaled(three, two, 1) },
		"Sincos sin": func() { Sincos(two, three, three) },
		"Sincos cos": func() { Sincos(three, two, three) },
	} {
		if got := recovered(f); got != badLength {
			t.Errorf("%s: panic %v", name, got)
		}
	}
}

func recovered(f func()) (r any) {
	defer func() { r = recover() }()
	f()
	return nil
}
