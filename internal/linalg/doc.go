// Package linalg is the dense linear algebra of the harness: products, solves,
// factorisations and eigenpairs of kernel matrices, on gonum's matrix types.
//
// Products, solves and factorisations call the BLAS registered by blas64.Use,
// dense eigenproblems the LAPACK of lapack64.Use; [Use] chooses both once, and
// [Backend] names the one in use.
//
// A kernel matrix passes through it like this:
//
//  1. [Gram] and [SyrkUpper] form A·Aᵀ or Aᵀ·A at half the flops of a product,
//     streamed over row blocks where A is tall; [CentreSym] centres a Gram.
//  2. [FactorPivoted] gives the rank-revealing factor of landmarks' Gram Kmm,
//     with the numerical rank and what the truncation leaves.
//  3. [SolveLowerTrans] and [SolveRight] apply L⁻¹ and L⁻ᵀ to
//     blocks: Nyström features are SolveRight(Knm, L).
//  4. [Orthonormalise] turns a block of vectors into an orthonormal basis.
//  5. [Top] finds the ell largest eigenpairs of an [Operator]: [Symmetric],
//     [Centred], [Gramian] or the caller's own. [EigenSym] finds all.
//
// [Hadamard] is the fast Walsh–Hadamard transform, of subsampled sketches.
//
// # Symbols
//
//	paper                 here
//	K = [k(Xi,Xj)]        Symmetric(k)
//	C_n K C_n             Centred(Symmetric(k)), or CentreSym
//	Φ Φᵀ                  Gramian(phi), or Gram(blas.NoTrans, phi)
//	Kmm ≈ P L Lᵀ Pᵀ       FactorPivoted(kmm, tol)
//	Knm Kmm^(-1/2)        SolveRight(knm, l), equal up to an orthogonal factor
//	λ1 ≥ … ≥ λℓ, v1 … vℓ  TopResult.Values, TopResult.Vectors
//
// # Conventions
//
// Matrices are row-major. Symmetric matrices are read and written in the upper
// triangle only. Eigenvalues descend; the first entry of largest magnitude of
// each eigenvector is positive, so that two entries equal but for rounding can
// still flip a sign: compare subspaces, not raw entries, across back ends.
// Wrong shapes panic, as in gonum; what depends on data is an error, or a field
// of the result for what is a caveat ([TopResult].Converged,
// [PivotedCholesky].Rank).
//
// Results are bit-identical from run to run, at every GOMAXPROCS and from
// concurrent callers: an element of a product is summed in an order of its own,
// however the result is shared out. Another BLAS keeps this if it does the same.
package linalg
