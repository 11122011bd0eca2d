package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Unchanged fails where a file that a pool reads points from, as they are asked
// for, is no longer what it was when it was opened; nil for points in memory.
func Unchanged(p Pool) error {
	switch p := p.(type) {
	case interface{ Unchanged() error }:
		return p.Unchanged()
	case selection:
		return Unchanged(p.Pool)
	case joined:
		return errors.Join(Unchanged(p.first), Unchanged(p.second))
	}
	return nil
}

// whileRead opens a file, has it read, and fails where it was written to in the
// meantime: what was read may then be of neither the old content nor the new.
func whileRead[T any](path string, read func(f *os.File) (T, error)) (T, error) {
	var none T
	f, err := os.Open(path)
	if err != nil {
		return none, err
	}
	defer f.Close()
	before, err := f.Stat()
	if err != nil {
		return none, err
	}
	if before.IsDir() {
		return none, fmt.Errorf("%s is a folder: name a file", path)
	}
	out, err := read(f)
	after, statErr := f.Stat()
	switch {
	case statErr != nil:
		return none, statErr
	case changed(before, after):
		return none, fmt.Errorf("%s was written to while it was read: wait until it is complete, and run again", path)
	}
	return out, err
}

func changed(before, after fs.FileInfo) bool {
	return before.Mode().IsRegular() && (after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()))
}
