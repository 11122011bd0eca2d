package lloyd

import (
	"context"
	"math"
	"math/big"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/mat"
)

// TestSumsAreExact moves points to and fro 80,000 times and demands the bits of
// sums computed anew, and centres within one rounding of exact ones: columns
// range from 1e-12 to 1e9, with a large common part in the last.
func TestSumsAreExact(t *testing.T) {
	const n, d, k = 700, 6, 4
	x, _ := mixture(n, d, 3, 1, 8)
	scale := []float64{1, 1e-12, 1e9, math.Pi, 1e-3, 1}
	x.Apply(func(_, c int, v float64) float64 {
		if c == d-1 {
			v += 1e10
		}
		return v * scale[c]
	}, x)
	p := looked(t, x)
	rng := stream(4)
	labels, count := make([]int, n), make([]float64, k)
	moved := newSums(p.grid, k)
	for i := range n {
		labels[i] = rng.IntN(k)
		moved.add(labels[i], 1, x.RawRowView(i))
	}
	delta := newSums(p.grid, k)
	for step := range 20000 {
		some, to := rng.Perm(n)[:1+step%7], rng.IntN(k)
		into := moved
		if step%3 > 0 { // by way of another goroutine's sums
			into = delta
		}
		for _, i := range some {
			into.add(labels[i], -1, x.RawRowView(i))
			labels[i] = to
		}
		for _, i := range some {
			into.add(to, 1, x.RawRowView(i))
		}
		moved.absorb(delta)
	}
	anew := newSums(p.grid, k)
	for i := n - 1; i >= 0; i-- {
		anew.add(labels[i], 1, x.RawRowView(i))
		count[labels[i]]++
	}
	if !slices.Equal(moved.hi, anew.hi) || !slices.Equal(moved.lo, anew.lo) {
		t.Fatal("sums after many moves differ from sums computed anew")
	}
	mean := make([]float64, d)
	for j := range k {
		for c := range mean {
			mean[c] = (anew.hi[j*d+c] + anew.lo[j*d+c]) / count[j]
		}
		for c := range d {
			exact := new(big.Float).SetPrec(400)
			for i, label := range labels {
				if label == j {
					exact.Add(exact, big.NewFloat(x.At(i, c)))
				}
			}
			want, _ := exact.Quo(exact, big.NewFloat(count[j])).Float64()
			// Two roundings, of the sum and of the quotient; and n²·2^-102 of the
			// column's largest magnitude, 2^-83 of it here.
			largest := 0.0
			for i := range n {
				largest = max(largest, math.Abs(x.At(i, c)))
			}
			if tolerance := 0x1p-52*math.Abs(want) + 0x1p-82*largest; math.Abs(mean[c]-want) > tolerance {
				t.Errorf("mean of column %d: %v, want %v", c, mean[c], want)
			}
		}
	}
}

// roughBLAS is gonum's, its products wrong by up to as much as any order of
// summation could make them: d·2^-53·Σ|a_i b_i|, with signs from the bits.
type roughBLAS struct{ gonum.Implementation }

func (b roughBLAS) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, x []float64, ldx int, beta float64, c []float64, ldc int) {
	b.Implementation.Dgemm(tA, tB, m, n, k, alpha, a, lda, x, ldx, beta, c, ldc)
	element := func(t blas.Transpose, a []float64, ld, i, j int) float64 {
		if t == blas.Trans {
			i, j = j, i
		}
		return a[i*ld+j]
	}
	for i := range m {
		for j := range n {
			size := 0.0
			for l := range k {
				size += math.Abs(alpha * element(tA, a, lda, i, l) * element(tB, x, ldx, l, j))
			}
			bits := math.Float64bits(c[i*ldc+j])
			c[i*ldc+j] += (float64((bits*0x9e3779b97f4a7c15)>>40)/(1<<23) - 1) * float64(k) * 0x1p-53 * size
		}
	}
}

func sameBits(a, b Result) bool {
	return slices.Equal(a.Labels, b.Labels) && slices.Equal(a.Centers.RawMatrix().Data, b.Centers.RawMatrix().Data) &&
		a.Cost == b.Cost && a.Iterations == b.Iterations && a.Ties == b.Ties && a.Reassigned == b.Reassigned
}

// TestSameBits demands equal results of every kind of bounds, every GOMAXPROCS
// and a BLAS that rounds badly, on data with and without ties.
func TestSameBits(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	before := blas64.Implementation()
	defer blas64.Use(before)
	smooth, _ := mixture(9000, 33, 12, 0.5, 1)
	flat, _ := mixture(5000, 3, 9, 0.7, 1)
	for name, x := range map[string]*mat.Dense{"smooth": smooth, "flat": flat, "ties": lattice(6000, 10, 2, 5), "equal points": lattice(3000, 9, 1, 5)} {
		for init, warm := range map[Init]float64{PlusPlus: 0, GreedyPlusPlus: 0.2} {
			var want Result
			for round, procs := range []int{1, 2, 3, 8, 1} {
				runtime.GOMAXPROCS(procs)
				blas64.Use(before)
				if round == 4 {
					blas64.Use(roughBLAS{})
				}
				for _, plain := range []bool{false, true} {
					o := DefaultOptions()
					o.Init, o.Warm, o.Plain, o.Restarts, o.Tol = init, warm, plain, 2, 1e-6
					got := cluster(t, x, 12, o, 3)
					if want.Labels == nil {
						want = got
					} else if !sameBits(got, want) {
						t.Errorf("%s, %s, plain %v, GOMAXPROCS %d, round %d: another result", name, init, plain, procs, round)
					}
				}
			}
		}
	}
}

// TestMiniBatchSameBits is the same of mini-batches, whose centres do depend on
// the order of sums, but not on the goroutines.
func TestMiniBatchSameBits(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	x, _ := mixture(5000, 33, 12, 0.5, 1)
	var want Result
	for _, procs := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(procs)
		o := DefaultOptions()
		o.MiniBatch, o.MaxIter = 1500, 4
		got := cluster(t, x, 12, o, 3)
		if want.Labels == nil {
			want = got
		} else if !sameBits(got, want) {
			t.Errorf("GOMAXPROCS %d: another result", procs)
		}
	}
}

// TestBoundsHold checks every bound of every point after each iteration.
func TestBoundsHold(t *testing.T) {
	ctx := context.Background()
	x, _ := mixture(1500, 90, 6, 0.1, 3)
	x.Apply(func(_, c int, v float64) float64 { return 100 + v/float64(1+c/6) }, x)
	o := from(firstRows(x, 6))
	r := newRun(looked(t, x), 6, o)
	if err := r.begin(ctx, o, nil); err != nil {
		t.Fatal(err)
	}
	for range 25 {
		if _, err := r.assign(ctx); err != nil {
			t.Fatal(err)
		}
		checkBounds(t, r)
		if _, err := r.means(ctx, &r.clusters); err != nil {
			t.Fatal(err)
		}
	}
	if r.result.Evaluated > 20*1500 {
		t.Errorf("%d of %d evaluations: the bounds save nothing", r.result.Evaluated, 25*1500)
	}
}

func checkBounds(t *testing.T, r *run) {
	t.Helper()
	b := r.bounds
	for i, label := range r.labels {
		near := math.Inf(1)
		for j := range r.k {
			distance := math.Sqrt(r.distance(i, j))
			if j == label && distance > b.upper[i] {
				t.Fatalf("point %d is %v from its centre, bound %v", i, distance, b.upper[i])
			}
			if j != label {
				near = min(near, distance)
			}
		}
		if near < b.near[i] {
			t.Fatalf("point %d is %v from the next centre, bound %v", i, near, b.near[i])
		}
	}
}

// looked is the space of x.
func looked(t *testing.T, x *mat.Dense) *points {
	t.Helper()
	p := dense(x, nil)
	if err := p.look(context.Background()); err != nil {
		t.Fatal(err)
	}
	return p
}
