package linalg

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// TopOptions steers Top. Start from DefaultTopOptions: a zero field means zero.
type TopOptions struct {
	// Tolerance bounds ‖A·v − λ·v‖ of every returned pair, relative to ‖A‖
	// (the largest |λ| seen, which is λ1 for a positive semidefinite
	// operator). Below about 1e-13 rounding in A·v decides, not the solver.
	Tolerance float64
	// Block is how many vectors one application of A takes. With fewer than
	// ell, a search for missed copies of multiple eigenvalues follows
	// convergence.
	Block int
	// Basis is how many basis vectors are kept before a restart. Memory is
	// Basis·n numbers. It is raised to ell + 2·Block if less.
	Basis int
	// MaxIterations bounds the number of applications of A to a block.
	MaxIterations int
	// DenseBelow is the largest n that is solved densely at once.
	DenseBelow int
	// FallbackBelow is the largest n for which a dense solve follows when the
	// iteration did not converge.
	FallbackBelow int
}

// DefaultTopOptions returns the options Top is tested and tuned with:
//
//   - Tolerance 1e-12: a residual r bounds the error of a simple eigenvalue by
//     r²/gap and of its eigenvector by r/gap, so that even a gap of 1e-8·λ1
//     leaves four digits of a vector, while rounding of A·v (about 1e-14·λ1 at
//     n = 10^4) is a hundred times smaller and cannot stop convergence;
//   - Block: 16. A random start block of b vectors meets b copies of any multiple
//     eigenvalue. Larger blocks need more vectors in all: for 100 pairs of 2000
//     points with eigenvalues 1/i², 16, 32 and 64 took 0.20, 0.27 and 0.42 s;
//   - Basis: with b, ell rounded up to a multiple of 16, at most 64, 12·b or
//     3·ell + 4·b, whichever is more;
//   - MaxIterations: 400 blocks;
//   - DenseBelow: where a dense solve was measured to take as long (centred
//     Gaussian Gram matrices, and eigenvalues 1/i and 1/i², of 100 to 1400 points,
//     ell 2 to 100): 230 + 12·ell, from ell = 40 on 550 + 4·ell, with a library's
//     solver, 130 + 7·ell with gonum's, which is some ten times slower and solves the
//     projected problems of the iteration, too;
//   - FallbackBelow: 3000.
func DefaultTopOptions(ell int) TopOptions {
	const block = 16
	widest := min(64, (max(1, ell)+15)/16*16)
	dense := 130 + 7*ell
	if library != nil {
		dense = min(230+12*ell, 550+4*ell)
	}
	return TopOptions{
		Tolerance:     1e-12,
		Block:         block,
		Basis:         max(12*widest, 3*ell+4*widest),
		MaxIterations: 400,
		DenseBelow:    dense,
		FallbackBelow: 3000,
	}
}

// TopResult holds the ell largest eigenpairs.
type TopResult struct {
	// Values are the eigenvalues, in descending order.
	Values []float64
	// Vectors is n×ell: column i belongs to Values[i]. The columns are
	// orthonormal to about 1e-14; the first entry of largest magnitude of
	// each is positive.
	Vectors *mat.Dense
	// Residuals are ‖A·v − λ·v‖ for each pair, absolute, computed by an
	// application of A to the returned vectors (by no recurrence).
	Residuals []float64
	// Iterations counts applications of A to a block before that check; 0 where a dense
	// solve came first.
	Iterations int
	// Converged says that every residual is within the tolerance. Where it
	// is false the pairs are the best available and Residuals says how good;
	// callers must report it.
	Converged bool
}

// Top computes the ell algebraically largest eigenpairs of a symmetric
// operator, usually positive semidefinite.
//
//  1. If n ≤ opts.DenseBelow the operator's matrix is formed and decomposed.
//  2. Otherwise a Krylov basis grows from a random block (ChaCha8, fixed seed)
//     one application of A at a time. Each new block is orthogonalised
//     against the whole basis at least twice; directions that vanish are
//     replaced by random ones orthogonal to the basis, so that invariant
//     subspaces, multiple eigenvalues and a rank below ell are no obstacle.
//  3. The projected matrix is decomposed now and then; the iteration ends when
//     the ell leading pairs have residuals within the tolerance. At
//     opts.Basis vectors it restarts from the leading Ritz vectors.
//  4. If opts.Block < ell, a fresh random block orthogonal to the result looks
//     for eigenvalues missed for their multiplicity.
//  5. The residuals are recomputed by an application of A. If one misses the
//     tolerance and n ≤ opts.FallbackBelow, a dense solve follows.
//
// Results are bit-identical from run to run, at every GOMAXPROCS. The first
// ell' columns of a solve at ell span the same subspaces as a solve at ell' to
// the tolerance over the gap.
//
// Cost: with p basis vectors (often 5·ell to 10·ell) p applications of A to
// one vector, 6np² flops for orthogonality and 2np·ell for the vectors;
// np + up to 14n·Block numbers of memory. Dense: 9n³ flops.
//
// An error means an operator that returned NaN or Inf, or a failed dense
// solve; missing convergence is no error but Converged = false. Top panics if
// ell is not in [1, n], or on options out of range.
//
// Reference: Golub & Underwood, The block Lanczos method (1977); Wu & Simon,
// Thick-restart Lanczos (2000). Deviation: full orthogonalisation and a fully
// computed projected matrix in place of the three-term recurrence.
func Top(op Operator, ell int, opts TopOptions) (TopResult, error) {
	n := op.Dim()
	if ell < 1 || ell > n {
		panic(fmt.Sprintf("linalg: Top: ell = %d outside [1, %d]", ell, n))
	}
	opts.check()
	if n <= opts.DenseBelow || ell+2*opts.Block > n/2 {
		return topDense(op, ell, opts.Tolerance)
	}
	k := newKrylov(op, ell, opts)
	if err := k.run(); err != nil {
		return TopResult{}, fmt.Errorf("linalg: Top: %w", err)
	}
	res, err := finish(op, k.values, k.vectors, k.norm, opts.Tolerance)
	if err != nil {
		return TopResult{}, err
	}
	res.Iterations = k.iterations
	res.Converged = res.Converged && k.converged
	if res.Converged || n > opts.FallbackBelow {
		return res, nil
	}
	res, err = topDense(op, ell, opts.Tolerance)
	res.Iterations = k.iterations
	return res, err
}

func (o TopOptions) check() {
	if !(o.Tolerance >= 0) || o.Block < 1 || o.MaxIterations < 1 || o.Basis < 0 {
		panic(fmt.Sprintf("linalg: Top: options out of range (start from DefaultTopOptions): %+v", o))
	}
}

func topDense(op Operator, ell int, tolerance float64) (TopResult, error) {
	a := denseFrom(op)
	values, rows, err := eigenRows(a)
	if err != nil {
		return TopResult{}, fmt.Errorf("linalg: Top: dense solve: %w", err)
	}
	n := len(values)
	norm := max(math.Abs(values[0]), math.Abs(values[n-1]))
	return finish(op, values[:ell], general(rows, 0, 0, ell, n), norm, tolerance)
}

// finish fixes signs, measures the residuals by one application of A and
// turns the vectors from rows into columns.
func finish(op Operator, values []float64, rows blas64.General, norm, tolerance float64) (TopResult, error) {
	fixSigns(rows)
	ell, n := rows.Rows, rows.Cols
	image := newGeneral(ell, n)
	applyTo(op, image, rows)
	res := TopResult{Values: values, Residuals: make([]float64, ell), Converged: true}
	for i, lambda := range values {
		out := vectorOf(rowOf(image, i))
		blas64.Axpy(-lambda, vectorOf(rowOf(rows, i)), out)
		r := blas64.Nrm2(out)
		if math.IsNaN(r) || math.IsInf(r, 0) {
			return TopResult{}, fmt.Errorf("linalg: Top: A·v for eigenvector %d: %w", i, ErrNotFinite)
		}
		res.Residuals[i] = r
		res.Converged = res.Converged && r <= tolerance*norm
	}
	columns := newGeneral(n, ell)
	transposeInto(columns, rows)
	res.Vectors = denseOf(columns)
	return res, nil
}

// orthogonalise subtracts from each row of w its part in the span of the
// orthonormal rows of q, and adds the coefficients w·qᵀ to h unless h is empty.
func orthogonalise(w, q, h blas64.General) {
	part := newGeneral(w.Rows, q.Rows)
	gemm(blas.NoTrans, blas.Trans, 1, w, q, 0, part)
	gemm(blas.NoTrans, blas.NoTrans, -1, part, q, 1, w)
	for i := range h.Rows {
		dst := rowOf(h, i)
		for j, v := range rowOf(part, i) {
			dst[j] += v
		}
	}
}
