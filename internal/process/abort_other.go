//go:build !unix

package process

// AbortBySignal does nothing where there are no signals: the exit code of an abort is
// that of Go's runtime, 2.
func AbortBySignal() error { return nil }
