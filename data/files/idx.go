package files

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// idxKinds are the element types of the IDX format: their names, and NumPy's.
var idxKinds = map[byte]struct{ name, numpy string }{
	0x08: {"ubyte", "u1"}, 0x09: {"sbyte", "i1"}, 0x0B: {"short", "i2"},
	0x0C: {"int", "i4"}, 0x0D: {"float", "f4"}, 0x0E: {"double", "f8"},
}

// LoadIDX reads points from an IDX file. The first dimension counts the points, the
// others are flattened row by row: N×rows×cols images become N×(rows·cols). Unsigned
// bytes stay bytes, in a BytePool, with scale divided by 255; the other types become a
// DensePool of 8·N·D bytes, and have no scale.
//
// The sizes in the header are checked against the file before anything is
// allocated. It fails on a wrong magic number, a size that does not match,
// trailing bytes, no points, NaN or Inf, and where it takes more memory than there is.
func (o Opener) LoadIDX(path string, scale bool) (Pool, error) {
	return load(o, path, func(in *input) (Pool, error) { return o.readIDX(in, scale, false) })
}

// OpenIDX is LoadIDX of a file that stays where it is: rows are read as they are
// asked for, in a FilePool, which takes no memory. A gzipped file is read as by
// LoadIDX. Floats are looked through once for NaN and Inf.
func (o Opener) OpenIDX(path string, scale bool) (Pool, error) {
	return load(o, path, func(in *input) (Pool, error) { return o.readIDX(in, scale, true) })
}

// readIDX reads the points, or leaves them in the file where they can be.
func (o Opener) readIDX(in *input, scale bool, inPlace bool) (Pool, error) {
	a, err := idxHeader(in)
	if err != nil {
		return nil, in.failed(err)
	}
	pixels := a.kind == idxKinds[0x08].name
	if scale && !pixels {
		return nil, in.failed(fmt.Errorf("holds %s values: scale divides unsigned bytes alone; drop scale", a.kind))
	}
	divisor := 1.0
	if scale {
		divisor = 255
	}
	if pixels {
		a.convert = scaledBytes(divisor)
	}
	var p Pool
	switch {
	case inPlace && a.inPlace(in):
		p, err = a.pool(o, in)
	case pixels:
		var raw []byte
		if raw, err = a.raw(in); err == nil {
			p = NewBytePool(raw, a.d(), divisor)
		}
	default:
		p, err = a.densePool(in)
	}
	if err != nil {
		return nil, in.failed(err)
	}
	return p, nil
}

// LoadIDXLabels reads one integer a point from an IDX file of rank 1; it fails as
// LoadIDX does, and on fractions.
func (o Opener) LoadIDXLabels(path string) ([]int, error) { return load(o, path, readIDXLabels) }

func readIDXLabels(in *input) ([]int, error) {
	a, err := idxHeader(in)
	if err == nil {
		err = a.fits(in)
	}
	if err == nil && a.d() != 1 {
		err = fmt.Errorf("items of %d elements; labels need one each: is this the file of the points?", a.d())
	}
	if err != nil {
		return nil, in.failed(err)
	}
	labels, err := a.labels(in)
	if err != nil {
		return nil, in.failed(err)
	}
	return labels, nil
}

// LoadIDXTable joins a file of points and a file of labels. It fails, beside
// what LoadIDX and LoadIDXLabels say, if the two differ in length.
func (o Opener) LoadIDXTable(points, labels string, scale bool) (Table, error) {
	x, err := o.LoadIDX(points, scale)
	if err != nil {
		return Table{}, err
	}
	return o.withIDXLabels(x, points, labels)
}

// OpenIDXTable is LoadIDXTable of points that stay in their file; see OpenIDX.
func (o Opener) OpenIDXTable(points, labels string, scale bool) (Table, error) {
	x, err := o.OpenIDX(points, scale)
	if err != nil {
		return Table{}, err
	}
	return o.withIDXLabels(x, points, labels)
}

func (o Opener) withIDXLabels(x Pool, points, labels string) (Table, error) {
	y, err := o.LoadIDXLabels(labels)
	if err != nil {
		return Table{}, err
	}
	if len(y) != x.Len() {
		return Table{}, fmt.Errorf("%s has %d labels for the %d points of %s", labels, len(y), x.Len(), points)
	}
	return WithLabels(x, y), nil
}

// WithLabels is the Table of the pool's points with an integer label each; the
// class names are the integers in decimal. It panics if the lengths differ.
func WithLabels(x Pool, labels []int) Table {
	if x.Len() != len(labels) {
		panic(fmt.Sprintf("files: %d labels for %d points", len(labels), x.Len()))
	}
	var c coder
	for _, l := range labels {
		c.add(strconv.Itoa(l))
	}
	t := Table{X: x}
	t.Labels, t.Classes = c.done()
	return t
}

// idxHeader reads the header.
func idxHeader(in *input) (array, error) {
	var head [4]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return array{}, errors.New("no IDX file: shorter than its 4-byte magic number")
	}
	kind, ok := idxKinds[head[2]]
	if head[0] != 0 || head[1] != 0 || !ok || head[3] == 0 {
		return array{}, fmt.Errorf("no IDX file: magic number %x; want 0000, an element type (08, 09, 0b, 0c, 0d, 0e), a rank of 1 or more", head)
	}
	shape := make([]uint32, head[3])
	if err := binary.Read(in, binary.BigEndian, shape); err != nil {
		return array{}, fmt.Errorf("the header is cut short: rank %d needs %d bytes of sizes", head[3], 4*int(head[3]))
	}
	a, _ := typed(kind.numpy, binary.BigEndian)
	a.kind, a.text, a.header = kind.name, fmt.Sprint(shape), int64(4+4*len(shape))
	for _, s := range shape {
		a.sized(uint64(s))
	}
	if a.items == 0 {
		return array{}, fmt.Errorf("shape %s: no items", a.text)
	}
	return a, nil
}
