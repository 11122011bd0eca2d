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
	switch {
	case n <= maxStored:
		return cost.Gram(n, dim), linalg.TopCost(n, ell)
	case keep:
		return cost.Gram(n, dim), linalg.TopCost(n, max(ell, streamedBlock))
	}
	values := cost.Cost{Flops: cost.Values(n*n, dim).Flops * streamedProducts}
	return cost.Cost{}, linalg.TopCost(n, max(ell, streamedBlock)).Plus(values)
}

// HeldOutKernel is the kernel matrix K_ZZ of N held-out points. Models that are
// measured against the same points share one. It is safe for concurrent use.
type HeldOutKernel struct {
	points *mat.Dense // N×D
	masses []float64  // probabilities of the points; nil for 1/N each
	kernel kernel.Kernel
	ell    int
	stored bool // up to maxStored points, and on demand

	gram   func() *mat.SymDense
	values func() ([]float64, error)
}

// NewHeldOutKernel is the matrix of points (N×D), whose ell largest eigenvalues
// may be asked for. It computes nothing yet.
func NewHeldOutKernel(points *mat.Dense, k kernel.Kernel, ell int) *HeldOutKernel {
	n, _ := points.Dims()
	h := &HeldOutKernel{points: points, kernel: k, ell: min(ell, n), stored: n <= maxStored}
	h.gram = sync.OnceValue(func() *mat.SymDense { return kernel.Gram(k, points) })
	h.values = sync.OnceValues(h.top)
	return h
}

// Under has the points carry these masses instead of 1/N each: means over them, and
// the eigenvalues of the covariance, are then those of that distribution.
func (h *HeldOutKernel) Under(masses []float64) *HeldOutKernel {
	h.masses = masses
	return h
}

// Keep has the matrix of any number of points kept once it is computed, if keep: up to
// 8·N² bytes. All measures of all models then take it from memory.
func (h *HeldOutKernel) Keep(keep bool) *HeldOutKernel {
	h.stored = h.stored || keep
	return h
}

// size is N.
func (h *HeldOutKernel) size() int { n, _ := h.points.Dims(); return n }

// operator is the matrix, kept or streamed.
func (h *HeldOutKernel) operator() linalg.Operator {
	if h.stored {
		return linalg.Symmetric(h.gram())
	}
	return streamed{h.kernel, h.points}
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
	if h.masses != nil {
		y = mat.DenseCopyOf(y)
		for i, mass := range h.masses {
			floats.Scale(float64(h.size())*mass, y.RawRowView(i))
		}
	}
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

// top are the largest eigenvalues of K_ZZ/N, or of P^(1/2)K_ZZ P^(1/2) under masses P.
func (h *HeldOutKernel) top() ([]float64, error) {
	n, operator := h.size(), h.operator()
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
	if min(ell, h.size()) > h.ell {
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

// rowsOf are the rows from..to−1.
func rowsOf(a *mat.Dense, from, to int) *mat.Dense {
	_, d := a.Dims()
	return a.Slice(from, to, 0, d).(*mat.Dense)
}
