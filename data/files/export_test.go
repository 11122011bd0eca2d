package files

import (
	"io"
	"os"

	"gonum.org/v1/gonum/mat"
)

// readStored reads a stream, of so many bytes, -1 if unknown, as the loaders read a file.
func readStored[T any](o Opener, r io.Reader, size int64, name string, read func(in *input) (T, error)) (none T, err error) {
	f, err := os.CreateTemp("", "")
	if err != nil {
		return none, err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	length, err := io.Copy(f, r)
	if err != nil {
		return none, err
	}
	if size < 0 {
		size = length
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return none, err
	}
	return readFrom(o, f, size, name, read)
}

// ReadCSV is LoadCSV from a reader; name is the file's name in errors.
func (o Opener) ReadCSV(r io.Reader, name string, options CSVOptions) (Table, error) {
	if err := options.Validate(); err != nil {
		return Table{}, err
	}
	return readStored(o, r, -1, name, func(in *input) (Table, error) { return in.csv(options) })
}

// ReadLIBSVM is LoadLIBSVM from a reader.
func (o Opener) ReadLIBSVM(r io.Reader, name string, dim int) (Table, error) {
	return readStored(o, r, -1, name, func(in *input) (Table, error) { return in.table(&libsvmRows{in: in, dim: dim}) })
}

// ReadIDX is OpenArrays of points from a reader of size bytes, which are read before the
// file is closed.
func (o Opener) ReadIDX(r io.Reader, size int64, name string, scale bool) (Pool, error) {
	return readStored(o, r, size, name, func(in *input) (Pool, error) {
		p, err := in.points(scale)
		if err != nil {
			return nil, err
		}
		return DensePool{Table{X: p}.Dense()}, nil
	})
}

// ReadLabels are the labels of OpenArrays from a reader of size bytes.
func (o Opener) ReadLabels(r io.Reader, size int64, name string) ([]int, error) {
	return readStored(o, r, size, name, (*input).labels)
}

// LoadNPY is ReadNPY of a file.
func (o Opener) LoadNPY(path string) (*mat.Dense, error) {
	return load(o, path, func(in *input) (*mat.Dense, error) { return in.matrix(2) })
}

// LoadLabels are the labels of OpenArrays alone.
func (o Opener) LoadLabels(path string) ([]int, error) { return load(o, path, (*input).labels) }

// OpenIDX is OpenArrays of points alone.
func (o Opener) OpenIDX(path string, scale bool) (Pool, error) {
	t, err := o.OpenArrays(path, "", scale)
	return t.X, err
}

// upto are the indices below n.
func upto(n int) []int { return between(0, n) }

// bytesPool is a pool of points of so many bytes each.
func bytesPool(raw []byte, d int, divisor float64) Pool {
	x := mat.NewDense(len(raw)/d, d, nil)
	for i, b := range raw {
		x.Set(i/d, i%d, float64(b)/divisor)
	}
	return DensePool{x}
}
