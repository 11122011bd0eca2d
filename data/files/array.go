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
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// array is what the header of an IDX or .npy file says of the numbers after it. A point is
// an index of the first dimension, and the others are flattened: N×rows×cols images are N
// points in R^(rows·cols).
type array struct {
	kind    string // of the numbers, as NumPy names it: u1, f8, …
	order   binary.ByteOrder
	shape   []int64
	header  int64   // bytes before the first number
	fortran bool    // the first index runs fastest
	divisor float64 // of the numbers
}

func (a array) n() int     { return int(a.shape[0]) }
func (a array) width() int { return int(a.kind[1] - '0') } // bytes a number

func (a array) d() int {
	d := int64(1)
	for _, size := range a.shape[1:] {
		d *= size
	}
	return int(d)
}

// OpenArrays opens a file of points, IDX or .npy, and where labels and responses name others,
// those of their class labels and of their responses. The points stay in their file, see FilePool, unless they are in Fortran
// order. scale divides bytes by 255.
//
// The sizes in a header are checked against the file before memory is taken. It fails on a
// size that does not match, no points, NaN and Inf, for which all floats are looked through
// once, integers from ±2^53 on, labels or responses of another number than the points, and
// where it takes more memory than there is.
func (o Opener) OpenArrays(points, labels, responses string, scale bool) (Table, error) {
	x, err := load(points, func(f *os.File, opened os.FileInfo) (Pool, bool, error) {
		p, err := openArray(f, opened, 0)
		switch {
		case err != nil:
			return nil, false, err
		case scale && p.kind != "u1":
			return nil, false, fmt.Errorf("holds %s numbers: scale divides unsigned bytes alone; drop scale", p.kind)
		case scale:
			p.divisor = 255
		}
		if p.fortran {
			x, err := o.dense(p)
			return DensePool{x}, false, err
		}
		if p.kind[0] == 'f' || p.width() == 8 {
			err = Each(o.context(), p, p.check)
		}
		return p, true, err
	})
	t := Table{X: x}
	if err != nil {
		return t, err
	}
	// beside reads one number a point.
	beside := func(path, what string) ([]float64, error) {
		y, err := load(path, func(f *os.File, opened os.FileInfo) (*mat.Dense, bool, error) {
			y, err := o.ReadNPY(f, 1)
			return y, false, err
		})
		if err != nil {
			return nil, err
		}
		if n, _ := y.Dims(); n != x.Len() {
			return nil, fmt.Errorf("%s has %d %s for the %d points of %s", path, n, what, x.Len(), points)
		}
		return y.RawMatrix().Data, nil
	}
	if labels != "" {
		y, err := beside(labels, "labels")
		if err != nil {
			return Table{}, err
		}
		codes, err := integers(y)
		if err != nil {
			return Table{}, fmt.Errorf("%s: %w", labels, err)
		}
		t = WithLabels(x, codes)
	}
	if responses != "" {
		t.Responses, err = beside(responses, "responses")
	}
	return t, err
}

// ReadNPY reads an array of one dimension, as a column, or of two into memory as float64. It
// takes and refuses what OpenArrays does.
func (o Opener) ReadNPY(f *os.File, dimensions int) (*mat.Dense, error) {
	opened, err := f.Stat()
	if err != nil {
		return nil, err
	}
	p, err := openArray(f, opened, dimensions)
	if err != nil {
		return nil, err
	}
	return o.dense(p)
}

// dense reads the points into memory.
func (o Opener) dense(p *FilePool) (*mat.Dense, error) {
	if err := o.Room(16 * int64(p.n()) * int64(p.d())); err != nil {
		return nil, err
	}
	from := *p
	if p.fortran {
		from.shape = []int64{int64(p.d()), int64(p.n())}
	}
	x := mat.NewDense(from.n(), from.d(), nil)
	err := Each(o.context(), &from, func(i int, row []float64) error {
		x.SetRow(i, row)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if p.fortran {
		x = mat.DenseCopyOf(x.T())
	}
	for i := range p.n() {
		if err := p.check(i, x.RawRowView(i)); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// integers are labels, which are whole numbers.
func integers(values []float64) ([]int, error) {
	labels := make([]int, len(values))
	for i, v := range values {
		if v != math.Trunc(v) {
			return nil, fmt.Errorf("label %d: %v is no integer", i, v)
		}
		labels[i] = int(v)
	}
	return labels, nil
}

// check refuses numbers of row i that no point has.
func (a array) check(i int, row []float64) error {
	for j, v := range row {
		switch {
		case v-v != 0:
			return fmt.Errorf("element (%d, %d) is %v: not a finite number", i, j, v)
		case a.kind[0] != 'f' && math.Abs(v) >= 1<<53: // 2^53 + 1 is read as 2^53
			return fmt.Errorf("element (%d, %d) is %v: 2^53 or beyond, where float64 has no longer every integer", i, j, v)
		}
	}
	return nil
}

// openArray reads the header of an array of so many dimensions, 0 for any. The numbers stay in
// the file.
func openArray(f *os.File, opened os.FileInfo, dimensions int) (*FilePool, error) {
	head := make([]byte, npyMostHeader)
	n, err := f.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	read := idxHeader
	if bytes.HasPrefix(head, []byte(npyMagic)) {
		read = npyHeader
	}
	a, err := read(head[:n])
	if err != nil {
		return nil, err
	}
	a.divisor = 1
	if len(a.shape) == 0 || slices.Contains(a.shape, 0) {
		return nil, fmt.Errorf("shape %v: no items", a.shape)
	}
	if dimensions > 0 && len(a.shape) != dimensions {
		return nil, fmt.Errorf("an array of %d dimensions; want %d", len(a.shape), dimensions)
	}

	claimed := float64(a.width()) // no shape overflows it
	for _, size := range a.shape {
		claimed *= float64(size)
	}
	if claimed += float64(a.header); claimed != float64(opened.Size()) {
		return nil, fmt.Errorf("the header claims shape %v of %s, %.0f bytes in all, but the file has %d", a.shape, a.kind, claimed, opened.Size())
	}
	return &FilePool{array: a, file: f, opened: opened}, nil
}

// idxKinds are the element types of the IDX format, as NumPy names them.
var idxKinds = map[byte]string{0x08: "u1", 0x09: "i1", 0x0B: "i2", 0x0C: "i4", 0x0D: "f4", 0x0E: "f8"}

// idxHeader reads the header of an IDX file, MNIST's format: two zeros, an element type, a
// rank, and the sizes.
func idxHeader(head []byte) (array, error) {
	if len(head) < 4 || head[0] != 0 || head[1] != 0 || idxKinds[head[2]] == "" || head[3] == 0 {
		return array{}, fmt.Errorf("no .npy file and no IDX file: it starts with %q (numbers in text become one by np.save(\"x.npy\", np.loadtxt(\"x.csv\", delimiter=\",\"))); want \\x93NUMPY, or two zeros, an element type (08, 09, 0b, 0c, 0d, 0e) and a rank of 1 or more", head[:min(len(head), 4)])
	}
	a := array{kind: idxKinds[head[2]], order: binary.BigEndian, header: 4 + 4*int64(head[3])}
	if int64(len(head)) < a.header {
		return a, errCut
	}
	for at := 4; int64(at) < a.header; at += 4 {
		a.shape = append(a.shape, int64(binary.BigEndian.Uint32(head[at:])))
	}
	return a, nil
}

var errCut = errors.New("the header is cut short")

const (
	npyMagic      = "\x93NUMPY"
	npyMostHeader = 1 << 16
)

// npyDict is the dictionary as numpy.save writes it.
var npyDict = regexp.MustCompile(`^\{'descr': '([<>|]?)([fiub][1248])', 'fortran_order': (True|False), 'shape': \(([0-9]*(?:, ?[0-9]+)*),?\), \} *\n$`)

// npyHeader reads the header of a .npy file: the magic number, a version of two bytes, the
// length of what follows, and a dictionary. npyio's reader panics where the dictionary is none.
func npyHeader(head []byte) (array, error) {
	if len(head) < 12 {
		return array{}, errCut
	}
	start, length := 10, int(binary.LittleEndian.Uint16(head[8:]))
	switch head[6] {
	case 1:
	case 2:
		start, length = 12, int(binary.LittleEndian.Uint32(head[8:]))
	default:
		return array{}, fmt.Errorf(".npy format version %d.%d: want 1 or 2, as numpy.save writes for plain arrays", head[6], head[7])
	}
	end := start + length
	if len(head) < end {
		return array{}, errCut
	}
	m := npyDict.FindSubmatch(head[start:end])
	if m == nil || kinds[string(m[2])] == nil {
		return array{}, fmt.Errorf("header %.99q: want a plain array of floats (f4, f8), integers or bools as numpy.save writes it; convert it with astype, or texts of classes by np.unique(labels, return_inverse=True)[1], and save it again", head[start:end])
	}
	a := array{kind: string(m[2]), order: binary.LittleEndian, fortran: string(m[3]) == "True", header: int64(end)}
	if string(m[1]) == ">" {
		a.order = binary.BigEndian
	}
	for _, s := range strings.FieldsFunc(string(m[4]), func(r rune) bool { return r == ',' || r == ' ' }) {
		size, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return a, fmt.Errorf("shape: %w", err)
		}
		a.shape = append(a.shape, size)
	}
	return a, nil
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

// WriteNPY writes a 2-D NumPy array of float64, rows×columns in C order, little
// endian, as numpy.save does: the data begin at a multiple of 64 bytes, so that
// they can be mapped into memory. row returns row i; it is called once each, in
// order.
//
// It is not npyio's npy.Write, which pads its header to no boundary and writes
// number by number.
func WriteNPY(w io.Writer, rows, columns int, row func(i int) []float64) error {
	b := bufio.NewWriterSize(w, 1<<18)
	dict := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }", rows, columns)
	fmt.Fprintf(b, "%s\x01\x00\x76\x00%-117s\n", npyMagic, dict) // 128 bytes; errors stay until Flush
	for i := range rows {
		if err := binary.Write(b, binary.LittleEndian, row(i)[:columns]); err != nil {
			return err
		}
	}
	return b.Flush()
}
