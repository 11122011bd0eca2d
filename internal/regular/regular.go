// Package regular opens files that a user or a program names. It opens regular
// files alone: a pipe or a device in the place of one may block or never end. In folders
// that mercer fills it writes through no link. It locks files and folders, too.
package regular

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Open opens a regular file for reading. It fails on anything else (a folder, a pipe,
// a device, a socket), and never waits: opening a pipe would, until somebody writes.
func Open(path string) (*os.File, fs.FileInfo, error) {
	return Check(os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0))
}

// Check is Open of a file that the caller has opened, with O_NONBLOCK. It closes what
// it refuses.
func Check(f *os.File, err error) (*os.File, fs.FileInfo, error) {
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is a %s: want a regular file", f.Name(), Kind(info.Mode()))
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// Own opens a file that mercer keeps, and makes it where it is missing. It fails as Open
// does, and on a link, through which it would write elsewhere.
func Own(path string, flag int) (*os.File, error) {
	if err := noLink(path); err != nil {
		return nil, err
	}
	f, _, err := Check(os.OpenFile(path, flag|os.O_CREATE|syscall.O_NONBLOCK, 0o666))
	return f, err
}

// Folder makes a folder that mercer fills, where it is missing. It fails on a link.
func Folder(path string) error {
	if err := noLink(path); err != nil {
		return err
	}
	return os.MkdirAll(path, 0o777)
}

func noLink(path string) error {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("%s is a link, and what lies behind it is not changed: put what it names in its place, or remove it", path)
	}
	return nil
}

// ReadFile reads a whole regular file.
func ReadFile(path string) ([]byte, error) {
	f, info, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text := make([]byte, info.Size())
	n, err := io.ReadFull(f, text)
	if err == io.EOF || err == io.ErrUnexpectedEOF { // it became shorter
		err = nil
	}
	return text[:n], err
}

// Kind names what is no regular file.
func Kind(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeSymlink != 0:
		return "link"
	case mode.IsDir():
		return "folder"
	case mode&fs.ModeNamedPipe != 0:
		return "pipe"
	case mode&fs.ModeDevice != 0:
		return "device"
	case mode&fs.ModeSocket != 0:
		return "socket"
	}
	return "special file"
}
