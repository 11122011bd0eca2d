package files

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
)

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
