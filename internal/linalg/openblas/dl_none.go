//go:build !((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64))) || noblas

package openblas

const supported = false

func open(string) (uintptr, error)     { return 0, ErrNotSupported }
func shut(uintptr) error               { return ErrNotSupported }
func symbol(uintptr, string) uintptr   { return 0 }
func call(uintptr, ...uintptr) uintptr { panic(ErrNotSupported) }
func stringOf(uintptr) string          { return "" }
func addressSpace() uint64             { return 0 }
func fileOf(uintptr) string            { return "" }
