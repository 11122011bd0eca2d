package files

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Pool is a store of N points in R^D of which rows are drawn. A Pool does not
// change once made, so any number of goroutines may draw from it.
type Pool interface {
	// Len is the number of points N.
	Len() int
	// Dim is the dimension D.
	Dim() int
	// Rows writes the points of the given indices, in that order and as often
	// as they are named, into dst. An empty dst is sized len(idx)×D; any other
	// must have that shape. Rows panics on another shape, on an index outside
	// [0, N), and on no indices at all. Cost: 8·len(idx)·D bytes.
	Rows(idx []int, dst *mat.Dense)
}

// Viewer is a Pool that may have points in memory as float64.
type Viewer interface {
	Pool
	// View is the points from … to−1 themselves, not to be written to; nil where
	// they are not rows of a matrix one after another.
	View(from, to int) *mat.Dense
}

// Each visits the points in order, in blocks, until the context ends. What a pool finds
// wrong in reading its file is an error here.
func Each(ctx context.Context, p Pool, visit func(i int, x []float64) error) (err error) {
	defer func() {
		v := recover()
		failure, ok := v.(*ReadError)
		if v != nil && !ok {
			panic(v)
		} else if ok {
			err = failure
		}
	}()
	const numbers = 1 << 17
	block := max(1, numbers/p.Dim())
	for from := 0; from < p.Len(); from += block {
		if err := ctx.Err(); err != nil {
			return err
		}
		var x mat.Dense
		p.Rows(between(from, min(from+block, p.Len())), &x)
		n, _ := x.Dims()
		for i := range n {
			if err := visit(from+i, x.RawRowView(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Unchanged fails where a file that a pool reads points from, as they are asked
// for, is no longer what it was when it was opened; nil for points in memory.
func Unchanged(p Pool) error {
	switch p := p.(type) {
	case interface{ Unchanged() error }:
		return p.Unchanged()
	case selection:
		return Unchanged(p.Pool)
	case joined:
		return errors.Join(Unchanged(p.first), Unchanged(p.second))
	}
	return nil
}

// DensePool is a Pool over a float64 matrix, N×D, which it does not copy.
type DensePool struct{ X *mat.Dense }

// Len is the number of rows of X.
func (p DensePool) Len() int { n, _ := p.X.Dims(); return n }

// Dim is the number of columns of X.
func (p DensePool) Dim() int { _, d := p.X.Dims(); return d }

// Rows copies rows of X; see Pool.
func (p DensePool) Rows(idx []int, dst *mat.Dense) {
	size(dst, len(idx), p.Dim())
	for i, j := range idx {
		copy(dst.RawRowView(i), p.X.RawRowView(j))
	}
}

// View is a slice of X.
func (p DensePool) View(from, to int) *mat.Dense {
	return p.X.Slice(from, to, 0, p.Dim()).(*mat.Dense)
}

// selection is some of a Pool's points, by reference.
type selection struct {
	Pool
	idx []int
}

func (s selection) Len() int { return len(s.idx) }

func (s selection) Rows(idx []int, dst *mat.Dense) { s.Pool.Rows(pick(s.idx, idx), dst) }

// View is that of the Pool where the points from … to−1 are neighbours there.
func (s selection) View(from, to int) *mat.Dense {
	v, ok := s.Pool.(Viewer)
	if !ok || !slices.Equal(s.idx[from:to], between(s.idx[from], s.idx[from]+to-from)) {
		return nil
	}
	return v.View(s.idx[from], s.idx[from]+to-from)
}

// joined is a Pool after another.
type joined struct{ first, second Pool }

func (j joined) Len() int { return j.first.Len() + j.second.Len() }
func (j joined) Dim() int { return j.first.Dim() }

// Rows takes each point from its Pool.
func (j joined) Rows(idx []int, dst *mat.Dense) {
	size(dst, len(idx), j.Dim())
	for row, i := range idx {
		pool := j.first
		if i >= j.first.Len() {
			pool, i = j.second, i-j.first.Len()
		}
		pool.Rows([]int{i}, dst.Slice(row, row+1, 0, j.Dim()).(*mat.Dense))
	}
}

func size(dst *mat.Dense, n, d int) {
	if n == 0 {
		panic("files: Rows of no indices")
	}
	if dst.IsEmpty() {
		dst.ReuseAs(n, d)
		return
	}
	if r, c := dst.Dims(); r != n || c != d {
		panic(fmt.Sprintf("files: Rows into a %d×%d matrix, want %d×%d", r, c, n, d))
	}
}

func pick[T any](from []T, idx []int) []T {
	out := make([]T, len(idx))
	for i, j := range idx {
		out[i] = from[j]
	}
	return out
}

// between are the indices from … to−1.
func between(from, to int) []int {
	idx := make([]int, to-from)
	for i := range idx {
		idx[i] = from + i
	}
	return idx
}
