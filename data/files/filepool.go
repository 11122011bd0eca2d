package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"gonum.org/v1/gonum/mat"
)

// FilePool is a Pool over the numbers of an array, which stay in their file: only the rows
// asked for are read.
//
// The file is read, not mapped into memory: of a mapped one each page that was
// touched counts as the process's memory, and where it is cut short the next
// touch ends the process.
type FilePool struct {
	array
	file   *os.File
	opened fs.FileInfo // of the file
}

// mostRaw is how many bytes are read at a time, where a row is not longer.
const mostRaw = 1 << 20

// Len is the number of points.
func (p *FilePool) Len() int { return p.n() }

// Dim is the number of coordinates of a point.
func (p *FilePool) Dim() int { return p.d() }

// Rows reads the rows asked for, neighbours in one read; see Pool. It panics with
// a *ReadError where the file cannot be read any more.
func (p *FilePool) Rows(idx []int, dst *mat.Dense) {
	size(dst, len(idx), p.d())
	stride, convert := p.d()*p.width(), kinds[p.kind](p.array)
	most := max(1, mostRaw/stride)
	buffer := make([]byte, min(most, len(idx))*stride)
	for at := 0; at < len(idx); {
		run := 1
		for at+run < len(idx) && run < most && idx[at+run] == idx[at]+run {
			run++
		}
		if idx[at] < 0 || idx[at]+run > p.n() {
			panic(fmt.Sprintf("files: rows %d … %d of a file of %d", idx[at], idx[at]+run-1, p.n()))
		}
		raw := buffer[:run*stride]
		if _, err := p.file.ReadAt(raw, p.header+int64(idx[at])*int64(stride)); err != nil {
			panic(p.failure(err))
		}
		for i := range run {
			convert(dst.RawRowView(at+i), raw[i*stride:][:stride])
		}
		at += run
	}
}

// ReadError is a file that was there when it was opened, and cannot be read any
// more or is not what it was.
type ReadError struct {
	File    string
	Problem string
	Err     error // what the operating system said; nil for nothing
}

func (e *ReadError) Error() string { return e.File + ": " + e.Problem }

func (e *ReadError) Unwrap() error { return e.Err }

func (p *FilePool) failure(err error) *ReadError {
	e := &ReadError{File: p.file.Name(), Problem: err.Error(), Err: err}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		e.Problem = fmt.Sprintf("the file has no longer the %d bytes that it had when it was opened; bring it back, and run again", p.opened.Size())
	}
	return e
}

// Unchanged fails, with a *ReadError, where the file's size or time of last
// change is not what it was when the pool was made: rows read before and after may
// then be of different contents. A file that another one has taken the place of
// under its name is still the one that was opened.
func (p *FilePool) Unchanged() error {
	now, err := p.file.Stat()
	if err != nil {
		return p.failure(err)
	}
	if same(now, p.opened) {
		return nil
	}
	return &ReadError{File: p.file.Name(), Problem: fmt.Sprintf(
		"the file was changed while it was in use: opened with %d bytes of %s, it has %d of %s; results would mix the two contents: leave it alone, and run again",
		p.opened.Size(), p.opened.ModTime().Format(time.RFC3339Nano), now.Size(), now.ModTime().Format(time.RFC3339Nano))}
}

// same says that a file was not written to between two looks at it.
func same(a, b fs.FileInfo) bool {
	return a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
