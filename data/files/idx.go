package files

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"os"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// MaxBytes is the largest array, in bytes as stored, that an IDX or .npy file
// may claim: 16 GiB, more than twice the 8.1 million images of MNIST8M.
const MaxBytes = 16 << 30

// IDXOptions says how an IDX file becomes points.
type IDXOptions struct {
	Scale bool `yaml:"scale" json:"scale" doc:"Divide the values by 255, so that unsigned bytes (pixels) lie in [0,1]; for other element types an error."`
}

// DefaultIDX keeps the values as they are stored.
var DefaultIDX = IDXOptions{Scale: false}

// idxKind is an element type of the IDX format.
type idxKind struct {
	name  string
	bytes int
	value func(b []byte) float64
}

var idxKinds = map[byte]idxKind{
	0x08: {"ubyte", 1, func(b []byte) float64 { return float64(b[0]) }},
	0x09: {"sbyte", 1, func(b []byte) float64 { return float64(int8(b[0])) }},
	0x0B: {"short", 2, func(b []byte) float64 { return float64(int16(binary.BigEndian.Uint16(b))) }},
	0x0C: {"int", 4, func(b []byte) float64 { return float64(int32(binary.BigEndian.Uint32(b))) }},
	0x0D: {"float", 4, func(b []byte) float64 { return float64(math.Float32frombits(binary.BigEndian.Uint32(b))) }},
	0x0E: {"double", 8, func(b []byte) float64 { return math.Float64frombits(binary.BigEndian.Uint64(b)) }},
}

// idxArray is a decoded IDX file: its items, flattened to n×d, still as bytes.
type idxArray struct {
	kind byte
	n, d int
	raw  []byte
}

// LoadIDX reads points from an IDX file, plain or gzipped (told by content). The
// first dimension counts the points, the others are flattened row by row:
// N×rows×cols images become N×(rows·cols). Unsigned bytes stay bytes, in a
// BytePool; the other types become a DensePool of 8·N·D bytes.
//
// The sizes in the header are checked against the file before anything is
// allocated. It fails on a wrong magic number, a size that does not match,
// trailing bytes, no points, NaN or Inf, and more than MaxBytes.
func LoadIDX(path string, o IDXOptions) (Pool, error) {
	return sized(path, func(f *os.File, size int64) (Pool, error) { return ReadIDX(f, size, path, o) })
}

// ReadIDX is LoadIDX from a reader of size bytes; name is the file's name in
// errors.
func ReadIDX(r io.Reader, size int64, name string, o IDXOptions) (Pool, error) {
	a, err := readIDX(r, size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	k := idxKinds[a.kind]
	if a.kind == 0x08 {
		divisor := 1.0
		if o.Scale {
			divisor = 255
		}
		return NewBytePool(a.raw, a.d, divisor), nil
	}
	if o.Scale {
		return nil, fmt.Errorf("%s: holds %s values: scale divides unsigned bytes alone; drop scale", name, k.name)
	}
	x := make([]float64, a.n*a.d)
	for i := range x {
		x[i] = k.value(a.raw[i*k.bytes:])
		if math.IsNaN(x[i]) || math.IsInf(x[i], 0) {
			return nil, fmt.Errorf("%s: item %d, element %d is %v: not a finite number", name, i/a.d, i%a.d, x[i])
		}
	}
	return DensePool{mat.NewDense(a.n, a.d, x)}, nil
}

// OpenIDX is LoadIDX of a file that stays where it is: rows are read as they are
// asked for, in a FilePool, so that MaxBytes is no limit. A gzipped file is read
// as by LoadIDX. Floats are looked through once for NaN and Inf.
func OpenIDX(path string, o IDXOptions) (Pool, error) {
	f, size, err := open(path)
	if err != nil {
		return nil, err
	}
	pool, err := openIDX(f, size, o)
	if pool == nil {
		f.Close()
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	case pool == nil:
		return LoadIDX(path, o)
	}
	return pool, nil
}

// openIDX is the pool of a file; nil without an error where it is gzipped.
func openIDX(f *os.File, size int64, o IDXOptions) (*FilePool, error) {
	br := bufio.NewReader(f)
	if gzipped(br) {
		return nil, nil
	}
	a, header, err := idxHead(br)
	if err != nil {
		return nil, err
	}
	if err := a.fits(header, size); err != nil {
		return nil, err
	}
	k := idxKinds[a.kind]
	convert := numbers(k.bytes, k.value)
	switch {
	case a.kind == 0x08 && o.Scale:
		convert = scaledBytes(255)
	case a.kind == 0x08:
		convert = scaledBytes(1)
	case o.Scale:
		return nil, fmt.Errorf("holds %s values: scale divides unsigned bytes alone; drop scale", k.name)
	}
	pool, err := newFilePool(f, header, int(a.shape[0]), int(a.items/uint64(a.shape[0])), k.bytes, convert)
	if err != nil || a.kind != 0x0D && a.kind != 0x0E {
		return pool, err
	}
	err = pool.eachRow(func(i int, row []float64) error {
		for j, v := range row {
			if notFinite(v) {
				return fmt.Errorf("item %d, element %d is %v: not a finite number", i, j, v)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return pool, nil
}

// LoadIDXLabels reads one integer a point from an IDX file of rank 1, plain or
// gzipped; it fails as LoadIDX does, and on fractions.
func LoadIDXLabels(path string) ([]int, error) {
	return sized(path, func(f *os.File, size int64) ([]int, error) { return ReadIDXLabels(f, size, path) })
}

// ReadIDXLabels is LoadIDXLabels from a reader of size bytes.
func ReadIDXLabels(r io.Reader, size int64, name string) ([]int, error) {
	a, err := readIDX(r, size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if a.d != 1 {
		return nil, fmt.Errorf("%s: items of %d elements; labels need one each: is this the file of the points?", name, a.d)
	}
	k := idxKinds[a.kind]
	labels := make([]int, a.n)
	for i := range labels {
		v := k.value(a.raw[i*k.bytes:])
		if labels[i], err = integer(v); err != nil {
			return nil, fmt.Errorf("%s: label %d: %w", name, i, err)
		}
	}
	return labels, nil
}

// LoadIDXTable joins a file of points and a file of labels. It fails, beside
// what LoadIDX and LoadIDXLabels say, if the two differ in length.
func LoadIDXTable(points, labels string, o IDXOptions) (Table, error) {
	x, err := LoadIDX(points, o)
	if err != nil {
		return Table{}, err
	}
	return withIDXLabels(x, points, labels)
}

// OpenIDXTable is LoadIDXTable of points that stay in their file; see OpenIDX.
func OpenIDXTable(points, labels string, o IDXOptions) (Table, error) {
	x, err := OpenIDX(points, o)
	if err != nil {
		return Table{}, err
	}
	return withIDXLabels(x, points, labels)
}

func withIDXLabels(x Pool, points, labels string) (Table, error) {
	y, err := LoadIDXLabels(labels)
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
	names := make([]string, len(labels))
	for i, l := range labels {
		names[i] = strconv.Itoa(l)
	}
	return WithClasses(x, names)
}

// WithClasses is the Table of the pool's points with a named class each. It
// panics if the lengths differ.
func WithClasses(x Pool, names []string) Table {
	if x.Len() != len(names) {
		panic(fmt.Sprintf("files: %d names of classes for %d points", len(names), x.Len()))
	}
	var c coder
	for _, name := range names {
		c.add(name)
	}
	t := Table{X: x}
	t.Labels, t.Classes = c.done()
	return t
}

func gzipped(br *bufio.Reader) bool {
	magic, _ := br.Peek(2)
	return bytes.Equal(magic, []byte{0x1f, 0x8b})
}

// idxClaim is what the header of an IDX file says.
type idxClaim struct {
	kind  byte
	shape []uint32
	items uint64 // their product, or the largest uint64 on overflow
}

// bytes are those of the items, or the largest uint64 on overflow.
func (c idxClaim) bytes() uint64 { return times(c.items, uint64(idxKinds[c.kind].bytes)) }

// fits fails where a file of so many bytes is not what its header claims.
func (c idxClaim) fits(header, size int64) error {
	if want := plus(c.bytes(), uint64(header)); uint64(size) != want {
		return fmt.Errorf("the header claims shape %v of %s, %d bytes in all, but the file has %d", c.shape, idxKinds[c.kind].name, want, size)
	}
	return nil
}

// idxHead reads the header and says how long it is.
func idxHead(br *bufio.Reader) (c idxClaim, header int64, err error) {
	var head [4]byte
	if _, err := io.ReadFull(br, head[:]); err != nil {
		return c, 0, fmt.Errorf("no IDX file: shorter than its 4-byte magic number")
	}
	_, ok := idxKinds[head[2]]
	if head[0] != 0 || head[1] != 0 || !ok || head[3] == 0 {
		return c, 0, fmt.Errorf("no IDX file: magic number %x; want 0000, an element type (08, 09, 0b, 0c, 0d, 0e), a rank of 1 or more", head)
	}
	c = idxClaim{kind: head[2], shape: make([]uint32, head[3]), items: 1}
	if err := binary.Read(br, binary.BigEndian, c.shape); err != nil {
		return c, 0, fmt.Errorf("the header is cut short: rank %d needs %d bytes of sizes", head[3], 4*int(head[3]))
	}
	for _, s := range c.shape {
		c.items = times(c.items, uint64(s))
	}
	if c.items == 0 {
		return c, 0, fmt.Errorf("shape %v: no items", c.shape)
	}
	return c, int64(4 + 4*len(c.shape)), nil
}

func readIDX(r io.Reader, size int64) (a idxArray, err error) {
	br := bufio.NewReader(r)
	if gzipped(br) {
		zr, err := gzip.NewReader(br)
		if err != nil {
			return a, err
		}
		br, size = bufio.NewReader(zr), -1 // known only once read
	}
	c, header, err := idxHead(br)
	if err != nil {
		return a, err
	}
	want := c.bytes()
	if want > MaxBytes {
		return a, fmt.Errorf("the header claims shape %v of %s, more than the limit of %d bytes", c.shape, idxKinds[c.kind].name, int64(MaxBytes))
	}
	if size >= 0 {
		if err := c.fits(header, size); err != nil {
			return a, err
		}
	}
	a = idxArray{kind: c.kind, n: int(c.shape[0]), d: int(c.items / uint64(c.shape[0]))}
	a.raw, err = exactly(br, int64(want), size >= 0)
	return a, err
}

// exactly reads want bytes and then the end of r. Without trust, memory grows
// with what has been read, not with what was claimed.
func exactly(r io.Reader, want int64, trust bool) ([]byte, error) {
	var buf bytes.Buffer
	if trust {
		buf.Grow(int(want) + bytes.MinRead)
	}
	got, err := io.Copy(&buf, io.LimitReader(r, want+1))
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), err == nil && got < want:
		return nil, fmt.Errorf("the data end after %d of the %d bytes that the header claims", got, want)
	case err != nil:
		return nil, err
	case got > want:
		return nil, fmt.Errorf("bytes follow the %d that the header claims", want)
	}
	return buf.Bytes(), nil
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

func integer(v float64) (int, error) {
	if v != math.Trunc(v) || math.Abs(v) > 1<<53 {
		return 0, fmt.Errorf("%v is no integer", v)
	}
	return int(v), nil
}

func open(path string) (*os.File, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no regular file", path)
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}
