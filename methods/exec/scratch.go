package exec

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"gonum.org/v1/gonum/mat"

	"mercer/data/files"
	"mercer/internal/regular"
)

// Scratch is the directory of a program. Arrays go in and out of it; nothing outside is
// read, written or removed, whatever the program puts at its path.
type Scratch struct {
	dir    string
	root   *os.Root
	opened *os.File // the directory, locked while this process lives, where there are locks
}

// scratchPrefix begins the name of a scratch directory. A number, a point and the name
// of the machine follow.
const scratchPrefix = "mercer-exec-"

// ownMark is a file in a scratch directory that holds its name: no other directory is swept.
const ownMark = ".mercer"

// NewScratch makes a scratch directory where the system keeps temporary files
// ($TMPDIR).
func NewScratch() (*Scratch, error) {
	dir, err := os.MkdirTemp("", scratchPrefix+"*."+machine())
	if err != nil {
		return nil, fmt.Errorf("scratch directory: %w", err)
	}
	s, err := openScratch(dir)
	if err != nil {
		return nil, fmt.Errorf("scratch directory: %w", err)
	}

	_ = regular.Lock(s.opened, true) // without locks it is never swept
	if err := s.root.WriteFile(ownMark, []byte(filepath.Base(dir)), 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("scratch directory: %w", err), s.Remove())
	}
	return s, nil
}

func openScratch(dir string) (*Scratch, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	opened, err := root.Open(".")
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return &Scratch{dir, root, opened}, nil
}

// machine is this one's name, as it stands in the name of a directory.
func machine() string {
	name, _ := os.Hostname() // without one all machines have the same name
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '.' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '_'
	}, name)
}

// Sweep removes the scratch directories under $TMPDIR of processes of this machine that
// no longer live, because they were killed or the machine lost power. A directory is
// removed only if it holds its own name, so that mercer made it, and if its lock can be
// taken, which no process holds that lives; where there are no locks it stays. The error
// names what could not be removed.
func Sweep() error {
	entries, err := os.ReadDir(os.TempDir())
	if err != nil {
		return nil // the first scratch directory will tell
	}
	var failed []error
	for _, entry := range entries {
		number, ok := strings.CutPrefix(entry.Name(), scratchPrefix)
		_, host, named := strings.Cut(number, ".")
		if !ok || !named || host != machine() || !entry.IsDir() {
			continue
		}
		s, err := openScratch(filepath.Join(os.TempDir(), entry.Name()))
		if err != nil {
			continue // it is gone, or of another user
		}

		if err := s.sweep(); err != nil {
			failed = append(failed, fmt.Errorf("of a process that was killed: %w", err))
		}
	}
	return errors.Join(failed...)
}

// sweep removes a directory that no process uses, and leaves others as they are.
func (s *Scratch) sweep() error {
	if regular.Lock(s.opened, false) != nil {
		return s.close()
	}
	if mark, _ := s.root.ReadFile(ownMark); string(mark) != filepath.Base(s.dir) {
		return s.close()
	}
	return s.Remove()
}

// Remove takes the directory and everything in it away; what another directory or a link at
// its path names stays.
func (s *Scratch) Remove() error {
	err := s.clean()
	own, failed := s.opened.Stat()
	if named, gone := os.Lstat(s.dir); failed == nil && gone == nil && os.SameFile(own, named) {
		err = errors.Join(err, os.Remove(s.dir))
	}
	if err = errors.Join(err, failed, s.close()); err != nil {
		return fmt.Errorf("scratch directory: %w", err)
	}
	return nil
}

func (s *Scratch) close() error { return errors.Join(s.root.Close(), s.opened.Close()) }

// clean removes all but the entries of some names.
func (s *Scratch) clean(keep ...string) error {
	entries, err := fs.ReadDir(s.root.FS(), ".")
	if errors.Is(err, fs.ErrNotExist) { // the program has removed it
		err = nil
	}
	for _, entry := range entries {
		if !slices.Contains(keep, entry.Name()) {
			err = errors.Join(err, s.root.RemoveAll(entry.Name()))
		}
	}
	if err != nil {
		return fmt.Errorf("scratch directory: %w", err)
	}
	return nil
}

// Write writes a matrix as a file of float64 in C order.
func (s *Scratch) Write(name string, x mat.Matrix) error {
	n, d := x.Dims()
	row := make([]float64, d)
	var f *os.File
	err := s.root.RemoveAll(name) // a program may have put a pipe there
	if err == nil {
		f, err = s.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	}
	if err == nil {
		err = errors.Join(files.WriteNPY(f, n, d, func(i int) []float64 { return mat.Row(row, i, x) }), f.Close())
	}
	if err != nil {
		return fmt.Errorf("scratch directory: %w (%d bytes are needed; $TMPDIR says where the directory is made)", err, 8*n*d)
	}
	return nil
}

// load reads an array of finite numbers, in C or Fortran order; one of one dimension as a
// column.
func (s *Scratch) load(name string, dimensions int) (*mat.Dense, error) {
	f, err := s.open(name)
	if err != nil {
		return nil, fmt.Errorf("file %q: %w", name, err)
	}
	defer f.Close()
	x, err := files.Opener{}.ReadNPY(f, dimensions)
	if err != nil {
		return nil, fmt.Errorf("file %q: %w", name, err)
	}
	return x, nil
}

// open opens a regular file that an answer names. Its path must be relative and
// stay in the directory; links are refused, and so is what would block.
func (s *Scratch) open(name string) (*os.File, error) {
	if !filepath.IsLocal(name) {
		return nil, errors.New("the path must be relative and stay in the scratch directory")
	}
	info, err := s.root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errors.New("the program has not written it")
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("is a %s: want a regular file", regular.Kind(info.Mode()))
	}
	f, _, err := regular.Check(s.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)) // it may have been replaced
	return f, err
}
