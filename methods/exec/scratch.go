package exec

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"gonum.org/v1/gonum/mat"

	"mercer/data/files"
)

// Scratch is a directory for one fit. Arrays go in and out of it; nothing
// outside is read.
type Scratch struct {
	dir  string
	root *os.Root
}

// NewScratch makes a scratch directory where the system keeps temporary files
// ($TMPDIR).
func NewScratch() (*Scratch, error) {
	dir, err := os.MkdirTemp("", "mercer-exec-")
	if err != nil {
		return nil, fmt.Errorf("scratch directory: %w", err)
	}
	s := &Scratch{dir: dir}
	if s.root, err = os.OpenRoot(dir); err != nil {
		return nil, errors.Join(fmt.Errorf("scratch directory: %w", err), os.RemoveAll(dir))
	}
	return s, nil
}

// Dir is its path.
func (s *Scratch) Dir() string { return s.dir }

// Remove takes the directory and everything in it away.
func (s *Scratch) Remove() error {
	if err := errors.Join(s.root.Close(), os.RemoveAll(s.dir)); err != nil {
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
	f, err := os.OpenFile(filepath.Join(s.dir, name), os.O_WRONLY|os.O_CREATE, 0o600)
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
	f, err := s.root.Open(name)
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
