// Package lloyd is k-means by Lloyd's algorithm, for points and for Gram
// matrices.
//
//  1. One pass takes statistics.
//  2. Seeds are drawn by greedy k-means++, by the plain one, or given (Init); or
//     they are the centres of k-means on a sample (Warm).
//  3. Points are assigned to their nearest centre, by matrix products over row
//     blocks. Bounds on distances spare most points that: from the last known
//     distances and what the centres have moved since (Bounds). Labels are those of
//     the plain algorithm.
//  4. Centres follow from exact sums, updated by the points that moved.
//  5. It ends when no label changes, or when the centres move less than
//     Options.Tol allows; empty clusters are seeded again, and recorded.
//  6. Of several starts the one of lowest cost is kept; the cost is computed
//     again from labels and centres.
//
// Gram is the same on an n×n kernel matrix, without an embedding; MiniBatch
// updates the centres from random batches. ClusterCounts and GramCounts are the plain
// algorithm for points that stand for several, whatever their numbers are.
package lloyd
