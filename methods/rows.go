package methods

import (
	"context"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/methods/landmark"
)

// rows are the points of a problem, wherever they are.
func (p Problem) rows() data.Rows {
	if p.Rows != nil {
		return p.Rows
	}
	return data.RowsOf(p.X)
}

// points is how many rows there are, n unless these stand for several points.
func (p Problem) points() int {
	if p.X == nil {
		return p.Sizes.N
	}
	n, _ := p.X.Dims()
	return n
}

// counts are those of the rows from … to−1; nil for one each.
func (p Problem) counts(from, to int) []float64 {
	if p.Counts == nil {
		return nil
	}
	return p.Counts[from:to]
}

// dim is their dimension D.
func (p Problem) dim() int { return p.rows().Dim() }

// pick is landmark.Pick on the problem's sample, as the phase landmarks. Rules that
// look at no point need Problem.Rows alone; the others refuse it.
func (p Problem) pick(ctx context.Context, rng *rand.Rand, o landmark.Options) (landmark.Set, error) {
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

// blockReader reads the points of a problem in blocks.
type blockReader struct {
	problem Problem
	rows    data.Rows
	indices []int
	x       *mat.Dense
}

// blocks reads up to size points at a time.
func (p Problem) blocks(size int) *blockReader {
	return &blockReader{problem: p, rows: p.rows(), indices: make([]int, min(size, p.points()))}
}

// read is the points from … to−1, not to be written to, until the next call: the
// matrix that holds them, where there is one, else what is read in the phase read.
func (r *blockReader) read(from, to int) *mat.Dense {
	if view := data.View(r.rows, from, to); view != nil {
		return view
	}
	if r.x == nil {
		r.x = mat.NewDense(len(r.indices), r.rows.Dim(), nil)
	}
	x := r.x.Slice(0, to-from, 0, r.rows.Dim()).(*mat.Dense)
	r.fill(x, from, to)
	return x
}

// into copies or reads the points from … to−1 into dst, in the phase embed or read.
func (r *blockReader) into(dst *mat.Dense, from, to int) {
	if view := data.View(r.rows, from, to); view != nil {
		defer r.problem.phase("embed")()
		dst.Copy(view)
		return
	}
	r.fill(dst, from, to)
}

func (r *blockReader) fill(dst *mat.Dense, from, to int) {
	defer r.problem.phase("read")()
	for i := range to - from {
		r.indices[i] = from + i
	}
	r.rows.Rows(r.indices[:to-from], dst)
}

// eachBlock calls use with the values of dim functions at the points from … to−1, as fill
// gives them, a block of rows at a time, which use may overwrite. It looks at the context
// before each.
func (p Problem) eachBlock(ctx context.Context, dim int, fill func(dst, x *mat.Dense), use func(from, to int, rows *mat.Dense)) error {
	n, blocks := p.points(), p.blocks(rowsPerBlock)
	buffer := mat.NewDense(min(rowsPerBlock, n), dim, nil)
	for from := 0; from < n; from += rowsPerBlock {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := min(from+rowsPerBlock, n)
		rows := leadingRows(buffer, to-from)
		fill(rows, blocks.read(from, to))
		use(from, to, rows)
	}
	return nil
}

// rowsPerBlock is how many rows of K_nm or of the features are held at once.
const rowsPerBlock = 1024
