// Package process starts programs so that they can be killed with all that they
// started, and watches what they take: processor time and memory, from the
// operating system.
package process

// Usage is what a process took.
type Usage struct {
	CPU  float64 // seconds, of all processors together
	Peak int64   // bytes resident, at most
}
