//go:build ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64))) && !noblas

package openblas

import (
	"math"
	"syscall"
	"unsafe"

	"github.com/ebitengine/purego"
)

const supported = true

// open loads a shared library. Its symbols stay out of the global namespace,
// so that they cannot replace those of another library.
func open(path string) (uintptr, error) {
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

// shut gives a library up; the last who does unloads it.
func shut(handle uintptr) error { return purego.Dlclose(handle) }

// symbol is the address of a function, 0 where the library has none.
func symbol(handle uintptr, name string) uintptr {
	address, err := purego.Dlsym(handle, name)
	if err != nil {
		return 0
	}
	return address
}

// call runs the C function at address. Go memory whose address is computed in
// the argument list stays in place and alive; what the addresses in a slice
// stand for, the caller keeps so.
//
//go:uintptrescapes
func call(address uintptr, arguments ...uintptr) uintptr {
	r, _, _ := purego.SyscallN(address, arguments...)
	return r
}

// stringOf calls a function char *f(void) and copies what it returns.
func stringOf(address uintptr) string {
	var f func() string
	purego.RegisterFunc(&f, address)
	return f()
}

// addressSpace is how many bytes the process may have, used or not.
func addressSpace() uint64 {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &limit) != nil {
		return math.MaxUint64
	}
	return limit.Cur
}

// fileOf is the file that the code at an address was loaded from; empty where the
// dynamic linker does not say.
func fileOf(address uintptr) string {
	dladdr, err := purego.Dlsym(purego.RTLD_DEFAULT, "dladdr")
	if err != nil {
		return ""
	}
	var info struct { // Dl_info
		file          *byte
		base          uintptr
		name          *byte
		symbolAddress uintptr
	}
	var find func(address uintptr, info unsafe.Pointer) int32
	purego.RegisterFunc(&find, dladdr)
	if find(address, unsafe.Pointer(&info)) == 0 || info.file == nil {
		return ""
	}
	length := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(info.file), length)) != 0 {
		length++
	}
	return string(unsafe.Slice(info.file, length))
}
