package openblas

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
)

// selfTest runs the product and the eigensolver on matrices whose results are
// known, and finds the width of the library's integers. It comes before any
// other use: a library with another calling convention must not get to work on
// data.
func (l *Library) selfTest() error {
	if err := l.testProduct(); err != nil {
		return err
	}
	if err := l.findWidth(); err != nil {
		return err
	}
	if err := l.testEigen(dsyevd); err != nil {
		return err
	}
	return l.testEigen(dsyevr)
}

// testProduct multiplies matrices of small integers, for which every order of
// summation is exact, so that the result is compared for equality.
func (l *Library) testProduct() error {
	const m, n, k, pad = 37, 29, 41, 3
	a, b, c := make([]float64, m*(k+pad)), make([]float64, k*(n+pad)), make([]float64, m*(n+pad))
	for i := range a {
		a[i] = float64(i*7%11 - 5)
	}
	for i := range b {
		b[i] = float64(i*5%13 - 6)
	}
	for i := range c {
		c[i] = float64(i % 5)
	}
	l.gemm(blas.NoTrans, blas.NoTrans, m, n, k, 2, a, k+pad, b, n+pad, -1, c, n+pad)
	for i := range m {
		for j := range n + pad {
			at := i*(n+pad) + j
			want := float64(at % 5)
			if j < n {
				want = -want
				for p := range k {
					want += 2 * a[i*(k+pad)+p] * b[p*(n+pad)+j]
				}
			}
			if c[at] != want {
				return fmt.Errorf("dgemm of %d×%d by %d×%d: element (%d,%d) is %v, want %v", m, k, k, n, i, j, c[at], want)
			}
		}
	}
	return nil
}

// findWidth factors a 2×2 permutation: the pivots are 2, 2, which fill one
// word of 64 bits or two.
func (l *Library) findWidth() error {
	if l.address[dgetrf] == 0 {
		return nil // no LAPACK, hence no routine that writes integers
	}
	a, pivots := []float64{0, 1, 1, 0}, make([]int64, 2)
	info := l.info(dgetrf, l.frame().integer(2).integer(2).slice(a).integer(2).indices(pivots))
	switch {
	case info == 0 && pivots[0] == 2<<32|2 && pivots[1] == 0:
		l.wide = false
	case info == 0 && pivots[0] == 2 && pivots[1] == 2:
		l.wide = true
	default:
		return fmt.Errorf("dgetrf of a 2×2 permutation: info %d and pivots %#x, want 0 and 2, 2 in 32 or 64 bits", info, pivots)
	}
	return nil
}

// testEigen solves the second-difference matrix T of order n, with eigenvalues
// 2 - 2cos(πk/(n+1)), and checks them and T·v = λ·v. The tolerance is a
// hundred times the rounding error n·2⁻⁵²·‖T‖.
func (l *Library) testEigen(r routine) error {
	const n, stride, tolerance = 40, 43, 4e-12
	if l.address[r] == 0 {
		return nil
	}
	a := make([]float64, n*stride)
	for i := range n {
		a[i*stride+i] = 2
		if i > 0 {
			a[(i-1)*stride+i] = -1
		}
	}
	values, vectors, ld, err := make([]float64, n), a, stride, error(nil)
	if r == dsyevd {
		err = l.syevd('V', blas.Upper, n, a, stride, values)
	} else {
		vectors, ld = make([]float64, n*n), n
		err = l.syevr(blas.Upper, n, a, stride, n, values, vectors, n)
	}
	if err != nil {
		return err
	}
	for k := range n {
		want := 2 - 2*math.Cos(math.Pi*float64(k+1)/(n+1))
		residual, norm := secondDifference(want, vectors[k*ld:k*ld+n])
		switch {
		case !(math.Abs(values[k]-want) <= tolerance):
			err = fmt.Errorf("eigenvalue %d is %v, want %v", k, values[k], want)
		case !(residual <= tolerance):
			err = fmt.Errorf("eigenvector %d leaves a residual of %.2g", k, residual)
		case !(math.Abs(norm-1) <= tolerance):
			err = fmt.Errorf("eigenvector %d has norm² %v", k, norm)
		}
		if err != nil {
			return fmt.Errorf("%s of the second-difference matrix of order %d: %w", routineNames[r], n, err)
		}
	}
	return nil
}

// secondDifference is the largest element of T·v - λ·v, NaN if any is, and the
// norm² of v.
func secondDifference(lambda float64, v []float64) (residual, norm float64) {
	n := len(v)
	for i := range n {
		tv := 2 * v[i]
		if i > 0 {
			tv -= v[i-1]
		}
		if i < n-1 {
			tv -= v[i+1]
		}
		residual = max(residual, math.Abs(tv-lambda*v[i]))
		norm += v[i] * v[i]
	}
	return residual, norm
}
