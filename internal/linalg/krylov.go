package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// startSeed fixes the random start block and every replacement direction.
var startSeed = [32]byte([]byte("linalg.Top: start of the basis.."))

// krylov is a thick-restart block Lanczos iteration. Vectors are rows.
//
// The first done rows of q have been through A: A·q[:done] lies in the span of
// q[:size] but for parts below rounding, and t = q[:done]·A·q[:size]ᵀ. Rows
// done…size are the next block.
type krylov struct {
	op   Operator
	ell  int
	opts TopOptions

	n, capacity int
	q           blas64.General // capacity + Block rows
	t           blas64.General
	done, size  int
	rng         *rand.Rand

	norm       float64 // largest |Ritz value| or projected column seen: an estimate of ‖A‖
	next       int     // basis size of the next convergence test
	lastDone   int     // basis size and largest residual at the last test, 0 if there is none
	lastWorst  float64
	searched   []float64 // the leading values when the search for missed copies began
	iterations int

	values    []float64
	vectors   blas64.General
	converged bool
}

func newKrylov(op Operator, ell int, opts TopOptions) *krylov {
	k := &krylov{op: op, ell: ell, opts: opts, n: op.Dim()}
	k.capacity = min(max(opts.Basis, ell+2*opts.Block), k.n-opts.Block)
	k.q = newGeneral(k.capacity+opts.Block, k.n)
	k.t = newGeneral(k.capacity+opts.Block, k.capacity+opts.Block)
	k.rng = rand.New(rand.NewChaCha8(startSeed))
	k.next = min(ell+2*opts.Block, k.capacity)
	return k
}

// run iterates until convergence or MaxIterations and leaves the leading pairs
// in values and vectors.
func (k *krylov) run() error {
	k.addRandom()
	for {
		if err := k.expand(); err != nil {
			return err
		}
		last := k.iterations >= k.opts.MaxIterations && k.done >= k.ell
		full := k.done+k.opts.Block > k.capacity
		if !last && !full && k.done < k.next {
			continue
		}
		r, err := k.ritz()
		if err != nil {
			return err
		}
		k.schedule(r.worst)
		found := r.worst <= 0.5*k.opts.Tolerance*k.norm
		k.converged = found && (k.opts.Block >= k.ell || k.searched != nil && r.nextClear)
		if k.converged && k.raised(r.values) {
			k.converged, k.searched = false, nil
		}
		if k.converged || last {
			k.values = r.values[:k.ell:k.ell]
			k.vectors = newGeneral(k.ell, k.n)
			gemm(blas.NoTrans, blas.NoTrans, 1, general(r.y, 0, 0, k.ell, k.done),
				general(k.q, 0, 0, k.done, k.n), 0, k.vectors)
			return nil
		}
		switch {
		case found && k.searched == nil:
			k.searched = r.values[:k.ell]
			k.restart(r, k.ell)
			k.size = k.done
			k.addRandom()
			k.next, k.lastWorst = k.done+3*k.opts.Block, 0
		case full:
			k.restart(r, max(k.ell+k.opts.Block/2, k.ell+(k.capacity-k.ell)/3))
		}
	}
}

// schedule sets the basis size of the next test. Residuals fall at least
// geometrically with the basis, so the fall since the last test predicts how
// many blocks are missing at most; it goes seven tenths of that way, since a
// decomposition at p costs as much as one or two blocks.
func (k *krylov) schedule(worst float64) {
	step := k.opts.Block
	if target := 0.5 * k.opts.Tolerance * k.norm; target > 0 && k.lastWorst > worst && worst > target && !math.IsInf(k.lastWorst, 0) {
		rate := math.Log(k.lastWorst/worst) / float64(k.done-k.lastDone)
		step = int(min(0.7*math.Log(worst/target)/rate, float64(k.done)))
	}
	k.lastDone, k.lastWorst = k.done, worst
	k.next = k.done + max(k.opts.Block, step)
}

// raised says whether the search after convergence found a larger eigenvalue,
// in which case there may be more.
func (k *krylov) raised(values []float64) bool {
	for i, v := range k.searched {
		if values[i] > v+k.opts.Tolerance*k.norm {
			return true
		}
	}
	return false
}

// expand applies A to the newest block, projects, and appends the orthonormal
// rest as the next block.
func (k *krylov) expand() error {
	b := k.size - k.done
	block := general(k.q, k.done, 0, b, k.n)
	w := general(k.q, k.size, 0, b, k.n)
	applyTo(k.op, w, block)
	k.iterations++
	h := newGeneral(b, k.size)
	basis := general(k.q, 0, 0, k.size, k.n)
	orthogonalise(w, basis, h)
	for range 3 {
		before := rowNorms(w)
		orthogonalise(w, basis, h)
		if !shrank(before, rowNorms(w)) {
			break
		}
	}
	for i := range b {
		row := rowOf(h, i)
		norm := math.Hypot(blas64.Nrm2(vectorOf(row)), blas64.Nrm2(vectorOf(rowOf(w, i))))
		if math.IsNaN(norm) || math.IsInf(norm, 0) {
			return fmt.Errorf("application %d of the operator: %w", k.iterations, ErrNotFinite)
		}
		k.norm = max(k.norm, norm)
		copy(rowOf(k.t, k.done+i), row)
	}
	k.done = k.size
	residual := newGeneral(b, k.n)
	copy(residual.Data, w.Data)
	k.append(b)
	// The coupling of the finished block to the next, for residuals.
	next := general(k.q, k.done, 0, b, k.n)
	gemm(blas.NoTrans, blas.Trans, 1, residual, next, 0, general(k.t, k.done-b, k.done, b, b))
	return nil
}

func rowNorms(w blas64.General) []float64 {
	norms := make([]float64, w.Rows)
	for i := range norms {
		norms[i] = blas64.Nrm2(vectorOf(rowOf(w, i)))
	}
	return norms
}

// shrank says whether a row lost more than half of its norm to a projection,
// which then has to be repeated: what is left of it carries the rounding error
// of what was taken off.
func shrank(before, after []float64) bool {
	for i, v := range after {
		if v < before[i]/2 {
			return true
		}
	}
	return false
}

// addRandom appends a random block orthogonal to the basis.
func (k *krylov) addRandom() {
	for i := range k.opts.Block {
		k.randomise(rowOf(k.q, k.size+i))
	}
	orthogonalise(general(k.q, k.size, 0, k.opts.Block, k.n), general(k.q, 0, 0, k.size, k.n), blas64.General{})
	k.append(k.opts.Block)
}

func (k *krylov) randomise(x []float64) {
	scale := 1 / math.Sqrt(float64(len(x)))
	for i := range x {
		x[i] = scale * k.rng.NormFloat64()
	}
}

// append makes the b rows after the basis orthonormal, to each other and to
// the basis, and adds them to it.
func (k *krylov) append(b int) {
	basis := general(k.q, 0, 0, k.size, k.n)
	block := general(k.q, k.size, 0, b, k.n)
	// A row below floor is rounding error of A·q: it has no direction.
	floor := 16 * eps * k.norm
	for range 6 {
		if k.sweep(block, floor) {
			break
		}
		orthogonalise(block, basis, blas64.General{})
		floor = 0
	}
	k.size += b
}

// sweep orthonormalises the rows of block by Gram–Schmidt, twice, replacing by
// random ones the rows that have no part of their own above floor. It reports
// whether orthogonality to the basis survived: a row that shrank by a factor s
// carries s times the rounding error it had along the basis.
func (k *krylov) sweep(block blas64.General, floor float64) bool {
	const group = 16
	clean := true
	before := rowNorms(block)
	for g := 0; g < block.Rows; g += group {
		end := min(g+group, block.Rows)
		rows := general(block, g, 0, end-g, block.Cols)
		earlier := general(block, 0, 0, g, block.Cols)
		for range 2 {
			orthogonalise(rows, earlier, blas64.General{})
		}
		for i := g; i < end; i++ {
			x := vectorOf(rowOf(block, i))
			after := k.reduce(block, g, i)
			if after <= floor || after <= 1e-14*before[i] {
				k.randomise(x.Data)
				orthogonalise(general(block, i, 0, 1, block.Cols), earlier, blas64.General{})
				after = k.reduce(block, g, i)
				clean = false
			}
			clean = clean && after > 0.1*before[i]
			blas64.Scal(1/after, x)
		}
	}
	return clean
}

// reduce takes off row i its parts along rows g…i of block, twice, and returns
// the norm of the rest.
func (k *krylov) reduce(block blas64.General, g, i int) float64 {
	x := vectorOf(rowOf(block, i))
	for range 2 {
		for j := g; j < i; j++ {
			y := vectorOf(rowOf(block, j))
			blas64.Axpy(-blas64.Dot(x, y), y, x)
		}
	}
	return blas64.Nrm2(x)
}

// ritzPairs are the eigenpairs of the projected matrix.
type ritzPairs struct {
	values    []float64
	y         blas64.General // done×done, vectors as rows
	worst     float64        // largest residual of the ell leading pairs
	nextClear bool           // the pair after them cannot belong among them
}

// ritz decomposes the projected matrix.
func (k *krylov) ritz() (ritzPairs, error) {
	p, b := k.done, k.size-k.done
	t := mat.NewSymDense(p, nil)
	s := t.RawSymmetric()
	for i := range p {
		for j := i; j < p; j++ {
			// Row j holds the coefficient on every earlier vector; row i only
			// on those of its time, and the two agree to rounding.
			s.Data[i*s.Stride+j] = k.t.Data[j*k.t.Stride+i]
		}
	}
	values, y, err := eigenRows(t)
	if err != nil {
		return ritzPairs{}, fmt.Errorf("projected matrix: %w", err)
	}
	k.norm = max(k.norm, math.Abs(values[0]), math.Abs(values[p-1]))
	r := ritzPairs{values: values, y: y}
	leading := min(p, k.ell+1)
	coupling := newGeneral(leading, b)
	gemm(blas.NoTrans, blas.NoTrans, 1, general(y, 0, 0, leading, p), general(k.t, 0, p, p, b), 0, coupling)
	for i := range min(leading, k.ell) {
		r.worst = max(r.worst, blas64.Nrm2(vectorOf(rowOf(coupling, i))))
	}
	if p < k.ell {
		r.worst = math.Inf(1)
	}
	if leading > k.ell {
		res := blas64.Nrm2(vectorOf(rowOf(coupling, k.ell)))
		r.nextClear = values[k.ell]+res <= values[k.ell-1] || res <= k.opts.Tolerance*k.norm
	}
	return r, nil
}

// restart compresses the basis to its keep leading Ritz vectors, followed by
// the pending block.
func (k *krylov) restart(r ritzPairs, keep int) {
	b := k.size - k.done
	kept := newGeneral(keep, k.n)
	gemm(blas.NoTrans, blas.NoTrans, 1, general(r.y, 0, 0, keep, k.done),
		general(k.q, 0, 0, k.done, k.n), 0, kept)
	copy(k.q.Data[keep*k.n:(keep+b)*k.n], k.q.Data[k.done*k.n:k.size*k.n])
	copy(k.q.Data, kept.Data)
	clear(k.t.Data)
	for i := range keep {
		k.t.Data[i*k.t.Stride+i] = r.values[i]
	}
	k.done, k.size = keep, keep+b
	k.next, k.lastWorst = k.done+2*b, 0
}
