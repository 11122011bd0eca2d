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
