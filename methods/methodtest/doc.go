// Package methodtest is the conformance suite that every method must pass.
//
//  1. A Subject is a method with what is promised of it: the shape of its
//     models, its centring, whether its stream matters.
//  2. Run holds it to every check, one subtest each, on point sets that cover
//     one dimension and many, few points and many, duplicates, bandwidths from
//     tiny to huge, and constant data.
//  3. Failures returns which of some checks a subject fails, for tests of the
//     suite itself: a method made wrong on purpose must be found out.
//
// Whatever the estimator, its models obey the same identities, and the suite
// checks these by loops over kernel values, without the code that they test:
//
//	⟨φ̂_i, φ̂_j⟩ = 1{i = j}                         components are orthonormal
//	Cov_n(φ̂_i(X), φ̂_j(X)) = λ̂_i 1{i = j}          and uncorrelated, λ̂_i their variances
//	⟨φ̂_i, m̂⟩ = (1/n)Σ_j φ̂_i(X_j)                  Spectrum.Center
//
// with Cov_n as the method's center has it. Estimates of one pass (Subject.Streamed)
// are orthonormal with that centre, but not the sample's eigenvectors; every
// streaming method must give in one pass what it gives at each n. That the λ̂_i are the largest ones
// is not among these: each method's own tests hold it against brute force.
package methodtest
