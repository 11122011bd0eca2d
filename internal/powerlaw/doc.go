// Package powerlaw fits powers to curves over sizes, and says where the points bend away from one.
//
//  1. A [Curve] has the values of some repeats at the same sizes.
//  2. [FitCurve] fits a line and a parabola to log y against log x in each repeat: the slope
//     is the exponent, the parabola is the bend, and the slopes from each size to the next are
//     the steps ([Fit]). What the rounding of sizes to whole numbers does is taken out of the
//     bend where the curve has its exact floor.
//  3. [Fit.Bends] says whether the points contradict a power of any exponent.
//
// The sizes of a repeat share their samples; so a repeat is one observation, of two
// numbers, slope and curvature, and the points of a repeat are never taken for independent.
package powerlaw
