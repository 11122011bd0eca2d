package vector

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// skipping runs a test with every instruction set whose products skip zeros.
func skipping(t *testing.T, test func(t *testing.T, tiles *tiles)) {
	t.Helper()
	every(t, func(t *testing.T) {
		if tiles := tilesFor(active); tiles.squeeze != nil { // portable products skip nothing
			test(t, tiles)
		}
	})
}

// images is a matrix like one of pictures: a row has a run of numbers other than
// zero, somewhere near the others', and most columns of neighbouring rows are zero.
// Some rows are zero throughout.
func images(rng *rand.Rand, rows, cols int) blas64.General {
	g := random(rng, rows, cols, 3)
	for i := range rows {
		first, end := cols/3+rng.IntN(cols/6+1), cols/2+rng.IntN(cols/6+1)
		if i%31 < 9 {
			end = first
		}
		row := g.Data[i*g.Stride:][:cols]
		clear(row[:first])
		clear(row[end:])
	}
	return g
}

// inParts is C = alpha·A·op(B) + beta·C by so few columns that nothing is skipped.
func inParts(t *testing.T, tB blas.Transpose, alpha float64, a, b blas64.General, beta float64, c blas64.General) {
	const most = 95
	if most >= leastSkipping {
		t.Fatal("parts are as large as what is skipped in")
	}
	for j := 0; j < c.Cols; j += most {
		part, to := b, c
		to.Cols, to.Data = min(most, c.Cols-j), c.Data[j:]
		if tB == blas.NoTrans {
			part.Cols, part.Data = to.Cols, b.Data[j:]
		} else {
			part.Rows, part.Data = to.Cols, b.Data[j*b.Stride:]
		}
		gemm(blas.NoTrans, tB, alpha, a, part, beta, to)
	}
}

// TestSkippingKeepsTheBits compares products in which zeros of A are skipped with
// the same by parts that are too small for it; there infinities and NaN must come
// through too.
func TestSkippingKeepsTheBits(t *testing.T) {
	skipping(t, func(t *testing.T, _ *tiles) {
		rng := rand.New(rand.NewPCG(91, 97))
		for _, s := range [][3]int{{8, 192, 30}, {192, 192, 30}, {203, 209, 2*blockDepth + 77}, {197, panelColumns + 217, 40}} {
			m, n, k := s[0], s[1], s[2]
			for _, what := range []string{"finite", "infinite A", "infinite B", "NaN in B"} {
				for _, tB := range []blas.Transpose{blas.NoTrans, blas.Trans} {
					a, b, start := images(rng, m, k), opRandom(rng, tB, k, n, 2), random(rng, m, n, 1)
					a.Data[(m/2)*a.Stride+1] = math.Copysign(0, -1)
					for i := range min(9, m) {
						start.Data[i*start.Stride+2*i] = math.Copysign(0, -1)
					}
					switch what {
					case "infinite A":
						a.Data[(m/3)*a.Stride], a.Data[(m/4)*a.Stride+k-1] = math.Inf(1), math.NaN()
					case "infinite B":
						b.Data[0] = math.Inf(-1)
					case "NaN in B":
						b.Data[(b.Rows-1)*b.Stride+b.Cols-1] = math.NaN()
					}
					if p := (&product{m: m, n: n, k: k, a: operand(blas.NoTrans, a.Data, a.Stride)}); !p.hasZeros() {
						t.Fatal("the zeros are not seen")
					}
					packed := Pack(tB, b)
					for _, scalars := range [][2]float64{{1, 0}, {-0.7, 0.3}, {math.Inf(1), 1}} {
						name := fmt.Sprintf("%s, %v, %c, %v", what, s, tB, scalars)
						want, got, ready := clone(start), clone(start), clone(start)
						inParts(t, tB, scalars[0], a, b, scalars[1], want)
						gemm(blas.NoTrans, tB, scalars[0], a, b, scalars[1], got)
						packed.Mul(blas.NoTrans, scalars[0], a, scalars[1], ready)
						if !sameBits(got.Data, want.Data) {
							t.Errorf("%s: Gemm has other bits", name)
						}
						if !sameBits(ready.Data, want.Data) {
							t.Errorf("%s: Mul has other bits", name)
						}
					}
				}
			}
		}
	})
}

// TestSkips wants zeros to be left out, whatever earlier products left in memory.
func TestSkips(t *testing.T) {
	skipping(t, func(t *testing.T, tiles *tiles) {
		rng := rand.New(rand.NewPCG(113, 127))
		const m, n, k = 64, 209, 100
		a, b := images(rng, m, k), random(rng, k, n, 1)
		w := panel{product: product{m: m, n: n, k: k, a: operand(blas.NoTrans, a.Data, a.Stride), b: operand(blas.NoTrans, b.Data, b.Stride)}, tiles: tiles}
		if !w.next() {
			t.Fatal("no panel")
		}
		w.packed = make([]float64, w.slivers()*tiles.columns()*w.depth)
		for i := range w.packed {
			w.packed[i] = math.NaN()
		}
		for index := range w.slivers() {
			w.packSliver(index)
		}
		w.skips = w.hasZeros() && finite(w.packed)
		var s scratch
		left := 0
		for _, steps := range w.squeeze(&s, w.packRows(&s, 0, m), m) {
			left += len(steps)
		}
		if all := m / tiles.rows * k; left == 0 || left > all*3/4 {
			t.Errorf("%d of %d steps are left; want some, at most three quarters", left, all)
		}
	})
}

// TestSkippingInSyrk does so for a triangle of A·Aᵀ.
func TestSkippingInSyrk(t *testing.T) {
	skipping(t, func(t *testing.T, _ *tiles) {
		rng := rand.New(rand.NewPCG(101, 103))
		const n, k = 407, blockDepth + 60
		a := images(rng, n, k)
		full, got := random(rng, n, n, 0), random(rng, n, n, 0)
		inParts(t, blas.Trans, 1.5, a, a, 0, full)
		syrk(blas.NoTrans, 1.5, a, 0, blas64.Symmetric{Uplo: blas.Upper, N: n, Stride: n, Data: got.Data})
		for i := range n {
			for j := range n {
				if i <= j && math.Float64bits(got.Data[i*n+j]) != math.Float64bits(full.Data[i*n+j]) {
					t.Fatalf("element (%d, %d) is %v, want %v", i, j, got.Data[i*n+j], full.Data[i*n+j])
				}
			}
		}
	})
}

// TestSqueeze holds it to its definition.
func TestSqueeze(t *testing.T) {
	skipping(t, func(t *testing.T, tiles *tiles) {
		rng := rand.New(rand.NewPCG(107, 109))
		width := tiles.rows
		for _, share := range []float64{0, 0.2, 0.9, 1} {
			const depth = 100
			packed, steps := make([]float64, depth*width), make([]uint32, depth)
			var want []float64
			var wanted []uint32
			for q := range depth {
				if column := packed[q*width:][:width]; rng.Float64() < share {
					column[rng.IntN(width)] = []float64{1, math.Copysign(0, -1), math.NaN(), 5e-324}[rng.IntN(4)]
					want, wanted = append(want, column...), append(wanted, uint32(8*width*q))
				}
			}
			count := tiles.squeeze(packed, steps, depth)
			if count != len(wanted) || !sameBits(packed[:count*width], want) || fmt.Sprint(steps[:count]) != fmt.Sprint(wanted) {
				t.Errorf("share %v: %d columns, want %d, or others than those", share, count, len(wanted))
			}
		}
	})
}

func TestFinite(t *testing.T) {
	for n := range 12 {
		x := make([]float64, n)
		for i := range x {
			x[i] = -math.MaxFloat64
		}
		if !finite(x) {
			t.Errorf("%d finite numbers are not", n)
		}
		for i := range x {
			for _, v := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
				old := x[i]
				if x[i] = v; finite(x) {
					t.Errorf("%v at %d of %d is finite", v, i, n)
				}
				x[i] = old
			}
		}
	}
}

// BenchmarkSkipping is a product with a matrix as sparse as pictures are, and with
// one of the same size that has no zeros; GFLOP/s count the zeros too.
func BenchmarkSkipping(b *testing.B) {
	const m, n, k = 4000, 1000, 784
	rng := rand.New(rand.NewPCG(1, 2))
	packed := Pack(blas.Trans, random(rng, n, k, 0))
	c := random(rng, m, n, 0)
	for name, a := range map[string]blas64.General{"none": random(rng, m, k, 0), "pictures": images(rng, m, k)} {
		b.Run("zeros="+name, func(b *testing.B) {
			for b.Loop() {
				packed.Mul(blas.NoTrans, 1, a, 0, c)
			}
			gflops(b, 2*m*n*k)
		})
	}
}
