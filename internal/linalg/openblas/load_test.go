package openblas

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestLoadDisabled(t *testing.T) {
	for _, value := range []string{"none", "gonum"} {
		t.Setenv(Variable, value)
		if _, err := Load(""); !errors.Is(err, ErrDisabled) {
			t.Errorf("%s=%s: %v", Variable, value, err)
		}
	}
}

// TestLoadNamed: a library that was asked for is used or an error, whatever
// else is installed, and the error says why.
func TestLoadNamed(t *testing.T) {
	if !supported {
		if _, err := Load("x"); !errors.Is(err, ErrNotSupported) {
			t.Errorf("%v", err)
		}
		return
	}
	text := filepath.Join(t.TempDir(), "libtext.so")
	if err := os.WriteFile(text, []byte("not a library\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cases := map[string]string{
		"/does/not/exist/libopenblas.so": "cannot be loaded",
		text:                             "cannot be loaded",
	}
	if runtime.GOOS == "linux" {
		cases["libc.so.6"] = "symbol dgemm_: not found"
	}
	for path, want := range cases {
		for _, how := range []string{"argument", "environment"} {
			argument := path
			t.Setenv(Variable, "none")
			if how == "environment" {
				argument = ""
				t.Setenv(Variable, path)
			}
			_, err := Load(argument)
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
				t.Errorf("%s by %s: %v, want %q and the path", path, how, err, want)
			}
			if errors.Is(err, ErrNotFound) || errors.Is(err, ErrDisabled) {
				t.Errorf("%s by %s: the error asks for gonum in silence: %v", path, how, err)
			}
		}
	}
}

func TestCandidates(t *testing.T) {
	for _, goos := range []string{"linux", "darwin"} {
		if len(Candidates(goos)) == 0 {
			t.Errorf("%s has none", goos)
		}
	}
	if len(Candidates("plan9")) != 0 || Hint("plan9") == "" {
		t.Errorf("plan9: candidates %v, hint %q", Candidates("plan9"), Hint("plan9"))
	}
}

func TestIdentity(t *testing.T) {
	l := library(t)
	if l.Path() == "" || l.version == "" || !strings.HasPrefix(l.String(), l.vendor+" "+l.version) {
		t.Errorf("path %q, version %q, %q", l.Path(), l.version, l)
	}
	if l.BLAS().String() != l.String() || l.LAPACK().String() != l.String() {
		t.Errorf("%q and %q, want %q", l.BLAS(), l.LAPACK(), l)
	}
	if l.vendor == "OpenBLAS" && (l.version == "" || l.core == "" || l.Config() == "") {
		t.Errorf("version %q, core %q, config %q", l.version, l.core, l.Config())
	}
	t.Logf("%s; %s; %d callers; warnings %q", l, l.Config(), cap(l.slots), l.Warnings())
}

// TestCoreType: an OpenBLAS that is older than the processor has routines for a newer
// type than its own choice, and child processes see nothing of that. One that was asked
// for by the environment stays.
func TestCoreType(t *testing.T) {
	forced := os.Getenv(coreVariable)
	l := library(t)
	if now := os.Getenv(coreVariable); now != forced {
		t.Errorf("%s is %q after loading, before %q", coreVariable, now, forced)
	}
	if better := knownCore(); l.vendor == "OpenBLAS" && better != "" && forced == "" && l.core == oldest {
		t.Errorf("routines for %s, where those for %s can run", oldest, better)
	}
}

// TestSelfTest puts a function that does nothing in the place of a routine.
func TestSelfTest(t *testing.T) {
	l := library(t)
	handle, err := openSuited(l.path)
	if err != nil {
		t.Fatal(err)
	}
	nothing := symbol(handle, "openblas_get_num_threads")
	if nothing == 0 {
		t.Skip("the library has no function that does nothing")
	}
	for r, want := range map[routine]string{
		dgemm:  "dgemm of 37×41 by 41×29: element (0,0) is 0, want ",
		dsyevd: "dsyevd of the second-difference matrix of order 40: eigenvalue 0 is 0",
	} {
		broken := &Library{path: "broken", address: l.address, slots: l.slots}
		broken.frames.New = func() any { return new(frame) }
		broken.address[r] = nothing
		if err := broken.selfTest(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s does nothing: %v, want %q", routineNames[r], err, want)
		}
	}
}

// TestMissing: routines of LAPACK that a library lacks stay gonum's.
func TestMissing(t *testing.T) {
	l := library(t)
	bare := &Library{path: "bare", address: l.address, slots: l.slots}
	bare.frames.New = func() any { return new(frame) }
	clear(bare.address[required:])
	if err := bare.selfTest(); err != nil {
		t.Fatal(err)
	}
	a := symmetric(60, 41).Dominant().Dominant()
	if !bare.LAPACK().Dpotrf('U', 60, a.Data(), a.Stride) {
		t.Error("Dpotrf failed")
	}
}

// TestSpelling looks symbols up in lists of them.
func TestSpelling(t *testing.T) {
	spell := func(prefix, suffix string, without ...string) func(string) uintptr {
		return func(name string) uintptr {
			for i, r := range routineNames {
				if name == prefix+r+suffix && !slices.Contains(without, r) {
					return uintptr(i + 1)
				}
			}
			return 0
		}
	}
	for _, c := range []struct {
		lookup func(string) uintptr
		want   string // in the error
		scheme scheme
	}{
		{spell("", "_"), "", scheme{"", "_", ""}},
		{spell("", "_64_"), "", scheme{"", "_64_", "64_"}},
		{spell("scipy_", "_"), "", scheme{"scipy_", "_", ""}},
		{spell("scipy_", "_64_"), "", scheme{"scipy_", "_64_", "64_"}},
		{spell("", "$NEWLAPACK"), "", scheme{"", "$NEWLAPACK", ""}},
		{spell("", "_", "dpotrf", "dsyevd"), "", scheme{"", "_", ""}},
		{spell("", "_", "dsymv"), "symbol dsymv_: not found", scheme{}},
		{spell("", "_64_", "dger"), "symbol dger_64_: not found", scheme{}},
		{spell("other_", "_"), "symbol dgemm_: not found", scheme{}},
	} {
		s, address, err := spelling(c.lookup)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			continue
		}
		if err != nil || s != c.scheme || address[dsyrk] != uintptr(dsyrk)+1 {
			t.Errorf("%+v, dsyrk at %d, %v, want %+v", s, address[dsyrk], err, c.scheme)
		}
	}
}

// TestFile: the file of a library is one that holds its name, and no link.
func TestFile(t *testing.T) {
	l := library(t)
	if runtime.GOOS != "linux" {
		t.Skip("NOT TESTED: the file of a library on " + runtime.GOOS)
	}
	file := l.File()
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() || !strings.Contains(filepath.Base(file), "blas") {
		t.Errorf("%q, %v: no file of a BLAS library", file, err)
	}
	if maps, err := os.ReadFile("/proc/self/maps"); err != nil || !strings.Contains(string(maps), file+"\n") {
		t.Errorf("%s is not mapped into this process (%v)", file, err)
	}
}
