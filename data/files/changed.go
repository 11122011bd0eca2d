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
	f, err := os.Open(path)
	if err != nil {
		var none T
		return none, err
	}
	defer f.Close()
	return steady(f, func() (T, error) { return read(f) })
}

// sized is whileRead of a regular file, whose size is told.
func sized[T any](path string, read func(f *os.File, size int64) (T, error)) (T, error) {
	f, size, err := open(path)
	if err != nil {
		var none T
		return none, err
	}
	defer f.Close()
	return steady(f, func() (T, error) { return read(f, size) })
}

func steady[T any](f *os.File, read func() (T, error)) (T, error) {
	var none T
	before, err := f.Stat()
	if err != nil {
		return none, err
	}
	if before.IsDir() {
		return none, fmt.Errorf("%s is a folder: name a file", f.Name())
	}
	out, err := read()
	after, statErr := f.Stat()
	switch {
	case statErr != nil:
		return none, statErr
	case changed(before, after):
		return none, fmt.Errorf("%s was written to while it was read: wait until it is complete, and run again", f.Name())
	}
	return out, err
}

func changed(before, after fs.FileInfo) bool {
	return before.Mode().IsRegular() && (after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()))
}
