package linalg

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// spectra are eigenvalue sequences that kernel matrices have, easy and hard.
var spectra = []struct {
	name string
	f    func(i int) float64
}{
	{"i^-2", func(i int) float64 { return math.Pow(float64(i+1), -2) }},
	{"i^-4", func(i int) float64 { return math.Pow(float64(i+1), -4) }},
	{"exponential", func(i int) float64 { return math.Pow(0.5, float64(i)) }},
	{"identity", func(int) float64 { return 1 }},
	{"near identity", func(i int) float64 { return 1 + 1e-14*float64(i%7) }},
	{"zero", func(int) float64 { return 0 }},
	{"rank 3", func(i int) float64 { return float64(max(0, 3-i)) }},
	{"40 equal", func(i int) float64 {
		if i < 40 {
			return 2
		}
		return 1 / float64(i)
	}},
	{"indefinite", func(i int) float64 { return 1/float64(i+1) - 0.5*float64(i%2) }},
	{"huge", func(i int) float64 { return 1e200 / float64(i+1) }},
	{"tiny", func(i int) float64 { return 1e-200 / float64(i+1) }},
}

// TestEigenSym compares with gonum's EigenSym. Both are backward stable:
// values agree to a small multiple of n·eps·‖A‖, taken as 4 here, and so does
// the reconstruction A·V − V·Λ.
func TestEigenSym(t *testing.T) {
	for _, n := range []int{1, 2, 3, 40, 150} {
		for _, s := range spectra {
			t.Run(fmt.Sprintf("n=%d/%s", n, s.name), func(t *testing.T) {
				a := withSpectrum(newRand(uint64(n)), n, s.f)
				values, v, err := EigenSym(a)
				if err != nil {
					t.Fatal(err)
				}
				descending(t, values)
				orthonormal(t, v)
				signRule(t, v)
				// gonum's values-only solver panics on tiny elements.
				unit := mat.NewSymDense(n, nil)
				scale := max(maxAbs(a), 1e-300)
				unit.ScaleSym(1/scale, a)
				var ref mat.EigenSym
				if !ref.Factorize(unit, false) {
					t.Fatal("gonum failed")
				}
				want := ref.Values(nil)
				for i := range want {
					want[i] *= scale
				}
				norm := max(math.Abs(want[0]), math.Abs(want[n-1]))
				tol := 4 * float64(max(n, 10)) * eps * norm
				for i := range values {
					if math.Abs(values[i]-want[n-1-i]) > tol {
						t.Errorf("value %d = %.17g, want %.17g", i, values[i], want[n-1-i])
					}
				}
				var av, vl mat.Dense
				av.Mul(a, v)
				vl.Mul(v, mat.NewDiagDense(n, values))
				within(t, "A·V", &av, &vl, tol)
			})
		}
	}
}

func TestEigenSymRefusesNaN(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		a := mat.NewSymDense(3, nil)
		a.SetSym(0, 2, bad)
		if _, _, err := EigenSym(a); !errors.Is(err, ErrNotFinite) {
			t.Errorf("%v: error %v, want ErrNotFinite", bad, err)
		}
	}
}
