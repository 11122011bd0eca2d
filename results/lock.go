package results

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"mercer/internal/regular"
)

// ErrLocked is wrapped by the error of [Open] on a directory that another
// runner has open.
var ErrLocked = errors.New("another runner has this directory open")

// lockFile names the lock of a run directory. The file stays when the lock is given up:
// removing it would let two processes hold locks on two files of one name.
const lockFile = ".lock"

// acquire takes the kernel's advisory lock of dir, which dies with its owner, so that it
// cannot go stale. Where the file system has no such locks, nothing keeps a second runner
// out, and the warning says so.
func acquire(dir string) (lock io.Closer, warning string, err error) {
	return acquireBy(dir, func(f *os.File) error { return regular.Lock(f, false) })
}

func acquireBy(dir string, lock func(*os.File) error) (_ io.Closer, warning string, err error) {
	f, err := regular.Own(filepath.Join(dir, lockFile), os.O_RDWR)
	if err != nil {
		return nil, "", fmt.Errorf("results: %w", err)
	}
	switch err := lock(f); {
	case errors.Is(err, regular.ErrLocked):
		return nil, "", errors.Join(fmt.Errorf("results: %s: %w; wait for it or choose another directory", dir, ErrLocked), f.Close())
	case err != nil:
		warning = fmt.Sprintf("%s: no lock can be taken here (%v): see to it that no other run writes to this directory", dir, err)
	}
	return f, warning, nil
}
