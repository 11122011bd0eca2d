package data

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/data/files"
)

// standardized are the points of a pool with every coordinate less its mean, over
// its standard deviation (of divisor N); one that is constant becomes 0.
type standardized struct {
	files.Pool
	mean, sd []float64
}

// standardize takes means and deviations from train, for test as well. Two passes
// over train by blocks, nothing but 2D numbers kept. It fails where a variance overflows,
// and where the context ends before it does.
func standardize(ctx context.Context, train, test files.Table) (files.Table, files.Table, error) {
	d := train.Dim()
	s := standardized{Pool: train.X, mean: make([]float64, d), sd: make([]float64, d)}
	n := float64(train.Len())
	err := eachPoint(ctx, train.X, func(x []float64) { floats.Add(s.mean, x) })
	floats.Scale(1/n, s.mean)
	err = errors.Join(err, eachPoint(ctx, train.X, func(x []float64) {
		for j, v := range x {
			s.sd[j] += (v - s.mean[j]) * (v - s.mean[j])
		}
	}))
	if err != nil {
		return train, test, err
	}
	for j, squares := range s.sd {
		if squares-squares != 0 {
			name := strconv.Itoa(j)
			if train.Columns != nil {
				name = train.Columns[j]
			}
			return train, test, fmt.Errorf("standardize: column %q has numbers so large that its variance overflows, near 1e154 or above: correct them, or leave the column out", name)
		}
		s.sd[j] = math.Sqrt(squares / n)
	}
	train.X = s
	if test.Len() > 0 {
		s.Pool = test.X
		test.X = s
	}
	return train, test, nil
}

// Unchanged is that of the pool; see files.Unchanged.
func (s standardized) Unchanged() error { return files.Unchanged(s.Pool) }

func (s standardized) Rows(idx []int, dst *mat.Dense) {
	s.Pool.Rows(idx, dst)
	dst.Apply(func(_, j int, v float64) float64 {
		if s.sd[j] <= math.Abs(s.mean[j])*0x1p-50 { // constant but for rounding
			return 0
		}
		return (v - s.mean[j]) / s.sd[j]
	}, dst)
}

// eachPoint visits the points in order, by blocks, until the context ends.
func eachPoint(ctx context.Context, p files.Pool, visit func(x []float64)) error {
	const block = 1024
	for from := 0; from < p.Len(); from += block {
		if err := ctx.Err(); err != nil {
			return err
		}
		idx := make([]int, min(block, p.Len()-from))
		for i := range idx {
			idx[i] = from + i
		}
		var x mat.Dense
		p.Rows(idx, &x)
		for i := range idx {
			visit(x.RawRowView(i))
		}
	}
	return nil
}
