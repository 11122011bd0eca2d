package files

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
)

const (
	npyMagic      = "\x93NUMPY"
	npyMostHeader = 1 << 16
)

// npyHeader reads the header of a .npy file: the magic number, a version of two bytes, the
// length of what follows, and a dictionary. npyio's reader takes as much memory as the
// length says, and panics where the dictionary is none.
func npyHeader(in *input) (array, error) {
	head := make([]byte, 12)
	cut := errors.New("the header is cut short")
	if _, err := io.ReadFull(in, head[:10]); err != nil {
		return array{}, cut
	}
	dict := uint32(binary.LittleEndian.Uint16(head[8:]))
	switch head[6] {
	case 1:
		head = head[:10]
	case 2:
		if _, err := io.ReadFull(in, head[10:]); err != nil {
			return array{}, cut
		}
		dict = binary.LittleEndian.Uint32(head[8:])
	default:
		return array{}, fmt.Errorf(".npy format version %d.%d: want 1 or 2, as numpy.save writes for plain arrays", head[6], head[7])
	}
	if dict > npyMostHeader {
		return array{}, fmt.Errorf("the file claims a header of %d bytes, more than %d", dict, npyMostHeader)
	}
	text := make([]byte, dict)
	if _, err := io.ReadFull(in, text); err != nil {
		return array{}, cut
	}
	a, err := npyDictionary(string(text))
	a.header = int64(len(head) + len(text))
	return a, err
}

// npyDict is the dictionary as numpy.save writes it.
var npyDict = regexp.MustCompile(`^\{'descr': '([<>|]?)([fiub][1248])', 'fortran_order': (True|False), 'shape': \(([0-9]*(?:, ?[0-9]+)*),?\), \} *\n$`)

func npyDictionary(text string) (array, error) {
	m := npyDict.FindStringSubmatch(text)
	if m == nil || kinds[m[2]] == nil {
		return array{}, fmt.Errorf("header %q: want a plain array of floats (f4, f8), integers or bools as numpy.save writes it; convert it with astype and save it again", shorten(strings.TrimSpace(text)))
	}
	a := array{kind: m[2], order: binary.LittleEndian, fortran: m[3] == "True", text: "(" + m[4] + ")"}
	if m[1] == ">" {
		a.order = binary.BigEndian
	}
	for s := range strings.FieldsFuncSeq(m[4], func(r rune) bool { return r == ',' || r == ' ' }) {
		n, err := strconv.ParseUint(s, 10, 63)
		if err != nil {
			return a, fmt.Errorf("shape %s: %w", a.text, err)
		}
		a.shape = append(a.shape, n)
	}
	return a, nil
}

// WriteNPY writes a 2-D NumPy array of float64, rows×columns in C order, little
// endian, as numpy.save does: the data begin at a multiple of 64 bytes, so that
// they can be mapped into memory. row returns row i; it is called once each, in
// order. It panics where a row has another length.
//
// It is not npyio's npy.Write, which pads its header to no boundary and writes
// number by number.
func WriteNPY(w io.Writer, rows, columns int, row func(i int) []float64) error {
	const alignment, before = 64, 10 // magic, version and length of the header
	dict := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }", rows, columns)
	padding := (alignment - (before+len(dict)+1)%alignment) % alignment
	dict += strings.Repeat(" ", padding) + "\n"
	head := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(dict)))
	b := bufio.NewWriterSize(w, 1<<18)
	b.Write(head) // errors stay until Flush
	b.WriteString(dict)
	buffer := make([]byte, 8*columns)
	for i := range rows {
		values := row(i)
		if len(values) != columns {
			panic(fmt.Sprintf("files: row %d of an array of %d columns has %d numbers", i, columns, len(values)))
		}
		for j, v := range values {
			binary.LittleEndian.PutUint64(buffer[8*j:], math.Float64bits(v))
		}
		if _, err := b.Write(buffer); err != nil {
			return err
		}
	}
	return b.Flush()
}
