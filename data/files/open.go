package files

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"os"
	"strings"

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
	ctx    context.Context
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

// readFrom has r read, of size bytes; name is the file's in errors.
func readFrom[T any](o Opener, r io.Reader, size int64, name string, read func(in *input) (T, error)) (out T, err error) {
	in := &input{ctx: o.Context, name: name, size: size, most: size, memory: o.Memory}
	if in.ctx == nil {
		in.ctx = context.Background()
	}
	if in.memory <= 0 {
		in.memory = DefaultMemory
	}
	in.file, _ = r.(*os.File)
	if err = in.unpack(r); err == nil {
		out, err = read(in)
	}
	if err == nil {
		return out, nil
	}
	if in.ctx.Err() != nil {
		err = in.ctx.Err()
	}
	var none T
	return none, in.failed(err)
}

// unpack begins to read r, through gzip where it is gzipped.
func (in *input) unpack(r io.Reader) error {
	in.Reader = in.stoppable(r)
	if magic, _ := in.Peek(2); string(magic) != "\x1f\x8b" {
		return nil
	}
	unzipped, err := gzip.NewReader(in.Reader)
	if err != nil {
		return err
	}
	in.Reader = in.stoppable(unzipped)
	if in.size >= 0 {
		in.size, in.most = -1, int64(min(times(uint64(in.size), gzipRatio), math.MaxInt64))
	}
	return nil
}

// again begins the file anew.
func (in *input) again() error {
	if _, err := in.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return in.unpack(in.file)
}

// load opens a file and has it read.
func load[T any](o Opener, path string, read func(in *input) (T, error)) (T, error) {
	f, before, err := regular.Open(path)
	if err != nil {
		var none T
		return none, err
	}
	kept := false
	defer func() {
		if !kept {
			f.Close()
		}
	}()
	return readFrom(o, f, before.Size(), path, func(in *input) (T, error) {
		out, err := read(in)
		after, statErr := f.Stat()
		switch {
		case statErr != nil:
			err = statErr
		case !same(after, before): // what was read may be of neither the old content nor the new
			err = errWritten
		}
		kept = in.kept && err == nil
		return out, err
	})
}

var errWritten = errors.New("was written to while it was read: wait until it is complete, and run again")

// failed is an error in reading, with the file's name.
func (in *input) failed(err error) error {
	if err == nil || strings.HasPrefix(err.Error(), in.name+":") {
		return err
	}
	return fmt.Errorf("%s: %w", in.name, err)
}

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

// stoppable reads until the input's context is done.
func (in *input) stoppable(r io.Reader) *bufio.Reader {
	return bufio.NewReaderSize(UntilDone{in.ctx, r}, 1<<16)
}

// UntilDone reads until a context is done.
type UntilDone struct {
	Context context.Context
	Reader  io.Reader
}

func (u UntilDone) Read(p []byte) (int, error) {
	if err := u.Context.Err(); err != nil {
		return 0, err
	}
	const most = 1 << 20 // between two looks at the context
	return u.Reader.Read(p[:min(len(p), most)])
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
