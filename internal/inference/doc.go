// Package inference tests what repeats say of a number: whether it lies in a band.
//
//  1. A [Band] is what is claimed of the number, "= 1 ± 0.1" or "<= 2".
//  2. A [Comparison] of two [Sample]s has the difference, its interval and its p. Whatever says
//     that one method or run is better than another asks it; start in compare.go.
//  3. A [Test] makes an [Estimate] of the values over repeats: the number, its interval, and
//     the p of the hypothesis that it lies in the band. [SkewTest] is about a mean, by
//     limits that allow for a tail, [ShareTest] about the limit that a share of draws keeps,
//     [DistanceTest] about the distance of a distribution function from a normal law, and
//     [CoverageTest] about how often a bound holds.
//  4. [Holm] corrects p-values for being many, and a [Look] says which share of the error
//     rates one of several readings has.
//  5. [Friedman] asks whether any of several methods differs, by ranks; [SignedRank] and [RankSum]
//     are exact for every law.
//
// It knows nothing of claims, records and verdicts, and imports only leaves.
package inference
