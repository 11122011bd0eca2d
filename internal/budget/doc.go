// Package budget compares methods at equal cost: which has the least error within
// an amount of a cost. It gives no verdict on a claim.
//
// # Steps
//
//  1. [Compare] picks and splits rows as claims do: by dataset and kernel, then
//     by `by`. The methods share a group.
//  2. Within each amount of the cost, a method takes its costliest cell that fits.
//     Cost alone chooses.
//  3. Each two methods are compared by the mean log ratio of
//     their errors, paired over repeats, two-sided. Every p is adjusted by Holm over
//     all comparisons of a budget; a difference is significant at 5 %.
package budget
