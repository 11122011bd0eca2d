package openblas

import (
	"os"

	"golang.org/x/sys/cpu"
)

// coreVariable names the processor type whose routines OpenBLAS takes. It is read
// when the library is loaded.
const coreVariable = "OPENBLAS_CORETYPE"

// oldest is the type that OpenBLAS takes a processor of Intel for that is newer than
// itself: routines of 2004, at half the speed of an eigenproblem.
const oldest = "Prescott"

// knownCore is a type that OpenBLAS has known for long and this processor can run;
// empty for none.
func knownCore() string {
	switch {
	case cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512CD:
		return "SkylakeX"
	case cpu.X86.HasAVX2 && cpu.X86.HasFMA:
		return "Haswell"
	}
	return ""
}

// openSuited is open, but loads an OpenBLAS that does not know the processor a second
// time, for a type that it knows. The environment is left as it was, for child
// processes to find.
func openSuited(path string) (uintptr, error) {
	handle, err := open(path)
	better := knownCore()
	if err != nil || better == "" || os.Getenv(coreVariable) != "" || coreOf(handle) != oldest {
		return handle, err
	}
	if err := os.Setenv(coreVariable, better); err != nil {
		return handle, nil
	}
	defer os.Unsetenv(coreVariable)
	if err := shut(handle); err != nil {
		return 0, err
	}
	return open(path)
}

// coreOf is the processor type of an OpenBLAS; empty where a library does not say.
func coreOf(handle uintptr) string {
	s, _, err := spelling(func(name string) uintptr { return symbol(handle, name) })
	if err != nil {
		return ""
	}
	if f := symbol(handle, s.prefix+"openblas_get_corename"+s.extension); f != 0 {
		return stringOf(f)
	}
	return ""
}
