package openblas

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
)

// ErrThreads reports that the number of threads cannot be set.
var ErrThreads = errors.New("the number of threads cannot be set")

// threadControl holds a library's functions that set and get the number of
// threads; either may be 0.
type threadControl struct {
	set, get uintptr
	apple    bool // set chooses between one thread and all
}

// identify finds out whose library it is, and how its threads are ruled.
func (l *Library) identify(handle uintptr, s scheme) {
	l.threads = 1
	l.callers = runtime.NumCPU()
	own := func(name string) uintptr { return symbol(handle, s.prefix+name+s.extension) }
	switch {
	case own("openblas_get_config") != 0:
		l.identifyOpenBLAS(handle, own)
	case symbol(handle, "MKL_Get_Version_String") != 0:
		l.identifyMKL(handle)
	case strings.Contains(l.path, "Accelerate") || strings.Contains(l.path, "vecLib"):
		l.vendor = "Accelerate"
		l.control = threadControl{set: symbol(handle, "BLASSetThreading"), apple: true}
		l.threads = runtime.NumCPU()
		if l.control.set == 0 {
			l.warnings = append(l.warnings, "Accelerate before macOS 15: threads are ruled by VECLIB_MAXIMUM_THREADS, set before the start, alone")
		}
	default:
		l.vendor = "BLAS of unknown make"
		l.callers = 1
		l.warnings = append(l.warnings, l.path+" does not say what it is: it gets one call at a time, and its threads cannot be set")
	}
	if l.control.get != 0 {
		l.threads = int(int32(call(l.control.get)))
	}
}

func (l *Library) identifyOpenBLAS(handle uintptr, own func(string) uintptr) {
	l.vendor = "OpenBLAS"
	l.config = stringOf(own("openblas_get_config"))
	if words := strings.Fields(l.config); len(words) > 1 && words[0] == "OpenBLAS" {
		l.version = words[1]
	}
	if f := own("openblas_get_corename"); f != 0 {
		l.core = stringOf(f)
	}
	if forced := os.Getenv("OPENBLAS_CORETYPE"); forced != "" {
		l.warnings = append(l.warnings, "OPENBLAS_CORETYPE="+forced+" in the environment overrides the library's own choice of routines, which may be faster")
	}
	l.control = threadControl{set: own("openblas_set_num_threads"), get: own("openblas_get_num_threads")}

	// Each call holds a buffer of a table whose size is fixed at build time,
	// and newer versions crash when it runs out.
	most := l.callers
	if at := strings.Index(l.config, "MAX_THREADS="); at >= 0 {
		if _, err := fmt.Sscanf(l.config[at:], "MAX_THREADS=%d", &most); err != nil {
			most = 1
		}
	}
	l.callers = max(1, min(l.callers, most))

	parallel := 1
	if f := own("openblas_get_parallel"); f != 0 {
		parallel = int(int32(call(f)))
	}
	switch parallel {
	case 0: // many serial builds keep their buffers without a lock
		l.callers = 1
		l.control = threadControl{}
		l.warnings = append(l.warnings, l.path+" is a build without threads: it gets one call at a time")
	case 2: // OpenMP keeps the number of threads for each calling thread apart
		l.ompSetThreads = symbol(handle, "omp_set_num_threads")
		l.warnings = append(l.warnings, l.path+" is a build with OpenMP, which keeps worker threads for each calling thread: the build with POSIX threads serves better")
	}
}

// SetThreads sets how many threads each call may use, for the whole process.
// It waits until all calls under way have ended, and none starts meanwhile.
//
// Set 1 where calls come from many goroutines at once: OpenBLAS runs calls
// that use several threads one after another. n must be positive. OpenBLAS
// cuts n to the limit of its build; Threads tells what was taken. Results are
// the same, bit for bit, for the same number of threads; for different ones
// they may differ in rounding.
//
// Errors: ErrThreads, for serial builds if n > 1 and for libraries without
// thread control, where nothing changes.
func (l *Library) SetThreads(n int) error {
	if n < 1 {
		panic("openblas: SetThreads: not positive")
	}
	if l.control.set == 0 {
		if n == 1 && l.vendor == "OpenBLAS" {
			return nil
		}
		return fmt.Errorf("openblas: %s: %w to %d", l.path, ErrThreads, n)
	}
	if err := l.slots.Acquire(context.Background(), int64(l.callers)); err != nil {
		panic(err) // the background context ends never
	}
	defer l.slots.Release(int64(l.callers))
	if l.control.apple {
		l.threads = runtime.NumCPU()
		one := uintptr(0)
		if n == 1 {
			l.threads, one = 1, 1
		}
		call(l.control.set, one)
		return nil
	}
	call(l.control.set, uintptr(n))
	l.threads = n
	if l.control.get != 0 {
		l.threads = int(int32(call(l.control.get)))
	}
	return nil
}

// Threads is how many threads a call may use.
func (l *Library) Threads() int {
	if err := l.slots.Acquire(context.Background(), 1); err != nil {
		panic(err) // the background context ends never
	}
	defer l.slots.Release(1)
	return l.threads
}

// Callers is how many calls the library is given at a time; further ones wait.
// It is the number of processors, or 1 for a library that is not known to
// stand concurrent calls.
func (l *Library) Callers() int { return l.callers }
