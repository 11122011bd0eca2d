// Package methods holds the estimators: one file a method.
//
// The life of a method:
//
//  1. An entry of a spec's methods list names one of the Registry; its
//     parameters are decoded strictly into the entry's options, and
//     Options.Method checks them.
//  2. Programs and files of the user's that options name are found beside the spec when
//     the run is planned (exec.FindAll); what they are enters record keys.
//  3. Method.Check says whether the method applies to a kernel and to the sizes
//     of a cell; where it does not, the cell is skipped with that reason.
//  4. Method.Fit computes a Model from a Sample. It measures its phases, of components
//     solve at least, of clusters lloyd; it never scores itself. A Streaming method gives the models of several n in
//     one pass.
//     Where the traits' Streams holds, a sample may have Rows in place of X: they
//     are read in the same blocks, and the model is the same (sample.go).
//     Where it has no NoCounts, rows of X may stand for several points of the sample
//     each (Sample.Counts): the model is that of all points.
//  5. A Model is one of few shapes, and package metrics asks for the shape. An
//     embedding becomes a clustering by the block kmeans of its options.
//
// Landmarks of Nyström methods are picked by package landmark.
//
// What a Fit is made of: Sample.pick (landmarks), gram and coordinates (the kernel matrix of the
// rows), moment and each (functions over the rows, in blocks), eigenvectors (leading pairs);
// factorAbove and onFunctions (a rank-revealing factor, and coefficients on its points);
// secondMoment.components (eigenpairs of a covariance); noVarianceIn and warnOfRounding (what a
// reader should know). nystrom.go uses most of them, rff.go those of features.
//
// Symbols of the papers and their names here:
//
//	X (n×D), n       Sample.X, Sizes.N
//	c_j              Sample.Counts
//	m                Sizes.M: landmarks or features; the subsample that KJL calls n
//	d, k             Sizes.D, Sizes.K: dimensions of an embedding, clusters
//	ℓ                Sizes.Ell
//	λ̂_i              Spectrum.Values
//	⟨φ̂_i, m̂⟩        Spectrum.Center
//	Γ                Subspace.Coef
//	V, Φ_m           FeatureSubspace.Coef, FeatureSubspace.Map
//	V̂ᵀS_X, φ̃        Embedding: kjl; nystrom-embedding
//	C, W(C, μ)       Clustering, Partition.Assign
package methods
