package linalg

import (
	"errors"
	"runtime"
	"time"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/lapack/lapack64"

	"mercer/internal/linalg/openblas"
	"mercer/internal/linalg/vector"
)

// library is the BLAS library in use, nil for the program's own code: the one
// global of the program, set once at its start.
var library *openblas.Library

// Info describes the back end in use, for people.
type Info struct {
	Name     string   // as Backend
	Path     string   // of the library; empty without one
	Advice   string   // how to get a faster one; empty where there is nothing to gain
	Warnings []string // of loading the library
}

// Use chooses the back end of all linear algebra, once, at the start of a
// program:
//
//  1. the library that $MERCER_BLAS names; "none" and "gonum" name none;
//  2. else OpenBLAS or Accelerate where the system has one;
//  3. else this program's own kernels on the processor's vector instructions,
//     which fall back to gonum's where there are none.
//
// A library computes each call on one thread: large calls are split among
// goroutines by this package (see package threads).
// An error means that a library asked for by name cannot be used.
func Use() (Info, error) {
	lib, err := openblas.Load("")
	switch {
	case err == nil:
		library = lib
		blas64.Use(withLibrary{library: lib.BLAS(), products: useProducts()})
		lapack64.Use(lib.LAPACK())
		return Info{Name: Backend(), Path: lib.Path(), Warnings: lib.Warnings()}, nil
	case errors.Is(err, openblas.ErrRefused):
		UseOwn()
		return Info{Name: Backend(), Warnings: []string{err.Error()}, Advice: openblas.Hint(runtime.GOOS)}, nil
	case errors.Is(err, openblas.ErrNotFound):
		UseOwn()
		return Info{Name: Backend(), Advice: openblas.Hint(runtime.GOOS)}, nil
	case errors.Is(err, openblas.ErrNotSupported), errors.Is(err, openblas.ErrDisabled):
		UseOwn()
		return Info{Name: Backend()}, nil
	}
	return Info{}, err
}

// LibraryFile is the file of the BLAS library in use; empty without one, or where the
// system does not tell.
func LibraryFile() string {
	if library == nil {
		return ""
	}
	return library.File()
}

// UseOwn chooses this program's own kernels.
func UseOwn() {
	library = nil
	blas64.Use(vector.Implementation{})
	lapack64.Use(lapackgonum.Implementation{})
}

// UseGonum chooses gonum's pure Go, the reference that others are held against.
func UseGonum() {
	library = nil
	blas64.Use(gonum.Implementation{})
	lapack64.Use(lapackgonum.Implementation{})
}

// speedOrder is the order of the matrices that Speed multiplies.
const speedOrder = 1024

// Speed measures the back end's matrix product on so many threads, in GFLOP/s:
// the best of a few.
func Speed(threads int) float64 {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
	a, b, c := newGeneral(speedOrder, speedOrder), newGeneral(speedOrder, speedOrder), newGeneral(speedOrder, speedOrder)
	for i := range a.Data {
		a.Data[i], b.Data[i] = float64(i%7), float64(i%5)
	}
	best := 0.0
	for range 5 {
		begun := time.Now()
		Gemm(blas.NoTrans, blas.NoTrans, 1, a, b, 0, c)
		best = max(best, 2*speedOrder*speedOrder*speedOrder/time.Since(begun).Seconds()/1e9)
	}
	return best
}
