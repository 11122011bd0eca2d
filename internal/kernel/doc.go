// Package kernel holds kernels, their Gram blocks, and their random features.
//
// Its work, in the order in which a run uses it:
//
//  1. An entry of a spec's kernels list is decoded into the options struct that
//     the Registry names, and Build resolves its bandwidth against the data.
//  2. Cross and Gram fill matrices of kernel values, through one matrix product
//     a block where the kernel is a function of distances or inner products.
//  3. A kernel that is shift-invariant knows its spectral measure
//     (ShiftInvariant), a series kernel its eigenfunctions. Maps names the
//     families of random features drawn from them: independent frequencies
//     (Fourier, Offset), orthogonal ones (newOrthogonal), and Mercer.
//  4. Expansion and FeatureExpansion are the two forms in which every estimator
//     hands over the functions it found.
//
// Symbols of the papers and their names here:
//
//	k(x,y)            Kernel.At
//	K, K_nm           Gram, Cross
//	κ = sup k(x,x)    Kernel.Bound
//	Λ (spectral)      ShiftInvariant.Frequency
//	Φ_m               FeatureMap.Transform
//	λ_i, e_i (series) Series.Eigenvalue, Series.Eigenfunction
package kernel
