package methods_test

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
)

// checkCounts holds fits to points that stand for 1, 2, 3, … of the sample, in some
// order, to those to all points written out, from the same stream: to 1e-9 of their
// size, signs and rotations of components apart. A method that takes no counts says so
// in its traits.
func checkCounts(s Subject) error {
	if s.NoCounts != "" {
		return nil
	}
	var broken []error
	for _, c := range s.countable() {
		few, many := counted(c)
		err := s.check(many)
		if err == nil {
			err = s.sameCounts(few, many)
		}
		if err != nil {
			broken = append(broken, fmt.Errorf("%s: %w", c.name, err))
		}
	}
	return errors.Join(broken...)
}

// countable are points with kernel matrices whose numerical rank is not a matter of
// rounding, for fewer landmarks than points, as many, and more.
func (s Subject) countable() []sample {
	const u = 24
	narrow := s.kernelOr(kernel.NewGaussian(1250)) // σ = 0.02
	all := []sample{
		{"points of the unit interval", uniform(1, u, 1), narrow, sizes(u, 20, 4), ordinary},
		{"more landmarks than points", uniform(2, u, 1), narrow, sizes(u, 100, 3), ordinary},
		{"two landmarks or features", uniform(5, u, 1), narrow, sizes(u, 2, 1), ordinary},
	}
	if s.Kernel != nil {
		return all
	}
	return append(all,
		sample{"64 dimensions", uniform(11, u, 64), kernel.NewGaussian(1. / 10), sizes(u, 20, 4), ordinary},
		sample{"a kernel with a kink", uniform(8, u, 2), s.kinked(), sizes(u, 20, 5), ordinary},
	)
}

// countedSample is a sample of points that stand for several.
type countedSample struct {
	sample
	counts []float64
}

// counted are the points of a sample with different counts, so that no eigenvalues are
// equal, and all their points written out.
func counted(c sample) (few countedSample, many sample) {
	u, d := c.x.Dims()
	few = countedSample{sample: c, counts: make([]float64, u)}
	for i, at := range stream(7).Perm(u) {
		few.counts[i] = float64(at + 1)
	}
	many, row := c, 0
	many.sizes.N = int(floats.Sum(few.counts))
	many.x = mat.NewDense(many.sizes.N, d, nil)
	for i, count := range few.counts {
		for range int(count) {
			many.x.SetRow(row, c.x.RawRowView(i))
			row++
		}
	}
	few.sizes = many.sizes
	return few, many
}

func (s Subject) sameCounts(few countedSample, many sample) error {
	for seed := range uint64(3) {
		p := s.problem(few.sample)
		p.Counts = few.counts
		got, err := s.attempt(context.Background(), p, seed)
		want, wantErr := s.attempt(context.Background(), s.problem(many), seed)
		if (err == nil) != (wantErr == nil) {
			return fmt.Errorf("seed %d: of counts %v, of points %v", seed, err, wantErr)
		}
		if err != nil { // landmarks that are all equal
			continue
		}
		a, b := seen(got, few.x), seen(want, few.x)
		for what, values := range b {
			if err := near(what, a[what], values, 1e-9); err != nil {
				return fmt.Errorf("seed %d: %w", seed, err)
			}
		}
		if err := labelsOfCounts(got, want, few.counts); err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
	}
	return nil
}

// near compares numbers to a share of the largest.
func near(what string, got, want *mat.Dense, tolerance float64) error {
	rows, columns := want.Dims()
	if r, c := got.Dims(); r != rows || c != columns {
		return fmt.Errorf("%s are %d×%d for counts, %d×%d for points", what, r, c, rows, columns)
	}
	size := max(mat.Max(want), -mat.Min(want))
	for i := range rows {
		for j := range columns {
			if off := math.Abs(got.At(i, j) - want.At(i, j)); !(off <= tolerance*size) {
				return fmt.Errorf("%s of counts are off by %.1g of their size: %.15g, of points %.15g", what, off/size, got.At(i, j), want.At(i, j))
			}
		}
	}
	return nil
}

// seen is what of a model depends neither on signs nor on rotations of components of
// the same span, at some points.
func seen(model methods.Model, x *mat.Dense) map[string]*mat.Dense {
	switch m := model.(type) {
	case *methods.Embedding:
		return map[string]*mat.Dense{"inner products of images": square(m.Eval(x))}
	case *methods.Regression:
		return map[string]*mat.Dense{"values": m.Eval(x)}
	case *methods.Clustering:
		_, squared, err := m.Assign(context.Background(), x)
		if err != nil {
			panic(err)
		}
		return map[string]*mat.Dense{"distances": mat.NewDense(1, len(squared), squared)}
	}
	f := open(model)
	values := f.at(x)
	var mean mat.Dense
	mean.Mul(values, mat.NewDense(len(f.Center), 1, f.Center))
	return map[string]*mat.Dense{
		"projections": square(values), "values": mat.NewDense(1, len(f.Values), f.Values), "projections of the mean": &mean,
	}
}

func square(a *mat.Dense) *mat.Dense {
	var s mat.Dense
	s.Mul(a, a.T())
	return &s
}

// labelsOfCounts holds the label of a row to those of its points.
func labelsOfCounts(got, want methods.Model, counts []float64) error {
	few, ok := got.(*methods.Clustering)
	if !ok {
		return nil
	}
	many, point := want.(*methods.Clustering), 0
	for i, count := range counts {
		for range int(count) {
			if many.Labels[point] != few.Labels[i] {
				return fmt.Errorf("row %d has label %d, a point of it %d", i, few.Labels[i], many.Labels[point])
			}
			point++
		}
	}
	if few.Iterations != many.Iterations {
		return fmt.Errorf("%d iterations for counts, %d for points", few.Iterations, many.Iterations)
	}
	return nil
}
