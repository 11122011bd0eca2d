package metrics

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/internal/lists"
)

// maxStored is the largest number of held-out points whose kernel matrix is always
// kept, up to 8·N² bytes; that of more points is kept on demand. Otherwise it is
// computed anew, block by block, each time it is applied.
const maxStored = 5000

// streamedProducts is how often the spectrum of a streamed matrix usually applies it.
const streamedProducts = 7

// HeldOutKernelCost is that of the kernel matrix of n points in R^dim, kept on demand or
// in blocks, and of finding its ell largest eigenvalues.
func HeldOutKernelCost(n, dim, ell float64, keep bool) (kept, spectrum cost.Cost) {
	if n <= maxStored {
		return cost.Gram(n, dim), linalg.TopCost(n, ell)
	}
	spectrum = linalg.TopCost(n, max(ell, streamedBlock))
	if keep {
		return cost.Gram(n, dim), spectrum
	}
	return cost.Cost{}, spectrum.Plus(cost.Cost{Flops: cost.Values(n*n, dim).Flops * streamedProducts})
}

// HeldOutKernel is the kernel matrix K_ZZ of N held-out points. Models that are
// measured against the same points share one. It is safe for concurrent use.
type HeldOutKernel struct {
	anew   streamed  // computed anew at each application
	masses []float64 // probabilities of the points; nil for 1/N each
	ell    int
	stored bool // up to maxStored points, and on demand

	gram   func() *mat.SymDense
	values func() ([]float64, error)
}

// NewHeldOutKernel is the matrix of points (N×D), whose ell largest eigenvalues
// may be asked for. It computes nothing yet. With masses the points carry these instead of
// 1/N each: means over them, and the eigenvalues of the covariance, are those of that
// distribution. With keep the matrix of any number of points is kept once it is computed, up
// to 8·N² bytes: all measures of all models then take it from memory.
func NewHeldOutKernel(points *mat.Dense, masses []float64, k kernel.Kernel, ell int, keep bool) *HeldOutKernel {
	n, _ := points.Dims()
	h := &HeldOutKernel{anew: streamed{k, points}, masses: masses, ell: min(ell, n), stored: keep || n <= maxStored}
	h.gram = sync.OnceValue(func() *mat.SymDense { return kernel.Gram(k, points) })
	h.values = sync.OnceValues(h.top)
	return h
}

// operator is the matrix, kept or streamed.
func (h *HeldOutKernel) operator() linalg.Operator {
	if h.stored {
		return linalg.Symmetric(h.gram())
	}
	return h.anew
}

// streamed is the kernel matrix of points that is computed anew at each application.
type streamed struct {
	kernel kernel.Kernel
	points *mat.Dense // n×D
}

// Dim is n.
func (s streamed) Dim() int { n, _ := s.points.Dims(); return n }

// Apply takes n² kernel values and 2n²b flops for b columns, by blocks of rows, n×n numbers
// never at once.
func (s streamed) Apply(dst, src *mat.Dense) {
	dst.Copy(kernel.Expansion{Kernel: s.kernel, Points: s.points, Coef: src}.Eval(s.points))
}

// form is YᵀK_ZZ Y for Y (N×ℓ), its rows times N and their masses.
func (h *HeldOutKernel) form(y *mat.Dense) *mat.Dense {
	y = linalg.ScaledRows(y, lists.Map(h.masses, func(mass float64) float64 { return float64(h.anew.Dim()) * mass }))
	form, image := new(mat.Dense), mat.DenseCopyOf(y)
	h.operator().Apply(image, y)
	form.Mul(y.T(), image)
	return form
}

// streamedBlock is how many vectors one application of a streamed matrix takes.
const streamedBlock = 64

// wide are the options for the r largest eigenpairs of a matrix of n points, which may be a
// streamed one. Of that the kernel values cost the most, and of a large one that is kept
// reading it, so blocks are wide and the residuals, whose squares over the gap are the errors
// of eigenvalues, stop at 1e-8: 4 to 7 applications, 12 where the spectrum is flat.
func wide(n, r int) linalg.TopOptions {
	options := linalg.DefaultTopOptions(r)
	if n > maxStored {
		options.Tolerance, options.Block = residualTolerance, streamedBlock
		options.Basis = max(8*options.Block, 3*r+4*options.Block)
	}
	return options
}

// leading are the r largest eigenpairs of an operator. It fails where they did not converge:
// measures have no warnings of this.
func leading(a linalg.Operator, r int, options linalg.TopOptions, what string) (linalg.TopResult, error) {
	top, err := linalg.Top(a, r, options)
	return top, converged(top, err, r, what)
}

func converged(top linalg.TopResult, err error, r int, what string) error {
	if err == nil && !top.Converged {
		err = fmt.Errorf("not converged, with a residual of %.2g at λ_1 = %.2g", slices.Max(top.Residuals), top.Values[0])
	}
	if err != nil {
		return fmt.Errorf("the %d leading eigenpairs of %s: %w", r, what, err)
	}
	return nil
}

// largest is the largest eigenvalue of an operator within a relative tolerance, or the best
// that 100 iterations found, with its residual.
func largest(a linalg.Operator, tolerance float64) (value, residual float64, err error) {
	options := linalg.DefaultTopOptions(1)
	options.Tolerance, options.MaxIterations, options.FallbackBelow = tolerance, 100, 0
	top, err := linalg.Top(a, 1, options)
	if err != nil {
		return 0, 0, err
	}
	if !top.Converged {
		residual = top.Residuals[0]
	}
	return top.Values[0], residual, nil
}

// settled is an error where a norm may be off by more than rounding.
func settled(norm, by, rounding float64) error {
	if by <= rounding {
		return nil
	}
	return fmt.Errorf("the norm %.6g is uncertain by %.2g: the iteration did not converge", norm, by)
}

// top are the largest eigenvalues of K_ZZ/N, or of P^(1/2)K_ZZ P^(1/2) under masses P.
func (h *HeldOutKernel) top() ([]float64, error) {
	n, operator := h.anew.Dim(), h.operator()
	if h.masses != nil {
		roots := linalg.Roots(h.masses)
		floats.Scale(math.Sqrt(float64(n)), roots)
		operator = weighted{operator, roots}
	}
	top, err := leading(operator, h.ell, wide(n, h.ell), fmt.Sprintf("the kernel matrix of %d held-out points", n))
	if err != nil {
		return nil, err
	}
	for i, v := range top.Values {
		top.Values[i] = max(v, 0) / float64(n)
	}
	return top.Values, nil
}

// optimum is the largest ⟨P, Ĉ⟩ of any projection P of rank ell: the sum of the
// ell largest eigenvalues of K_ZZ/N.
func (h *HeldOutKernel) optimum(ell int) (float64, error) {
	if min(ell, h.anew.Dim()) > h.ell {
		return 0, fmt.Errorf("the best %d components asked of held-out points that were opened for %d", ell, h.ell)
	}
	values, err := h.values()
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for _, v := range values[:min(ell, len(values))] {
		sum += v
	}
	return sum, nil
}

// streamedRows are the rows of the blocks that features are computed in.
const streamedRows = 256
