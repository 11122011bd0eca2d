// Package powerlaw fits powers to curves over sizes, and says where the points contradict one.
//
//  1. A [Curve] has the values of some repeats at the same sizes.
//  2. [FitCurve] fits a line and a parabola to log y against log x in each repeat: the slope
//     is the exponent, the parabola is the bend, and the slopes from each size to the next are
//     the steps ([Fit]). What the rounding of sizes
//     to whole numbers does is taken out of the bend where the curve has its exact floor.
//  3. [Fit.LeadsIn] and [Fit.LeadsOut] follow a bend into a band of exponents, or out of it.
//  4. [Fit.Alternative] looks for a law that the points do not contradict: a
//     power with a floor, a shift, a second term or a logarithm ([LawFit]).
//
// The sizes of a repeat share their samples; so a repeat is one observation, of two
// numbers, slope and curvature, whose covariance over repeats is estimated, and
// the points of a repeat are never taken for independent.
package powerlaw
