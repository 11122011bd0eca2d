package openblas_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	blasgonum "gonum.org/v1/gonum/blas/gonum"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg/openblas"
)

func ExampleLoad() {
	library, err := openblas.Load("")
	switch {
	case err == nil:
		blas64.Use(library.BLAS())
		lapack64.Use(library.LAPACK())
	case errors.Is(err, openblas.ErrRefused):
		fmt.Fprintln(os.Stderr, err)
	case errors.Is(err, openblas.ErrNotFound), errors.Is(err, openblas.ErrDisabled), errors.Is(err, openblas.ErrNotSupported):
		// gonum it is
	default:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

// TestUse runs gonum's matrix types on the library: products, solutions and
// decompositions must invert each other.
func TestUse(t *testing.T) {
	library, err := openblas.Load("")
	if err != nil {
		t.Skipf("NOT TESTED: %v", err)
	}
	blas64.Use(library.BLAS())
	lapack64.Use(library.LAPACK())
	defer blas64.Use(blasgonum.Implementation{})
	defer lapack64.Use(lapackgonum.Implementation{})

	const n, p = 200, 160
	x := mat.NewDense(n, p, nil)
	for i := range n {
		for j := range p {
			x.Set(i, j, math.Sin(float64(i*i+3*j*j*j+i*j)))
		}
	}
	var gram mat.SymDense
	gram.SymOuterK(1, x.T())
	for i := range p {
		gram.SetSym(i, i, gram.At(i, i)+1)
	}
	near := func(what string, got, want mat.Matrix) {
		t.Helper()
		if !mat.EqualApprox(got, want, 1e-10) { // of matrices of norm below n
			t.Errorf("%s does not give the matrix back", what)
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(&gram, true) {
		t.Fatal("EigenSym failed")
	}
	var v, back mat.Dense
	eigen.VectorsTo(&v)
	back.Product(&v, mat.NewDiagDense(p, eigen.Values(nil)), v.T())
	near("EigenSym", &back, &gram)

	var chol mat.Cholesky
	if !chol.Factorize(&gram) {
		t.Fatal("Cholesky failed")
	}
	var symmetric mat.SymDense
	chol.ToSym(&symmetric)
	near("Cholesky", &symmetric, &gram)

	var svd mat.SVD
	if !svd.Factorize(x, mat.SVDThin) {
		t.Fatal("SVD failed")
	}
	var u, w, usw mat.Dense
	svd.UTo(&u)
	svd.VTo(&w)
	usw.Product(&u, mat.NewDiagDense(p, svd.Values(nil)), w.T())
	near("SVD", &usw, x)

	var qr mat.QR
	qr.Factorize(x)
	var q, r, product mat.Dense
	qr.QTo(&q)
	qr.RTo(&r)
	product.Mul(&q, &r)
	near("QR", &product, x)
}
