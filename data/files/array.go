package files

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/mat"
)

// array is what the header of an IDX or .npy file says of the numbers after it. A point is
// an index of the first dimension, and the others are flattened: N×rows×cols images are N
// points in R^(rows·cols).
type array struct {
	kind    string // of the numbers, as NumPy names it: u1, f8, …
	order   binary.ByteOrder
	text    string // the shape as the file has it
	shape   []uint64
	items   uint64  // its product, or the largest uint64 on overflow
	header  int64   // bytes before the first number
	fortran bool    // the first index runs fastest
	divisor float64 // of the numbers
}

func (a array) n() int     { return int(a.shape[0]) }
func (a array) d() int     { return int(a.items / a.shape[0]) }
func (a array) width() int { return int(a.kind[1] - '0') } // bytes a number

// bytes are those of the numbers, or the largest uint64 on overflow.
func (a array) bytes() uint64 { return times(a.items, uint64(a.width())) }

// OpenArrays opens a file of points, IDX or .npy, and where labels names another one, that of
// their class labels. The points stay in their file, see FilePool. scale divides bytes by 255.
//
// The sizes in a header are checked against the file before memory is taken. It fails on a
// size that does not match, no points, NaN and Inf, for which all floats are looked through
// once, integers beyond ±2^53, labels of another number than the points, and where it takes
// more memory than there is.
func (o Opener) OpenArrays(points, labels string, scale bool) (Table, error) {
	x, err := load(o, points, func(in *input) (Pool, error) { return in.points(scale) })
	if err != nil || labels == "" {
		return Table{X: x}, err
	}
	y, err := load(o, labels, (*input).labels)
	if err == nil && len(y) != x.Len() {
		err = fmt.Errorf("%s has %d labels for the %d points of %s", labels, len(y), x.Len(), points)
	}
	if err != nil {
		return Table{}, err
	}
	return WithLabels(x, y), nil
}

// OpenNPY is OpenArrays of points alone.
func (o Opener) OpenNPY(path string) (Pool, error) {
	t, err := o.OpenArrays(path, "", false)
	return t.X, err
}

// ReadNPY reads an array of two dimensions from r, of size bytes, as float64; name is the
// file's in errors. It takes and refuses what OpenArrays does.
func (o Opener) ReadNPY(r io.Reader, size int64, name string) (*mat.Dense, error) {
	return readFrom(o, r, size, name, func(in *input) (*mat.Dense, error) { return in.matrix(2) })
}

// ReadNPYVector is ReadNPY of one dimension.
func (o Opener) ReadNPYVector(r io.Reader, size int64, name string) ([]float64, error) {
	x, err := readFrom(o, r, size, name, func(in *input) (*mat.Dense, error) { return in.matrix(1) })
	if err != nil {
		return nil, err
	}
	return x.RawMatrix().Data, nil
}

// points opens an array of points.
func (in *input) points(scale bool) (Pool, error) {
	p, err := in.array(0)
	if err != nil {
		return nil, err
	}
	if scale && p.kind != "u1" {
		return nil, fmt.Errorf("holds %s numbers: scale divides unsigned bytes alone; drop scale", p.kind)
	}
	if scale {
		p.divisor = 255
	}
	if p.kind[0] == 'f' || p.width() == 8 {
		if err := Each(in.ctx, p, p.check); err != nil {
			return nil, err
		}
	}
	in.kept = p.file != nil
	return p, nil
}

// matrix reads an array of so many dimensions into memory.
func (in *input) matrix(rank int) (*mat.Dense, error) {
	p, err := in.array(rank)
	if err == nil {
		err = in.room(times(8, p.items))
	}
	if err != nil {
		return nil, err
	}
	x := mat.NewDense(p.n(), p.d(), nil)
	err = Each(in.ctx, p, func(i int, row []float64) error {
		x.SetRow(i, row)
		return p.check(i, row)
	})
	if err != nil {
		return nil, err
	}
	return x, nil
}

// labels reads one integer a point. Those of 8 bytes do not go through float64, in which
// two large ones may be the same.
func (in *input) labels() ([]int, error) {
	p, err := in.array(1)
	if err == nil {
		err = in.room(times(8, p.items))
	}
	if err != nil {
		return nil, err
	}
	labels, numbers := make([]int, p.items), in.stoppable(p.numbers)
	item, convert := make([]byte, p.width()), kinds[p.kind](p.array)
	var v [1]float64
	for i := range labels {
		if _, err := io.ReadFull(numbers, item); err != nil {
			return nil, err
		}
		if p.kind == "i8" || p.kind == "u8" {
			labels[i] = int(p.order.Uint64(item))
			if p.kind == "u8" && labels[i] < 0 {
				return nil, fmt.Errorf("label %d: %d is beyond 2^63 - 1", i, uint64(labels[i]))
			}
			continue
		}
		convert(v[:], item)
		if v[0] != math.Trunc(v[0]) || math.Abs(v[0]) > 1<<53 {
			return nil, fmt.Errorf("label %d: %v is no integer", i, v[0])
		}
		labels[i] = int(v[0])
	}
	return labels, nil
}

// array reads the header of an array of so many dimensions, 0 for any, and says where its
// numbers are: in the file, or in memory.
func (in *input) array(rank int) (*FilePool, error) {
	read := idxHeader
	if magic, _ := in.Peek(len(npyMagic)); string(magic) == npyMagic {
		read = npyHeader
	}
	a, err := read(in)
	if err != nil {
		return nil, err
	}
	a.items, a.divisor = uint64(min(1, len(a.shape))), 1
	for _, s := range a.shape {
		a.items = times(a.items, s)
	}
	if a.items == 0 {
		return nil, fmt.Errorf("shape %s: no items", a.text)
	}
	if rank > 0 && len(a.shape) != rank {
		return nil, fmt.Errorf("an array of rank %d; want %s", len(a.shape), map[int]string{1: "one dimension", 2: "two dimensions, N×D"}[rank])
	}
	if err := a.fits(in); err != nil {
		return nil, err
	}
	if in.file != nil && in.size >= 0 && !(a.fortran && rank != 1) {
		info, err := in.file.Stat()
		return &FilePool{array: a, numbers: io.NewSectionReader(in.file, a.header, int64(a.bytes())), file: in.file, opened: info}, err
	}
	raw, err := a.raw(in)
	return &FilePool{array: a, numbers: io.NewSectionReader(bytes.NewReader(raw), 0, int64(len(raw)))}, err
}

// fits fails where a file is not as long as its header claims, and where that claims more
// than a gzipped file can hold.
func (a array) fits(in *input) error {
	want := plus(a.bytes(), uint64(a.header))
	switch {
	case in.size >= 0 && want != uint64(in.size):
		return fmt.Errorf("the header claims shape %s of %s, %d bytes in all, but the file has %d", a.text, a.kind, want, in.size)
	case want > uint64(in.most):
		return fmt.Errorf("the header claims shape %s of %s, %d bytes in all, but a gzipped file of this size holds at most %d", a.text, a.kind, want, in.most)
	}
	return nil
}

// raw reads the bytes of the numbers, point by point, and the end of the file.
func (a array) raw(in *input) ([]byte, error) {
	need := a.bytes()
	if a.fortran {
		need = times(2, need)
	}
	if err := in.room(need); err != nil {
		return nil, err
	}
	raw := make([]byte, a.bytes())
	n, err := io.ReadFull(in, raw)
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("the data end after %d of the %d bytes that the header claims", n, len(raw))
	}
	if err == nil {
		_, err = in.ReadByte()
	}
	switch {
	case err == nil:
		return nil, fmt.Errorf("bytes follow the %d that the header claims", len(raw))
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, errors.New("the data end before the gzipped file says so: it is cut short")
	case err != io.EOF:
		return nil, err
	case !a.fortran:
		return raw, nil
	}
	byPoint := make([]byte, len(raw))
	n, d, w := a.n(), a.d(), a.width()
	for j := range d {
		for i := range n {
			copy(byPoint[(i*d+j)*w:][:w], raw[(j*n+i)*w:])
		}
	}
	return byPoint, nil
}

// check refuses numbers of row i that no point has.
func (a array) check(i int, row []float64) error {
	for j, v := range row {
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			return fmt.Errorf("element (%d, %d) is %v: not a finite number", i, j, v)
		case a.kind[0] != 'f' && math.Abs(v) > 1<<53:
			return fmt.Errorf("element (%d, %d) is %v: beyond 2^53, where float64 has no longer every integer", i, j, v)
		}
	}
	return nil
}

// kinds are the numbers that are read, and how a row of them becomes float64.
var kinds = map[string]func(a array) func(dst []float64, raw []byte){
	"u1": decoded[uint8], "u2": decoded[uint16], "u4": decoded[uint32], "u8": decoded[uint64],
	"i1": decoded[int8], "i2": decoded[int16], "i4": decoded[int32], "i8": decoded[int64],
	"f4": decoded[float32], "f8": decoded[float64], "b1": decoded[uint8],
}

func decoded[T uint8 | uint16 | uint32 | uint64 | int8 | int16 | int32 | int64 | float32 | float64](a array) func(dst []float64, raw []byte) {
	row := make([]T, a.d())
	return func(dst []float64, raw []byte) {
		binary.Decode(raw, a.order, row) // of as many bytes
		for j, v := range row {
			dst[j] = float64(v) / a.divisor
		}
	}
}
