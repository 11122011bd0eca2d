package methods

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/linalg"
	"mercer/internal/linalg/threads"
	"mercer/methods/lloyd"
)

// The values of the option precision.
const (
	float64Precision = "float64"
	float32Precision = "float32"
)

func checkPrecision(precision string) error {
	if precision != float64Precision && precision != float32Precision {
		return fmt.Errorf("precision %q: must be float64 or float32", precision)
	}
	return nil
}

// Magnitudes that points in single precision may have: larger ones overflow, smaller ones
// lose digits.
const (
	largestSingle  = 1e38
	smallestSingle = 1e-30
)

// inSingle rounds the rows of x to single precision.
func inSingle(x *mat.Dense) (blas32.General, error) {
	n, d := x.Dims()
	z := linalg.NewLargeSingle(n, d)
	blocks := (n + rowsPerMap - 1) / rowsPerMap
	largest := make([]float64, blocks)
	threads.For(blocks, func(block int) {
		for i := block * rowsPerMap; i < min((block+1)*rowsPerMap, n); i++ {
			row := z.Data[i*z.Stride:][:d]
			for c, v := range x.RawRowView(i) {
				row[c] = float32(v)
				largest[block] = max(largest[block], math.Abs(v))
			}
		}
	})
	if most := slices.Max(largest); most > largestSingle || most > 0 && most < smallestSingle {
		return z, fmt.Errorf("precision: float32 of points whose largest magnitude is %.3g: scale the data, or leave precision out", most)
	}
	return z, nil
}

// cost is that of Lloyd's algorithm on n points in R^d.
func (o KMeansOptions) cost(n, d, k float64) cost.Cost {
	c := lloyd.Cost(n, d, k, o.Restarts)
	if o.Precision == float32Precision {
		c.Bytes += 4 * n * d
	}
	return c
}
