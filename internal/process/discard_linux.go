package process

import (
	"os"
	"syscall"
	"unsafe"
)

// Discard gives the memory of whole pages of b back to the system; they read as
// zeros from then on.
func Discard(b []byte) {
	if len(b) == 0 {
		return
	}
	page := os.Getpagesize()
	lead := -int(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) & (page - 1)
	if whole := (len(b) - lead) &^ (page - 1); lead < len(b) && whole > 0 {
		_ = syscall.Madvise(b[lead:lead+whole], syscall.MADV_DONTNEED) // it is advice
	}
}
