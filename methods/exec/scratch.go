package exec

import (
	"errors"
	"fmt"
	"io"
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
	dir  string
	root *os.Root
	lock *os.File // the directory, locked while this process lives; nil where there are no locks
}

// scratchPrefix begins the name of a scratch directory. A number, a point and the name
// of the machine follow.
const scratchPrefix = "mercer-exec-"

// ownMark is a file in a scratch directory that holds its name: no other directory is swept.
const ownMark = ".mercer"

// NewScratch makes a scratch directory where the system keeps temporary files
// ($TMPDIR).
func NewScratch() (*Scratch, error) {
	for {
		s, err := newScratch()
		if !errors.Is(err, errSwept) {
			return s, err
		}
	}
}

// errSwept is of a new directory that another process swept before it was locked.
var errSwept = errors.New("was swept")

func newScratch() (*Scratch, error) {
	dir, err := os.MkdirTemp("", scratchPrefix+"*."+machine())
	if err != nil {
		return nil, fmt.Errorf("scratch directory: %w", err)
	}
	s := &Scratch{dir: dir}
	s.lock, err = lockDirectory(dir)
	if errors.Is(err, errLocked) || errors.Is(err, fs.ErrNotExist) {
		return nil, errSwept
	}
	if err == nil {
		s.root, err = os.OpenRoot(dir)
	}
	if err == nil {
		err = s.root.WriteFile(ownMark, []byte(filepath.Base(dir)), 0o600)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("scratch directory: %w", err), s.Remove())
	}
	return s, nil
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

// lockDirectory locks a directory for as long as this process lives and the file is
// open. The file is nil where the file system has no locks. It fails with errLocked
// where another process has the lock, and with fs.ErrNotExist where the directory has
// been removed.
func lockDirectory(dir string) (*os.File, error) {
	file, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	err = lock(file)
	if err != nil && !errors.Is(err, errLocked) {
		return nil, file.Close()
	}
	if err == nil {
		err = isAt(file.Stat, dir)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// isAt fails where a path names another file than the open one that stat is of.
func isAt(stat func() (fs.FileInfo, error), path string) error {
	open, err := stat()
	if err != nil {
		return err
	}
	named, err := os.Lstat(path)
	if err == nil && !os.SameFile(open, named) {
		err = fs.ErrNotExist
	}
	return err
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
		dir := filepath.Join(os.TempDir(), entry.Name())
		owner, err := lockDirectory(dir)
		if err != nil || owner == nil {
			continue // it is in use, gone, or of another user
		}
		s := &Scratch{dir: dir, lock: owner}
		if s.root, err = os.OpenRoot(dir); err == nil {
			if mark, _ := s.root.ReadFile(ownMark); string(mark) != entry.Name() {
				err = errors.Join(s.root.Close(), owner.Close())
			} else {
				err = s.Remove()
			}
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("of a process that was killed: %w", err))
		}
	}
	return errors.Join(failed...)
}

// Dir is its path.
func (s *Scratch) Dir() string { return s.dir }

// Remove takes the directory and everything in it away; what another directory or a link at
// its path names stays.
func (s *Scratch) Remove() error {
	var err error
	if s.root != nil {
		err = s.clean()
		if isAt(func() (fs.FileInfo, error) { return s.root.Stat(".") }, s.dir) == nil {
			err = errors.Join(err, os.Remove(s.dir))
		}
		err = errors.Join(err, s.root.Close())
	}
	if s.lock != nil {
		err = errors.Join(err, s.lock.Close())
	}
	if err != nil {
		return fmt.Errorf("scratch directory: %w", err)
	}
	return nil
}

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

// WriteMatrix writes x (n×D) as a file of float64 in C order.
func (s *Scratch) WriteMatrix(name string, x *mat.Dense) error {
	n, d := x.Dims()
	return s.write(name, n, d, x.RawRowView)
}

// WriteSymmetric writes a whole symmetric matrix.
func (s *Scratch) WriteSymmetric(name string, a *mat.SymDense) error {
	n := a.SymmetricDim()
	row := make([]float64, n)
	return s.write(name, n, n, func(i int) []float64 {
		for j := range row {
			row[j] = a.At(i, j)
		}
		return row
	})
}

func (s *Scratch) write(name string, rows, columns int, row func(i int) []float64) error {
	err := s.root.RemoveAll(name) // a program may have put a pipe there
	var f *os.File
	if err == nil {
		f, err = s.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	}
	if err == nil {
		err = errors.Join(files.WriteNPY(f, rows, columns, row), f.Close())
	}
	if err != nil {
		return fmt.Errorf("scratch directory: %w (%d bytes are needed; $TMPDIR says where the directory is made)", err, 8*rows*columns)
	}
	return nil
}

// open opens a regular file that an answer names. Its path must be relative and
// stay in the directory; links are refused, and so is what would block.
func (s *Scratch) open(array, name string) (io.ReadCloser, int64, error) {
	if !filepath.IsLocal(name) {
		return nil, 0, fmt.Errorf("%s: file %q: the path must be relative and stay in the scratch directory", array, name)
	}
	info, err := s.root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, 0, fmt.Errorf("%s: file %q: the program has not written it", array, name)
	case err != nil:
		return nil, 0, fmt.Errorf("%s: file %q: %w", array, name, err)
	case !info.Mode().IsRegular():
		return nil, 0, fmt.Errorf("%s: file %q is a %s: want a regular file", array, name, kindOf(info.Mode()))
	}
	f, info, err := regular.Check(s.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)) // it may have been replaced
	if err != nil {
		return nil, 0, fmt.Errorf("%s: file %q: %w", array, name, err)
	}
	return f, info.Size(), nil
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeSymlink != 0:
		return "link"
	case mode.IsDir():
		return "directory"
	case mode&fs.ModeNamedPipe != 0:
		return "pipe"
	}
	return "special file"
}
