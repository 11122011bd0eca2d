package inference

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"
)

// RanksOf are the ranks of values, 1 for the least; tied values get their mean rank.
func RanksOf(values []float64) []float64 {
	ranks := make([]float64, len(values))
	for i, doubled := range doubledRanks(values) {
		ranks[i] = float64(doubled) / 2
	}
	return ranks
}

// Friedman tests that k methods do not differ, from their values on each of n problems
// (n rows of k). Mean are the mean ranks, chi2 is Friedman's statistic with his correction
// for ties, and p its tail in the χ² law with k-1 degrees of freedom, 1 where all values of
// each problem are tied. For few problems this law rejects too rarely: at 5 % it does so
// with probability 2.8 % for 3 methods on 3 problems, 3.9 % on 5.
//
// Reference: Friedman, The use of ranks to avoid the assumption of normality implicit in
// the analysis of variance, JASA 32 (1937); Demšar, Statistical comparisons of classifiers
// over multiple data sets, JMLR 7 (2006).
func Friedman(values [][]float64) (mean []float64, chi2, p float64) {
	n, k := float64(len(values)), len(values[0])
	mean = make([]float64, k)
	middle := float64(k+1) / 2
	within := 0.0 // squares of all ranks about the middle
	for _, row := range values {
		for j, rank := range RanksOf(row) {
			mean[j] += rank
			within += (rank - middle) * (rank - middle)
		}
	}
	floats.Scale(1/n, mean)
	if within == 0 {
		return mean, 0, 1
	}
	between := 0.0 // squares of the mean ranks about it
	for _, m := range mean {
		between += (m - middle) * (m - middle)
	}
	chi2 = n * n * between * float64(k-1) / within
	return mean, chi2, distuv.ChiSquared{K: float64(k - 1)}.Survival(chi2)
}
