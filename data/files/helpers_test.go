package files

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// plainly opens files without limits.
var plainly Opener

// saved is a file of the content.
func saved(t *testing.T, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// sparseFile is a file of a head and zeros up to a size, which take no room on disk.
func sparseFile(t *testing.T, head []byte, size int64) string {
	t.Helper()
	path := saved(t, head)
	if err := os.Truncate(path, size); err != nil {
		t.Skipf("SKIPPED: no sparse file of %d bytes here: %v", size, err)
	}
	return path
}

// says checks that an error names the file and has the words.
func says(t *testing.T, err error, path, words string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), words) || !strings.HasPrefix(err.Error(), path) {
		t.Errorf("%v; want %q of %s", err, words, path)
	}
}

// npyFile writes version 1 of the format as numpy.save does: header padded with
// blanks to a multiple of 64 bytes.
func npyFile(descr, shape string, fortran bool, values any) []byte {
	var order binary.ByteOrder = binary.LittleEndian
	if descr[0] == '>' {
		order = binary.BigEndian
	}
	flag := map[bool]string{true: "True", false: "False"}[fortran]
	dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", descr, flag, shape)
	dict += strings.Repeat(" ", 63-(10+len(dict))%64) + "\n"
	var b bytes.Buffer
	b.WriteString("\x93NUMPY\x01\x00")
	binary.Write(&b, binary.LittleEndian, uint16(len(dict)))
	b.WriteString(dict)
	binary.Write(&b, order, values)
	return b.Bytes()
}

// idx writes an IDX file of a type, sizes and numbers.
func idx(kind byte, sizes []uint32, numbers any) []byte {
	var b bytes.Buffer
	b.Write([]byte{0, 0, kind, byte(len(sizes))})
	errs := errors.Join(binary.Write(&b, binary.BigEndian, sizes), binary.Write(&b, binary.BigEndian, numbers))
	if errs != nil {
		panic(errs)
	}
	return b.Bytes()
}

// points opens an array of points alone.
func points(path string) (Pool, error) {
	t, err := plainly.OpenArrays(path, "", "", false)
	return t.X, err
}

// upto are the indices below n.
func upto(n int) []int { return between(0, n) }

// bytesPool is a pool of points of so many bytes each.
func bytesPool(raw []byte, d int, divisor float64) Pool {
	x := mat.NewDense(len(raw)/d, d, nil)
	for i, b := range raw {
		x.Set(i/d, i%d, float64(b)/divisor)
	}
	return DensePool{x}
}
