package files

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/mat"
)

// array is what the header of an IDX or .npy file says of the numbers after it.
type array struct {
	kind    string // of the numbers: ubyte, f8, …
	text    string // the shape as the file has it
	shape   []int
	items   uint64 // its product, or the largest uint64 on overflow
	width   int    // bytes a number
	header  int64  // bytes before the first number
	fortran bool   // the first index runs fastest
	convert func(dst []float64, raw []byte)
	check   func(v float64) error // nil where every number will do
	order   binary.ByteOrder      // of integers of 8 bytes; nil for other numbers
}

// n and d are those of the array as n points in R^d, a point an index of its first
// dimension.
func (a array) n() int { return a.shape[0] }
func (a array) d() int { return int(a.items / uint64(a.shape[0])) }

// bytes are those of the numbers, or the largest uint64 on overflow.
func (a array) bytes() uint64 { return times(a.items, uint64(a.width)) }

// fits fails where a file is not as long as its header claims, and where that
// claims more than a gzipped file can hold: before memory is taken for it.
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

// raw reads the bytes of the numbers, and then the end of the file.
func (a array) raw(in *input) ([]byte, error) {
	if err := a.fits(in); err != nil {
		return nil, err
	}
	if err := in.room(a.bytes()); err != nil {
		return nil, err
	}
	raw := make([]byte, a.bytes())
	if err := a.fill(in, raw, 0); err != nil {
		return nil, err
	}
	return raw, in.end(a.bytes())
}

// numbers reads the numbers in the file's order, and then its end.
func (a array) numbers(in *input) ([]float64, error) {
	need := times(8, a.items)
	if a.fortran {
		need = times(2, need) // turned into C order afterwards
	}
	if err := a.fits(in); err != nil {
		return nil, err
	}
	if err := in.room(need); err != nil {
		return nil, err
	}
	out := make([]float64, a.items)
	block := min(len(out), mostRaw/a.width)
	raw := make([]byte, block*a.width)
	for at := 0; at < len(out); at += block {
		part := out[at:min(at+block, len(out))]
		if err := a.fill(in, raw[:len(part)*a.width], at*a.width); err != nil {
			return nil, err
		}
		a.convert(part, raw)
	}
	return out, in.end(a.bytes())
}

// fill reads the bytes of numbers, some having been read.
func (a array) fill(in *input, raw []byte, before int) error {
	n, err := io.ReadFull(in, raw)
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the data end after %d of the %d bytes that the header claims", before+n, a.bytes())
	}
	return err
}

// dense reads the array as n×d numbers.
func (a array) dense(in *input) (*mat.Dense, error) {
	values, err := a.numbers(in)
	if err != nil {
		return nil, err
	}
	var x *mat.Dense
	if a.fortran {
		x = mat.DenseCopyOf(mat.NewDense(a.d(), a.n(), values).T())
	} else {
		x = mat.NewDense(a.n(), a.d(), values)
	}
	for i := range a.n() {
		if err := a.checkRow(i, x.RawRowView(i)); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// densePool is dense as a Pool.
func (a array) densePool(in *input) (Pool, error) {
	x, err := a.dense(in)
	if err != nil {
		return nil, err
	}
	return DensePool{x}, nil
}

func (a array) checkRow(i int, row []float64) error {
	if a.check == nil {
		return nil
	}
	for j, v := range row {
		if err := a.check(v); err != nil {
			return fmt.Errorf("element (%d, %d) is %v: %w", i, j, v, err)
		}
	}
	return nil
}

// inPlace says whether the numbers can be read as they are needed.
func (a array) inPlace(in *input) bool { return in.file != nil && in.size >= 0 && !a.fortran }

// pool leaves the numbers in the file. Where a number may be wrong, all are looked
// through once.
func (a array) pool(o Opener, in *input) (Pool, error) {
	if err := a.fits(in); err != nil {
		return nil, err
	}
	p, err := newFilePool(in.file, a.header, a.n(), a.d(), a.width, a.convert)
	if err == nil && a.check != nil {
		err = p.eachRow(o.Context, a.checkRow)
	}
	if err != nil {
		return nil, err
	}
	in.kept = true
	return p, nil
}

// checkFinite is the check of floats.
func checkFinite(v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return errors.New("not a finite number")
	}
	return nil
}

// checkExact is the check of integers of 8 bytes.
func checkExact(v float64) error {
	if math.Abs(v) > 1<<53 {
		return errors.New("beyond 2^53, where float64 has no longer every integer")
	}
	return nil
}

// element reads one number of a kind as NumPy names it, f8, i2, …; nil for another.
func element(kind string, order binary.ByteOrder) func(b []byte) float64 {
	switch kind {
	case "f8":
		if order == binary.LittleEndian { // no call that is not inlined
			return func(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) }
		}
		return func(b []byte) float64 { return math.Float64frombits(order.Uint64(b)) }
	case "f4":
		return func(b []byte) float64 { return float64(math.Float32frombits(order.Uint32(b))) }
	case "i1":
		return func(b []byte) float64 { return float64(int8(b[0])) }
	case "i2":
		return func(b []byte) float64 { return float64(int16(order.Uint16(b))) }
	case "i4":
		return func(b []byte) float64 { return float64(int32(order.Uint32(b))) }
	case "i8":
		return func(b []byte) float64 { return float64(int64(order.Uint64(b))) }
	case "u1":
		return func(b []byte) float64 { return float64(b[0]) }
	case "u2":
		return func(b []byte) float64 { return float64(order.Uint16(b)) }
	case "u4":
		return func(b []byte) float64 { return float64(order.Uint32(b)) }
	case "u8":
		return func(b []byte) float64 { return float64(order.Uint64(b)) }
	case "b1":
		return func(b []byte) float64 {
			if b[0] != 0 {
				return 1
			}
			return 0
		}
	}
	return nil
}

// typed is an array of a kind as NumPy names it; false for another.
func typed(kind string, order binary.ByteOrder) (a array, ok bool) {
	value := element(kind, order)
	if value == nil {
		return a, false
	}
	width := int(kind[1] - '0')
	a = array{kind: kind, width: width, items: 1, convert: numbers(width, value)}
	switch {
	case kind == "u1":
		a.convert = scaledBytes(1)
	case kind[0] == 'f':
		a.check = checkFinite
	case width == 8:
		a.check, a.order = checkExact, order
	}
	return a, true
}

// sized adds a dimension.
func (a *array) sized(n uint64) {
	a.shape = append(a.shape, int(min(n, math.MaxInt)))
	a.items = times(a.items, n)
}

// labels reads one integer a point. Those of 8 bytes do not go through float64, in which two
// large ones may be the same.
func (a array) labels(in *input) ([]int, error) {
	if err := a.fits(in); err != nil {
		return nil, err
	}
	if err := in.room(plus(a.bytes(), times(8, a.items))); err != nil {
		return nil, err
	}
	raw, err := a.raw(in)
	if err != nil {
		return nil, err
	}
	labels := make([]int, a.items)
	var v [1]float64
	for i := range labels {
		item := raw[i*a.width:][:a.width]
		if a.order != nil {
			labels[i] = int(a.order.Uint64(item))
			if a.kind == "u8" && labels[i] < 0 {
				return nil, fmt.Errorf("label %d: %d is beyond 2^63 - 1", i, uint64(labels[i]))
			}
			continue
		}
		a.convert(v[:], item)
		if v[0] != math.Trunc(v[0]) || math.Abs(v[0]) > 1<<53 {
			return nil, fmt.Errorf("label %d: %v is no integer", i, v[0])
		}
		labels[i] = int(v[0])
	}
	return labels, nil
}
