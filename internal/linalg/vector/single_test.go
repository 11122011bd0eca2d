package vector

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
)

// randomSingle is a matrix of normal numbers in a wider one of NaN.
func randomSingle(rng *rand.Rand, rows, columns, room int) blas32.General {
	x := blas32.General{Rows: rows, Cols: columns, Stride: columns + room, Data: make([]float32, rows*(columns+room))}
	for i := range x.Data {
		x.Data[i] = float32(math.NaN())
		if i%x.Stride < columns {
			x.Data[i] = float32(rng.NormFloat64())
		}
	}
	return x
}

// placesOf is where the rows of x begin, the last first.
func placesOf(x blas32.General) []int {
	places := make([]int, x.Rows)
	for i := range places {
		places[i] = (x.Rows - 1 - i) * x.Stride
	}
	return places
}

// TestSingle holds elements to the bound of Mul, for shapes that cut tiles, vectors and
// pieces everywhere; an element does not depend on the other rows and columns, and what
// stands beside C stays.
func TestSingle(t *testing.T) {
	every(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(7, 9))
		for _, s := range [][3]int{{1, 1, 1}, {3, 10, 5}, {8, 48, 256}, {13, 49, 257}, {7, 63, 600}, {16, 96, 30}, {31, 100, 700}} {
			m, n, k := s[0], s[1], s[2]
			a, b := randomSingle(rng, m, k, 3), random(rng, n, k, 2)
			ready := PackSingle(blas.Trans, b)
			for _, add := range []bool{false, true} {
				c := randomSingle(rng, m, n, 4)
				before := append([]float32(nil), c.Data...)
				ready.Mul(-2, a.Data, placesOf(a), c, add)
				for i := range m {
					for j := range c.Stride {
						got, old := c.Data[i*c.Stride+j], before[i*c.Stride+j]
						if j >= n {
							if got == got {
								t.Fatalf("%v: wrote %v beside C", s, got)
							}
							continue
						}
						want, size := 0.0, 0.0
						if add {
							want, size = float64(old), math.Abs(float64(old))
						}
						for p := range k {
							v := -2 * float64(a.Data[(m-1-i)*a.Stride+p]) * b.Data[j*b.Stride+p]
							want, size = want+v, size+math.Abs(v)
						}
						if e := math.Abs(float64(got) - want); !(e <= SingleError(k)*size) {
							t.Fatalf("%v, add %v: C[%d,%d] = %v, want %v", s, add, i, j, got, want)
						}
					}
				}
				if i := m - 1; !add { // alone, from a B of two columns
					one := randomSingle(rng, 1, min(n, 2), 0)
					few := PackSingle(blas.Trans, blas64.General{Rows: min(n, 2), Cols: k, Stride: b.Stride, Data: b.Data})
					few.Mul(-2, a.Data, []int{0}, one, false)
					for j, v := range one.Data {
						if v != c.Data[i*c.Stride+j] {
							t.Fatalf("%v: element (%d, %d) is %v alone and %v in the whole", s, i, j, v, c.Data[i*c.Stride+j])
						}
					}
				}
			}
		}
	})
}

// TestSingleBits: AVX-512 and AVX2 give the same bits.
func TestSingleBits(t *testing.T) {
	var first []float32
	every(t, func(t *testing.T) {
		if active == portable {
			return // rounds products before it adds them
		}
		rng := rand.New(rand.NewPCG(11, 13))
		a, c := randomSingle(rng, 29, 300, 0), randomSingle(rng, 29, 70, 0)
		PackSingle(blas.NoTrans, random(rng, 300, 70, 0)).Mul(1, a.Data, placesOf(a), c, false)
		if first == nil {
			first = c.Data
		}
		for i, v := range c.Data {
			if v != first[i] {
				t.Fatalf("element %d is %v and %v", i, v, first[i])
			}
		}
	})
}

// BenchmarkSingle is a block of a kernel matrix, and products with few centres.
func BenchmarkSingle(b *testing.B) {
	for _, s := range [][3]int{{512, 1000, 784}, {131, 10, 1000}} {
		m, n, k := s[0], s[1], s[2]
		rng := rand.New(rand.NewPCG(1, 2))
		x, y, z := randomSingle(rng, m, k, 0), random(rng, n, k, 0), randomSingle(rng, m, n, 0)
		ready, places := PackSingle(blas.Trans, y), placesOf(x)
		b.Run(fmt.Sprintf("op=single/m=%d/n=%d/k=%d", m, n, k), func(b *testing.B) {
			for b.Loop() {
				ready.Mul(1, x.Data, places, z, false)
			}
			gflops(b, 2*float64(m)*float64(n)*float64(k))
		})
		double, wide, c := Pack(blas.Trans, y), random(rng, m, k, 0), random(rng, m, n, 0)
		b.Run(fmt.Sprintf("op=double/m=%d/n=%d/k=%d", m, n, k), func(b *testing.B) {
			for b.Loop() {
				double.Mul(blas.NoTrans, 1, wide, 0, c)
			}
			gflops(b, 2*float64(m)*float64(n)*float64(k))
		})
	}
}
