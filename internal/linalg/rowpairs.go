package linalg

import (
	"fmt"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
)

// TopOfRows computes the ell largest eigenpairs of zᵀz (p×p) for few rows z (n×p,
// ell ≤ n ≤ p) from those of the n×n matrix zzᵀ, which has the same eigenvalues above 0.
// Signs and orthonormality of the vectors (p×ell) are as Top leaves them; a vector whose
// eigenvalue is rounding is arbitrary. Residuals are those of zzᵀ.
//
// Cost: n²p + 2np·ell + 4p·ell² flops beside a Top of order n.
func TopOfRows(z *mat.Dense, ell int, opts TopOptions) (TopResult, error) {
	n, p := z.Dims()
	if n > p {
		panic(fmt.Sprintf("linalg: TopOfRows: %d rows of %d numbers", n, p))
	}
	top, err := Top(Symmetric(Gram(blas.NoTrans, z)), ell, opts)
	if err != nil {
		return TopResult{}, err
	}
	vectors := mat.NewDense(p, ell, nil)
	Gemm(blas.Trans, blas.NoTrans, 1, z.RawMatrix(), top.Vectors.RawMatrix(), 0, vectors.RawMatrix())
	Orthonormalise(vectors)
	rows := newGeneral(ell, p)
	transposeInto(rows, vectors.RawMatrix())
	fixSigns(rows)
	transposeInto(vectors.RawMatrix(), rows)
	top.Vectors = vectors
	return top, nil
}

// TopOfRowsCost is that of TopOfRows without the rows.
func TopOfRowsCost(n, p, ell float64) cost.Cost {
	flops := cost.Cost{Flops: n*n*p + 2*n*p*ell + 4*p*ell*ell}
	return flops.Plus(cost.Symmetric(n)).Plus(TopCost(n, ell)).Plus(cost.Numbers(2 * p * ell))
}
