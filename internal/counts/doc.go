// Package counts draws random numbers of points: how many of n points fall on each
// of K atoms, whatever n is. Counts are whole numbers up to 2⁵³, kept as float64.
//
//  1. [Binomial] draws one count.
//  2. [Multinomial] draws the counts of n independent points, K binomials.
//  3. [Subset] draws the counts of m of n points without replacement, the
//     multivariate hypergeometric law, [Sequence] such points one after another,
//     by weight.
//  4. [At] says on which atom a point of the sample lies, where points stand in the
//     order of their atoms.
//
// Numbers are drawn from the stream that is passed in alone, and in one order.
package counts
