// Package configs says what a spec and a run profile are: types, strict
// decoding, checks, expressions, grids, and the JSON Schema of a spec. Start with spec.go.
// It knows no YAML: package source reads files.
//
// From a file to the cells of a run:
//
//  1. source.Read makes the text a tree of Nodes, each with its place.
//  2. Under applies a run profile to the tree, and Set what a command line changes: both are
//     edits of the tree (edit.go). The tree of a run is kept as JSON (json.go), and FromJSON reads it
//     back for those who judge the run.
//  3. Decode reads off the tree what it names (names.go: ids, grid variables, which of them are
//     texts), and decodes it into a Spec by struct tags (decode.go). A word is looked up where it stands, an
//     expression is compiled where it stands, and a struct checks itself as soon as it is
//     decoded. Every mistake is kept as a Problem with file, line and column; all are reported at once.
//     An entry of a list that has a mistake is left out, so that nothing follows from it.
//  4. The package that owns a `use` name decodes its Params into an options struct that holds the
//     defaults. Params.Uses says which names they use before these have values; Params.Bind
//     gives them values.
//  5. Spec.CheckNames looks up the names in every other expression among the constants of
//     each dataset.
//  6. Grid.Points lists the points for the constants of one dataset, Grid.PointsOf where these depend on
//     grid variables; Component.SizesAt gives the sizes of a method at a point.
//
// # Expressions
//
// Numbers are float64 throughout: 1/2 is 0.5. Names are grid variables and
// constants of the dataset. There are + - * / ^, comparisons, and, or, not,
// a ? b : c, and the functions abs ceil exp floor log log2 max min round sqrt;
// log is the natural logarithm. A result that is not finite, also that of a
// part, is an error. Parser and evaluator are in parser.go and expr.go.
//
// A parameter that is a number may be an expression. A parameter that is a text takes a grid variable by
// "=name"; the values of that variable are then texts, never expressions, and have no place in
// arithmetic.
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
