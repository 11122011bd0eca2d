// Package methods holds the estimators: one file a method.
//
// The life of a method:
//
//  1. An entry of a spec's methods list names one of the Registry; its
//     parameters are decoded strictly into the entry's options, and
//     Options.Method checks them.
//  2. Method.Check says whether the method applies to a kernel and to the sizes
//     of a cell; where it does not, the cell is skipped with that reason.
//  3. Method.Fit computes a Model from a Problem. It may measure its phases; it
//     never scores itself.
//  4. A Model is one of few shapes, and package metrics asks for the shape.
//
// Landmarks of Nyström methods are picked by package landmark.
//
// Symbols of the papers and their names here:
//
//	X (n×D), n       Problem.X, Sizes.N
//	m                Sizes.M: landmarks or features
//	ℓ                Sizes.Ell
//	λ̂_i              Spectrum.Values
//	⟨φ̂_i, m̂⟩        Spectrum.Center
//	Γ                Subspace.Coef
//	V, Φ_m           FeatureSubspace.Coef, FeatureSubspace.Map
package methods
