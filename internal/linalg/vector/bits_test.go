package vector

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// TestFusedBits holds all paths with fused multiply-adds, on all architectures,
// to the same bits of Exp, Sincos, Gemm and a tiny Gemm. A change of the
// checksum is a change of every result that the package gives.
func TestFusedBits(t *testing.T) {
	const want = 0xb5e2a83c
	every(t, func(t *testing.T) {
		if active == portable && !fusedInHardware {
			return // rounds products before it adds them
		}
		rng := rand.New(rand.NewPCG(101, 103))
		uniform := func(n int) []float64 { // other distributions go through package math
			x := make([]float64, n)
			for i := range x {
				x[i] = 2*rng.Float64() - 1
			}
			return x
		}
		x := uniform(1000)
		exp, sin, cos := make([]float64, 1000), make([]float64, 1000), make([]float64, 1000)
		ExpScaled(exp, x, 745)
		Sincos(sin, cos, x)
		crc := crc32.NewIEEE()
		sum := func(values []float64) {
			for _, v := range values {
				_ = binary.Write(crc, binary.LittleEndian, math.Float64bits(v))
			}
		}
		sum(exp)
		sum(sin)
		sum(cos)
		for _, n := range []int{3, 37, 2*blockDepth + 5} {
			a := blas64.General{Rows: 30, Cols: n, Stride: n, Data: uniform(30 * n)}
			b := blas64.General{Rows: n, Cols: 50, Stride: 50, Data: uniform(50 * n)}
			if n == 3 {
				a.Rows, b.Cols = 3, 3
			}
			c := blas64.General{Rows: a.Rows, Cols: b.Cols, Stride: b.Cols, Data: uniform(a.Rows * b.Cols)}
			gemm(blas.NoTrans, blas.NoTrans, 0.9, a, b, 0.7, c)
			sum(c.Data)
		}
		if got := crc.Sum32(); got != want {
			t.Errorf("checksum %#x, want %#x", got, want)
		}
	})
}
