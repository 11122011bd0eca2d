package methods

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

// A sample of n points has an n×p matrix Z of feature coordinates. For n ≥ p, methods add
// up its p×p moment by blocks of rows; for n < p they keep Z and take the n×n matrix ZZᵀ.

// covarianceCost is that of the ell leading pairs of the covariance of n rows of p
// coordinates, with these rows or blocks of them.
func covarianceCost(n, p, ell float64) cost.Cost {
	if n < p {
		return linalg.TopOfRowsCost(n, p, min(n, ell)).Plus(cost.Numbers(n * p))
	}
	moment := cost.Cost{Flops: n * p * p}.Plus(cost.Symmetric(p)).Plus(cost.Numbers(rowsPerBlock * p))
	return moment.Plus(linalg.TopCost(p, ell))
}

// transform fills rows with the features of points.
func (p Problem) transform(features kernel.FeatureMap) func(rows, x *mat.Dense) {
	return func(rows, x *mat.Dense) {
		defer p.phase("embed")()
		kernel.CountPoints(p.Kernel, x.RawMatrix().Rows)
		features.Transform(rows, x)
	}
}

// featureRows is Z.
func featureRows(ctx context.Context, p Problem, features kernel.FeatureMap) (*mat.Dense, error) {
	n, blocks, transform := p.points(), p.blocks(rowsPerBlock), p.transform(features)
	z := mat.NewDense(n, features.Dim(), nil)
	for from := 0; from < n; from += rowsPerBlock {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to := min(from+rowsPerBlock, n)
		transform(z.Slice(from, to, 0, features.Dim()).(*mat.Dense), blocks.read(from, to))
	}
	return z, nil
}

// weighRows multiplies each row by the root of how many points it stands for, nil for one
// each, over a divisor.
func weighRows(z *mat.Dense, counts []float64, divisor float64) {
	n, _ := z.Dims()
	for i := range n {
		count := 1.0
		if counts != nil {
			count = counts[i]
		}
		floats.Scale(math.Sqrt(count/divisor), z.RawRowView(i))
	}
}

// rowComponents is secondMoment.components for Z, which it overwrites. As there, the first
// row is taken off before the mean, so that equal rows leave nothing.
func rowComponents(z *mat.Dense, counts []float64, c center, ell int) (*mat.Dense, Spectrum, error) {
	n, p := z.Dims()
	total := float64(n)
	if counts != nil {
		total = floats.Sum(counts)
	}
	origin, mean := make([]float64, p), make([]float64, p)
	if c.centred() {
		copy(origin, z.RawRowView(0))
		for i := range n {
			share := 1 / total
			if counts != nil {
				share *= counts[i]
			}
			floats.Sub(z.RawRowView(i), origin)
			floats.AddScaled(mean, share, z.RawRowView(i))
		}
	}
	size := sumOfSquares(z, counts) / total
	for i := range n {
		floats.Sub(z.RawRowView(i), mean)
	}
	weighRows(z, counts, c.divisor(int(total)))

	asked := min(ell, n)
	top, err := linalg.TopOfRows(z, asked, linalg.DefaultTopOptions(asked))
	if err != nil {
		return nil, Spectrum{}, err
	}
	spectrum, err := spectrumOf(top, n, size)
	if err != nil {
		return nil, Spectrum{}, err
	}
	floats.Add(mean, origin)
	return centredOn(top, spectrum, mean)
}
