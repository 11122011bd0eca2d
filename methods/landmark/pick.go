package landmark

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/counts"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

// Set is what was picked.
type Set struct {
	Indices []int      // of the sample points, in the order drawn, without repeats
	Points  *mat.Dense // the landmarks, a row each: at most m×D
	// Times is how many landmarks each of these stands for, where the sample's points
	// stand for several and the rule may draw one more than once; else nil.
	Times []float64
	// Drawn says, with Times, which of Indices each landmark is, in the order drawn;
	// nil for more than counts.Singly.
	Drawn    []int
	Level    float64  // at which leverage scores were taken; 0 for rules without
	Warnings []string // fewer landmarks than asked for, a level out of reach
}

// Pick picks m landmarks among the rows of x (n×D) for a kernel. Row i stands for
// times[i] points; nil for one each. A landmark is drawn as one of all points, so that m
// may exceed the rows: it then is one of those that are equal, and Set.Times counts them.
// Rules that draw no point twice give each row at most once. A rule that
// decomposes takes its eigenpairs from spectrum, which must be those of [Decompose];
// nil computes them. There may be
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
func Pick(ctx context.Context, k kernel.Kernel, x *mat.Dense, times []float64, spectrum Spectrum, m int, rng *rand.Rand, o Options) (Set, error) {
	n, _ := x.Dims()
	if err := o.Check(); err != nil {
		return Set{}, err
	}
	if spectrum == nil {
		spectrum = func(ctx context.Context) ([]float64, *mat.Dense, error) { return Decompose(ctx, k, x, times) }
	}
	p := &problem{ctx: ctx, kernel: k, x: x, spectrum: spectrum, n: n, total: n, m: m, rng: rng, Options: o}
	err := o.CheckSizes(n, m)
	if times != nil {
		p.times, p.sums = times, floats.CumSum(make([]float64, n), times)
		p.total = int(p.sums[n-1])
		if err = o.CheckCounts(); err == nil {
			err = o.CheckSizes(n, min(m, n))
		}
		switch {
		case err != nil:
		case m > p.total:
			err = fmt.Errorf("m = %d landmarks out of n = %d points", m, p.total)
		case m > mostDistinct && o.Replacement:
			err = fmt.Errorf("m = %d draws with replacement: at most %d; draw without replacement", m, mostDistinct)
		}
	}
	if err != nil {
		return Set{}, err
	}
	name, entry := o.Entry()
	set, err := entry.pick(p)
	if err != nil {
		return Set{}, fmt.Errorf("landmarks by %s: %w", name, err)
	}
	set.Points = linalg.SelectRows(p.x, set.Indices)
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
	name, entry := o.Entry()
	if !entry.DataIndependent {
		return Set{}, fmt.Errorf("landmarks by %s: the rule looks at the points, which are not in memory; take uniform or first", name)
	}
	return entry.pick(&problem{n: n, total: n, m: m, rng: rng, Options: o})
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
	total  int       // points, n where each row of x is one
	times  []float64 // how many each row stands for; nil for one
	sums   []float64 // their partial sums
	rng    *rand.Rand
	diag   []float64 // k(x_i, x_i), by setDiagonal

	spectrum Spectrum
}

// uniform landmarks are the points with the m smallest of n independent uniform
// marks.
func (p *problem) uniform() (Set, error) {
	if p.Replacement {
		return p.distinct(func() int { return p.rng.IntN(p.total) }), nil
	}
	if p.times != nil && p.total > counts.Singly {
		return p.uniformCounts(), nil
	}
	marks := make([]float64, p.total)
	for i := range marks {
		marks[i] = p.rng.Float64()
	}
	return p.gathered(smallest(marks, p.m)), nil
}

// mostInOrder is how many landmarks are drawn one after another; of more only the
// numbers are.
const mostInOrder = 1 << 16

// uniformCounts are m of all points, whose number may be any.
func (p *problem) uniformCounts() Set {
	if p.m <= mostInOrder {
		return p.gatheredRows(counts.Sequence(p.times, nil, p.m, p.rng))
	}
	set := Set{}
	for i, c := range counts.Subset(p.times, float64(p.m), p.rng) {
		if c > 0 {
			set.Indices, set.Times = append(set.Indices, i), append(set.Times, c)
		}
	}
	return set
}

// gathered is the set of some points, in the order drawn, each once: rows, or of points
// that stand for several these written out.
func (p *problem) gathered(points []int) Set {
	if p.times == nil {
		return Set{Indices: points}
	}
	rows := make([]int, len(points))
	for i, point := range points {
		rows[i] = counts.At(p.sums, point)
	}
	return p.gatheredRows(rows)
}

// gatheredRows is the set of rows, as often as they were drawn.
func (p *problem) gatheredRows(rows []int) Set {
	set, place := Set{}, map[int]int{}
	for _, i := range rows {
		at, seen := place[i]
		if !seen {
			at = len(set.Indices)
			place[i] = at
			set.Indices, set.Times = append(set.Indices, i), append(set.Times, 0)
		}
		set.Times[at]++
		if len(rows) <= counts.Singly {
			set.Drawn = append(set.Drawn, at)
		}
	}
	return set
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
	p.diag = kernel.Diagonal(p.kernel, p.x)
	largest := 0.0
	for i, v := range p.diag {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, fmt.Errorf("the kernel of point %d with itself is %v", i, v)
		}
		largest = max(largest, v)
	}
	if largest == 0 {
		return 0, fmt.Errorf("the kernel is 0 on all %d points", p.n)
	}
	return largest, nil
}

// Spectrum returns eigenpairs, falling, the vectors as columns (n×n). Neither may be
// written to.
type Spectrum func(ctx context.Context) (values []float64, vectors *mat.Dense, err error)

// Decompose are the eigenpairs of the n×n kernel matrix of the rows of x, falling, or of
// rows that stand for several points those of all points that are not 0; negative
// eigenvalues, which are rounding, become 0. Cost: n²D + 9n³ flops, 32n² bytes.
//
// Errors: a kernel that is 0 on all points, or not finite; a context that ends.
func Decompose(ctx context.Context, k kernel.Kernel, x *mat.Dense, times []float64) ([]float64, *mat.Dense, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	gram := kernel.Gram(k, x)
	if times != nil {
		linalg.WeighSym(gram, times)
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	values, vectors, err := linalg.EigenSym(gram)
	if err != nil {
		return nil, nil, err
	}
	if values[0] <= 0 {
		return nil, nil, fmt.Errorf("the kernel is 0 on all %d points", len(values))
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
