//go:build !linux

package process

// Discard does nothing.
func Discard([]byte) {}
