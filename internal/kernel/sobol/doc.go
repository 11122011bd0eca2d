// Package sobol gives points of the Sobol' sequence, a digital sequence in base
// 2: among its first 2^k points, each interval [a/2^k, (a+1)/2^k) of each
// coordinate holds exactly one, and pairs of coordinates are nearly as even.
//
// Its work:
//
//  1. joe-kuo.txt holds, for each coordinate but the first, a primitive
//     polynomial over GF(2) (degree s, inner coefficients a) and s initial
//     direction numbers m_i; New reads as many lines as it needs.
//  2. Each polynomial's recurrence extends its m_i to 52 direction numbers.
//  3. Sequence.Fill goes through the points in Gray-code order, one XOR a
//     coordinate, and shifts all of them by random digits: every point is then
//     uniform on its own, so that averages over the points are unbiased, and the
//     net keeps its evenness.
//
// The numbers are the first 1111 coordinates of new-joe-kuo-6.21201 by S. Joe
// and F. Y. Kuo.
//
// Reference: Bratley and Fox (1988), Algorithm 659; Joe and Kuo (2008),
// Constructing Sobol' sequences with better two-dimensional projections; the
// shift, Owen (2003), Variance with alternative scramblings of digital nets.
package sobol
