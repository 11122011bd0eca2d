//go:build !unix

package process

// WatchStops notes nothing: not known on this system.
func WatchStops() (stopped func() bool) { return func() bool { return false } }
