package landmark

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
)

// leadingOf are the k leading eigenvectors of a and all eigenvalues, falling, by gonum.
func leadingOf(a *mat.Dense, k int) (*mat.Dense, []float64) {
	n, _ := a.Dims()
	var e mat.EigenSym
	if !e.Factorize(mat.NewSymDense(n, mat.DenseCopyOf(a).RawMatrix().Data), true) {
		panic("no eigendecomposition")
	}
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	values, leading := e.Values(nil), mat.NewDense(n, k, nil)
	slices.Reverse(values)
	for j := range k {
		leading.SetCol(j, mat.Col(nil, n-1-j, &vectors))
	}
	return leading, values
}

// volume is det(V_S)².
func volume(v *mat.Dense, s []int) float64 {
	square := mat.NewDense(len(s), len(s), nil)
	for a, i := range s {
		square.SetRow(a, v.RawRowView(i))
	}
	return math.Pow(mat.Det(square), 2)
}

// TestLawOfAdaptive: points are drawn by the squared distances of their rows from the span
// of the rows before; that law is enumerated, and gives a set the probability det(V_S)².
func TestLawOfAdaptive(t *testing.T) {
	const m = 3
	k, x := scaledFive()
	x.Set(4, 0, 1.4)
	gram := gramOf(k, x)
	gram.Apply(func(i, j int, v float64) float64 { // of full rank
		if i == j {
			v += 0.3
		}
		return v
	}, gram)
	v, _ := leadingOf(gram, m)
	var projected mat.Dense
	projected.Mul(v, v.T())
	law, sets := chained(5, m, func(before []int) []float64 { return remainder(&projected, before) }), map[string]float64{}
	sequences(5, m, func(s []int) { sets[fmt.Sprint(slices.Sorted(slices.Values(s)))] += law[fmt.Sprint(s)] })
	sequences(5, m, func(s []int) {
		if slices.IsSorted(s) && math.Abs(sets[fmt.Sprint(s)]-volume(v, s)) > 1e-12 {
			t.Errorf("%v has probability %v, det² is %v", s, sets[fmt.Sprint(s)], volume(v, s))
		}
	})
	p := problemOf(t, k, x, m, 7, By("adaptive"))
	obeys(t, onlyLikely(law), 20000, func() []int {
		set, err := p.drawProjection(v)
		if err != nil {
			t.Fatal(err)
		}
		return likely(law, set.Indices)
	})
}

// TestLeastExpected: each point of the derandomised rule has the least conditional
// expectation of ‖(R_S)ᵀV_S⁻ᵀ‖_F² of all, found by enumeration of what may follow.
func TestLeastExpected(t *testing.T) {
	const n, m = 7, 3
	for seed := range uint64(20) {
		v, values := leadingOf(gramOf(kernel.NewGaussian(0.5), scattered(seed, n, 2)), n)
		basis, rest := mat.DenseCopyOf(v.Slice(0, n, 0, m)), mat.NewDense(n, n-m, nil)
		for j := m; j < n; j++ {
			for i := range n {
				rest.Set(i, j-m, v.At(i, j)*math.Sqrt(values[j]))
			}
		}
		expected := func(before []int) float64 {
			sum, total := 0.0, 0.0
			sequences(n, m, func(s []int) {
				if slices.Equal(s[:len(before)], before) {
					w := volume(basis, s)
					total += w
					sum += w * oblique(basis, rest, s)
				}
			})
			return sum / total
		}
		if got, want := expected(nil), m*math.Pow(mat.Norm(rest, 2), 2); math.Abs(got-want) > 1e-9*want {
			t.Fatalf("the expectation is %v, not %v", got, want)
		}
		var before []int
		for _, i := range leastExpected(mat.DenseCopyOf(basis), mat.DenseCopyOf(rest)) {
			taken := expected(append(slices.Clone(before), i))
			for other := range n {
				if !slices.Contains(before, other) && expected(append(slices.Clone(before), other)) < taken*(1-1e-9) {
					t.Errorf("seed %d: after %v point %d is taken, and %d is better", seed, before, i, other)
				}
			}
			before = append(before, i)
		}
		if len(before) != m {
			t.Errorf("%v", before)
		}
	}
}

// oblique is ‖(R_S)ᵀV_S⁻ᵀ‖_F².
func oblique(basis, rest *mat.Dense, s []int) float64 {
	_, c := rest.Dims()
	vs, rs := mat.NewDense(len(s), len(s), nil), mat.NewDense(len(s), c, nil)
	for a, i := range s {
		vs.SetRow(a, basis.RawRowView(i))
		rs.SetRow(a, rest.RawRowView(i))
	}
	var solved mat.Dense
	if err := solved.Solve(vs, rs); err != nil { // V_S⁻¹R_S
		panic(err)
	}
	return math.Pow(mat.Norm(&solved, 2), 2)
}

// TestAdaptiveBound: tr(K − K̂) ≤ (m+1)·Σ_{i>m} λ_i, derandomised for every sample, and in
// the mean of 100 draws with 6 standard errors to spare. Uniform landmarks break it.
func TestAdaptiveBound(t *testing.T) {
	const n, m = 120, 14
	k := kernel.NewGaussian(0.5)
	for seed := range uint64(3) {
		x := clustered(seed, n)
		gram := gramOf(k, x)
		_, values := leadingOf(gram, 1)
		bound := (m + 1) * floats.Sum(values[m:])
		for i := range n { // of uniform points K_SS may be singular; this leaves more
			gram.Set(i, i, gram.At(i, i)+1e-9)
		}
		left := func(o Options, seed uint64) float64 {
			return floats.Sum(remainder(gram, pick(t, k, x, m, seed, o).Indices))
		}
		if got := left(Options{Rule: "adaptive", Derandomized: true}, 1); !(got <= bound) {
			t.Errorf("derandomised leaves %v, the bound is %v", got, bound)
		}
		const draws = 100
		means := map[string][2]float64{}
		for _, rule := range []string{"adaptive", "uniform"} {
			sum, squares := 0.0, 0.0
			for draw := range uint64(draws) {
				v := left(By(rule), draw)
				sum, squares = sum+v/draws, squares+v*v/draws
			}
			means[rule] = [2]float64{sum, math.Sqrt((squares - sum*sum) / draws)}
		}
		if a := means["adaptive"]; !(a[0]+6*a[1] <= bound) {
			t.Errorf("adaptive leaves %v ± %v in the mean, the bound is %v", a[0], a[1], bound)
		}
		if u := means["uniform"]; !(u[0]-6*u[1] > bound) {
			t.Errorf("uniform leaves %v ± %v in the mean, and the bound is %v: it says nothing", u[0], u[1], bound)
		}
	}
}
