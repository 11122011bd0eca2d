package methods

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestOrthonormalise: Q is orthonormal, and R = QᵀA upper triangular with a
// diagonal that is positive, or 0 where the rank ends; for matrices through
// Cholesky's factor and for those that need reflections.
func TestOrthonormalise(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	normal := normalColumns(40, 7, rng)
	near, deficient, square := mat.DenseCopyOf(normal), mat.DenseCopyOf(normal), normalColumns(7, 7, rng)
	for i := range 40 {
		near.Set(i, 3, normal.At(i, 1)+1e-9*normal.At(i, 3))
		deficient.Set(i, 3, normal.At(i, 0)-2*normal.At(i, 1))
	}
	for name, a := range map[string]*mat.Dense{
		"normal": normal, "nearly dependent": near, "dependent": deficient, "square": square, "one column": normalColumns(40, 1, rng),
	} {
		q := mat.DenseCopyOf(a)
		orthonormalise(q)
		var r, identity mat.Dense
		r.Mul(q.T(), a)
		identity.Mul(q.T(), q)
		_, ell := a.Dims()
		for i := range ell {
			for j := range ell {
				want := 0.0
				if i == j {
					want = 1
				}
				if off := math.Abs(identity.At(i, j) - want); off > 1e-14 {
					t.Errorf("%s: ⟨q_%d, q_%d⟩ is off by %.2g", name, i+1, j+1, off)
				}
				if i > j && math.Abs(r.At(i, j)) > 1e-13 || i == j && r.At(i, i) < -1e-14 {
					t.Errorf("%s: R_%d%d = %.2g", name, i+1, j+1, r.At(i, j))
				}
			}
		}
	}
}
