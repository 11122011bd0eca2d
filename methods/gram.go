package methods

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"mercer/kernel"
	"mercer/linalg"
)

// gramOperator is the kernel matrix of points as an operator: n² entries, or for
// a kernel of finite rank p far below n its factor, n·p numbers and 4np flops a
// vector.
type gramOperator struct {
	linalg.Operator
	largest float64 // of the diagonal: no entry is larger
}

// gramOperator is the kernel matrix of X, shared or computed.
func (p Problem) gramOperator(ctx context.Context) (gramOperator, error) {
	if err := ctx.Err(); err != nil {
		return gramOperator{}, err
	}
	stop := p.phase("gram")
	if factored, ok := factoredGram(p.Kernel, p.X); ok {
		stop()
		return factored, ctx.Err()
	}
	stop()
	gram, err := p.gramPhase(ctx)
	if err != nil {
		return gramOperator{}, err
	}
	return gramOperator{linalg.Symmetric(gram), largestDiagonal(gram)}, nil
}

// factoredGram is a kernel matrix by its factor; false where its entries are
// cheaper: applying it to a vector takes 4np flops in place of 2n².
func factoredGram(k kernel.Kernel, x *mat.Dense) (gramOperator, bool) {
	finite, ok := k.(kernel.Finite)
	n, _ := x.Dims()
	if !ok || finite.Rank() == 0 || 4*finite.Rank() > n {
		return gramOperator{}, false
	}
	return gramOperator{linalg.Gramian(finite.Coordinates(x)), largestValue(k, x)}, true
}
