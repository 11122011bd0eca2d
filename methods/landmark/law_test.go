package landmark

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

// five are points of the line for a Gaussian kernel: two of them close, so that
// the second pivot is far from uniform.
func five() (kernel.Kernel, *mat.Dense) {
	return kernel.NewGaussian(1), mat.NewDense(5, 1, []float64{0, 0.4, 0.9, 2, 3.1})
}

// scaledFive has a diagonal that is not constant: k(x,y) = 1/2 + xy.
func scaledFive() (kernel.Kernel, *mat.Dense) {
	return kernel.Polynomial{Degree: 2, Gamma: 1, Offset: 0.5}, mat.NewDense(5, 1, []float64{-0.8, 0.3, 0.9, 1.1, 1.6})
}

// remainder is diag(A − A_{:S} A_SS⁻¹ A_{S:}) by gonum's solver.
func remainder(a *mat.Dense, s []int) []float64 {
	n, _ := a.Dims()
	left := make([]float64, n)
	for i := range left {
		left[i] = a.At(i, i)
	}
	if len(s) == 0 {
		return left
	}
	ass, ans := mat.NewDense(len(s), len(s), nil), mat.NewDense(n, len(s), nil)
	for b, j := range s {
		for c, l := range s {
			ass.Set(b, c, a.At(j, l))
		}
		for i := range n {
			ans.Set(i, b, a.At(i, j))
		}
	}
	var solved mat.Dense
	if err := solved.Solve(ass, ans.T()); err != nil {
		panic(err)
	}
	for i := range left {
		left[i] -= mat.Dot(ans.RowView(i), solved.ColView(i))
		if slices.Contains(s, i) {
			left[i] = 0
		}
	}
	return left
}

// TestLawOfPivots: the sequence of pivots of randomly pivoted Cholesky has the law
// of its definition, enumerated, for the plain algorithm and for proposals in
// blocks. A block in which nothing is refused has a law that is off by far more
// than so many draws hide.
func TestLawOfPivots(t *testing.T) {
	for name, problem := range map[string]func() (kernel.Kernel, *mat.Dense){"gaussian": five, "polynomial": scaledFive} {
		k, x := problem()
		gram := gramOf(k, x)
		for _, m := range []int{2, 3} {
			law := chained(5, m, func(before []int) []float64 { return remainder(gram, before) })
			for block, draws := range blocksAndDraws {
				t.Run(fmt.Sprintf("%s/m=%d/block=%d", name, m, block), func(t *testing.T) {
					p := problemOf(t, k, x, m, 7, By("rpcholesky"))
					if _, err := p.setDiagonal(); err != nil {
						t.Fatal(err)
					}
					c := pivoting{problem: p, block: block, tolerance: 1e-14}
					obeys(t, onlyLikely(law), draws, func() []int {
						pivots, err := c.pivots(slices.Clone(p.diag))
						if err != nil {
							t.Fatal(err)
						}
						return likely(law, pivots)
					})
				})
			}
		}
	}
}

// blocksAndDraws are numbers of proposals, and how often the law is drawn from
// with each.
var blocksAndDraws = map[int]int{1: 10000, 3: 20000, 20: 4000}

// rare is the probability below which outcomes are counted together.
const rare = 2e-3

// onlyLikely joins the rare outcomes of a law to one.
func onlyLikely(law map[string]float64) map[string]float64 {
	joined := map[string]float64{}
	for outcome, p := range law {
		if p < rare {
			outcome = fmt.Sprint([]int{-1})
		}
		joined[outcome] += p
	}
	return joined
}

// likely is an outcome, or what stands for the rare ones.
func likely(law map[string]float64, outcome []int) []int {
	if p, possible := law[fmt.Sprint(outcome)]; possible && p < rare {
		return []int{-1}
	}
	return outcome
}

// TestLawOfDSquared: the same for D² sampling in H, first point uniform.
func TestLawOfDSquared(t *testing.T) {
	k, x := five()
	gram := gramOf(k, x)
	law := chained(5, 3, func(before []int) []float64 {
		if len(before) == 0 {
			return slices.Repeat([]float64{1}, 5)
		}
		w := make([]float64, 5)
		for i := range w {
			w[i] = math.Inf(1)
			for _, c := range before {
				w[i] = min(w[i], gram.At(i, i)+gram.At(c, c)-2*gram.At(i, c))
			}
		}
		return w
	})
	for block, draws := range blocksAndDraws {
		t.Run(fmt.Sprint(block), func(t *testing.T) {
			p := problemOf(t, k, x, 3, 8, By("kmeans++"))
			if _, err := p.setDiagonal(); err != nil {
				t.Fatal(err)
			}
			obeys(t, onlyLikely(law), draws, func() []int {
				drawn, err := p.spread(t.Context(), block, p.rng)
				if err != nil {
					t.Fatal(err)
				}
				return likely(law, drawn)
			})
		})
	}
}

// TestLawOfLeverage: draws without replacement are one after another by score;
// with replacement, the distinct points of m draws in the order of the first.
func TestLawOfLeverage(t *testing.T) {
	k, x := scaledFive()
	o := By("leverage")
	o.Level = 0.1
	values, vectors, err := Decompose(t.Context(), k, x, nil)
	if err != nil {
		t.Fatal(err)
	}
	scores := leverageScores(values, vectors, 5*o.Level)
	law := chained(5, 2, func(before []int) []float64 {
		w := slices.Clone(scores)
		for _, i := range before {
			w[i] = 0
		}
		return w
	})
	rng := stream(3)
	draw := func() []int {
		set, err := Pick(t.Context(), k, x, nil, nil, 2, rng, o)
		if err != nil {
			t.Fatal(err)
		}
		return set.Indices
	}
	obeys(t, law, 20000, draw)

	o.Replacement = true
	again := map[string]float64{}
	total := 0.0
	for _, s := range scores {
		total += s
	}
	for i, a := range scores {
		for j, b := range scores {
			outcome := []int{i, j}[:min(2, 1+max(i-j, j-i))]
			again[fmt.Sprint(outcome)] += a * b / (total * total)
		}
	}
	obeys(t, again, 20000, draw)
}

// TestLawOfUniform: all ordered pairs are alike, also with replacement.
func TestLawOfUniform(t *testing.T) {
	k, x := five()
	rng := stream(4)
	for _, replacement := range []bool{false, true} {
		o := By("uniform")
		o.Replacement = replacement
		law := map[string]float64{}
		sequences(5, 2, func(s []int) { law[fmt.Sprint(s)] = 1. / 20 })
		if replacement {
			for s := range law {
				law[s] = 1. / 25
			}
			for i := range 5 {
				law[fmt.Sprint([]int{i})] = 1. / 25
			}
		}
		obeys(t, law, 20000, func() []int {
			set, err := Pick(t.Context(), k, x, nil, nil, 2, rng, o)
			if err != nil {
				t.Fatal(err)
			}
			return set.Indices
		})
	}
}

// TestPivotsFactor: the factor that the pivots build is the Cholesky factor of
// the matrix on them, so that the remainder they are drawn by is that of a
// solver, over several rounds.
func TestPivotsFactor(t *testing.T) {
	x, k := scattered(5, 300, 3), kernel.NewGaussian(0.3)
	p := problemOf(t, k, x, 100, 5, By("rpcholesky"))
	if _, err := p.setDiagonal(); err != nil {
		t.Fatal(err)
	}
	c, left := pivoting{problem: p, block: 16, tolerance: linalg.DefaultPivotTolerance(100)}, slices.Clone(p.diag)
	pivots, err := c.pivots(left)
	if err != nil {
		t.Fatal(err)
	}
	if len(pivots) != 100 {
		t.Fatalf("%d pivots", len(pivots))
	}
	want := remainder(gramOf(k, x), pivots)
	for i, got := range left {
		// Solving with K_SS loses its condition number of about 1e6.
		if math.Abs(got-want[i]) > 1e-9 {
			t.Fatalf("remainder at %d is %.12g, want %.12g", i, got, want[i])
		}
	}
}

// TestGreedyPivots: each point is the farthest from the span of those before, by a solver.
func TestGreedyPivots(t *testing.T) {
	for name, problem := range map[string]func() (kernel.Kernel, *mat.Dense){"gaussian": five, "polynomial": scaledFive} {
		k, x := problem()
		gram, got := gramOf(k, x), pick(t, k, x, 4, 1, By("greedy")).Indices
		for place, index := range got {
			if left := remainder(gram, got[:place]); index != floats.MaxIdx(left) {
				t.Errorf("%s: pivot %d is %d, with %v left", name, place, index, left)
			}
		}
	}
}
