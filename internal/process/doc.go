// Package process starts programs so that they can be killed with all that they
// started, and asks the operating system what they take.
package process
