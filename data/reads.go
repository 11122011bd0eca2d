package data

import (
	"errors"
	"io/fs"
	"os"

	"mercer/data/fetch"
)

// Reader is implemented by Options of data sets that are read from files when they
// are opened.
type Reader interface {
	// Absent are the files that are not there. It reads none and fetches none.
	Absent(c Context) []string
}

// Absent is the file, where it is not there.
func (o *CSVOptions) Absent(c Context) []string { return c.absent(o.Path, o.mask()) }

// Absent are those of the files that are not there.
func (o *ArrayOptions) Absent(c Context) []string {
	return c.absent(o.Path, o.Labels, o.Responses, o.mask())
}

// Absent is the data set's name, where one of its files is still to be fetched.
func (o *PublishedOptions) Absent(c Context) []string {
	return append(toFetch(o.set.Name), c.absent(o.mask())...)
}

// mask is the file of a split, empty for none.
func (o TableOptions) mask() string {
	if o.Split == nil {
		return ""
	}
	return o.Split.Mask
}

// Absent is MNIST, where one of its files is still to be fetched.
func (o *InfiniteOptions) Absent(Context) []string { return toFetch("mnist") }

func toFetch(name string) []string {
	if _, err := fetch.Path(name); err != nil {
		return []string{name + " (mercer data get " + name + ")"}
	}
	return nil
}

func (c Context) absent(paths ...string) []string {
	var absent []string
	for _, path := range paths {
		if path == "" {
			continue
		}
		if _, err := os.Stat(c.resolve(path)); errors.Is(err, fs.ErrNotExist) {
			absent = append(absent, path)
		}
	}
	return absent
}
