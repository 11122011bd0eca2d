package files

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// ReadNPY reads a 2-D NumPy array, N×D, of float32, float64, an integer type
// or bool, in C or Fortran order and either byte order, as float64. It fails on
// other ranks and types, a header that does not match the file's size, no
// points, NaN, Inf, integers beyond ±2^53, and where it takes more memory than there
// is. Cost: 8·N·D bytes, twice that in Fortran order. size is that of the file, and name its
// name in errors.
func (o Opener) ReadNPY(r io.Reader, size int64, name string) (*mat.Dense, error) {
	in, err := o.input(r, size, name)
	if err != nil {
		return nil, err
	}
	return readNPY(in)
}

func readNPY(in *input) (*mat.Dense, error) {
	a, err := npyMatrix(in)
	if err != nil {
		return nil, in.failed(err)
	}
	x, err := a.dense(in)
	if err != nil {
		return nil, in.failed(err)
	}
	return x, nil
}

// OpenNPY is ReadNPY of a file that stays where it is: rows are read as they are
// asked for, in a FilePool, which takes no memory. An array in Fortran order, or
// gzipped, is read as by ReadNPY. Floats, and integers of 8 bytes, are looked through
// once for what ReadNPY refuses.
func (o Opener) OpenNPY(path string) (Pool, error) {
	return load(o, path, func(in *input) (Pool, error) {
		a, err := npyMatrix(in)
		if err != nil {
			return nil, in.failed(err)
		}
		var p Pool
		if a.inPlace(in) {
			p, err = a.pool(o, in)
		} else {
			p, err = a.densePool(in)
		}
		if err != nil {
			return nil, in.failed(err)
		}
		return p, nil
	})
}

// npyMatrix reads the header of an array of two dimensions.
func npyMatrix(in *input) (array, error) {
	a, err := npyHeader(in)
	if err == nil && len(a.shape) != 2 {
		err = fmt.Errorf("an array of rank %d; points need two: N×D", len(a.shape))
	}
	return a, err
}

// LoadNPYLabels reads a 1-D NumPy array of integers, bools, or floats without a
// fraction: one label a point. It fails as ReadNPY does.
func (o Opener) LoadNPYLabels(path string) ([]int, error) { return load(o, path, readNPYLabels) }

func readNPYLabels(in *input) ([]int, error) {
	a, err := npyHeader(in)
	if err == nil && len(a.shape) != 1 {
		err = fmt.Errorf("an array of rank %d; labels need one: N", len(a.shape))
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

// ReadNPYVector reads a 1-D NumPy array of size bytes as float64. It takes and
// refuses types and numbers as ReadNPY does.
func (o Opener) ReadNPYVector(r io.Reader, size int64, name string) ([]float64, error) {
	in, err := o.input(r, size, name)
	if err != nil {
		return nil, err
	}
	a, err := npyHeader(in)
	if err == nil && len(a.shape) != 1 {
		err = fmt.Errorf("an array of rank %d; want one dimension", len(a.shape))
	}
	if err != nil {
		return nil, in.failed(err)
	}
	values, err := a.numbers(in)
	for i := 0; err == nil && i < len(values); i++ {
		if a.check != nil && a.check(values[i]) != nil {
			err = fmt.Errorf("element %d is %v: %w", i, values[i], a.check(values[i]))
		}
	}
	if err != nil {
		return nil, in.failed(err)
	}
	return values, nil
}

// npyDict is the dictionary as numpy.save writes it.
var npyDict = regexp.MustCompile(`^\{'descr': '([<>|]?)([fiub])([1248])', 'fortran_order': (True|False), 'shape': \(([0-9]*(?:, ?[0-9]+)*),?\), \} *\n$`)

const npyMaxHeader = 1 << 16

// npyHeader reads the header.
func npyHeader(in *input) (array, error) {
	header, dict, err := npyStart(in)
	if err != nil {
		return array{}, err
	}
	m := npyDict.FindStringSubmatch(dict)
	if m == nil {
		return array{}, fmt.Errorf("header %q: want a plain array of floats (f4, f8), integers or bools as numpy.save writes it; convert it with astype and save it again", shorten(strings.TrimSpace(dict)))
	}
	var order binary.ByteOrder = binary.LittleEndian
	if m[1] == ">" {
		order = binary.BigEndian
	}
	a, ok := typed(m[2]+m[3], order)
	if !ok {
		return array{}, fmt.Errorf("element type %s: want f4, f8, i1 … i8, u1 … u8 or b1", m[2]+m[3])
	}
	a.header, a.fortran, a.text = header, m[4] == "True", "("+m[5]+")"
	for _, s := range strings.FieldsFunc(m[5], func(r rune) bool { return r == ',' || r == ' ' }) {
		n, err := strconv.ParseUint(s, 10, 63)
		if err != nil {
			return array{}, fmt.Errorf("shape %s: %w", a.text, err)
		}
		a.sized(n)
	}
	if len(a.shape) == 0 || a.items == 0 {
		return array{}, fmt.Errorf("shape %s: no items", a.text)
	}
	a.fortran = a.fortran && len(a.shape) > 1
	return a, nil
}

// npyStart reads the file's first bytes up to the data: how many there are, and the
// dictionary in them.
func npyStart(in *input) (header int64, dict string, err error) {
	head := make([]byte, 12)
	if _, err := io.ReadFull(in, head[:10]); err != nil || !bytes.HasPrefix(head, []byte("\x93NUMPY")) {
		return 0, "", errors.New("no .npy file: it does not start with \\x93NUMPY and a version")
	}
	var n int64
	switch head[6] {
	case 1:
		head = head[:10]
		n = int64(binary.LittleEndian.Uint16(head[8:]))
	case 2:
		if _, err := io.ReadFull(in, head[10:]); err != nil {
			return 0, "", errors.New("the header is cut short")
		}
		n = int64(binary.LittleEndian.Uint32(head[8:]))
	default:
		return 0, "", fmt.Errorf(".npy format version %d.%d: want 1 or 2, as numpy.save writes for plain arrays", head[6], head[7])
	}
	if n > npyMaxHeader {
		return 0, "", fmt.Errorf("the file claims a header of %d bytes, more than %d", n, npyMaxHeader)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(in, text); err != nil {
		return 0, "", errors.New("the header is cut short")
	}
	return int64(len(head)) + n, string(text), nil
}
