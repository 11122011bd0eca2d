// Package configs says what a spec and a run profile are: types, strict
// decoding, checks, expressions, grids, and the JSON Schema of a spec.
//
// From the text of a spec to its cells:
//
//  1. Parse reads the YAML into a tree of nodes and refuses what YAML allows and
//     a spec should not have: a second document, duplicate keys, merge keys,
//     tags, aliases that explode, more than 1 MiB.
//  2. The tree is decoded into a Spec by struct tags, and every expression is compiled.
//     What a message may point at is a Located. Parameters of datasets, kernels and
//     methods stay undecoded, as Params. Every mistake is kept as a Problem with file,
//     line and column; all are reported at once.
//  3. What concerns several parts is checked: ids, the methods, variables and
//     columns that claims, plots and profiles name, circles among grid variables.
//  4. The package that owns a `use` name decodes its Params into an options
//     struct that holds the defaults (Params.Decode), and reports what only it
//     can know with Errorf at the Pos of the Component, key or measure.
//  5. Spec.WithProfile applies what a run profile changes.
//  6. Spec.CheckNames looks up the names in every expression among the constants of
//     each dataset.
//  7. Grid.Points lists the points for the constants of one dataset;
//     Component.SizesAt gives the sizes of a method at a point.
//
// # Expressions
//
// Numbers are float64 throughout: 1/2 is 0.5. Names are grid variables and
// constants of the dataset. There are + - * / ^, comparisons, and, or, not,
// a ? b : c, and the functions abs ceil exp floor log log2 max min round sqrt;
// log is the natural logarithm. A result that is not finite, also that of a
// part, is an error. The evaluator is github.com/expr-lang/expr.
//
// # Symbols
//
//	n       size of the sample                      Grid, Component.Sizes["n"]
//	m       landmarks, random features, sketch      Grid, Component.Sizes["m"]
//	d       embedding or projection dimension       Grid, Component.Sizes["d"]
//	ℓ       rank of the subspace                    Grid, Component.Sizes["ell"]
//	k       clusters                                Grid, Component.Sizes["k"]
//	θ, α    further grid variables, constants       Grid; argument of Points
//	1-δ     probability of a bound                  Bound.Delta
package configs
