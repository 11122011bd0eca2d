package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"mercer/internal/regular"
)

// ErrLocked is wrapped by the error of [Open] on a directory that another
// runner has open.
var ErrLocked = errors.New("another runner has this directory open")

// lockFile names the lock of a run directory. The file stays when the lock is
// given up: removing it would let two processes hold locks on two files of one
// name.
const lockFile = ".lock"

// owner is written into a lock for whoever finds it taken.
type owner struct {
	PID   int    `json:"pid"`
	Host  string `json:"host"`
	Since string `json:"since"`
}

func (o owner) String() string {
	return fmt.Sprintf("process %d on %s since %s", o.PID, o.Host, o.Since)
}

// dirLock is a held lock on a run directory.
type dirLock struct {
	file  *os.File
	owner owner
	stale string // a warning when the last owner left without giving it up
}

// acquire takes the lock of dir. The kernel's advisory lock decides where the
// file system has one: it dies with its owner, so it cannot go stale. Where
// there is none, the owner written in the file decides: it is believed alive
// unless it was a process of this host that no longer exists.
func acquire(dir string) (*dirLock, error) { return acquireBy(dir, lockExclusive) }

// settle is how long, where there is no kernel's lock, another process may take
// from finding no owner to naming itself.
const settle = 100 * time.Millisecond

func acquireBy(dir string, lock func(*os.File) error) (*dirLock, error) {
	path := filepath.Join(dir, lockFile)
	f, err := regular.Own(path, os.O_RDWR)
	if err != nil {
		return nil, fmt.Errorf("results: %w", err)
	}
	last, named := readOwner(path)
	err = lock(f)
	if errors.Is(err, errWouldBlock) || err != nil && named && !last.gone() {
		return nil, errors.Join(refusal(dir, last, named), f.Close())
	}
	lockless := err != nil
	l := &dirLock{file: f}
	if named {
		l.stale = fmt.Sprintf("%s: %v did not close this run (killed, or stopped at once); what it stored is kept, and its lock is taken over", dir, last)
	}
	if err := l.sign(); err != nil {
		return nil, errors.Join(fmt.Errorf("results: lock %s: %w", dir, err), f.Close())
	}
	if lockless {
		time.Sleep(settle)
		if now, named := readOwner(path); !named || now != l.owner {
			return nil, errors.Join(refusal(dir, now, named), f.Close())
		}
	}
	return l, nil
}

func refusal(dir string, o owner, named bool) error {
	if !named {
		return fmt.Errorf("results: %s: %w; wait for it or choose another directory", dir, ErrLocked)
	}
	return fmt.Errorf("results: %s: %w: %v; wait for it, or if it no longer exists delete %s",
		dir, ErrLocked, o, filepath.Join(dir, lockFile))
}

// readOwner reads who signed the lock last; false when nobody is named.
func readOwner(path string) (owner, bool) {
	var o owner
	text, err := regular.ReadFile(path)
	if err != nil || json.Unmarshal(text, &o) != nil || o.PID == 0 {
		return owner{}, false
	}
	return o, true
}

// gone says that o was a process of this host that no longer exists. A process
// with our own id is an earlier life of that id.
func (o owner) gone() bool {
	host, err := os.Hostname()
	if err != nil || host != o.Host {
		return false
	}
	return o.PID == os.Getpid() || !processExists(o.PID)
}

func (l *dirLock) sign() error {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown host"
	}
	l.owner = owner{PID: os.Getpid(), Host: host, Since: time.Now().UTC().Format(time.RFC3339)}
	text, err := json.Marshal(l.owner)
	if err != nil {
		return err
	}
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	_, err = l.file.WriteAt(append(text, '\n'), 0)
	return err
}

// release gives the lock up and clears the owner.
func (l *dirLock) release() error {
	return errors.Join(l.file.Truncate(0), l.file.Close())
}
