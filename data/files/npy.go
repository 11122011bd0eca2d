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

// readNPY checks the header and its claims, then has the library read.
func readNPY(r io.Reader, size int64) (a npyArray, err error) {
	br := bufio.NewReaderSize(r, 1<<16)
	head, dict, err := npyHead(br)
	if err != nil {
		return a, err
	}
	m := npyHeader.FindStringSubmatch(dict)
	if m == nil {
		return a, fmt.Errorf("header %q: want a plain array of floats (f4, f8), integers or bools as numpy.save writes it; convert it with astype and save it again", shorten(strings.TrimSpace(dict)))
	}
	width, _ := strconv.Atoi(m[3])
	a.fortran = m[4] == "True"
	items := uint64(1)
	for _, s := range strings.FieldsFunc(m[5], func(r rune) bool { return r == ',' || r == ' ' }) {
		n, err := strconv.Atoi(s)
		if err != nil {
			return a, fmt.Errorf("shape (%s): %w", m[5], err)
		}
		a.shape = append(a.shape, n)
		items = times(items, uint64(n))
	}
	want := times(items, uint64(width))
	switch {
	case len(a.shape) == 0 || items == 0:
		return a, fmt.Errorf("shape (%s): no items", m[5])
	case want > MaxBytes:
		return a, fmt.Errorf("the header claims shape (%s) of %s%s, more than the limit of %d bytes", m[5], m[2], m[3], int64(MaxBytes))
	case size != int64(len(head))+int64(want):
		return a, fmt.Errorf("the header claims shape (%s) of %s%s, %d bytes in all, but the file has %d", m[5], m[2], m[3], int64(len(head))+int64(want), size)
	}
	nr, err := npy.NewReader(io.MultiReader(bytes.NewReader(head), whole{br}))
	if err != nil {
		return a, err
	}
	a.data, err = npyValues(nr, m[2]+m[3])
	if err == nil && uint64(len(a.data)) != items {
		err = fmt.Errorf("%d items read of %d", len(a.data), items)
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
	return nil, fmt.Errorf("element type %s: want f4, f8, i1 … i8, u1 … u8 or b1", kind)
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
