package methods

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

// Coordinates returns where a model puts the rows of x (n×D): the first at most
// most coordinates, n×c. Of a subspace these are the centred scores ⟨k(·,x) − m̂,
// φ̂_i⟩, of an embedding its own coordinates, of a clustering those that the
// points were clustered in. It is nil where the model has none: the population's
// eigenspace, and clusters of a Gram matrix. Cost: that of evaluating so many
// components at n points; of an embedding, all of them. It fails where the program of an
// embedding does.
func Coordinates(ctx context.Context, m Model, x *mat.Dense, most int) (*mat.Dense, error) {
	switch m := m.(type) {
	case *Subspace:
		coef := firstColumns(m.Coef, most)
		return centred(kernel.Expansion{Kernel: m.Kernel, Points: m.Points, Coef: coef}, m.Center, x), nil
	case *FeatureSubspace:
		return centred(kernel.FeatureExpansion{Map: m.Map, Coef: firstColumns(m.Coef, most)}, m.Center, x), nil
	case *Embedding:
		z, err := m.Map(ctx, x)
		if err != nil {
			return nil, err
		}
		return firstColumns(z, most), nil
	case *Clustering:
		if m.Embedding != nil {
			return Coordinates(ctx, m.Embedding, x, most)
		}
	}
	return nil, nil
}

func firstColumns(a *mat.Dense, most int) *mat.Dense {
	n, d := a.Dims()
	if d == 0 {
		return a
	}
	return a.Slice(0, n, 0, min(most, d)).(*mat.Dense)
}

// centred evaluates f at the rows of x, less their centre's values.
func centred(f kernel.Functions, center []float64, x *mat.Dense) *mat.Dense {
	z := f.Eval(x)
	if center != nil {
		linalg.SubtractRow(z, center[:f.Len()])
	}
	return z
}
