package results

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"mercer/internal/plain"
	"mercer/internal/regular"
)

// ErrLocked is wrapped by the error of [Open] on a directory that another
// runner has open.
var ErrLocked = errors.New("another runner has this directory open")

// lockFile names the lock of a run directory. It holds a line about its owner, such as
// "process 4711 on host since 2026-01-02T03:04:05Z", for whoever finds it taken. The file stays
// when the lock is given up: removing it would let two processes hold locks on two files
// of one name.
const lockFile = ".lock"

// dirLock is a held lock on a run directory.
type dirLock struct {
	file    *os.File
	warning string // what was odd when it was taken; "" for nothing
}

// acquire takes the kernel's advisory lock of dir, which dies with its owner, so that it
// cannot go stale. Where the file system has no such locks, nothing keeps a second runner
// out, and the warning says so.
func acquire(dir string) (*dirLock, error) {
	return acquireBy(dir, func(f *os.File) error { return regular.Lock(f, false) })
}

func acquireBy(dir string, lock func(*os.File) error) (*dirLock, error) {
	path := filepath.Join(dir, lockFile)
	f, err := regular.Own(path, os.O_RDWR)
	if err != nil {
		return nil, fmt.Errorf("results: %w", err)
	}
	text, _ := regular.ReadFile(path) // what cannot be read names nobody
	last := plain.Text(string(text))

	l := &dirLock{file: f}
	switch err := lock(f); {
	case errors.Is(err, regular.ErrLocked):
		return nil, errors.Join(fmt.Errorf("results: %s: %w: %s; wait for it or choose another directory", dir, ErrLocked, cmp.Or(last, "a process that has not named itself yet")), f.Close())
	case err != nil:
		l.warning = fmt.Sprintf("%s: no lock can be taken here (%v): see to it that no other run writes to this directory", dir, err)
	case last != "":
		l.warning = fmt.Sprintf("%s: %s did not close this run (killed, or stopped at once); what it stored is kept, and its lock is taken over", dir, last)
	}

	if err := l.sign(); err != nil {
		return nil, errors.Join(fmt.Errorf("results: lock %s: %w", dir, err), f.Close())
	}
	return l, nil
}

// sign names this process as the owner.
func (l *dirLock) sign() error {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown host"
	}
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	_, err = fmt.Fprintf(l.file, "process %d on %s since %s\n", os.Getpid(), host, now())
	return err
}

// release gives the lock up and clears the owner.
func (l *dirLock) release() error {
	return errors.Join(l.file.Truncate(0), l.file.Close())
}
