//go:build !unix

package runner

// registerStopping adds nothing: there are no signals that stop a process.
func registerStopping() {}
