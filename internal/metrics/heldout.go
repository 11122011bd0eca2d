package metrics

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/internal/linalg/threads"
	"mercer/methods"
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

// Dim is N.
func (h *HeldOutKernel) Dim() int { n, _ := h.points.Dims(); return n }

// Apply sets dst = K_ZZ·src by blocks of rows, N×N numbers never at once: N²
// kernel values and 2N²b flops for b columns.
func (h *HeldOutKernel) Apply(dst, src *mat.Dense) {
	dst.Copy(kernel.Expansion{Kernel: h.kernel, Points: h.points, Coef: src}.Eval(h.points))
}

// streamedBlock is how many vectors one application of a streamed matrix takes.
const streamedBlock = 64

// top are the eigenvalues of K_ZZ/N by block Krylov. Of a streamed matrix the
// kernel values cost the most, and of one that is kept reading it, so blocks are
// wide and the residuals, whose squares over the gap are the errors of eigenvalues,
// stop at 1e-8: 4 to 7 applications, 12 where the spectrum is flat.
func (h *HeldOutKernel) top() ([]float64, error) {
	n := h.Dim()
	options := linalg.DefaultTopOptions(h.ell)
	var operator linalg.Operator = h
	if h.masses != nil { // N·P^(1/2)KP^(1/2)
		roots := linalg.Roots(h.masses)
		floats.Scale(math.Sqrt(float64(n)), roots)
		operator = weighted{h, roots}
		if h.stored {
			operator = weighted{linalg.Symmetric(h.gram()), roots}
		}
	} else if h.stored {
		operator = linalg.Symmetric(h.gram())
	}
	if !h.stored || n > maxStored {
		options.Tolerance, options.Block = 1e-8, streamedBlock
		options.Basis = max(8*options.Block, 3*h.ell+4*options.Block)
	}
	top, err := linalg.Top(operator, h.ell, options)
	if err == nil && !top.Converged {
		err = errors.New("not converged")
	}
	if err != nil {
		return nil, fmt.Errorf("spectrum of the kernel matrix of %d held-out points: %w", n, err)
	}
	for i, v := range top.Values {
		top.Values[i] = max(v, 0) / float64(n)
	}
	return top.Values, nil
}

// optimum is the largest ⟨P, Ĉ⟩ of any projection P of rank ell: the sum of the
// ell largest eigenvalues of K_ZZ/N.
func (h *HeldOutKernel) optimum(ell int) (float64, error) {
	if min(ell, h.Dim()) > h.ell {
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

// streamedRows and streamedColumns are the sizes of the blocks that forms works in.
const streamedRows, streamedColumns = 256, 1024

// forms are YᵀK_ZZ Y for each Y (N×ℓ), its rows times N and their masses: N²/2 kernel
// values for all of them, and N²ℓ flops each, by blocks of rows, side by side and summed in
// order, or 2N²ℓ flops each where the matrix is kept. A form does not depend on the others.
func (h *HeldOutKernel) forms(ctx context.Context, ys []*mat.Dense) ([]*mat.Dense, error) {
	n, forms := h.Dim(), make([]*mat.Dense, len(ys))
	weighed := make([]*mat.Dense, len(ys))
	for j, y := range ys {
		forms[j], weighed[j] = emptyForm(y), y
		if h.masses != nil {
			weighed[j] = mat.DenseCopyOf(y)
			for i, mass := range h.masses {
				floats.Scale(float64(n)*mass, weighed[j].RawRowView(i))
			}
		}
	}
	if h.stored {
		for j, y := range weighed {
			var image mat.Dense
			image.CloneFrom(y)
			linalg.Symmetric(h.gram()).Apply(&image, y)
			forms[j].Mul(y.T(), &image)
		}
		return forms, ctx.Err()
	}
	parts := make([][]*mat.Dense, (n+streamedRows-1)/streamedRows)
	threads.For(len(parts), func(i int) {
		if ctx.Err() == nil {
			parts[i] = h.parts(weighed, i*streamedRows, min((i+1)*streamedRows, n))
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, part := range parts {
		for j := range forms {
			forms[j].Add(forms[j], part[j])
		}
	}
	return forms, nil
}

// emptyForm is an empty ℓ×ℓ matrix for Y (N×ℓ).
func emptyForm(y *mat.Dense) *mat.Dense {
	_, l := y.Dims()
	return mat.NewDense(l, l, nil)
}

// parts are what the rows from..to−1 of the upper triangle give to each form, and what
// lies opposite to them.
func (h *HeldOutKernel) parts(ys []*mat.Dense, from, to int) []*mat.Dense {
	n := h.Dim()
	points, sums, images := rowsOf(h.points, from, to), make([]*mat.Dense, len(ys)), make([]*mat.Dense, len(ys))
	own := kernel.Gram(h.kernel, points)
	for j, y := range ys {
		here := rowsOf(y, from, to)
		var image mat.Dense
		image.Mul(own, here)
		sums[j] = emptyForm(y)
		sums[j].Mul(here.T(), &image)
		images[j] = &mat.Dense{}
		images[j].CloneFrom(here)
		images[j].Zero()
	}
	for left := to; left < n; left += streamedColumns {
		right := min(left+streamedColumns, n)
		tile := kernel.Cross(h.kernel, points, rowsOf(h.points, left, right))
		for j, y := range ys {
			linalg.Gemm(blas.NoTrans, blas.NoTrans, 1, tile.RawMatrix(), rowsOf(y, left, right).RawMatrix(), 1, images[j].RawMatrix())
		}
	}
	for j, y := range ys {
		var beside mat.Dense
		beside.Mul(rowsOf(y, from, to).T(), images[j])
		sums[j].Add(sums[j], &beside)
		sums[j].Add(sums[j], beside.T())
	}
	return sums
}

// rowsOf are the rows from..to−1.
func rowsOf(a *mat.Dense, from, to int) *mat.Dense {
	_, d := a.Dims()
	return a.Slice(from, to, 0, d).(*mat.Dense)
}

// Lifted is what the measures of SKP take of a feature subspace at the held-out points.
type Lifted struct {
	values *mat.Dense // Y, N×ℓ
	form   *mat.Dense // YᵀK_ZZ Y
}

// Streams says that the matrix is computed anew each time that it is applied.
func (h *HeldOutKernel) Streams() bool { return !h.stored }

// Lift computes for each model that is a feature subspace what measures take of the matrix,
// and nil for others: N²/2 kernel values where the matrix is streamed, however many models.
func (h *HeldOutKernel) Lift(ctx context.Context, models []methods.Model) ([]*Lifted, error) {
	all := make([]*Lifted, len(models))
	var values []*mat.Dense
	for i, model := range models {
		if m, ok := model.(*methods.FeatureSubspace); ok {
			all[i] = &Lifted{values: m.Eval(h.points)}
			values = append(values, all[i].values)
		}
	}
	if values == nil {
		return all, ctx.Err()
	}
	forms, err := h.forms(ctx, values)
	if err != nil {
		return nil, err
	}
	for _, l := range all {
		if l != nil {
			l.form, forms = forms[0], forms[1:]
		}
	}
	return all, nil
}
