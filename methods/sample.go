package methods

import (
	"context"
	"errors"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/methods/landmark"
)

// Sample is what a method sees of its data. A row of it is a point, or stands for several
// (Counts); rows are in memory (X), or are read in blocks (Rows); what fits of the same
// sample share is handed over with it (Gram, Spectrum). Its methods are all that an
// estimator needs of these:
//
//	n, dim, weights     how many rows, of which dimension, and how many points each is
//	eachBlock, each     the rows, or functions at them, a block at a time
//	features            the features of all rows
//	gram, coordinates   the kernel matrix of the rows, or its factor where that is cheap
//	eigenvectors        those of the kernel matrix
//	pick                landmarks
type Sample struct {
	X    *mat.Dense // n×D; not to be written to
	Rows data.Rows  // in place of X where the traits' Streams holds: n rows or more
	// Counts says how many points of the sample each row of X stands for: whole numbers
	// above 0 that add up to n, which may be more than X has rows. nil for one each. An
	// estimate is that of the n points.
	Counts []float64
	// Responses (n×q) are those of the rows of X, means of those of their points; nil where
	// there are none.
	Responses  *mat.Dense
	Kernel     kernel.Kernel
	Sizes      Sizes
	Population data.Population      // for the population's own kpca only; may be nil
	Gram       func() *mat.SymDense // shared kernel matrix of the rows of X, not to be written to; nil where nothing is shared
	Spectrum   landmark.Spectrum    // shared eigenpairs of the kernel matrix, for landmarks; nil where nothing is shared
	Clock      Clock                // measures phases; nil where time is not measured
}

// Clock measures phases of a fit: landmarks, gram, factor, sketch, embed, solve,
// lloyd; exec for a program; read where points are read in blocks. Random
// features are drawn in gram.
type Clock interface {
	// Phase starts a phase and returns what ends it.
	Phase(name string) (stop func())
	// Add adds a phase that was measured elsewhere.
	Add(name string, seconds float64)
	// Pause starts what is no part of the fit, between phases, and returns what ends it.
	Pause() (resume func())
}

func (p Sample) phase(name string) func() {
	if p.Clock == nil {
		return func() {}
	}
	return p.Clock.Phase(name)
}

func (p Sample) pause() func() {
	if p.Clock == nil {
		return func() {}
	}
	return p.Clock.Pause()
}

// n is how many rows there are: Sizes.N, unless these stand for several points.
func (p Sample) n() int {
	if p.X == nil {
		return p.Sizes.N
	}
	n, _ := p.X.Dims()
	return n
}

// dim is their dimension D.
func (p Sample) dim() int { return p.rows().Dim() }

// weights are how many points each row is.
func (p Sample) weights() weights { return p.Counts }

// rows are the rows, wherever they are.
func (p Sample) rows() data.Rows {
	if p.Rows != nil {
		return p.Rows
	}
	return data.RowsOf(p.X)
}

// responses is how many responses a point has, q.
func (p Sample) responses() int { return p.Responses.RawMatrix().Cols }

// checkResponses refuses a sample without responses.
func (p Sample) checkResponses() error {
	if p.Responses == nil {
		return errors.New("the points have no responses, and are not of two classes or more: regression needs a data set with one of the keys response and label")
	}
	return nil
}

// matrix is the kernel matrix of X, shared or computed.
func (p Sample) matrix() *mat.SymDense {
	if p.Gram != nil {
		return p.Gram()
	}
	return kernel.Gram(p.Kernel, p.X)
}

// gram is matrix as a phase, with a look at the context on either side.
func (p Sample) gram(ctx context.Context) (*mat.SymDense, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	stop := p.phase("gram")
	gram := p.matrix()
	stop()
	return gram, ctx.Err()
}

// coordinates are those of X under a kernel of finite rank r, n×r, where that is so far
// below n that they are cheaper than the kernel matrix.
func (p Sample) coordinates() (*mat.Dense, bool) { return finiteCoordinates(p.Kernel, p.X) }

func finiteCoordinates(k kernel.Kernel, x *mat.Dense) (*mat.Dense, bool) {
	if n, _ := x.Dims(); rankBelow(k, n) == 0 {
		return nil, false
	}
	return k.(kernel.Finite).Coordinates(x), true
}

// rankBelow is the rank of a kernel whose coordinates are cheaper than the kernel
// matrix of n points; 0 for other kernels.
func rankBelow(k kernel.Kernel, n int) float64 {
	if finite, ok := k.(kernel.Finite); ok && 4*finite.Rank() <= n {
		return float64(finite.Rank())
	}
	return 0
}

// eigenvectors are so many leading eigenvectors of a kernel matrix of the rows, which are n
// points, as coefficients of the rows' kernel functions, with their eigenvalues. Those that
// are rounding are left out.
func (p Sample) eigenvectors(gram *mat.SymDense, centred bool, asked, n int) (*mat.Dense, Spectrum, error) {
	order, operator := gram.SymmetricDim(), linalg.Symmetric(gram)
	switch {
	case p.Counts != nil:
		operator = linalg.Symmetric(p.weights().matrix(gram, centred))
	case centred:
		operator = linalg.Centred(operator)
	}
	coef, spectrum, err := pairs(operator, asked, order, linalg.LargestDiagonal(gram)*(float64(n)/float64(order)))
	if err != nil {
		return nil, Spectrum{}, err
	}
	if centred {
		p.weights().centre(coef)
	}
	p.weights().roots(coef)
	return coef, spectrum, nil
}

// pick is landmark.Pick on the sample, as the phase landmarks. Rules that
// look at no point need Rows alone; the others refuse it.
func (p Sample) pick(ctx context.Context, rng *rand.Rand, o landmark.Options) (landmark.Set, error) {
	defer p.phase("landmarks")()
	if p.X != nil {
		return landmark.Pick(ctx, p.Kernel, p.X, p.Counts, p.Spectrum, p.Sizes.M, rng, o)
	}
	set, err := landmark.Indices(p.Sizes.N, p.Sizes.M, rng, o)
	if err != nil {
		return landmark.Set{}, err
	}
	set.Points = mat.NewDense(len(set.Indices), p.dim(), nil)
	p.Rows.Rows(set.Indices, set.Points)
	return set, nil
}

// blockReader reads the rows in blocks.
type blockReader struct {
	sample  Sample
	rows    data.Rows
	indices []int
	x       *mat.Dense
}

// blocks reads up to size rows at a time.
func (p Sample) blocks(size int) *blockReader {
	return &blockReader{sample: p, rows: p.rows(), indices: make([]int, min(size, p.n()))}
}

// read is the rows from … to−1, not to be written to, until the next call: the
// matrix that holds them, where there is one, else what is read in the phase read.
func (r *blockReader) read(from, to int) *mat.Dense {
	if view := data.View(r.rows, from, to); view != nil {
		return view
	}
	if r.x == nil {
		r.x = mat.NewDense(len(r.indices), r.rows.Dim(), nil)
	}
	defer r.sample.phase("read")()
	for i := range to - from {
		r.indices[i] = from + i
	}
	x := linalg.Rows(r.x, 0, to-from)
	r.rows.Rows(r.indices[:to-from], x)
	return x
}

// eachBlock calls use with up to size rows at a time, x, from … to−1, which it leaves as they
// are. It looks at the context before each.
func (p Sample) eachBlock(ctx context.Context, size int, use func(from, to int, x *mat.Dense)) error {
	n, blocks := p.n(), p.blocks(size)
	for from := 0; from < n; from += size {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := min(from+size, n)
		use(from, to, blocks.read(from, to))
	}
	return nil
}

// each calls use with the values of dim functions at the rows from … to−1, as fill
// gives them, a block of rows at a time, which it may overwrite.
func (p Sample) each(ctx context.Context, dim int, fill func(dst, x *mat.Dense), use func(from, to int, values *mat.Dense)) error {
	buffer := mat.NewDense(min(rowsPerBlock, p.n()), dim, nil)
	return p.eachBlock(ctx, rowsPerBlock, func(from, to int, x *mat.Dense) {
		values := linalg.Rows(buffer, 0, to-from)
		fill(values, x)
		use(from, to, values)
	})
}

// rowsPerBlock is how many rows of K_nm or of the features are held at once.
const rowsPerBlock = 1024

// transform fills rows with the features of points.
func (p Sample) transform(features kernel.FeatureMap) func(rows, x *mat.Dense) {
	return func(rows, x *mat.Dense) {
		defer p.phase("embed")()
		kernel.CountPoints(p.Kernel, x.RawMatrix().Rows)
		features.Transform(rows, x)
	}
}

// features are the n×p features of all rows.
func (p Sample) features(ctx context.Context, features kernel.FeatureMap) (*mat.Dense, error) {
	z, transform := mat.NewDense(p.n(), features.Dim(), nil), p.transform(features)
	err := p.eachBlock(ctx, rowsPerBlock, func(from, to int, x *mat.Dense) {
		transform(linalg.Rows(z, from, to), x)
	})
	return z, err
}

// moment is that of the values of dim functions, as fill gives them, over the sample.
func (p Sample) moment(ctx context.Context, c center, dim int, fill func(dst, x *mat.Dense)) (*secondMoment, error) {
	moment := newSecondMoment(c, dim)
	err := p.each(ctx, dim, fill, func(from, to int, values *mat.Dense) {
		defer p.phase("embed")()
		moment.add(values, p.weights().part(from, to))
	})
	return moment, err
}
