package openblas_test

import (
	"errors"
	"fmt"
	"os"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

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
