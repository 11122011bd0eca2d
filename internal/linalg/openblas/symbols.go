package openblas

import "fmt"

// routine numbers the Fortran routines that a Library may have.
type routine int

const (
	dgemm routine = iota
	dsyrk
	dgemv
	dsymv
	dger
	dpotrf
	dsyevd
	routines
)

// required is the number of routines, from dgemm on, without which a library
// is refused. Those of LAPACK that are missing stay in Go.
const required = dger + 1

var routineNames = [routines]string{"dgemm", "dsyrk", "dgemv", "dsymv", "dger", "dpotrf", "dsyevd"}

// scheme says how a library spells its symbols: fortran around the routines'
// names, extension around those of OpenBLAS's own functions.
type scheme struct {
	prefix             string
	fortran, extension string
}

// schemes in the order of their trial. Each was seen in the wild: the plain
// one nearly everywhere, 64_ in Julia's and Fedora's libraries with 64-bit
// integers, scipy_ in the wheels of NumPy and SciPy, $NEWLAPACK in Accelerate
// since macOS 13.3, whose plain symbols are those of LAPACK 3.2.
var schemes = []scheme{
	{"", "$NEWLAPACK", ""},
	{"", "_", ""},
	{"", "_64_", "64_"},
	{"scipy_", "_", ""},
	{"scipy_", "_64_", "64_"},
}

// spelling finds the scheme of a library, which lookup gives the symbols of,
// and the addresses of its routines.
func spelling(lookup func(name string) uintptr) (s scheme, address [routines]uintptr, err error) {
	found := false
	for _, s = range schemes {
		if lookup(s.prefix+"dgemm"+s.fortran) != 0 {
			found = true
			break
		}
	}
	if !found {
		return s, address, fmt.Errorf("symbol %s: not found, nor under another spelling", "dgemm_")
	}
	for r := range routines {
		name := s.prefix + routineNames[r] + s.fortran
		address[r] = lookup(name)
		if address[r] == 0 && r < required {
			return s, address, fmt.Errorf("symbol %s: not found", name)
		}
	}
	return s, address, nil
}
