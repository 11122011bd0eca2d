package exec

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
}

// NewScratch makes a scratch directory where the system keeps temporary files
// ($TMPDIR).
func NewScratch() (*Scratch, error) {
	dir, err := os.MkdirTemp("", "mercer-exec-*")
	if err != nil {
		return nil, fmt.Errorf("scratch directory: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("scratch directory: %w", err)
	}
	return &Scratch{dir, root}, nil
}

// Remove takes the directory and everything in it away; what another directory or a link at
// its path names stays.
func (s *Scratch) Remove() error {
	err := s.clean("")
	own, failed := s.root.Stat(".")
	if named, gone := os.Lstat(s.dir); failed == nil && gone == nil && os.SameFile(own, named) {
		err = errors.Join(err, os.Remove(s.dir))
	}
	if err = errors.Join(err, s.root.Close()); err != nil {
		return fmt.Errorf("scratch directory: %w", err)
	}
	return nil
}

// clean removes all but an entry of some name.
func (s *Scratch) clean(keep string) error {
	entries, err := fs.ReadDir(s.root.FS(), ".")
	if errors.Is(err, fs.ErrNotExist) { // the program has removed it
		err = nil
	}
	for _, entry := range entries {
		if entry.Name() != keep {
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
