package openblas

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
)

// selfTest runs the product and the eigensolver on matrices whose results are
// known. It comes before any other use: a library with another calling
// convention must not get to work on data.
func (l *Library) selfTest() error {
	if err := l.testProduct(); err != nil {
		return err
	}
	if l.address[dsyevd] == 0 {
		return nil
	}
	return l.testEigen()
}

// testProduct multiplies matrices of small integers, for which every order of
// summation is exact, so that the result is compared for equality.
func (l *Library) testProduct() error {
	const m, n, k = 37, 29, 41
	a, b, c := make([]float64, m*k), make([]float64, k*n), make([]float64, m*n)
	for i := range a {
		a[i] = float64(i*7%11 - 5)
	}
	for i := range b {
		b[i] = float64(i*5%13 - 6)
	}
	l.BLAS().Dgemm(blas.NoTrans, blas.NoTrans, m, n, k, 2, a, k, b, n, 0, c, n)
	for i := range m {
		for j := range n {
			want := 0.0
			for p := range k {
				want += 2 * a[i*k+p] * b[p*n+j]
			}
			if c[i*n+j] != want {
				return fmt.Errorf("dgemm of %d×%d by %d×%d: element (%d,%d) is %v, want %v", m, k, k, n, i, j, c[i*n+j], want)
			}
		}
	}
	return nil
}

// testEigen solves the second-difference matrix T of order n, with eigenvalues
// 2 - 2cos(πk/(n+1)) and eigenvectors sin(πki/(n+1))·√(2/(n+1)), whose signs are free.
// The tolerance is ten times the rounding error n·2⁻⁵²·‖T‖ over the smallest gap of
// eigenvalues, 3(π/(n+1))².
func (l *Library) testEigen() error {
	const n, tolerance = 40, 2e-11
	a, values := make([]float64, n*n), make([]float64, n)
	for i := range n {
		a[i*n+i] = 2
		if i > 0 {
			a[(i-1)*n+i] = -1
		}
	}
	if !l.SymEigen(n, a, n, values) {
		return fmt.Errorf("dsyevd of the second-difference matrix of order %d does not converge", n)
	}
	for k := range n {
		angle := math.Pi * float64(k+1) / (n + 1)
		want := 2 - 2*math.Cos(angle)
		if !(math.Abs(values[k]-want) <= tolerance) {
			return fmt.Errorf("dsyevd of the second-difference matrix of order %d: eigenvalue %d is %v, want %v", n, k, values[k], want)
		}
		for i, v := range a[k*n : (k+1)*n] {
			want := math.Abs(math.Sin(angle*float64(i+1))) * math.Sqrt(2./(n+1))
			if !(math.Abs(math.Abs(v)-want) <= tolerance) {
				return fmt.Errorf("dsyevd of the second-difference matrix of order %d: entry %d of eigenvector %d is ±%v, want %v", n, i, k, math.Abs(v), want)
			}
		}
	}
	return nil
}
