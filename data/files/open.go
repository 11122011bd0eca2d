package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"mercer/internal/regular"
)

// Opener opens data files: regular ones alone, read until a context ends, into no
// more memory than there is. The zero Opener is never stopped and takes
// DefaultMemory.
//
// A file that is written to while it is read is an error.
type Opener struct {
	Context context.Context // ends reading; nil: nothing does
	Memory  int64           // bytes that reading one file may take, its points included; 0: DefaultMemory
}

// DefaultMemory is what reading a file may take where an Opener says nothing: 16 GiB.
const DefaultMemory = 16 << 30

func (o Opener) context() context.Context {
	if o.Context == nil {
		return context.Background()
	}
	return o.Context
}

// Room fails where reading would take more bytes of memory than it may.
func (o Opener) Room(bytes int64) error {
	memory := o.Memory
	if memory <= 0 {
		memory = DefaultMemory
	}
	if bytes <= memory {
		return nil
	}
	return fmt.Errorf("reading it takes %d MiB of memory, more than the %d MiB that there are: raise --memory, take fewer rows or columns, or save the points as an .npy file, which is read as it is needed",
		bytes>>20, memory>>20)
}

// load opens a file and has it read. The file stays open where read says that it keeps it.
func load[T any](path string, read func(f *os.File, opened os.FileInfo) (out T, keeps bool, err error)) (T, error) {
	var none T
	f, before, err := regular.Open(path)
	if err != nil {
		return none, err
	}
	magic := make([]byte, 2)
	f.ReadAt(magic, 0)
	out, keeps := none, false
	if string(magic) == "\x1f\x8b" {
		err = errors.New("is gzipped: unpack it first, such as by gunzip")
	} else {
		out, keeps, err = read(f, before)
	}

	after, failed := f.Stat()
	if err == nil {
		err = failed
	}
	if failed == nil && !same(after, before) { // what was read may be of neither the old content nor the new
		err = errors.New("was written to while it was read: wait until it is complete, and run again")
	}
	if err != nil || !keeps {
		f.Close()
	}
	if err != nil {
		return none, fmt.Errorf("%s: %w", path, err)
	}
	return out, nil
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
