// Package lloyd is k-means by Lloyd's algorithm, written once (run, in lloyd.go) over a
// space of items with weights: points, or a Gram matrix. An item of weight 3 stands for
// three points in one place.
//
//  1. The space is looked at once: NaN, magnitudes, variance.
//  2. Seeds are drawn by greedy k-means++, by the plain one, or given (Init); or
//     they are the centres of k-means on a sample (Warm).
//  3. Items are assigned to their nearest centre. Among points that is by matrix products
//     over row blocks, and bounds on distances spare most points that: from the last known
//     distances and what the centres have moved since (bounds). Labels are those of
//     the plain algorithm.
//  4. Centres are the means of clusters, from exact sums that are updated by the items that
//     moved; those of weighted points are summed anew.
//  5. It ends when no label changes, or when the centres move less than
//     Options.Tol allows; empty clusters are seeded again, and recorded.
//  6. Of several starts the one of lowest cost is kept; the cost is computed
//     again from labels and centres.
//
// A stranger starts at run.iterate, and then reads space.go.
//
// MiniBatch updates the centres from random batches instead.
package lloyd
