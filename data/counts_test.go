package data

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// TestNested: the sample of n is among that of every larger n, adds up to n, and does
// not depend on which others are drawn before.
func TestNested(t *testing.T) {
	sizes := []int{0, 1, 2, 9, 10, 11, 100, 316, 317, 1000, 1001, 3162, 31623, 1e6, 123_456_789, 1e10, 4e15 + 1, 1 << 53}
	masses := []float64{1, 0.5, 3, 0, 0.001}
	s := nested{repeat(1), masses}
	before := make([]float64, len(masses))
	for _, n := range sizes {
		counts := must(s.first(n))
		if floats.Sum(counts) != float64(n) {
			t.Errorf("n = %d: %v add up to %v", n, counts, floats.Sum(counts))
		}
		for j, c := range counts {
			if c < before[j] || c != math.Trunc(c) || masses[j] == 0 && c > 0 {
				t.Errorf("n = %d: %v after %v", n, counts, before)
			}
		}
		before = counts
	}
	for _, n := range slices.Backward(sizes) {
		if alone := must(nested{repeat(1), masses}.first(n)); n == 1e6 && !slices.Equal(alone, must(s.first(n))) {
			t.Error("a sample depends on those before")
		}
	}
	if slices.Equal(must(nested{repeat(2), masses}.first(1e6)), must(s.first(1e6))) {
		t.Error("two repeats have the same sample")
	}
	if _, err := s.first(1<<53 + 1); err == nil {
		t.Error("counts beyond 2^53")
	}
}

// TestNestedLaw: means, variances and the covariance of two sizes are those of
// independent points, for n at ends of runs and inside them. 18 numbers of 4.5
// standard deviations: a right program fails once in 8000 seeds.
func TestNestedLaw(t *testing.T) {
	masses := []float64{0.2, 0.3, 0.5}
	const draws = 4000
	sizes := []int{37, 1000, 62_345}
	for i, n := range sizes {
		larger := sizes[(i+1)%len(sizes)]
		common := float64(min(n, larger)) / math.Sqrt(float64(n)*float64(larger)) // of standardised counts
		var sum, square, cross float64
		for r := range draws {
			s := nested{repeat(uint64(1000 + r)), masses}
			z := func(n int) float64 {
				size := float64(n)
				return (must(s.first(n))[1] - 0.3*size) / math.Sqrt(size*0.3*0.7)
			}
			a, b := z(n), z(larger)
			sum, square, cross = sum+a, square+a*a, cross+a*b
		}
		off := func(what string, got, want, variance float64) {
			if z := (got - want*draws) / math.Sqrt(draws*variance); math.Abs(z) > 4.5 {
				t.Errorf("n = %d: the %s is off by %.1f standard deviations", n, what, z)
			}
		}
		off("mean", sum, 0, 1)
		off("variance", square, 1, 2)
		off("covariance", cross, common, 1+common*common)
	}
}

func TestHalfway(t *testing.T) {
	for _, test := range [][3]int{{1000, 10000, 5000}, {1000, 5000, 3000}, {3000, 4000, 3500}, {0, 2, 1}, {10, 12, 11}, {7, 10, 8}} {
		if got := halfway(test[0], test[1]); got != test[2] {
			t.Errorf("halfway from %d to %d: %d, want %d", test[0], test[1], got, test[2])
		}
	}
}

// TestCovarianceOfCounts: over repeats the covariance of a sample of counts, divided by
// n−1, averages to the population's: 10 entries of 4.5 standard errors, and the trace
// that the population says.
func TestCovarianceOfCounts(t *testing.T) {
	set := must(open("atoms", "{atoms: 12, eigenvalues: [1, 0.5, 0.2, 0.1], masses: {power: 1}}", Context{})).(*atomsDataset)
	f := set.series.Coordinates(set.points)
	const n, draws = 30, 3000
	covariance := func(p []float64) *mat.SymDense {
		var mean mat.VecDense
		mean.MulVec(f.T(), mat.NewVecDense(len(p), p))
		s := mat.NewSymDense(4, nil)
		for j, mass := range p {
			s.SymRankOne(s, mass, f.RowView(j))
		}
		s.SymRankOne(s, -1, &mean)
		return s
	}
	want := covariance(set.masses)
	draw := must(set.Draw(repeat(1)))
	population := must(draw.Population(set.series, 4))
	near(t, "trace", mat.Trace(want), must(population.Tail(1, 0)), 1e-13)
	sum, square := mat.NewSymDense(4, nil), mat.NewSymDense(4, nil)
	for r := range draws {
		counts := must(must(set.Draw(repeat(uint64(r)))).Counted().First(n))
		floats.Scale(1./n, counts)
		s := covariance(counts)
		for i := range 4 {
			for j := i; j < 4; j++ {
				v := s.At(i, j) * n / (n - 1)
				sum.SetSym(i, j, sum.At(i, j)+v)
				square.SetSym(i, j, square.At(i, j)+v*v)
			}
		}
	}
	for i := range 4 {
		for j := i; j < 4; j++ {
			mean := sum.At(i, j) / draws
			err := math.Sqrt((square.At(i, j)/draws - mean*mean) / draws)
			if z := (mean - want.At(i, j)) / err; math.Abs(z) > 4.5 {
				t.Errorf("entry (%d, %d) averages to %.5f, %.1f standard errors from %.5f", i, j, mean, z, want.At(i, j))
			}
		}
	}
}
