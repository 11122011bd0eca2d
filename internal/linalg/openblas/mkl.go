package openblas

import (
	"os"
	"strings"
	"unsafe"
)

// openMKL loads MKL's dispatcher after what its parts need but do not name: a
// missing function would end the process at the first call. It takes the
// threading layer whose runtime library is there, unless the environment
// chooses one.
func openMKL(path string) (uintptr, error) {
	if _, err := openGlobal("libm.so.6"); err != nil {
		return 0, err
	}
	const intel, sequential, gnu = 0, 1, 3
	layer := sequential
	if _, err := openGlobal("libiomp5.so"); err == nil {
		layer = intel
	} else if _, err := openGlobal("libgomp.so.1"); err == nil {
		layer = gnu
	}
	handle, err := openGlobal(path)
	if err != nil {
		return 0, err
	}
	set := symbol(handle, "MKL_Set_Threading_Layer")
	if os.Getenv("MKL_THREADING_LAYER") == "" && set != 0 {
		call(set, uintptr(layer))
	}
	return handle, nil
}

// isMKL says whether a path names MKL's dispatcher.
func isMKL(path string) bool { return strings.Contains(path, "libmkl_rt.so") }

func (l *Library) identifyMKL(handle uintptr) {
	l.vendor = "MKL"
	text := make([]byte, 256)
	call(symbol(handle, "MKL_Get_Version_String"), uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)))
	l.config = strings.TrimSpace(strings.TrimRight(string(text), "\x00 "))
	for _, word := range strings.Fields(l.config) {
		if word[0] >= '0' && word[0] <= '9' {
			l.version = word
			break
		}
	}
	l.setThreads = symbol(handle, "MKL_Set_Num_Threads")
	// Without this, MKL's last bits depend on the alignment of the arrays.
	const auto = 2
	if f := symbol(handle, "MKL_CBWR_Set"); f == 0 || int32(call(f, auto)) != 0 {
		l.warnings = append(l.warnings, "MKL refused its reproducible mode: results may differ from run to run in the last bits")
	}
}
