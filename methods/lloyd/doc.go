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
//     the plain algorithm, also where products in single precision find most of them.
//  4. Centres are the means of clusters, from exact sums that are updated by the items that
//     moved; those of weighted points are summed anew.
//  5. It ends when no label changes, or when the centres move less than
//     Options.Tol allows; empty clusters are seeded again, and recorded.
//  6. Of several starts the one of lowest cost is kept; the cost is computed
//     again from labels and centres.
//
// A stranger starts at run.iterate, and then reads space.go.
//
// What a trick carries is the processor time without it over that with it, medians of
// three rounds in turns on one core of a busy machine, right within a tenth:
//
//	                                      no bounds   no past centres   half gaps   subspace
//	Nyström features of MNIST, k = 10:
//	  40,000 × 1000, warm 1/8                2.9            1.04            0.96       0.91
//	  40,000 × 1000                          2.0            1.12            1.01       1.21
//	columns that fall off, 20,000 × 500      1.7            1.00            0.93       1.21
//	  the same, warm 1/8                     2.4            0.91            0.88       1.24
//	  25,000 × 64                            2.8            1.13            1.02       –
//	clusters, 20,000 × 500, k = 10           1.0            0.97            0.99       0.73
//	  20,000 × 20, k = 100                   1.7            0.84            0.96       –
//	  50,000 × 2, k = 10                     1.7            1.11            0.95       –
//
// No bounds and no past centres are against Hamerly's bounds alone. The last two are
// gone: half the gaps between centres, and distances in the 48 directions in which the
// points vary most. So are skips by the triangle inequality among seeds, which carried
// 1.00 to 1.04.
//
// MiniBatch updates the centres from random batches instead.
package lloyd
