package files

import (
	"io"

	"gonum.org/v1/gonum/mat"
)

// readFrom reads a stream of so many bytes, -1 if unknown, as the loaders read a file.
func readFrom[T any](o Opener, r io.Reader, size int64, name string, read func(in *input) (T, error)) (none T, err error) {
	in, err := o.input(r, size, name)
	if err != nil {
		return none, err
	}
	return read(in)
}

// ReadCSV is LoadCSV from a reader; name is the file's name in errors.
func (o Opener) ReadCSV(r io.Reader, name string, options CSVOptions) (Table, error) {
	return readFrom(o, r, -1, name, func(in *input) (Table, error) { return readCSV(in, options) })
}

// ReadLIBSVM is LoadLIBSVM from a reader.
func (o Opener) ReadLIBSVM(r io.Reader, name string, dim int) (Table, error) {
	return readFrom(o, r, -1, name, func(in *input) (Table, error) { return readLIBSVM(in, dim) })
}

// ReadIDX is LoadIDX from a reader of size bytes.
func (o Opener) ReadIDX(r io.Reader, size int64, name string, scale bool) (Pool, error) {
	return readFrom(o, r, size, name, func(in *input) (Pool, error) { return o.readIDX(in, scale, false) })
}

// ReadIDXLabels is LoadIDXLabels from a reader of size bytes.
func (o Opener) ReadIDXLabels(r io.Reader, size int64, name string) ([]int, error) {
	return readFrom(o, r, size, name, readIDXLabels)
}

// ReadNPYLabels is LoadNPYLabels from a reader of size bytes.
func (o Opener) ReadNPYLabels(r io.Reader, size int64, name string) ([]int, error) {
	return readFrom(o, r, size, name, readNPYLabels)
}

// LoadNPY is ReadNPY of a file.
func (o Opener) LoadNPY(path string) (*mat.Dense, error) { return load(o, path, readNPY) }
