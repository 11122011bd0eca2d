package openblas

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
)

// identify finds out whose library it is, and has each call use one thread from now on:
// calls come from many goroutines at once, and OpenBLAS runs calls that use several threads
// one after another. A library that cannot be held to that is refused.
func (l *Library) identify(handle uintptr, s scheme) error {
	own := func(name string) uintptr { return symbol(handle, s.prefix+name+s.extension) }
	callers := runtime.NumCPU()
	set := uintptr(0) // sets the number of threads
	switch {
	case own("openblas_get_config") != 0:
		l.identifyOpenBLAS(own)
		set = own("openblas_set_num_threads")
		callers = min(callers, l.buffers())
		switch parallel := own("openblas_get_parallel"); {
		case parallel == 0:
		case int32(call(parallel)) == 0: // many serial builds keep their buffers without a lock
			callers = 1
			l.warnings = append(l.warnings, l.path+" is a build without threads: it gets one call at a time")
		case int32(call(parallel)) == 2:
			return errors.New("an OpenBLAS with OpenMP, which keeps threads for each thread that calls it: take the build with POSIX threads")
		}
	case strings.Contains(l.path, "Accelerate") || strings.Contains(l.path, "vecLib"):
		l.vendor = "Accelerate"
		set = symbol(handle, "BLASSetThreading") // 1: one thread, 0: all; from macOS 15 on
	default:
		return errors.New("neither OpenBLAS nor Accelerate: its threads cannot be set")
	}
	if set != 0 {
		call(set, 1)
	} else {
		l.warnings = append(l.warnings, l.path+": the number of threads cannot be set to 1")
	}
	l.slots = make(chan struct{}, max(1, callers))
	return nil
}

func (l *Library) identifyOpenBLAS(own func(string) uintptr) {
	l.vendor = "OpenBLAS"
	l.config = stringOf(own("openblas_get_config"))
	if words := strings.Fields(l.config); len(words) > 1 && words[0] == "OpenBLAS" {
		l.version = words[1]
	}
	if f := own("openblas_get_corename"); f != 0 {
		l.core = stringOf(f)
	}
	if forced := os.Getenv(coreVariable); forced != "" {
		l.warnings = append(l.warnings, coreVariable+"="+forced+" in the environment overrides the library's own choice of routines, which may be faster")
	}
}

// buffers is how many calls OpenBLAS has buffers for. Each call holds one of a table whose
// size is fixed at build time, and newer versions crash when it runs out.
func (l *Library) buffers() int {
	at := strings.Index(l.config, "MAX_THREADS=")
	if at < 0 {
		return runtime.NumCPU()
	}
	most := 1
	if _, err := fmt.Sscanf(l.config[at:], "MAX_THREADS=%d", &most); err != nil {
		return 1
	}
	return most
}
