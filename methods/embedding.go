package methods

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

// mapRows is how many rows are mapped between two looks at the context.
const mapRows = 8 * rowsPerBlock

// Map is Eval, by blocks of rows between which it looks at the context.
func (e *Embedding) Map(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	n, _ := x.Dims()
	all := linalg.NewLarge(n, e.Dim())
	err := e.eachBlock(ctx, x, func(from int, _, z *mat.Dense) {
		rows, _ := z.Dims()
		linalg.Rows(all, from, from+rows).Copy(z)
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// eachBlock calls f with runs of rows of x and their images.
func (e *Embedding) eachBlock(ctx context.Context, x *mat.Dense, f func(from int, rows, z *mat.Dense)) error {
	n, _ := x.Dims()
	for from := 0; from < n; from += mapRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows := linalg.Rows(x, from, min(from+mapRows, n))
		z, err := valuesOf(ctx, e.Functions, rows)
		if err != nil {
			return err
		}
		f(from, rows, e.minusOffset(z))
	}
	return nil
}

// inputSpace are the coordinate functions: the embedding of points as they are.
type inputSpace int

// Len is D.
func (s inputSpace) Len() int { return int(s) }

// Eval is a copy of x.
func (inputSpace) Eval(x *mat.Dense) *mat.Dense { return mat.DenseCopyOf(x) }

// featureFunctions are the coordinates of a feature map.
type featureFunctions struct{ kernel.FeatureMap }

// Len is the number of coordinates.
func (f featureFunctions) Len() int { return f.Dim() }

// Eval returns Φ of the rows of x.
func (f featureFunctions) Eval(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	values := mat.NewDense(n, f.Dim(), nil)
	f.Transform(values, x)
	return values
}
