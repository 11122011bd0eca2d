package linalg

import (
	"os"
	"strings"
	"sync"
)

// Estimates of resident memory, for admission. They count what is reachable at
// once at the peak of a routine, and no garbage.

// pageBytes is the usual size of a page.
const pageBytes = 4096

// MatrixBytes is what an r×c matrix takes.
func MatrixBytes(r, c float64) float64 { return 8 * r * c }

// SymBytes is what a symmetric matrix of order n takes. Only its upper triangle is
// written: pages below it stay without memory, but where the system backs all
// memory by huge pages.
func SymBytes(n float64) float64 {
	if wholeSquares() {
		return 8 * n * n
	}
	return min(8*n*n, 4*n*n+pageBytes/2*n)
}

// wholeSquares says that the system backs all memory by huge pages.
var wholeSquares = sync.OnceValue(func() bool {
	mode, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	return err == nil && strings.Contains(string(mode), "[always]")
})

// EigenBytes is what a decomposition of order n takes beside its matrix: the
// vectors and, with a library, the 2n² numbers that dsyevd works in.
func EigenBytes(n float64) float64 {
	if library != nil {
		return 24 * n * n
	}
	return 8 * n * n
}

// basisOf is how many basis vectors an iteration for ell pairs usually takes, in
// multiples of ell + 16.
const basisOf = 8

// TopBytes is what Top takes beside its operator for the ell leading pairs of order
// n by default: a dense solve, or the Krylov basis as far as it grows, its
// projection, a few blocks of vectors, the sums of a symmetric product, and the
// pairs, their images and both in columns.
func TopBytes(n, ell float64) float64 {
	o := DefaultTopOptions(int(ell))
	block := float64(o.Block)
	if n <= float64(o.DenseBelow) || ell+2*block > n/2 {
		return SymBytes(n) + EigenBytes(n) + 16*n*ell
	}
	basis := min(max(float64(o.Basis), ell+2*block), n-block, basisOf*(ell+16)) + block
	blocks := float64(6 + sharesOf(int(n)))
	return 8*n*(basis+blocks*block+3*ell) + EigenBytes(basis)
}
