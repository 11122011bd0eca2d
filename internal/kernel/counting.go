package kernel

import (
	"sync/atomic"

	"gonum.org/v1/gonum/mat"
)

// Counting is a kernel that counts how many of its values are asked for, and how often a
// point is. It is safe for concurrent use.
type Counting struct {
	Kernel
	values, points atomic.Int64
}

// Values is how many values were asked for: those of blocks each time, and of a Gram
// matrix all n², though one triangle is computed.
func (c *Counting) Values() int64 { return c.values.Load() }

// Points is how many points were read: those of a Gram matrix, the rows of a block, each
// time, but not the points that they are compared with, which were made ready before; and
// those that a feature map or coordinates were computed of.
func (c *Counting) Points() int64 { return c.points.Load() }

// Read counts what a block of values reads, or a matrix made before: rows of so many
// columns.
func (c *Counting) Read(rows, columns int) {
	c.values.Add(int64(rows) * int64(columns))
	c.points.Add(int64(rows))
}

// CountPoints counts points that features of k are computed of, where k counts.
func CountPoints(k Kernel, points int) {
	if c := counterOf(k); c != nil {
		c.Read(points, 0)
	}
}

// countingFinite is a Counting of a kernel of finite rank. Coordinates are no values.
type countingFinite struct {
	*Counting
	finite Finite
}

func (c countingFinite) Rank() int { return c.finite.Rank() }

func (c countingFinite) Coordinates(x *mat.Dense) *mat.Dense {
	c.Read(x.RawMatrix().Rows, 0)
	return c.finite.Coordinates(x)
}

// Count is the kernel with a counter of its values.
func Count(k Kernel) (Kernel, *Counting) {
	c := &Counting{Kernel: k}
	if finite, ok := k.(Finite); ok {
		return countingFinite{c, finite}, c
	}
	return c, c
}

// Plain is a kernel without its counter.
func Plain(k Kernel) Kernel {
	if c := counterOf(k); c != nil {
		return c.Kernel
	}
	return k
}

// counterOf is nil for a kernel that does not count.
func counterOf(k Kernel) *Counting {
	switch k := k.(type) {
	case *Counting:
		return k
	case countingFinite:
		return k.Counting
	}
	return nil
}

// At counts one value.
func (c *Counting) At(x, y []float64) float64 {
	c.Read(1, 1)
	return c.Kernel.At(x, y)
}

func (c *Counting) against(y *mat.Dense) filler {
	fill, columns := against(c.Kernel, y), y.RawMatrix().Rows
	return func(dst, x *mat.Dense, from int) {
		c.Read(x.RawMatrix().Rows, columns-from)
		fill(dst, x, from)
	}
}
