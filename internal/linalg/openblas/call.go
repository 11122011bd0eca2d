package openblas

import (
	"math"
	"unsafe"

	"gonum.org/v1/gonum/blas"
)

// maxArguments is the length of the longest Fortran argument list used, dgemm's 13
// arguments and the lengths of two strings.
const maxArguments = 15

// frame holds the arguments of one Fortran call, which all pass by reference.
// It lives on the heap and holds every pointer as one, so that all memory that
// the call sees is on the heap, stays in place and lives until the call returns.
type frame struct {
	pointers [maxArguments]unsafe.Pointer
	raw      [maxArguments]uintptr
}

// ptr is an argument. Integers are stored in 64 bits: on a little-endian machine a
// library with 32-bit integers reads the same value from the same address, and writes
// an INFO to its lower half.
func ptr[T any](x *T) unsafe.Pointer { return unsafe.Pointer(x) }

// run calls a routine. The arguments move to the heap, some 200 bytes of garbage a call.
func (l *Library) run(r routine, arguments ...unsafe.Pointer) {
	fr := l.frames.Get().(*frame)
	n := copy(fr.pointers[:], arguments)
	for i, p := range fr.pointers[:n] {
		fr.raw[i] = uintptr(p)
	}
	// gfortran passes the length of each string at the end; two, as nobody reads too many.
	fr.raw[n], fr.raw[n+1] = 1, 1
	l.slots <- struct{}{}
	call(l.address[r], fr.raw[:n+2]...)
	<-l.slots
	clear(fr.pointers[:n])
	l.frames.Put(fr)
}

// large says whether a call of positive sizes is worth it. Sizes beyond what 32-bit
// integers hold stay in Go for every library.
func large(least float64, sizes ...int) bool {
	work := 1.0
	for _, v := range sizes {
		if v <= 0 || v > math.MaxInt32 {
			return false
		}
		work *= float64(v)
	}
	return work >= least
}

// matrix says whether x holds r rows of c numbers, stride apart, r and c being positive.
func matrix(x []float64, r, c, stride int) bool {
	return stride >= c && stride <= math.MaxInt32 && len(x) >= (r-1)*stride+c
}

// vector says whether x holds n numbers at a positive increment.
func vector(x []float64, n, inc int) bool {
	return inc > 0 && inc <= math.MaxInt32 && len(x) > (n-1)*inc
}

// dims are the stored rows and columns of an operand that is r×c after op.
func dims(t blas.Transpose, r, c int) (int, int) {
	if t == blas.NoTrans {
		return r, c
	}
	return c, r
}

func isTranspose(t blas.Transpose) bool {
	return t == blas.NoTrans || t == blas.Trans || t == blas.ConjTrans
}

func isUplo(u blas.Uplo) bool { return u == blas.Upper || u == blas.Lower }

// A row-major matrix is the column-major one of its transpose, for which upper
// is lower and the transposed the plain one.

func flipUplo(u blas.Uplo) blas.Uplo {
	if u == blas.Upper {
		return blas.Lower
	}
	return blas.Upper
}

func flipTranspose(t blas.Transpose) blas.Transpose {
	if t == blas.NoTrans {
		return blas.Trans
	}
	return blas.NoTrans
}
