// Package lloyd is k-means by Lloyd's algorithm, for points and for Gram
// matrices.
//
//  1. Seeds are drawn by k-means++, its greedy variant, or given (Init).
//  2. Points are assigned to their nearest centre, by matrix products over row
//     blocks; bounds on distances spare the points whose label cannot change
//     (Bounds). Labels are those of the plain algorithm.
//  3. Centres follow from exact sums, updated by the points that moved.
//  4. It ends when no label changes, or when the centres move less than
//     Options.Tol allows; empty clusters are seeded again, and recorded.
//  5. Of several starts the one of lowest cost is kept; the cost is computed
//     again from labels and centres.
//
// Gram is the same on an n×n kernel matrix, without an embedding; MiniBatch
// updates the centres from random batches.
package lloyd
