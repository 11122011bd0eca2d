package landmark

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

// Set is what was picked.
type Set struct {
	Indices  []int      // of the sample points, in the order drawn, without repeats; nil for centroids
	Points   *mat.Dense // the landmarks, a row each: at most m×D
	Level    float64    // at which leverage scores were taken; 0 for rules without
	Warnings []string   // fewer landmarks than asked for, a level out of reach
}

// Pick picks m landmarks among the rows of x (n×D) for a kernel. There may be
// fewer, with a warning, where the points have less than m distinct ones or less
// than rank m. Cost: that of the rule, see Registry.
//
// The result depends on the arguments and the stream alone, not on GOMAXPROCS.
// The context is looked at between blocks of rows; an eigenproblem once begun is
// finished.
//
// Errors: options or sizes that Check and CheckSizes refuse, values of the
// kernel that are not finite, a kernel that is 0 on all points or not positive
// semidefinite, a context that ends. The rule first needs no stream.
func Pick(ctx context.Context, k kernel.Kernel, x *mat.Dense, m int, rng *rand.Rand, o Options) (Set, error) {
	n, _ := x.Dims()
	if err := o.Check(); err != nil {
		return Set{}, err
	}
	if err := o.CheckSizes(n, m); err != nil {
		return Set{}, err
	}
	p := &problem{ctx: ctx, kernel: k, x: x, n: n, m: m, rng: rng, Options: o}
	set, err := Registry[o.Rule].pick(p)
	if err != nil {
		return Set{}, fmt.Errorf("landmarks by %s: %w", o.Rule, err)
	}
	if set.Points == nil {
		set.Points = linalg.SelectRows(p.x, set.Indices)
	}
	return set, nil
}

// Indices is Pick for rules that look at no point (see Entry.DataIndependent): which of n
// points are the landmarks, without the points themselves.
func Indices(n, m int, rng *rand.Rand, o Options) (Set, error) {
	if err := o.Check(); err != nil {
		return Set{}, err
	}
	if err := o.CheckSizes(n, m); err != nil {
		return Set{}, err
	}
	if !Registry[o.Rule].DataIndependent {
		return Set{}, fmt.Errorf("landmarks by %s: the rule looks at the points, which are not in memory; take uniform or first", o.Rule)
	}
	return Registry[o.Rule].pick(&problem{n: n, m: m, rng: rng, Options: o})
}

// rowsPerBlock is how many rows of kernel values are held at once.
const rowsPerBlock = 1024

// epsilon is the distance from 1 to the next float64.
const epsilon = 0x1p-52

// problem is a call of Pick under way.
type problem struct {
	Options
	ctx    context.Context
	kernel kernel.Kernel
	x      *mat.Dense
	n, m   int
	rng    *rand.Rand
	diag   []float64 // k(x_i, x_i), by setDiagonal
}

// uniform landmarks are the points with the m smallest of n independent uniform
// marks.
func (p *problem) uniform() (Set, error) {
	if p.Replacement {
		return p.distinct(func() int { return p.rng.IntN(p.n) }), nil
	}
	marks := make([]float64, p.n)
	for i := range marks {
		marks[i] = p.rng.Float64()
	}
	return Set{Indices: smallest(marks, p.m)}, nil
}

func (p *problem) first() (Set, error) {
	return Set{Indices: firstOf(p.m)}, nil
}

func firstOf(count int) []int {
	indices := make([]int, count)
	for i := range indices {
		indices[i] = i
	}
	return indices
}

// setDiagonal sets diag, and returns its largest element. It is an error if one is
// not finite or none is positive.
func (p *problem) setDiagonal() (float64, error) {
	p.diag = make([]float64, p.n)
	largest := 0.0
	for i := range p.diag {
		row := p.x.RawRowView(i)
		v := p.kernel.At(row, row)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, fmt.Errorf("the kernel of point %d with itself is %v", i, v)
		}
		p.diag[i] = v
		largest = max(largest, v)
	}
	if largest == 0 {
		return 0, fmt.Errorf("the kernel is 0 on all %d points", p.n)
	}
	return largest, nil
}

// gramSpectrum are the eigenpairs of the n×n kernel matrix, falling; negative
// eigenvalues, which are rounding, become 0.
func (p *problem) gramSpectrum() ([]float64, *mat.Dense, error) {
	if err := p.ctx.Err(); err != nil {
		return nil, nil, err
	}
	gram := kernel.Gram(p.kernel, p.x)
	if err := p.ctx.Err(); err != nil {
		return nil, nil, err
	}
	values, vectors, err := linalg.EigenSym(gram)
	if err != nil {
		return nil, nil, err
	}
	if values[0] <= 0 {
		return nil, nil, fmt.Errorf("the kernel is 0 on all %d points", p.n)
	}
	for i, v := range values {
		values[i] = max(v, 0)
	}
	return values, vectors, nil
}

// eachBlock calls f for consecutive ranges of count rows while the context lasts.
func (p *problem) eachBlock(count int, f func(from, to int)) error {
	for from := 0; from < count; from += rowsPerBlock {
		if err := p.ctx.Err(); err != nil {
			return err
		}
		f(from, min(from+rowsPerBlock, count))
	}
	return nil
}
