package linalg

import (
	"syscall"
	"unsafe"
)

const (
	hugePageBytes  = 2 << 20
	adviseHugePage = 14 // MADV_HUGEPAGE
)

// hugePages asks for huge pages for all of data that such pages can cover. It is
// advice: a refusal changes nothing but speed.
func hugePages[T float32 | float64](data []T) {
	start := uintptr(unsafe.Pointer(unsafe.SliceData(data)))
	first := (start + hugePageBytes - 1) &^ (hugePageBytes - 1)
	end := (start + unsafe.Sizeof(*new(T))*uintptr(len(data))) &^ (hugePageBytes - 1)
	if first < end {
		syscall.Syscall(syscall.SYS_MADVISE, first, end-first, adviseHugePage)
	}
}
