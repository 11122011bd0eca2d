// Package inference tests what repeats say of a number: whether it lies in a band.
//
//  1. A [Band] is what is claimed of the number, "= 1 ± 0.1" or "<= 2".
//  2. A [Test] makes an [Estimate] of the values over repeats: the number, its interval, and
//     the p of the hypothesis that it lies in the band. [SkewTest] is about a mean, by t
//     limits or by those that allow for a tail, [DistanceTest] about the distance of a
//     distribution function from a normal law, and [Coverage] about how often a bound holds.
//  3. [Unseen] is what so many values can all have missed.
//  4. [Holm] corrects p-values for being many, and a [Look] says which share of the error
//     rates one of several readings has.
//  5. A test also says how many repeats would decide, and which truth it would have found
//     ([Detectable]).
//
// It knows nothing of claims, records and verdicts, and imports only leaves.
package inference
