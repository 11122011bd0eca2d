// Package openblas lets gonum compute on a BLAS and LAPACK library that is
// found when the program runs: OpenBLAS or Accelerate, without cgo and without
// a rebuild. It knows nothing of its siblings; linalg decides at the
// start of a program whether to use it.
//
// # Steps
//
//  1. Load opens the library that $MERCER_BLAS names, or the first of
//     Candidates that is there, by purego's dlopen. An OpenBLAS that is older
//     than the processor is told of a type that both know, unless
//     $OPENBLAS_CORETYPE names one.
//
//  2. It finds how the library spells its symbols: dgemm_, dgemm_64_,
//     scipy_dgemm_, dgemm$NEWLAPACK. All routines are called by their Fortran
//     interface, which every library has, and in which all arguments pass by
//     reference, so that one way of calling serves all.
//
//  3. It finds whose library it is, its version, the processor type whose
//     routines it chose, and sets its threads to one. A library of another
//     make, or with OpenMP, is refused: its threads cannot be ruled.
//
//  4. It tests the library: a product that must be exact, eigenpairs that are
//     known. One that fails is refused with the routine, the value found and
//     the value wanted.
//
//  5. BLAS and LAPACK are gonum's implementations with what a program of
//     kernel matrices waits for overridden, for blas64.Use and lapack64.Use:
//     products and Cholesky factors. A call with arguments that gonum would
//     refuse, or too small to pay, goes to gonum. SymEigen has eigenpairs.
//
//  6. The others pass to the library as the column-major matrices that
//     gonum's row-major ones are when transposed: operands change places,
//     upper is lower, and eigenvectors are rows. Nothing is copied.
//
//     l, err := openblas.Load("")
//     if err == nil {
//     blas64.Use(l.BLAS())
//     lapack64.Use(l.LAPACK())
//     }
//
// # Threads
//
// Each call uses one thread, for the whole process: goroutines call side by side. No more
// calls than there are processors enter the library at a time, since OpenBLAS has a buffer
// for each that it cannot do without. With more than one thread OpenBLAS would run concurrent
// calls one after another, and its idle threads would spin for some milliseconds on
// processors that goroutines could use. Builds without threads get one call at a time. Builds
// with OpenMP keep the number of threads and the threads themselves for each calling thread:
// the builds with POSIX threads serve in their place.
//
// # Determinism
//
// The same library and core type give the same bits for the
// same call, alone or beside others: TestDeterminism holds that. Another core type may
// round otherwise, which is why String names it. Which calls stay in Go depends on shapes alone.
//
// # Memory
//
// A frame on the heap holds the arguments of a call, pointers as pointers, so
// that Go's collector sees them until the call has returned; no library keeps
// them. A call allocates some 200 bytes, and the workspaces of LAPACK.
//
// # Integers
//
// Sizes pass in 64 bits, of which a library with 32-bit integers reads the
// lower half; both kinds work. Sizes beyond 2³¹ - 1 stay in Go for both.
//
// # Platforms
//
// Linux and macOS on amd64 and arm64, with CGO_ENABLED=0 and 1. Elsewhere, or
// with the build tag noblas, Load returns ErrNotSupported. On Linux a program
// that contains purego is linked to glibc at run time even with CGO_ENABLED=0:
// one for musl or an empty container must be built with the tag.
//
//	library              here
//	dgemm … dger         BLAS.Dgemm … BLAS.Dger
//	dpotrf               LAPACK.Dpotrf
//	dsyevd               Library.SymEigen
package openblas
