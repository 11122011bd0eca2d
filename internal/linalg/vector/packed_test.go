package vector

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
)

// TestPackedHasTheBitsOfGemm over shapes, transposes and scalars, from several
// goroutines at once.
func TestPackedHasTheBitsOfGemm(t *testing.T) {
	rng := rand.New(rand.NewPCG(81, 83))
	for _, s := range shapes(rng, 20) {
		m, n, k := s[0], s[1], s[2]
		for _, tB := range []blas.Transpose{blas.NoTrans, blas.Trans} {
			b := opRandom(rng, tB, k, n, 3)
			packed := Pack(tB, b)
			t.Run(fmt.Sprintf("m=%d/n=%d/k=%d/%c", m, n, k, tB), func(t *testing.T) {
				for _, scalars := range [][2]float64{{1, 0}, {-0.7, 1}, {2, 0.3}} {
					a, c := random(rng, m, k, 2), random(rng, m, n, 1)
					want := clone(c)
					gemm(blas.NoTrans, tB, scalars[0], a, b, scalars[1], want)
					packed.Mul(blas.NoTrans, scalars[0], a, scalars[1], c)
					if !sameBits(c.Data, want.Data) {
						t.Fatalf("alpha %v, beta %v: bits differ", scalars[0], scalars[1])
					}
				}
			})
		}
	}
}

func TestPackedShapes(t *testing.T) {
	rng := rand.New(rand.NewPCG(85, 87))
	packed := Pack(blas.NoTrans, random(rng, 30, 20, 0))
	for _, wrong := range [][4]int{{5, 29, 5, 20}, {5, 30, 4, 20}, {5, 30, 5, 21}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v: no panic", wrong)
				}
			}()
			packed.Mul(blas.NoTrans, 1, random(rng, wrong[0], wrong[1], 0), 0, random(rng, wrong[2], wrong[3], 0))
		}()
	}
	// An element has its bits wherever the rows are cut.
	a, whole := random(rng, 50, 30, 0), random(rng, 50, 20, 0)
	packed.Mul(blas.NoTrans, 1, a, 0, whole)
	var parts []float64
	for i := 0; i < 50; i += 7 {
		rows := min(7, 50-i)
		part := random(rng, rows, 20, 0)
		cut := a
		cut.Rows, cut.Data = rows, a.Data[i*a.Stride:]
		packed.Mul(blas.NoTrans, 1, cut, 0, part)
		parts = slices.Concat(parts, part.Data)
	}
	if !sameBits(parts, whole.Data) {
		t.Error("rows by parts have other bits")
	}
}
