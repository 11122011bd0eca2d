// Package data holds where samples come from, and the populations that errors
// are measured against.
//
// Its work, in the order in which a run uses it:
//
//  1. An entry of a spec's datasets list is decoded into the options struct
//     that the Registry names; Open reads, fetches or generates what it needs.
//  2. Dataset.Draw gives one repeat: Sample its nested points, Rows the same
//     without holding them (generators draw them again from states of their stream
//     that they keep, files are read in place), Population the distribution P under a kernel.
//     Where samples are drawn from fixed points with replacement, Counted says how often
//     each occurs, at any n (counts.go).
//  3. Population.Moments computes Σ, L and the means exactly between the
//     functions an estimator found, in closed form (series, Gaussian on
//     Gaussian) or as finite sums (empirical).
//
// Symbols of the papers and their names here:
//
//	Σ, λ_i, tr Σ^r    Population.Eigenvalues, Population.Tail
//	S, τ, C           Moments.Cov, Moments.Tau, Moments.Eigen
//	E φ̂_i(X)         Moments.Mean
//	⟨L f_i, L f_j⟩    Moments.Image
//	C (uncentred Σ)   Population.Uncentred, UncentredEigenvalues, UncentredSum
//	N_Σ               Population.EffectiveDimension
//	κ                 Population.Kappa
//	c(n), p           Counts.First, Counts.Masses
//	MNIST8M           infinite-mnist, or its own images as npy
//
// Sub-packages: files reads file formats, fetch gets published data sets and
// verifies them, generate draws synthetic points.
package data
