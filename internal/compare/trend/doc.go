// Package trend finds the places at which the level of a series changes: the
// runs, ordered in time, since which a fit takes longer or an error is larger.
//
// # Steps
//
//  1. [Find] looks at the whole series for the pair of neighbouring stretches whose
//     values differ most, by the energy statistic of E-divisive.
//  2. A permutation test says how often so large a difference comes about by order
//     alone. If that is rare, the place is a change, and the stretches on either
//     side of it are looked at in the same way, until nothing rare is left.
//
// The test assumes of a series without change that all orders of its values are
// equally likely. It assumes no distribution: an outlier is no change, for it may
// stand anywhere. Slow drifts of a machine break the assumption; the tests of this
// package say how much that costs.
//
// A permutation test cannot call rare what has few orders: k changed values at the
// end of n are found at level p only if 2/C(n,k) is well below p. At 1 % that takes
// 3 of 16 values, or 4 of 12; a single new value is what mercer compare is for.
//
// Reference: Matteson & James 2014 (E-divisive).
package trend
