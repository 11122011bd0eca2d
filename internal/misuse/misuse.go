// Package misuse marks errors of a caller: a flag, an argument or a spec that cannot be
// meant. The command line gives them an exit code of their own.
package misuse

import "fmt"

// Error is an error of the caller.
type Error struct{ err error }

// Errorf is an error of the caller, written as by [fmt.Errorf].
func Errorf(format string, args ...any) error { return Error{fmt.Errorf(format, args...)} }

func (e Error) Error() string { return e.err.Error() }

// Unwrap is the error that is marked.
func (e Error) Unwrap() error { return e.err }
