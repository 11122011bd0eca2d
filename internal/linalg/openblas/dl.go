//go:build ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64))) && !noblas

package openblas

import "github.com/ebitengine/purego"

const supported = true

// open loads a shared library. Its symbols stay out of the global namespace,
// so that they cannot replace those of another library.
func open(path string) (uintptr, error) {
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

// openGlobal puts the symbols into the global namespace, for libraries that
// look there.
func openGlobal(path string) (uintptr, error) {
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
}

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
