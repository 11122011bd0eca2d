package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"gonum.org/v1/gonum/mat"
)

// FilePool is a Pool over a file of N·D numbers of one type, row by row, of which
// only the rows asked for are read. It holds none of them.
//
// The file is read, not mapped into memory: of a mapped one each page that was
// touched counts as the process's memory, and where it is cut short the next
// touch ends the process.
type FilePool struct {
	file    *os.File
	size    int64 // of the file when it was opened
	changed time.Time
	start   int64 // of the first number
	n, d    int
	width   int // bytes a number
	// convert fills dst with the numbers of raw.
	convert func(dst []float64, raw []byte)
	buffers sync.Pool // of *[]byte, mostRaw bytes or a row
}

// mostRaw is how many bytes are read at a time, where a row is not longer.
const mostRaw = 1 << 20

// newFilePool makes a pool of the n×d numbers of a file from start on, which the
// file's size allows for. The pool keeps the file.
func newFilePool(file *os.File, start int64, n, d, width int, convert func(dst []float64, raw []byte)) (*FilePool, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	p := &FilePool{file: file, size: info.Size(), changed: info.ModTime(), start: start, n: n, d: d, width: width, convert: convert}
	p.buffers.New = func() any {
		raw := make([]byte, p.most()*p.stride())
		return &raw
	}
	return p, nil
}

// stride is the length of a row in bytes.
func (p *FilePool) stride() int { return p.d * p.width }

// most is how many rows are read at a time.
func (p *FilePool) most() int { return min(p.n, max(1, mostRaw/p.stride())) }

// Len is the number of points.
func (p *FilePool) Len() int { return p.n }

// Dim is the number of coordinates of a point.
func (p *FilePool) Dim() int { return p.d }

// Rows reads the rows asked for, neighbours in one read; see Pool. It panics with
// a *ReadError where the file cannot be read any more.
func (p *FilePool) Rows(idx []int, dst *mat.Dense) {
	size(dst, len(idx), p.d)
	buffer := p.buffers.Get().(*[]byte)
	defer p.buffers.Put(buffer)
	stride, most := p.stride(), p.most()
	for at := 0; at < len(idx); {
		run := 1
		for at+run < len(idx) && run < most && idx[at+run] == idx[at]+run {
			run++
		}
		if idx[at] < 0 || idx[at]+run > p.n {
			panic(fmt.Sprintf("files: rows %d … %d of a file of %d", idx[at], idx[at]+run-1, p.n))
		}
		raw := (*buffer)[:run*stride]
		if _, err := p.file.ReadAt(raw, p.start+int64(idx[at])*int64(stride)); err != nil {
			panic(p.failure(err))
		}
		for i := range run {
			p.convert(dst.RawRowView(at+i), raw[i*stride:][:stride])
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
		e.Problem = fmt.Sprintf("the file has no longer the %d bytes that it had when it was opened; bring it back, and run again", p.size)
	}
	return e
}

// Unchanged fails, with a *ReadError, where the file's size or time of last
// change is not what it was when the pool was made: rows read before and after may
// then be of different contents. A file that another one has taken the place of
// under its name is still the one that was opened.
func (p *FilePool) Unchanged() error {
	info, err := p.file.Stat()
	if err != nil {
		return p.failure(err)
	}
	if info.Size() == p.size && info.ModTime().Equal(p.changed) {
		return nil
	}
	return &ReadError{File: p.file.Name(), Problem: fmt.Sprintf(
		"the file was changed while it was in use: opened with %d bytes of %s, it has %d of %s; results would mix the two contents: leave it alone, and run again",
		p.size, p.changed.Format(time.RFC3339Nano), info.Size(), info.ModTime().Format(time.RFC3339Nano))}
}

// eachRow reads all rows once, by blocks, until a context ends, nil for none. What it
// finds wrong in reading is an error here.
func (p *FilePool) eachRow(ctx context.Context, visit func(i int, row []float64) error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			failure, ok := v.(*ReadError)
			if !ok {
				panic(v)
			}
			err = failure
		}
	}()
	for from := 0; from < p.n; from += p.most() {
		if ctx != nil && ctx.Err() != nil {
			return ctx.Err()
		}
		var x mat.Dense
		p.Rows(between(from, min(from+p.most(), p.n)), &x)
		rows, _ := x.Dims()
		for i := range rows {
			if err := visit(from+i, x.RawRowView(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// numbers converts numbers of so many bytes one by one.
func numbers(width int, value func(b []byte) float64) func(dst []float64, raw []byte) {
	return func(dst []float64, raw []byte) {
		for i := range dst {
			dst[i] = value(raw[i*width:])
		}
	}
}

// scaledBytes converts bytes to byte/divisor, correctly rounded.
func scaledBytes(divisor float64) func(dst []float64, raw []byte) {
	var value [256]float64
	for b := range value {
		value[b] = float64(b) / divisor
	}
	return func(dst []float64, raw []byte) {
		for i, b := range raw[:len(dst)] {
			dst[i] = value[b]
		}
	}
}
