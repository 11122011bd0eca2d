//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package results

import (
	"errors"
	"os"
)

var (
	errWouldBlock = errors.New("locked")
	errNoLocks    = errors.New("no advisory locks on this system")
)

func lockExclusive(*os.File) error { return errNoLocks }
