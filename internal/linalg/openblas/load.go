package openblas

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
)

// Variable is the environment variable that names the library to load.
const Variable = "MERCER_BLAS"

var (
	// ErrDisabled reports that the environment asks for pure Go.
	ErrDisabled = errors.New(Variable + " asks for pure Go")
	// ErrNotFound reports that none of the usual libraries is installed.
	ErrNotFound = errors.New("no BLAS library found")
	// ErrRefused reports that the usual libraries that are installed failed
	// their tests, so that gonum is to be used and the user to be told.
	ErrRefused = errors.New("no BLAS library found that works")
	// ErrNotSupported reports a platform on which no library can be loaded, or
	// a program built with the tag noblas.
	ErrNotSupported = errors.New("loading a BLAS library is not supported on this platform")
)

// Library is a BLAS and LAPACK library that was loaded and tested. All methods
// are safe for concurrent use.
type Library struct {
	path    string
	vendor  string
	version string
	core    string
	config  string

	address  [routines]uintptr
	slots    chan struct{} // as many as calls at a time; further ones wait
	warnings []string
	frames   sync.Pool
}

// Load loads a BLAS library and tests it. path is a file or a name that the
// dynamic linker finds. An empty path means the value of $MERCER_BLAS, where
// "none" and "gonum" give ErrDisabled; without that variable, the first of the
// usual names that loads and passes the test.
//
// Load is meant to be called once, at the start of a program: each call makes
// a Library of its own, which knows nothing of the callers
// of another. Cost: tens of milliseconds.
//
// Errors: ErrNotSupported, ErrDisabled and ErrNotFound mean that gonum is to
// be used, and so does ErrRefused, with a warning: a library failed its test, or there is too
// little address space for any. All others concern a library
// that was asked for by name. The last two say which symbol was missing or
// which result was wrong.
func Load(path string) (*Library, error) {
	if path == "" {
		path = os.Getenv(Variable)
		switch path {
		case "none", "gonum":
			return nil, fmt.Errorf("openblas: %w", ErrDisabled)
		}
	}
	if !supported {
		return nil, fmt.Errorf("openblas: %s/%s: %w", runtime.GOOS, runtime.GOARCH, ErrNotSupported)
	}
	if err := enoughRoom(addressSpace()); err != nil && path == "" {
		return nil, fmt.Errorf("openblas: %w: %w", ErrRefused, err)
	} else if err != nil {
		return nil, fmt.Errorf("openblas: %s: %w", path, err)
	}
	if path != "" {
		l, err := load(path)
		if err != nil {
			return nil, fmt.Errorf("openblas: %s: %w", path, err)
		}
		return l, nil
	}
	var rejected []string
	for _, name := range Candidates(runtime.GOOS) {
		l, err := load(name)
		if err == nil {
			l.warnings = append(rejected, l.warnings...)
			return l, nil
		}
		if !errors.Is(err, errOpen) {
			rejected = append(rejected, fmt.Sprintf("%s: %v", name, err))
		}
	}
	if len(rejected) > 0 {
		return nil, fmt.Errorf("openblas: %w: %s", ErrRefused, strings.Join(rejected, "; "))
	}
	return nil, fmt.Errorf("openblas: %w: tried %s; %s",
		ErrNotFound, strings.Join(Candidates(runtime.GOOS), ", "), Hint(runtime.GOOS))
}

// enoughRoom fails where the address space that a process may have is too small. OpenBLAS
// asks for the memory of a buffer again and again until it gets it, and hangs: at its first
// call, or at any later one that runs beside as many others as none before. Such a limit does
// not depend on the process, so that a run and its workers compute with the same library.
//
// Reference: OpenMathLib/OpenBLAS issue 5289. Program and library had 1.9 GB in a test, and
// each processor takes a buffer of 128 MiB, a stack and a heap for a thread of the library and
// for a caller.
func enoughRoom(limit uint64) error {
	const gib = 1 << 30
	least := 2*gib + uint64(runtime.NumCPU())*gib/2
	if limit >= least {
		return nil
	}
	return fmt.Errorf("ulimit -v allows %.2g GiB of address space, and a BLAS library may hang below %.2g GiB on %d processors: raise it, or set %s=none",
		float64(limit)/gib, float64(least)/gib, runtime.NumCPU(), Variable)
}

// errOpen marks a library that could not be loaded at all.
var errOpen = errors.New("cannot be loaded")

func load(path string) (*Library, error) {
	handle, err := openSuited(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", errOpen, err)
	}
	s, address, err := spelling(func(name string) uintptr { return symbol(handle, name) })
	if err != nil {
		return nil, err
	}
	l := &Library{path: path, address: address}
	l.frames.New = func() any { return new(frame) }
	if err := l.identify(handle, s); err != nil {
		return nil, err
	}
	if address[dsyevd] == 0 {
		l.warnings = append(l.warnings, path+" has no dsyevd: gonum's is used")
	}
	if err := l.selfTest(); err != nil {
		return nil, fmt.Errorf("self-test: %w", err)
	}
	return l, nil
}

// Candidates lists the names that Load tries, in this order. The builds with
// POSIX threads come first: they alone take calls from many goroutines.
func Candidates(goos string) []string {
	switch goos {
	case "linux":
		return []string{
			"libopenblasp.so.0", "libopenblas.so.0", "libopenblas.so",
			"libopenblas64_.so.0", "libopenblas64_.so", "libopenblas64.so.0",
		}
	case "darwin":
		return []string{
			"/System/Library/Frameworks/Accelerate.framework/Accelerate",
			"/opt/homebrew/opt/openblas/lib/libopenblas.dylib",
			"/usr/local/opt/openblas/lib/libopenblas.dylib",
			"libopenblas.dylib",
		}
	}
	return nil
}

// Hint says how to install a library.
func Hint(goos string) string {
	switch goos {
	case "linux":
		return "install one by `apt-get install libopenblas0-pthread`, `dnf install openblas-threads` or " +
			"`pacman -S openblas`, or set " + Variable + " to the path of one"
	case "darwin":
		return "install one by `brew install openblas`, or set " + Variable + " to the path of one"
	}
	return "gonum's pure Go serves"
}

// Path is what the library was loaded from.
func (l *Library) Path() string { return l.path }

// Config is what the library says of its build; empty if nothing.
func (l *Library) Config() string { return l.config }

// Warnings lists what a user should know: libraries that were tried before this one
// and refused, limits on threads.
func (l *Library) Warnings() []string { return append([]string(nil), l.warnings...) }

// String is the name and version, as far as the library tells them, and the processor type
// that it chose its routines for, if it says so: "OpenBLAS 0.3.21, SkylakeX". Results of one
// library differ between these types in the last bits.
func (l *Library) String() string {
	version := strings.TrimSpace(l.vendor + " " + l.version)
	if l.core == "" {
		return version
	}
	return version + ", " + l.core
}
