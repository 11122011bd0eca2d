package vector

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"mercer/internal/linalg/blastest"
	"mercer/internal/linalg/threads"
)

// random is a matrix whose rows are further apart than they are long; the gaps
// hold NaN.
func random(rng *rand.Rand, rows, cols, gap int) blas64.General {
	g := blas64.General{Rows: rows, Cols: cols, Stride: max(1, cols+gap)}
	g.Data = make([]float64, max(0, (rows-1)*g.Stride+cols))
	for i := range g.Data {
		if i%g.Stride < cols {
			g.Data[i] = rng.NormFloat64()
		} else {
			g.Data[i] = math.NaN()
		}
	}
	return g
}

// opRandom is a matrix X with op(X) of the given shape.
func opRandom(rng *rand.Rand, t blas.Transpose, rows, cols, gap int) blas64.General {
	if t != blas.NoTrans {
		rows, cols = cols, rows
	}
	return random(rng, rows, cols, gap)
}

func clone(g blas64.General) blas64.General {
	g.Data = slices.Clone(g.Data)
	return g
}

// gemm is Dgemm on gonum's matrices.
func gemm(tA, tB blas.Transpose, alpha float64, a, b blas64.General, beta float64, c blas64.General) {
	k := a.Cols
	if tA != blas.NoTrans {
		k = a.Rows
	}
	Implementation{}.Dgemm(tA, tB, c.Rows, c.Cols, k, alpha, a.Data, max(1, a.Stride), b.Data, max(1, b.Stride), beta, c.Data, max(1, c.Stride))
}

// syrk is Dsyrk on gonum's matrices.
func syrk(t blas.Transpose, alpha float64, a blas64.General, beta float64, c blas64.Symmetric) {
	k := a.Cols
	if t != blas.NoTrans {
		k = a.Rows
	}
	Implementation{}.Dsyrk(c.Uplo, t, c.N, k, alpha, a.Data, max(1, a.Stride), beta, c.Data, max(1, c.Stride))
}

// shapes are m, n, k: small ones at random, and some around the block sizes.
func shapes(rng *rand.Rand, small int) [][3]int {
	list := [][3]int{
		{1, 1, 1}, {1, 1, 500}, {1, 300, 200}, {300, 1, 200}, {200, 300, 1}, {8, 24, blockDepth}, {9, 25, blockDepth + 1},
		{97, 130, 2*blockDepth + 1}, {blockRows + 1, 49, 50}, {400, 100, 10}, {16, 400, 200}, {17, 400, 200}, {100, panelColumns + 70, 20}, {500, 333, 200},
	}
	for range small {
		list = append(list, [3]int{1 + rng.IntN(70), 1 + rng.IntN(70), 1 + rng.IntN(70)})
	}
	return list
}

// TestSyrk compares with Gemm, whose bits it has on the triangle, and wants the
// other triangle untouched.
func TestSyrk(t *testing.T) {
	every(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(43, 47))
		sizes := [][2]int{{1, 1}, {8, 3}, {24, 192}, {25, 193}, {100, 0}, {385, 60}, {800, 7}, {133, 400}}
		for range count(60) {
			sizes = append(sizes, [2]int{1 + rng.IntN(70), 1 + rng.IntN(70)})
		}
		for _, s := range sizes {
			n, k := s[0], s[1]
			for _, tA := range blastest.Transposes {
				for _, scalars := range [][2]float64{{1, 0}, {-0.5, 1}, {2, 0.3}, {0, 0}, {0, 0.5}} {
					a := opRandom(rng, tA, n, k, 1)
					c := random(rng, n, n, 2)
					want := clone(c)
					other := blas.Trans
					if tA != blas.NoTrans {
						other = blas.NoTrans
					}
					full := clone(c)
					gemm(tA, other, scalars[0], a, a, scalars[1], full)
					for i := range n {
						for j := range n {
							if i <= j {
								want.Data[i*want.Stride+j] = full.Data[i*want.Stride+j]
							}
						}
					}
					syrk(tA, scalars[0], a, scalars[1], blas64.Symmetric{Uplo: blas.Upper, N: n, Stride: c.Stride, Data: c.Data})
					if !sameBits(c.Data, want.Data) {
						t.Fatalf("%c n=%d k=%d %v differs from Gemm", tA, n, k, scalars)
					}
				}
			}
		}
	})
}

// TestElementBits holds Gemm to its promise: parts of the product, transposed
// operands, other strides and concurrent callers give the same bits.
func TestElementBits(t *testing.T) {
	every(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(53, 59))
		m, n, k := 131, 205, blockDepth+44
		a, b, start := random(rng, m, k, 0), random(rng, k, n, 0), random(rng, m, n, 0)
		whole := clone(start)
		gemm(blas.NoTrans, blas.NoTrans, 1.3, a, b, 0.7, whole)
		transpose := func(g blas64.General) blas64.General {
			out := random(rng, g.Cols, g.Rows, 3)
			for i := range g.Rows {
				for j := range g.Cols {
					out.Data[j*out.Stride+i] = g.Data[i*g.Stride+j]
				}
			}
			return out
		}
		aT, bT := transpose(a), transpose(b)
		var wait sync.WaitGroup
		for _, rows := range []int{1, 7, 16, 17, 100, m} {
			for _, cols := range []int{1, 24, 49, 100, n} {
				for way := range 4 {
					if rows*cols < 100 && way%2 > 0 {
						continue
					}
					wait.Go(func() {
						c := clone(start)
						for i := 0; i < m; i += rows {
							for j := 0; j < n; j += cols {
								r, q := min(rows, m-i), min(cols, n-j)
								at := c.Data[i*n+j:]
								switch impl := (Implementation{}); way {
								case 0:
									impl.Dgemm(blas.NoTrans, blas.NoTrans, r, q, k, 1.3, a.Data[i*k:], k, b.Data[j:], n, 0.7, at, n)
								case 1:
									impl.Dgemm(blas.NoTrans, blas.Trans, r, q, k, 1.3, a.Data[i*k:], k, bT.Data[j*bT.Stride:], bT.Stride, 0.7, at, n)
								case 2:
									impl.Dgemm(blas.Trans, blas.NoTrans, r, q, k, 1.3, aT.Data[i:], aT.Stride, b.Data[j:], n, 0.7, at, n)
								default:
									impl.Dgemm(blas.Trans, blas.Trans, r, q, k, 1.3, aT.Data[i:], aT.Stride, bT.Data[j*bT.Stride:], bT.Stride, 0.7, at, n)
								}
							}
						}
						if !sameBits(c.Data, whole.Data) {
							t.Errorf("blocks of %d×%d differ from the whole (way %d)", rows, cols, way)
						}
					})
				}
			}
		}
		wait.Wait()
	})
}

// TestRoom: a product is cut for as many goroutines as it is worth, and leaves no room
// taken.
func TestRoom(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, c := range []struct {
		p    product
		want int
	}{
		{product{m: 500, n: 500, k: 500}, 4},
		{product{m: 500, n: 500, k: 5}, 2},
		{product{m: 90, n: 20, k: 1e6}, 1}, // which cannot be cut
		{product{m: 60, n: 60, k: 60}, 1},
	} {
		if got := c.p.workers(); got != c.want {
			t.Errorf("%d×%d×%d: %d goroutines, want %d", c.p.m, c.p.n, c.p.k, got, c.want)
		}
	}
	a, c := random(rand.New(rand.NewPCG(71, 73)), 500, 500, 0), random(rand.New(rand.NewPCG(75, 77)), 500, 500, 0)
	gemm(blas.NoTrans, blas.NoTrans, 1, a, a, 0, c)
	if free := threads.Reserve(10); free != 3 {
		t.Errorf("room for %d after a product, want 3", free)
	} else {
		threads.Release(free)
	}
}

// TestWorkers changes GOMAXPROCS under products that are large enough for
// several goroutines, row blocks and column chunks.
func TestWorkers(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 67))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, s := range [][3]int{{700, 500, 200}, {20, 3000, 200}, {3000, 20, 250}} {
		a, b := random(rng, s[0], s[2], 0), random(rng, s[2], s[1], 0)
		var want []float64
		for _, procs := range []int{1, 2, 5, 16} {
			runtime.GOMAXPROCS(procs)
			c := random(rng, s[0], s[1], 0)
			gemm(blas.NoTrans, blas.NoTrans, 1, a, b, 0, c)
			g := blas64.Symmetric{Uplo: blas.Upper, N: s[0], Stride: s[0], Data: make([]float64, s[0]*s[0])}
			syrk(blas.NoTrans, 1, a, 0, g)
			got := slices.Concat(c.Data, g.Data)
			if want == nil {
				want = got
			}
			if !sameBits(got, want) {
				t.Errorf("%v: GOMAXPROCS = %d changes bits", s, procs)
			}
		}
	}
}

// TestPathsAgree holds AVX2 and AVX-512 to the same bits. The portable path
// rounds each product where the processor cannot fuse; it has its own.
func TestPathsAgree(t *testing.T) {
	best := detect()
	if best < avx512 {
		t.Skip("one path only")
	}
	defer func() { active = best }()
	rng := rand.New(rand.NewPCG(71, 73))
	a, b := random(rng, 123, 457, 0), random(rng, 457, 98, 0)
	results := map[instructions]blas64.General{}
	for _, set := range []instructions{avx2, avx512} {
		active = set
		c := random(rng, 123, 98, 0)
		gemm(blas.NoTrans, blas.NoTrans, 0.3, a, b, 0, c)
		results[set] = c
	}
	if !sameBits(results[avx2].Data, results[avx512].Data) {
		t.Error("AVX2 and AVX-512 differ")
	}
}

func TestSpecialValues(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	one := func(v float64) blas64.General {
		return blas64.General{Rows: 1, Cols: 1, Stride: 1, Data: []float64{v}}
	}
	every(t, func(t *testing.T) {
		for _, c := range []struct{ alpha, a, b, beta, c, want float64 }{
			{1, 2, 3, 0, nan, 6},
			{1, 2, 3, 0, inf, 6},
			{0, nan, inf, 1, 5, 5},
			{0, nan, inf, 0, nan, 0},
			{0, nan, 1, 2, 5, 10},
			{1, 0, inf, 0, 1, nan},
			{1, nan, 0, 1, 1, nan},
			{1, inf, 2, 1, 1, inf},
			{1, 1, 1, 1, nan, nan},
			{-1, inf, 2, 1, inf, nan},
			{nan, 1, 1, 0, 1, nan},
		} {
			out := one(c.c)
			gemm(blas.NoTrans, blas.NoTrans, c.alpha, one(c.a), one(c.b), c.beta, out)
			if !sameBits(out.Data, []float64{c.want}) {
				t.Errorf("%v·%v·%v + %v·%v = %v, want %v", c.alpha, c.a, c.b, c.beta, c.c, out.Data[0], c.want)
			}
		}
		// A NaN stays in its row and column, in tiles at the edge too.
		rng := rand.New(rand.NewPCG(79, 83))
		a, b, c := random(rng, 61, 30, 0), random(rng, 30, 53, 0), random(rng, 61, 53, 0)
		a.Data[57*30+3], b.Data[4*53+50] = nan, inf
		gemm(blas.NoTrans, blas.NoTrans, 1, a, b, 0, c)
		for i := range 61 {
			for j := range 53 {
				v := c.Data[i*53+j]
				if finite := !math.IsNaN(v) && !math.IsInf(v, 0); finite != (i != 57 && j != 50) {
					t.Fatalf("element (%d, %d) is %v", i, j, v)
				}
			}
		}
	})
}
