package data

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/data/files"
)

// standardized are the points of a pool with every coordinate less its mean, over
// its standard deviation (of divisor N); one that is constant becomes 0.
type standardized struct {
	files.Pool
	mean, sd []float64 // sd is 0 of a constant coordinate
}

// constantUpTo is the relative range up to which a coordinate is constant but for rounding.
const constantUpTo = 0x1p-50

// leastSquares is the sum of squares below which its terms underflow.
const leastSquares = 0x1p-1000

// standardize takes means and deviations from train, for test as well, and counts the columns
// that are constant. Two passes over train by blocks, nothing but 4D numbers kept. It fails
// where a variance overflows or underflows, and where the context ends before it does.
func standardize(ctx context.Context, train, test files.Table) (_, _ files.Table, constant int, err error) {
	d, n := train.Dim(), float64(train.Len())
	s := standardized{Pool: train.X, mean: make([]float64, d), sd: make([]float64, d)}
	least, most := slices.Repeat([]float64{math.Inf(1)}, d), slices.Repeat([]float64{math.Inf(-1)}, d)
	err = files.Each(ctx, train.X, func(_ int, x []float64) error {
		floats.Add(s.mean, x)
		return nil
	})
	floats.Scale(1/n, s.mean)
	err = errors.Join(err, files.Each(ctx, train.X, func(_ int, x []float64) error {
		for j, v := range x {
			s.sd[j] += (v - s.mean[j]) * (v - s.mean[j])
			least[j], most[j] = min(least[j], v), max(most[j], v)
		}
		return nil
	}))
	if err != nil {
		return train, test, 0, err
	}
	for j, squares := range s.sd {
		name := strconv.Itoa(j)
		if train.Columns != nil {
			name = train.Columns[j]
		}
		switch {
		case squares-squares != 0:
			return train, test, 0, fmt.Errorf("standardize: column %q has numbers so large that its variance overflows, near 1e154 or above: correct them, or leave the column out", name)
		case most[j]-least[j] <= constantUpTo*max(math.Abs(least[j]), math.Abs(most[j])):
			constant, s.sd[j] = constant+1, 0
			continue
		case squares < leastSquares:
			return train, test, 0, fmt.Errorf("standardize: column %q has differences so small that its variance underflows, near 1e-150 or below: multiply its numbers, or leave the column out", name)
		}
		s.sd[j] = math.Sqrt(squares / n)
	}
	train.X = s
	if test.Len() > 0 {
		s.Pool = test.X
		test.X = s
	}
	return train, test, constant, nil
}

// standardizeResponses does the same to the responses, if there are any, and returns the
// deviation; 1 where there are none.
func standardizeResponses(ctx context.Context, train, test *files.Table) (unit float64, err error) {
	if train.Responses == nil {
		return 1, nil
	}
	of := func(t *files.Table) files.Table {
		if t.Responses == nil {
			return files.Table{}
		}
		return files.Table{X: files.DensePool{X: column(t.Responses)}, Columns: []string{"response"}}
	}
	y, other, constant, err := standardize(ctx, of(train), of(test))
	if err == nil && constant > 0 {
		err = errors.New("standardize: the responses are all equal: nothing is to be predicted")
	}
	if err != nil {
		return 0, err
	}
	train.Responses = y.Dense().RawMatrix().Data
	if other.Len() > 0 {
		test.Responses = other.Dense().RawMatrix().Data
	}
	return y.X.(standardized).sd[0], nil
}

// Unchanged is that of the pool; see files.Unchanged.
func (s standardized) Unchanged() error { return files.Unchanged(s.Pool) }

func (s standardized) Rows(idx []int, dst *mat.Dense) {
	s.Pool.Rows(idx, dst)
	dst.Apply(func(_, j int, v float64) float64 {
		if s.sd[j] == 0 {
			return 0
		}
		return (v - s.mean[j]) / s.sd[j]
	}, dst)
}
