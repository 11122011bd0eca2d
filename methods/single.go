package methods

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
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

// singleRounding is the eigenvalue or pivot of m landmarks of kernel values up to size at
// which m values that are off by 2^−24 leave a coordinate uncertain by 2^−12.
func singleRounding(m int, size float64) float64 { return float64(m) * 0x1p-24 * size }

// aboveSingle are the leading eigenvalues above singleRounding, the largest in any case.
func aboveSingle(values []float64, m int, size float64) []float64 {
	kept := 1
	for kept < len(values) && values[kept] > singleRounding(m, size) {
		kept++
	}
	return values[:kept]
}

// functions are f, in single precision where that is asked for.
func (y nystromEmbedding) functions(f kernel.Functions, k kernel.Kernel) kernel.Functions {
	if !y.single {
		return f
	}
	e, ok := f.(kernel.Expansion)
	if c, full := f.(*landmarkCoordinates); full {
		e, ok = c.expansion(k), true
	}
	if !ok {
		panic(fmt.Sprintf("methods: %T in single precision", f))
	}
	return singleFunctions{kernel.NewSingleExpansion(e)}
}

// expansion is the coordinates as combinations of the pivots' kernel functions, by L⁻ᵀ.
func (e *landmarkCoordinates) expansion(k kernel.Kernel) kernel.Expansion {
	factor, r := e.basis.factor, e.Len()
	coef := mat.NewDense(r, r, nil)
	for i := range r {
		coef.Set(i, i, 1)
	}
	linalg.SolveLowerTrans(factor.L, coef)
	return kernel.Expansion{Kernel: k, Points: linalg.SelectRows(e.basis.points, factor.Piv[:r]), Coef: coef}
}

// singleFunctions are an expansion in single precision.
type singleFunctions struct{ *kernel.SingleExpansion }

// mapTo fills dst with the values at the rows of x.
func (f singleFunctions) mapTo(ctx context.Context, dst, x *mat.Dense) error {
	return mapBlocks(ctx, dst, x, f.To)
}

// singleBytes is what an expansion of m points in single precision holds beside its own,
// and its blocks of 256 rows.
func singleBytes(m, dim, width float64) cost.Cost {
	const rows = 256
	return cost.Cost{Bytes: 4*m*(2*dim+width) + 4*rows*(dim+3*m+width)}
}
