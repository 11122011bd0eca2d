package kernel

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg"
)

// newOrthogonal draws m frequencies in blocks of dim orthogonal ones: ω_i =
// s_i·q_i, where the q_i of a block are rows of a Haar-distributed orthogonal
// matrix, different blocks are independent, and the lengths s_i are independent
// draws of the length of a frequency (√(2·Gamma)·χ_dim for a Gaussian). Each
// frequency alone follows the spectral measure, so the features are unbiased.
// The last block is cut where m is no multiple of dim.
//
// It panics unless the kernel is Isotropic, and costs 2·m·dim·min(m,dim) flops.
// The first m' of m frequencies are those of a draw of m', to rounding: both
// come of the same normal numbers, through factorisations of different widths.
//
// Reference: Yu, Suresh, Choromanski, Holtmann-Rice and Kumar (2016), Orthogonal
// random features, §3; Haar, by the signs of R: Mezzadri (2007).
func newOrthogonal(k ShiftInvariant, m, dim int, rng *rand.Rand) *Fourier {
	if !k.Isotropic() {
		panic(fmt.Sprintf("kernel: orthogonal features of %s, whose spectral measure is not rotation invariant", k))
	}
	f := &Fourier{Frequencies: mat.NewDense(m, dim, nil)}
	for from := 0; from < m; from += dim {
		orthogonalBlock(linalg.Rows(f.Frequencies, from, min(from+dim, m)), k, rng)
	}
	return f
}

// orthogonalBlock fills dst (r×D, r ≤ D): normal numbers and a length row by row,
// then QR of the transpose.
func orthogonalBlock(dst *mat.Dense, k ShiftInvariant, rng *rand.Rand) {
	r, d := dst.Dims()
	columns := blas64.General{Rows: d, Cols: r, Stride: r, Data: make([]float64, d*r)}
	lengths, draw := make([]float64, r), make([]float64, d)
	for i := range r {
		for j := range d {
			columns.Data[j*r+i] = rng.NormFloat64()
		}
		k.Frequency(draw, rng)
		lengths[i] = floats.Norm(draw, 2)
	}
	tau := make([]float64, r)
	work := make([]float64, 1)
	lapack64.Geqrf(columns, tau, work, -1)
	work = make([]float64, int(work[0]))
	lapack64.Geqrf(columns, tau, work, len(work))
	for i := range r {
		if columns.Data[i*r+i] < 0 {
			lengths[i] = -lengths[i] // the sign that makes R's diagonal positive
		}
	}
	lapack64.Orgqr(columns, tau, work, len(work))
	for i := range r {
		row := dst.RawRowView(i)
		for j := range d {
			row[j] = lengths[i] * columns.Data[j*r+i]
		}
	}
}
