package openblas

import (
	"context"
	"math"
	"runtime"
	"unsafe"

	"gonum.org/v1/gonum/blas"
)

// maxArguments is the length of the longest Fortran argument list used,
// dsyevr's 21 arguments and the 3 lengths of its strings.
const maxArguments = 24

// frame holds the arguments of one Fortran call, which all pass by reference.
// It lives on the heap and holds every pointer as one, so that all memory that
// the call sees stays in place and alive until the call returns.
//
// Integers are stored in 64 bits: on a little-endian machine a library with
// 32-bit integers reads the same value from the same address. Only arrays of
// integers that a library writes differ; see Library.integer.
type frame struct {
	arguments [maxArguments]unsafe.Pointer
	raw       [maxArguments + 1]uintptr // the last for omp_set_num_threads
	count     int

	integers [16]int64
	floats   [4]float64
	letters  [4]byte
	i, f, c  int
}

func (fr *frame) add(p unsafe.Pointer) {
	fr.arguments[fr.count] = p
	fr.count++
}

func (fr *frame) letter(b byte) *frame {
	fr.letters[fr.c] = b
	fr.add(unsafe.Pointer(&fr.letters[fr.c]))
	fr.c++
	return fr
}

func (fr *frame) integer(v int) *frame {
	fr.result(v)
	return fr
}

// result adds an integer and returns where it is kept, for those that the
// routine changes.
func (fr *frame) result(v int) *int64 {
	p := &fr.integers[fr.i]
	*p = int64(v)
	fr.add(unsafe.Pointer(p))
	fr.i++
	return p
}

func (fr *frame) float(v float64) *frame {
	fr.floats[fr.f] = v
	fr.add(unsafe.Pointer(&fr.floats[fr.f]))
	fr.f++
	return fr
}

// slice adds an array; an empty one gets an address that nothing reads.
func (fr *frame) slice(x []float64) *frame {
	if len(x) == 0 {
		fr.add(unsafe.Pointer(&fr.floats[len(fr.floats)-1]))
		return fr
	}
	fr.add(unsafe.Pointer(&x[0]))
	return fr
}

func (fr *frame) indices(x []int64) *frame {
	fr.add(unsafe.Pointer(&x[0]))
	return fr
}

func (l *Library) frame() *frame { return l.frames.Get().(*frame) }

// invoke calls routine r with the arguments of fr and gives fr back.
func (l *Library) invoke(r routine, fr *frame) {
	if err := l.slots.Acquire(context.Background(), 1); err != nil {
		panic(err) // the background context ends never
	}
	for i := range fr.count {
		fr.raw[i] = uintptr(fr.arguments[i])
	}
	n := fr.count
	for range fr.c {
		fr.raw[n] = 1 // gfortran passes the length of each string at the end
		n++
	}
	if l.ompSetThreads != 0 {
		runtime.LockOSThread()
		fr.raw[maxArguments] = 1
		call(l.ompSetThreads, fr.raw[maxArguments:]...)
	}
	call(l.address[r], fr.raw[:n]...)
	if l.ompSetThreads != 0 {
		runtime.UnlockOSThread()
	}
	runtime.KeepAlive(fr)
	l.slots.Release(1)
}

// release gives the frame back; what result returned is invalid after it.
func (l *Library) release(fr *frame) {
	clear(fr.arguments[:fr.count])
	fr.count, fr.i, fr.f, fr.c = 0, 0, 0, 0
	l.frames.Put(fr)
}

// run is invoke for routines without integer results.
func (l *Library) run(r routine, fr *frame) {
	l.invoke(r, fr)
	l.release(fr)
}

// info is invoke for routines whose last argument is LAPACK's INFO.
func (l *Library) info(r routine, fr *frame) int {
	p := fr.result(0)
	l.invoke(r, fr)
	v := int(int32(*p))
	l.release(fr)
	return v
}

// integer is element i of an array of integers that the library wrote.
func (l *Library) integer(x []int64, i int) int {
	if l.wide {
		return int(x[i])
	}
	return int(int32(x[i/2] >> (32 * (i % 2))))
}

// fits says whether sizes can be given as 32-bit integers, which every library
// is held to. What does not fit stays in Go.
func fits(sizes ...int) bool {
	for _, v := range sizes {
		if v < 0 || v > math.MaxInt32 {
			return false
		}
	}
	return true
}

// matrix says whether x holds r rows of c numbers, stride apart, r and c being
// positive and fit.
func matrix(x []float64, r, c, stride int) bool {
	return stride >= max(1, c) && fits(stride) && len(x) >= (r-1)*stride+c
}

// vector says whether x holds n numbers at a positive increment.
func vector(x []float64, n, inc int) bool {
	return inc > 0 && fits(inc) && len(x) > (n-1)*inc
}

func isTranspose(t blas.Transpose) bool {
	return t == blas.NoTrans || t == blas.Trans || t == blas.ConjTrans
}

func isUplo(u blas.Uplo) bool { return u == blas.Upper || u == blas.Lower }
func isSide(s blas.Side) bool { return s == blas.Left || s == blas.Right }
func isDiag(d blas.Diag) bool { return d == blas.Unit || d == blas.NonUnit }

// A row-major matrix is the column-major one of its transpose, for which upper
// is lower, left is right and the transposed the plain one.

func flipUplo(u blas.Uplo) byte {
	if u == blas.Upper {
		return byte(blas.Lower)
	}
	return byte(blas.Upper)
}

func flipSide(s blas.Side) byte {
	if s == blas.Left {
		return byte(blas.Right)
	}
	return byte(blas.Left)
}

func flipTranspose(t blas.Transpose) byte {
	if t == blas.NoTrans {
		return byte(blas.Trans)
	}
	return byte(blas.NoTrans)
}
