package lloyd

import "math"

// A grid splits numbers of a column into hi + lo, hi a multiple of a quantum so
// coarse that n of them add up exactly in a float64, and lo one of a second
// quantum, finer by 52 − log2(n) bits, with which the same is true. Sums of the
// parts are therefore exact: the same in any order, and after any number of
// additions and subtractions the same as computed anew. What is lost is below
// the second quantum: at most n²·2^(−102) of the column's largest magnitude a
// number.
//
// Reference: Demmel and Nguyen, Parallel reproducible summation, IEEE
// Transactions on Computers 64 (2015), the pre-rounding with two bins.
type grid struct {
	hi, lo []float64 // 1.5·2^52 quanta for each column: adding and subtracting it rounds to a multiple
}

// newGrid is the grid for sums of n numbers, column c of magnitude up to
// largest[c].
func newGrid(largest []float64, n int) grid {
	g := grid{make([]float64, len(largest)), make([]float64, len(largest))}
	count := math.Ilogb(float64(n)) + 1 // n ≤ 2^count
	for c, m := range largest {
		exponent := -900 // of the quantum, for a column of zeros or nearly so
		if m > 0 {
			exponent = max(exponent, math.Ilogb(m)+1+count+1-53)
		}
		g.hi[c] = math.Ldexp(1.5, 52+exponent)
		g.lo[c] = math.Ldexp(1.5, 52+exponent+count-52)
	}
	return g
}

// sums are exact sums of the rows of each of k clusters.
type sums struct {
	grid   grid
	hi, lo []float64 // k×d
}

func newSums(g grid, k int) *sums {
	return &sums{grid: g, hi: make([]float64, k*len(g.hi)), lo: make([]float64, k*len(g.hi))}
}

// add adds a row to cluster j, or takes it from it, with sign −1.
func (s *sums) add(j int, sign float64, x []float64) {
	hi, lo := s.hi[j*len(x):][:len(x)], s.lo[j*len(x):][:len(x)]
	a, b := s.grid.hi[:len(x)], s.grid.lo[:len(x)]
	for c, v := range x {
		h := (v + a[c]) - a[c]
		hi[c] += sign * h
		lo[c] += sign * (((v - h) + b[c]) - b[c])
	}
}

// absorb adds what another holds, and empties it.
func (s *sums) absorb(other *sums) {
	for i := range s.hi {
		s.hi[i] += other.hi[i]
		s.lo[i] += other.lo[i]
	}
	clear(other.hi)
	clear(other.lo)
}
