package files

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/sbinet/npyio/npy"
	"gonum.org/v1/gonum/mat"
)

// LoadNPY reads a 2-D NumPy array, N×D, of float32, float64, an integer type
// or bool, in C or Fortran order and either byte order, as float64. It fails on
// other ranks and types, a header that does not match the file's size, no
// points, NaN, Inf, integers beyond ±2^53, and more than MaxBytes. Cost: 8·N·D bytes, and as much
// again while converting.
func LoadNPY(path string) (*mat.Dense, error) {
	return sized(path, func(f *os.File, size int64) (*mat.Dense, error) { return ReadNPY(f, size, path) })
}

// ReadNPY is LoadNPY from a reader of size bytes; name is the file's name in
// errors.
func ReadNPY(r io.Reader, size int64, name string) (*mat.Dense, error) {
	a, err := readNPY(r, size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(a.shape) != 2 {
		return nil, fmt.Errorf("%s: an array of rank %d; points need two: N×D", name, len(a.shape))
	}
	n, d := a.shape[0], a.shape[1]
	var x *mat.Dense
	if a.fortran {
		x = mat.DenseCopyOf(mat.NewDense(d, n, a.data).T())
	} else {
		x = mat.NewDense(n, d, a.data)
	}
	for i := range n {
		for j, v := range x.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("%s: element (%d, %d) is %v: not a finite number", name, i, j, v)
			}
		}
	}
	return x, nil
}

// OpenNPY is LoadNPY of a file that stays where it is: rows are read as they are
// asked for, in a FilePool, so that MaxBytes is no limit. An array in Fortran
// order is read as by LoadNPY. Floats, and integers of 8 bytes, are looked through
// once for what LoadNPY refuses.
func OpenNPY(path string) (Pool, error) {
	f, size, err := open(path)
	if err != nil {
		return nil, err
	}
	pool, err := openNPY(f, size)
	if pool == nil {
		f.Close()
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	case pool == nil:
		x, err := LoadNPY(path)
		return DensePool{X: x}, err
	}
	return pool, nil
}

// openNPY is the pool of a file; nil without an error where it is in Fortran
// order.
func openNPY(f *os.File, size int64) (*FilePool, error) {
	head, c, err := npyClaims(bufio.NewReaderSize(f, 1<<16))
	if err != nil {
		return nil, err
	}
	if len(c.shape) != 2 {
		return nil, fmt.Errorf("an array of rank %d; points need two: N×D", len(c.shape))
	}
	if err := c.fits(int64(len(head)), size); err != nil || c.fortran {
		return nil, err
	}
	value, err := c.value()
	if err != nil {
		return nil, err
	}
	convert := numbers(c.width, value)
	if c.kind == "u1" {
		convert = scaledBytes(1)
	}
	pool, err := newFilePool(f, int64(len(head)), c.shape[0], c.shape[1], c.width, convert)
	if err != nil || c.width < 8 && c.kind != "f4" {
		return pool, err
	}
	err = pool.eachRow(func(i int, row []float64) error {
		for j, v := range row {
			if notFinite(v) {
				return fmt.Errorf("element (%d, %d) is %v: not a finite number", i, j, v)
			}
			if c.kind != "f8" && c.kind != "f4" && math.Abs(v) > 1<<53 {
				return fmt.Errorf("element (%d, %d) is %v: beyond 2^53, where float64 has no longer every integer", i, j, v)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return pool, nil
}

// value reads one number of the array.
func (c npyClaim) value() (func(b []byte) float64, error) {
	var order binary.ByteOrder = binary.LittleEndian
	if c.order == ">" {
		order = binary.BigEndian
	}
	switch c.kind {
	case "f8":
		if c.order != ">" { // no call that is not inlined
			return func(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) }, nil
		}
		return func(b []byte) float64 { return math.Float64frombits(order.Uint64(b)) }, nil
	case "f4":
		return func(b []byte) float64 { return float64(math.Float32frombits(order.Uint32(b))) }, nil
	case "i1":
		return func(b []byte) float64 { return float64(int8(b[0])) }, nil
	case "i2":
		return func(b []byte) float64 { return float64(int16(order.Uint16(b))) }, nil
	case "i4":
		return func(b []byte) float64 { return float64(int32(order.Uint32(b))) }, nil
	case "i8":
		return func(b []byte) float64 { return float64(int64(order.Uint64(b))) }, nil
	case "u1":
		return func(b []byte) float64 { return float64(b[0]) }, nil
	case "u2":
		return func(b []byte) float64 { return float64(order.Uint16(b)) }, nil
	case "u4":
		return func(b []byte) float64 { return float64(order.Uint32(b)) }, nil
	case "u8":
		return func(b []byte) float64 { return float64(order.Uint64(b)) }, nil
	case "b1":
		return func(b []byte) float64 {
			if b[0] != 0 {
				return 1
			}
			return 0
		}, nil
	}
	return nil, npyUnknown(c.kind)
}

func npyUnknown(kind string) error {
	return fmt.Errorf("element type %s: want f4, f8, i1 … i8, u1 … u8 or b1", kind)
}

// LoadNPYLabels reads a 1-D NumPy array of integers, bools, or floats without a
// fraction: one label a point. It fails as LoadNPY does.
func LoadNPYLabels(path string) ([]int, error) {
	return sized(path, func(f *os.File, size int64) ([]int, error) { return ReadNPYLabels(f, size, path) })
}

// ReadNPYLabels is LoadNPYLabels from a reader of size bytes.
func ReadNPYLabels(r io.Reader, size int64, name string) ([]int, error) {
	a, err := readNPY(r, size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(a.shape) != 1 {
		return nil, fmt.Errorf("%s: an array of rank %d; labels need one: N", name, len(a.shape))
	}
	labels := make([]int, len(a.data))
	for i, v := range a.data {
		if labels[i], err = integer(v); err != nil {
			return nil, fmt.Errorf("%s: label %d: %w", name, i, err)
		}
	}
	return labels, nil
}

// ReadNPYVector reads a 1-D NumPy array of size bytes as float64. It takes and
// refuses types and numbers as LoadNPY does.
func ReadNPYVector(r io.Reader, size int64, name string) ([]float64, error) {
	a, err := readNPY(r, size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(a.shape) != 1 {
		return nil, fmt.Errorf("%s: an array of rank %d; want one dimension", name, len(a.shape))
	}
	for i, v := range a.data {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%s: element %d is %v: not a finite number", name, i, v)
		}
	}
	return a.data, nil
}

type npyArray struct {
	shape   []int
	fortran bool
	data    []float64 // in the file's order
}

// npyHeader is the dictionary as numpy.save writes it. The library finds its
// parts by position, so nothing looser may reach it.
var npyHeader = regexp.MustCompile(`^\{'descr': '([<>|]?)([fiub])([1248])', 'fortran_order': (True|False), 'shape': \(([0-9]*(?:, ?[0-9]+)*),?\), \} *\n$`)

const npyMaxHeader = 1 << 16

// npyClaim is what the header of an .npy file says.
type npyClaim struct {
	order, kind string // byte order; f8, u1, …
	width       int    // bytes a number
	fortran     bool
	shape       []int
	text        string // of the shape
	items       uint64 // its product, or the largest uint64 on overflow
}

// fits fails where a file of so many bytes is not what its header claims.
func (c npyClaim) fits(header, size int64) error {
	if want := plus(times(c.items, uint64(c.width)), uint64(header)); uint64(size) != want {
		return fmt.Errorf("the header claims shape (%s) of %s, %d bytes in all, but the file has %d", c.text, c.kind, want, size)
	}
	return nil
}

// npyClaims reads the header, which is head.
func npyClaims(br *bufio.Reader) (head []byte, c npyClaim, err error) {
	head, dict, err := npyHead(br)
	if err != nil {
		return nil, c, err
	}
	m := npyHeader.FindStringSubmatch(dict)
	if m == nil {
		return nil, c, fmt.Errorf("header %q: want a plain array of floats (f4, f8), integers or bools as numpy.save writes it; convert it with astype and save it again", shorten(strings.TrimSpace(dict)))
	}
	width, _ := strconv.Atoi(m[3])
	c = npyClaim{order: m[1], kind: m[2] + m[3], width: width, fortran: m[4] == "True", text: m[5], items: 1}
	for _, s := range strings.FieldsFunc(m[5], func(r rune) bool { return r == ',' || r == ' ' }) {
		n, err := strconv.Atoi(s)
		if err != nil {
			return nil, c, fmt.Errorf("shape (%s): %w", m[5], err)
		}
		c.shape = append(c.shape, n)
		c.items = times(c.items, uint64(n))
	}
	if len(c.shape) == 0 || c.items == 0 {
		return nil, c, fmt.Errorf("shape (%s): no items", m[5])
	}
	return head, c, nil
}

// readNPY checks the header and its claims, then has the library read.
func readNPY(r io.Reader, size int64) (a npyArray, err error) {
	br := bufio.NewReaderSize(r, 1<<16)
	head, c, err := npyClaims(br)
	if err != nil {
		return a, err
	}
	a.shape, a.fortran = c.shape, c.fortran
	if times(c.items, uint64(c.width)) > MaxBytes {
		return a, fmt.Errorf("the header claims shape (%s) of %s, more than the limit of %d bytes", c.text, c.kind, int64(MaxBytes))
	}
	if err := c.fits(int64(len(head)), size); err != nil {
		return a, err
	}
	nr, err := npy.NewReader(io.MultiReader(bytes.NewReader(head), whole{br}))
	if err != nil {
		return a, err
	}
	a.data, err = npyValues(nr, c.kind)
	if err == nil && uint64(len(a.data)) != c.items {
		err = fmt.Errorf("%d items read of %d", len(a.data), c.items)
	}
	return a, err
}

// npyHead returns the file's first bytes up to the data, and the dictionary.
func npyHead(br *bufio.Reader) (head []byte, dict string, err error) {
	head = make([]byte, 12)
	if _, err := io.ReadFull(br, head[:10]); err != nil || !bytes.HasPrefix(head, []byte("\x93NUMPY")) {
		return nil, "", errors.New("no .npy file: it does not start with \\x93NUMPY and a version")
	}
	var n int64
	switch head[6] {
	case 1:
		head = head[:10]
		n = int64(binary.LittleEndian.Uint16(head[8:]))
	case 2:
		if _, err := io.ReadFull(br, head[10:]); err != nil {
			return nil, "", errors.New("the header is cut short")
		}
		n = int64(binary.LittleEndian.Uint32(head[8:]))
	default:
		return nil, "", fmt.Errorf(".npy format version %d.%d: want 1 or 2, as numpy.save writes for plain arrays", head[6], head[7])
	}
	if n > npyMaxHeader {
		return nil, "", fmt.Errorf("the file claims a header of %d bytes, more than %d", n, npyMaxHeader)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(br, text); err != nil {
		return nil, "", errors.New("the header is cut short")
	}
	return append(head, text...), string(text), nil
}

func npyValues(r *npy.Reader, kind string) ([]float64, error) {
	switch kind {
	case "f8":
		var v []float64
		err := r.Read(&v)
		return v, err
	case "f4":
		return npyConvert[float32](r)
	case "i1":
		return npyConvert[int8](r)
	case "i2":
		return npyConvert[int16](r)
	case "i4":
		return npyConvert[int32](r)
	case "i8":
		return npyConvert[int64](r)
	case "u1":
		return npyConvert[uint8](r)
	case "u2":
		return npyConvert[uint16](r)
	case "u4":
		return npyConvert[uint32](r)
	case "u8":
		return npyConvert[uint64](r)
	case "b1":
		var v []bool
		err := r.Read(&v)
		out := make([]float64, len(v))
		for i, b := range v {
			if b {
				out[i] = 1
			}
		}
		return out, err
	}
	return nil, npyUnknown(kind)
}

func npyConvert[T float32 | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](r *npy.Reader) ([]float64, error) {
	var v []T
	if err := r.Read(&v); err != nil {
		return nil, err
	}
	out := make([]float64, len(v))
	for i, t := range v {
		out[i] = float64(t)
		if _, float := any(t).(float32); !float && math.Abs(out[i]) > 1<<53 {
			return nil, fmt.Errorf("item %d is %v: beyond 2^53, where float64 has no longer every integer", i, t)
		}
	}
	return out, nil
}

// whole fills every read or fails: the library takes a short read, as a buffer
// gives one at its end, and io.EOF for data.
type whole struct{ r io.Reader }

func (w whole) Read(p []byte) (int, error) {
	n, err := io.ReadFull(w.r, p)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
