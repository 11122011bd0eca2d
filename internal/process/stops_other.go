//go:build !linux

package process

// Continued is false: not known on this system.
func Continued(int) bool { return false }
