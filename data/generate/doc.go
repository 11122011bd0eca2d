// Package generate draws labelled points from distributions in R^D.
//
// Each generator is an options struct with a DefaultX value, of which a spec sets what its
// doc strings say; the radii of those in the plane are fixed. Its work goes in these steps:
//
//  1. what belongs to the population and not to the sample (a mixture's
//     centres) is fixed by the options alone;
//  2. Draw makes one point after the other from the stream it is given, so the
//     first k points are the same for every n: samples are nested.
//
// Points are rows of an n×D matrix; a label is the code 0 … Classes()−1 of the
// part that a point was drawn from. Lengths are in the units of the data.
//
//	paper                       here
//	KJL Fig 1, cluster in cluster     Rings
//	KJL Fig 1, crescent & full moon   Moons
//	RPCholesky, Fig 1, smile          Smile
//	N points                          n of Draw
//	S^{D−1}                           Sphere
//	Σ_j w_j N(c_j, σ²I)               Mixture
//
// Images is no Generator but an endless sequence: image i is made of one of the
// given images, displaced by a random smooth field (KKM §5, MNIST8M), and depends
// on the seed and i alone.
package generate
