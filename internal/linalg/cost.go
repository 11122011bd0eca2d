package linalg

import "mercer/internal/cost"

// EigenCost is that of all eigenpairs of a symmetric matrix of order n, which is not
// in it: the vectors and, with a library, the 2n² numbers that dsyevd works in.
func EigenCost(n float64) cost.Cost {
	numbers := n * n
	if library != nil {
		numbers *= 3
	}
	return cost.Cost{Flops: 9 * n * n * n}.Plus(cost.Numbers(numbers))
}

// PivotedCost is that of a kernel matrix of order m and of its pivoted Cholesky
// factor: the matrix, its copy that is factored, and the factor.
func PivotedCost(m float64) cost.Cost {
	return cost.Cost{Flops: m * m * m / 3}.Plus(cost.Symmetric(m)).Plus(cost.Symmetric(m)).Plus(cost.Numbers(m * m))
}

// SymmetricCost is the memory of a product of a symmetric matrix of order n with b
// vectors, beside these, where it takes a copy of the matrix.
func SymmetricCost(n, b float64) cost.Cost {
	if !copied(int(n), int(b)) {
		return cost.Cost{}
	}
	return cost.Numbers(n * n)
}

// basisOf is how many basis vectors an iteration for ell pairs usually takes, in
// multiples of ell + 16.
const basisOf = 8

// TopCost is that of the ell leading pairs of an operator of order n as Top finds
// them by default, beside the operator: a dense solve, or products with the Krylov
// basis as far as it usually grows, its orthogonality and its projection, a few
// blocks of vectors, the sums of a symmetric product, and the pairs, their images and
// both in columns.
func TopCost(n, ell float64) cost.Cost {
	o := DefaultTopOptions(int(ell))
	block := float64(o.Block)
	if n <= float64(o.DenseBelow) || ell+2*block > n/2 {
		return EigenCost(n).Plus(cost.Symmetric(n)).Plus(cost.Numbers(2 * n * ell))
	}
	basis := min(n, basisOf*(ell+16))
	products := cost.Cost{Flops: 2*n*n*basis + 6*n*basis*basis + 9*basis*basis*basis}
	kept := min(max(float64(o.Basis), ell+2*block), n-block, basis) + block
	blocks := float64(6 + sharesOf(int(n)))
	projected := cost.Cost{Bytes: EigenCost(kept).Bytes}
	return products.Plus(projected).Plus(cost.Numbers(n * (kept + blocks*block + 3*ell)))
}
