//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package exec

import (
	"errors"
	"os"
)

var errLocked = errors.New("locked")

// lock fails: this system has no such locks.
func lock(*os.File) error { return errors.ErrUnsupported }
