package sobol

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 3)) }

func fill(n, dim int, seed uint64) *mat.Dense {
	x := mat.NewDense(n, dim, nil)
	New(dim).Fill(x, newRand(seed))
	return x
}

// times is a·b modulo p over GF(2).
func times(a, b, p uint64, degree int) uint64 {
	product := uint64(0)
	for ; b > 0; b >>= 1 {
		if b&1 == 1 {
			product ^= a
		}
		if a <<= 1; a>>degree&1 == 1 {
			a ^= p
		}
	}
	return product
}

// primitive says whether x generates the 2^degree − 1 nonzero residues modulo p.
func primitive(p uint64, degree int) bool {
	power := func(e int64) uint64 {
		result, base := uint64(1), uint64(2)
		if degree == 1 {
			base ^= p
		}
		for ; e > 0; e >>= 1 {
			if e&1 == 1 {
				result = times(result, base, p, degree)
			}
			base = times(base, base, p, degree)
		}
		return result
	}
	order := int64(1)<<degree - 1
	if power(order) != 1 {
		return false
	}
	for q := int64(2); q <= order; q++ {
		if order%q == 0 && big.NewInt(q).ProbablyPrime(0) && power(order/q) == 1 {
			return false
		}
	}
	return true
}

// The table lists every primitive polynomial of degree up to 12, each once, in
// ascending order, and those of degree 13 as far as it goes; initial numbers are
// odd and m_i < 2^i. Both together make every direction matrix upper triangular
// with ones on its diagonal.
func TestTableHoldsPrimitivePolynomials(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(joeKuo), "\n")[1:]
	if len(lines) != MaxDim-1 {
		t.Fatalf("%d lines, want %d", len(lines), MaxDim-1)
	}
	next := 0
	for degree := 1; next < len(lines); degree++ {
		for inner := uint64(0); inner < 1<<(degree-1) && next < len(lines); inner++ {
			if !primitive(1<<degree|inner<<1|1, degree) {
				continue
			}
			g := parse(lines[next])
			if next++; g.degree != degree || g.inner != inner || len(g.initial) != degree {
				t.Fatalf("line %d is %q, want degree %d, inner coefficients %d", next, lines[next-1], degree, inner)
			}
			for i, m := range g.initial {
				if m%2 == 0 || m>>(i+1) != 0 {
					t.Errorf("line %d: initial number %d is %d", next, i+1, m)
				}
			}
		}
	}
	if primitive(0b10101, 4) || primitive(0b11111, 4) || !primitive(0b10011, 4) {
		t.Error("x⁴+x²+1 or x⁴+x³+x²+x+1 passes for primitive, or x⁴+x+1 does not")
	}
}

// The first points without a shift, as published.
func TestFirstPoints(t *testing.T) {
	want := [][]float64{
		{0, 0, 0}, {0.5, 0.5, 0.5}, {0.75, 0.25, 0.25}, {0.25, 0.75, 0.75}, {0.375, 0.375, 0.625},
		{0.875, 0.875, 0.125}, {0.625, 0.125, 0.875}, {0.125, 0.625, 0.375}, {0.1875, 0.3125, 0.9375}, {0.6875, 0.8125, 0.4375},
	}
	x := fill(len(want), 3, 1)
	for i := range want {
		for j := range want[i] {
			got := digitsOf(x.At(i, j)) ^ digitsOf(x.At(0, j))
			if float64(got)/(1<<digits) != want[i][j] {
				t.Errorf("point %d, coordinate %d is %v, want %v", i, j, float64(got)/(1<<digits), want[i][j])
			}
		}
	}
}

func digitsOf(u float64) uint64 { return uint64(u * (1 << digits)) }

// balanced says whether each of the 2^(a+b) boxes that are 2^−a wide in one
// coordinate and 2^−b in another holds the same number of points.
func balanced(x *mat.Dense, first, second, a, b int) bool {
	n, _ := x.Dims()
	count := make([]int, 1<<(a+b))
	for i := range n {
		row := x.RawRowView(i)
		count[int(row[first]*float64(int(1)<<a))<<b|int(row[second]*float64(int(1)<<b))]++
	}
	for _, c := range count {
		if c != n>>(a+b) {
			return false
		}
	}
	return true
}

func TestEachCoordinateIsStratified(t *testing.T) {
	const k = 10
	x := fill(1<<k, MaxDim, 2)
	for j := range MaxDim {
		if !balanced(x, j, j, k, 0) {
			t.Errorf("coordinate %d: an interval of length 2^-%d holds not one point", j, k)
		}
	}
	x.Set(0, 5, 1-x.At(0, 5))
	if balanced(x, 5, 5, k, 0) {
		t.Error("a point moved, yet all intervals hold one point")
	}
}

// The first two coordinates are a (0,2)-sequence: every box of area 2^−k holds
// one of 2^k points, and of any 2^k aligned ones. In three coordinates t is the
// sum of degree − 1, here 0+0+1.
func TestElementaryIntervals(t *testing.T) {
	const k = 9
	x := fill(4<<k, 3, 3)
	for block := range 4 {
		points := x.Slice(block<<k, (block+1)<<k, 0, 3).(*mat.Dense)
		for a := range k + 1 {
			if !balanced(points, 0, 1, a, k-a) {
				t.Errorf("block %d: boxes of 2^-%d × 2^-%d do not hold one point each", block, a, k-a)
			}
		}
		for a := 0; a < k; a++ {
			for b := 0; a+b < k; b++ {
				count := map[[3]int]int{}
				for i := range 1 << k {
					row := points.RawRowView(i)
					c := k - 1 - a - b
					count[[3]int{int(row[0] * float64(int(1)<<a)), int(row[1] * float64(int(1)<<b)), int(row[2] * float64(int(1)<<c))}]++
				}
				for box, held := range count {
					if held != 2 {
						t.Fatalf("block %d: box %v of volume 2^-%d holds %d points, want 2", block, box, k-1, held)
					}
				}
			}
		}
	}
}

// In two coordinates of degrees s and s', boxes of 2^−k hold the same number of
// 2^(k+t) points, t = s + s' − 2 (Sobol', 1967): a bound on t, and what "balanced
// two-dimensional projections" of this table amount to.
func TestPairsOfCoordinatesAreBalanced(t *testing.T) {
	const n, dim = 14, 24
	x := fill(1<<n, dim, 4)
	lines := strings.Split(joeKuo, "\n")[1:]
	degree := func(j int) int {
		if j == 0 {
			return 1
		}
		return parse(lines[j-1]).degree
	}
	for i := range dim {
		for j := range i {
			k := n - (degree(i) + degree(j) - 2)
			for _, a := range []int{k / 3, k / 2, k - k/3} {
				if !balanced(x, i, j, a, k-a) {
					t.Errorf("coordinates %d and %d: boxes of 2^-%d × 2^-%d hold different numbers of points", j, i, a, k-a)
				}
			}
		}
	}
}

func TestPointsNestAndStayInside(t *testing.T) {
	long, short := fill(1000, 50, 5), fill(7, 50, 5)
	if !mat.Equal(short, long.Slice(0, 7, 0, 50)) {
		t.Error("the first 7 of 1000 points are not those of a fill of 7")
	}
	if mat.Equal(short, fill(7, 50, 6)) {
		t.Error("two seeds, the same points")
	}
	if lo, hi := mat.Min(long), mat.Max(long); !(lo > 0 && hi < 1) {
		t.Errorf("coordinates lie between %v and %v", lo, hi)
	}
	// The two ends of the range of digits.
	for _, v := range []uint64{0, 1<<digits - 1} {
		if u := (float64(v) + 0.5) / (1 << digits); !(u > 0 && u < 1) {
			t.Errorf("digits %x give %v", v, u)
		}
	}
}

// Over shifts, any one point is uniform: the mean of 4000 is ½ within 5 standard
// errors of 1/√12; of six coordinates together, a false alarm in 4e-6 of seeds.
func TestShiftedPointsAreUniform(t *testing.T) {
	const repeats = 4000
	var sum [6]float64
	rng, s, x := newRand(7), New(6), mat.NewDense(6, 6, nil)
	for range repeats {
		s.Fill(x, rng)
		for j := range sum {
			sum[j] += x.At(5, j)
		}
	}
	for j, v := range sum {
		if z := (v/repeats - 0.5) * math.Sqrt(12*repeats); math.Abs(z) > 5 {
			t.Errorf("coordinate %d: the mean is %.1f standard errors from ½", j, z)
		}
	}
}

func TestDimensionsAreChecked(t *testing.T) {
	for what, f := range map[string]func(){
		"dimension 0":         func() { New(0) },
		"dimension too large": func() { New(MaxDim + 1) },
		"another width":       func() { New(3).Fill(mat.NewDense(2, 4, nil), newRand(1)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", what)
				}
			}()
			f()
		}()
	}
}
