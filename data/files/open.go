package files

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"os"

	"mercer/internal/regular"
)

// Opener opens data files: regular ones alone, read until a context ends, into no
// more memory than there is. The zero Opener is never stopped and takes
// DefaultMemory.
//
// A file that is gzipped, told by its content, is read as what it holds. A file that
// is written to while it is read is an error.
type Opener struct {
	Context context.Context // ends reading; nil: nothing does
	Memory  int64           // bytes that reading one file may take, its points included; 0: DefaultMemory
}

// DefaultMemory is what reading a file may take where an Opener says nothing: 16 GiB,
// more than twice the 8.1 million images of MNIST8M as bytes.
const DefaultMemory = 16 << 30

// input is a file that is being read.
type input struct {
	*bufio.Reader
	name   string
	size   int64    // bytes to be read; -1: unknown, the file is gzipped
	most   int64    // no more bytes than this can follow
	memory int64    // see Opener
	file   *os.File // nil for a plain reader
	kept   bool     // a pool keeps the file
}

// gzipRatio is how much longer than a gzipped file its content is at most.
//
// Reference: zlib, technical details: 1032:1 for zeros, the limit of deflate.
const gzipRatio = 1032

// input looks whether r, of size bytes, is gzipped; name is the file's in errors.
func (o Opener) input(r io.Reader, size int64, name string) (*input, error) {
	if o.Context != nil {
		r = stoppable{o.Context, r}
	}
	in := &input{Reader: bufio.NewReaderSize(r, 1<<16), name: name, size: size, most: size, memory: o.Memory}
	if in.memory <= 0 {
		in.memory = DefaultMemory
	}
	if magic, _ := in.Peek(2); !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return in, nil
	}
	unzipped, err := gzip.NewReader(in.Reader)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	in.Reader = bufio.NewReaderSize(unzipped, 1<<16)
	in.size, in.most = -1, int64(min(times(uint64(size), gzipRatio), math.MaxInt64))
	return in, nil
}

// load opens a file and has it read.
func load[T any](o Opener, path string, read func(in *input) (T, error)) (T, error) {
	var none T
	f, before, err := regular.Open(path)
	if err != nil {
		return none, err
	}
	in, err := o.input(f, before.Size(), path)
	if err != nil {
		f.Close()
		return none, err
	}
	in.file = f
	out, err := read(in)
	after, statErr := f.Stat()
	switch {
	case err != nil && o.Context != nil && o.Context.Err() != nil:
		err = fmt.Errorf("%s: %w", path, o.Context.Err())
	case statErr != nil:
		err = statErr
	case after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()):
		// what was read may be of neither the old content nor the new
		err = fmt.Errorf("%s was written to while it was read: wait until it is complete, and run again", path)
	}
	if err != nil || !in.kept {
		f.Close()
	}
	if err != nil {
		return none, err
	}
	return out, nil
}

// failed is an error in reading, with the file's name.
func (in *input) failed(err error) error { return fmt.Errorf("%s: %w", in.name, err) }

// room fails where reading would take more bytes of memory than it may.
func (in *input) room(bytes uint64) error {
	if bytes <= uint64(in.memory) {
		return nil
	}
	return fmt.Errorf("reading it takes %s of memory, more than the %s that there are: raise --memory, take fewer rows or columns, or save the points as an .npy or IDX file, not gzipped, which is read as it is needed",
		sizeText(bytes), sizeText(uint64(in.memory)))
}

// sizeText is a number of bytes for people.
func sizeText(bytes uint64) string {
	switch {
	case bytes == math.MaxUint64:
		return "more than 16 EiB"
	case bytes >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30))
	case bytes >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
	}
	return fmt.Sprintf("%.1f KiB", float64(bytes)/(1<<10))
}

// end fails where something follows.
func (in *input) end(claimed uint64) error {
	switch _, err := in.ReadByte(); err {
	case io.EOF:
		return nil
	case nil:
		return fmt.Errorf("bytes follow the %d that the header claims", claimed)
	case io.ErrUnexpectedEOF:
		return errors.New("the data end before the gzipped file says so: it is cut short")
	default:
		return err
	}
}

// stoppable stops reading when its context is done.
type stoppable struct {
	ctx context.Context
	r   io.Reader
}

func (s stoppable) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	const most = 1 << 20 // between two looks at the context
	return s.r.Read(p[:min(len(p), most)])
}

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

// times is a·b, or the largest uint64 on overflow.
func times(a, b uint64) uint64 {
	if hi, lo := bits.Mul64(a, b); hi == 0 {
		return lo
	}
	return math.MaxUint64
}

// plus is a + b, or the largest uint64 on overflow.
func plus(a, b uint64) uint64 { return a + min(b, math.MaxUint64-a) }
