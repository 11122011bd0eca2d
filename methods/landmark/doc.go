// Package landmark picks the m points on whose kernel functions Nyström methods
// rest.
//
//  1. Options name a rule of the Registry and its parameters. Options.Check looks
//     at them, Options.CheckSizes at n and m.
//  2. [Pick] draws the landmarks, points of the sample; or a file or a program of the
//     user's names them (own.go).
//  3. Rules that weigh points share their parts. Exact ridge leverage scores come
//     from the eigenpairs of K, approximate ones from a weighted dictionary
//     (recursive, bless); points are drawn in proportion, without replacement
//     unless told otherwise. Weights that only fall as landmarks are added
//     (rpcholesky, kmeans++) are followed by rejection: points are proposed
//     by the weights of before, in blocks, and kept with probability new over
//     old, which is the law of one draw after another. block-rpcholesky has a law
//     of its own: greedy pivots of blocks that are drawn without replacement.
//
// [Pick] draws among points that stand for several: weights of rows are multiplied
// by these numbers, and points of a row are drawn apart.
//
// # Symbols
//
//	papers                          here
//	ℓ_i(t) = [K(K + nt I)⁻¹]_ii     ridge leverage score of point i at level t
//	t [NYK], λ [BLESS], λ/n [RLS]   Options.Level, Set.Level
//	d_eff(t) = Σ_i ℓ_i(t)           effective dimension
//	(J, A), S                       dictionary: indices and weights
//	diag(K − FFᵀ)                   weights of rpcholesky
//
// # Conventions
//
// n×n matrices are formed by leverage only, which refuses n above
// [mostExact]; calls for one sample may share the eigenpairs, see [Decompose]. Blocks of n×|J| kernel values are streamed by rows; rpcholesky
// keeps an n×m factor. Fewer than m landmarks, because the points are
// duplicates or lie in the span of those chosen, are a warning in the Set, never
// an error. Draws compare uniform numbers with floating-point weights, so that
// another BLAS may, rarely, pick another point.
//
// Papers: RLS is Musco & Musco, Recursive sampling for the Nyström method
// (2017); BLESS is Rudi, Calandriello, Carratino & Rosasco, On fast leverage
// score sampling and optimal learning (2018); RPC is Chen, Epperly, Tropp &
// Webber, Randomly pivoted Cholesky (2023) and, for rejection, Epperly, Tropp &
// Webber, Embrace rejection (2024).
package landmark
