package openblas

import (
	"fmt"
	"os"
	"runtime"
	"strings"
)

// identify finds out whose library it is, and which function sets its number of threads.
func (l *Library) identify(handle uintptr, s scheme) {
	l.callers = runtime.NumCPU()
	own := func(name string) uintptr { return symbol(handle, s.prefix+name+s.extension) }
	switch {
	case own("openblas_get_config") != 0:
		l.identifyOpenBLAS(handle, own)
	case symbol(handle, "MKL_Get_Version_String") != 0:
		l.identifyMKL(handle)
	case strings.Contains(l.path, "Accelerate") || strings.Contains(l.path, "vecLib"):
		l.vendor = "Accelerate"
		l.setThreads = symbol(handle, "BLASSetThreading") // 1: one thread, 0: all; from macOS 15 on
	default:
		l.vendor = "BLAS of unknown make"
		l.callers = 1
		l.warnings = append(l.warnings, l.path+" does not say what it is: it gets one call at a time, and its threads cannot be set")
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
	l.setThreads = own("openblas_set_num_threads")

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
		l.setThreads = 0
		l.warnings = append(l.warnings, l.path+" is a build without threads: it gets one call at a time")
	case 2: // OpenMP keeps the number of threads for each calling thread apart
		l.ompSetThreads = symbol(handle, "omp_set_num_threads")
		l.warnings = append(l.warnings, l.path+" is a build with OpenMP, which keeps worker threads for each calling thread: the build with POSIX threads serves better")
	}
}

// oneThread has each call use one thread, from now on: calls come from many goroutines at
// once, and OpenBLAS runs calls that use several threads one after another. A library without
// such a function is told so in a warning.
func (l *Library) oneThread() {
	switch {
	case l.setThreads != 0:
		call(l.setThreads, 1)
	case l.vendor != "OpenBLAS": // a serial build of which needs nothing
		l.warnings = append(l.warnings, l.path+": the number of threads cannot be set to 1")
	}
}
